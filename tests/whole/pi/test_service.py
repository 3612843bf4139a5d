"""The table as a service: it says when it is ready and stops when told; its journal says what became of the program."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.core.events import FellBack, ProgramChecked
from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.journal.file import JournalFile
from controller.journal.row import decode
from drivers.events import DeviceRefused, DeviceUp
from lab.sim.config import default_config
from tests.service_manager import DEADLINE_S, Manager
from tests.standing import TABLECTL, Configured, tablectl
from tests.whole.pi.bench import free_port


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    manager = Manager(tmp_path)
    yield manager
    manager.close()


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
    looked_at = tablectl("check", "--config", configured())
    assert looked_at.exit_code == 0
    assert "look at:" in looked_at.output
    assert "tablectl run has real devices only" in looked_at.output
    assert "tablectl sim" in result.output
    assert "tablectl rig" in result.output
    assert list((tmp_path / "data").iterdir()) == []


@pytest.mark.parametrize("port", ["/dev/ttyUSB0", "usb:1209:7ab1", "tcp://10.0.0.7:5000"])
@pytest.mark.parametrize("command", ["check", "run"])
def test_a_simulated_device_on_a_real_port_is_refused_where_it_stands(
    command: str, port: str, configured: Configured, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    config = configured(chips=f'port = "{port}"\nsimulated = true')
    result = tablectl(command, "--config", config)
    assert result.exit_code == 2
    line = config.read_text("utf-8").splitlines().index(f'port = "{port}"') + 2
    told = f"table.toml:{line}: [devices.chips] simulated = true on '{port}', the port of a real device"
    assert told in result.output
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
