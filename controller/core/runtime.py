"""The table at work: one queue, one writer; nothing leaves before it is on disk."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec
import structlog

from controller import withheld
from controller.config.kept import edition, plain
from controller.config.types import TableConfig
from controller.core.effects import AnyEffect, Desired, Ordered, TimerOff, TimerSet
from controller.core.events import Command, DiskLow, SignShown, Started, Stopped, TimerDue
from controller.core.guarded import GuardedTable
from controller.core.table import Table
from controller.core.tabletime import JITTER_MS
from controller.journal import row as record
from controller.journal.committer import Committer, Timed
from controller.journal.file import Entry, JournalFile, JournalTrouble, digest
from controller.journal.head import Note
from controller.people import Person
from drivers.events import DeviceEvent, Driver, Mark
from firmware_specs.clock import Clock, Timer

DISK_CHECK_S = 10.0
DISK_LOW_MB = 64
ORDERS_A_RESTORE = 1 << 28
USE_IT = (
    "use that version, end the round with it and stop it in order, then start this one; or start a new journal. "
    "This one can still be shown, verified and exported"
)
"""What to do about a journal that another version left in the middle of play."""

log = structlog.get_logger()


class Told(msgspec.Struct, frozen=True):
    """Something that is now certain: an event and its conclusions, durable."""

    seq: int
    at: int
    event: msgspec.Struct
    effects: list[AnyEffect]


class Dresser(Protocol):
    """Adds to a device's event what the table must know of it, such as the value of a chip; one event or more."""

    def dress(self, event: DeviceEvent) -> list[msgspec.Struct]: ...


Watcher = Callable[[Told], None]
Glimpse = Callable[[str, msgspec.Struct], None]


class Runtime:
    """Takes events from drivers, people and the clock; hands effects to drivers, screens and logs once durable."""

    def __init__(self, clock: Clock, table: GuardedTable, journal: JournalFile, dresser: Dresser) -> None:
        self.clock = clock
        self.guarded = table
        self.journal = journal
        self.dresser = dresser
        self.committer: Committer
        self.drivers: dict[str, Driver] = {}
        self.watchers: list[Watcher] = []
        self.glimpses: list[Glimpse] = []
        self.newest_head: Callable[[], Note | None] = lambda: None
        self.uplink_sign: Callable[[], msgspec.Struct | None] = lambda: None
        self.broken = ""
        self.unclean = journal.last_seq > (journal.resumed.seq if journal.resumed is not None else 0)
        """Whether the start before this one did not end in good order, so that rows had to be gone through again."""
        self._timers: dict[str, Timer] = {}
        self._disk_timer: Timer | None = None
        self._disk_low = False
        # After a restore from a backup, numbers of events come again that devices may know as orders done.
        self._orders_from = int(journal.meta("restores") or 0) * ORDERS_A_RESTORE
        table.defect = lambda seq, trace: log.error("event_not_handled", seq=seq, trace=trace)

    @property
    def table(self) -> Table:
        return self.guarded.table

    # -- coming up and going down ------------------------------------------------------------------------------

    def start(self, version: str, config: TableConfig, committer: Committer) -> None:
        """Come up on what the journal holds, then listen to the devices."""
        self.committer = Timed(committer, self.clock.now) if config.metrics is not None else committer
        self.submit(Started(version, plain(config), edition(config.table.rulebook), self.guarded.played_by))
        for timer, at in self.table.state.desk.timers.items():
            self._set_timer(timer, at)
        for place, driver in self.drivers.items():
            state = self.table.state
            mine = (code.partition(":") for code in (*state.faults, *state.troubles))
            driver.recall(frozenset(code for whose, _, code in mine if whose == place))
            driver.start()
        self._check_disk()

    def stop(self) -> None:
        for driver in self.drivers.values():
            driver.stop()
        for timer in self._timers.values():
            timer.cancel()
        if self._disk_timer is not None:
            self._disk_timer.cancel()
        self.submit(Stopped())
        self.committer.close()

    def journal_failed(self, error: Exception) -> None:
        """The journal could not be written: what is in memory is ahead of the disk, so nothing may go on."""
        self.broken = (
            f"The journal {self.journal.path} cannot be written ({error}). Nothing was settled since event "
            f"{self.journal.last_seq}. Free space or replace the card, then restart the controller."
        )
        log.critical("journal_failed", error=withheld.error(error), last_durable=self.journal.last_seq)
        for driver in self.drivers.values():
            driver.stop()

    # -- events in ---------------------------------------------------------------------------------------------

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        """A device's event; acknowledged once it is on disk."""
        dressed = self.dresser.dress(event)
        for part in dressed[:-1]:
            self.submit(part)
        self.submit(dressed[-1], device=event.device, mark=mark, then=durable)

    def glimpse(self, device: str, live: msgspec.Struct) -> None:
        for look in self.glimpses:
            look(device, live)

    def command(
        self, name: str, by: Person, args: Mapping[str, Any] | None = None, reply: Watcher | None = None
    ) -> None:
        """A person's key; `reply` hears what came of it once that is durable."""
        self.submit(Command(name, by, dict(args or {})), reply=reply)

    def sign_shown(self, revision: int) -> None:
        if revision > self.table.state.sign_shown:
            self.submit(SignShown(revision))

    def submit(
        self,
        event: msgspec.Struct,
        *,
        device: str = "",
        mark: Mark | None = None,
        then: Callable[[], None] | None = None,
        reply: Watcher | None = None,
    ) -> None:
        """Decide now, tell the world after the commit."""
        if self.broken:
            return
        at = self.clock.wall()
        if self.guarded.position.time.last - at > JITTER_MS:
            log.warning("clock_set_back", milliseconds=self.guarded.position.time.last - at)
        event = record.as_kept(event)
        effects = self.guarded.apply(at, event, device, mark)
        told = Told(self.guarded.position.seq, at, event, effects)
        snapshot = self.guarded.snapshot(now=isinstance(event, Stopped))
        kept = record.Record(
            event,
            effects,
            mark,
            record.FORM,
            digest(snapshot) if snapshot is not None else "",
            self._resumed() if isinstance(event, Started) else None,
        )
        entry = Entry(at, record.encode(kept), snapshot)
        self.committer.add(entry, lambda: self._release(told, then, reply))

    def _resumed(self) -> record.Resumed:
        """The snapshot that this start came from, for the chain: another one later would be another story."""
        snapshot = self.journal.resumed
        return record.Resumed(snapshot.seq, digest(snapshot.body)) if snapshot is not None else record.Resumed()

    # -- effects out -------------------------------------------------------------------------------------------

    def _release(self, told: Told, then: Callable[[], None] | None, reply: Watcher | None) -> None:
        if then is not None:
            then()
        for effect in told.effects:
            match effect:
                case Desired(device, outputs) if device in self.drivers:
                    self.drivers[device].desire(outputs)
                case Ordered(device, command, args) if device in self.drivers:
                    self._order(told.seq, device, command, args)
                case TimerSet(timer, at):
                    self._set_timer(timer, at)
                case TimerOff(timer):
                    self._cancel_timer(timer)
        if reply is not None:
            reply(told)
        for watch in self.watchers:
            watch(told)

    def _order(self, seq: int, device: str, command: str, args: dict[str, Any]) -> None:
        def done(status: str, result: dict[str, Any]) -> None:
            log.info("device_order", device=device, command=command, status=status, order=seq)

        self.drivers[device].order((self._orders_from + seq) & 0xFFFFFFFF, command, args, done)

    def _set_timer(self, timer: str, at: int) -> None:
        self._cancel_timer(timer)
        # Timers are told in the table's own time, which goes on when the clock is set back.
        delay = max(0.0, (at - self.clock.wall() - self.guarded.position.time.back) / 1000)
        self._timers[timer] = self.clock.call_later(delay, self._timer_due, timer)

    def _cancel_timer(self, timer: str) -> None:
        if known := self._timers.pop(timer, None):
            known.cancel()

    def _timer_due(self, timer: str) -> None:
        self._timers.pop(timer, None)
        self.submit(TimerDue(timer))

    def _check_disk(self) -> None:
        try:
            free = shutil.disk_usage(self.journal.path.parent).free // 1_000_000
        except OSError as error:
            log.warning("disk_not_readable", error=str(error))
            free = 0
        low = free < DISK_LOW_MB
        if low != self._disk_low:
            self._disk_low = low
            self.submit(DiskLow(free, low))
        self._disk_timer = self.clock.call_later(DISK_CHECK_S, self._check_disk)


def recover(table: GuardedTable, journal: JournalFile, from_snapshot: bool = True) -> int:
    """Bring a fresh table to where the journal ends; the number of events replayed."""
    snapshot = journal.newest_sound_snapshot() if from_snapshot else None
    if snapshot is not None:
        try:
            table.restore(snapshot.body)
        except msgspec.MsgspecError as error:
            raise JournalTrouble(
                f"{journal.path}: the table as it stood after event {snapshot.seq} cannot be read ({error}); {USE_IT}"
            ) from error
    first = table.position.seq + 1
    journal.verify(first)
    count = 0
    for row in journal.rows(first):
        kept = record.read(row, journal.path)
        device = getattr(kept.event, "device", "")
        effects = table.apply(row.at, kept.event, device, kept.mark)
        if not record.same_conclusions(kept, effects, row.body):
            raise JournalTrouble(
                f"{journal.path}: event {row.seq} gives other conclusions now than when it was written; this program "
                f"or its rulebook differs from the one that ran the table: {USE_IT}"
            )
        count += 1
    return count
