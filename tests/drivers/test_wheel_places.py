"""What stays at one place of a wheel, spin after spin, is told of the wheel over the link, and of nobody's hand."""

from __future__ import annotations

import msgspec
import pytest

from drivers.events import DeviceTrouble, DeviceTroubleOver
from drivers.wheel import WheelRested
from lab.wheels.evening import calibrated
from lab.wheels.population import KINDS, OneWheel
from tests.drivers.wheel_bench import Bench

BY_NAME = {kind.name: kind for kind in KINDS}


def on_its_stand(kind: str, seed: str) -> tuple[OneWheel, Bench]:
    wheel = OneWheel(BY_NAME[kind], seed)
    return wheel, Bench(msgspec.structs.replace(calibrated(wheel), serial=""))


def spun(wheel: OneWheel, bench: Bench, spins: int) -> list[WheelRested]:
    told = []
    for _ in range(spins):
        started, turns, rested = wheel.spin().told
        told.append(bench.tell([started, *turns, rested]))
    return told


def troubles(bench: Bench, code: str) -> list[DeviceTrouble]:
    return [one for one in bench.journal.of(DeviceTrouble) if isinstance(one, DeviceTrouble) and one.code == code]


@pytest.mark.parametrize(("peg", "more", "words"), [(17, 0.5, "more"), (40, -0.6, "less")], ids=["magnet", "worn peg"])
def test_a_magnet_or_a_worn_peg_is_attributed_to_its_place_and_nobody_is_accused_for_long(
    peg: int, more: float, words: str
) -> None:
    wheel, bench = on_its_stand("heavy air", f"place {peg}")
    spun(wheel, bench, 10)
    assert troubles(bench, "uneven_place") == []
    wheel.pegs[peg] += more
    spun(wheel, bench, 60)
    (trouble,) = troubles(bench, "uneven_place")
    assert f"At divider {peg} (between compartments {peg - 1} and {peg})" in trouble.text
    assert f"% {words} than at calibration" in trouble.text
    assert "peg" in trouble.remedy
    accused = [one for one in spun(wheel, bench, 40) if "interference" in one.verdict.reasons]
    assert len(accused) <= 1
    wheel.pegs[peg] -= more
    spun(wheel, bench, 80)
    assert [over.code for over in bench.journal.of(DeviceTroubleOver) if isinstance(over, DeviceTroubleOver)] == [
        "uneven_place"
    ]


def test_one_hand_at_one_place_does_not_make_that_place_suspect() -> None:
    wheel, bench = on_its_stand("heavy air", "hands")
    for n in range(30):
        hand = wheel.hand("brake", 1.0) if n % 3 == 0 else None
        started, turns, rested = wheel.spin(hand).told
        told = bench.tell([started, *turns, rested])
        assert ("interference" in told.verdict.reasons) is (hand is not None), (n, told.verdict.findings)
    assert troubles(bench, "uneven_place") == []


def test_friction_that_leaves_its_calibration_too_far_is_told_to_whoever_looks_after_the_wheel() -> None:
    wheel, bench = on_its_stand("heavy air", "drifts away")
    for n in range(150):
        share = 1 + 0.5 * n / 150
        wheel.friction = (share, share)
        spun(wheel, bench, 1)
    (trouble,) = troubles(bench, "friction_drifted")
    assert "+4" in trouble.text
    assert "calibrate again" in trouble.remedy
    health = bench.driver.health()
    assert health.counters["friction_clockwise"] == pytest.approx(148, abs=5)
