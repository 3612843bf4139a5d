"""The alarms of the table itself, whatever is played: its devices, its sign, its program, the people at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.core.alarms import Alarm, Alarms
from controller.core.desk import Clauses
from controller.people.attendance import LockedOutAlarm
from controller.pi.upkeep import DiskFull, FellBackAlarm, JournalDamaged, ProgramDiffers

if TYPE_CHECKING:
    from controller.core.table import Table


class NotIdentified(Alarm["Table"]):
    """A device that was not heard since the start; it ends as one that fell silent does."""

    code = "not_identified"
    text = "No device has identified itself at “{place}” yet."
    remedy = "Check the power and the cable of “{place}”."
    held = True
    place: str

    @classmethod
    def coded(cls, about: int | str) -> str:
        return f"{about}:down"


class Silent(Alarm["Table"]):
    """A device that was there is heard no more."""

    code = "down"
    text = "“{place}” is silent: {cause}"
    remedy = "{steps}"
    held = True
    place: str
    cause: str
    steps: str

    @classmethod
    def coded(cls, about: int | str) -> str:
        return f"{about}:down"


class OutOfPlace(Alarm["Table"]):
    """What answers is not what belongs there."""

    code = "refused"
    text = "What answers at “{place}” does not belong there: {reason}"
    remedy = "{steps}"
    held = True
    place: str
    reason: str
    steps: str

    @classmethod
    def coded(cls, about: int | str) -> str:
        return f"{about}:refused"


class Troubled(Alarm["Table"]):
    """A device tells of a trouble in its own words; what it is about is its place and the trouble's code."""

    code = "trouble"
    text = "{cause}"
    remedy = "{steps}"
    held = True
    cause: str
    steps: str

    @classmethod
    def coded(cls, about: int | str) -> str:
        return str(about)


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
    DiskFull, JournalDamaged, FellBackAlarm, ProgramDiffers, LockedOutAlarm,
)  # fmt: skip
