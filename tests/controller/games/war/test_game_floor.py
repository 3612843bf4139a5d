"""What people at a Casino War table do besides staking and dealing: spoken bets, cleared hands, parked cards."""

from __future__ import annotations

import pytest

from controller.core.effects import Announced, Noted
from controller.games.war.cards import FACES
from controller.games.war.config import WarConfig
from controller.games.war.events import SourceStopped, StakeChanged
from drivers.shoe import ShoeEmpty, ShoeLoaded
from tests.controller.games.war.play import Play


def opened(rulebook: str, *burn: str) -> Play:
    play = Play(rulebook, WarConfig(decks=6, optional_zones=("tie",) if rulebook == "perth-war" else ()))
    play.new_shoe(*burn)
    for player in ("P1", "P2", "P3"):
        play.press("player_card", player=player)
    assert play.phase == "betting"
    return play


def spoken(play: Play) -> list[tuple[str, tuple[str, ...]]]:
    return [(ruled.answer, ruled.clauses) for ruled in play.rulings() if ruled.subject == "spoken_bet"]


def told(play: Play, code: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.text, one.clauses) for one in play.effects if isinstance(one, Announced) and one.code == code]


@pytest.mark.clause("melbourne-war", "5.3")
def test_a_spoken_bet_without_money_is_recorded_as_refused() -> None:
    play = opened("melbourne-war", "2C")
    play.press("spoken", player="P1", box=1, amount=5000)
    assert spoken(play) == [("P1's $50 on the main of box 1 refused: no money came with it", ("5.3",))]
    play.lay("a", "P1", 1, "main", 5000)  # chips laid in time are a stake whatever was said
    assert play.game.state.round.stake("a").live


@pytest.mark.clause("melbourne-war", "5.3")
def test_money_that_did_not_become_chips_before_the_call_is_no_bet() -> None:
    play = opened("melbourne-war", "2C")
    play.lay("b", "P2", 2, "main", 5000)
    play.press("spoken", player="P1", box=1, amount=5000, money=True)
    assert spoken(play) == []
    play.press("no_more_bets")
    assert spoken(play) == [("P1's $50 on the main of box 1 refused: no chips lay there before the call", ("5.3",))]
    play.lay("a", "P1", 1, "main", 5000)
    assert play.questions() == []  # nothing to decide: it goes back
    play.cards("KC", "9H")
    assert play.results()["a"].result == "void"
    assert play.results()["b"].result == "win"


@pytest.mark.clause("melbourne-war", "5.3")
def test_a_spoken_bet_whose_chips_lie_there_before_the_call_is_in_play() -> None:
    play = opened("melbourne-war", "2C")
    play.press("spoken", player="P1", box=1, amount=5000, money=True)
    play.lay("a", "P1", 1, "main", 5000)
    play.press("no_more_bets")
    assert spoken(play) == []
    play.cards("KC", "9H")
    assert play.results()["a"].pays == 5000


@pytest.mark.clause("melbourne-war", "5.3")
def test_a_bet_spoken_after_the_call_is_refused_even_with_money() -> None:
    play = opened("melbourne-war", "2C")
    play.lay("b", "P2", 2, "main", 5000)
    play.press("no_more_bets")
    play.press("spoken", player="P1", box=1, zone="tie", amount=1000, money=True)
    assert spoken(play) == [("P1's $10 on the tie of box 1 refused: it came after the call", ("5.3",))]


@pytest.mark.clause("star-war", "8.2.3", "8.3")
def test_decided_hands_leave_the_layout_at_interim_and_surrendered_ones_before_the_war() -> None:
    play = opened("star-war", "2C")
    for box, player in enumerate(("P1", "P2", "P3"), 1):
        play.lay(f"w{box}", player, box, "main", 1000)
    play.cards("KH", "5D", "5C", "5S")
    assert told(play, "clear_cards") == [("Cards of box 1 to the discards.", ("8.2.3",))]
    play.press("settled")
    play.press("choice", box=2, player="P2", choice="surrender")
    play.lay("war", "P3", 3, "war", 1000)
    assert told(play, "clear_cards")[1:] == [("Cards of box 2 to the discards.", ("8.3",))]


@pytest.mark.clause("perth-war", "4.10(b)")
def test_a_box_keeps_its_card_while_one_of_its_players_goes_to_war() -> None:
    play = opened("perth-war", "AC", "2C")
    play.lay("a", "P1", 1, "main", 1000)
    play.lay("b", "P2", 1, "main", 1000)
    play.lay("c", "P3", 2, "main", 1000)
    play.cards("5D", "5C", "5S")
    play.press("settled")
    play.press("choice", box=1, player="P1", choice="surrender")
    play.press("choice", box=2, player="P3", choice="surrender")
    play.lay("war", "P2", 1, "war", 1000)
    assert told(play, "clear_cards") == [("Cards of box 2 to the discards.", ("4.10(b)",))]


@pytest.mark.clause("star-war", "11.4")
def test_a_card_told_after_the_round_to_be_unseen_is_the_first_of_the_next_one() -> None:
    play = opened("star-war", "2C")
    play.lay("a", "P1", 1, "main", 1000)
    play.cards("KH", "5D")
    play.press("settled")
    play.card("QS")
    play.answer("surplus:", "unseen")
    assert [card["to"] for card in play.game.view()["cards"][-3:]] == ["box1", "dealer", "next-round"]
    play.press("place_bets")
    play.lay("b", "P1", 1, "main", 1000)
    play.card("3S")
    assert [(card["face"], card["to"]) for card in play.game.view()["cards"]] == [("QS", "box1"), ("3S", "dealer")]
    assert play.results()["b"].result == "win"


@pytest.mark.clause("star-war", "11.4")
def test_a_parked_card_leaves_the_others_where_they_lie() -> None:
    play = opened("star-war", "2C")
    play.lay("a", "P1", 1, "main", 1000)
    play.cards("6C", "6H", "KD")
    play.answer("surplus:", "unseen")
    play.lay("war", "P1", 1, "war", 1000)
    play.cards("9S", "4D")
    play.press("settled")
    assert [card["to"] for card in play.game.view()["cards"][1:]] == ["box1", "dealer", "next-round", "box1", "dealer"]


@pytest.mark.clause("star-war", "1.1 [War Wager]", "9.1")
def test_a_war_stake_of_the_wrong_size_can_be_put_right() -> None:
    play = opened("star-war", "2C")
    play.lay("a", "P1", 1, "main", 10000)
    play.cards("6C", "6H")
    play.press("settled")
    play.lay("war", "P1", 1, "war", 6000)
    assert play.phase == "choosing"
    assert play.results()["war"].stake_returned == 6000
    play.take(StakeChanged("war", 10000))
    assert play.phase == "war_dealing"
    play.cards("KC", "9S")
    assert (play.results()["war"].result, play.results()["war"].pays) == ("win", 10000)


@pytest.mark.clause("melbourne-war", "4.2.1(a)", "4.2.2")
def test_at_a_new_game_a_refused_cut_goes_round_those_who_sit_there() -> None:
    play = Play("melbourne-war", WarConfig(decks=6))
    for box, player in ((3, "P2"), (5, "P3"), (1, "P1")):
        play.press("sit", box=box, player=player)
    play.press("check_cards", how="by hand")
    play.press("shuffled")
    offered = []
    while (asked := play.game.asked("cut")) is not None:
        offered.append(asked.evidence["player"])
        play.answer("cut", "refused" if asked.evidence["player"] else "cut")
    assert offered == ["P2", "P3", "P1", ""]


@pytest.mark.clause("star-war", "11.12")
def test_a_rebuild_burns_what_came_after_the_dealers_card_even_with_a_war_to_come() -> None:
    play = opened("star-war", "2C")
    play.lay("a", "P1", 1, "main", 1000)
    play.cards("6C", "6H", "KD")
    play.press("misplaced", rank=1)
    play.press("settled")
    play.lay("war", "P1", 1, "war", 1000)
    play.cards("9S", "4D")
    assert [card["to"] for card in play.game.view()["cards"][1:]] == ["box1", "dealer", "discard", "box1", "dealer"]


def dealt_out(rulebook: str, left: int) -> Play:
    """A table at which all cards but the last few have been played; those end in KC, AC."""
    decks = 6 if rulebook == "star-war" else 4
    play = Play(rulebook, WarConfig(decks=decks))
    play.new_shoe(*(("AS", "2C") if rulebook == "perth-war" else ("2C",)))
    faces = [face for deck in range(decks) for face in FACES if play.game.state.shoe.cards.left(face) > deck]
    for face in faces[: len(faces) - left]:
        play.game.state.shoe.cards.draw(face)
    play.press("player_card", player="P1")
    play.lay("a", "P1", 1, "main", 1000)
    if rulebook == "melbourne-war":
        play.press("no_more_bets")
    return play


EMPTIED = [
    pytest.param("melbourne-war", [], marks=pytest.mark.clause("melbourne-war", "9.10")),
    pytest.param("perth-war", ["3D", "5S", "6S", "7S"], marks=pytest.mark.clause("perth-war", "5.5")),
    pytest.param("star-war", ["5S"], marks=pytest.mark.clause("star-war", "11.7")),
]


@pytest.mark.parametrize(("rulebook", "burned"), EMPTIED)
def test_a_shoe_that_says_it_is_empty_has_the_discards_shuffled_and_the_round_goes_on(
    rulebook: str, burned: list[str]
) -> None:
    play = dealt_out(rulebook, left=1)
    play.card("AC")  # the last card of the set
    play.take(ShoeEmpty("shoe"))
    assert play.phase == "reshuffling"
    play.take(ShoeLoaded("shoe"))
    play.press("shuffled")
    play.answer("cut", "cut")
    play.cards(*burned, "9H")
    assert play.phase == "interim"
    assert play.results()["a"].result == "win"


@pytest.mark.clause("melbourne-war", "9.10")
def test_a_shoe_that_ran_out_during_a_ruling_is_shuffled_when_play_goes_on() -> None:
    play = dealt_out("melbourne-war", left=1)
    play.card("AC")
    play.press("void_player", rank=1, player="P1")
    assert play.phase == "ruling"
    play.take(ShoeEmpty("shoe"))
    assert play.phase == "ruling"
    play.answer("void_player", "stand")
    assert play.phase == "reshuffling"


@pytest.mark.clause("melbourne-war", "9.10")
def test_a_shoe_that_is_empty_after_the_call_is_shuffled_and_the_stakes_stay() -> None:
    play = dealt_out("melbourne-war", left=0)
    play.take(ShoeEmpty("shoe"))
    assert play.phase == "unshuffled"
    assert play.game.state.round.stake("a").live


def test_a_shoe_that_empties_with_the_last_card_of_a_round_is_shuffled_after_it() -> None:
    play = dealt_out("star-war", left=2)
    play.cards("KC", "AC")
    play.take(ShoeEmpty("shoe"))
    assert play.phase == "interim"
    play.press("settled")
    play.press("place_bets")
    assert play.phase == "unshuffled"


@pytest.mark.clause("melbourne-war", "3.2")
def test_after_gaming_the_cards_are_counted_and_the_next_session_begins_with_a_check() -> None:
    play = opened("melbourne-war", "2C")
    play.press("warned", player="P1")
    play.press("player_left", player="P1")
    play.press("player_left", player="P2")
    play.press("player_left", player="P3")
    play.press("close")
    asked = play.game.asked("count")
    assert asked is not None
    assert (asked.evidence, asked.clauses) == ({"expected": 312}, ("3.2",))
    play.answer("count", "complete", count=312)
    play.press("open")
    assert play.phase == "unchecked"
    assert play.game.state.players.warned == []
    play.new_shoe("2C")
    assert play.phase == "betting"


@pytest.mark.clause("melbourne-war", "3.2")
@pytest.mark.parametrize(("answer", "count"), [("wrong", 311), ("complete", 311)])
def test_a_wrong_count_keeps_the_cards_from_being_used_again(answer: str, count: int) -> None:
    play = Play("melbourne-war", WarConfig(decks=6))
    play.new_shoe("2C")
    play.press("close")
    play.answer("count", answer, count=count)
    play.press("open")
    assert play.phase == "blocked"
    assert "311 cards were counted after gaming" in play.table.state.desk.alarms["wrong_deck"].text
    play.press("check_cards", how="by hand")
    assert play.phase == "blocked"
    play.press("replace_cards", why="wrong count")
    assert play.phase == "unchecked"


@pytest.mark.parametrize("rulebook", ["perth-war", "star-war"])
def test_a_house_whose_document_asks_for_no_count_closes_without_one(rulebook: str) -> None:
    play = Play(rulebook, WarConfig(decks=6))
    play.new_shoe(*(("AS", "2C") if rulebook == "perth-war" else ("2C",)))
    play.press("close")
    assert play.game.asked("count") is None
    play.press("open")
    assert play.phase == "unchecked"


@pytest.mark.clause("melbourne-war", "4.1.1(c)")
@pytest.mark.parametrize(("reading", "phase"), [("after_round", "dealing"), ("at_once", "reshuffling")])
def test_an_abnormal_order_is_shuffled_after_the_round_or_at_once_as_the_house_reads_it(
    reading: str, phase: str
) -> None:
    play = Play("melbourne-war", WarConfig(decks=6, readings={"shoe.abnormal_sequence": reading}))
    play.new_shoe("KH")
    for box in range(1, 9):
        play.lay(f"w{box}", f"P{box}", box, "main", 1000)
    play.press("no_more_bets")
    play.cards("2S", "3S", "4S", "5S", "6S", "7S")
    play.answer("sequence", "shuffle")
    assert play.phase == phase


@pytest.mark.clause("star-war", "12.5.4")
def test_after_a_round_finished_from_a_shoe_new_cards_go_into_the_shuffler_again() -> None:
    play = Play("star-war", WarConfig(decks=6, source="csm"))
    play.new_shoe("2C")
    play.press("player_card", player="P1")
    play.lay("a", "P1", 1, "main", 1000)
    play.card("KC")
    play.take(SourceStopped("jam"))
    play.answer("device_harm", "no")
    play.answer("device_spare", "no")
    play.answer("device_shoe", "shoe", withdraw=[])
    assert play.game.state.supply.source == "shoe"
    play.press("shuffled")
    play.answer("cut", "cut")
    play.cards("5S", "9H")
    play.press("settled")
    play.press("place_bets")
    play.press("replace_cards", why="the shuffler works again")
    assert play.game.state.supply.source == "csm"


@pytest.mark.clause("star-war", "13.12", "13.13")
def test_a_decision_is_reviewed_by_another_person_of_higher_rank() -> None:
    play = opened("star-war", "2C")
    play.press("review", rank=3, decision="stands")
    play.press("dispute", rank=2, text="who won", decision="the dealer did")
    play.press("review", rank=2, decision="stands")
    play.press("dispute", rank=3, text="who won", decision="the dealer did")
    play.press("review", rank=3, decision="stands")
    assert [refusal.code for refusal in play.refusals()] == ["no_decision", "rank_too_low", "same_person"]
    play.press("review", rank=4, decision="the player won")
    ruled = play.rulings()[-1]
    assert (ruled.subject, ruled.answer, ruled.clauses) == ("review", "the player won", ("13.12", "13.13"))


@pytest.mark.clause("star-war", "5.7.1")
def test_when_players_wait_for_a_place_somebody_on_several_boxes_is_asked_for_them() -> None:
    play = opened("star-war", "2C")
    play.lay("a", "P1", 1, "main", 1000)
    play.press("waiting")
    assert play.refusals()[-1].code == "no_several"
    play.lay("b", "P1", 4, "main", 1000)
    play.press("waiting")
    assert play.questions() == ["several:P1"]
    play.answer("several:P1", "refuse", rank=2)
    assert [stake.id for stake in play.game.state.round.stakes if stake.live] == ["a"]
    assert play.results()["b"].stake_returned == 1000


@pytest.mark.clause("star-war", "3.8", "11.1.1")
def test_a_check_ordered_during_a_round_comes_after_it_and_before_the_next() -> None:
    play = opened("star-war", "2C")
    play.lay("a", "P1", 1, "main", 1000)
    play.cards("3D^", "KC")
    play.press("order_check", rank=1)
    assert play.refusals()[-1].code == "rank_too_low"
    play.press("order_check", rank=2)
    assert play.phase == "dealing"
    play.cards("9H")
    play.press("settled")
    play.press("place_bets")
    assert play.refusals()[-1].code == "check_due"
    play.press("read_cards", rank=2, faces=[*FACES] * 6, where="set")
    play.press("place_bets")
    assert play.phase == "betting"


@pytest.mark.clause("star-war", "3.8", "11.17.3")
def test_a_check_that_finds_a_card_missing_lets_no_round_begin() -> None:
    play = opened("star-war", "2C")
    play.lay("a", "P1", 1, "main", 1000)
    assert play.game.may_draw()
    play.press("order_check", rank=2)
    assert not play.game.may_draw()
    play.press("read_cards", rank=2, faces=[*([*FACES] * 6)[1:]], where="set")
    assert "missing: 2♠" in str(play.game.asked("wrong_deck"))


@pytest.mark.parametrize(
    ("rulebook", "codes"),
    [
        pytest.param(
            "melbourne-war", ["rank_too_low", ""], marks=pytest.mark.clause("melbourne-war", "4.4.1", "4.4.2")
        ),
        pytest.param("perth-war", ["", ""], marks=pytest.mark.clause("perth-war", "2.7")),
        pytest.param("star-war", ["not_now", "not_now"], marks=pytest.mark.clause("star-war", "3.5.2")),
    ],
)
def test_in_the_middle_of_a_shoe_cards_are_replaced_as_the_document_says(rulebook: str, codes: list[str]) -> None:
    found = []
    for rank in (2, 3):
        play = opened(rulebook, *(("AS", "2C") if rulebook == "perth-war" else ("2C",)))
        play.press("replace_cards", rank=rank, why="worn")
        found.append(play.refusals()[-1].code if play.refusals() else "")
    assert found == codes


@pytest.mark.clause("star-war", "3.5.1", "3.5.2")
@pytest.mark.parametrize("source", ["csm", "shoe"])
def test_at_the_star_cards_are_replaced_from_a_shuffler_or_after_the_cutting_card(source: str) -> None:
    play = Play("star-war", WarConfig(decks=6, source=source))  # type: ignore[arg-type]
    play.new_shoe("2C")
    if source == "shoe":
        play.press("order_shuffle", rank=2)
        assert play.phase == "unshuffled"
    play.press("replace_cards", rank=2, why="worn")
    assert play.phase == "unchecked"


@pytest.mark.clause("melbourne-war", "5.12")
def test_at_the_call_the_dealer_is_told_to_see_to_the_line_of_shared_stakes() -> None:
    play = opened("melbourne-war", "2C")
    play.lay("c", "P3", 2, "main", 1000)
    play.lay("a", "P1", 1, "main", 1000)
    play.lay("b", "P2", 1, "main", 1000)
    play.press("no_more_bets")
    text = "See that shared stakes stand in line, front first (box 1: P1, P2)."
    assert told(play, "line") == [(text, ("5.12",))]


@pytest.mark.clause("star-war", "12.5.1", "12.5.2")
def test_names_may_be_entered_one_after_the_other_as_on_a_screen() -> None:
    play = Play("star-war", WarConfig(decks=6, source="csm"))
    play.new_shoe("2C")
    for box, player in enumerate(("P1", "P2", "P3"), 1):
        play.press("player_card", player=player)
        play.lay(player, player, box, "main", 1000)
    play.card("KC")
    play.take(SourceStopped("jam"))
    play.answer("device_harm", "no")
    play.answer("device_spare", "no")
    play.answer("device_shoe", "shoe", withdraw="P1, P3", damaged="5H,JD")
    assert {wager: result.result for wager, result in play.results().items()} == {"P1": "void", "P3": "void"}
    (damaged,) = [one for one in play.effects if isinstance(one, Noted) and one.what == "damaged"]
    assert damaged.facts["cards"] == ["5H", "JD"]
