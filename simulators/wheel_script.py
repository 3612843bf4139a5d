"""Spins made to order for scenarios: so far forward, so much rebound, resting just there, touched at this turn.

The friction is the simulated wheel's own: a spin is built from its peak backwards in time, so it goes exactly as far
as asked and its launch speed is what falls out.
"""

from __future__ import annotations

from math import floor, inf, pi, sqrt

import msgspec

from simulators.wheel_physics import (
    COMPARTMENTS,
    FAST,
    Launch,
    Motion,
    Piece,
    WheelBody,
    hand_pieces,
    resistance,
    spring_stop,
    spring_time_to,
)

HAIR = 1.1 / 160  # compartments; a sensor that counts can prove a distance only if it is a count longer


class SpinScript(msgspec.Struct, frozen=True):
    """What a scenario says about one spin; lengths in compartments, net in the launch sense."""

    forward: float = 210.0
    compartment: int = 0
    offset: float = 0.4  # from the next divider in the launch sense, as a share of a compartment
    sense: int = 1
    reversal: float = 0.0
    wind_up: float = 0.0
    touch: str = ""  # brake, push, hold, nudge, crawl, rigged
    at_revolution: float = 1.5


class _Before(msgspec.Struct):
    """A wheel followed backwards: where, how fast, and the pieces found so far with their durations."""

    y: float
    v: float
    pieces: list[tuple[float, Piece]]

    def piece(self, y: float, v: float, acceleration: float, lasts: float) -> None:
        """The piece that led from `y` at speed `v` to the present place."""
        self.pieces.append((lasts, (0.0, y, v, acceleration, 0.0, 0.0)))
        self.y, self.v = y, v

    def braked(self, distance: float, deceleration: float) -> None:
        """The stretch before this place was run at constant deceleration (negative: it gained speed)."""
        v = sqrt(max(self.v * self.v + 2 * deceleration * distance, 0.04))
        deceleration = (v * v - self.v * self.v) / (2 * distance)
        self.piece(self.y - distance, v, -deceleration, 2 * distance / (v + self.v))


def perform(script: SpinScript, body: WheelBody) -> Motion:
    """The motion that does what the script says."""
    rest = script.compartment + 1 - script.offset if script.sense > 0 else -script.compartment - script.offset
    forward = script.forward + HAIR
    peak = rest + script.reversal
    start = peak - forward
    pull = min(20.0, 0.3 * forward)
    before = _Before(peak, 0.0, [])
    _coast_backwards(before, script, body, start + pull)
    hand = Launch(max(before.v, 1.0), script.wind_up, pull)
    pieces, t, _ = hand_pieces(start, hand)
    release = t
    for lasts, piece in reversed(before.pieces):
        pieces.append((t, *piece[1:]))
        t += lasts
    if script.reversal > 0:
        # A rebound: pushed back, slowing, still; half a swing about the middle.
        frequency = pi / max(0.35, 0.9 * sqrt(script.reversal))
        pieces.append((t, peak, 0.0, 0.0, frequency, peak - script.reversal / 2))
        t += pi / frequency
    return Motion(pieces, t, rest, start, release, bool(script.touch))


class _Drag(msgspec.Struct, frozen=True):
    """What the wheel loses in this script, seen from its end."""

    f: float
    air: float
    energy: float
    resist: list[float]
    contact: float
    release: float

    def natural(self, y: float, v: float) -> float:
        return self.f + self.air * v + self.resist[floor(y + 1) % COMPARTMENTS]


def _coast_backwards(before: _Before, script: SpinScript, body: WheelBody, until: float) -> None:
    scale = (body.against_ratio if script.sense < 0 else 1.0) * (1.3 if script.touch == "rigged" else 1.0)
    drag = _Drag(
        body.bearing * scale, body.air * scale, body.peg_energy * scale, resistance(body, script.sense),
        body.contact_before, body.release_after,
    )  # fmt: skip
    start = before.y - script.forward
    touched_at = start + script.at_revolution * COMPARTMENTS if script.touch in ("brake", "push") else inf
    touched_at = min(touched_at, before.y - 14.0)
    _ending(before, script.touch)
    while before.v < FAST and before.y > until + 1e-9:
        _slow_backwards(before, drag, until)
    while before.y > until + 1e-9:
        peg = floor(before.y - drag.release + 1e-9)
        goal = max(peg + drag.release, until)
        if goal >= before.y - 1e-9:  # just let go by a peg: the peg took its share before this place
            before.v = sqrt(before.v * before.v + 2 * drag.energy)
            goal = max(peg - 1 + drag.release, until)
        distance = before.y - goal
        natural = drag.natural(goal, before.v)
        if script.touch == "push" and goal < touched_at < goal + 3:
            before.braked(distance, -0.06 * before.v**2)
        elif script.touch == "brake" and goal < touched_at < goal + 13:
            before.braked(distance, 4 * (natural + drag.energy))
        else:
            before.braked(distance, natural)


def _slow_backwards(before: _Before, drag: _Drag, until: float) -> None:
    """Back through the indicator's spring to where it was touched, or through the gap to the peg before."""
    y, v = before.y, before.v
    peg = floor(y + drag.contact + 1e-9)
    origin = peg - drag.contact
    push = drag.natural(y - 1e-6, v)
    if not origin + 1e-9 < y <= peg + drag.release + 1e-9 or origin < until:
        goal = max(floor(y - drag.release - 1e-9) + drag.release, until)
        before.braked(y - goal, push)
        return
    stiffness = 2 * drag.energy / (drag.contact + drag.release) ** 2
    bent = y - origin
    faster = sqrt(v * v + stiffness * bent * bent + 2 * push * bent)
    frequency = sqrt(stiffness)
    centre = origin - push / stiffness
    if v > 0:
        lasts = spring_time_to(origin, faster, frequency, centre, y, 1)
    else:
        lasts = spring_stop(origin, faster, frequency, centre)
    before.pieces.append((lasts, (0.0, origin, faster, 0.0, frequency, centre)))
    before.y, before.v = origin, faster


def _ending(before: _Before, touch: str) -> None:
    """The last stretch, where a hand decides how it ends."""
    if touch == "hold":
        before.braked(1.5, 600.0)
    elif touch == "nudge":
        before.braked(0.5, 3.0)
        before.piece(before.y - 0.3, 0.0, before.v**2 / 0.6, 0.6 / before.v)
        before.pieces.append((0.3, (0.0, before.y, 0.0, 0.0, 0.0, 0.0)))
    elif touch == "crawl":
        before.braked(0.05, 40.0)
        before.braked(6.0, 0.0)
