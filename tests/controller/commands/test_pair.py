"""`tablectl pair` as a technician uses it at commissioning."""

from __future__ import annotations

import json
import select
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.config.file import check_config
from controller.devices import keys_of
from controller.journal.file import JournalFile
from firmware_specs.clock import VirtualClock
from lab.sim.devices import share_key
from lab.sim.table import SimulatedTable
from tests.standing import TABLECTL, Configured, tablectl


@pytest.fixture
def wheel(tmp_path: Path) -> Iterator[Path]:
    """A wheel sensor without a key, on a pseudo-terminal."""
    link = tmp_path / "wheel"
    command = [*TABLECTL, "simulate", "wheel", "--port", f"pty:{link}", "--serial", "WS-0001"]
    device = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert device.stdout is not None
    assert select.select([device.stdout], [], [], 20)[0], "the simulator did not start"
    assert "wheel on" in device.stdout.readline()
    yield link
    device.terminate()
    device.communicate(timeout=10)


def test_a_device_on_its_port_is_paired_once_and_again_and_unpaired(wheel: Path, configured: Configured) -> None:
    config = configured(wheel=f'port = "{wheel}"')
    keys = keys_of(check_config(config))
    first = tablectl("pair", "wheel", "--config", config)
    assert first.exit_code == 0, first.output
    assert "share a new key" in first.output
    assert "set paired = true" in first.output
    key = keys.key("WS-0001")
    assert key is not None
    again = tablectl("pair", "wheel", "--config", config, "--json")
    assert json.loads(again.output)["status"] == "paired"
    assert keys.key("WS-0001") not in (None, key)
    keys.path("WS-0001").unlink()
    lost = tablectl("pair", "wheel", "--config", config)
    assert lost.exit_code == 1
    assert "holds a key that this table does not know" in lost.output
    assert "Clear the key" in lost.output


def test_while_the_table_runs_it_is_told_to_stop_it_first(configured: Configured, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    config = configured(wheel=f'port = "{tmp_path / "wheel"}"')
    journal = JournalFile.open(Path(check_config(config).table.journal), "Big Wheel 1")
    try:
        told = tablectl("pair", "wheel", "--config", config)
    finally:
        journal.close()
    assert told.exit_code == 1
    assert "first: sudo systemctl stop tablectl" in told.output


def test_a_place_that_is_not_there_is_misuse_and_names_those_that_are(configured: Configured) -> None:
    result = tablectl("pair", "shoe", "--config", configured())
    assert result.exit_code == 2
    assert "there is no [devices.shoe]; there are wheel, chips" in result.output


def test_a_device_inside_a_program_has_no_port_to_be_paired_over(configured: Configured, tmp_path: Path) -> None:
    result = tablectl("pair", "wheel", "--config", configured())
    assert result.exit_code == 2
    assert "has no port to pair over" in result.output
    assert not (tmp_path / "data").exists()


def test_a_port_that_vanished_is_told_with_its_remedy(configured: Configured, tmp_path: Path) -> None:
    result = tablectl("pair", "wheel", "--config", configured(wheel=f'port = "{tmp_path}/gone"'))
    assert result.exit_code == 1
    assert str(tmp_path / "gone") in result.output
    assert not (tmp_path / "data").exists()


def test_a_table_that_demands_pairing_plays_only_after_it(configured: Configured, tmp_path: Path) -> None:
    config = configured(wheel="simulated = true\npaired = true")

    def faults_after(seconds: float, journal: str) -> set[str]:
        clock = VirtualClock()
        table = SimulatedTable(check_config(config), tmp_path / journal, clock, 1)
        table.start()
        clock.run_for(seconds)
        found = set(table.runtime.table.state.faults)
        table.stop()
        return found

    assert "wheel:refused" in faults_after(5, "before.db")
    share_key(check_config(config), "wheel")
    assert not faults_after(5, "after.db")


def test_a_card_reader_cannot_be_paired(configured: Configured) -> None:
    config = configured()
    with config.open("a") as file:
        file.write('\n[devices.swipe]\nkind = "swipe"\nport = "/dev/hidraw0"\npaired = true\n')
    result = tablectl("check", "--config", config)
    assert result.exit_code == 2
    assert "cannot be paired" in result.output
