"""The cutting card at Casino War: the sign to shuffle, where it came, and who cuts for it."""

from __future__ import annotations

import pytest

from tests.controller.games.war.cards import (
    BURN,
    HOUSES,
    MELBOURNE,
    PERTH,
    STAR,
    alarmed,
    announced,
    at_war,
    betting,
    closed_shoe,
    lying,
    paid,
    question,
    ruled,
    staked,
    uncut,
    use_up,
)
from tests.controller.games.war.play import Play

clause = pytest.mark.clause
AFTER = {MELBOURNE: ("4.1.1(b)",), PERTH: ("4.14",), STAR: ("4.1.3",)}
AT_ONCE = {PERTH: ("4.15",), STAR: ("4.1.2",)}
DEPTH = {MELBOURNE: ("4.2.3", "4.2.4(a)"), PERTH: ("4.5",), STAR: ("4.5", "4.6")}
HALF_WAY = {MELBOURNE: ("4.2.4(a)",), PERTH: ("4.5",), STAR: ("4.6",)}
ON_BOX = {MELBOURNE: ("4.2.1(b)",), PERTH: ("4.3(b)",), STAR: ("4.3.2",)}
ON_DEALER = {MELBOURNE: ("4.2.1(c)",), PERTH: ("4.3(c)(ii)",), STAR: ("4.3.3",)}
FIRST = {PERTH: ("4.15", "4.3(c)(ii)"), STAR: ("4.3.4",)}


def shuffled_after_the_round(play: Play, house: str) -> None:
    """The round was finished; no other starts before the shuffle."""
    play.press("settled")
    assert play.game.view()["shuffle_due"]
    play.press("place_bets")
    assert play.phase == "unshuffled"
    assert announced(play, "shuffle")[-1] == ("dealer", "Shuffle before the next round.", AFTER[house])
    play.press("shuffled")
    assert not play.game.view()["shuffle_due"]


@clause(MELBOURNE, "4.1.1(b)", "4.2.1(b)")
@clause(PERTH, "4.14", "4.3(b)", "1.1 [Cutting Card]")
@clause(STAR, "4.1.3", "4.3.2")
@pytest.mark.parametrize("house", HOUSES)
def test_a_cutting_card_in_a_round_changes_nothing_in_it_and_the_player_it_came_to_cuts(house: str) -> None:
    play = staked(house, "Ann", "Bob", "Cyd")
    use_up(play, 200)
    play.card("QH")
    told = play.card("CUT")
    answer = "came at box2; shuffle after this round"
    assert ruled(told) == [("cutting_card", answer, "table", AFTER[house])]
    assert (play.phase, play.game.view()["cutter"]) == ("dealing", "Bob")
    play.cards("3D", "8D", "7C")
    assert lying(play)[-5:] == [("QH", "box1"), ("CUT", "cut"), ("3D", "box2"), ("8D", "box3"), ("7C", "dealer")]
    assert {wager: result for wager, (result, *_) in paid(play).items()} == {
        "mAnn": "win",
        "mBob": "lose",
        "mCyd": "win",
    }
    shuffled_after_the_round(play, house)
    asked = question(play, "cut")
    assert (asked.evidence, asked.clauses) == ({"player": "Bob"}, (*ON_BOX[house], *DEPTH[house]))


@clause(MELBOURNE, "4.1.1(b)", "4.2.1(c)")
@clause(PERTH, "4.14", "4.3(c)(ii)")
@clause(STAR, "4.1.3", "4.3.3")
@pytest.mark.parametrize("house", HOUSES)
def test_on_the_dealers_hand_the_player_furthest_to_the_right_cuts(house: str) -> None:
    play = staked(house, "Ann", "Bob")
    use_up(play, 200)
    play.cards("QH", "3D")
    told = play.card("CUT")
    assert ruled(told)[0][1] == "came at dealer; shuffle after this round"
    play.card("7C")
    shuffled_after_the_round(play, house)
    asked = question(play, "cut")
    assert (asked.evidence, asked.clauses) == ({"player": "Bob"}, (*ON_DEALER[house], *DEPTH[house]))


@clause(PERTH, "4.14", "4.3(c)(ii)", "1.1 [Burn]")
def test_among_the_burns_before_a_war_the_cutting_card_came_on_the_dealers_hand() -> None:
    play = at_war(PERTH, "Ann", "Bob")
    use_up(play, 200)
    play.card("2D")
    told = play.card("CUT")
    assert ruled(told)[0][1] == "came at dealer; shuffle after this round"
    assert play.game.view()["cutter"] == "Bob"


@clause(PERTH, "4.15", "1.1 [Cutting Card]")
@clause(STAR, "4.1.2", "4.3.4")
@pytest.mark.parametrize("house", [PERTH, STAR])
@pytest.mark.parametrize("called", [False, True])
def test_as_first_card_of_a_round_it_has_the_cards_shuffled_at_once_and_stakes_may_change(
    house: str, called: bool
) -> None:
    play = betting(house)
    use_up(play, 200)
    play.lay("mAnn", "Ann", 1, "main", 1000)
    play.lay("mBob", "Bob", 2, "main", 1000)
    if called:
        play.press("no_more_bets")
    told = play.card("CUT")
    assert ruled(told) == [("cutting_card", "shuffle at once", "table", AT_ONCE[house])]
    text = "The cutting card came first: shuffle now. Stakes stay and may be changed."
    assert announced(play, "shuffle") == [("all", text, AT_ONCE[house])]
    assert play.phase == "unshuffled"
    play.lay("mCyd", "Cyd", 3, "main", 1000)
    play.press("shuffled")
    asked = question(play, "cut")
    assert (asked.evidence, asked.clauses) == ({"player": "Cyd"}, (*FIRST[house], *DEPTH[house]))
    play.answer("cut", "cut")
    play.cards(*BURN[house], "9C", "3C", "JC", "8D")
    assert {wager: result for wager, (result, *_) in paid(play).items()} == {
        "mAnn": "win",
        "mBob": "lose",
        "mCyd": "win",
    }


@clause(PERTH, "4.15")
@clause(STAR, "4.1.2")
@pytest.mark.parametrize("house", [PERTH, STAR])
def test_before_the_burn_it_has_the_cards_shuffled_at_once_too(house: str) -> None:
    play = closed_shoe(house)
    play.new_shoe("CUT")
    assert play.phase == "unshuffled"
    assert play.game.view()["cutter"] == ""


@clause(MELBOURNE, "4.1.1(b)", "4.2.1(b)")
def test_at_melbourne_a_round_that_begins_with_it_is_dealt_and_the_first_area_served_cuts() -> None:
    play = staked(MELBOURNE, "Ann", "Bob")
    use_up(play, 200)
    told = play.card("CUT")
    assert ruled(told) == [("cutting_card", "came at box1; shuffle after this round", "table", ("4.1.1(b)",))]
    assert play.phase == "closed"
    play.cards("QH", "3D", "7C")
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000), "mBob": ("lose", 0, 1000, 0)}
    shuffled_after_the_round(play, MELBOURNE)
    asked = question(play, "cut")
    assert (asked.evidence, asked.clauses) == ({"player": "Ann"}, ("4.2.1(b)", "4.2.3", "4.2.4(a)"))


# -- where it was put -------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "4.2.4(a)")
@clause(PERTH, "4.5")
@clause(STAR, "4.6")
@pytest.mark.parametrize("house", HOUSES)
def test_a_cutting_card_that_comes_before_half_of_the_cards_was_put_too_far_to_the_front(house: str) -> None:
    early = staked(house, "Ann")
    use_up(early, 154)
    early.card("QH")
    assert alarmed(early.card("CUT")) == [("cutting_card_early", HALF_WAY[house])]
    half = staked(house, "Ann")
    use_up(half, 155)
    half.card("QH")
    assert alarmed(half.card("CUT")) == []
    at_first = closed_shoe(house)
    at_first.new_shoe()
    assert alarmed(at_first.card("CUT")) == [("cutting_card_early", HALF_WAY[house])]
    not_yet = uncut(house)
    assert alarmed(not_yet.card("CUT")) == []


@clause(MELBOURNE, "3.1.1")
@clause(PERTH, "2.5")
@clause(STAR, "4.7")
@pytest.mark.parametrize("house", HOUSES)
def test_a_cutting_card_in_a_shuffler_is_a_fault_and_no_sign_to_shuffle(house: str) -> None:
    play = staked(house, "Ann", source="csm")
    play.card("QH")
    told = play.card("CUT")
    fault = play.table.state.faults["cutting_card_in_shuffler"]
    assert (play.table.state.life, fault.rank) == ("suspended", 2)
    assert alarmed(told) == [("cutting_card_in_shuffler", ())]
    assert ruled(told) == []
    assert lying(play)[-2:] == [("QH", "box1"), ("CUT", "cut")]
    assert not play.game.view()["shuffle_due"]
    play.press("clear_fault", rank=2, fault="cutting_card_in_shuffler")
    play.card("7C")
    assert paid(play) == {"mAnn": ("win", 1000, 0, 1000)}
    play.press("settled")
    play.press("place_bets")
    assert play.phase == "betting"
