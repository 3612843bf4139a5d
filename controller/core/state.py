"""What a table knows besides its game; plain values, saved and restored whole."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.desk import DeskState, Fault, Limits, PersonalLimit, Refusal
from controller.core.events import Chip, ClockCompared
from controller.core.take_back import Pressed
from controller.money.table_money import MoneyState
from controller.people.attendance import Attendance


class Closing(msgspec.Struct, frozen=True):
    """A closing notice: so many rounds still to come, or not before this time; and the sign's revision that says so."""

    rounds: int = 0
    until: int = 0
    revision: int = 0


class LimitChange(msgspec.Struct, frozen=True):
    """Limits that take effect later, and the sign's revision that first says so."""

    limits: Limits
    at: int
    revision: int = 0


class ByHand(msgspec.Struct):
    """A device that is played without: since when, by whom, from which round on, and what has come of it.

    `unheard` is how often it told something that did not count. Of a mat, `chips` were keyed and not read, so much was
    `taken` and `paid` by key, and `seen` is what it would tell by now.
    """

    since: int
    by: str
    round: int
    reason: str = ""
    rounds: int = 0
    unheard: int = 0
    chips: int = 0
    taken: int = 0
    paid: int = 0
    seen: dict[int, list[Chip]] = {}


class PlayedFreely:
    """What binds a table besides its rulebook, as its game asks: nothing, unless a tournament is played at it."""

    def no_round(self) -> Refusal | None:
        """Why no round may begin, or have its first card, though the game itself is ready."""
        return None

    def no_stake(self, player: str, place: int) -> Refusal | None:
        """Why this player may not stake at this box or seat."""
        return None

    def laid_for(self, player: str) -> bool:
        """Whether the dealer lays chips for this player after betting was closed."""
        return False

    def can_match(self, player: str, cents: int) -> bool:
        """Whether this player may have as much again to lay."""
        return True

    def machines_besides(self) -> dict[str, str]:
        """Machines besides the table's life and its round, and where each stands."""
        return {}

    def event_view(self) -> dict[str, Any]:
        """What the screens show of a tournament."""
        return {}

    def announces_idle_seats(self) -> bool:
        """Whether whoever stakes nothing for long is asked for the seat."""
        return True


LIFE = {
    "closed": "the table is closed",
    "opening": "the table is being opened",
    "open": "the table is open",
    "closing": "the table's closing is announced",
    "suspended": "play is suspended",
}
"""The states of a table's life, and how a refusal says each."""


class TableState(msgspec.Struct):
    """Everything the table knows besides the game."""

    life: str = "closed"
    resume_to: str = ""
    hindrance: str = ""
    round: int = 1
    limits: Limits = Limits(0, 0)
    coming: LimitChange | None = None
    personal: dict[str, PersonalLimit] = {}
    closing: Closing | None = None
    faults: dict[str, Fault] = {}
    troubles: dict[str, Fault] = {}  # at places that the game can do without
    by_hand: dict[str, ByHand] = {}  # devices that are played without, by place
    fell_back: bool = False  # to an earlier version of the program
    edition_due: str = ""  # the version of an amended rulebook that is in force and not played by yet
    clock: ClockCompared | None = None  # what was told last of the machine's own clock
    devices: dict[str, str] = {}
    outputs: dict[str, dict[str, Any]] = {}
    sign: int = 0
    sign_shown: int = 0
    pressed: Pressed | None = None  # the key that may still be taken back
    orders: dict[str, int] = {}  # ids of the floor's orders that were heard, and until when each is remembered
    people: Attendance = msgspec.field(default_factory=Attendance)
    desk: DeskState = msgspec.field(default_factory=DeskState)
    money: MoneyState = msgspec.field(default_factory=MoneyState)
    event: msgspec.Raw = msgspec.Raw(b"null")  # what is known of a tournament, as its own module keeps it

    def causes(self) -> set[str]:
        """What the table holds against itself: faults, troubles, and what keeps it from opening."""
        return {*self.faults, *self.troubles, self.hindrance}


class Saved(msgspec.Struct):
    """A snapshot: the table and its game; where the round stands, and where it came from if it is interrupted."""

    table: TableState
    round_state: str
    game: msgspec.Raw
    round_from: str = ""
