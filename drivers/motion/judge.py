"""The one judgement of a spin, live and offline: turns, rest, rebound, interference, malfunction (W-A1 to W-A5)."""

from __future__ import annotations

from math import floor

import msgspec

from drivers.motion import ripple
from drivers.motion.approach import GAPS
from drivers.motion.checks import index_zero, malfunctions
from drivers.motion.energy import AFTER_RELEASE, ahead, approach_places, bits_of, launch_end, passages, speeds_of
from drivers.motion.heavy import NONE, SURE, Moved, gathered, moved, seen_in
from drivers.motion.natural import SIGNS, Natural, chance_of_each, one_in
from drivers.motion.pegs import followed
from drivers.motion.profile import Geometry, WheelProfile
from drivers.motion.ripple import Ripple
from drivers.motion.signs import Signs, signs_of
from drivers.motion.trace import COMPARTMENTS, PITCH, RING, SAMPLE_S, STAMP_S, Trace
from drivers.motion.verdict import Clear, Finding, Reason, Sense, SpinVerdict

READING_COUNTS = 1.5  # what the sensor itself may be out by; doubt goes against the spin
HOLD_SPEED = COMPARTMENTS / 4  # a stop from a quarter turn a second within two compartments (W-A5)
HOMED_ANEW = "homed_anew"
LONGEST_LAUNCH = 2.0  # turns over which a wheel may gain speed before the hand must have let go (W-A22)
NATURAL_REVERSAL = 1.15  # times the furthest that calibration saw


def judge(trace: Trace, profile: WheelProfile, geometry: Geometry, natural: Natural | None = None) -> SpinVerdict:
    """Decide one spin from its evidence; the same evidence and the same wheel always give the same verdict."""
    return follow(trace, profile, geometry, natural or profile.natural)[0]


def follow(trace: Trace, profile: WheelProfile, geometry: Geometry, natural: Natural) -> tuple[SpinVerdict, Natural]:
    """Decide one spin, and what the wheel is held to be after it."""
    first, profile = profile, _of_late(profile, natural)
    broken = malfunctions(trace, profile)
    speeds = speeds_of(trace)
    fastest = max(speeds, default=0.0) / COMPARTMENTS
    release = launch_end(speeds)
    # A count more or less hangs on where within a count the wheel stood: only what is proven counts (W-A2).
    forward = max(trace.peak - 1, 0) / PITCH
    since_release = forward - (release or 0)
    reversal = (trace.peak - trace.rest) / PITCH
    sense: Sense = "clockwise" if trace.sense == 1 else "anticlockwise"
    if broken:
        return SpinVerdict(
            "unknown", None, forward, reversal, ("malfunction",), tuple(broken), sense, None, since_release, fastest,
            trace.encode(), homed=trace.homed or not trace.complete,
        ), natural  # fmt: skip
    zero = index_zero(trace)
    reasons: list[Reason] = []
    findings: list[Finding] = []
    if forward < geometry.revolutions * COMPARTMENTS:
        reasons.append("under_revs")
        need = geometry.revolutions * COMPARTMENTS
        text = f"{forward / COMPARTMENTS:.3f} turns; {geometry.revolutions:g} are needed."
        findings.append(Finding("under_revs", "turns", forward / COMPARTMENTS, forward, need, text))
    clear: Clear = "unknown"
    compartment: int | None = None
    offset: float | None = None
    if zero is not None:
        clear, compartment, offset, doubts = _rest(trace, profile, geometry, zero)
        if clear == "not_clear":
            reasons.append("not_clear")
            findings += doubts
        elif not trace.homed:  # pegs look alike: only an eye can tell that the map is not a compartment out
            clear = "near"
            findings.append(_homed_anew(trace, compartment))
    elif not reasons:
        reasons.append("malfunction")
        findings.append(Finding("malfunction", "index_missing", 0.0, 0, 1, "The index mark was never seen."))
    signs: Signs | None = None
    rarity = 1.0
    after = natural
    if release is not None:
        now = natural.level(trace.sense)
        signs = signs_of(trace, profile, now, speeds, release, profile.index if zero is None else zero)
        rarity = natural.rarity(signs.values)
        after = natural.after(trace.sense, signs.level, signs.values, profile.natural, geometry.false_alarms)
        if profile.pegs:
            passed = passages(trace, profile, signs.level, signs.zero, release + 1 + AFTER_RELEASE)
            after = msgspec.structs.replace(after, pegs=followed(profile.pegs, list(passed)))
    touched = _driven(release) + interference(trace, profile, geometry, signs, natural)
    if touched:
        reasons.append("interference")
        findings += touched
    if signs is not None and not touched and profile.friction(trace.sense).ripple:
        after = msgspec.structs.replace(after, ripples=_rippled(first, profile, trace.sense, signs))
    if signs is not None and zero is not None:
        after = _weigh(trace, profile, signs, natural, after, zero)
        index = moved(profile, after.heavy)
        if index.odds > SURE:
            clear, compartment, offset = "unknown", None, None
            reasons = ["malfunction"]
            findings = [_index_moved(trace, index)]
    return SpinVerdict(
        clear, compartment, forward, reversal, tuple(reasons), tuple(findings), sense, offset, since_release, fastest,
        trace.encode(), float(f"{rarity:.3g}"), natural, trace.homed,
    ), after  # fmt: skip


def _of_late(profile: WheelProfile, natural: Natural) -> WheelProfile:
    """The wheel as calibrated, with what was followed since."""
    found = msgspec.structs.replace(profile, pegs=natural.pegs or profile.pegs)
    if not natural.ripples:
        return found
    clockwise, anticlockwise = (
        msgspec.structs.replace(friction, ripple=curve)
        for friction, curve in zip((profile.clockwise, profile.anticlockwise), natural.ripples, strict=True)
    )
    return msgspec.structs.replace(found, clockwise=clockwise, anticlockwise=anticlockwise)


def _rippled(first: WheelProfile, now: WheelProfile, sense: int, signs: Signs) -> tuple[Ripple, Ripple]:
    """How the losses of both senses go up and down after this spin, which says something of its own sense only."""
    friction = now.friction(sense)
    seen = bits_of(signs.course, signs.level, friction.noise)
    mine = ripple.followed(friction.ripple, first.friction(sense).ripple, seen)
    return (mine, now.anticlockwise.ripple) if sense > 0 else (now.clockwise.ripple, mine)


def _homed_anew(trace: Trace, compartment: int | None) -> Finding:
    text = f"The sensor found its index mark anew in this spin and reads compartment {compartment}; confirm it by eye."
    return Finding("not_clear", HOMED_ANEW, trace.rest / RING, 0.0, 1.0, text)


def _weigh(trace: Trace, profile: WheelProfile, signs: Signs, natural: Natural, after: Natural, zero: float) -> Natural:
    """The wheel with what this spin says about where it hangs heaviest; a new homing begins anew."""
    before = natural.heavy if trace.homed else NONE
    seen = seen_in(trace, signs.course, profile, signs.level, zero)
    return msgspec.structs.replace(after, heavy=gathered(before, seen))


def _index_moved(trace: Trace, index: Moved) -> Finding:
    text = (
        f"The wheel hangs heaviest {abs(index.compartments)} compartments from where the index mark has it: the mark "
        "was moved, or something hangs on the wheel. Check by eye which compartment is under the indicator, calibrate."
    )
    return Finding("malfunction", "index_moved", trace.peak / RING, float(index.compartments), 0.0, text)


def refused(trace: Trace, verdict: SpinVerdict, kind: str, text: str) -> SpinVerdict:
    """The same spin as evidence that cannot be believed, for a reason that lies outside it."""
    finding = Finding("malfunction", kind, trace.peak / RING, 0.0, 0.0, text)
    return msgspec.structs.replace(
        verdict, clear="unknown", compartment=None, offset=None, reasons=("malfunction",), findings=(finding,)
    )


def place_of(trace: Trace, profile: WheelProfile, zero: float) -> float:
    """The place under the pointer at rest, in compartments from divider 0."""
    return place_at(trace, profile, zero, trace.rest)


def place_at(trace: Trace, profile: WheelProfile, zero: float, count: float) -> float:
    """The place under the pointer so many counts into the spin, in compartments from divider 0."""
    angle = trace.start + trace.sense * count - zero
    return (profile.offset + (angle - ahead(profile.ring, angle)) / PITCH) % COMPARTMENTS


def _rest(
    trace: Trace, profile: WheelProfile, geometry: Geometry, zero: float
) -> tuple[Clear, int | None, float, list[Finding]]:
    """Which compartment, how clearly, and what is unclear about it (W-A3)."""
    place = place_of(trace, profile, zero)
    compartment = floor(place) % COMPARTMENTS
    within = place - floor(place)
    offset = min(within, 1 - within)
    turn = trace.rest / (PITCH * COMPARTMENTS)
    sure = offset - READING_COUNTS / PITCH
    doubts = []
    if sure <= geometry.dead_band:
        text = (
            f"The pointer is {offset:.3f} of a compartment from a divider; more than {geometry.dead_band:g} is clear."
        )
        doubts.append(Finding("not_clear", "on_divider", turn, offset, geometry.dead_band, text))
    if trace.deflection > geometry.bent_percent:
        text = f"The indicator is bent by a peg ({trace.deflection} % of where it lets go)."
        doubts.append(Finding("not_clear", "deflected", turn, trace.deflection, geometry.bent_percent, text))
    if trace.still < geometry.still_ms:
        text = f"The wheel stood still for {trace.still} ms only."
        doubts.append(Finding("not_clear", "not_still", turn, trace.still, geometry.still_ms, text))
    if doubts:
        return "not_clear", None, offset, doubts
    return ("near" if sure <= geometry.near_band else "clear"), compartment, offset, []


def interference(
    trace: Trace, profile: WheelProfile, geometry: Geometry, signs: Signs | None, natural: Natural
) -> list[Finding]:
    """Signs that somebody touched the wheel after the launch (W-A4, W-A5, W-A22); the strongest of each kind."""
    found: list[Finding] = []
    turns = trace.peak / RING
    reversal = (trace.peak - trace.rest) / PITCH
    natural_reversal = max(geometry.reversal, NATURAL_REVERSAL * profile.reversal)
    if reversal > natural_reversal + READING_COUNTS / PITCH:
        text = f"The wheel went back {reversal:.2f} compartments; {natural_reversal:.2g} is natural."
        found.append(_touch("reversal", turns, reversal, natural_reversal, text))
    if signs is None:
        if trace.peak > PITCH:
            text = "The wheel never ran free: its speed did not fall over five compartments."
            found.append(_touch("hold", turns, 0, 5, text))
        return found
    each = chance_of_each(geometry.false_alarms, len(natural.tails))
    for name, value, tail in zip(SIGNS, signs.values, natural.tails, strict=False):
        most = tail.at(each)
        if value > most:
            rarity = min(1.0, tail.rarity(value) * len(natural.tails))
            found.append(_SAY[name](trace, profile, signs, value, most, one_in(rarity)))
    return found


def _driven(release: int | None) -> list[Finding]:
    """Speed gained for longer than a launch takes: hand over hand, by a motor, or times that run backwards."""
    turns = (release or 0) / COMPARTMENTS
    if turns <= LONGEST_LAUNCH:
        return []
    text = f"The wheel gained speed for {turns:.1f} turns; a hand that launches it lets go within {LONGEST_LAUNCH:g}."
    return [_touch("push", turns, turns, LONGEST_LAUNCH, text)]


def _touch(kind: str, turn: float, measured: float, expected: float, text: str) -> Finding:
    return Finding("interference", kind, turn, round(measured, 3), round(expected, 3), text)


def _say_course(trace: Trace, profile: WheelProfile, signs: Signs, value: float, most: float, unusual: str) -> Finding:
    """Where it lost or kept more speed than friction explains, for how long, as if what had been done."""
    fitted, course = signs.fitted, signs.course
    assert fitted is not None
    parts = [part for part in (fitted.braked, fitted.pushed) if part is not None]
    part = max(parts, key=lambda part: abs(part.strays))
    begins, ends = course.places[part.first], course.places[part.last]
    lasted = course.times[part.last] - course.times[part.first]
    turn = begins / COMPARTMENTS
    under = int(place_at(trace, profile, signs.zero, begins * PITCH))
    where = (
        f"at turn {turn:.1f}, {course.times[part.first]:.1f} s into the spin, compartment {under} under the indicator, "
        f"over {lasted:.1f} s and {ends - begins:.0f} compartments"
    )
    if part.strays > 0:
        to_end = part.last == len(course.ratios)
        like = "as if something dragged on it to the end" if to_end else "as if a finger had rested on the rim"
        share = f"{100 * part.share:.0f} % more than friction takes"
        return _touch("brake", turn, value, most, f"Touched {where}: it lost {share}, {like}; {unusual}.")
    kept = sum(course.usual[part.first : part.last]) * -part.share
    gained = kept / course.speeds[part.first] ** 2
    text = f"Touched {where}: it kept {100 * gained:.1f} % more speed than friction leaves, as if pushed; {unusual}."
    return _touch("push", turn, value, most, text)


def _say_level(trace: Trace, profile: WheelProfile, signs: Signs, value: float, most: float, unusual: str) -> Finding:
    share = 100 * (signs.level.share - 1)
    text = f"The whole spin ran with {share:+.0f} % friction against calibration, unlike the spins before; {unusual}."
    return _touch("brake" if share > 0 else "push", 0.0, value, most, text)


def _say_stop(trace: Trace, profile: WheelProfile, signs: Signs, value: float, most: float, unusual: str) -> Finding:
    strays, distance, late = signs.stop
    count = trace.peak - distance * PITCH
    kind, words = ("late_brake", "sooner than friction would stop it") if strays > 0 else (
        "late_push", "further than its speed would carry it")  # fmt: skip
    if late > HOLD_SPEED:
        kind = "hold"
    where = _where(trace, profile, signs.zero, count)
    text = f"{where}, it was set to go elsewhere: over its last {distance} compartments it went {words}; {unusual}."
    return _touch(kind, count / RING, value, most, text)


def _say_landing(trace: Trace, profile: WheelProfile, signs: Signs, value: float, most: float, unusual: str) -> Finding:
    kind, words = ("late_brake", "less far") if signs.landing > 0 else ("nudge", "further")
    count = max(trace.peak - GAPS * PITCH, 0)
    where = _where(trace, profile, signs.zero, count)
    text = f"{where}, and from there over its last pegs, it came {words} than its speed allowed; {unusual}."
    return _touch(kind, count / RING, value, most, text)


def _say_gain(trace: Trace, profile: WheelProfile, signs: Signs, value: float, most: float, unusual: str) -> Finding:
    where = _where(trace, profile, signs.zero, signs.ending.gain_at)
    text = f"{where}, the wheel gained {value:.2f} compartments/s from nowhere, as if nudged; {unusual}."
    return _touch("nudge", signs.ending.gain_at / RING, value, most, text)


def _say_swing(trace: Trace, profile: WheelProfile, signs: Signs, value: float, most: float, unusual: str) -> Finding:
    where = _where(trace, profile, signs.zero, trace.peak)
    text = f"{where}, it swung at {value:.1f} compartments/s where {most:.1f} is natural; {unusual}."
    return _touch("reversal", trace.peak / RING, value, most, text)


def _say_slow(trace: Trace, profile: WheelProfile, signs: Signs, value: float, most: float, unusual: str) -> Finding:
    strange = signs.slow
    assert strange is not None
    where = _where(trace, profile, signs.zero, strange.at)
    text = (
        f"{where}, the wheel had {strange.gained:.2f} compartments/s more than what slows it there leaves, "
        f"as if nudged; {unusual}."
    )
    return _touch("nudge", strange.at / RING, value, most, text)


def _before_rest(trace: Trace, count: float) -> float:
    """Seconds from when the wheel passed this count until it turned back for the first time."""
    places = approach_places(trace)
    if places and count >= places[0]:
        top = places.index(max(places))
        passed = next((n for n, place in enumerate(places) if place >= count), top)
        return max(top - passed, 0) * SAMPLE_S
    return sum(trace.pitches[int(count // PITCH) :]) * STAMP_S


def _where(trace: Trace, profile: WheelProfile, zero: float, count: float) -> str:
    """A place near the end, for people: the turn, what was under the indicator, and how long before it came to rest."""
    compartment = int(place_at(trace, profile, zero, count))
    time = _before_rest(trace, count)
    return f"At turn {count / RING:.1f}, compartment {compartment} under the indicator, {time:.1f} s before it stopped"


_SAY = {
    "course": _say_course,
    "level": _say_level,
    "stop": _say_stop,
    "landing": _say_landing,
    "gain": _say_gain,
    "swing": _say_swing,
    "slow": _say_slow,
}
