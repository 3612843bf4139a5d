"""Spins made to order for scenarios: so far forward, so much rebound, resting just there, touched at this turn.

The friction is the simulated wheel's own: a spin is built from its peak backwards in time, so it goes exactly as far
as asked and its launch speed is what falls out.
"""

from __future__ import annotations

from math import floor, inf, pi, sqrt

import msgspec

from simulators.wheel_physics import COMPARTMENTS, FAST, Launch, Motion, Piece, WheelBody, hand_pieces, resistance

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


def _coast_backwards(before: _Before, script: SpinScript, body: WheelBody, until: float) -> None:
    ratio = body.against_ratio if script.sense < 0 else 1.0
    f, air, energy = body.bearing * ratio, body.air * ratio, body.peg_energy * ratio
    resist = resistance(body, script.sense)
    start = before.y - script.forward
    touched_at = start + script.at_revolution * COMPARTMENTS if script.touch in ("brake", "push") else inf
    touched_at = min(touched_at, before.y - 14.0)
    rigged = 1.3 if script.touch == "rigged" else 1.0
    _ending(before, script.touch)
    while before.y > until + 1e-9:
        peg = floor(before.y - body.release_after + 1e-9)
        goal = max(peg + body.release_after, until)
        if goal >= before.y - 1e-9:  # just let go by a peg: the peg took its share before this place
            before.v = sqrt(before.v * before.v + 2 * energy * (rigged if before.v > FAST else 1.0))
            goal = max(peg - 1 + body.release_after, until)
        distance = before.y - goal
        natural = f + air * before.v + resist[(floor(goal) + 1) % COMPARTMENTS]
        if script.touch == "push" and goal < touched_at < goal + 3:
            before.braked(distance, -0.06 * before.v**2)
        elif script.touch == "brake" and goal < touched_at < goal + 13:
            before.braked(distance, 4 * (natural + energy))
        else:
            before.braked(distance, natural * rigged)


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
