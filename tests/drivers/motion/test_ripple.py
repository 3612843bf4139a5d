"""A wheel whose losses go up and down with the speed: the curve is learnt where it is, followed slowly, and bounded."""

from __future__ import annotations

from math import exp, log
from random import Random

import msgspec
import pytest

from drivers.motion import Geometry, Trace, WheelProfile, follow, judge
from drivers.motion.energy import natural_losses
from drivers.motion.profile import Friction
from drivers.motion.ripple import FASTEST, FURTHEST, SLOWEST, STEPS, Bit, Ripple, followed, learnt_ripple, rippled
from lab.wheels.body import Hand
from lab.wheels.evening import calibrated, trace_of
from lab.wheels.population import KINDS, OneWheel
from tests.drivers.motion.paper import paper_wheel

BY_NAME = {kind.name: kind for kind in KINDS}
SPEEDS = tuple(SLOWEST * (FASTEST / SLOWEST) ** (n / (STEPS - 1)) for n in range(STEPS))
EVEN: Ripple = (0.0,) * STEPS


def rings(speed: float) -> float:
    """What a blade takes more round forty compartments a second."""
    return 0.15 * exp(-(((speed - 40) / 3) ** 2))


def spins(rng: Random, rings_at: bool, noise: float = 0.01) -> list[list[Bit]]:
    """Thirty clean spins, cut into stretches each a twentieth slower than the one before."""
    found = []
    for _ in range(30):
        speed, bits = rng.uniform(60, 100), []
        while speed * 0.95 > SLOWEST:
            beyond = (rings(speed) + rings(0.95 * speed)) / 2 if rings_at else 0.0
            bits.append(Bit(speed, 0.95 * speed, beyond + rng.gauss(0.0, noise), noise**-2))
            speed *= 0.95
        found.append(bits)
    return found


def test_a_blade_that_rings_is_learnt_at_its_speed_and_nowhere_else() -> None:
    curve = learnt_ripple(spins(Random(1), True))
    for speed, share in zip(SPEEDS, curve, strict=True):
        if 8 < speed < 90:
            assert share == pytest.approx(rings(speed), abs=0.03)


def test_of_a_wheel_that_loses_as_its_law_says_no_curve_is_believed() -> None:
    assert [learnt_ripple(spins(Random(seed), False)) for seed in range(8)] == [()] * 8
    assert learnt_ripple(spins(Random(1), False), EVEN) == EVEN
    assert learnt_ripple([]) == ()


def test_the_curve_stands_in_the_table_of_losses_and_a_profile_without_it_is_read_as_before() -> None:
    table = (4.0,) * 521
    curve = tuple(0.5 if abs(log(speed / 40)) < 0.05 else 0.0 for speed in SPEEDS)
    found = rippled(table, curve, 4)
    assert max(found) == found[max(range(521), key=found.__getitem__)] > 5.5
    assert abs(max(range(521), key=found.__getitem__) / 4 - 40) < 2
    assert (found[16], found[100], found[520]) == (4.0, 4.0, 4.0)
    before = paper_wheel().clockwise
    assert before.ripple == ()
    assert set(natural_losses(before)) == {4.0}


def test_the_curve_is_followed_by_small_steps_and_only_so_far() -> None:
    once = followed(EVEN, EVEN, [Bit(40.0, 39.0, 5.0, 0.01**-2)])
    assert 0 < max(once) < 0.001
    curve = EVEN
    for _ in range(3000):
        curve = followed(curve, EVEN, [Bit(40.0, 39.0, 0.5, 0.1**-2)])
    assert max(curve) == FURTHEST
    assert sum(share != 0 for share in curve) <= 3


# -- a whole wheel ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bumpy() -> tuple[OneWheel, WheelProfile]:
    wheel = OneWheel(BY_NAME["bumpy"], "dev 0")
    return wheel, calibrated(wheel)


def plain(friction: Friction) -> Friction:
    return msgspec.structs.replace(friction, ripple=())


@pytest.mark.clause("melbourne-wheel", "7.1.3")
def test_weak_hands_are_noticed_on_a_bumpy_wheel_and_its_own_ups_and_downs_are_nobodys(
    bumpy: tuple[OneWheel, WheelProfile],
) -> None:
    wheel, profile = bumpy
    geometry, natural = Geometry(), profile.natural
    noticed = alarms = 0
    for n in range(60):
        hand = None if n % 2 else Hand(("push", "rigged")[n // 2 % 2], (0.02, 0.1)[n // 2 % 2], at_turn=2.0)
        verdict, after = follow(trace_of(wheel.spin(hand)), profile, geometry, natural)
        noticed += hand is not None and "interference" in verdict.reasons
        alarms += hand is None and bool({"interference", "malfunction"} & set(verdict.reasons))
        if hand is None:
            natural = after
    assert noticed >= 27
    assert alarms <= 1
    assert natural.ripples[0] != profile.clockwise.ripple  # it was followed
    assert max(abs(a - b) for a, b in zip(natural.ripples[0], profile.clockwise.ripple, strict=True)) < 0.05
    assert len(msgspec.json.encode(verdict)) < 8000
    assert judge(Trace.decode(verdict.trace), profile, geometry, verdict.against) == verdict


def test_a_profile_from_before_the_curve_judges_by_its_law_alone(bumpy: tuple[OneWheel, WheelProfile]) -> None:
    wheel, profile = bumpy
    older = msgspec.json.decode(profile.encode())
    for sense in ("clockwise", "anticlockwise"):
        assert len(older[sense].pop("ripple")) == STEPS
    older["natural"] = older["natural"][:8]
    read = WheelProfile.decode(msgspec.json.encode(older))
    assert (read.clockwise, read.natural.ripples) == (plain(profile.clockwise), ())
    verdict, after = follow(trace_of(wheel.spin()), read, Geometry(), read.natural)
    assert after.ripples == ()
    assert verdict.compartment is not None or verdict.clear == "not_clear"


@pytest.mark.parametrize("curve", [(0.1,) * 3, (-1.0,) * STEPS])
def test_a_profile_whose_curve_was_cut_short_or_leaves_no_loss_is_refused(
    bumpy: tuple[OneWheel, WheelProfile], curve: Ripple
) -> None:
    _, profile = bumpy
    broken = msgspec.structs.replace(profile, clockwise=msgspec.structs.replace(profile.clockwise, ripple=curve))
    with pytest.raises(msgspec.ValidationError, match="up and down"):
        WheelProfile.decode(broken.encode())
