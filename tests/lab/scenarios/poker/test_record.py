"""Hands copied from the bench as a scenario: they play again to the same end, rulings included, and tell no secret."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from controller.cards.events import CardsMoved, CardsOpened
from controller.core.runtime import Told
from controller.games.poker.cards import DECK
from firmware_specs.clock import VirtualClock
from lab.scenarios.file import case_of
from lab.scenarios.play import play_case
from lab.scenarios.poker.levers import PokerLevers
from lab.sim.table import SimulatedTable
from tests.controller.games.poker.shift import CLUMSY, spread

HANDS = 12


@pytest.mark.parametrize("game", ["crazy_pineapple", "omaha_hilo"])
def test_clumsy_hands_are_copied_and_play_again_to_the_same_end(game: str, tmp_path: Path) -> None:
    clock = VirtualClock()
    table = SimulatedTable(spread(game, "pot_limit"), tmp_path / "table.sqlite", clock, 5, habits=CLUMSY)
    levers = PokerLevers(table)
    table.start()
    clock.run_until(lambda: table.shift.rounds >= HANDS, HANDS * 900.0)
    table.stop()
    copied = json.loads(json.dumps(levers.scenario()), parse_float=Decimal)["cases"]
    assert len(copied) >= HANDS - 1
    ruled = [ruling for case in copied for ruling in case["expected"].get("rulings", [])]
    assert ruled
    for case in copied[::4]:
        assert play_case(case_of("copied", 0, case)).errors == []
        other = {**case, "expected": {**case["expected"], "stacks": {"1": 1}}}
        assert not play_case(case_of("copied", 0, other)).ok


def test_cards_that_nobody_saw_are_not_copied(tmp_path: Path) -> None:
    clock = VirtualClock()
    table = SimulatedTable(spread("holdem"), tmp_path / "table.sqlite", clock, 8)
    levers = PokerLevers(table)
    opened: set[str] = set()
    dealt = 0

    def watch(told: Told) -> None:
        nonlocal dealt
        if isinstance(told.event, CardsOpened):
            opened.update(face for _, face in told.event.cards)
        elif isinstance(told.event, CardsMoved):
            dealt += sum(0 < card.antenna < 13 for card in told.event.added)

    table.runtime.watchers.append(watch)
    table.start()
    clock.run_until(lambda: bool(levers._cases), 900.0)
    (case,) = levers.scenario()["cases"]
    assert dealt >= 12
    hidden = [face for face in case["deck"] if face not in opened]
    untouched = [face for face in reversed(DECK) if face not in opened]
    # The hidden ones are simply the last cards of a new deck that were not opened, whatever was dealt.
    assert sorted(hidden) == sorted(untouched[: len(hidden)])
