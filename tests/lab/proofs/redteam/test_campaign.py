"""The red team's campaign in short: every attack once, and a report that a second run goes on with."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner

from lab.commands.redteam import redteam
from lab.proofs.redteam.campaign import campaign, steps
from lab.proofs.redteam.strangers import ATTACKS, attacked


@pytest.mark.parametrize("attack", sorted(ATTACKS))
def test_a_dealers_key_is_answered_whatever_strangers_do(tmp_path: Path, attack: str) -> None:
    """How fast is for `tablectl redteam` on a quiet machine; refused it must never be."""
    facts = asyncio.run(attacked(tmp_path, attack, 1.0))
    assert facts["presses"] > 0
    assert facts["refused"] == 0
    assert facts["slowest_ms"] < 5_000


def test_a_report_is_gone_on_with_and_a_step_that_held_is_not_run_again(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    first = list(campaign(report, 0.5, ("secrets-service",)))
    assert [(one.step, one.held) for one in first] == [("secrets-service", True)]
    assert list(campaign(report, 0.5, ("secrets-service",))) == []
    assert [one.step for one in campaign(report, 0.5, ("secrets-service", "secrets-terminal"))] == ["secrets-terminal"]
    assert [one.step for one in campaign(report, 0.6, ("secrets-service",))] == ["secrets-service"]


def test_the_command_names_its_steps() -> None:
    told = CliRunner().invoke(redteam, ["--only", "siege"])
    assert told.exit_code == 2
    assert all(name in told.output for name in steps(1.0))
