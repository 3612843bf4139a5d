"""What the motion analysis concludes from one spin, for the table and for people."""

from __future__ import annotations

from typing import Literal

import msgspec

from drivers.motion.natural import Natural

Clear = Literal["clear", "near", "not_clear", "unknown"]
Reason = Literal["under_revs", "not_clear", "interference", "malfunction"]
Sense = Literal["clockwise", "anticlockwise"]


class Finding(msgspec.Struct, frozen=True):
    """One observation that speaks against the spin, with its numbers."""

    reason: Reason
    kind: str
    turn: float
    measured: float
    expected: float
    text: str


class SpinVerdict(msgspec.Struct, frozen=True):
    """Where the wheel rests, and everything that speaks against the spin.

    `compartment` stays known for a short or touched spin, because level 2 may overrule the sensor; it is None when
    the pointer is not clear or the evidence cannot be believed.
    """

    clear: Clear
    compartment: int | None
    forward: float
    reversal: float
    reasons: tuple[Reason, ...]
    findings: tuple[Finding, ...]
    sense: Sense
    offset: float | None  # share of a compartment to the nearest divider
    since_release: float  # compartments since the speed peak, for review (W-A1)
    fastest: float  # turns a second
    trace: bytes
    rarity: float = 1.0  # the share of natural spins that look at least as unusual
    against: Natural | None = None  # the wheel as it was held to be when this spin was judged
    homed: bool = True  # False when the sensor found its index mark anew in it: an eye must confirm the map

    @property
    def valid(self) -> bool:
        """Nothing speaks against the spin and the pointer is clear."""
        return not self.reasons and self.clear == "clear"
