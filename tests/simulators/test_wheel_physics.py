"""The simulated wheel: it slows as a real one does, rests between pegs, and answers to hands."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import msgspec
import pytest

from simulators.wheel_physics import (
    COMPARTMENTS,
    Launch,
    Motion,
    Touch,
    TouchKind,
    WheelBody,
    along,
    at_rest,
    launch,
    resume,
)
from simulators.wheel_script import HAIR, SpinScript, perform

BODY = WheelBody()


def spin(speed: float = 1.2, **also: object) -> Motion:
    hand = Launch(speed * COMPARTMENTS)
    return launch(BODY, 3.3, hand, 1, 1.0, **also)  # type: ignore[arg-type]


def jumps(motion: Motion) -> list[float]:
    """Places at which the wheel would have to be in two positions at once."""
    ends = [*[(q[0], q[1]) for q in motion.pieces[1:]], (motion.end, motion.rest)]
    return [y for piece, (t, y) in zip(motion.pieces, ends, strict=True) if abs(along(piece, t)[0] - y) > 1e-6]


@pytest.mark.parametrize("seed", range(20))
def test_the_wheel_never_jumps_and_always_comes_to_rest(seed: int) -> None:
    rng = Random(seed)
    kinds: tuple[TouchKind, ...] = ("brake", "push", "hold", "nudge", "crawl", "rigged")
    for kind in kinds:
        touch = Touch(kind, rng.uniform(0.1, 2.0), at_revolution=rng.uniform(0.8, 4), at_speed=rng.uniform(0, 3))
        hand = Launch(rng.uniform(20, 110), rng.choice((0.0, 5.0)), rng.uniform(10, 30))
        motion = launch(BODY, rng.uniform(0, 52), hand, rng.choice((1, -1)), rng.gauss(1, 0.02), (touch,))
        assert jumps(motion) == []
        assert all(a <= b + 1e-9 for a, b in pairwise(motion.times))
        assert motion.at(motion.end + 1) == (motion.rest, 0.0)
        assert motion.lowest - 1e-9 <= motion.rest <= motion.peak + 1e-9


def test_it_slows_at_the_measured_rate() -> None:
    motion = spin(2.0)
    speeds = {t: motion.at(t)[1] / COMPARTMENTS for t in (3.0, 4.0)}
    middle = sum(speeds.values()) / 2
    assert speeds[3.0] - speeds[4.0] == pytest.approx(0.10 + 0.019 * middle, rel=0.1)


def test_three_turns_need_about_eight_tenths_of_a_turn_a_second() -> None:
    assert spin(0.70).forward < 156 < spin(0.85).forward


def test_a_rebound_is_part_of_ordinary_spins_and_stays_within_one_compartment() -> None:
    rng = Random(1)
    rebounds = [
        launch(BODY, rng.uniform(0, 52), Launch(rng.uniform(45, 80)), 1, rng.gauss(1, 0.02)).reversal
        for _ in range(300)
    ]
    assert sum(rebound > 0.1 for rebound in rebounds) > 50
    assert max(rebounds) < 1.0


def test_a_harder_hand_a_brake_and_a_push_do_what_they_should() -> None:
    plain = spin()
    assert spin(1.4).forward > plain.forward
    assert spin(touches=(Touch("brake", 1.0, 2.0),)).forward < plain.forward
    assert spin(touches=(Touch("rigged", 0.3, 1.0),)).forward < plain.forward
    assert spin(touches=(Touch("push", 0.1, 2.0),)).forward > plain.forward
    assert spin(touches=(Touch("hold", 1.0, 2.0),)).forward == pytest.approx(104 + 1.5, abs=0.2)
    assert spin(touches=(Touch("crawl", 5.0, at_speed=2.0),)).forward > plain.forward + 3


def test_a_touch_leaves_what_was_before_as_it_was() -> None:
    plain = spin()
    touched = resume(BODY, plain, 4.0, Touch("brake", 1.0), 1)
    assert touched.interfered
    assert touched.at(3.9) == plain.at(3.9)
    assert touched.at(6.0)[0] < plain.at(6.0)[0]
    assert jumps(touched) == []


def test_a_nudge_moves_a_wheel_at_rest() -> None:
    moved = resume(BODY, at_rest(7.5), 0.0, Touch("nudge", 2.0), 1)
    assert moved.rest > 7.6
    late = resume(BODY, moved, moved.end + 0.4, Touch("nudge", 2.0), 1)
    assert late.peak > moved.rest + 0.1
    assert jumps(late) == []


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize(
    ("forward", "reversal", "offset"), [(155.0, 0.0, 0.5), (156.2, 0.5, 0.3), (240.0, 0.0, 0.02), (104.0, 1.6, 0.4)]
)
def test_a_spin_made_to_order_goes_as_far_and_rests_as_asked(
    sense: int, forward: float, reversal: float, offset: float
) -> None:
    motion = perform(SpinScript(forward, 9, offset, sense, reversal), BODY)
    assert motion.forward == pytest.approx(forward + HAIR)
    assert motion.reversal == pytest.approx(reversal)
    place = sense * motion.rest % COMPARTMENTS
    assert int(place) == 9
    assert min(place % 1, 1 - place % 1) == pytest.approx(offset)
    assert jumps(motion) == []


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize(
    ("touch", "strength", "at"),
    [("brake", 0.3, 2.0), ("brake", 2.0, 1.2), ("rigged", 0.1, 2.0), ("rigged", 0.5, 1.0), ("push", 0.02, 2.0),
     ("push", 0.3, 1.4), ("push", 0.1, 0.2)],
)  # fmt: skip
def test_a_hand_in_a_spin_made_to_order_is_as_strong_as_one_on_the_wheel(
    touch: TouchKind, strength: float, at: float, sense: int
) -> None:
    script = SpinScript(210, 9, 0.4, sense, touch=touch, at_revolution=at, strength=strength)
    motion = perform(script, BODY)
    begins = next(t for t, y, *_ in motion.pieces if y >= motion.start + at * COMPARTMENTS - 1e-6)
    lasts = {"brake": 1.5, "rigged": 2.0, "push": 0.15}[touch]
    before = perform(msgspec.structs.replace(script, touch=""), BODY)
    untouched = launch(BODY, 0.0, Launch(motion.at(begins)[1]), sense)
    truly = resume(BODY, motion, begins, Touch(touch, strength), sense)
    y, v = motion.at(begins + lasts)
    true_y, true_v = truly.at(begins + lasts)
    left_alone = motion.at(begins)[1] - untouched.at(untouched.release + lasts)[1]
    assert v == pytest.approx(true_v, abs=0.15 * abs(strength * left_alone) + 0.3)
    assert y == pytest.approx(true_y, abs=0.5)
    assert motion.forward == pytest.approx(210 + HAIR)
    assert jumps(motion) == []
    faster = {"brake": True, "rigged": True, "push": False}[touch]
    assert (motion.at(motion.release)[1] > before.at(before.release)[1]) is faster


@pytest.mark.parametrize(("strength", "stops"), [(1.0, 1.5), (0.3, 5.0), (3.0, 0.5)])
def test_a_wheel_held_in_a_spin_made_to_order_stops_within_its_stretch(strength: float, stops: float) -> None:
    motion = perform(SpinScript(210, 9, 0.4, touch="hold", strength=strength), BODY)
    last = motion.pieces[-1]
    assert motion.rest - last[1] == pytest.approx(stops)
    assert last[2] == pytest.approx(42.0)


@pytest.mark.parametrize("strength", [1.0, 2.5])
def test_a_wheel_nudged_in_a_spin_made_to_order_gains_so_many_compartments_a_second(strength: float) -> None:
    motion = perform(SpinScript(210, 9, 0.4, touch="nudge", strength=strength), BODY)
    assert motion.pieces[-2][2] == 0.0
    assert motion.pieces[-1][2] == pytest.approx(strength)


def test_a_wheel_led_in_a_spin_made_to_order_crawls_over_so_many_compartments() -> None:
    motion = perform(SpinScript(210, 9, 0.4, touch="crawl", strength=4.0), BODY)
    assert motion.pieces[-1][1] - motion.pieces[-2][1] == pytest.approx(4.0)
    assert motion.pieces[-2][3] == 0.0
