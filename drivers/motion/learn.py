"""Calibration: from clean spins to a profile of this wheel, with the spread that clean spins have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import atan2, cos, floor, hypot, pi, sin, sqrt

import msgspec

from drivers.motion.approach import GAPS, Landing, bend, landing_of, landing_residual, losses
from drivers.motion.checks import index_zero
from drivers.motion.energy import (  # fmt: skip
    LAGS,
    SLOWEST,
    last_swift,
    launch_end,
    levels,
    regains,
    speeds_of,
    steps_of,
    stop_energies,
)
from drivers.motion.profile import Friction, LandingLaw, Spread, Stop, WheelProfile, Window
from drivers.motion.trace import COMPARTMENTS, PITCH, Trace

FEWEST = 30  # clean spins in each sense (W-A5)
CALM = 4.2  # sigmas that the wildest clean spin may show; the spread is widened until it does
_TURN = 2 * pi / (PITCH * COMPARTMENTS)


class CalibrationTrouble(ValueError):
    """The spins given cannot make a profile; says what to do."""


def learn(traces: Sequence[Trace], resting: Mapping[int, int], wheel: str, learnt: str) -> WheelProfile:
    """A profile from clean spins in both senses; `resting` tells for some of them the compartment that people saw."""
    if not resting:
        raise CalibrationTrouble("no resting compartment was given; say for at least one spin where the pointer rests")
    senses = {1: [t for t in traces if t.sense > 0], -1: [t for t in traces if t.sense < 0]}
    for sense, spins in senses.items():
        if len(spins) < FEWEST:
            name = "clockwise" if sense > 0 else "anticlockwise"
            raise CalibrationTrouble(f"{len(spins)} {name} spins are too few; spin the wheel {FEWEST} times each way")
    marks = [m.index for t in traces for m in (*t.turns, t.tail) if m.indexes]
    if not marks or max(marks) - min(marks) > 12:
        raise CalibrationTrouble("the index mark moves against the ring; fix the coupling and begin again")
    index = sum(marks) / len(marks)
    phases = {sense: _phase(spins) for sense, spins in senses.items()}
    # Pegs leave the indicator equally far past the divider both ways, so the divider lies midway.
    apart = (phases[1] - phases[-1]) % PITCH
    release = round((apart if apart < PITCH / 2 else apart - PITCH) / 2 / PITCH, 4)
    divider = phases[1] - release * PITCH
    fraction = (index + 0.5 - divider) / PITCH % 1.0
    offset = _whole(traces, resting, fraction) + fraction
    clockwise = _friction(senses[1], index, offset, phases[1], release)
    anticlockwise = _friction(senses[-1], index, offset, phases[-1], release)
    return WheelProfile(wheel, learnt, round(offset, 4), round(index, 3), clockwise, anticlockwise)


def _phase(spins: Sequence[Trace]) -> float:
    """The mean place within a pitch at which pegs leave the indicator, in counts."""
    x = y = 0.0
    for trace in spins:
        for marks in trace.turns:
            angle = 2 * pi * (marks.tick_phase + 0.5) / PITCH
            x += cos(angle)
            y += sin(angle)
    if hypot(x, y) == 0:
        raise CalibrationTrouble("the indicator felt no pegs; check its sensor and begin again")
    return atan2(y, x) / (2 * pi) * PITCH % PITCH


def _whole(traces: Sequence[Trace], resting: Mapping[int, int], fraction: float) -> int:
    """The whole compartments of the map; every sighting has to agree."""
    found: set[int] = set()
    for number, compartment in resting.items():
        trace = traces[number]
        zero = index_zero(trace)
        if zero is None:
            raise CalibrationTrouble(f"spin {number + 1} never passed the index mark; spin harder")
        angle = (trace.start + trace.sense * trace.rest - zero) / PITCH + fraction
        found.add((compartment - floor(angle)) % COMPARTMENTS)
    if len(found) != 1:
        raise CalibrationTrouble("the compartments seen by people contradict each other; check the last spins")
    return found.pop()


def _friction(spins: Sequence[Trace], index: float, offset: float, phase: float, release: float) -> Friction:
    loss, drag, cosine, sine = _fit(spins, index)
    bare = Friction(
        len(spins),
        loss,
        drag,
        cosine,
        sine,
        (),
        (),
        (),
        LandingLaw(0.0, 0.0, 0.0, release, 1.0),
        0.0,
        round(phase, 2),
        round(release, 4),
    )
    steps: dict[int, list[tuple[float, float]]] = {lag: [] for lag, _ in LAGS}
    stops: dict[int, list[float]] = {}
    landings: list[Landing] = []
    regain = 0.0
    for trace in spins:
        speeds = speeds_of(trace)
        released = launch_end(speeds)
        if released is None:
            raise CalibrationTrouble("a spin for calibration never ran free; spin again without holding the wheel")
        first = released + 1
        line = levels(trace, speeds, bare, index)
        last = last_swift(speeds, first)
        for lag, block in LAGS:
            steps[lag] += [(speed, step) for _, speed, step in steps_of(line, speeds, first, last, lag, block)]
        for distance, _, energy in stop_energies(trace, speeds, bare, index, first):
            stops.setdefault(distance, []).append(energy)
        regain = max(regain, regains(trace, (first + 5) * PITCH)[0])
        landing = landing_of(trace, bare, index, offset, (first + 5) * PITCH)
        if landing is not None:
            landings.append(landing)
    windows = tuple(_window(lag, block, steps[lag]) for lag, block in LAGS)
    marks = tuple(Stop(distance, _spread(values)) for distance, values in sorted(stops.items()))
    gaps = [
        [losses(landing, bare)[n] for landing in landings if len(landing.energies) > n + 1] for n in range(GAPS - 1)
    ]
    return msgspec.structs.replace(
        bare,
        windows=windows,
        stops=marks,
        gaps=tuple(_spread(values) for values in gaps if len(values) >= FEWEST),
        landing=_landing(landings, release),
        regain=round(1.3 * regain + 0.2, 3),
    )


def _landing(landings: Sequence[Landing], release: float) -> LandingLaw:
    """Friction and spring by least squares, for the contact that fits best."""
    if len(landings) < FEWEST:
        raise CalibrationTrouble("the spins end too abruptly to learn from; let the wheel run out by itself")
    best: LandingLaw | None = None
    for step in range(26):
        contact = step / 100
        matrix = [[1e-9, 0.0, 0.0], [0.0, 1e-9, 0.0]]
        for landing in landings:
            row = (landing.beyond, bend(landing.beyond, contact, release) ** 2, landing.energies[0])
            weight = 1 / (0.3 + max(landing.energies[0], 0.0))
            for i in range(2):
                for j in range(3):
                    matrix[i][j] += weight * row[i] * row[j]
        loss, spring = _solve(matrix)
        law = LandingLaw(loss, spring, contact, release, 1.0)
        spread = _spread([landing_residual(landing, law) for landing in landings], 0.0, 0.02)
        if best is None or spread.sigma < best.sigma:
            best = msgspec.structs.replace(law, sigma=spread.sigma)
    assert best is not None
    return best


def _fit(spins: Sequence[Trace], index: float) -> list[float]:
    """Loss, drag and imbalance by least squares over quarter turns."""
    lag = 13
    matrix = [[0.0] * 5 for _ in range(4)]
    for trace in spins:
        speeds = speeds_of(trace)
        first = (launch_end(speeds) or 0) + 1
        last = last_swift(speeds, first)
        for n in range(first, last - lag, lag):
            a, b = speeds[n], speeds[n + lag]
            if b < SLOWEST:
                break
            at, then = ((trace.start - index + trace.sense * (m + 0.5) * PITCH) * _TURN for m in (n, n + lag))
            row = (
                float(lag),
                sum(speeds[n : n + lag]) + (b - a) / 2,
                cos(then) - cos(at),
                sin(then) - sin(at),
                0.5 * (a * a - b * b),
            )
            weight = 1 / (1 + (0.003 * a * a) ** 2)
            for i in range(4):
                scaled = weight * row[i]
                for j in range(5):
                    matrix[i][j] += scaled * row[j]
    return _solve(matrix)


def _solve(m: list[list[float]]) -> list[float]:
    """Gauss, by rows."""
    size = len(m)
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(m[r][i]))
        m[i], m[pivot] = m[pivot], m[i]
        if abs(m[i][i]) < 1e-12:
            raise CalibrationTrouble("the spins are too much alike to learn from; vary how hard you spin")
        for r in range(size):
            if r != i:
                factor = m[r][i] / m[i][i]
                m[r] = [x - factor * y for x, y in zip(m[r], m[i], strict=True)]
    return [round(m[i][size] / m[i][i], 6) for i in range(size)]


def _window(lag: int, block: int, steps: list[tuple[float, float]]) -> Window:
    """Spread as a constant and a part that grows with the squared speed, fitted over groups of equal speed."""
    if len(steps) < 60:
        raise CalibrationTrouble("the spins are too short to learn from; spin harder")
    steps.sort()
    size = len(steps) // 16
    groups = [steps[n : n + size] for n in range(0, size * 16, size)]
    s0 = s1 = s2 = t0 = t1 = 0.0
    for group in groups:
        square = sum(step * step for _, step in group) / len(group)
        fourth = sum(speed**4 for speed, _ in group) / len(group)
        weight = 1 / (square * square)
        s0 += weight
        s1 += weight * fourth
        s2 += weight * fourth * fourth
        t0 += weight * square
        t1 += weight * square * fourth
    grows = max((s0 * t1 - s1 * t0) / max(s0 * s2 - s1 * s1, 1e-30), 1e-12)
    still = max((t0 - grows * s1) / s0, min(t0 / s0, 1e-4) + 1e-6)
    wildest = max(abs(step) / sqrt(still + grows * speed**4) for speed, step in steps)
    wider = max(1.0, wildest / CALM)
    return Window(lag, block, round(sqrt(still) * wider, 5), round(sqrt(grows) * wider, 8))


def _spread(values: list[float], about: float | None = None, least: float = 0.05) -> Spread:
    mean = sum(values) / len(values) if about is None else about
    sigma = sqrt(sum((v - mean) ** 2 for v in values) / max(len(values) - 1, 1))
    wildest = max(abs(v - mean) for v in values)
    return Spread(round(mean, 4), round(max(sigma, wildest / CALM, least), 4))
