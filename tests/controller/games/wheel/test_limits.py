"""Wagers outside the limits are told while they can still be put right, and not while hands are at work."""

from __future__ import annotations

import pytest

from tests.controller.games.wheel.play import Play, at_bets, clause, money


def told(play: Play) -> dict[str, str]:
    return {code: alarm.text for code, alarm in play.table.state.desk.alarms.items()}


@clause("4.2.2")
def test_a_thousand_above_the_maximum_is_told_as_it_is_laid(play: Play) -> None:
    play.bet("Ann", "D", 100)
    assert told(play) == {}
    play.bet("Ann", "D", 1000)
    assert told(play) == {"over_maximum:Ann/D": "Ann has $1,100 on D, $1,000 above the maximum of $100."}
    play.spin_to("D")
    assert (play.state, told(play)) == ("result", {})
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (1100, 0, 1100)


@clause("4.2.2")
def test_chips_of_nobody_above_the_maximum_are_told_and_no_longer_once_their_owners_are_known(play: Play) -> None:
    first = play.bet("", "D", 100)
    play.bet("", "D", 50)
    assert told(play) == {"over_maximum:unassigned/D": "Somebody has $150 on D, $50 above the maximum of $100."}
    play.press("assign", area=play.area("D"), player="Ann", tags=[first])
    assert told(play) == {}


@clause("4.2.1")
def test_two_fifty_under_the_minimum_is_told_once_hands_are_still_or_at_the_close() -> None:
    still, closed = at_bets(), at_bets()
    for play in (still, closed):
        play.bet("Ann", "D", 2.5)
        assert told(play) == {}
    still.time(0.1)
    closed.launch()
    closed.press("no_more_bets")
    words = {"under_minimum:Ann/D": "Ann has $2.50 on D, which is under the minimum of $5."}
    assert told(still) == told(closed) == words
    closed.rest("D")
    assert (closed.state, told(closed)) == ("result", {})


@clause("4.2.1")
def test_a_stake_that_grows_chip_by_chip_is_never_called_small(play: Play) -> None:
    play.bet("Ann", "D", 2)
    play.bet("Ann", "D", 2)
    play.bet("Ann", "D", 2)
    play.time(1)
    assert told(play) == {}


@clause("4.2.1")
def test_a_second_small_wager_is_told_to_go_back_whatever_the_result(play: Play) -> None:
    play.bet("Ann", "D", 2.5)
    play.result("A")
    play.settle_up()
    play.press("place_bets")
    play.bet("Ann", "D", 2.5)
    play.time(0.1)
    (alarm,) = play.table.state.desk.alarms.values()
    assert alarm.remedy.endswith("This player was told before: it goes back whatever the result.")
    assert play.result("D")["Ann/D"].result == "returned"


@clause("4.2.2", "4.3")
@pytest.mark.parametrize(("most", "over"), [(50_000, False), (10_000, True)])
def test_a_players_own_limits_are_what_counts(play: Play, most: int, over: bool) -> None:
    play.press("personal_limit", rank=3, player="Ann", least=500, most=most)
    play.press("marker", player="Ann", laid=True)
    play.bet("Ann", "D", 300)
    assert bool(told(play)) == over


@clause("4.2.2", "3.2")
@pytest.mark.parametrize("closed_by", ["no_more_bets", "rest"])
def test_a_maximum_lowered_after_the_close_is_for_the_next_wagers(play: Play, closed_by: str) -> None:
    play.bet("Ann", "D", 10)
    play.launch()
    if closed_by == "no_more_bets":
        play.press("no_more_bets")
        play.press("limits", rank=3, least=500, most=500)
        assert told(play) == {}
        play.rest("D")
    else:  # betting is closed by the wheel that rests; somebody rules that the spin counts
        play.rest("D")
        play.press("limits", rank=3, least=500, most=500)
        play.answer("settle", rank=4)
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (110, 0, 10)
    play.settle_up()
    play.press("place_bets")
    play.bet("Ann", "D", 10)
    assert told(play) == {"over_maximum:Ann/D": "Ann has $10 on D, $5 above the maximum of $5."}


@clause("4.2.2", "7.2")
def test_bets_that_are_offered_again_are_measured_anew(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.launch()
    play.press("no_more_bets")
    play.press("limits", rank=3, least=500, most=500)
    play.press("no_spin", reason="interference", rank=4)
    assert play.state == "betting_open"
    assert money(play.result("D")["Ann/D"]) == (55, 0, 10)


@clause("4.2.2", "4.3")
def test_limits_agreed_with_a_player_after_the_close_are_for_the_next_wagers(play: Play) -> None:
    play.bet("Ann", "D", 300)
    play.launch()
    play.press("no_more_bets")
    play.press("personal_limit", rank=3, player="Ann", least=500, most=50_000)
    play.press("marker", player="Ann", laid=True)
    assert list(told(play)) == ["over_maximum:Ann/D"]
    play.rest("D")
    play.press("acknowledge")
    assert money(play.results["Ann/D"]) == (1100, 0, 300)


@clause("4.2.2", "3.2")
def test_winnings_left_lying_are_told_only_once_they_stay(play: Play) -> None:
    play.bet("Ann", "D", 100)
    play.result("D")
    play.bet("Ann", "D", 1000)
    play.press("paid", confirmed=True)
    play.press("place_bets")
    assert told(play) == {}
    play.time(0.1)
    assert list(told(play)) == ["over_maximum:Ann/D"]
