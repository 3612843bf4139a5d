"""`tablectl wheel`: calibration into a profile."""

from __future__ import annotations

import json
from pathlib import Path

from tests.standing import tablectl


def test_the_simulated_wheel_is_calibrated_into_a_profile(tmp_path: Path) -> None:
    output = tmp_path / "wheel.json"
    result = tablectl("wheel", "calibrate-simulated", "--output", output)
    assert result.exit_code == 0, result.output
    assert json.loads(output.read_text())["learnt"]


def test_a_journal_of_a_game_without_a_wheel_is_refused(tmp_path: Path) -> None:
    journal = tmp_path / "war.sqlite"
    tablectl("sim", "--game", "war", "--rounds", "1", "--speed", "max", "--journal", journal)
    for words in ("spins", "fairness"):
        told = tablectl("wheel", words, journal)
        assert told.exit_code == 2
        assert f"{journal}: a journal of Casino War, where no wheel turns" in told.output
