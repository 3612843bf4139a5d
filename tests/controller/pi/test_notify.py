"""Notifying the service manager: the watchdog fed while the journal answers, starved while it does not."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from controller.journal.file import JournalFile
from controller.pi.notify import ServiceLine, Watchdog, why_not_writable
from firmware_specs.clock import VirtualClock
from tests.service_manager import Manager


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    manager = Manager(tmp_path)
    yield manager
    manager.close()


# --- the watchdog ----------------------------------------------------------------------------


class Slow:
    """A committer that answers a probe when it is let."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []
        self.at_once = True

    def add(self, entry: object, release: Callable[[], None]) -> None:
        raise AssertionError("a watchdog writes nothing")

    def probe(self, release: Callable[[], None]) -> None:
        if self.at_once:
            release()
        else:
            self.waiting.append(release)

    def close(self) -> None: ...


class Stand(msgspec.Struct):
    committer: Slow
    broken: str = ""


@pytest.fixture
def fed(manager: Manager, tmp_path: Path) -> tuple[VirtualClock, Stand, Callable[[], list[str]]]:
    clock, runtime = VirtualClock(), Stand(Slow())
    line = manager._line
    line.setblocking(False)

    def heard() -> list[str]:
        found = []
        while True:
            try:
                found.append(line.recv(4096).decode())
            except BlockingIOError:
                return found

    environment = {"NOTIFY_SOCKET": str(manager.path), "WATCHDOG_USEC": "30000000"}
    Watchdog(clock, ServiceLine(environment), runtime, tmp_path).start()  # type: ignore[arg-type]
    return clock, runtime, heard


def test_the_watchdog_is_fed_three_times_an_interval(
    fed: tuple[VirtualClock, Stand, Callable[[], list[str]]],
) -> None:
    clock, _, heard = fed
    heard()
    clock.run_for(30.5)
    assert heard() == ["WATCHDOG=1"] * 3


def test_the_watchdog_starves_while_the_journal_does_not_answer_and_is_fed_again_after(
    fed: tuple[VirtualClock, Stand, Callable[[], list[str]]],
) -> None:
    clock, runtime, heard = fed
    heard()
    runtime.committer.at_once = False
    clock.run_for(60)
    assert heard() == ["STATUS=not fed: the journal does not answer; the disk may hang"]
    runtime.committer.at_once = True
    runtime.committer.waiting.pop()()
    assert heard() == ["WATCHDOG=1", "STATUS=alive again"]
    clock.run_for(10.5)
    assert heard() == ["WATCHDOG=1"]


def test_the_watchdog_starves_once_the_journal_cannot_be_written(
    fed: tuple[VirtualClock, Stand, Callable[[], list[str]]],
) -> None:
    clock, runtime, heard = fed
    heard()
    runtime.broken = "The journal cannot be written."
    clock.run_for(100)
    assert heard() == ["STATUS=not fed: The journal cannot be written."]


def test_a_card_that_the_kernel_made_read_only_is_noticed(tmp_path: Path) -> None:
    flagged = os.statvfs_result((4096, 4096, 1, 1, 1, 1, 1, 1, os.ST_RDONLY, 255))
    assert "read-only" in why_not_writable(tmp_path, lambda folder: flagged)
    assert why_not_writable(tmp_path) == ""
    assert "cannot be looked at" in why_not_writable(tmp_path / "gone")


def test_a_journal_that_somebody_else_holds_does_not_answer_the_probe(tmp_path: Path) -> None:
    journal = JournalFile.open(tmp_path / "table.db", "T1")
    journal.probe()
    journal._connection.execute("PRAGMA busy_timeout=0")
    other = sqlite3.connect(tmp_path / "table.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        journal.probe()
    other.close()
    journal.close()


def test_without_a_service_manager_nobody_is_told() -> None:
    alone = ServiceLine({"WATCHDOG_USEC": "1000000"})
    assert alone.watchdog_s == 0
    alone.ready("nobody hears this")
