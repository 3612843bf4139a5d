"""Rounds of Casino War with mishaps and rulings, written down at the bench, come out the same when played again."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

import pytest

from firmware_specs.clock import VirtualClock
from lab.scenarios.file import case_of
from lab.scenarios.play import play_case
from lab.scenarios.war.levers import WarLevers
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable
from simulators.card_reader import MishapRates
from simulators.people.war import Habits

Source = Literal["shoe", "shuffler"]
CLUMSY = Habits(late_bet=0.1, under_minimum=0.1, surplus=0.15, silent=0.1, tie=0.3, side=0.3, surrender=0.4)
POOR_READER = MishapRates(unreadable=0.01, half=0.01, two=0.01)
ROUNDS = 12


def played(book: str, source: Source, folder: Path) -> list[dict[str, Any]]:
    """What the bench has of a shift with people and a reader that often go wrong."""
    clock = VirtualClock()
    config = default_config("war", rulebook=book, source=source)
    table = SimulatedTable(config, folder / "table.sqlite", clock, 3, alone=True, habits=CLUMSY)
    table.devices.sources[source].reader.suffer(POOR_READER)
    levers = WarLevers(table)
    table.start()
    clock.run_until(lambda: len(levers.scenario()["cases"]) >= ROUNDS, 10_000)
    table.stop()
    cases: list[dict[str, Any]] = json.loads(json.dumps(levers.scenario()["cases"]), parse_float=Decimal)
    return cases


@pytest.mark.parametrize(
    ("book", "source"), [("melbourne-war", "shoe"), ("perth-war", "shuffler"), ("star-war", "shoe")]
)
def test_rounds_with_rulings_play_again_as_they_went(book: str, source: Source, tmp_path: Path) -> None:
    cases = played(book, source, tmp_path)
    told_in_steps = [case for case in cases if "steps" in case]
    assert any(step["do"] == "answer" for case in told_in_steps for step in case["steps"][4:])
    wrong = {case["id"]: errors for case in cases if (errors := play_case(case_of("bench", 0, case)).errors)}
    assert wrong == {}


def test_a_round_written_down_is_not_met_by_another_ruling(tmp_path: Path) -> None:
    for case in played("melbourne-war", "shoe", tmp_path):
        for step in case.get("steps", []):
            if step["do"] == "answer" and step["answer"] == "surrender":
                step["answer"] = "wait" if step["subject"].startswith("silent") else "decline"
                assert play_case(case_of("bench", 0, case)).errors != []
                return
    pytest.fail("nobody surrendered in any of the rounds")
