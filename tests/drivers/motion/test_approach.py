"""Landings: the energy that carries a wheel so far, and the share of the bent indicator."""

from __future__ import annotations

from math import sqrt

import pytest

from drivers.motion.approach import Landing, landing_residual
from drivers.motion.natural import Level
from drivers.motion.profile import LandingLaw
from tests.controller.games.wheel.play import clause
from tests.drivers.motion.paper import GENTLE


@clause("7.1.3")
@pytest.mark.parametrize(("energy", "strays"), [(0.7, 0.0), (12.5, 11.8), (0.2, -0.5)])
def test_a_landing_needs_the_energy_that_carries_it_so_far(energy: float, strays: float) -> None:
    # Half a compartment beyond the middle of its last gap a wheel needs an energy of 0.7, where one unit is one.
    landing = Landing((energy,), (1.0,), 0.5)
    assert landing_residual(landing, GENTLE, Level()) == pytest.approx(strays)
    assert landing_residual(landing, GENTLE, Level(2.0)) == pytest.approx((energy - 1.4) / sqrt(1.7))


@clause("7.1.3")
def test_the_bent_indicator_takes_its_share_of_a_landing() -> None:
    law = LandingLaw(loss=0.0, spring=100.0, power=2.0, contact=0.2, release=0.1, sigma=1.0)
    bent = Landing((4.0,), (1.0,), 0.5)  # a fifth of a compartment bent: 100 x 0.04
    assert landing_residual(bent, law, Level()) == pytest.approx(0.0)
    let_go = Landing((9.0,), (1.0,), 1.2)  # bent as far as it goes: 100 x 0.09
    assert landing_residual(let_go, law, Level()) == pytest.approx(0.0)
