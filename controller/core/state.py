"""What a table knows besides its game; plain values, saved and restored whole."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.desk import DeskState, Fault, Limits, PersonalLimit
from controller.core.events import ClockCompared
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
    fell_back: bool = False  # to an earlier version of the program
    edition_due: str = ""  # the version of an amended rulebook that is in force and not played by yet
    clock: ClockCompared | None = None  # what was told last of the machine's own clock
    devices: dict[str, str] = {}
    outputs: dict[str, dict[str, Any]] = {}
    sign: int = 0
    sign_shown: int = 0
    pressed: Pressed | None = None  # the key that may still be taken back
    people: Attendance = msgspec.field(default_factory=Attendance)
    desk: DeskState = msgspec.field(default_factory=DeskState)
    money: MoneyState = msgspec.field(default_factory=MoneyState)

    def causes(self) -> set[str]:
        """What the table holds against itself: faults, troubles, and what keeps it from opening."""
        return {*self.faults, *self.troubles, self.hindrance}


class Saved(msgspec.Struct):
    """A snapshot: the table and its game; where the round stands, and where it came from if it is interrupted."""

    table: TableState
    round_state: str
    game: msgspec.Raw
    round_from: str = ""
