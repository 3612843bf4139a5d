"""A device that floods is held back, told, and loses nothing."""

from __future__ import annotations

import pytest

from tests.drivers.linked import Joined

# --- devices that are not what they should be -------------------------------------------------


def test_a_device_that_floods_is_held_back_told_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.flood.BURST", 400)
    joined = Joined(baud=None).start()
    for times in range(1, 1001):
        joined.ring(times)
    joined.clock.run_for(1.0)
    assert joined.ears.floods == [True]
    assert 400 <= len(joined.rings()) <= 460
    joined.clock.run_for(5)
    assert len(joined.rings()) <= 400 + 50 * 7
    joined.settle_down(60)
    assert joined.rings() == list(range(1, 1001))
    assert not any(lost for _, lost in joined.ears.ups)
    joined.clock.run_for(30)
    assert joined.ears.floods == [True, False]
