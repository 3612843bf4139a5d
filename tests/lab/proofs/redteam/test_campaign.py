"""The red team's campaign in short: every attack once, and a report that a second run goes on with."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.core.runtime import Runtime
from drivers.events import DeviceEvent, Mark
from lab.commands.redteam import redteam
from lab.proofs.redteam import secrets
from lab.proofs.redteam.attacks import ATTACKS
from lab.proofs.redteam.campaign import QUICK, Size, campaign, steps
from lab.proofs.redteam.kills import real_runs
from lab.proofs.redteam.strangers import attacked


@pytest.mark.parametrize("attack", sorted(ATTACKS))
def test_a_dealers_key_is_answered_whatever_strangers_do(tmp_path: Path, attack: str) -> None:
    """How fast is for `tablectl redteam` on a quiet machine; refused it must never be."""
    facts = asyncio.run(attacked(tmp_path, attack, 1.0))
    if not facts["connections"]:  # on a busy machine the attackers had not begun
        again = tmp_path / "again"
        again.mkdir()
        facts = asyncio.run(attacked(again, attack, 10.0))
    assert facts["presses"] > 0
    assert facts["refused"] == 0
    assert facts["slowest_ms"] < 5_000
    assert facts["connections"] > 0, "an attack that nobody plays proves nothing"
    assert facts["own_slowest_ms"] <= facts["slowest_ms"]


def test_a_step_that_held_is_not_run_again_and_another_size_is(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    first = list(campaign(report, QUICK, ("secrets-service",)))
    assert [(one.step, one.held) for one in first] == [("secrets-service", True)]
    assert list(campaign(report, QUICK, ("secrets-service",))) == []
    assert [one.step for one in campaign(report, QUICK, ("secrets",))] == ["secrets-terminal"]


def test_kills_are_accumulated_by_a_command_that_goes_on_where_it_stopped(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    first = list(campaign(report, Size(kills=100), ("kills",), go_on=lambda: False))
    assert len(first) == 1
    assert 0 < first[0].facts["kills"] < 100
    last = list(campaign(report, Size(kills=100), ("kills",)))[-1]
    assert last.held
    assert last.over
    assert last.facts["kills"] >= 100
    assert last.facts["runs"] > 1
    assert last.facts["killed"].keys() >= {"commit", "device"}
    assert list(campaign(report, Size(kills=100), ("kills",))) == []
    assert list(campaign(report, Size(kills=1 + last.facts["kills"]), ("kills",)))[-1].over


def test_a_controller_that_acknowledges_too_early_is_found_by_the_kills(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = Runtime.take

    def rash(self: Runtime, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        if durable is not None:
            durable()
        take(self, event, mark, None)

    monkeypatch.setattr(Runtime, "take", rash)
    found = list(campaign(None, Size(kills=200), ("kills",)))[-1]
    assert not found.held
    assert found.facts["problems"]


def test_real_processes_are_killed_and_counted_apart(tmp_path: Path) -> None:
    (found,) = itertools.islice(real_runs(tmp_path, 2, kills=4), 1)
    assert found.problems == []
    assert found.kills == {"process": 4}


def test_every_rewriting_is_found(tmp_path: Path) -> None:
    (found,) = campaign(None, QUICK, ("tampers",))
    assert found.held, found.facts
    assert found.facts["tampers"] >= 39


def test_a_step_that_breaks_is_told_and_the_others_are_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(folder: Path, json: bool) -> None:
        raise IndexError("pop from empty list")

    monkeypatch.setattr(secrets, "planted", broken)
    found = list(campaign(tmp_path / "report.json", QUICK, ("secrets",)))
    assert [(one.step, one.held) for one in found] == [("secrets-service", False), ("secrets-terminal", False)]
    assert all(one.facts["broke"].startswith("IndexError: pop from empty list (") for one in found)


def test_the_command_names_its_steps() -> None:
    told = CliRunner().invoke(redteam, ["--only", "siege"])
    assert told.exit_code == 2
    assert all(name in told.output for name in steps(QUICK))
