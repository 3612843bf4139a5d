"""A Pi and a device are replaced in mid-shift by what their pages say, word for word, on machines of their own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from controller import examples
from controller.journal.file import JournalFile
from controller.journal.row import read
from drivers.events import DeviceUp
from tests import ROOT
from tests.whole.pi import bench
from tests.whole.pi.bench import free_port, until
from tests.whole.pi.own_root import USER, OwnRoot, foreign, own_bundle, typed

PI, DEVICE = ROOT / "docs" / "spare-pi.md", ROOT / "docs" / "spare-device.md"
PLACEHOLDER = '"tablectl/…+…+…"'
SHOE, MAT = ("shoe", "SO-0001", ()), ("chips", "CM-0003", ("--areas", "40"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> OwnRoot:
    folder = tmp_path_factory.mktemp("own")
    return OwnRoot.installed(folder / "machine", own_bundle(folder))


@pytest.fixture
def spare(installed: OwnRoot, tmp_path: Path) -> Iterator[OwnRoot]:
    """As it lies in the drawer."""
    machine = installed.copied(tmp_path / "spare")
    yield machine
    machine.end()


@pytest.fixture
def old(installed: OwnRoot, tmp_path: Path) -> Iterator[OwnRoot]:
    """A war table that has a key, in mid-shift."""
    machine = installed.copied(tmp_path / "old")
    text = (Path(examples.__path__[0]) / "war.toml").read_text("utf-8")
    signed = 'journal = "/var/lib/tablectl/table.db"\nsigning_key = "/etc/tablectl/table.key"'
    text = re.sub(r"^journal = .*$", signed, text, flags=re.MULTILINE)
    text = text.replace("/dev/serial/by-id/usb-shoe", str(tmp_path / "SO-0001"))
    text = text.replace("usb:1209:7ab1", str(tmp_path / "CM-0003")).replace("8642", str(free_port()))
    machine.config.write_text(text, "utf-8")
    yield machine
    machine.end()


@contextmanager
def simulated(folder: Path, *devices: tuple[str, str, tuple[str, ...]]) -> Iterator[None]:
    """Devices on ports that the table's user may open, as the udev rules have it."""
    with bench.simulated(folder, *devices):
        for _, serial, _ in devices:
            os.chown((folder / serial).resolve(), USER, USER)
        yield


def opened(machine: OwnRoot) -> str:
    """Start the table, give it a key as its page says, and wait until it has its devices; the key's line."""
    machine.did("sudo systemctl start tablectl")
    key = machine.did("sudo tablectl evidence key").strip()
    machine.did("sudo tablectl restart")
    until(lambda: set(ups(machine)) >= {"SO-0001", "CM-0003"} or None)
    return key


def ups(machine: OwnRoot) -> list[str]:
    """Whom the table had, in the order they came."""
    journal = JournalFile.read_only(machine.data / "table.db")
    events: list[Any] = [read(row).event for row in journal.rows() if b'"Device' in row.body[:40]]
    journal.close()
    return [event.serial for event in events if isinstance(event, DeviceUp)]


def replaced(spare: OwnRoot, heading: str, key: str, before: int) -> str:
    """The one command of this part of the page, typed at the spare; the table has its devices and its past."""
    line = typed(PI, heading)[-1]
    assert line.startswith("sudo tablectl replace pi "), "one command"
    said = spare.did(line.replace(PLACEHOLDER, f'"{key}"'))
    assert "Table Casino War 3 runs on this machine." in said
    until(lambda: len(ups(spare)) >= before + 2 or None)
    assert set(ups(spare)[before:]) == {"SO-0001", "CM-0003"}
    assert spare.did("sudo tablectl journal verify")
    assert foreign(spare.data) == [], "what root placed, the table can read"
    assert spare.config.stat().st_gid == USER
    return said


def pulled(old: OwnRoot, spare: OwnRoot) -> None:
    """The stick goes over."""
    shutil.copytree(old.folder / "media" / "stick", spare.folder / "media" / "stick", dirs_exist_ok=True)


def test_a_key_that_root_made_is_the_tables_to_read(old: OwnRoot, tmp_path: Path) -> None:
    with simulated(tmp_path, SHOE, MAT):
        opened(old)
        assert foreign(old.data, old.folder / "etc" / "tablectl" / "table.key") == []


def test_a_dead_pi_whose_card_still_reads(old: OwnRoot, spare: OwnRoot, tmp_path: Path) -> None:
    with simulated(tmp_path, SHOE, MAT):
        key = opened(old)
        old.die()
        had, last = len(ups(old)), JournalFile.read_only(old.data / "table.db").last_seq
        for folder in ("etc/tablectl", "var/lib/tablectl"):
            to = spare.folder / "media" / "card" / folder
            to.parent.mkdir(parents=True)
            subprocess.run(["cp", "-a", old.folder / folder, to], check=True, timeout=60)
        replaced(spare, "Its card still reads", key, had)
        assert spare.did("sudo tablectl evidence key").strip() == key, "it moved with the card"
        assert JournalFile.read_only(spare.data / "table.db").last_seq > last


def test_a_dead_pi_and_a_dead_card(old: OwnRoot, spare: OwnRoot, tmp_path: Path) -> None:
    with simulated(tmp_path, SHOE, MAT):
        key = opened(old)
        for _ in range(2):
            until(lambda: old.run("sudo tablectl evidence backup --to /media/stick").returncode == 0 or None)
        had = len(ups(old))
        old.die()
        pulled(old, spare)
        assert len(list((spare.folder / "media/stick").iterdir())) == 2
        replaced(spare, "Its card is dead, too", key, had)


def test_a_pi_that_still_runs_and_shall_go(old: OwnRoot, spare: OwnRoot, tmp_path: Path) -> None:
    with simulated(tmp_path, SHOE, MAT):
        key = opened(old)
        had = len(ups(old))
        *first, _ = typed(PI, "It still runs, and shall go")
        for line in first:
            old.did(line)
        pulled(old, spare)
        replaced(spare, "It still runs, and shall go", key, had)


def test_a_dead_device(old: OwnRoot, tmp_path: Path) -> None:
    (line,) = typed(DEVICE, "A dead device, in mid-shift")
    with simulated(tmp_path, MAT):
        with simulated(tmp_path, SHOE):
            opened(old)
            refused = old.run(line)
            assert refused.returncode != 0
            assert "shoe SO-0001 still answers" in refused.stderr
            assert old.did("systemctl is-active tablectl") == "", "the table plays on as it was"
        gone = old.run(line)
        assert "no other shoe answers here; nothing was changed" in gone.stderr
        before = old.config.read_text("utf-8")
        (tmp_path / "drawer").mkdir()
        with simulated(tmp_path / "drawer", ("shoe", "SO-0002", ())):
            (tmp_path / "SO-0001").unlink(missing_ok=True)
            (tmp_path / "SO-0001").symlink_to(tmp_path / "drawer" / "SO-0002")  # the same plug
            said = old.did(line)
            assert "shoe: SO-0002 stands there now. The table has it: SO-0002" in said
    assert old.config.read_text("utf-8") == before.replace("SO-0001", "SO-0002", 2).replace("SO-0002", "SO-0001", 1)
    assert old.config.with_name("table.toml.before").read_text("utf-8") == before
    assert ups(old)[-1] in ("SO-0002", "CM-0003")
    assert foreign(old.data) == []
