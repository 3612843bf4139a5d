"""Calibration: from clean spins to a profile of this wheel, with the spread that clean spins have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import atan2, ceil, cos, floor, hypot, pi, sin, sqrt
from statistics import median

import msgspec

from drivers.motion.approach import GAPS, Landing, bend, landing_of, landing_residual, losses
from drivers.motion.checks import index_zero, lateness, marks_of, peg_speed, pitches_of, tick_away
from drivers.motion.course import FEWEST as FEWEST_STRETCHES
from drivers.motion.energy import (
    AFTER_RELEASE,
    STOPS,
    Course,
    ahead,
    bits_of,
    course_of,
    interpolated,
    launch_end,
    passages,
    speeds_of,
    stop_energies,
)
from drivers.motion.law import Law, law_of, learnt_pegs
from drivers.motion.natural import SIGNS, Level, Natural, Tail, spread_of
from drivers.motion.pegs import Passage
from drivers.motion.profile import Friction, LandingLaw, SlowLaw, Spread, Stop, WheelProfile
from drivers.motion.ripple import learnt_ripple
from drivers.motion.scales import CLASSES, EARLY_S, MIDDLING, STRETCHES
from drivers.motion.signs import FREE_AFTER, phase_of, signs_of
from drivers.motion.slow import slow_law, slow_of
from drivers.motion.solve import Squares
from drivers.motion.trace import COMPARTMENTS, PITCH, RING, Trace

FEWEST = 30  # clean spins in each sense (W-A5)
OUTLYING = 12.0  # times the middling straying beyond the middle: this spin was touched, or is none
MOST_OUTLYING = 0.1  # share of spins that may be left out
CONTACTS = tuple(step / 100 for step in range(2, 42, 3))  # compartments before the peg at which it may touch
POWERS = (1.5, 2.0, 2.5, 3.0)
FEW_STRETCHES = 15
STEADIEST = 0.008  # share; no wheel is trusted to lose more evenly than this
REACHED = 4  # spins that must have been so fast before the losses at a speed are believed
RIPPLES = 2  # rounds in which the curve of the losses is made finer
UNMET = 1.25  # times as far a stretch may stray so soon after the release as calibration never met it
VARIED = 1.25  # times as fast the hardest spins must be as the gentlest
UNSTEADY = 0.12  # share by which friction may differ from spin to spin
LEAST = (0.35, 0.35, 0.35, 0.35, 0.08, 0.08, 0.45)  # of each sign's straying; gain and swing are read in whole counts
OFF_CENTRE = 40.0  # counts; a ring so far out has come loose


class CalibrationTrouble(ValueError):
    """The spins given cannot make a profile; says what to do."""


class _Spin(msgspec.Struct, frozen=True):
    """One spin for calibration: its evidence, where the hand let go, its stretches and its own friction."""

    trace: Trace
    speeds: list[float]
    release: int
    course: Course
    level: Level


def learn(
    traces: Sequence[Trace], resting: Mapping[int, int], wheel: str, learnt: str, serial: str = ""
) -> WheelProfile:
    """A profile from clean spins in both senses; `resting` tells for some of them the compartment that people saw."""
    if not resting:
        raise CalibrationTrouble("no resting compartment was given; say for at least one spin where the pointer rests")
    _enough(traces)
    _varied(traces)
    marks = [mark for trace in traces for mark in marks_of(trace)]
    if not marks or max(marks) - min(marks) > 12:
        raise CalibrationTrouble("the index mark moves against the ring; fix the coupling and begin again")
    index = sum(marks) / len(marks)
    bare = _bare(traces, resting, index, wheel, learnt, serial)
    kept = _alike([_spin(trace, bare) for trace in traces])
    _few_left_out(kept, traces)
    profile, strays = _learnt(kept, bare)
    touched = _outlying(strays)
    if touched:
        kept = [trace for n, trace in enumerate(kept) if n not in touched]
        _few_left_out(kept, traces)
        profile, _ = _learnt(kept, bare)
    return profile


def _alike(spins: Sequence[_Spin | None]) -> list[Trace]:
    """The spins that ran free, without those whose friction is far from all others': somebody braked or drove them."""
    ran = [spin for spin in spins if spin is not None]
    if len(ran) < (1 - MOST_OUTLYING) * len(spins):
        raise CalibrationTrouble(
            f"{len(spins) - len(ran)} of {len(spins)} spins were held or are too short to learn from; "
            "spin harder and let the wheel run out by itself"
        )
    shares = [spin.level.share for spin in ran]
    middle = median(shares)
    usual = max(median(abs(share - middle) for share in shares), STEADIEST)
    return [spin.trace for spin in ran if abs(spin.level.share - middle) <= OUTLYING * usual]


def _few_left_out(kept: Sequence[Trace], traces: Sequence[Trace]) -> None:
    left = len(traces) - len(kept)
    if left > MOST_OUTLYING * len(traces):
        raise CalibrationTrouble(
            f"{left} of {len(traces)} spins are unlike the others; see that nobody touches the wheel, and begin again"
        )
    _enough(kept, FEWEST - left)


def _enough(traces: Sequence[Trace], fewest: int = FEWEST) -> None:
    for sense, name in ((1, "clockwise"), (-1, "anticlockwise")):
        count = sum(trace.sense == sense for trace in traces)
        if count < fewest:
            raise CalibrationTrouble(f"{count} {name} spins are too few; spin the wheel {FEWEST} times each way")


def _varied(traces: Sequence[Trace]) -> None:
    """Dealers spin gently and hard; what was learnt at one speed says nothing about the others."""
    fastest = sorted(max(speeds_of(trace), default=0.0) / COMPARTMENTS for trace in traces)
    gentle, hard = fastest[2], fastest[-3]
    if hard < VARIED * gentle:
        raise CalibrationTrouble(
            f"the spins are too much alike, from {gentle:.1f} to {hard:.1f} turns a second; "
            "spin as gently and as hard as dealers do"
        )


def _outlying(strays: list[tuple[float, ...]]) -> set[int]:
    """Spins of which some sign lies far beyond what the others show."""
    found = set()
    for n, name in enumerate(SIGNS):
        if name == "swing":  # a wheel that swings back now and then is no touched one
            continue
        seen = [values[n] for values in strays if values[n] >= 0]
        if not seen:
            continue
        middle = median(seen)
        usual = max(median(abs(value - middle) for value in seen), LEAST[n] / 2)
        found |= {spin for spin, values in enumerate(strays) if values[n] > middle + OUTLYING * usual}
    return found


# -- the map ----------------------------------------------------------------------------------------------------------


def _bare(
    traces: Sequence[Trace], resting: Mapping[int, int], index: float, wheel: str, learnt: str, serial: str
) -> WheelProfile:
    """A profile that knows the map, the ring and the law, and no spread yet."""
    law = law_of(traces, index)
    if law is None:
        raise CalibrationTrouble("the spins are too much alike to learn from; vary how hard you spin")
    off = hypot(law.ring.cosine, law.ring.sine)
    if off > OFF_CENTRE:
        degrees = off / RING * 360
        raise CalibrationTrouble(f"the ring sits {degrees:.1f} degrees off its centre; mount it again")
    phases = {sense: _phase([t for t in traces if t.sense == sense], sense) for sense in (1, -1)}
    # Pegs leave the indicator equally far past the divider both ways, so the divider lies midway.
    apart = (phases[1][0] - phases[-1][0]) % PITCH
    release = round((apart if apart < PITCH / 2 else apart - PITCH) / 2 / PITCH, 4)
    divider = phases[1][0] - release * PITCH
    fraction = (index + 0.5 - divider) / PITCH % 1.0
    offset = _whole(traces, resting, fraction, law) + fraction
    clockwise, anticlockwise = (_friction(sense, traces, law, phases[sense], release) for sense in (1, -1))
    natural = Natural(0, Level(), Level(), tuple(Tail(0.0, 1.0) for _ in SIGNS))
    spread = max((_tick_spread(t, phases[t.sense][1]) for t in traces), default=0)
    return WheelProfile(
        wheel, learnt, round(offset, 4), round(index, 3), law.cosine, law.sine, law.ring, 2.0, spread, 0.0, 1e3,
        clockwise, anticlockwise, natural, serial=serial,
    )  # fmt: skip


def _friction(sense: int, traces: Sequence[Trace], law: Law, phase: tuple[float, float], release: float) -> Friction:
    noise = (0.05,) * CLASSES
    spins = sum(trace.sense == sense for trace in traces)
    return Friction(
        spins, law.losses[sense], 0.02, 0.02, noise, (), (), None, round(phase[0], 2), round(phase[1], 4), release
    )


def _phase(spins: Sequence[Trace], sense: int) -> tuple[float, float]:
    """Where pegs leave the indicator of a wheel that hardly moves, and what each compartment a second adds; counts."""
    seen = [
        (marks.tick_phase + 0.5, peg_speed(pitches))
        for trace in spins
        for n, marks in enumerate(trace.turns)
        if marks.ticks and (pitches := pitches_of(trace, n))
    ]
    x = sum(cos(2 * pi * phase / PITCH) for phase, _ in seen)
    y = sum(sin(2 * pi * phase / PITCH) for phase, _ in seen)
    if hypot(x, y) == 0:
        raise CalibrationTrouble("the indicator felt no pegs; check its sensor and begin again")
    middle = atan2(y, x) / (2 * pi) * PITCH
    squares = Squares(2)
    for phase, speed in seen:
        away = (phase - middle + PITCH / 2) % PITCH - PITCH / 2
        squares.add([(0, 1.0), (1, sense * speed)], away)
    squares.add([(1, 1.0)], 0.0, 1.0)
    found = squares.solved()
    if found is None:
        raise CalibrationTrouble("the spins are too much alike to learn from; vary how hard you spin")
    return (middle + found[0]) % PITCH, found[1]


def _tick_spread(trace: Trace, late: float) -> int:
    """The furthest that a peg of this spin strayed beyond what a late indicator explains; counts."""
    return max(
        (ceil(marks.tick_spread - lateness(pitches_of(trace, n), late)) for n, marks in enumerate(trace.turns)),
        default=0,
    )


def _whole(traces: Sequence[Trace], resting: Mapping[int, int], fraction: float, law: Law) -> int:
    """The whole compartments of the map; every sighting has to agree."""
    found: set[int] = set()
    for number, compartment in resting.items():
        trace = traces[number]
        zero = index_zero(trace)
        if zero is None:
            raise CalibrationTrouble(f"spin {number + 1} never passed the index mark; spin harder")
        angle = trace.start + trace.sense * trace.rest - zero
        place = (angle - ahead(law.ring, angle)) / PITCH + fraction
        found.add((compartment - floor(place)) % COMPARTMENTS)
    if len(found) != 1:
        raise CalibrationTrouble("the compartments seen by people contradict each other; check the last spins")
    return found.pop()


# -- the spread -------------------------------------------------------------------------------------------------------


def _learnt(traces: Sequence[Trace], bare: WheelProfile) -> tuple[WheelProfile, list[tuple[float, ...]]]:
    """The whole profile, and the signs of every spin by it."""
    law = law_of(traces, bare.index)
    assert law is not None
    profile = msgspec.structs.replace(
        bare,
        cosine=law.cosine,
        sine=law.sine,
        ring=law.ring,
        clockwise=msgspec.structs.replace(bare.clockwise, losses=law.losses[1]),
        anticlockwise=msgspec.structs.replace(bare.anticlockwise, losses=law.losses[-1]),
    )
    spins = _spins(traces, profile)
    profile = msgspec.structs.replace(
        profile,
        settled=_settled([spin.course for spin in spins]),
        pegs=learnt_pegs([one for spin in spins for one in _passages(spin, profile)]),
    )
    for _ in range(RIPPLES):
        profile = _rippled(_spins(traces, profile), profile)
    spins = _spins(traces, profile)
    for sense, name in ((1, "clockwise"), (-1, "anticlockwise")):
        mine = [spin for spin in spins if spin.trace.sense == sense]
        friction = msgspec.structs.replace(_spreads(mine, profile, sense), slow=_slow(mine, profile))
        profile = msgspec.structs.replace(profile, **{name: friction})
    signs = [signs_of(spin.trace, profile, Level(), spin.speeds, spin.release, profile.index).values for spin in spins]
    tails = tuple(_tail([values[n] for values in signs if values[n] >= 0], LEAST[n]) for n in range(len(SIGNS)))
    reversal = max((trace.peak - trace.rest for trace in traces), default=0) / PITCH
    profile = msgspec.structs.replace(
        profile,
        tick_noise=_tick_noise(traces, profile),
        reversal=round(reversal, 3),
        fastest=round(sorted(max(spin.course.speeds) for spin in spins)[-REACHED], 2),
        natural=Natural(len(spins), Level(), Level(), tails),
    )
    return profile, signs


def _rippled(spins: Sequence[_Spin], profile: WheelProfile) -> WheelProfile:
    """With what the losses of both senses do between the knots, beyond what is known of that already."""
    for sense, name in ((1, "clockwise"), (-1, "anticlockwise")):
        friction = profile.friction(sense)
        mine = [spin for spin in spins if spin.trace.sense == sense]
        noise = _noise(_strays_of(mine), friction.losses)
        curve = learnt_ripple([bits_of(spin.course, spin.level, noise) for spin in mine], friction.ripple)
        profile = msgspec.structs.replace(profile, **{name: msgspec.structs.replace(friction, ripple=curve)})
    return profile


def _strays_of(spins: Sequence[_Spin]) -> list[list[float]]:
    """How far every stretch strays from its own spin's friction, by the classes of stretches."""
    strays: list[list[float]] = [[] for _ in range(CLASSES)]
    for spin in spins:
        course, level = spin.course, spin.level
        for ratio, tip, kind in zip(course.ratios, course.leans, course.classes, strict=True):
            strays[kind].append(ratio - level.share - level.tilt * tip)
    return strays


def _passages(spin: _Spin, profile: WheelProfile) -> Iterator[Passage]:
    return passages(spin.trace, profile, spin.level, profile.index, spin.release + 1 + AFTER_RELEASE)


def _settled(courses: Sequence[Course]) -> tuple[float, ...]:
    """How long after the release stretches of each class were met: sooner, a swaying stand may show as never before."""
    met: list[list[float]] = [[] for _ in STRETCHES]
    for course in courses:
        first: dict[int, float] = {}
        for since, kind in zip(course.since, course.classes, strict=True):
            first.setdefault(kind % len(STRETCHES), since)
        for kind, since in first.items():
            met[kind].append(since)
    return tuple(round(max(sorted(times)[REACHED - 1], EARLY_S), 2) if len(times) >= REACHED else 1e3 for times in met)


def _tail(values: list[float], least: float) -> Tail:
    return spread_of(values, least) if len(values) >= 10 else Tail(3.0, 1.0)


def _spins(traces: Sequence[Trace], profile: WheelProfile) -> list[_Spin]:
    return [spin for trace in traces if (spin := _spin(trace, profile)) is not None]


def _spin(trace: Trace, profile: WheelProfile) -> _Spin | None:
    """What calibration looks at; None of a spin that never ran free, or not far enough."""
    speeds = speeds_of(trace)
    release = launch_end(speeds)
    if release is None:
        return None
    course = course_of(trace, profile, profile.index, release + 1 + AFTER_RELEASE)
    if len(course.ratios) < FEWEST_STRETCHES:
        return None
    return _Spin(trace, speeds, release, course, _own_level(course))


def _own_level(course: Course) -> Level:
    """The friction of one spin by itself, hardly leaning on any other."""
    squares = Squares(2)
    for ratio, tip in zip(course.ratios, course.leans, strict=True):
        squares.add([(0, 1.0), (1, tip)], ratio)
    squares.add([(0, 1.0)], 1.0, 0.5)
    squares.add([(1, 1.0)], 0.0, 0.5)
    found = squares.solved()
    assert found is not None
    return Level(found[0], found[1])


def _spreads(spins: Sequence[_Spin], profile: WheelProfile, sense: int) -> Friction:
    """How far clean spins of one sense stray from the law, in everything that is looked at."""
    friction = profile.friction(sense)
    share = _sigma([spin.level.share for spin in spins], 1.0)
    if share > UNSTEADY:
        raise CalibrationTrouble(
            f"the wheel's friction differs by {100 * share:.0f} % from spin to spin; clean and oil its bearing first"
        )
    tilt = _sigma([spin.level.tilt for spin in spins], 0.0)
    noise = _noise(_strays_of(spins), friction.losses)
    friction = msgspec.structs.replace(
        friction, level=round(max(share, 0.004), 5), tilt=round(max(tilt, 0.004), 5), noise=noise
    )
    landings = [
        (landing, spin.level)
        for spin in spins
        if (landing := landing_of(spin.trace, profile, profile.index, _free(spin) * PITCH)) is not None
    ]
    gaps = [
        [losses(landing, friction, level)[n] for landing, level in landings if len(landing.energies) > n + 1]
        for n in range(GAPS - 1)
    ]
    return msgspec.structs.replace(
        friction,
        stops=_stops(spins, profile),
        gaps=tuple(_spread(values) for values in gaps if len(values) >= FEWEST // 2),
        landing=_landing(landings, friction.release),
    )


def _noise(strays: list[list[float]], losses: Sequence[float]) -> tuple[float, ...]:
    """The spread of every class of stretches; one that was hardly met is taken to be like its neighbour, and wider."""
    half = CLASSES // 2
    seen = [
        _sigma(values, 0.0, STEADIEST if kind % half < half - 2 else 2 * STEADIEST)
        if len(values) >= FEW_STRETCHES
        else None
        for kind, values in enumerate(strays)
    ]
    # A stand that sways by `a` compartments misreads the loss of a stretch by about `a` times this share.
    reach = [
        2 * v * v / (size * size * interpolated(losses, v)) for v, (_, size) in zip(MIDDLING, STRETCHES, strict=True)
    ]
    both = [
        (early, later, share) for early, later, share in zip(seen[half:], seen, reach, strict=False) if early and later
    ]
    sway = max((sqrt(max(early**2 - later**2, 0.0)) / share for early, later, share in both), default=0.0)

    def later(kind: int) -> float:
        near = sorted((abs(n - kind), sigma) for n in range(half) if (sigma := seen[n] or seen[n + half]) is not None)
        return seen[kind] or (2 * near[0][1] if near else 0.1)

    def early(kind: int) -> float:
        return seen[kind + half] or UNMET * hypot(later(kind), sway * reach[kind])

    return tuple(round(sigma(kind), 5) for sigma in (later, early) for kind in range(half))


def _free(spin: _Spin) -> int:
    return spin.release + 1 + AFTER_RELEASE + FREE_AFTER


def _slow(spins: Sequence[_Spin], profile: WheelProfile) -> SlowLaw | None:
    seen = (slow_of(spin.trace, profile, spin.level, profile.index, _free(spin) * PITCH) for spin in spins)
    return slow_law([one for one in seen if one is not None])


def _stops(spins: Sequence[_Spin], profile: WheelProfile) -> tuple[Stop, ...]:
    seen: dict[int, list[tuple[float, float, float]]] = {distance: [] for distance in STOPS}
    for spin in spins:
        phase = phase_of(spin.trace, profile, profile.index)
        first = spin.release + 1 + AFTER_RELEASE
        for distance, _, energy in stop_energies(spin.trace, spin.speeds, profile, spin.level, profile.index, first):
            seen[distance].append((energy, *phase))
    found = []
    for distance, values in seen.items():
        if len(values) < FEWEST // 2:
            continue
        squares = Squares(3)
        for energy, cosine, sine in values:
            squares.add([(0, 1.0), (1, cosine), (2, sine)], energy)
        squares.add([(1, 1.0)], 0.0, 1.0)
        squares.add([(2, 1.0)], 0.0, 1.0)
        solved = squares.solved()
        assert solved is not None
        mean, along, across = solved
        sigma = _sigma([e - mean - along * c - across * s for e, c, s in values], 0.0, 0.05)
        found.append(Stop(distance, round(mean, 4), round(along, 4), round(across, 4), round(sigma, 4)))
    return tuple(found)


def _landing(landings: Sequence[tuple[Landing, Level]], release: float) -> LandingLaw | None:
    """Friction and spring by least squares, for the contact that fits best."""
    if len(landings) < FEWEST // 2:
        return None
    best: LandingLaw | None = None
    for contact, power in product(CONTACTS, POWERS):
        squares = Squares(2)
        for landing, level in landings:
            share = level.share - level.tilt
            weight = 1 / (0.3 + max(landing.energies[0], 0.0))
            entries = [(0, landing.beyond * share), (1, bend(landing.beyond, contact, release) ** power * share)]
            squares.add(entries, landing.energies[0], weight)
        found = squares.solved()
        if found is None:
            continue
        law = LandingLaw(round(found[0], 5), round(found[1], 5), power, contact, release, 1.0)
        sigma = _sigma([landing_residual(landing, law, level) for landing, level in landings], 0.0, 0.02)
        if best is None or sigma < best.sigma:
            best = msgspec.structs.replace(law, sigma=round(sigma, 4))
    return best


def _tick_noise(traces: Sequence[Trace], profile: WheelProfile) -> float:
    """How far a single peg strays, from the few that passed after the last full turn."""
    seen = [
        away * sqrt(trace.tail.ticks)
        for trace in traces
        if 0 < trace.tail.ticks <= 26
        and (away := tick_away(trace, profile, profile.index, len(trace.turns))) is not None
    ]
    return round(max(_sigma(seen, 0.0), 1.0) if len(seen) >= 10 else 3.0, 2)


def _sigma(values: Sequence[float], about: float, least: float = 0.0) -> float:
    if not values:
        return least
    return max(sqrt(sum((v - about) ** 2 for v in values) / len(values)), least)


def _spread(values: list[float]) -> Spread:
    mean = sum(values) / len(values)
    return Spread(round(mean, 4), round(max(_sigma(values, mean), 0.05), 4))
