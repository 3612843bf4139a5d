"""The slow wheel place by place: a hand on a wheel that is about to stop, and by what an older row is judged."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from drivers.motion import Geometry, Natural, SpinVerdict, WheelProfile, follow
from drivers.motion.natural import EDITIONS
from drivers.motion.profile import SLOW_PARTS
from lab.wheels.body import Hand
from lab.wheels.evening import calibrated, trace_of
from lab.wheels.population import KINDS, OneWheel, Spun
from tests.controller.games.wheel.play import clause

GEOMETRY = Geometry.measured()
HEAVY_AIR = next(kind for kind in KINDS if kind.name == "heavy air")


@cache
def _wheel() -> tuple[OneWheel, WheelProfile]:
    wheel = OneWheel(HEAVY_AIR, "against a peg")
    return wheel, calibrated(wheel)


def _older(natural: Natural) -> Natural:
    """The wheel as the edition before held it to be."""
    return msgspec.structs.replace(natural, tails=natural.tails[: EDITIONS[0]])


@cache
def _nudged() -> list[Spun]:
    wheel, _ = _wheel()
    return [wheel.spin(Hand("nudge", 1.0, at_speed=0.6 + 0.1 * n)) for n in range(12)]


def _touched(spun: Spun, natural: Natural) -> SpinVerdict | None:
    verdict = follow(trace_of(spun), _wheel()[1], GEOMETRY, natural)[0]
    return verdict if "interference" in verdict.reasons else None


@clause("7.1.3")
def test_a_nudge_is_noticed_where_a_peg_was_about_to_turn_the_wheel_back() -> None:
    _, profile = _wheel()
    now = [spun for spun in _nudged() if _touched(spun, profile.natural)]
    before = [spun for spun in _nudged() if _touched(spun, _older(profile.natural))]
    assert len(now) >= 10
    assert len(now) > len(before)


@clause("7.1.3")
def test_it_is_said_where_the_wheel_had_speed_that_nothing_there_leaves_it() -> None:
    _, profile = _wheel()
    told = [
        finding.text
        for spun in _nudged()
        if (verdict := _touched(spun, profile.natural))
        for finding in verdict.findings
        if "more than what slows it there leaves" in finding.text
    ]
    assert told
    assert "compartment" in told[0]
    assert "before it stopped" in told[0]
    assert "as if nudged" in told[0]


def test_untouched_spins_of_the_same_wheel_are_natural() -> None:
    wheel, profile = _wheel()
    assert not [n for n in range(40) if _touched(wheel.spin(), profile.natural)]


def test_a_spin_is_judged_again_by_the_signs_that_its_row_knew() -> None:
    _, profile = _wheel()
    older = _older(profile.natural)
    for spun in _nudged():
        verdict, after = follow(trace_of(spun), profile, GEOMETRY, older)
        assert verdict.against == older
        assert len(after.tails) == EDITIONS[0]
        assert follow(trace_of(spun), profile, GEOMETRY, older)[0] == verdict


def test_a_table_that_goes_on_from_an_older_row_looks_at_what_its_calibration_knows() -> None:
    _, profile = _wheel()
    moved = msgspec.structs.replace(_older(profile.natural), spins=7)
    learning = moved.learning(profile.natural)
    assert learning.tails == profile.natural.tails
    assert learning.spins == 7


def test_a_profile_from_before_is_read_and_judges_as_before() -> None:
    _, profile = _wheel()
    ways = {
        name: msgspec.structs.replace(profile.friction(sense), slow=None)
        for name, sense in (("clockwise", 1), ("anticlockwise", -1))
    }
    old = msgspec.structs.replace(profile, natural=_older(profile.natural), **ways)
    octets = msgspec.json.encode(msgspec.to_builtins(old))
    read = WheelProfile.decode(octets)
    for spun in _nudged()[:4]:
        trace = trace_of(spun)
        with_law = follow(trace, profile, GEOMETRY, _older(profile.natural))
        assert follow(trace, read, GEOMETRY, read.natural) == with_law


def test_a_profile_whose_places_were_cut_short_is_refused() -> None:
    _, profile = _wheel()
    plain = msgspec.to_builtins(profile)
    plain["clockwise"]["slow"]["takes"] = [1.0] * (SLOW_PARTS - 1)
    with pytest.raises(msgspec.ValidationError, match="every place"):
        WheelProfile.decode(msgspec.json.encode(plain))
