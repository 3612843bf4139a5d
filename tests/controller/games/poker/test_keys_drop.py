"""The commission that is dropped is the one that was seen on the slide."""

from __future__ import annotations

import pytest

from controller.config.tomlread import Cents
from controller.games.poker.config import RakeSection
from tests.controller.games.poker.play import PokerPlay, told
from tests.controller.games.poker.seen import clause, notes, on_the_flop, pressed, ruled

RAKE = told(rake=RakeSection("percentage", 10, Cents(5_000)))


def at_the_drop() -> PokerPlay:
    """$3 of commission is due of a pot of $30 that was pushed."""
    play = on_the_flop(setup=RAKE)
    play.check_down()
    play.show_all()
    play.sweep()
    play.lift(play.game.layout.pot)
    play.settle("push")
    assert (play.phase, play.game.hand.rake) == ("drop", 250)
    return play


@clause("7.2.1(b)")
@pytest.mark.parametrize("seen", [0, 500])
def test_a_commission_that_was_not_seen_on_the_slide_is_not_the_dealers_to_confirm(seen: int) -> None:
    play = at_the_drop()
    if seen:
        play.put(play.game.layout.drop, seen)
    assert play.refused("dropped").code == "drop_differs"
    refusal = play.refused("dropped", confirmed=True)
    assert (refusal.code, refusal.clauses) == ("rank_too_low", ("7.2.1(b)",))
    assert "level 2" in refusal.text
    pressed(play, "dropped", 2, confirmed=True)
    assert ruled(play, "drop").answer == f"${seen // 100} seen of $2.50"
    assert notes(play, "hand_over")[-1].facts["dropped"] == seen
    assert notes(play, "hand_over")[-1].facts["rake"] == 250


@clause("7.2.1(b)")
def test_the_commission_on_the_slide_is_dropped_by_the_dealer_and_on_record_as_it_was_seen() -> None:
    play = at_the_drop()
    play.put(play.game.layout.drop, 250)
    pressed(play, "dropped")
    assert notes(play, "hand_over")[-1].facts["dropped"] == 250
