"""A wager announced as one and laid in parts: the parts are one wager, by whoever has chips in the round already."""

from __future__ import annotations

import pytest

from controller.config.tomlread import Cents
from tests.controller.games.poker.play import config
from tests.controller.games.poker.seen import after_the_deal, alarms, clause, notes, timers


@clause("6.12")
@pytest.mark.parametrize(("structure", "total"), [("no_limit", 3_000), ("fixed", 2_000)])
def test_the_small_blinds_call_and_what_it_adds_are_one_raise_on_top_of_its_blind(structure: str, total: int) -> None:
    levels = (Cents(1_000),) * 4 if structure == "fixed" else ()
    play = after_the_deal(setup=config(structure=structure, levels=levels))
    play.put(3, 1_000)
    play.put(1, 500)
    play.put(1, total - 1_000)
    assert (play.asked().subject, play.asked().clauses) == ("string_bet", ("6.12",))
    play.answer("one_wager", 1)
    small = play.game.hand.betting.players[0]
    assert (small.seat, small.in_round, small.in_hand, small.stack) == (1, total, total, 100_000 - total)
    acted = [(note.facts["seat"], note.facts["total"]) for note in notes(play, "acted")]
    assert acted == [(3, 1_000), (1, 1_000), (1, total)]
    assert notes(play, "acted")[-1].clauses == ("1.1 'Raise'",)
    assert (play.wanted().seats, play.wanted().options.to_call) == ((2,), total - 1_000)
    assert (alarms(play), timers(play)) == (set(), {})
    play.press("call")
    play.press("call")
    assert play.phase == "flop"
