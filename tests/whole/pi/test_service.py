"""The table as a service: it says when it is ready, feeds its watchdog while it is well, and stops when told."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from controller.config.kept import plain
from controller.core.events import Command, DiskLow, FellBack, ProgramChecked, Started
from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.journal.file import JournalFile
from controller.journal.row import decode
from controller.people import Person
from controller.pi import manifest
from controller.pi.notify import ServiceLine, Watchdog, why_not_writable
from drivers.events import DeviceRefused, DeviceUp
from firmware_specs.clock import VirtualClock
from lab.sim.config import default_config
from tests.standing import TABLECTL, Configured, tablectl

DEADLINE_S = 30


class Manager:
    """A service manager's end of the notify socket."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "notify"
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(str(self.path))
        self._line.settimeout(DEADLINE_S)

    def hear(self) -> str:
        return self._line.recv(4096).decode()

    def hear_until(self, word: str) -> list[str]:
        heard = [self.hear()]
        while word not in heard[-1]:
            heard.append(self.hear())
        return heard

    def close(self) -> None:
        self._line.close()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    manager = Manager(tmp_path)
    yield manager
    manager.close()


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


def start(config: Path, manager: Manager, *options: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "NOTIFY_SOCKET": str(manager.path), "WATCHDOG_USEC": "600000", "TABLECTL_LOG": "json"}
    environment.pop("WATCHDOG_PID", None)
    command = [*TABLECTL, "run", "--config", str(config), *options]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)


def stop(service: subprocess.Popen[str]) -> str:
    service.send_signal(signal.SIGTERM)
    said = service.communicate(timeout=DEADLINE_S)[1]
    assert service.returncode == 0, said
    return said


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Something installed, with its manifest."""
    folder = tmp_path / "program"
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "rules.py").write_text("PAYS = 2\n")
    (folder / "lib" / "table.py").write_text("ROUNDS = 1\n")
    return manifest.write(folder)


def test_the_service_says_ready_feeds_its_watchdog_and_stops_in_good_order(
    configured: Configured, outside: dict[str, str], manager: Manager, program: Path, tmp_path: Path
) -> None:
    config = configured(web=free_port(), **outside)
    (tmp_path / "data").mkdir()
    service = start(config, manager, "--manifest", str(program))
    ready = manager.hear_until("READY=1")[-1]
    assert "STATUS=Table Big Wheel 1: pages at http://127.0.0.1:" in ready
    manager.hear_until("WATCHDOG=1")
    manager.hear_until("WATCHDOG=1")
    stop(service)
    manager.hear_until("STOPPING=1")
    journal = JournalFile.read_only(tmp_path / "data" / "table.db")
    checked = [event for row in journal.rows() if isinstance(event := decode(row.body).event, ProgramChecked)]
    assert [(event.files, event.wrong) for event in checked] == [(2, ())]


def test_a_restarted_table_finds_its_devices_where_it_left_them(
    configured: Configured, outside: dict[str, str], manager: Manager, tmp_path: Path
) -> None:
    config = configured(web=free_port(), **outside)
    (tmp_path / "data").mkdir()
    for start_number in (1, 2):
        service = start(config, manager)
        manager.hear_until("READY=1")
        while len(told_of_devices(tmp_path / "data" / "table.db")) < 2 * start_number:
            manager.hear_until("WATCHDOG=1")
        stop(service)
        manager.hear_until("STOPPING=1")
    told = told_of_devices(tmp_path / "data" / "table.db")
    assert [event.device for event in told if isinstance(event, DeviceRefused)] == []
    assert sorted(event.device for event in told) == ["chips", "chips", "wheel", "wheel"]
    assert not any(event.lost for event in told if isinstance(event, DeviceUp)), "they kept their memory meanwhile"


def told_of_devices(journal: Path) -> list[DeviceUp | DeviceRefused]:
    file = JournalFile.read_only(journal)
    told = [event for row in file.rows() if isinstance(event := decode(row.body).event, DeviceUp | DeviceRefused)]
    file.close()
    return told


def test_a_table_with_simulated_devices_is_refused_and_told_where_those_are_played(
    configured: Configured, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    result = tablectl("run", "--config", configured())
    assert result.exit_code == 2
    assert "simulated = true at wheel, chips" in result.output
    assert "tablectl sim" in result.output
    assert "tablectl rig" in result.output
    assert list((tmp_path / "data").iterdir()) == []


def test_a_missing_data_directory_is_told_once_with_its_remedy_and_nothing_is_made(
    configured: Configured, tmp_path: Path
) -> None:
    result = tablectl("run", "--config", configured(wheel='port = "/dev/w"', chips='port = "/dev/c"'))
    assert result.exit_code == 2
    assert result.output.count("\n") == 1
    assert "data directory is not there; mount it" in result.output
    assert not (tmp_path / "data").exists()


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
    Watchdog(clock, ServiceLine(environment), runtime, tmp_path).start()
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


def test_a_running_service_stops_feeding_while_its_journal_hangs_and_goes_on_after(
    configured: Configured, outside: dict[str, str], manager: Manager, tmp_path: Path
) -> None:
    """Somebody holds the journal of a real table: its loop turns on, and the watchdog starves all the same."""
    config = configured(web=free_port(), **outside)
    (tmp_path / "data").mkdir()
    service = start(config, manager)
    manager.hear_until("READY=1")
    manager.hear_until("WATCHDOG=1")
    holder = sqlite3.connect(tmp_path / "data" / "table.db", isolation_level=None, timeout=DEADLINE_S)
    holder.execute("BEGIN IMMEDIATE")
    manager.hear_until("not fed: the journal does not answer")
    manager._line.settimeout(1.0)  # five times as long as it is fed otherwise
    with pytest.raises(TimeoutError):
        manager.hear_until("WATCHDOG=1")
    manager._line.settimeout(DEADLINE_S)
    holder.execute("ROLLBACK")
    holder.close()
    manager.hear_until("WATCHDOG=1")
    manager.hear_until("STATUS=alive again")
    manager.hear_until("WATCHDOG=1")
    stop(service)


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


# --- the manifest ----------------------------------------------------------------------------


def test_an_untouched_program_passes_and_sha256sum_says_the_same(program: Path) -> None:
    checked = manifest.check(program)
    assert (checked.files, checked.wrong) == (2, ())
    subprocess.run(["sha256sum", "--check", "--quiet", "MANIFEST"], cwd=program.parent, check=True, timeout=10)


def test_changed_missing_and_added_files_are_found_by_name(program: Path) -> None:
    folder = program.parent
    (folder / "lib" / "rules.py").write_text("PAYS = 3\n")
    (folder / "lib" / "table.py").unlink()
    (folder / "sitecustomize.py").write_text("evil")
    wrong = manifest.check(program).wrong
    assert wrong == ("sitecustomize.py: added", "lib/rules.py: changed", "lib/table.py: missing")


def test_a_missing_or_damaged_manifest_is_no_pass(program: Path) -> None:
    program.write_text("rubbish\n" + program.read_text())
    assert "MANIFEST:1: not a line" in manifest.check(program).wrong[0]
    program.unlink()
    assert "cannot be read" in manifest.check(program).wrong[0]


def opened(*events: msgspec.Struct) -> GuardedTable:
    config = default_config()
    table = GuardedTable(config)
    for at, event in enumerate((Started("1", plain(config)), *events), 1):
        table.apply(at, event)
    return table


WRONG = ProgramChecked("m", 2, ("lib/rules.py: changed",))
RIGHT = ProgramChecked("m", 2)


def clear(rank: int) -> Command:
    return Command("clear_fault", Person("S", rank), {"fault": "manifest"})


def test_a_changed_program_locks_the_table_until_somebody_of_rank_clears_it() -> None:
    table = opened(WRONG)
    fault = table.table.state.faults["manifest"]
    assert "lib/rules.py: changed" in fault.text
    assert fault.rank > 1
    table.apply(9, clear(fault.rank - 1))
    assert "manifest" in table.table.state.faults
    table.apply(10, clear(fault.rank))
    assert "manifest" not in table.table.state.faults


def test_the_lock_survives_a_restart_and_ends_when_a_check_finds_it_gone() -> None:
    table = opened(WRONG)
    again = GuardedTable(table.config)
    again.restore(table.save())
    again.apply(10, Started("1", plain(table.config)))
    assert "manifest" in again.table.state.faults
    again.apply(11, DiskLow(900, False))
    again.apply(12, RIGHT)
    assert "manifest" not in again.table.state.faults


def test_a_table_that_runs_the_version_before_says_so_until_the_installed_one_runs_again() -> None:
    table = opened(RIGHT, FellBack("1.1", "1.0"))
    alarm = table.table.desk.state.alarms["fell_back"]
    assert "Version 1.1 of the program is not whole, so version 1.0 runs" in alarm.text
    assert "install.sh" in alarm.remedy
    assert "manifest" not in table.table.state.faults, "what runs is whole: play goes on"
    table.apply(10, Started("1.1", plain(table.config)))
    table.apply(11, RIGHT)
    assert "fell_back" not in table.table.desk.state.alarms


def test_the_launchers_word_reaches_the_journal_of_the_running_table(
    configured: Configured, outside: dict[str, str], manager: Manager, program: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("TABLECTL_INSTEAD_OF", "9.9")
    config = configured(web=free_port(), **outside)
    (tmp_path / "data").mkdir()
    service = start(config, manager, "--manifest", str(program))
    manager.hear_until("READY=1")
    said = stop(service)
    assert "Version 9.9 of the program is not whole" in said
    journal = JournalFile.read_only(tmp_path / "data" / "table.db")
    assert [event.installed for row in journal.rows() if isinstance(event := decode(row.body).event, FellBack)] == [
        "9.9"
    ]


def test_a_changed_file_locks_the_running_service_and_the_journal_says_which(
    configured: Configured, outside: dict[str, str], manager: Manager, program: Path, tmp_path: Path
) -> None:
    (program.parent / "lib" / "rules.py").write_text("PAYS = 3\n")
    config = configured(web=free_port(), **outside)
    (tmp_path / "data").mkdir()
    service = start(config, manager, "--manifest", str(program))
    manager.hear_until("READY=1")
    stop(service)
    journal = JournalFile.read_only(tmp_path / "data" / "table.db")
    table = GuardedTable(default_config())
    recover(table, journal)
    assert "lib/rules.py: changed" in table.table.state.faults["manifest"].text
