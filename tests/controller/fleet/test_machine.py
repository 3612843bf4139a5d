"""The machine in a steward's hands: hostile archives, another table's file, a file with which it does not start."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from controller.fleet import machine as handled
from controller.fleet.machine import Machine, Refused, RoundFirst, unpack
from tests import ROOT

EXAMPLE = (ROOT / "controller" / "examples" / "table.toml").read_text("utf-8")
SYSTEMCTL = """#!/bin/sh
echo "$*" >>"{folder}/asked"
[ "$1" != restart ] || ! grep -q "{unready}" "{config}"
"""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine whose table does not start with a house that is called Unready."""
    config = tmp_path / "etc/tablectl/table.toml"
    config.parent.mkdir(parents=True)
    (tmp_path / "data").mkdir()
    config.write_text(EXAMPLE.replace('journal = "big-wheel-1.db"', 'journal = "/data/table.db"'), "utf-8")
    assert "/data/table.db" in config.read_text("utf-8")
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(SYSTEMCTL.format(folder=tmp_path, unready="Unready", config=config))
    systemctl.chmod(0o755)
    return Machine(config, tmp_path, str(systemctl))


def changed(machine: Machine, old: str, new: str) -> bytes:
    text = machine.config.read_text("utf-8")
    assert old in text
    return text.replace(old, new, 1).encode()


def test_a_file_that_fits_takes_effect_with_a_restart(machine: Machine) -> None:
    text = changed(machine, "max = 500", "max = 400")
    machine.check_configuration(text)
    machine.configure(text)
    assert machine.config.read_bytes() == text
    assert (machine.root / "asked").read_text().splitlines()[0] == "restart tablectl.service"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "Big Wheel 1"', 'name = "Big Wheel 2"', "is for table Big Wheel 2, and this is Big Wheel 1"),
        ("/data/table.db", "/data/other.db", "keeps its journal at /data/other.db"),
        ("max = 500", "max = 1", "the file that was sent:"),
        ("[limits]", "[limits", "the file that was sent:"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_before_anything_is_touched(
    machine: Machine, old: str, new: str, said: str
) -> None:
    before = machine.config.read_bytes()
    with pytest.raises(Refused, match=said.replace("[", r"\[")):
        machine.check_configuration(changed(machine, old, new))
    assert machine.config.read_bytes() == before
    assert sorted(path.name for path in machine.config.parent.iterdir()) == ["table.toml"]


def test_a_table_that_does_not_become_ready_is_given_back_its_file(machine: Machine) -> None:
    before = machine.config.read_bytes()
    with pytest.raises(Refused, match=r"given back the one before$"):
        machine.configure(changed(machine, "Example Casino", "Unready"))
    assert machine.config.read_bytes() == before
    assert (machine.root / "asked").read_text().count("restart tablectl.service") == 2


def test_a_power_cut_while_a_bad_file_was_taken_does_not_lose_the_good_one(machine: Machine) -> None:
    before, bad = machine.config.read_bytes(), changed(machine, "Example Casino", "Unready")
    machine.config.with_name("table.toml.before").write_bytes(before)
    machine.config.write_bytes(bad)  # and then the power went
    with pytest.raises(Refused, match=r"given back the one before$"):
        machine.configure(bad, again=True)
    assert machine.config.read_bytes() == before


def test_a_file_that_would_cut_the_machine_off_is_refused(machine: Machine) -> None:
    without = machine.config.read_bytes()
    machine.config.write_bytes(without + b'\n[uplink]\nservers = ["nats://127.0.0.1:4222"]\n')
    with pytest.raises(Refused, match="cut this machine off from the floor"):
        machine.check_configuration(without)


def test_an_installer_that_hangs_is_ended_with_all_it_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handled, "TIDY_S", 0.5)
    left = tmp_path / "left"
    script = f"(trap '' TERM; sleep 30; touch {left}) & trap 'exit 1' TERM; sleep 30"
    ended, said = handled._ended(["sh", "-c", script], 0.5)
    assert (ended, "did not come to its end" in said) == (1, True)
    assert not left.exists()


def test_a_rulebook_that_is_none_is_refused_in_words(machine: Machine, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="the rulebook that was sent"):
        machine.amend(b"[rulebook]\nid = 'perth-war'\n", tmp_path)
    assert not (tmp_path / "rulebook.toml").exists()


def archive(path: Path, *members: tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w:gz") as made:
        for one in members:
            made.addfile(one, io.BytesIO(b"x" * one.size))
    return path


def member(name: str, size: int = 1, kind: bytes = tarfile.REGTYPE, to: str = "") -> tarfile.TarInfo:
    one = tarfile.TarInfo(name)
    one.size, one.type, one.linkname = size, kind, to
    return one


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ([member("b/../../out")], "has no place in one"),
        ([member("/etc/passwd")], "has no place in one"),
        ([member("b/link", 0, tarfile.SYMTYPE, "/etc")], "has no place in one"),
        ([member("b/VERSION")], "no installer"),
        ([member("a/install.sh"), member("b/install.sh")], "no installer"),
        ([member("b/huge", 5000)], "more than a bundle does"),
    ],
)
def test_an_archive_that_is_no_bundle_writes_nothing_outside(
    members: list[tarfile.TarInfo], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handled, "UNPACKED_MOST", 4000)
    folder = tmp_path / "deep" / "folder"
    folder.mkdir(parents=True)
    with pytest.raises(Refused, match=said):
        unpack(archive(tmp_path / "bundle.tar.gz", *members), folder)
    assert not (tmp_path / "deep" / "out").exists()


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bundle.tar.gz"
    for octets in (b"", b"rubbish", archive(path, member("b/install.sh", 900)).read_bytes()[:-40]):
        path.write_bytes(octets)
        with pytest.raises(Refused, match="no bundle"):
            unpack(path, tmp_path)


def installing(folder: Path, script: str) -> Path:
    """A bundle whose installer is this."""
    path = folder / "bundle.tar.gz"
    with tarfile.open(path, "w:gz") as packed:
        octets = script.encode()
        member = tarfile.TarInfo("tablectl-2.0/install.sh")
        member.size = len(octets)
        packed.addfile(member, io.BytesIO(octets))
    return path


@pytest.mark.parametrize(("status", "kind"), [(75, RoundFirst), (1, Refused)])
def test_an_installer_that_only_a_round_held_up_is_told_apart(
    machine: Machine, tmp_path: Path, status: int, kind: type[Refused]
) -> None:
    (tmp_path / "scratch").mkdir()
    bundle = installing(tmp_path, f"echo 'install.sh: why' >&2; echo '  what to do.' >&2; exit {status}\n")
    with pytest.raises(Refused, match=r"^why\. what to do$") as refused:
        machine.install(bundle, tmp_path / "scratch", 5)
    assert type(refused.value) is kind
