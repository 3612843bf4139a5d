"""What pages draw of a spin: its speeds, the friction it was held against, how unusual it was, where a hand came."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.games.wheel.face import drawn
from drivers.motion import Geometry, SpinVerdict, judge, simulated_wheel
from drivers.motion.natural import Level
from drivers.wheel import WheelRested
from simulators.wheel_script import SpinScript
from tests.drivers.motion.spins import trace_of

PROFILE = simulated_wheel()


def shown(script: SpinScript, share: float = 1.0) -> dict[str, Any]:
    natural = msgspec.structs.replace(PROFILE.natural, clockwise=Level(share, 0.01))
    verdict: SpinVerdict = judge(trace_of(script), PROFILE, Geometry(), natural)
    event = msgspec.to_builtins(WheelRested("wheel", 7, verdict))
    return drawn({**event, "type": "WheelRested"})


def test_a_natural_spin_is_drawn_with_the_friction_of_late_and_no_hand() -> None:
    found = shown(SpinScript(210, 7, 0.4), share=1.002)
    assert (found["spin"], found["sense"], found["level"]) == (7, "clockwise", [1.002, 0.01])
    assert found["touched"] is None
    assert len(found["speeds"]) > 200
    assert "natural spin" in found["unusual"]


@pytest.mark.clause("melbourne-wheel", "7.1.3")
@pytest.mark.parametrize(("touch", "at"), [("brake", 2.0), ("push", 1.5), ("nudge", 4.0)])
def test_a_touched_spin_is_marked_where_the_hand_came(touch: Any, at: float) -> None:
    found = shown(SpinScript(210, 7, 0.4, touch=touch, at_revolution=at))
    assert found["touched"]["turn"] == pytest.approx(at, abs=0.45)
    assert "turn" in found["touched"]["text"]
    assert "looks like this" in found["unusual"]


def test_what_is_no_spin_is_not_drawn() -> None:
    assert drawn({"type": "WheelStarted"}) == {}
