"""The alarms of the table itself, whatever is played; those of its devices, its machine and its people among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.core.alarms import Alarm, Alarms
from controller.core.desk import Clauses
from controller.core.device_faults import NotIdentified, NotListenedTo, OutOfPlace, Silent, Troubled
from controller.people.attendance import LockedOutAlarm
from controller.pi.upkeep import (
    ClockWrong,
    DiskFull,
    EditionDueAlarm,
    FellBackAlarm,
    JournalDamaged,
    ProgramDiffers,
    TwinTable,
)

if TYPE_CHECKING:
    from controller.core.table import Table


class Defect(Alarm["Table"]):
    """An event that the program could not handle."""

    code, about = "error", int
    text = "The controller could not handle event {seq}: {error}"
    remedy = "Read the event with the journal command, rule the round by hand, then clear the fault."
    held = True
    seq: int
    error: str


class SignMissing(Alarm["Table"]):
    """The table cannot open before its limits are shown."""

    code = "sign"
    text = "The limit sign does not show the limits yet."
    remedy = "Check the sign's screen."
    held = True

    def why(self, owner: Table) -> Clauses:
        return (owner.house.power("open_table").clause,)


class SignBehind(Alarm["Table"]):
    """A minimum that nobody was shown does not hold."""

    code = "sign_behind"
    text = "The sign does not show the coming minimum, so it cannot take effect."
    remedy = "Check the sign's screen."

    @classmethod
    def coded(cls, about: int | str) -> str:
        return SignMissing.code

    def why(self, owner: Table) -> Clauses:
        return (owner.house.raising.clause,)

    @staticmethod
    def while_(table: Table, _: str) -> bool:
        """Until the sign shows the coming minimum, or none is coming."""
        return table.state.coming is not None and table.state.sign_shown < table.state.sign


class FloorMessage(Alarm["Table"]):
    """What the floor wants the pit to know stays until somebody has read it."""

    code, about = "floor_message", int
    text = "{who} of the floor: {words}"
    remedy = "Do what it asks, then mark it as seen to; the floor sees that."
    seen_to = "resume"
    who: str
    words: str


class StrangeOrders(Alarm["Table"]):
    """Whoever owns the broker can send anything, and nothing of it is carried out."""

    code = "strange_orders"
    text = "Orders came over the network that were turned away ({count}): {cause}."
    remedy = "Ask the floor by telephone whether it gave any; if not, somebody else uses the broker."
    seen_to = "resume"
    count: int
    cause: str


ALARMS: Alarms[Table] = Alarms(
    NotIdentified, Silent, OutOfPlace, Troubled, Defect, SignMissing, SignBehind,
    NotListenedTo, ClockWrong,
    DiskFull, JournalDamaged, EditionDueAlarm, FellBackAlarm, ProgramDiffers, TwinTable, LockedOutAlarm, FloorMessage,
    StrangeOrders,
)  # fmt: skip
