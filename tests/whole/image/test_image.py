"""What an image is made of: the card's partitions, what a Pi looks for, who may log in, the first set-up.

That it starts and plays is seen by `make test-image`, which takes an hour.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from lab.needs import SFDISK, SSH_KEYGEN
from tests import ROOT
from tests.needed import skip_without

IMAGE = ROOT / "install" / "image"
SYSTEM = IMAGE / "root"
FIRST_SETUP = SYSTEM / "usr/lib/tablectl-image/first-setup"
SCRIPTS = [IMAGE / "build.sh", IMAGE / "sources.sh", IMAGE / "init", FIRST_SETUP]
MEGABYTE = 2048
SET_UP = "echo /etc/tablectl/table.toml: table Nine under melbourne-wheel is set up."


def lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]


@skip_without(SFDISK, "the table of partitions was not written")
def test_the_card_has_a_boot_partition_a_system_and_data_that_can_grow_to_its_end(tmp_path: Path) -> None:
    card = tmp_path / "card"
    root = 600 * MEGABYTE
    text = (IMAGE / "layout").read_text().replace("@ROOT@", str(root)).replace("@DATA@", str(532480 + root))
    with card.open("wb") as file:
        file.truncate(2 << 30)
    subprocess.run(["sfdisk", "--quiet", card], input=text, text=True, check=True, timeout=60)
    told = subprocess.run(["sfdisk", "--json", card], capture_output=True, text=True, check=True, timeout=60).stdout
    table = json.loads(told)["partitiontable"]
    boot, system, data = table["partitions"]
    assert table["label"] == "dos", "the first stage of every Pi reads this kind"
    assert (boot["type"], boot["start"]) == ("c", 4 * MEGABYTE)
    assert boot["start"] + boot["size"] == system["start"]
    assert system["start"] + system["size"] == data["start"], "nothing lies between them"
    assert all(one["start"] % MEGABYTE == 0 for one in (boot, system, data)), "in steps that cards erase in"


def test_the_last_partition_of_the_layout_is_the_one_that_grows() -> None:
    build, init = (IMAGE / "build.sh").read_text(), (IMAGE / "init").read_text()
    assert re.findall(r"\$\(partition (tablectl-\w+)", init) == re.findall(r"-L (tablectl-\w+)", build)
    assert lines(IMAGE / "layout")[-1].startswith("start=@DATA@")
    assert 'grow "$data"' in init
    assert "LABEL=TABLEBOOT /boot/firmware" in (SYSTEM / "etc/fstab").read_text()
    assert "-n TABLEBOOT" in build


def test_a_pi_finds_what_its_firmware_looks_for_by_the_names_it_is_told() -> None:
    wanted = lines(IMAGE / "boot/files")
    told = (IMAGE / "boot/config.txt").read_text()
    kernel, initrd = re.search(r"^kernel=(\S+)$", told, re.M), re.search(r"^initramfs (\S+)", told, re.M)
    assert kernel is not None
    assert initrd is not None
    assert {kernel[1], initrd[1], "config.txt", "cmdline.txt"} <= set(wanted)
    assert {"bootcode.bin", "start.elf", "fixup.dat"} <= set(wanted), "a Pi 3"
    assert {"start4.elf", "fixup4.dat"} <= set(wanted), "a Pi 4, whose first stage is on the board"
    assert "arm_64bit=1" in told


def test_the_kernel_is_told_in_one_line_and_shows_itself_on_the_screen() -> None:
    (line,) = lines(IMAGE / "boot/cmdline.txt")
    words = line.split()
    assert [word for word in words if word.startswith("console=")][-1] == "console=tty0", "the last one is the set-up's"
    assert not any(word.startswith(("root=", "init=")) for word in words), "the first program finds the system itself"


def test_nobody_logs_in_but_with_a_key_of_the_card() -> None:
    said = dict(line.split(maxsplit=1) for line in lines(SYSTEM / "etc/ssh/sshd_config.d/table.conf"))
    assert said["PasswordAuthentication"] == said["KbdInteractiveAuthentication"] == "no"
    assert said["PermitRootLogin"] == "prohibit-password"
    assert said["AuthorizedKeysFile"].startswith("/boot/firmware/")
    masked = (IMAGE / "build.sh").read_text().partition("systemctl mask")[2].partition(">>")[0]
    for unit in ("getty@.service", "serial-getty@.service", "console-getty.service"):
        assert unit in masked.split()


@skip_without(SSH_KEYGEN, "no host key was made")
def test_a_machine_makes_a_host_key_of_its_own_once_and_again_where_a_power_cut_left_it_empty(tmp_path: Path) -> None:
    said = dict(line.split(maxsplit=1) for line in lines(SYSTEM / "etc/ssh/sshd_config.d/table.conf"))
    unit = (SYSTEM / "etc/systemd/system/ssh.service.d/image.conf").read_text()
    assert f"key={said['HostKey']};" in unit
    assert "ssh_host_*" in (IMAGE / "build.sh").read_text(), "none is in the image"
    made = re.search(r"^ExecStartPre=/bin/sh -c '(.+)'$", unit, re.M)
    assert made is not None
    key = tmp_path / "key"
    line = made[1].replace("$$", "$").replace(said["HostKey"], str(key))
    key.touch()
    subprocess.run(["sh", "-c", line], check=True, timeout=60)
    first = key.read_bytes()
    assert b"PRIVATE KEY" in first
    subprocess.run(["sh", "-c", line], check=True, timeout=60)
    assert key.read_bytes() == first


def test_no_place_of_packages_is_named_in_what_makes_the_image() -> None:
    for path in IMAGE.rglob("*"):
        if path.is_file():
            assert not re.search(r"\bhttps?://", path.read_text("utf-8")), path


def test_another_place_of_packages_is_taken_when_named() -> None:
    told = subprocess.run(
        [IMAGE / "sources.sh", "trixie"], env={**os.environ, "DEBIAN_MIRROR": "file:///srv/debian"},
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert told.stdout == "deb file:///srv/debian trixie main non-free-firmware\n"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.name))
def test_the_scripts_can_be_read_and_run(script: Path) -> None:
    subprocess.run(["sh", "-n", script], check=True, timeout=60)
    assert os.access(script, os.X_OK)


class Bench:
    """The first set-up on a machine whose commands are stand-ins that write down how they were called."""

    def __init__(self, folder: Path, setup: str) -> None:
        self.card, self.marker, self.called = folder / "card", folder / "not-set-up", folder / "called"
        self._folder = folder
        for made in ("bin", "card", "run"):
            (folder / made).mkdir()
        self.marker.touch()
        for name, does in (("tablectl", setup), ("systemctl", ""), ("mount", ""), ("sync", ""), ("clear", "")):
            program = folder / "bin" / name
            program.write_text(f'#!/bin/sh\necho {name} "$@" >>{self.called}\n{does}\n')
            program.chmod(0o755)

    def run(self, typed: str = "") -> subprocess.CompletedProcess[str]:
        environment = {"PATH": f"{self._folder / 'bin'}:/usr/bin:/bin", "CARD": str(self.card)}
        environment |= {"RUNTIME": str(self._folder / "run"), "MARKER": str(self.marker)}
        return subprocess.run(
            ["sh", FIRST_SETUP], env=environment, input=typed, capture_output=True, text=True, timeout=60
        )  # fmt: skip

    @property
    def did(self) -> list[str]:
        return self.called.read_text().splitlines()


def test_a_table_is_set_up_from_the_card_and_its_pins_do_not_stay_there(tmp_path: Path) -> None:
    bench = Bench(tmp_path, f'cat "$3" "$(dirname "$3")/chips.csv"; {SET_UP}')
    (bench.card / "setup.toml").write_text('pin = "4711"\n')
    (bench.card / "chips.csv").write_text("tag,kind,value\n")
    done = bench.run()
    assert done.returncode == 0, done.stderr
    assert 'pin = "4711"\ntag,kind,value\n' in done.stdout, "answers and lists lay side by side"
    assert not bench.marker.exists()
    assert [path.name for path in bench.card.iterdir()] == ["chips.csv"]
    assert not (tmp_path / "run" / "tablectl-setup").exists()
    assert bench.did[-1] == "systemctl start --no-block tablectl.service"
    assert (tmp_path / "run" / "tablectl-setup.said").stat().st_mode & 0o077 == 0, "it holds the codes of screens"


def test_answers_that_are_wrong_are_told_and_asked_for_at_the_screen(tmp_path: Path) -> None:
    bench = Bench(tmp_path, f'case "$*" in *--answers*) echo setup.toml:3: wrong; exit 2;; esac; {SET_UP}')
    (bench.card / "setup.toml").write_text("wrong\n")
    done = bench.run("\n")
    assert done.returncode == 0, done.stderr
    assert "setup.toml:3: wrong" in done.stdout
    assert "Correct setup.toml on the card" in done.stdout
    assert (bench.card / "setup.toml").exists(), "to be corrected"
    assert "tablectl setup" in bench.did, "by questions"
    assert not bench.marker.exists()


def test_a_set_up_whose_end_a_power_cut_took_is_ended_and_asks_nothing(tmp_path: Path) -> None:
    """The answers are removed before the marker: between the two there is nothing left to set up from."""
    bench = Bench(tmp_path, SET_UP)
    (bench.card / "setup.toml").write_text('pin = "4711"\n')
    (tmp_path / "bin" / "mount").write_text(
        f'#!/bin/sh\ncase "$*" in *,ro*) rm -f {bench.card}/setup.toml; kill -9 $PPID;; esac\n'
    )
    assert bench.run().returncode == -signal.SIGKILL
    assert bench.marker.exists()
    (tmp_path / "bin" / "mount").write_text("#!/bin/sh\n")
    done = bench.run()
    assert done.returncode == 0, done.stdout
    assert "press Enter" not in done.stdout
    assert not bench.marker.exists()
    assert bench.did[-1] == "systemctl start --no-block tablectl.service"


def test_a_table_that_could_not_be_set_up_is_not_started(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "exit 2")
    assert bench.run("\n").returncode != 0
    assert bench.marker.exists()
    assert not any("tablectl.service" in line for line in bench.did)


def test_the_table_waits_for_its_set_up_and_for_its_data() -> None:
    said = lines(SYSTEM / "etc/systemd/system/tablectl.service.d/image.conf")
    assert "ConditionPathExists=!/etc/tablectl/not-set-up" in said
    assert "AssertPathExists=/run/image/whole" in said
    assert "touch /run/image/whole" in (IMAGE / "init").read_text()


def test_a_clock_is_waited_for_but_not_for_ever() -> None:
    said = lines(SYSTEM / "etc/systemd/system/systemd-time-wait-sync.service.d/image.conf")
    (waits,) = [line for line in said if line.startswith("TimeoutStartSec=")]
    assert 0 < int(waits.partition("=")[2]) <= 90
