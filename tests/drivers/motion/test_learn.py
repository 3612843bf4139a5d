"""Calibration: what clean spins teach about a wheel, and when they teach nothing."""

from __future__ import annotations

import pytest

from drivers.motion import Geometry, Trace, WheelProfile, judge, simulated_wheel
from drivers.motion.energy import interpolated, speeds_of
from drivers.motion.learn import CalibrationTrouble, learn
from lab.proofs.wheel_bench import learn_simulated, run_wheel_bench, trace_of
from simulators.wheel_draw import draw
from simulators.wheel_physics import WheelBody
from simulators.wheel_sensor import Mounting


def spins_of(body: WheelBody, mounting: Mounting, count: int, seed: int = 3) -> tuple[list[Trace], dict[int, int]]:
    drawn = list(draw(seed, count, body, mounting, only="clean"))
    seen = {n: int(spin.place) for n, spin in enumerate(drawn) if 0.2 < spin.place % 1 < 0.8}
    return [trace_of(spin) for spin in drawn], seen


def test_the_profile_that_ships_is_what_calibration_learns_today() -> None:
    assert learn_simulated() == simulated_wheel()


def test_calibration_finds_the_map_and_the_friction_of_another_wheel() -> None:
    body = WheelBody(bearing=1.2, air=0.03, peg_energy=3.0, imbalance_at=40.0, against_ratio=1.1)
    mounting = Mounting(index_at=41.8)
    traces, seen = spins_of(body, mounting, 90)
    profile = learn(traces, {0: seen[0]} if 0 in seen else dict([next(iter(seen.items()))]), "other", "2026-02-03")
    assert profile.offset == pytest.approx(41.8, abs=0.01)
    for speed in (10, 30, 60, 85):
        natural = 4.2 + 0.03 * speed
        assert interpolated(profile.clockwise.losses, speed) == pytest.approx(natural, rel=0.03)
        assert interpolated(profile.anticlockwise.losses, speed) == pytest.approx(natural * 1.1, rel=0.03)
    assert profile.learnt == "2026-02-03"
    for spin in draw(9, 60, body, mounting, only="clean"):
        verdict = judge(trace_of(spin), profile, Geometry())
        assert not {"interference", "malfunction"} & set(verdict.reasons)
        assert verdict.compartment in (None, int(spin.place))
    assert WheelProfile.decode(profile.encode()) == profile


def test_a_wheel_with_another_friction_than_its_profile_is_noticed() -> None:
    worn = WheelBody(bearing=2.6)
    spins = list(draw(4, 20, worn, only="clean"))
    alarms = sum("interference" in judge(trace_of(s), simulated_wheel(), Geometry()).reasons for s in spins)
    assert alarms >= 18


def test_too_few_spins_or_no_sighting_teach_nothing() -> None:
    traces, seen = spins_of(WheelBody(), Mounting(), 40)
    with pytest.raises(CalibrationTrouble, match="too few"):
        learn(traces, seen, "w", "today")
    with pytest.raises(CalibrationTrouble, match="resting compartment"):
        learn(traces, {}, "w", "today")


def test_spins_that_are_too_much_alike_teach_nothing_about_how_dealers_spin() -> None:
    traces, seen = spins_of(WheelBody(), Mounting(), 400)
    alike = [n for n, trace in enumerate(traces) if 1.2 < max(speeds_of(trace)) / 52 < 1.45]
    sightings = {at: seen[n] for at, n in enumerate(alike) if n in seen}
    with pytest.raises(CalibrationTrouble, match=r"too much alike, from 1\.2 to 1\.4 turns a second"):
        learn([traces[n] for n in alike], sightings, "w", "today")


def test_people_who_read_the_wheel_differently_are_told() -> None:
    traces, seen = spins_of(WheelBody(), Mounting(), 80)
    seen[next(iter(seen))] += 1
    with pytest.raises(CalibrationTrouble, match="contradict"):
        learn(traces, seen, "w", "today")


def test_a_loose_coupling_cannot_be_calibrated() -> None:
    traces, seen = spins_of(WheelBody(), Mounting(index_jitter=8.0), 80)
    with pytest.raises(CalibrationTrouble, match="coupling"):
        learn(traces, seen, "w", "today")


@pytest.mark.clause("melbourne-wheel", "7.1.1", "7.1.2", "7.1.3")
def test_random_spins_are_named_rightly_or_asked_about_and_short_ones_never_missed() -> None:
    bench = run_wheel_bench(2500, seed=11)
    assert bench.wrong_winners == 0, bench.examples
    assert bench.missed_short == 0, bench.examples
    assert bench.asked_wrong == 0, bench.examples
    assert bench.false_alarms <= 1, bench.examples
    assert bench.table["clean"]["named"] > 0.8 * bench.table["clean"]["spins"]
    assert bench.table["touch"]["interference"] > 0.6 * bench.table["touch"]["spins"]
    assert "wrong winners 0" in bench.text()
    assert bench.plain()["spins"] == 2500
