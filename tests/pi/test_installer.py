"""The installer: whole or not at all, beside what runs, back by itself when the new one is not ready."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from bundles import bundle, stub_wheel

from controller.pi.install.bundle import write_sums

Install = Callable[..., subprocess.CompletedProcess[str]]

SYSTEMCTL = """#!/bin/sh
# Stands in for systemd: tells what it was asked, and starts nothing that is said to be not ready.
echo "$*" >>"{folder}/asked"
current=$(basename "$(readlink "{root}/opt/tablectl/current")")
[ "$1" != restart ] || [ "$current" != "$(cat "{folder}/unready" 2>/dev/null)" ]
"""


class Machine:
    """A folder that stands for a Pi, and what its service manager was asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "root"
        self.opt = self.root / "opt" / "tablectl"
        self.config = self.root / "etc" / "tablectl" / "table.toml"
        self.data = self.root / "var" / "lib" / "tablectl"
        self.systemctl = folder / "systemctl"
        self.systemctl.write_text(SYSTEMCTL.format(folder=folder, root=self.root))
        self.systemctl.chmod(0o755)

    def bundle(self, version: str, **program: object) -> Path:
        made = self.folder / "made"
        made.mkdir(exist_ok=True)
        return bundle(self.folder, version, stub_wheel(made, version, **program))  # type: ignore[arg-type]

    def run(self, bundle: Path, *options: str) -> subprocess.CompletedProcess[str]:
        command = ["sh", str(bundle / "install.sh"), "--root", str(self.root), *options]
        environment = {**os.environ, "PYTHON": sys.executable, "TABLECTL_SYSTEMCTL": str(self.systemctl)}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)

    def install(self, version: str, *options: str, **program: object) -> subprocess.CompletedProcess[str]:
        return self.run(self.bundle(version, **program), *options)

    @property
    def current(self) -> str:
        return os.path.basename(os.readlink(self.opt / "current"))

    @property
    def versions(self) -> list[str]:
        return sorted(path.name for path in (self.opt / "versions").iterdir())

    def asked(self) -> list[str]:
        path = self.folder / "asked"
        said = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return said

    def files(self) -> set[str]:
        if not self.root.exists():
            return set()
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file()}


@pytest.fixture
def pi(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_one_command_installs_everything_a_table_needs(pi: Machine) -> None:
    done = pi.install("1.0")
    assert done.returncode == 0, done.stderr
    assert pi.current == "1.0"
    program = pi.opt / "current" / "bin" / "tablectl"
    assert subprocess.run([program], capture_output=True, text=True, timeout=20).stdout == "tablectl, version 1.0\n"
    for name in (
        "etc/systemd/system/tablectl.service",
        "etc/systemd/system/tablectl.service.d/network.conf",
        "etc/udev/rules.d/70-tablectl.rules",
        "etc/sysusers.d/tablectl.conf",
        "etc/modules-load.d/tablectl.conf",
        "opt/tablectl/versions/1.0/share/tablectl/backoff.sh",
    ):
        assert (pi.root / name).is_file(), name
    assert not (pi.root / "etc/systemd/system/tablectl-kiosk.service").exists()
    assert 'journal = "/var/lib/tablectl/table.db"' in pi.config.read_text()
    assert pi.data.stat().st_mode & 0o777 == 0o750
    # A table that was never configured is not started; whoever installs it is told what comes next.
    assert pi.asked() == ["daemon-reload", "enable --quiet tablectl.service"]
    assert "Now correct" in done.stdout


def test_the_installed_files_fit_their_manifest(pi: Machine) -> None:
    pi.install("1.0")
    check = ["sha256sum", "--check", "--quiet", "--strict", "MANIFEST"]
    subprocess.run(check, cwd=pi.opt / "current", check=True, timeout=30)
    assert "./bin/tablectl" in (pi.opt / "current" / "MANIFEST").read_text()


def test_a_kiosk_is_installed_only_when_it_is_wanted_and_stays_wanted(pi: Machine) -> None:
    assert pi.install("1.0", "--kiosk").returncode == 0
    unit = pi.root / "etc/systemd/system/tablectl-kiosk.service"
    assert "enable --quiet tablectl-kiosk.service" in pi.asked()
    unit.write_text("old")
    assert pi.install("1.1").returncode == 0
    assert "cage" in unit.read_text()


def test_an_upgrade_keeps_configuration_and_journal_and_restarts_the_table(pi: Machine) -> None:
    pi.install("1.0")
    pi.config.write_text("# mine\n")
    (pi.data / "table.db").write_text("evidence")
    pi.asked()
    done = pi.install("1.1")
    assert done.returncode == 0, done.stderr
    assert (pi.current, pi.versions) == ("1.1", ["1.0", "1.1"])
    assert pi.config.read_text() == "# mine\n"
    assert (pi.data / "table.db").read_text() == "evidence"
    assert "restart tablectl.service" in pi.asked()
    pi.install("1.2")
    assert pi.versions == ["1.1", "1.2"], "the one before stays, older ones go"


def test_a_version_that_does_not_become_ready_is_taken_back(pi: Machine) -> None:
    pi.install("1.0")
    (pi.folder / "unready").write_text("1.1")
    pi.asked()
    unit = (pi.root / "etc/systemd/system/tablectl.service").read_text()
    made = pi.bundle("1.1")
    (made / "share" / "tablectl.service").write_text("[Service]\nExecStart=/changed\n")
    write_sums(made)
    done = pi.run(made)
    assert done.returncode == 1
    assert "version 1.1 was taken back; 1.0 runs again" in done.stderr
    assert (pi.current, pi.versions) == ("1.0", ["1.0"])
    assert (pi.root / "etc/systemd/system/tablectl.service").read_text() == unit
    assert pi.asked().count("restart tablectl.service") == 2


def test_a_version_that_cannot_run_this_table_changes_nothing(pi: Machine) -> None:
    pi.install("2.0")
    before = pi.files()
    pi.asked()
    done = pi.install("1.0", refuses="table.db: written with schema 2, and this version knows 1: going back is refused")
    assert done.returncode == 1
    assert "going back is refused" in done.stderr
    assert pi.files() == before
    assert pi.current == "2.0"
    assert pi.asked() == []


def test_a_program_that_does_not_even_start_is_not_installed(pi: Machine) -> None:
    done = pi.install("1.0", exit_status=3)
    assert done.returncode == 1
    assert "does not start" in done.stderr
    assert pi.files() == set()


def test_a_damaged_bundle_is_told_once_with_its_remedy_and_nothing_is_touched(pi: Machine) -> None:
    made = pi.bundle("1.0")
    with (made / "share" / "tablectl.service").open("a") as file:
        file.write("# altered\n")
    done = pi.run(made)
    assert done.returncode == 1
    assert "the bundle is damaged: share/tablectl.service: FAILED" in done.stderr
    assert "Copy it again" in done.stderr
    assert len(done.stderr.splitlines()) == 2
    assert pi.files() == set()


def test_a_wheel_that_is_not_the_locked_one_is_not_installed(pi: Machine) -> None:
    """Somebody who also rewrites the check sums is stopped by the hashes of the lock."""
    made = pi.bundle("1.0")
    evil = stub_wheel(pi.folder, "1.0", exit_status=9)
    shutil.copy(evil, made / "wheels")
    write_sums(made)
    done = pi.run(made)
    assert done.returncode == 1
    assert "the packages cannot be installed" in done.stderr
    assert pi.files() == set()


@pytest.mark.parametrize(
    ("file", "words", "message"),
    [
        ("ARCH", "riscv64", "this bundle is for riscv64 and this machine is"),
        ("PYTHONS", "3.9", "no wheels for Python"),
    ],
)
def test_a_bundle_for_another_machine_says_which(pi: Machine, file: str, words: str, message: str) -> None:
    made = pi.bundle("1.0")
    (made / file).write_text(words + "\n")
    write_sums(made)
    done = pi.run(made)
    assert done.returncode == 1
    assert message in done.stderr
    assert pi.files() == set()


def test_an_upgrade_without_its_data_directory_stops_before_it_begins(pi: Machine) -> None:
    pi.install("1.0")
    shutil.rmtree(pi.data)
    before = pi.files()
    done = pi.install("1.1")
    assert done.returncode == 1
    assert "data directory" in done.stderr
    assert "Mount the disk" in done.stderr
    assert pi.files() == before


def test_installing_the_same_version_again_mends_a_changed_program(pi: Machine) -> None:
    made = pi.bundle("1.0")
    pi.run(made)
    (pi.opt / "versions" / "1.0" / "bin" / "tablectl").write_text("#!/bin/false\n")
    assert pi.run(made).returncode == 0
    assert pi.current == "1.0.1"
    subprocess.run([pi.opt / "current" / "bin" / "tablectl"], check=True, capture_output=True, timeout=20)


def test_uninstalling_leaves_the_journal_and_the_configuration(pi: Machine) -> None:
    made = pi.bundle("1.0")
    pi.run(made, "--kiosk")
    (pi.data / "table.db").write_text("evidence")
    done = pi.run(made, "--uninstall")
    assert done.returncode == 0
    assert "are left as they are" in done.stdout
    assert (pi.data / "table.db").read_text() == "evidence"
    assert pi.config.exists()
    assert not pi.opt.exists()
    assert not [name for name in pi.files() if "systemd/system" in name or "udev" in name or ".d/" in name]
    assert "disable --now tablectl.service" in pi.asked()


def test_an_unknown_option_is_refused(pi: Machine) -> None:
    done = pi.run(pi.bundle("1.0"), "--frobnicate")
    assert done.returncode == 1
    assert "there is no option --frobnicate" in done.stderr
    assert pi.files() == set()
