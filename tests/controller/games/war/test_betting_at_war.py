"""Stakes once the first cards lie there: war stakes, Perfect Pairs at war, late chips, and what limits make of them."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.desk import Limits
from controller.games.war.events import StakeChanged
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, Play, announced, clause, codes, noted, opened, tied
from tests.controller.games.war.seen import HOUSES, live, refusal

WAR_STAKE = {
    MELBOURNE: ("5.6", "7.4.4(a)(i)", "1.1 [Go to War wager]"),
    PERTH: ("3.7", "4.10"),
    STAR: ("5.8", "9.1", "1.1 [War Wager]"),
}


# -- war stakes -------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "5.6", "7.4.4(a)(i)", "1.1 [Go to War wager]", "5.4")
@clause(PERTH, "3.7", "4.10", "6.1")
@clause(STAR, "5.8", "9.1", "1.1 [War Wager]", "5.5")
@HOUSES
def test_chips_on_the_war_spot_before_the_choice_are_no_stake(house: str) -> None:
    play = opened(house)
    play.lay("m", "Ann", 1, "main", 1000)
    play.lay("w1", "Ann", 1, "war", 1000)
    assert refusal(play) == ("no_main_stake", WAR_STAKE[house])
    play.press("no_more_bets")
    play.card("KH")
    play.lay("w2", "Ann", 1, "war", 1000)
    assert (refusal(play), live(play, "w1", "w2")) == (("no_main_stake", WAR_STAKE[house]), [False, False])
    assert [play.results()[wager].stake_returned for wager in ("w1", "w2")] == [1000, 1000]
    play.card("KS")
    play.press("settled")
    play.lay("w3", "Ann", 1, "war", 1000)
    assert live(play, "w3") == [True]


@clause(MELBOURNE, "5.6", "7.4.4(a)(i)", "5.4")
@clause(PERTH, "3.7", "4.10", "6.1")
@clause(STAR, "5.8", "9.1", "5.5")
@HOUSES
def test_a_second_war_stake_is_refused_for_its_size_first_and_then_for_the_one_that_lies_there(house: str) -> None:
    play = tied(house)
    play.lay("w1", "Ann", 1, "war", 1000)
    play.lay("w2", "Ann", 1, "war", 900)
    assert refusal(play) == ("war_stake_differs", WAR_STAKE[house])
    play.lay("w3", "Ann", 1, "war", 1000)
    assert refusal(play) == ("war_stake_lies", WAR_STAKE[house])
    assert live(play, "w1", "w2", "w3") == [True, False, False]


@clause(MELBOURNE, "5.4", "7.4.4(a)(i)")
@clause(PERTH, "6.1", "3.7")
@clause(STAR, "5.5", "9.1")
@HOUSES
def test_a_war_stake_in_play_counts_as_it_lay_and_one_put_right_alarms_nobody(house: str) -> None:
    play = tied(house)
    play.answer("choice:2:Bob", "surrender")
    play.lay("w", "Ann", 1, "war", 900)
    play.take(StakeChanged("w", 0))
    play.lay("x", "Ann", 1, "war", 800)
    play.take(StakeChanged("x", 1000))
    assert (live(play, "x"), play.table.state.desk.alarms) == ([True], {})
    play.take(StakeChanged("x", 5000))
    moved = {MELBOURNE: ("5.4",), PERTH: ("6.1", "3.2"), STAR: ("5.5",)}[house]
    alarm = play.table.state.desk.alarms["moved:x"]
    assert alarm.text == "Chips of Ann on box 1 changed to $50 after the first card."
    assert alarm.clauses == moved
    assert play.take(StakeChanged("mCyd", 0)) == []  # lost and taken: it may move
    play.cards(*(("3C", "4C", "5C") if house == PERTH else ()), "9H", "8D")
    assert (play.results()["x"].pays, play.results()["x"].stake_returned) == (1000, 1000)
    play.press("settled")
    rows = [row for row in noted(play, "round")[-1]["stakes"] if row[3] == "war"]
    assert rows == [
        ["w", "Ann", 1, "war", "war", 900, 900, "refused"], ["x", "Ann", 1, "war", "war", 1000, 1000, "live"],
    ]  # fmt: skip


@clause(MELBOURNE, "11.2.2")
@clause(PERTH, "6.6(b)")
@clause(STAR, "13.4.2")
@HOUSES
def test_a_barred_player_lays_no_war_stake(house: str) -> None:
    play = tied(house)
    play.press("bar_player", player="Ann")
    play.lay("w", "Ann", 1, "war", 1000)
    named = {MELBOURNE: ("11.2.2",), PERTH: ("6.6(b)",), STAR: ("13.4.2",)}[house]
    assert (refusal(play), live(play, "w")) == (("barred", named), [False])
    assert "choice:1:Ann" in play.questions()
    assert play.results()["w"].stake_returned == 1000


# -- Perfect Pairs at war ----------------------------------------------------------------------------------------------


def pairs_at_war(*boxes: int, **config: Any) -> Play:
    """Perth: Ann holds box 1, Bob and Eve share box 2, all tie; whoever holds one of these boxes went to war."""
    play = opened(PERTH, **config)
    for player, box in (("Ann", 1), ("Bob", 2), ("Eve", 2)):
        play.lay(f"m{player}", player, box, "main", 1000)
    for player in ("Cyd", "Dot", "Gus"):
        play.lay(f"first{player}", player, 2, "perfect_pairs", 1000)
    play.cards("KH", "KD", "KS")
    assert {play.results()[f"first{player}"].pays for player in ("Cyd", "Dot", "Gus")} == {5000}  # mixed, 5 to 1
    play.press("settled")
    for player, box in (("Ann", 1), ("Bob", 2), ("Eve", 2)):
        if box in boxes:
            play.lay(f"w{player}", player, box, "war", 1000)
    return play


def pairs(play: Play, box: int, *players: str) -> None:
    for player in players:
        play.lay(f"pair{player}", player, box, "perfect_pairs", 1000)


@clause(PERTH, "4.11", "3.3", "3.14(b)", "3.16", "6.1")
def test_who_went_to_war_takes_the_place_of_the_last_who_did_not_on_that_box_and_the_pair_is_paid() -> None:
    play = pairs_at_war(1, 2)
    pairs(play, 1, "Hal", "Ida", "Joe")
    pairs(play, 2, "Cyd", "Dot", "Eve", "Fay")
    assert refusal(play) == ("area_full", ("3.3",))
    pairs(play, 2, "Bob")
    assert (refusal(play), play.refusals()[-1].what) == (("priority", ("4.11",)), "stake pairDot")
    staying = ("Hal", "Ida", "Joe", "Cyd", "Eve", "Bob")
    assert live(play, *(f"pair{player}" for player in staying)) == [True] * 6
    assert live(play, "pairDot", "pairFay", "firstGus") == [False, False, True]
    play.cards("2C", "3C", "4C", "8H", "9H", "9D")
    results = play.results()
    assert {results[f"pair{player}"].pays for player in ("Cyd", "Eve", "Bob")} == {12_000}  # coloured, 12 to 1
    assert {results[f"pair{player}"].stake_taken for player in ("Hal", "Ida", "Joe")} == {1000}
    assert (results["pairDot"].stake_returned, results["pairDot"].clauses) == (1000, ("4.11",))
    assert results["firstGus"].pays == 5000


@clause(PERTH, "4.11", "3.3")
def test_nobody_who_went_to_war_makes_room_and_nobody_does_while_there_is_room() -> None:
    play = pairs_at_war(2)
    pairs(play, 2, "Cyd", "Bob")
    assert live(play, "pairCyd", "pairBob") == [True, True]
    full = pairs_at_war(2)
    for wager in ("e1", "e2", "e3"):
        full.lay(wager, "Eve", 2, "perfect_pairs", 1000)
    pairs(full, 2, "Bob")
    assert refusal(full) == ("area_full", ("3.3",))
    assert live(full, "e1", "e2", "e3", "pairBob") == [True, True, True, False]


@clause(PERTH, "3.14(b)", "4.11", "6.6(b)")
def test_perfect_pairs_at_war_need_a_war_stake_that_stands_and_a_player_who_is_not_barred() -> None:
    play = pairs_at_war(2)
    play.lay("wAnn", "Ann", 1, "war", 900)
    pairs(play, 1, "Cyd")
    assert codes(play)[-2:] == ["war_stake_differs", "no_war_here"]
    assert [stake.status for stake in play.game.state.round.stakes if stake.id == "pairCyd"] == ["refused"]
    play.press("bar_player", player="Dot")
    pairs(play, 2, "Dot")
    assert (refusal(play), live(play, "pairDot")) == (("barred", ("6.6(b)",)), [False])


@clause(PERTH, "3.2", "6.1")
@pytest.mark.parametrize("zone", ["main", "tie", "a_bomb"])
def test_while_war_is_chosen_only_war_stakes_and_perfect_pairs_may_come(zone: str) -> None:
    play = pairs_at_war(2)
    play.lay("late", "Cyd", 2, zone, 1000)
    assert (refusal(play), live(play, "late")) == (("late", ("3.2",)), [False])
    assert (play.results()["late"].stake_returned, play.results()["late"].clauses) == (1000, ("3.2",))


@clause(PERTH, "5.7(c)", "5.7 [closing words]", "3.14(b)", "3.16")
def test_perfect_pairs_at_war_over_the_maximum_are_settled_at_it_and_the_player_is_told() -> None:
    play = pairs_at_war(2)
    before = len(announced(play, "advise_limits"))
    play.lay("p", "Cyd", 2, "perfect_pairs", 60_000)
    named = ("5.7(c)", "5.7 [closing words]")
    assert announced(play, "advise_limits")[before:] == [("Tell Cyd the table's limits.", named)]
    play.answer("choice:1:Ann", "surrender")
    play.cards("2C", "3C", "4C", "9H", "8D")
    result = play.results()["p"]
    assert (result.result, result.stake_taken, result.stake_returned) == ("lose", 50_000, 10_000)
    assert result.clauses[-2:] == named


# -- limits -----------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "6.2.2")
@clause(PERTH, "5.7(c)", "5.7 [closing words]")
@clause(STAR, "6.3", "11.18.2", "1.1 [round of play]")
@HOUSES
def test_a_stake_over_the_maximum_wins_the_maximum_by_the_clause_that_says_so(house: str) -> None:
    play = opened(house)
    play.lay("a", "Ann", 1, "main", 60_000)
    play.press("no_more_bets")
    play.cards("KH", "5D")
    result = play.results()["a"]
    assert (result.pays, result.stake_returned) == (50_000, 60_000)
    named = {MELBOURNE: ("6.2.2",), PERTH: ("5.7(c)", "5.7 [closing words]"), STAR: ("6.3", "11.18.2")}[house]
    assert result.clauses[-len(named) :] == named


@clause(STAR, "6.5.1.3", "6.5.4", "6.2")
@pytest.mark.parametrize(("reading", "told"), [("all", []), ("marked", ["box 4"])])
def test_a_kept_minimum_holds_on_every_box_of_the_player_or_only_where_the_marker_lies(
    reading: str, told: list[str]
) -> None:
    play = opened(STAR, Limits(1000, 50_000, 0, 250), readings={"limits.kept_minimum_boxes": reading})
    for box, player in ((1, "Bob"), (2, "Ann"), (4, "Ann")):
        play.press("player_card", box=box, player=player)
    play.press("keep_minimum", rank=2, least=2500, players=["Ann", "Bob"])
    play.press("player_card", box=5, player="Gus")
    for box, player in ((1, "Bob"), (2, "Ann"), (4, "Ann")):
        play.lay(f"m{box}", player, box, "main", 1000)
    short = [text for text, _ in announced(play, "limits")]
    assert short == [f"Ann's $10 on {box} does not fit the limits." for box in told]
    play.lay("m5", "Gus", 5, "main", 1000)
    assert announced(play, "limits")[-1] == ("Gus's $10 on box 5 does not fit the limits.", ("6.2", "11.18.1"))


@clause(STAR, "5.6")
def test_at_one_stake_a_zone_nobody_comes_first() -> None:
    play = opened(STAR)
    play.lay("b", "Bob", 1, "main", 1000)
    play.press("sit", box=1, player="Ann")
    play.lay("a", "Ann", 1, "main", 1000)
    assert (refusal(play), live(play, "a", "b")) == (("area_full", ("5.6",)), [False, True])
