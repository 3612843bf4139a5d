"""A soaked day on a bad machine: its disk is slow or full, its clock jumps, its descriptors run out.

Beside what every soaked day is held against, pages are looked at all day and compared with the table as the journal
gives it again: a page shows what was true at its number, and says so when the disk is slow.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import resource
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from controller.config.types import TableConfig
from controller.core.guarded import GuardedTable
from controller.core.runtime import Runtime, Told, recover
from controller.core.table import Table
from controller.journal.chain_check import ChainCheck
from controller.journal.committer import Committer, InlineCommitter, Release
from controller.journal.file import Entry
from controller.web.board import BEAT_S, SECTIONS, SLOW_S, Board
from drivers.events import Mark
from lab.proofs.soak import Day, Sample, Soaked
from lab.proofs.stage import MortalClock

BAD = 0.5
"""The share of all troubles that is the machine's own."""
LATENCY_S = (0.3, 2.0)
LASTS_S = (20.0, 240.0)
JUMPS_MS = (-3_600_000, 3_600_000, -90_000, 90_000, 5_000)
NOTICED_S = 40.0
"""How long a table stands with a journal that cannot be written until somebody has made room and starts it again."""
LOOKED_AT = 0.02
"""The share of all events after which somebody looks at the page at once."""
SPARE_FILES = 3
COMPARED = ("life", "game", "prompts", "alarms")
"""What of a page is held against the table."""

_encode = msgspec.json.Encoder().encode


class BadDisk(InlineCommitter):
    """A disk that takes its time for one commit after the other, and may be full."""

    def __init__(self, runtime: Runtime, latency: Callable[[], float], full: Callable[[], bool]) -> None:
        super().__init__(runtime.journal, runtime.clock, runtime.journal_failed)
        self._latency, self._full = latency, full
        self._writing = False

    def add(self, entry: Entry, release: Release) -> None:
        self._entries.append(entry)
        self._releases.append(release)
        self._begin()

    def _begin(self) -> None:
        if not self._writing and self._entries:
            self._writing = True
            self._clock.call_later(self._latency(), self._end)

    def _end(self) -> None:
        self._writing = False
        self._commit()
        self._begin()

    def _commit(self) -> None:
        if self._entries and self._full():
            self._entries, self._releases = [], []
            self._failed(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
            return
        super()._commit()


class OnDisk:
    """The table as far as it is on disk, which is all that people see; their keys reach the one that runs."""

    def __init__(self, runtime: Runtime, config: TableConfig) -> None:
        self._runtime = runtime
        self._guarded = GuardedTable(config)
        recover(self._guarded, runtime.journal)

    @property
    def behind(self) -> bool:
        """Whether something was done that the page does not show yet."""
        return self._guarded.position.seq < self._runtime.guarded.position.seq

    @property
    def table(self) -> Table:
        return self._guarded.table

    def follow(self, told: Told) -> None:
        self._guarded.apply(told.at, told.event, getattr(told.event, "device", ""))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._runtime, name)


class BadDay(Day):
    """One table through a day on such a machine, the same for the same seed."""

    def __init__(self, table: str, path: Path, seed: int) -> None:
        super().__init__(table, path, seed)
        self.ways = (self._slow, self._jump, self._fill, self._exhaust)
        self.struck: Counter[str] = Counter()
        self.pages: dict[int, set[bytes]] = {}
        """What pages showed under a number, packed: a day has thousands of them."""
        self.looked = 0
        self._latency, self._full, self._offset = 0.0, False, 0
        self._held: list[int] = []
        self._soft = 0
        self._board: Board | None = None
        self._decided: dict[int, float] = {}
        self._chain_check: ChainCheck | None = None

    def play(self, hours: float, sampled: Callable[[Sample], object] = lambda sample: None) -> Soaked:
        try:
            return super().play(hours, sampled)
        finally:
            self._let_go()

    # -- controllers -------------------------------------------------------------------------------------------

    def _controllers_clock(self) -> MortalClock:
        return MortalClock(self.clock, self._offset)

    def _committer(self, runtime: Runtime) -> Committer:
        seen = OnDisk(runtime, self.config)
        runtime.watchers.insert(0, seen.follow)
        self._people.screen.runtime = seen
        self._board = Board(runtime, {}, clock=self._mortal)
        self._board.open(SECTIONS, live=False)
        self._chain_check = ChainCheck(self._mortal, self.path, runtime.submit)
        self._chain_check.start()
        runtime.watchers.append(self._look_now_and_then)
        runtime.watchers.append(lambda told: self._wait_for_the_page(seen))
        self._decided.clear()
        self._decide(runtime, seen)
        self._people.stand_back(False)
        return BadDisk(runtime, lambda: self._latency, lambda: self._full)

    def _come_up(self) -> None:
        self._let_go()  # a new process has descriptors of its own
        super()._come_up()

    def _go_down(self, killed: bool) -> None:
        if self._chain_check is not None:
            self._chain_check.stop()
        self._board = None
        super()._go_down(killed)

    # -- what is bad about the machine -------------------------------------------------------------------------

    def _trouble(self) -> None:
        if not self._trouble_s or self.draw.random() >= BAD:
            super()._trouble()
            return
        self.draw.choice(self.ways)()
        self._hands.broke()
        self.clock.call_later(self.draw.expovariate(1 / self._trouble_s), self._trouble)

    def _slow(self) -> None:
        self.struck["slow disk"] += 1
        self._latency = self.draw.choice(LATENCY_S)
        self.clock.call_later(self.draw.uniform(*LASTS_S), self._fast_again)

    def _fast_again(self) -> None:
        self._latency = 0.0

    def _jump(self) -> None:
        self.struck["clock jumped"] += 1
        self._offset += self.draw.choice(JUMPS_MS)
        self._mortal._offset = self._offset

    def _fill(self) -> None:
        self.struck["disk full"] += 1
        self._full = True
        self.clock.call_later(NOTICED_S, self._made_room)

    def _made_room(self) -> None:
        self._full = False
        if self.runtime is not None and self.runtime.broken:
            self._go_down(killed=False)
            self._come_up()

    def _exhaust(self) -> None:
        """Take every descriptor that is left, for a while."""
        if self._soft:
            return
        self.struck["descriptors exhausted"] += 1
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = max(map(int, os.listdir("/proc/self/fd"))) + SPARE_FILES
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        with contextlib.suppress(OSError):
            while True:
                self._held.append(os.open(os.devnull, os.O_RDONLY))
        self._soft = soft
        self.clock.call_later(self.draw.uniform(*LASTS_S), self._let_go)

    def _let_go(self) -> None:
        for descriptor in self._held:
            os.close(descriptor)
        if self._soft:
            resource.setrlimit(resource.RLIMIT_NOFILE, (self._soft, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        self._held.clear()
        self._soft = 0

    def _sample(self, cpu_s: float, yardsticks: float) -> Sample:
        self._let_go()  # whoever measures needs files, too
        return super()._sample(cpu_s, yardsticks)

    def _rest(self) -> None:
        self._let_go()
        self._latency = 0.0
        self._made_room()
        super()._rest()

    # -- what pages show ---------------------------------------------------------------------------------------

    def _look_up(self) -> None:
        self._look()
        super()._look_up()

    def _look_now_and_then(self, told: Told) -> None:
        if self.draw.random() < LOOKED_AT:
            self._look()

    def _look(self) -> None:
        """Open a page as somebody would, and keep what it shows under its number."""
        board, runtime = self._board, self.runtime
        if board is None or runtime is None:
            return
        board.leave(board.open(SECTIONS, live=False))
        page = json.loads(board.body(SECTIONS))
        self.looked += 1
        shown = {name: page["set"][name] for name in COMPARED}
        self.pages.setdefault(page["seq"], set()).add(zlib.compress(_encode(shown)))
        if page["seq"] > runtime.journal.last_seq:
            self.told.problems.append(f"a page shows event {page['seq']}, on disk are {runtime.journal.last_seq}")
        self._old_enough(page, runtime)

    def _old_enough(self, page: dict[str, Any], runtime: Runtime) -> None:
        """A page that is old for long says that the disk is slow, or broken."""
        if page["seq"] >= runtime.guarded.position.seq:
            return
        old = self.clock.now() - self._decided.get(page["seq"] + 1, self.clock.now())
        said = page["set"]["journal"]["slow"] or page["set"]["life"]["broken"]
        if old > SLOW_S + 2 * BEAT_S and not said:
            self.told.problems.append(f"a page under event {page['seq']} was {old:.1f} s old and did not say so")

    def _decide(self, runtime: Runtime, seen: OnDisk) -> None:
        """Know when each event was decided in memory, from which on a page without it is old."""
        submit = runtime.submit

        def timed(event: msgspec.Struct, **rest: Any) -> None:
            submit(event, **rest)
            self._decided[runtime.guarded.position.seq] = self.clock.now()
            self._wait_for_the_page(seen)

        runtime.submit = timed  # type: ignore[method-assign]

    def _wait_for_the_page(self, seen: OnDisk) -> None:
        """Nobody burns a second card because the page still asks for the first: people wait until it has followed."""
        waits = seen.behind and (self._latency > 0 or self._full)
        if waits != self._people.standing_back:
            self._people.stand_back(waits)

    def _second_table(self) -> GuardedTable:
        return Witness(self)


class Witness(GuardedTable):
    """The day decided again, with every page that was looked at held against it."""

    def __init__(self, day: BadDay) -> None:
        super().__init__(day.config)
        self._day = day

    def apply(self, at: int, event: msgspec.Struct, device: str = "", mark: Mark | None = None) -> Any:
        effects = super().apply(at, event, device, mark)
        for packed in self._day.pages.pop(self.position.seq, ()):
            if lies := differences(self.table, json.loads(zlib.decompress(packed))):
                self._day.told.problems.append(f"a page under event {self.position.seq} shows other {', '.join(lies)}")
        return effects


def differences(table: Table, page: dict[str, Any]) -> list[str]:
    """Which parts of a page are not the table's."""
    state, view = table.state, json.loads(_encode(table.game.view()))
    true = {
        "life": (state.life, state.round),
        "state": table.game.machine.state,
        "questions": sorted(state.desk.prompts),
        "faults": sorted({*state.faults, *(alarm for alarm in state.desk.alarms)}),
        "game": view,
    }
    shown = {
        "life": (page["life"]["life"], page["life"]["round"]),
        "state": page["game"]["state"],
        "questions": sorted(one["prompt"] for one in page["prompts"]),
        "faults": sorted({one["code"] for one in page["alarms"]}),
        "game": {name: page["game"][name] for name in view},
    }
    return [name for name in true if true[name] != shown[name]]
