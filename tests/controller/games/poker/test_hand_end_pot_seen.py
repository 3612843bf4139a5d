"""The pot as the antennas see it at the end of a hand: held against the ledger, and taken for pushed once gone."""

from __future__ import annotations

import msgspec
import pytest

from controller.config.tomlread import Cents
from controller.games.poker.config import PokerSection, RakeSection
from tests.controller.games.poker.play import PokerPlay, config
from tests.controller.games.poker.seen import after_the_deal, alarm, alarms, clause, due, on_the_flop, refusals


def checked_down(in_the_drop: int, missing: int) -> PokerPlay:
    """All three have called $10, and some of it lies on the drop already or is gone before the pot is decided."""
    play = after_the_deal()
    pot, drop = play.game.layout.pot, play.game.layout.drop
    play.check_down()
    play.lift(pot)
    play.put(pot, 3_000 - in_the_drop - missing)
    play.put(drop, in_the_drop)
    play.show_all()
    assert play.phase == "award"
    return play


@clause("1.1 'Pot'")
@pytest.mark.parametrize("in_the_drop", [0, 500])
def test_a_pot_that_holds_exactly_what_the_ledger_says_counts_what_lies_on_the_drop(in_the_drop: int) -> None:
    assert alarms(checked_down(in_the_drop, 0)) == set()
    assert alarm(checked_down(in_the_drop, 1), "pot")[0] == (
        "$29.99 lies in pot and drop; by the ledger it should be $30."
    )


@clause("1.1 'Round of Play'")
def test_a_pot_is_not_pushed_while_chips_of_it_lie_there_or_before_it_is_decided() -> None:
    lying = checked_down(0, 0)
    due(lying, "push")
    assert (lying.phase, refusals(lying)) == ("award", [])
    undecided = on_the_flop()
    for seat in (1, 2, 3):
        undecided.lift(seat)
    due(undecided, "push")
    assert (undecided.phase, refusals(undecided)) == ("flop", [])


@clause("1.1 'Round of Play'")
def test_a_pot_that_was_short_is_told_no_longer_once_it_is_pushed() -> None:
    setup = config()
    poker = msgspec.structs.replace(setup.own(PokerSection), rake=RakeSection("percentage", 10, Cents(1_000)))
    play = after_the_deal(setup=msgspec.structs.replace(setup, play=poker), deck=("As", "2c", "3d", "Ah", "7c", "8d"))
    play.check_down()
    play.lift(play.game.layout.pot)
    play.put(play.game.layout.pot, 2_500)
    play.show_all()
    assert alarms(play) == {"pot"}
    play.lift(play.game.layout.pot)
    play.settle("push")
    assert (play.phase, alarms(play)) == ("drop", set())
