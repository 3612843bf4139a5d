"""The course of a spin held against itself: more friction all along is no touch, one part that lost more is."""

from __future__ import annotations

import pytest

from drivers.motion.course import fit
from drivers.motion.energy import Course
from drivers.motion.natural import Level
from tests.controller.games.wheel.play import clause
from tests.drivers.motion.paper import paper_wheel

# -- the course at speed ----------------------------------------------------------------------------------------------


def course(ratios: list[float]) -> Course:
    """Stretches of a spin with these losses, as shares of what is natural; at middling speed."""
    made = Course()
    made.ratios = ratios
    made.leans = [0.0] * len(ratios)
    made.classes = [2] * len(ratios)
    made.usual = [50.0] * len(ratios)
    made.speeds = [30.0] * (len(ratios) + 1)
    made.middles = [6.5 + 13.0 * n for n in range(len(ratios) + 1)]
    made.places = [13.0 * (n + 1) for n in range(len(ratios) + 1)]
    made.times = [0.4 * (n + 1) for n in range(len(ratios) + 1)]
    return made


FRICTION = paper_wheel().clockwise


@clause("7.1.3")
def test_a_spin_is_held_against_itself_so_that_more_friction_all_along_is_no_touch() -> None:
    fitted = fit(course([1.1] * 40), FRICTION, Level())
    assert fitted is not None
    assert fitted.level.share == pytest.approx(1.1, abs=0.002)
    assert fitted.strange == pytest.approx(5.0, abs=0.1)  # a tenth, where spins differ by a fiftieth
    assert all(part is None or abs(part.strays) < 2.5 for part in (fitted.braked, fitted.pushed))
    lately = fit(course([1.1] * 40), FRICTION, Level(1.1))
    assert lately is not None
    assert lately.strange == pytest.approx(0.0, abs=1e-6)


@clause("7.1.3")
@pytest.mark.parametrize(("first", "last"), [(10, 13), (20, 21), (25, 40)])
def test_the_part_that_lost_more_is_found_where_it_is_and_by_how_much(first: int, last: int) -> None:
    ratios = [1.3 if first <= n < last else 1.0 for n in range(40)]
    fitted = fit(course(ratios), FRICTION, Level())
    assert fitted is not None
    assert fitted.braked is not None
    assert (fitted.braked.first, fitted.braked.last) == (first, last)
    assert fitted.braked.share == pytest.approx(0.3, rel=0.1)
    ratios = [0.7 if first <= n < last else 1.0 for n in range(40)]
    fitted = fit(course(ratios), FRICTION, Level())
    assert fitted is not None
    assert fitted.pushed is not None
    assert (fitted.pushed.first, fitted.pushed.last) == (first, last)
    assert fitted.pushed.share == pytest.approx(-0.3, rel=0.1)


@clause("7.1.3")
def test_of_a_spin_with_hardly_a_stretch_nothing_is_said() -> None:
    assert fit(course([1.0, 1.5, 1.0]), FRICTION, Level()) is None
