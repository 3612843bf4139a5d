"""The one judgement of a spin, live and offline: turns, rest, rebound, interference, malfunction (W-A1 to W-A5)."""

from __future__ import annotations

from math import floor, sqrt
from operator import itemgetter

from drivers.motion.approach import landing_of, landing_residual, losses
from drivers.motion.checks import index_zero, malfunctions
from drivers.motion.energy import (
    last_swift,
    launch_end,
    levels,
    regains,
    speeds_of,
    steps_of,
    stop_energies,
)
from drivers.motion.profile import Friction, Geometry, WheelProfile
from drivers.motion.trace import COMPARTMENTS, PITCH, Trace
from drivers.motion.verdict import Clear, Finding, Reason, Sense, SpinVerdict

SIGMAS = 6.0  # W-A5
READING_COUNTS = 1.5  # what the sensor itself may be out by; doubt goes against the spin
HOLD_SPEED = COMPARTMENTS / 4  # a stop from a quarter turn a second within two compartments (W-A5)


def judge(trace: Trace, profile: WheelProfile, geometry: Geometry) -> SpinVerdict:
    """Decide one spin from its evidence; the same evidence always gives the same verdict."""
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
            trace.encode(),
        )  # fmt: skip
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
    elif not reasons:
        reasons.append("malfunction")
        findings.append(Finding("malfunction", "index_missing", 0.0, 0, 1, "The index mark was never seen."))
    touched = interference(trace, profile, geometry, speeds, release, zero or 0.0)
    if touched:
        reasons.append("interference")
        findings += touched
    return SpinVerdict(
        clear, compartment, forward, reversal, tuple(reasons), tuple(findings), sense, offset, since_release, fastest,
        trace.encode(),
    )  # fmt: skip


def place_of(trace: Trace, profile: WheelProfile, zero: float) -> float:
    """The place under the pointer at rest, in compartments from divider 0."""
    angle = trace.start + trace.sense * trace.rest - zero
    return (profile.offset + angle / PITCH) % COMPARTMENTS


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
    trace: Trace, profile: WheelProfile, geometry: Geometry, speeds: list[float], release: int | None, zero: float
) -> list[Finding]:
    """Signs that somebody touched the wheel after the launch (W-A4, W-A5, W-A22); the strongest of each kind."""
    friction = profile.friction(trace.sense)
    found: list[Finding] = []
    turns = trace.peak / (PITCH * COMPARTMENTS)
    reversal = (trace.peak - trace.rest) / PITCH
    if reversal > geometry.reversal + READING_COUNTS / PITCH:
        text = f"The wheel went back {reversal:.2f} compartments; {geometry.reversal:g} is natural."
        found.append(_touch("reversal", turns, reversal, geometry.reversal, text))
    if release is None:
        if trace.peak > PITCH:
            text = "The wheel never ran free: its speed did not fall over five compartments."
            found.append(_touch("hold", turns, 0, 5, text))
        return found
    first = release + 1
    found += _steps(trace, speeds, friction, zero, first)
    found += _stop(trace, speeds, friction, zero, first, turns)
    found += _approach(trace, friction, geometry, first)
    found += _landing(trace, friction, zero, profile.offset, first)
    return found


def _touch(kind: str, turn: float, measured: float, expected: float, text: str) -> Finding:
    return Finding("interference", kind, turn, measured, expected, text)


def _steps(trace: Trace, speeds: list[float], friction: Friction, zero: float, first: int) -> list[Finding]:
    """Energy that came from or went somewhere else than friction."""
    last = last_swift(speeds, first)
    line = levels(trace, speeds, friction, zero)
    steps: list[tuple[float, int, int]] = []
    for window in friction.windows:
        lag, half = window.lag, (window.lag + window.block) // 2
        for n, speed, step in steps_of(line, speeds, first, last, lag, window.block):
            steps.append((step / window.sigma(speed), n + half, lag))
    if not steps:
        return []
    found = []
    most, at, lag = max(steps, key=itemgetter(0))
    if most > SIGMAS:
        text = f"Over {lag} compartments the wheel kept {most:.0f} sigma more speed than friction leaves (push)."
        found.append(_touch("push", at / COMPARTMENTS, most, SIGMAS, text))
    least, at, lag = min(steps, key=itemgetter(0))
    if least < -SIGMAS:
        text = f"Over {lag} compartments the wheel lost {-least:.0f} sigma more speed than friction takes (brake)."
        found.append(_touch("brake", at / COMPARTMENTS, -least, SIGMAS, text))
    return found


def _stop(
    trace: Trace, speeds: list[float], friction: Friction, zero: float, first: int, turns: float
) -> list[Finding]:
    """Did it stop where its speed would have carried it?"""
    spreads = {stop.distance: stop.spread for stop in friction.stops}
    stops = [
        (spreads[distance].sigmas(energy), distance, speed)
        for distance, speed, energy in stop_energies(trace, speeds, friction, zero, first)
        if distance in spreads
    ]
    if not stops:
        return []
    worst, distance, speed = max(stops, key=lambda stop: abs(stop[0]))
    if worst > SIGMAS:
        kind, words = "late_brake", "sooner than friction would stop it"
    elif worst < -SIGMAS:
        kind, words = "late_push", "further than its speed would carry it"
    else:
        return []
    if distance <= 3 and speed > HOLD_SPEED:
        kind = "hold"
    text = f"{distance} compartments before its stop it was set to go elsewhere: it went {words} ({worst:+.0f} sigma)."
    return [_touch(kind, turns, abs(worst), SIGMAS, text)]


def _approach(trace: Trace, friction: Friction, geometry: Geometry, first: int) -> list[Finding]:
    gain, reverse, at = regains(trace, (first + 5) * PITCH)
    found = []
    turns = trace.peak / (PITCH * COMPARTMENTS)
    if gain > friction.regain:
        text = f"Near its end the wheel gained {gain:.2f} compartments/s; {friction.regain:.2f} is natural (nudge)."
        found.append(_touch("nudge", at / (PITCH * COMPARTMENTS), gain, friction.regain, text))
    # A rebound that friction alone stops within the natural reversal cannot be faster than this (W-A4).
    allowed = 1.1 * sqrt(2 * friction.loss * geometry.reversal)
    if reverse > allowed:
        text = f"The wheel came back at {reverse:.1f} compartments/s; a rebound gives at most {allowed:.1f}."
        found.append(_touch("reversal", turns, reverse, allowed, text))
    return found


def _landing(trace: Trace, friction: Friction, zero: float, offset: float, first: int) -> list[Finding]:
    """Gap by gap: did a hand help or hinder over the last few pegs?"""
    landing = landing_of(trace, friction, zero, offset, (first + 5) * PITCH)
    if landing is None:
        return []
    residual = landing_residual(landing, friction.landing) / friction.landing.sigma
    lost = (spread.sigmas(loss) for loss, spread in zip(losses(landing, friction), friction.gaps, strict=False))
    worst = max((residual, *lost), key=abs)
    if worst > SIGMAS:
        kind, words = "late_brake", "less far"
    elif worst < -SIGMAS:
        kind, words = "nudge", "further"
    else:
        return []
    text = f"Over its last pegs it came {words} than its speed allowed ({worst:+.0f} sigma)."
    return [_touch(kind, trace.peak / (PITCH * COMPARTMENTS), abs(worst), SIGMAS, text)]
