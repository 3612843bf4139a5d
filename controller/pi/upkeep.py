"""What the table does about the machine it runs on: room on the disk, and the program being the one installed."""

from __future__ import annotations

from typing import Any, Protocol

from controller.core.alarms import Alarm
from controller.core.desk import Desk
from controller.core.events import (
    ClockCompared,
    DiskLow,
    EditionDue,
    FellBack,
    JournalChecked,
    ProgramChecked,
    TwinSeen,
)
from controller.core.house import House


class KeptState(Protocol):
    """The part of a table's state that is about its program."""

    fell_back: bool
    edition_due: str
    clock: ClockCompared | None


class Suspendable(Protocol):
    """A table that can be given a cause for suspension, and be told that it is over."""

    house: House

    @property
    def desk(self) -> Desk: ...

    @property
    def state(self) -> KeptState: ...

    def fault(self, alarm: Alarm[Any], about: int | str = "", rank: int = 0) -> None: ...

    def fault_over(self, code: str) -> None: ...


class DiskFull(Alarm[Suspendable]):
    """A journal that cannot grow cannot be played on."""

    code = "disk"
    text = "Only {free} MB are left on the disk under the journal."
    remedy = "Export and remove old gaming days, or fit a larger card; play resumes by itself."
    held = True
    free: int


class JournalDamaged(Alarm[Suspendable]):
    """What stands there can be trusted no more; a person must see it, and a copy must be made."""

    code = "journal"
    text = "The journal is damaged: {damage}."
    remedy = (
        "Finish the round by hand, keep the journal as evidence and start a new one; "
        "to play on with it as it is, clear this fault."
    )
    held = True
    damage: str


class TwinTable(Alarm[Suspendable]):
    """Of two machines that play as one table, one writes a story that is not this table's."""

    code = "twin"
    text = "Another machine keeps heads under this table's name: {differs}."
    remedy = (
        "Find it (a spare that was started, a card that was copied) and stop it, keep what it wrote as evidence, then "
        "restart this table; to play on meanwhile, clear this fault."
    )
    held = True
    differs: str


class ProgramDiffers(Alarm[Suspendable]):
    """Nothing may be decided by a program that nobody answers for."""

    code = "manifest"
    text = "The installed program differs from its manifest: {files}."
    remedy = "Install the program again and restart; to play on with it as it is, clear this fault."
    held = True
    files: str


class FellBackAlarm(Alarm[Suspendable]):
    """An update that is not whole is not run."""

    code = "fell_back"
    text = "Version {installed} of the program is not whole, so version {running} runs."
    remedy = "Install the bundle again, between two rounds: sudo ./install.sh."
    installed: str
    running: str

    @staticmethod
    def while_(table: Suspendable, _: str) -> bool:
        """Until the program that runs is the one that was installed last."""
        return table.state.fell_back


class ClockWrong(Alarm[Suspendable]):
    """Play goes by seconds and not by the date, but what is written is dated by this clock."""

    code = "clock_wrong"
    text = "The clock of this machine {impossible}, which cannot be: events are dated wrongly."
    remedy = (
        "Set it (sudo timedatectl set-time) or give the machine a network with a time server; note the true time "
        "meanwhile. The doctor says when it is right: sudo tablectl doctor."
    )
    impossible: str

    @staticmethod
    def while_(table: Suspendable, _: str) -> bool:
        """Until the clock was looked at again and may be right."""
        return table.state.clock is not None and bool(table.state.clock.impossible)


class EditionDueAlarm(Alarm[Suspendable]):
    """Rules that are no longer in force are played by to the end of play, and no table is opened under them."""

    code = "edition_due"
    text = "The rulebook was amended ({reference}): version {version} is in force, not the one played by here."
    remedy = "Close the table as soon as the rules allow it, and restart the controller: sudo tablectl restart."
    version: str
    reference: str

    @staticmethod
    def while_(table: Suspendable, _: str) -> bool:
        """Until the table came up under the amended edition."""
        return bool(table.state.edition_due)


Upkeep = DiskLow | ProgramChecked | ClockCompared | EditionDue | FellBack | JournalChecked | TwinSeen


def upkeep(table: Suspendable, event: Upkeep) -> None:
    """Suspend for what is wrong with the machine, or take the cause away once a check finds it gone."""
    by_hand = table.house.power("resume").rank
    match event:
        case DiskLow(free_mb, True):
            table.fault(DiskFull(free=free_mb))
        case DiskLow():
            table.fault_over("disk")
        case JournalChecked(rows, wrong) if wrong:
            table.fault(JournalDamaged(damage=wrong), rank=by_hand)
        case TwinSeen(why):
            table.fault(TwinTable(differs=why), rank=by_hand)
        case JournalChecked(rows):
            table.desk.note("journal_checked", rows=rows)
        case ClockCompared():
            table.state.clock = event
            table.desk.note("clock", followed=event.followed, ahead_ms=event.ahead_ms, within_ms=event.within_ms)
            if event.impossible:
                ClockWrong(impossible=event.impossible).holds(table)
        case EditionDue(version, reference):
            table.state.edition_due = version
            EditionDueAlarm(version=version, reference=reference).holds(table)
        case FellBack(installed, running):
            table.state.fell_back = True
            FellBackAlarm(installed=installed, running=running).holds(table)
        case ProgramChecked():
            table.state.fell_back = False  # told anew right after this, where it still holds
            table.desk.note("program", manifest=event.manifest, files=event.files, wrong=len(event.wrong))
            if event.wrong:
                table.fault(ProgramDiffers(files=", ".join(event.wrong)), rank=by_hand)
            else:
                table.fault_over("manifest")
