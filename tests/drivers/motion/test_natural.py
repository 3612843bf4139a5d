"""What is natural for a wheel: how rare a sign is, how friction is followed, and what teaches nothing."""

from __future__ import annotations

from math import exp, log, pi, sqrt

import pytest

from drivers.motion.natural import FOLLOW, FURTHEST, PLAIN, SIGNS, STRANGE, Level, Tail, one_in
from drivers.motion.signs import UNSEEN
from tests.controller.games.wheel.play import clause
from tests.drivers.motion.paper import TAME

# -- how unusual is unusual -------------------------------------------------------------------------------------------


@clause("7.1.3")
@pytest.mark.parametrize("rarity", [0.5, 0.01, 0.001, 1e-6])
def test_a_sign_that_large_is_met_on_just_that_share_of_natural_spins(rarity: float) -> None:
    tail = Tail(2.5, 0.6)
    assert tail.rarity(tail.at(rarity)) == pytest.approx(rarity)


@clause("7.1.3")
def test_the_largest_of_many_follows_gumbels_law() -> None:
    scale = 0.6 * sqrt(6) / pi
    middle = 2.5 - 0.5772156649 * scale
    assert Tail(2.5, 0.6).rarity(middle) == pytest.approx(1 - exp(-1))
    assert Tail(2.5, 0.6).at(0.001) == pytest.approx(middle - scale * log(-log(0.999)))


def test_rarity_is_said_as_people_say_it() -> None:
    assert one_in(1.0) == "natural spins look like this"
    assert one_in(1 / 40123) == "about one natural spin in 40,000 looks like this"
    assert one_in(0.0) == "less than one natural spin in a billion looks like this"


# -- the wheel followed over an evening -------------------------------------------------------------------------------

QUIET = (1.0,) * len(SIGNS)


def test_friction_is_followed_from_natural_spins_in_its_own_sense_and_half_as_fast_in_the_other() -> None:
    after = TAME.after(1, Level(1.1, 0.02), QUIET, TAME, 0.001)
    assert after.clockwise == Level(round(1 + FOLLOW * 0.1, 5), round(FOLLOW * 0.02, 5))
    assert after.anticlockwise == Level(round(1 + FOLLOW * 0.05, 5), round(FOLLOW * 0.01, 5))
    assert after.spins == 61


def test_a_touched_spin_teaches_nothing_about_natural_ones() -> None:
    far = TAME.tails[0].at(PLAIN / 100)
    touched = (far, *QUIET[1:])
    assert TAME.after(1, Level(1.3), touched, TAME, 0.001) == TAME


def test_one_spin_of_strange_friction_is_set_aside_and_four_alike_are_the_wheels_own() -> None:
    strange = (1.0, TAME.tails[1].at(1e-9), *QUIET[2:])
    now = TAME
    for n in range(1, STRANGE):
        now = now.after(1, Level(1.2), strange, TAME, 0.001)
        assert (now.strange, now.clockwise) == (n, Level())
    now = now.after(1, Level(1.2), strange, TAME, 0.001)
    assert (now.strange, now.clockwise.share) == (0, 1.2)
    unlike = TAME.after(1, Level(1.2), strange, TAME, 0.001).after(1, Level(0.8), strange, TAME, 0.001)
    assert unlike.strange == 1


def test_friction_is_followed_only_so_far() -> None:
    now = TAME
    for _ in range(200):
        now = now.after(1, Level(2.5), QUIET, TAME, 0.001)
    assert now.clockwise.share == 1 + FURTHEST
    assert now.drifted() == pytest.approx(FURTHEST)


def test_a_sign_that_was_not_seen_changes_no_tail() -> None:
    after = TAME.after(1, Level(), (UNSEEN,) * len(SIGNS), TAME, 0.001)
    assert after.tails == TAME.tails
    assert TAME.rarity((UNSEEN,) * len(SIGNS)) == pytest.approx(1.0)
