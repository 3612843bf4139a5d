"""A round is recalled with its errors and their corrections."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.journal import row as record
from controller.journal.rounds import Recall
from controller.people import Person
from controller.rules.rulebook import load_rulebook
from firmware_specs.clock import VirtualClock
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable
from tests.controller.core.stand import Stand

PIT = Person("S3", 3)


def test_a_key_taken_back_stands_in_the_record_of_the_round_beside_its_correction() -> None:
    stand = Stand()
    stand.press("place_bets")
    stand.back()
    stand.press("place_bets")
    stand.press("limits", PIT, least=500, most=20_000)
    stand.back(PIT)
    stand.press("limits", PIT, least=500, most=30_000)
    stand.press("cancel_disruption", Person("S4", 4), reason="a fire alarm")
    recall = Recall("wheel")
    recall.follow((row.seq, row.at, record.read(row)) for row in stand.journal())
    (recalled,) = recall.rounds
    told = [(line.what, line.text, line.taken_back) for line in recalled.lines if line.what in ("key", "ruled")]
    assert told == [
        ("key", "place_bets by S1", True),
        ("key", "take_back by S1", False),
        ("ruled", "Taken back: Place your bets", False),
        ("key", "place_bets by S1", False),
        ("key", "limits by S3 (least 500, most 20000)", True),
        ("ruled", "Limits: 500-20000", True),
        ("key", "take_back by S3", False),
        ("ruled", "Taken back: Change the limits", False),
        ("key", "limits by S3 (least 500, most 30000)", False),
        ("ruled", "Limits: 500-30000", False),
        ("key", "cancel_disruption by S4 (reason a fire alarm)", False),
        ("ruled", "Invalidate: round 1 (a fire alarm)", False),
    ]
    assert "  ruled    (taken back) Limits: 500-20000, by S3" in recalled.as_text()
    assert "Limits: 500-20000, by S3 (Area Manager)" in recalled.as_text(
        titles=("Dealer", "Supervisor", "Area Manager")
    )


@pytest.fixture(scope="module")
def shift(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dozen rounds of Casino War from midnight UTC on."""
    clock, path = VirtualClock(), tmp_path_factory.mktemp("rounds") / "t.sqlite"
    table = SimulatedTable(default_config("war"), path, clock, seed=5)
    table.start()
    clock.run_until(lambda: table.shift.rounds >= 12, 3600)
    table.stop()
    return path


def recalled(path: Path, *args: str) -> list[dict[str, Any]]:
    done = CliRunner().invoke(main, ["journal", "rounds", str(path), "--json", *args])
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def moment(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def test_a_round_is_found_by_its_number_and_is_what_the_last_rounds_say_of_it(shift: Path) -> None:
    last = {one["round"]: one for one in recalled(shift, "--last", "30")}
    (third,) = recalled(shift, "--round", "3")
    assert {**third, "true_at": 0, "surveillance_at": 0} == {**last[3], "true_at": 0, "surveillance_at": 0}
    assert third["cards"]
    none = CliRunner().invoke(main, ["journal", "rounds", str(shift), "--round", "999"])
    assert (none.exit_code, "no such round" in none.output) == (1, True)


def test_rounds_of_a_time_are_those_that_were_played_in_it(shift: Path) -> None:
    every = {one["round"]: one for one in recalled(shift, "--last", "30") if one["round"]}
    since, until = moment(every[4]["at"] + 1000), moment(every[6]["at"] + 1000)
    assert [one["round"] for one in recalled(shift, "--from", since, "--to", until)] == [4, 5, 6]
    assert [one["round"] for one in recalled(shift, "--to", moment(every[3]["at"]))][-1:] == [2]


def test_a_round_is_told_with_times_and_the_names_of_staff(shift: Path) -> None:
    text = CliRunner().invoke(main, ["journal", "rounds", str(shift), "--round", "2"]).stdout
    assert re.match(r"Round 2: \S+, 2026-01-01 00:\d\d:\d\d\.\d{3} UTC to 00:", text)
    assert re.search(r"^  00:\d\d:\d\d\.\d{3}  key      ", text, re.MULTILINE)
    assert re.search(r"^  people   S1 Alex, ", text, re.MULTILINE)
    assert "  cards    " in text


@pytest.mark.parametrize(
    ("rulebook", "over"), [("melbourne-wheel", "idle"), ("perth-war", "over"), ("melbourne-poker", "between_hands")]
)
def test_a_round_that_is_over_is_so_told_when_the_power_fails_before_the_next(
    tmp_path: Path, rulebook: str, over: str
) -> None:
    clock, path = VirtualClock(), tmp_path / "t.sqlite"
    config = default_config(load_rulebook(rulebook).game, rulebook=rulebook)
    table = SimulatedTable(config, path, clock, seed=3)
    table.start()
    machine = table.runtime.table.game.machine
    clock.run_until(lambda: table.shift.rounds >= 2 and machine.state == over, 3_600)
    table.stop()
    again = SimulatedTable(config, path, VirtualClock(), seed=4)
    again.people.stand_back(True)
    again.start()
    (last,) = recalled(path, "--last", "1")
    assert last["last"]
    assert last["ended"]
    again.stop()
