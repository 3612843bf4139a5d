"""The judgement of a spin in words: what people are told of the evidence, sign by sign."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from drivers.motion import Finding, Geometry
from drivers.motion.course import Fitted, Part
from drivers.motion.energy import Course, Ending, speeds_of
from drivers.motion.judge import interference
from drivers.motion.natural import SIGNS, Level, chance_of_each
from drivers.motion.signs import UNSEEN, signs_of
from drivers.motion.trace import RING
from tests.controller.games.wheel.play import clause
from tests.drivers.motion.paper import TAME, paper_trace, paper_wheel

GEOMETRY = Geometry()


def said(sign: str, **seen: Any) -> Finding:
    """What is told of a spin on paper that is odd in one sign only, by twenty units."""
    values = tuple(20.0 if name == sign else UNSEEN for name in SIGNS)
    trace = paper_trace(peak=9000, rest=9000, pitches=(2500,) * 56)
    plain = signs_of(trace, paper_wheel(), Level(), speeds_of(trace), 0, 0.0)
    odd = msgspec.structs.replace(plain, values=values, **seen)
    (told,) = interference(trace, paper_wheel(), GEOMETRY, odd, TAME)
    return told


RARELY = said("gain").text.rpartition("; ")[2].rstrip(".")
"""How seldom a natural spin is so odd."""


def paper_course() -> Course:
    """Four stretches and the end of the last, ever slower."""
    course = Course()
    course.times = [0.0, 0.5, 1.5, 3.0, 5.0]
    course.places = [52.0, 78.0, 104.0, 117.0, 130.0]
    course.speeds = [20.0, 10.0, 8.0, 4.0, 2.0]
    course.usual = [3.0, 4.0, 5.0, 6.0]
    course.ratios = [1.0] * 4
    return course


def strayed(part: Part, weaker: Part | None = None) -> Finding:
    """What is told of a course that strayed in this part, and less in another."""
    braked, pushed = (part, weaker) if part.strays > 0 else (weaker, part)
    return said("course", course=paper_course(), fitted=Fitted(Level(), 0.0, braked, pushed))


@clause("7.1.3")
def test_a_finger_on_the_rim_is_told_with_its_place_its_time_and_what_it_took() -> None:
    told = strayed(Part(3.0, 1, 3, 0.25), Part(-1.0, 0, 1, -0.5))
    assert (told.kind, told.turn, told.measured) == ("brake", 1.5, 20.0)
    assert told.text == (
        "Touched at turn 1.5, 0.5 s into the spin, compartment 26 under the indicator, over 2.5 s and 39 compartments: "
        "it lost 25 % more than friction takes, "
        f"as if a finger had rested on the rim; {RARELY}."
    )
    assert "as if something dragged on it to the end; " in strayed(Part(3.0, 1, 4, 0.25)).text


@clause("7.1.3")
def test_a_push_is_told_with_the_share_of_speed_that_was_kept() -> None:
    told = strayed(Part(-3.0, 1, 3, -0.5), Part(1.0, 0, 1, 0.5))
    assert (told.kind, told.turn) == ("push", 1.5)
    assert strayed(Part(0.0, 1, 3, 0.0)).kind == "push"
    assert told.text == (
        "Touched at turn 1.5, 0.5 s into the spin, compartment 26 under the indicator, over 2.5 s and 39 compartments: "
        "it kept 4.5 % more speed than friction leaves, "
        f"as if pushed; {RARELY}."
    )


@clause("7.1.3")
@pytest.mark.parametrize(
    ("share", "kind", "words"), [(1.25, "brake", "+25 %"), (0.5, "push", "-50 %"), (1.0, "push", "+0 %")]
)
def test_friction_unlike_the_spins_before_is_told_for_the_whole_spin(share: float, kind: str, words: str) -> None:
    told = said("level", level=Level(share))
    assert (told.kind, told.turn) == (kind, 0.0)
    assert told.text == (
        f"The whole spin ran with {words} friction against calibration, unlike the spins before; {RARELY}."
    )


@clause("7.1.3")
@pytest.mark.parametrize(
    ("stop", "kind", "words"),
    [
        ((1.0, 6, 13.0), "late_brake", "sooner than friction would stop it"),
        ((-1.0, 6, 13.0), "late_push", "further than its speed would carry it"),
        ((0.0, 6, 13.0), "late_push", "further than its speed would carry it"),
        ((1.0, 6, 13.1), "hold", "sooner than friction would stop it"),
    ],
)
def test_a_stop_elsewhere_is_told_with_its_distance(stop: tuple[float, int, float], kind: str, words: str) -> None:
    told = said("stop", stop=stop)
    assert (told.kind, told.turn) == (kind, (9000 - 6 * 160) / RING)
    assert told.text == (
        "At turn 1.0, compartment 50 under the indicator, 0.3 s before it stopped, it was set to go elsewhere: "
        f"over its last 6 compartments it went {words}; {RARELY}."
    )


@clause("7.1.3")
@pytest.mark.parametrize(
    ("landing", "kind", "words"),
    [(0.1, "late_brake", "less far"), (-0.1, "nudge", "further"), (0.0, "nudge", "further")],
)
def test_a_landing_its_speed_did_not_allow_is_told(landing: float, kind: str, words: str) -> None:
    told = said("landing", landing=landing)
    assert (told.kind, told.turn) == (kind, (9000 - 4 * 160) / RING)
    assert told.text == (
        "At turn 1.0, compartment 0 under the indicator, 0.2 s before it stopped, and from there over its last pegs, "
        f"it came {words} than its speed allowed; {RARELY}."
    )


@clause("7.1.3")
def test_speed_from_nowhere_and_a_swing_at_rest_are_told_with_what_is_natural() -> None:
    gained = said("gain", ending=Ending(3.0, 4500, 0.0, 0.0))
    assert (gained.kind, gained.turn, gained.measured) == ("nudge", 4500 / RING, 20.0)
    assert gained.text == (
        "At turn 0.5, compartment 28 under the indicator, 1.4 s before it stopped, the wheel had 3.00 "
        f"compartments/s from nowhere, as if nudged; {RARELY}."
    )
    swung = said("swing")
    assert (swung.kind, swung.turn, swung.measured) == ("reversal", 9000 / RING, 20.0)
    natural = f"{TAME.tails[0].at(chance_of_each(GEOMETRY.false_alarms)):.1f}"
    assert swung.text == (
        "At turn 1.1, compartment 4 under the indicator, 0.0 s before it stopped, it swung at 20.0 compartments/s "
        f"where {natural} is natural; {RARELY}."
    )
