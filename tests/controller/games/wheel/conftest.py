"""What the tests of Big Wheel share."""

from __future__ import annotations

import pytest

from tests.controller.games.wheel.play import Play, at_bets


@pytest.fixture
def play() -> Play:
    return at_bets()
