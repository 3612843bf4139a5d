"""What is told besides chips, cards and keys: by the machine beneath the table, by its sign, by a reader of cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from controller.core.events import (
    ClockCompared,
    DiskLow,
    FellBack,
    FloorOrder,
    JournalChecked,
    LockLifted,
    NotSignedIn,
    Order,
    OrdersTurnedAway,
    PlayerCardRead,
    ProgramChecked,
    SignShown,
    TwinSeen,
)
from controller.people import Person
from drivers.events import DeviceRefused

if TYPE_CHECKING:
    from lab.explore.table import ExploredTable

Tells = Callable[["ExploredTable"], list[msgspec.Struct]]
SOMEBODY, DESK, JOURNAL = "S9", "desk", "explored"
REFUSED = "refused"


def _sign(lit: bool) -> Tells:
    def told(table: ExploredTable) -> list[msgspec.Struct]:
        table.sign_dark = not lit
        return [SignShown(table.table.state.sign)] if lit else []

    return told


def _refused(table: ExploredTable) -> list[msgspec.Struct]:
    place = min(table.config.devices)
    table.down.add(place)
    return [DeviceRefused(place, "another kind of device answers", "plug the right one in")]


def _ordered(kind: str, args: dict[str, Any]) -> Tells:
    """Somebody of the floor orders this of the table, with its highest rank."""

    def told(table: ExploredTable) -> list[msgspec.Struct]:
        rank = table.table.house.rulebook.ladder[-1]
        number = f"order {len(table.rows)}"
        return [FloorOrder(Order(number, JOURNAL, kind, SOMEBODY, rank, table.at, args), JOURNAL, "signed")]

    return told


TELLS: dict[str, Tells] = {
    "disk full": lambda table: [DiskLow(40, True)],
    "disk has room": lambda table: [DiskLow(9_000, False)],
    "journal damaged": lambda table: [JournalChecked(len(table.rows), "row 7 does not follow from row 6")],
    "twin": lambda table: [TwinSeen("a head of another journal")],
    "program differs": lambda table: [ProgramChecked("explored", 3, ("controller/app.py",))],
    "program is whole": lambda table: [ProgramChecked("explored", 3)],
    "fell back": lambda table: [ProgramChecked("explored", 3), FellBack("2", "1")],
    "wrong PINs": lambda table: [NotSignedIn(DESK, "locked", "Too many wrong PINs.", SOMEBODY, 5, 0)],
    "lock lifted": lambda table: [LockLifted(DESK, SOMEBODY, Person("S2", 2))],
    "sign dark": _sign(lit=False),
    "sign lit": _sign(lit=True),
    "card read": lambda table: [PlayerCardRead("players", "a1b2c3", "valid")],
    "card void": lambda table: [PlayerCardRead("players", "d4e5f6", "cancelled")],
    "another device": _refused,
    "clock wrong": lambda table: [ClockCompared(True, impossible="shows 1970")],
    "clock right": lambda table: [ClockCompared(True, 3, 10)],
    "orders turned away": lambda table: [OrdersTurnedAway(3, "not signed by the floor")],
    "floor writes": _ordered("message", {"text": "Send the next deck to the pit."}),
    "floor raises": _ordered("limits", {"least": 1_000, "most": 50_000}),
    "floor lowers": _ordered("limits", {"least": 500, "most": 25_000}),
    "floor closes": _ordered("closing", {}),
}
PUT_RIGHT = {
    "disk full": "disk has room",
    "program differs": "program is whole",
    "fell back": "program is whole",
    "wrong PINs": "lock lifted",
    "sign dark": "sign lit",
    "clock wrong": "clock right",
}
"""What is told once somebody has seen to it; anything else ends by a key, or by itself."""
GOES_WRONG = tuple(name for name in TELLS if name not in PUT_RIGHT.values())


def told(table: ExploredTable, what: str) -> list[msgspec.Struct] | None:
    """What is told of this; None where it is not for now."""
    if what in PUT_RIGHT.values() and what not in table.standing.values():
        return None
    table.standing = {wrong: right for wrong, right in table.standing.items() if right != what}
    if what in PUT_RIGHT:
        table.standing[what] = PUT_RIGHT[what]
    return TELLS[what](table)
