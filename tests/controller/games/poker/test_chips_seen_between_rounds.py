"""Lines when a betting round begins: what lies there too much is no wager of it, and what is missing is still owed."""

from __future__ import annotations

from controller.core.events import Chip, ChipsMoved
from drivers.card_antennas import BOARD, BURN
from tests.controller.games.poker.play import PokerPlay
from tests.controller.games.poker.seen import (
    after_the_deal,
    alarm,
    alarms,
    before_the_deal,
    clause,
    notes,
    on_the_flop,
    refusals,
    timers,
)


def actions(play: PokerPlay) -> list[tuple[int, str, int]]:
    """Seat, kind and total of every action so far."""
    return [(note.facts["seat"], note.facts["kind"], note.facts["total"]) for note in notes(play, "acted")]


@clause("1.1 'Action'")
def test_chips_laid_before_the_flop_is_turned_up_are_no_part_of_the_bet_after_it() -> None:
    play = on_the_flop()
    play.sweep()
    before = actions(play)
    play.lay(BURN, play.draw())
    play.put(1, 2_000)
    assert [refusal.clauses for refusal in refusals(play)] == [("1.1 'Action'",)]
    play.lay(BOARD, play.draw(), play.draw(), play.draw())
    play.press("turned_up")
    assert (play.phase, alarms(play), timers(play)) == ("bet2", set(), {})
    play.put(1, 1_000)
    assert actions(play) == [*before, (1, "bet", 1_000)]


@clause("1.1 'Action'")
def test_a_blind_that_is_lifted_during_the_deal_is_made_good_before_chips_are_a_call() -> None:
    play = before_the_deal()
    play.lift(1)
    play.deal()
    play.put(3, 1_000)
    play.put(1, 500)
    assert (play.wanted().seats, actions(play)) == ((1,), [(3, "call", 1_000)])
    play.put(1, 500)
    assert actions(play) == [(3, "call", 1_000), (1, "call", 1_000)]
    assert alarms(play) == set()


@clause("1.1 'Action'")
def test_chips_that_have_not_come_to_rest_when_a_round_ends_are_not_waited_for_in_the_next() -> None:
    play = after_the_deal()
    play.press("call")
    play.press("call")
    play.event(ChipsMoved("chips", 3, (Chip(9_000, "cash", 500),)))
    assert "line:3" in timers(play)
    play.press("check")
    play.street()
    assert (play.phase, timers(play), refusals(play)) == ("bet2", {}, [])


@clause("6.12", "13.14")
def test_wagers_that_lie_on_the_lines_when_a_dead_hand_ends_the_round_are_not_ruled_on_again() -> None:
    play = after_the_deal()
    play.put(3, 1_000)
    play.put(1, 500)
    play.press("report", what="exchanged_cards", seat=2)
    play.answer("hand_dead", 3)
    assert (play.phase, timers(play), alarms(play)) == ("flop", {}, set())


@clause("6.12", "1.1 'Action'")
def test_chips_laid_during_a_ruling_are_a_wager_of_the_seat_in_turn_only_and_told_of_the_others() -> None:
    play = after_the_deal()
    play.press("report", what="player_exposed", seat=1)
    for seat, cents in ((3, 1), (1, 500)):
        play.event(ChipsMoved("chips", seat, (Chip(9_000 + seat, "cash", cents),)))
    play.answer("play_on", 1)
    assert timers(play) == {"line:3": play.at + 300}
    assert {code: alarm(play, code)[2] for code in alarms(play)} == {"line:1": ("1.1 'Action'",)}


@clause("1.1 'Pot'")
def test_a_blind_that_is_owed_to_the_line_is_owed_after_the_round_too() -> None:
    play = after_the_deal()
    play.lift(2)
    play.press("call")
    play.press("call")
    assert "line:2" in alarms(play)
    play.press("check")
    assert play.phase == "flop"
    assert alarm(play, "line:2") == ("Seat 2 owes $10 to its line.", "Have the chips put forward.", ("1.1 'Wager'",))
