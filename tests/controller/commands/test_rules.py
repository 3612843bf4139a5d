"""`tablectl rules` as whoever asks at the table sees it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from controller.commands import main


@pytest.mark.clause("melbourne-wheel", "9.13")
def test_the_rules_of_the_wheel_can_be_shown_to_whoever_asks_with_their_version() -> None:
    told = CliRunner().invoke(main, ["rules", "show", "melbourne-wheel"])
    assert told.exit_code == 0
    assert "Big Wheel, Crown Melbourne" in told.output
    assert "version 4.0" in told.output
    assert "\n  9.13 " in told.output
