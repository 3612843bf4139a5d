"""Speed of a spin from nowhere."""

from __future__ import annotations

import pytest

from drivers.motion import Trace
from drivers.motion.energy import ending_of
from drivers.motion.trace import PITCH
from tests.controller.games.wheel.play import clause
from tests.drivers.motion.paper import paper_trace

# -- the final approach -----------------------------------------------------------------------------------------------


def approach(*counts: int, before: int) -> Trace:
    """Samples of counts from this place on; the wheel rests where they end."""
    rest = before + sum(counts)
    return paper_trace(approach=counts, rest=rest, peak=max(rest, before))


@clause("7.1.3")
def test_speed_from_nowhere_is_a_gain_only_before_the_wheel_first_turns_back() -> None:
    samples = (*(10,) * 8, *(30,) * 8)
    gain = (90 - 30) / (PITCH * 0.06)
    seen = ending_of(approach(*samples, before=1000), 0)
    assert (seen.gain, seen.reverse, seen.swing) == (pytest.approx(gain), 0.0, 0.0)
    assert seen.gain_at == 1000 + 80 + 90
    assert ending_of(approach(*samples, before=1000), 5000).gain == 0.0
    back = ending_of(approach(10, 0, -8, -8, -8, 0, 4, 4, 4, 0, before=1000), 0)
    assert back.gain == 0.0
    assert back.reverse == pytest.approx(24 / (PITCH * 0.06))
    assert back.swing == pytest.approx(12 / (PITCH * 0.06))
