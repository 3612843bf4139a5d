"""The installer: whole or not at all, beside what runs, back by itself when the new one is not ready."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lab.bundle import write_sums
from lab.needs import STRACE
from tests.bundles import stub_wheel
from tests.needed import skip_without
from tests.whole.pi.installed_machine import TIMERS, Machine

Install = Callable[..., subprocess.CompletedProcess[str]]


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
        "etc/tmpfiles.d/tablectl.conf",
        "etc/systemd/system/tablectl-backup.timer",
        "etc/systemd/system/tablectl-backup.service",
        "etc/tablectl/upkeep.conf",
        "opt/tablectl/launch",
        "opt/tablectl/backoff.sh",
    ):
        assert (pi.root / name).is_file(), name
    assert not (pi.root / "etc/systemd/system/tablectl-kiosk.service").exists()
    assert 'journal = "/var/lib/tablectl/table.db"' in pi.config.read_text()
    assert pi.data.stat().st_mode & 0o777 == 0o750
    # A table that was never configured is not started; whoever installs it is told what comes next.
    assert pi.asked() == ["daemon-reload", f"enable --quiet tablectl.service {TIMERS}"]
    for step in ("setup", "restart", "doctor"):  # as docs/pi.md has it
        assert f"\n  sudo tablectl {step}\n" in done.stdout


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


def test_an_upgrade_in_the_middle_of_a_round_is_put_off_unless_it_is_meant(pi: Machine) -> None:
    pi.install("1.0", playing="A round is under way at table Big Wheel 1 (spinning).")
    before = pi.files()
    pi.asked()
    made = pi.bundle("1.1")
    done = pi.run(made)
    assert done.returncode == 75, "told apart from whatever else may be wrong"
    assert "A round is under way at table Big Wheel 1 (spinning)." in done.stderr
    assert "Install between rounds" in done.stderr
    assert pi.files() == before
    assert "restart tablectl.service" not in pi.asked()
    assert pi.run(made, "--now").returncode == 0
    assert pi.current == "1.1"


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
    words = "table.db: written with schema 3, and this version knows 2: going back is refused"
    done = pi.install("1.0", "--older", refuses=words)
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


# --- disks that cannot be written --------------------------------------------------------------


def in_namespace(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run this where mounts are nobody else's; skips where the machine does not allow it."""
    probe = subprocess.run(["unshare", "--mount", "true"], capture_output=True, timeout=20)
    if probe.returncode:
        pytest.skip("this needs the right to mount, which this machine does not give")
    command = ["unshare", "--mount", "sh", "-euc", f"mount --make-rprivate /; {script}", "sh", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_an_upgrade_on_a_read_only_root_says_so_and_how_to_make_it_writable(pi: Machine) -> None:
    pi.install("1.0")
    before = pi.files()
    made = pi.bundle("1.1")
    settings = " ".join(f"{key}='{value}'" for key, value in pi.environment.items())
    script = f"mount --bind {pi.root} {pi.root}; mount -o remount,ro,bind {pi.root}; "
    done = in_namespace(script + f"{settings} exec sh {made}/install.sh --root {pi.root}")
    assert done.returncode == 1
    assert "the root file system is read-only or full" in done.stderr
    assert "mount -o remount,rw /" in done.stderr
    assert "venv" not in done.stderr
    assert pi.files() == before


LAID = (
    "opt/tablectl/launch",
    "etc/systemd/system/tablectl.service",
    "etc/udev/rules.d/70-tablectl.rules",
    "etc/systemd/system/tablectl.service.d/network.conf",
    "etc/tablectl/table.toml",
)


@skip_without(STRACE)
@pytest.mark.parametrize("name", LAID)
def test_a_disk_that_is_full_half_way_leaves_nothing_behind(pi: Machine, name: str) -> None:
    made = pi.bundle("1.0")
    full = ["strace", "-f", "-qq", "-o", "/dev/null", "-P", str(pi.root / f"{name}.new")]
    full += ["-e", "trace=openat,open", "-e", "inject=openat,open:error=ENOSPC"]
    command = [*full, "sh", str(made / "install.sh"), "--root", str(pi.root)]
    environment = {**os.environ, **pi.environment}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert "Look at the disk" in done.stderr
    assert pi.files() == set()
    assert pi.run(made).returncode == 0, "with room again it goes on as if nothing had been"


@skip_without(STRACE)
@pytest.mark.parametrize("name", [*LAID[:-1], "opt/tablectl/current"])
def test_a_disk_that_is_full_half_way_leaves_the_old_version_as_it_was(pi: Machine, name: str) -> None:
    pi.install("1.0")
    before = pi.contents()
    made = pi.bundle("1.1")
    (made / "share" / "tablectl.service").write_text("[Service]\nExecStart=/another\n")
    write_sums(made)
    full = ["strace", "-f", "-qq", "-o", "/dev/null", "-P", str(pi.root / f"{name}.new")]
    full += ["-e", "trace=openat,symlinkat", "-e", "inject=openat,symlinkat:error=ENOSPC"]
    command = [*full, "sh", str(made / "install.sh"), "--root", str(pi.root)]
    environment = {**os.environ, **pi.environment}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert pi.contents() == before


# --- into another root -------------------------------------------------------------------------


def test_what_is_installed_into_another_root_runs_there_and_comes_up_with_the_machine(pi: Machine) -> None:
    """With the system's own Python, as for an image; entered as a machine would."""
    system = Path("/usr/bin/python3")
    if not system.exists() or os.path.basename(os.readlink(system)) != "python{}.{}".format(*sys.version_info):
        pytest.skip("the system's Python is not the one that runs the tests")
    made = pi.bundle("1.0")
    root = pi.folder / "image"
    script = f"""
        for name in bin lib lib64 share; do
            mkdir -p {root}/usr/$name
            [ ! -d /usr/$name ] || mount --bind /usr/$name {root}/usr/$name
        done
        for name in bin lib lib64; do ln -s usr/$name {root}/$name; done
        mkdir -p {root}/etc {root}/dev {root}/run {root}/proc
        touch {root}/dev/null; mount --bind /dev/null {root}/dev/null
        sh {made}/install.sh --root {root} >{pi.folder}/said
        echo 'journal = "/var/lib/tablectl/table.db"' >>{root}/etc/tablectl/table.toml
        sh {made}/install.sh --root {root} >>{pi.folder}/said
        chroot {root} /opt/tablectl/launch --check
        chroot {root} /usr/local/bin/tablectl --version
        chroot {root} readlink -e /etc/systemd/system/multi-user.target.wants/tablectl.service
        ! grep -rlF {pi.folder} {root}/opt {root}/etc {root}/usr/local
    """
    done = in_namespace(script)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["tablectl, version 1.0", "/etc/systemd/system/tablectl.service"]


def test_a_folder_without_a_system_is_no_root_to_install_into(pi: Machine) -> None:
    made = pi.bundle("1.0")
    bare = pi.folder / "bare"
    command = ["sh", str(made / "install.sh"), "--root", str(bare)]
    done = subprocess.run(command, env={**os.environ, **pi.environment}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "holds no system that could run the table" in done.stderr
    assert "debootstrap" in done.stderr


def test_an_unknown_option_is_refused(pi: Machine) -> None:
    done = pi.run(pi.bundle("1.0"), "--frobnicate")
    assert done.returncode == 1
    assert "there is no option --frobnicate" in done.stderr
    assert pi.files() == set()


def test_no_package_mirror_is_named_in_what_installs_and_proves(pi: Machine) -> None:
    """Where Debian comes from is for the machine's own apt to say."""
    from lab.bundle import source

    files = [path for path in sorted((source() / "install").rglob("*")) if path.is_file()]
    named = [path.name for path in files if "://deb." in path.read_text("utf-8", errors="replace")]
    assert named == []
    tools = pi.folder / "tools"
    tools.mkdir()
    (tools / "apt-get").write_text(
        "#!/bin/sh\necho http://here.example/debian-security/ bookworm-security\n"
        "echo http://here.example/debian/ bookworm\n"
    )
    (tools / "apt-get").chmod(0o755)
    mirror = source() / "install" / "mirror.sh"
    said = subprocess.run(["sh", mirror], env={"PATH": f"{tools}:/usr/bin:/bin"}, capture_output=True, text=True)
    assert said.stdout == "http://here.example/debian\n"
