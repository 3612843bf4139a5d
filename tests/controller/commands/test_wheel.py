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
