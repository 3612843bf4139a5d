"""What the table does about the machine it runs on: room on the disk, and the program being the one installed."""

from __future__ import annotations

from typing import Protocol

from controller.core.desk import Desk
from controller.core.events import DiskLow, FellBack, JournalChecked, ProgramChecked
from controller.core.house import House


class Suspendable(Protocol):
    """A table that can be given a cause for suspension, and be told that it is over."""

    desk: Desk
    house: House

    def fault(self, code: str, text: str, remedy: str, rank: int = 0) -> None: ...

    def fault_over(self, code: str) -> None: ...


def upkeep(table: Suspendable, event: DiskLow | ProgramChecked | FellBack | JournalChecked) -> None:
    """Suspend for what is wrong with the machine, or take the cause away once a check finds it gone."""
    match event:
        case DiskLow(free_mb, True):
            table.fault("disk", f"Only {free_mb} MB are left on the disk under the journal.",
                        "Export and remove old gaming days, or fit a larger card; play resumes by itself.")  # fmt: skip
        case DiskLow():
            table.fault_over("disk")
        case JournalChecked(rows, wrong) if wrong:
            # What stands there can be trusted no more; a person must see it, and a copy must be made.
            table.fault("journal", f"The journal is damaged: {wrong}.",
                        "Finish the round by hand, keep the journal as evidence and start a new one; "
                        "to play on with it as it is, clear this fault.",
                        table.house.power("resume").rank)  # fmt: skip
        case JournalChecked(rows):
            table.desk.note("journal_checked", rows=rows)
        case FellBack(installed, running):
            table.desk.alarm("fell_back",
                             f"Version {installed} of the program is not whole, so version {running} runs.",
                             "Install the bundle again, between two rounds: sudo ./install.sh.")  # fmt: skip
        case ProgramChecked():
            table.desk.alarm_over("fell_back")  # told anew right after this, where it still holds
            table.desk.note("program", manifest=event.manifest, files=event.files, wrong=len(event.wrong))
            if event.wrong:
                # Nothing may be decided by a program that nobody answers for.
                table.fault("manifest", f"The installed program differs from its manifest: {', '.join(event.wrong)}.",
                            "Install the program again and restart; to play on with it as it is, clear this fault.",
                            table.house.power("resume").rank)  # fmt: skip
            else:
                table.fault_over("manifest")
