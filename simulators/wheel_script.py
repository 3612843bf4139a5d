"""Spins made to order for scenarios: so far forward, so much rebound, resting just there, touched at this turn.

The friction is the simulated wheel's own: a spin is built from its peak backwards in time, so it goes exactly as far
as asked and its launch speed is what falls out.  A hand on the wheel is as strong as `wheel_physics` has it: what
differs is only that the script knows where the spin ends.
"""

from __future__ import annotations

from math import floor, pi, sqrt
from typing import Literal

import msgspec

from simulators.wheel_physics import (
    COMPARTMENTS,
    FAST,
    Launch,
    Motion,
    Piece,
    TouchKind,
    WheelBody,
    hand_pieces,
    resistance,
    spring_stop,
    spring_time_to,
)

USUAL: dict[str, float] = {"brake": 1.0, "rigged": 0.3, "push": 0.2, "hold": 1.0, "nudge": 1.7, "crawl": 6.0}
"""How strong a hand is that the script only names."""
ON_THE_WAY = ("brake", "rigged", "push")
"""Hands that come at a revolution; the others decide how the spin ends."""
SHORTEST_PULL = 4.0
BRAKE_S = 1.5
PUSH_S = 0.15
NUDGE_S = 0.1
HELD_AT = 42.0  # compartments/s that a hand which holds the wheel stops
HAIR = 1.1 / 160  # compartments; a sensor that counts can prove a distance only if it is a count longer


class SpinScript(msgspec.Struct, frozen=True):
    """What a scenario says about one spin; lengths in compartments, net in the launch sense."""

    forward: float = 210.0
    compartment: int = 0
    offset: float = 0.4  # from the next divider in the launch sense, as a share of a compartment
    sense: int = 1
    reversal: float = 0.0
    wind_up: float = 0.0
    touch: TouchKind | Literal[""] = ""
    at_revolution: float = 1.5  # where the hand comes, if it comes on the way; hold, nudge and crawl end the way
    strength: float = 0.0  # as `wheel_physics.Touch` has it; 0 is the usual one of its kind

    @property
    def how_strong(self) -> float:
        return self.strength or USUAL.get(self.touch, 0.0)

    @property
    def pull(self) -> float:
        """Compartments that the launching hand stays on the wheel; it lets go before another comes."""
        pull = min(20.0, 0.3 * self.forward)
        if self.touch in ON_THE_WAY:
            pull = min(pull, max(self.at_revolution * COMPARTMENTS, SHORTEST_PULL))
        return pull


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
    before = _Before(peak, 0.0, [])
    _coast_backwards(before, script, body, start)
    hand = Launch(max(before.v, 1.0), script.wind_up, script.pull)
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


def _coast_backwards(before: _Before, script: SpinScript, body: WheelBody, start: float) -> None:
    """From the end of the way back to where the launching hand let go, with whoever touched the wheel between."""
    scale = body.against_ratio if script.sense < 0 else 1.0
    drag = _Drag(
        body.bearing * scale, body.air * scale, body.peg_energy * scale, resistance(body, script.sense),
        body.contact_before, body.release_after,
    )  # fmt: skip
    released, strength = start + script.pull, script.how_strong
    touched = min(max(start + script.at_revolution * COMPARTMENTS, released), before.y)
    match script.touch:
        case "hold" | "nudge" | "crawl":
            _ending(before, script.touch, strength)
        case "rigged":
            _back(before, drag, touched, strength * (drag.f + drag.energy))
        case "brake":
            _braked(before, drag, touched, strength * (drag.f + drag.energy))
        case "push":
            _pushed(before, drag, touched, strength)
    _back(before, drag, released)


def _back(before: _Before, drag: _Drag, until: float, extra: float = 0.0) -> None:
    """The wheel left to itself as far back as `until`; a hand may add to what slows it, or take from it."""
    while before.v < FAST and before.y > until + 1e-9:
        _slow_backwards(before, drag, until, extra)
    while before.y > until + 1e-9:
        peg = floor(before.y - drag.release + 1e-9)
        goal = max(peg + drag.release, until)
        if goal >= before.y - 1e-9:  # just let go by a peg: the peg took its share before this place
            before.v = sqrt(before.v * before.v + 2 * drag.energy)
            goal = max(peg - 1 + drag.release, until)
        before.braked(before.y - goal, drag.natural(goal, before.v) + extra)


def _braked(before: _Before, drag: _Drag, touched: float, extra: float) -> None:
    """A hand from this place on for its time, or until the wheel rests."""
    low, high = touched, before.y
    lifted = high
    if _lasts(before, drag, touched, lifted, extra) > BRAKE_S:
        for _ in range(30):
            lifted = (low + high) / 2
            if _lasts(before, drag, touched, lifted, extra) > BRAKE_S:
                high = lifted
            else:
                low = lifted
    _back(before, drag, lifted)
    _back(before, drag, touched, extra)


def _lasts(end: _Before, drag: _Drag, touched: float, lifted: float, extra: float) -> float:
    """How long the hand stays on the wheel if it is lifted at that place."""
    tried = _Before(end.y, end.v, [])
    _back(tried, drag, lifted)
    free = len(tried.pieces)
    _back(tried, drag, touched, extra)
    return sum(lasts for lasts, _ in tried.pieces[free:])


def _pushed(before: _Before, drag: _Drag, touched: float, strength: float) -> None:
    """A push that begins at this place: its share of the speed found there is gained in its time."""
    speed = before.v
    for _ in range(12):  # the speed there follows from the push, and the push from the speed there
        gain, reach = max(speed, 1.0) * strength / PUSH_S, speed * PUSH_S * (1 + strength / 2)
        tried = _Before(before.y, before.v, [])
        _back(tried, drag, min(touched + reach, before.y))
        _back(tried, drag, touched, -gain)
        speed = tried.v
    before.y, before.v, before.pieces = tried.y, tried.v, before.pieces + tried.pieces


def _slow_backwards(before: _Before, drag: _Drag, until: float, extra: float = 0.0) -> None:
    """Back through the indicator's spring to where it was touched, or through the gap to the peg before."""
    y, v = before.y, before.v
    peg = floor(y + drag.contact + 1e-9)
    origin = peg - drag.contact
    push = drag.natural(y - 1e-6, v) + extra
    if push <= 0 or not origin + 1e-9 < y <= peg + drag.release + 1e-9 or origin < until:
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


def _ending(before: _Before, touch: str, strength: float) -> None:
    """The last stretch, where a hand decides how it ends."""
    if touch == "hold":
        stop = 1.5 / strength
        before.braked(stop, HELD_AT**2 / (2 * stop))
    elif touch == "nudge":
        before.braked(strength**2 / 6, 3.0)
        before.piece(before.y - strength * NUDGE_S / 2, 0.0, strength / NUDGE_S, NUDGE_S)
        before.pieces.append((0.3, (0.0, before.y, 0.0, 0.0, 0.0, 0.0)))
    else:  # crawl: led by hand at walking pace, and stopped
        before.braked(0.05, 40.0)
        before.braked(strength, 0.0)
