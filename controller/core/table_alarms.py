"""The alarms of the table itself, whatever is played; those of its devices, its machine and its people among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.core.alarms import Alarm, Alarms
from controller.core.desk import Clauses
from controller.core.device_faults import NotIdentified, OutOfPlace, Silent, Troubled
from controller.people.attendance import LockedOutAlarm
from controller.pi.upkeep import DiskFull, EditionDueAlarm, FellBackAlarm, JournalDamaged, ProgramDiffers, TwinTable

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


ALARMS: Alarms[Table] = Alarms(
    NotIdentified, Silent, OutOfPlace, Troubled, Defect, SignMissing, SignBehind,
    DiskFull, JournalDamaged, EditionDueAlarm, FellBackAlarm, ProgramDiffers, TwinTable, LockedOutAlarm,
)  # fmt: skip
