"""Hands out of the journal, for disputes: cards that lay open, what each seat did, and what each was awarded."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from controller.commands import main
from firmware_specs.clock import VirtualClock
from lab.sim.table import SimulatedTable
from simulators.people.poker_habits import HONEST
from tests.controller.games.poker.shift import spread


def test_a_hand_is_recalled_with_its_cards_bets_and_awards_and_unseen_cards_stay_sealed(tmp_path: Path) -> None:
    path, clock = tmp_path / "table.sqlite", VirtualClock()
    table = SimulatedTable(spread("holdem"), path, clock, 7, habits=HONEST)
    table.start()
    clock.run_until(lambda: table.shift.rounds >= 6, 6_000.0)
    table.stop()
    found = CliRunner().invoke(main, ["journal", "rounds", str(path), "--last", "6", "--json"]).output
    hands = [json.loads(line) for line in found.splitlines()]
    shown = [hand for hand in hands if hand["outcome"] == "showdown"]
    assert shown
    for hand in shown:
        board = [card["card"] for card in hand["cards"] if card["to"] == "board"]
        tabled = {card["to"] for card in hand["cards"]} - {"board"}
        assert len(board) == 5
        assert {line["text"].split()[1] for line in hand["lines"] if line["what"] == "award"} <= {
            place.split()[1] for place in tabled
        }
        assert len(hand["cards"]) == 5 + 2 * len(tabled)  # nothing but what lay open
        assert any(line["what"] == "bet" for line in hand["lines"])
    text = CliRunner().invoke(main, ["journal", "rounds", str(path), "--last", "6"]).output
    assert " gets $" in text
    assert " board" in text
