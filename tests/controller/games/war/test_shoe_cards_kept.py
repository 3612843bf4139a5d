"""Cards of Casino War between rounds: blocked and released, set aside, fed back, shown, and the cut that goes round."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Announced
from controller.games.war.cards import FACES
from controller.games.war.events import SourceEmpty, SourceStopped
from tests.controller.games.war.cards import announced, betting, closed_shoe, refused, ruled, stake
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play, clause, noted, opened
from tests.controller.games.war.rulings import WON, money, next_round

PAID = {"booking": 1, "kind": "given_back", "cents": 1000, "by": "rank4", "player": "Ann"}
WRONG = ("11.17.2", "11.17.1", "11.17.3", "11.17.4")


def foreign_card(house: str) -> Play:
    """A foreign card came, and the round was void."""
    play = next_round(house, "Ann", "Bob")
    play.card("JOKER")
    play.answer("wrong_deck", "void")
    assert play.phase == "over"
    return play


def needs(play: Play) -> list[str]:
    blocked = play.game.view()["blocked"]
    return list(blocked["needs"]) if blocked else []


# -- blocked ----------------------------------------------------------------------------------------------------------


@clause(STAR, "11.17.3", "11.17.4", "4.3.5", "4.1.1")
@pytest.mark.parametrize("called", [False, True])
def test_cards_are_played_again_once_they_were_checked_and_both_were_told(called: bool) -> None:
    play = foreign_card(STAR)
    if called:
        play.press("place_bets")
        assert (play.phase, announced(play, "blocked")[0][2]) == ("blocked", WRONG)
    told = play.press("notified", whom="surveillance")
    assert ruled(told) == [("cards", "surveillance notified", "rank4", WRONG)]
    play.press("notified", whom="surveillance")
    play.press("notified", whom="the bar")
    assert needs(play) == ["check", "inspector"]
    assert ruled(play.press("deck_checked", outcome="nothing found")) == [("cards", "nothing found", "rank4", WRONG)]
    play.press("notified", whom="inspector")
    if not called:
        assert (play.phase, needs(play)) == ("over", [])
        play.press("place_bets")
    assert (play.phase, play.game.view()["blocked"]) == ("unshuffled", None)
    play.card("4D")
    assert (play.phase, "card_out_of_turn" in play.table.state.desk.alarms) == ("unshuffled", True)
    assert play.game.view()["cutter"] == "Bob"
    play.press("shuffled")
    asked = play.game.asked("cut")
    assert asked is not None
    assert (asked.evidence["player"], asked.clauses) == ("Bob", ("4.3.5", "4.5", "4.6"))


@clause(STAR, "3.8", "11.17.3")
def test_a_check_by_people_lifts_the_order_for_it_and_needs_no_words() -> None:
    play = opened(STAR)
    play.press("order_check", rank=2)
    assert play.game.state.supply.check_due
    assert ruled(play.press("deck_checked")) == [("cards", "checked", "rank4", ("3.3",))]
    assert (play.game.state.supply.check_due, play.phase) == (False, "betting")


@clause(MELBOURNE, "4.4.2")
@clause(PERTH, "2.7")
@clause(STAR, "3.5.1")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_as_long_as_one_card_is_out_the_table_says_so(house: str) -> None:
    play = betting(house)
    for face in ("4D", "5D"):
        play.press("set_aside", face=face)
    play.press("replace_card", face="4D")
    assert list(play.table.state.desk.alarms) == ["set_aside:5D"]
    play.press("replace_card", face="5D")
    assert list(play.table.state.desk.alarms) == []


# -- shown, fed back, shuffled -----------------------------------------------------------------------------------------


@clause(MELBOURNE, "4.3.1")
def test_the_burned_card_is_shown_to_a_player_who_asks_only_where_the_document_lets_it() -> None:
    play = betting(MELBOURNE)
    play.press("show_burn", rank=1)
    assert (noted(play, "burn_shown"), play.refusals()) == ([{"by": "rank1"}], [])
    for house, why in ((PERTH, ("4.6(a)", "4.6(b)", "4.6(c)", "4.7")), (STAR, ("4.9",))):
        other = betting(house)
        other.press("show_burn")
        assert (refused(other), noted(other, "burn_shown")) == (("not_shown", why), [])


@clause(STAR, "7.2", "11.14")
def test_the_discards_are_fed_after_the_first_deal_of_the_next_round_and_only_where_the_document_says_so() -> None:
    for house in (STAR, MELBOURNE):
        play = betting(house, source="csm")
        stake(play, "Ann")
        play.cards("KH", "5S")
        assert announced(play, "feed") == []
        play.press("settled")
        play.press("place_bets")
        stake(play, "Ann")
        play.cards("KD", "5D")
        fed = [("dealer", "Feed the discards into the device.", ("7.2", "11.14"))]
        assert announced(play, "feed") == (fed if house == STAR else [])
        assert play.game.state.shoe.feed_due is (house == STAR)


@clause(STAR, "7.2", "12.5.4")
def test_nothing_is_fed_into_a_device_that_a_shoe_stands_in_for() -> None:
    play = betting(STAR, source="csm")
    stake(play, "Ann")
    play.cards("KH", "5S")
    play.press("settled")
    play.press("place_bets")
    stake(play, "Ann")
    play.card("KD")
    play.take(SourceStopped("jam"))
    play.answer("device_harm", "no")
    play.answer("device_spare", "no")
    play.answer("device_shoe", "shoe")
    play.press("shuffled")
    play.answer("cut", "cut")
    effects = [*play.card("5D"), *play.card("6D")]
    assert (play.phase, money(play)["mAnn"]) == ("interim", WON)
    assert [one for one in effects if isinstance(one, Announced) and one.code == "feed"] == []


@clause(MELBOURNE, "4.1.1(c)")
def test_an_order_of_cards_that_is_doubted_after_the_last_card_is_shuffled_before_the_next_round() -> None:
    play = betting(MELBOURNE, readings={"shoe.abnormal_sequence": "at_once"})
    stake(play, "Ann", "Bob", "Cyd", "Dot")
    play.cards("4S", "5S", "6S", "7S", "8S")
    play.press("settled")
    play.press("place_bets")
    stake(play, "Ann")
    play.cards("9S", "2H")
    assert play.phase == "interim"
    play.answer("sequence", "shuffle")
    assert play.phase == "interim"
    play.press("settled")
    play.press("place_bets")
    assert play.phase == "unshuffled"


# -- the cut goes round ------------------------------------------------------------------------------------------------


@clause(STAR, "4.4", "4.3.1")
def test_after_a_player_who_stands_the_cut_goes_to_those_who_sit() -> None:
    play = closed_shoe(STAR)
    play.press("player_card", player="Dot")
    for box, player in ((3, "Ann"), (1, "Bob")):
        play.press("sit", box=box, player=player)
    play.press("check_cards", how="by hand")
    play.press("shuffled")
    offered = []
    for _ in range(3):
        asked = play.game.asked("cut")
        assert asked is not None
        offered.append(asked.evidence["player"])
        play.answer("cut", "refused")
    assert offered == ["Dot", "Bob", "Ann"]


# -- an inquiry --------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "11.2.3")
@pytest.mark.parametrize(("outcome", "booked"), [("pay", [PAID]), ("keep", [])])
def test_winnings_held_back_are_paid_or_kept_when_the_inquiry_is_over(
    outcome: str, booked: list[dict[str, Any]]
) -> None:
    play = next_round(MELBOURNE, "Ann", "Bob")
    for player in ("Ann", "Bob"):
        play.press("withhold", player=player)
    play.cards("KH", "3H", "5S")
    assert [play.results()[wager].withheld for wager in ("mAnn", "mBob")] == [True, False]
    play.press("inquiry_over", player="Ann", outcome="perhaps")
    assert refused(play) == ("not_there", ("11.2.3",))
    told = play.press("inquiry_over", rank=4, player="Ann", outcome=outcome)
    assert ruled(told) == [("inquiry", f"Ann: {outcome}", "rank4", ("11.2.3",))]
    assert noted(play, "inquiry_over") == [{"player": "Ann", "outcome": outcome, "cents": 1000}]
    assert noted(play, "booked") == booked
    play.press("inquiry_over", player="Bob", outcome="pay")
    assert noted(play, "inquiry_over")[-1] == {"player": "Bob", "outcome": "pay", "cents": 0}
    assert noted(play, "booked") == booked


# -- a shoe that is empty too soon -------------------------------------------------------------------------------------


@clause(MELBOURNE, "9.12.2")
@clause(PERTH, "2.2")
@clause(STAR, "11.17.2")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_of_many_cards_that_never_came_a_dozen_are_named(house: str) -> None:
    play = betting(house)
    play.take(SourceEmpty())
    asked = play.game.asked("wrong_deck")
    assert asked is not None
    missing = [face for face in FACES for _ in range(play.game.state.shoe.cards.left(face))]
    text = f"The shoe is empty and {len(missing)} cards never came: {', '.join(missing[:12])}."
    assert asked.evidence["finding"] == text
    assert len(text.split(", ")) == 12


@clause(MELBOURNE, "9.10")
@clause(PERTH, "5.5")
@clause(STAR, "11.7")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_a_source_that_is_empty_before_its_cards_are_shuffled_is_no_news(house: str) -> None:
    play = closed_shoe(house)
    assert play.take(SourceEmpty()) == []
    play.press("check_cards", how="by hand")
    assert (play.take(SourceEmpty()), play.phase) == ([], "unshuffled")
