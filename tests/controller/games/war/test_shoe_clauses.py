"""The cards of Casino War clause by clause: dealt, hidden, cut, checked, replaced and damaged."""

from __future__ import annotations

import pytest

from controller.core.effects import Noted
from controller.games.war import order
from controller.games.war.events import SourceEmpty, SourceStopped
from tests.controller.games.war.open_tables import HOUSES, open_table, table
from tests.controller.games.war.play import Play


def noted(play: Play, what: str) -> list[Noted]:
    return [effect for effect in play.effects if isinstance(effect, Noted) and effect.what == what]


@pytest.mark.clause("perth-war", "4.8(b)", "1.1 [Round of Play]")
@pytest.mark.clause("star-war", "1.1 [round of play]")
@pytest.mark.parametrize("rulebook", HOUSES)
def test_the_dealer_is_dealt_last(rulebook: str) -> None:
    play = open_table(rulebook)
    for box in (3, 1):
        play.lay(f"w{box}", "P1", box, "main", 5000)
    assert order.first_places(play.game.rules, play.game.state.round.stakes, False) == ["box1", "box3", "dealer"]
    play.cards("KS")
    assert play.game.state.round.started


@pytest.mark.clause("perth-war", "1.1 [Burn]")
@pytest.mark.clause("star-war", "10.4")
def test_what_was_burned_stays_hidden_on_every_screen() -> None:
    play = open_table("perth-war")
    play.lay("a", "P1", 1, "main", 5000)
    play.cards("8S", "8H")
    play.press("settled")
    play.lay("b", "P1", 1, "war", 5000)
    play.cards("KD", "QD", "JD", "9S", "2H")
    burned = [card for card in play.game.view()["cards"] if card["to"] == "war-burn"]
    assert burned == [{"face": "", "to": "war-burn"}] * 3


# -- cards and their source ----------------------------------------------------------------------------------------


@pytest.mark.clause("melbourne-war", "2.3", "2.3 [second sentence]")
@pytest.mark.clause("perth-war", "1.1 [Automatic Shuffler]", "2.5", "1.1 [Cutting Card]")
@pytest.mark.clause("star-war", "1.1 [shuffling device]", "2.4.1")
@pytest.mark.parametrize("rulebook", HOUSES)
def test_a_shuffler_is_not_cut_and_a_shoe_is(rulebook: str) -> None:
    for source, phases in (("shoe", ("uncut",)), ("csm", ("burning", "betting"))):
        play = table(rulebook, source=source)
        play.press("check_cards", how="by hand")
        play.press("shuffled")
        assert play.phase in phases


@pytest.mark.clause("melbourne-war", "7.1")
@pytest.mark.clause("star-war", "3.6")
@pytest.mark.clause("perth-war", "2.4")
@pytest.mark.parametrize("rulebook", HOUSES)
def test_a_card_that_belongs_to_no_deck_stops_the_round(rulebook: str) -> None:
    play = open_table(rulebook)
    play.lay("a", "P1", 1, "main", 5000)
    play.card("JOKER")
    assert play.phase == "ruling"
    assert play.questions() == ["wrong_deck"]


@pytest.mark.clause("melbourne-war", "4.1.2")
@pytest.mark.clause("star-war", "3.4", "4.2", "4.2.1", "4.8")
def test_pre_shuffled_cards_need_no_further_shuffle_and_are_riffled_only_before_the_cut() -> None:
    play = table("star-war")
    play.press("check_cards", how="by hand", pre_shuffled=True, batch="B-17")
    assert play.phase == "uncut"
    assert noted(play, "batch")[0].facts == {"batch": "B-17"}
    play.press("riffle", rank=1)
    play.press("riffle", rank=2)
    play.answer("cut", "cut")
    play.press("riffle", rank=2)
    assert [refusal.code for refusal in play.refusals()] == ["rank_too_low", "not_now"]
    assert [ruled.answer for ruled in play.rulings() if ruled.subject == "riffle"] == ["riffled before the cut"]


@pytest.mark.clause("melbourne-war", "4.2.3", "4.2.4(a)", "4.2.1(d)", "4.4.1", "4.4.2(a)")
@pytest.mark.clause("perth-war", "4.5", "4.3(c)(i)", "2.7")
@pytest.mark.clause("star-war", "4.5", "4.6", "4.3.5")
@pytest.mark.parametrize("rulebook", HOUSES)
def test_new_cards_are_checked_shuffled_and_cut_by_the_player_furthest_right(rulebook: str) -> None:
    play = open_table(rulebook)
    for box, player in ((1, "P1"), (4, "P2")):
        play.lay(f"w{box}", player, box, "main", 5000)
    play.press("no_more_bets")
    play.cards("KS", "QS", "9H")
    play.press("settled")
    play.press("place_bets")
    play.press("replace_cards", rank=1)
    assert play.refusals()[-1].code == "rank_too_low"
    play.press("order_shuffle", rank=4, reason="the shoe is done")
    play.press("replace_cards", rank=4, why="worn")
    assert play.phase == "unchecked"
    play.press("check_cards", how="by hand")
    play.press("shuffled")
    asked = play.game.asked("cut")
    assert asked is not None
    assert asked.evidence["player"] == "P2"
    assert set(play.game.rules.cite("cut_replaced", "cut_depth")) <= set(asked.clauses)


@pytest.mark.clause("melbourne-war", "4.1.1(c)", "4.1.1(d)")
@pytest.mark.clause("star-war", "11.9")
def test_a_shuffle_may_be_ordered_for_cause_and_comes_after_the_round() -> None:
    play = open_table("melbourne-war")
    play.lay("a", "P1", 1, "main", 5000)
    play.press("no_more_bets")
    play.cards("KS")
    play.press("order_shuffle", rank=2, reason="dropped cards")
    assert play.refusals()[-1].code == "rank_too_low"
    play.press("order_shuffle", rank=3, reason="dropped cards")
    assert play.phase == "dealing"
    play.cards("9H")
    play.press("settled")
    play.press("place_bets")
    assert play.phase == "unshuffled"


@pytest.mark.clause("melbourne-war", "9.10")
@pytest.mark.clause("perth-war", "5.5")
@pytest.mark.parametrize("rulebook", HOUSES)
def test_an_empty_source_between_rounds_asks_for_a_shuffle(rulebook: str) -> None:
    play = open_table(rulebook, source="csm")
    play.take(SourceEmpty())
    assert play.phase == "unshuffled"


@pytest.mark.clause("melbourne-war", "7.2")
@pytest.mark.clause("star-war", "3.7")
@pytest.mark.parametrize("rulebook", ["melbourne-war", "star-war"])
def test_a_player_who_handles_cards_is_put_on_record(rulebook: str) -> None:
    play = open_table(rulebook)
    play.press("sit", box=2, player="P2")
    play.press("card_touched", rank=1, player="P9")
    assert (play.refusals()[-1].code, noted(play, "card_touched")) == ("not_there", [])
    play.press("card_touched", rank=1, player="P2")
    assert noted(play, "card_touched")[0].facts["player"] == "P2"
    assert noted(play, "card_touched")[0].clauses == play.game.rules.cite("hands_off")


@pytest.mark.clause("star-war", "12.1.1", "12.3.1", "12.3.2", "12.3.3", "12.3.4", "12.5.2")
def test_damaged_cards_are_named_and_replaced_face_by_face() -> None:
    play = open_table("star-war", source="csm")
    play.lay("a", "P1", 1, "main", 5000)
    play.cards("KS")
    play.take(SourceStopped("jam"))
    play.answer("device_harm", "no")
    play.answer("device_spare", "yes")
    play.answer("device_transfer", "yes")
    play.answer("device_damage", "yes", damaged=["9H"] * 7)
    assert play.refusals()[-1].code == "bad_card"
    play.answer("device_damage", "yes", damaged=["9H", "2D"])
    assert noted(play, "damaged")[0].facts["cards"] == ["9H", "2D"]
    assert play.game.state.shoe.cards.total == 312
    play.cards("9H")
    assert play.results()["a"].result == "win"
