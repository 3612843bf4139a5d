"""What a Big Wheel round remembers; plain values, saved and restored whole."""

from __future__ import annotations

import msgspec

from controller.core.desk import LimitsInForce
from controller.core.effects import WagerResult
from controller.core.events import Chip
from controller.games.wheel.layout import Laid, LateChange
from controller.games.wheel.settle import Wager
from controller.money.colours import ColourLedger
from controller.money.slid import Slid
from drivers.motion import SpinVerdict
from drivers.motion.fairness import Landed

WHILE = {
    "idle": "no round is under way",
    "betting_open": "bets are being placed",
    "closed_wait_spin": "the spin is waited for",
    "spin_open": "the wheel turns and betting is open",
    "spin_closed": "the wheel turns",
    "check": "the result is being checked",
    "ruling": "a decision is waited for",
    "no_spin": "a no spin is being called",
    "result": "the result waits to be announced",
    "collect": "losing wagers are being collected",
    "pay": "winning wagers are being paid",
    "cancelled": "the wagers of an invalid spin go back",
}
"""The states of a round, and how a refusal says each."""
STATES = tuple(WHILE)
FROZEN = frozenset({"closed_wait_spin", "spin_closed", "check", "ruling", "result"})
"""States in which nobody may touch a wager (3.2)."""
NO_SPIN_REASONS = {
    "under_revs": "7.1.1",
    "not_clear": "7.1.2",
    "interference": "7.1.3",
    "malfunction": "7.1.3",
}
"""The closed list of 7.1, with the clause of each."""
REASON_WORDS = {
    "under_revs": "too few turns",
    "not_clear": "not clearly in a compartment",
    "interference": "the wheel was touched",
    "malfunction": "the wheel or its sensor failed",
}
"""The same as people on the floor say it."""
UNDER_WAY = tuple(state for state in STATES if state not in ("idle", "no_spin", "cancelled"))
UNSETTLED_SPIN = ("spin_open", "spin_closed", "check", "ruling", "result")
"""States with a spin that the dealer can still call off: nothing of it was announced, let alone paid."""
BOOKED = ("collect", "pay")
"""States with a settlement that is owed and not yet done."""


class Spin(msgspec.Struct, frozen=True):
    """The spin that this round is decided by."""

    number: int
    sense: str
    started_at: int
    turns: int = 0


class Unclear(msgspec.Struct, frozen=True):
    """A chip that several areas see."""

    chip: Chip
    areas: tuple[int, ...]
    owner: str = ""


class Round(msgspec.Struct):
    """What belongs to one round and ends with it."""

    frozen: dict[int, Laid] | None = None
    closed_at: int = 0
    limits: LimitsInForce | None = None  # as they stood at the close; a change after it is for the next wagers
    came: dict[int, int] = {}  # when chips last came to an area, by the mat's clock
    outside: tuple[Wager, ...] = ()
    outside_tags: tuple[int, ...] = ()
    in_hand: dict[int, int] = {}
    posted: set[int] = set()
    late: tuple[LateChange, ...] = ()
    late_settled: tuple[LateChange, ...] = ()
    disturbed: bool = False
    spin: Spin | None = None
    verdict: SpinVerdict | None = None
    reported: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    ruled: tuple[str, ...] = ()
    winner: str = ""
    named_by: str = ""  # who named the winner, where the sensor does not
    results: tuple[WagerResult, ...] = ()
    settled: bool = False
    cleared: bool = False

    @property
    def seen(self) -> SpinVerdict:
        """What the sensor saw of the spin, once the wheel rests."""
        assert self.verdict is not None
        return self.verdict


class Past(msgspec.Struct, frozen=True):
    """The round that was settled last, as long as it may still be invalidated."""

    round: int
    wagers: tuple[Wager, ...]
    results: tuple[WagerResult, ...] = ()


class WheelState(msgspec.Struct):
    """Everything the game knows between events."""

    picture: dict[int, Laid] = {}
    slid: Slid = msgspec.field(default_factory=Slid)
    unclear: dict[int, Unclear] = {}
    placed: dict[int, Unclear] = {}  # on a line, and ruled onto one of its areas
    round: Round = msgspec.field(default_factory=Round)
    past: Past | None = None
    directed: int = 0
    advised: set[str] = set()
    advised_of: int = 0
    voided: set[str] = set()
    excluded: set[str] = set()
    withheld: set[str] = set()
    held_back: dict[str, int] = {}  # winnings of finished rounds that are withheld, in cents
    seats: dict[int, str] = {}
    idle_rounds: dict[int, int] = {}
    turning: bool = False
    homing: bool = False  # the sensor found its index mark anew and no eye has confirmed its reading since
    landed: Landed = msgspec.field(default_factory=Landed)  # valid spins since the table opened
    dealer: str = ""  # who pressed a key last
    ledger: ColourLedger = msgspec.field(default_factory=ColourLedger)
