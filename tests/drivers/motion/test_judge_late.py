"""Where and when a late hand was at the wheel, told beside the truth of the wheel it was laid on."""

from __future__ import annotations

import re

import pytest

from drivers.motion import Geometry, judge
from lab.wheels.body import Hand
from lab.wheels.evening import calibrated, trace_of
from lab.wheels.population import KINDS, OneWheel

WHERE = re.compile(r"At turn ([\d.]+), compartment (\d+) under the indicator, ([\d.]+) s before it stopped")


@pytest.mark.clause("melbourne-wheel", "7.1.3")
@pytest.mark.parametrize(("kind", "strength"), [("hold", 1.0), ("nudge", 2.0)])
def test_a_late_hand_is_placed_within_a_few_compartments_of_where_it_was(kind: str, strength: float) -> None:
    wheel = OneWheel(next(one for one in KINDS if one.name == "thin plastic"), "late places")
    profile = calibrated(wheel)
    placed = 0
    for _ in range(12):
        hand = wheel.hand(kind, strength)  # type: ignore[arg-type]
        assert isinstance(hand, Hand)
        spun = wheel.spin(hand)
        late = [
            found for found in judge(trace_of(spun), profile, Geometry.measured()).findings if "At turn" in found.text
        ]
        for found in late:
            where = WHERE.match(found.text)
            assert where is not None
            turn, compartment, before = float(where[1]), int(where[2]), float(where[3])
            end = spun.run.forward / 52
            assert end - 12 / 52 <= found.turn <= end + 0.02
            assert turn == pytest.approx(found.turn, abs=0.06)
            truly = spun.sense * (spun.run.start + found.turn * 52) % 52
            apart = abs((compartment + 0.5 - truly + 26) % 52 - 26)
            assert apart <= 1.1
            assert 0 <= before <= spun.run.end
        placed += bool(late)
    assert placed >= 8
