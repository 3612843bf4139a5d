"""The power goes during an upgrade, at every step of it: the table comes up again on a whole version."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lab.bundle import write_sums
from tests.bundles import bundle, stub_wheel
from tests.whole.pi.forgetful import Disk, File, Link, Loss, Node, empty, half, recorded, written, zeros
from tests.whole.pi.installed_machine import Machine

OUTSIDE = (
    "etc/systemd/system/tablectl.service",
    "etc/systemd/system/tablectl.service.d/network.conf",
    "etc/udev/rules.d/70-tablectl.rules",
    "etc/sysusers.d/tablectl.conf",
    "etc/tmpfiles.d/tablectl.conf",
    "etc/modules-load.d/tablectl.conf",
    "opt/tablectl/launch",
    "opt/tablectl/backoff.sh",
)
"""What lies outside both versions and must be one version's or the other's, whole."""


class Upgrade:
    """A table with 1.0 installed and everything that the upgrade to 1.1 does to its disk."""

    def __init__(self, folder: Path) -> None:
        self.pi = Machine(folder)
        done = self.pi.install("1.0")
        assert done.returncode == 0, done.stderr
        self.pi.config.write_text("# mine\n")
        (self.pi.data / "table.db").write_text("evidence")
        made = self.pi.bundle("1.1")
        (made / "share" / "tablectl.service").write_text("[Service]\nExecStart=/another/unit\n")
        write_sums(made)
        shutil.copytree(self.pi.root, folder / "before", symlinks=True)
        self.before = Disk(folder / "before").nodes
        command = ["sh", str(made / "install.sh"), "--root", str(self.pi.root)]
        environment = {**os.environ, **self.pi.environment}
        status, said, self.calls = recorded(command, self.pi.root, folder / "calls", environment)
        assert status == 0, said
        self.after = Disk(self.pi.root).nodes

    def disk(self, folder: Path) -> Disk:
        """The disk as it was before the upgrade, to be played on."""
        disk = Disk(folder)
        disk.folder = str(self.pi.root)
        return disk


@pytest.fixture(scope="module")
def upgrade(tmp_path_factory: pytest.TempPathFactory) -> Upgrade:
    return Upgrade(tmp_path_factory.mktemp("cut"))


def states(upgrade: Upgrade, lose: Loss) -> list[tuple[int, str, dict[str, Node]]]:
    """Every different disk that a cut can leave, with the number and the words of the last call before it."""
    disk = upgrade.disk(upgrade.pi.folder / "before")
    found: list[tuple[int, str, dict[str, Node]]] = []
    seen: set[int] = set()
    for number, call in enumerate(["nothing", *upgrade.calls]):
        if number and not disk.play(call):
            continue
        left = disk.cut(lose)
        key = hash(frozenset((name, _facts(node)) for name, node in left.items()))
        if key not in seen:
            seen.add(key)
            found.append((number, call[:200], left))
    return found


def _facts(node: Node) -> object:
    return (node.data, node.mode) if isinstance(node, File) else node


def come_up(root: Path) -> subprocess.CompletedProcess[str]:
    """What the service does when the machine starts, with the unit that is there."""
    launch = root / "opt" / "tablectl" / "launch"
    checked = subprocess.run([launch, "--check"], capture_output=True, text=True, timeout=20)
    assert checked.returncode == 0, checked.stderr
    return subprocess.run([launch, "--version"], capture_output=True, text=True, timeout=20)


def test_what_was_recorded_is_all_that_the_upgrade_did(upgrade: Upgrade) -> None:
    """The judge of the cuts: played to its end, the record gives the very disk that the upgrade left."""
    disk = upgrade.disk(upgrade.pi.folder / "before")
    for call in upgrade.calls:
        disk.play(call)
    played = {name: _facts(node) for name, node in disk.nodes.items()}
    true = {name: _facts(node) for name, node in upgrade.after.items()}
    assert {name for name in {*played, *true} if played.get(name, "gone") != true.get(name, "gone")} == set()
    assert disk.syncs >= 4


@pytest.mark.parametrize("lose", [empty, half, zeros], ids=lambda lose: lose.__name__)
def test_wherever_the_power_is_cut_during_an_upgrade_a_whole_version_comes_up(
    upgrade: Upgrade, lose: Loss, tmp_path: Path
) -> None:
    ran: set[str] = set()
    cuts = states(upgrade, lose)
    needed = {"opt/tablectl/current", "opt/tablectl/previous", *OUTSIDE}
    tried: set[object] = set()
    for number, call, left in cuts:
        where = f"cut after call {number}: {call}"
        for name in OUTSIDE:
            assert _facts(left[name]) in (_facts(upgrade.before[name]), _facts(upgrade.after[name])), f"{name}, {where}"
        assert _facts(left["etc/tablectl/table.toml"]) == _facts(upgrade.before["etc/tablectl/table.toml"]), where
        assert _facts(left["var/lib/tablectl/table.db"]) == _facts(upgrade.before["var/lib/tablectl/table.db"]), where
        current = left["opt/tablectl/current"]
        assert isinstance(current, Link), where
        # What an unfinished version holds matters to nobody as long as nothing points to it.
        matters = {
            name: node
            for name, node in left.items()
            if name in needed or name.startswith((f"opt/tablectl/{current.to}/", "opt/tablectl/seals/"))
        }
        key = frozenset((name, _facts(node)) for name, node in matters.items())
        if key in tried:
            continue
        tried.add(key)
        root = written(left, tmp_path / str(number))
        done = come_up(root)
        assert done.returncode == 0, f"{where}\n{done.stderr}"
        assert done.stdout.startswith("tablectl, version 1."), where
        ran.add(done.stdout.strip())
        shutil.rmtree(root)
    assert ran == {"tablectl, version 1.0", "tablectl, version 1.1"}
    assert len(cuts) > 100, "an upgrade is more than this many steps"


def test_a_version_that_was_switched_to_is_on_the_disk_whole(upgrade: Upgrade, tmp_path: Path) -> None:
    """No fall back is needed for a cut: by the time `current` points to the new version, nothing of it can be lost."""
    for number, call, left in states(upgrade, empty):
        current = left["opt/tablectl/current"]
        assert isinstance(current, Link)
        lost = [
            name
            for name, node in left.items()
            if isinstance(node, File)
            and name.startswith(f"opt/tablectl/{current.to}/")
            and _facts(node) != _facts(upgrade.after.get(name, upgrade.before.get(name)))
        ]
        assert lost == [], f"cut after call {number}: {call}"


def test_the_upgrade_can_be_done_again_after_a_cut_in_the_middle_of_it(upgrade: Upgrade, tmp_path: Path) -> None:
    cuts = states(upgrade, empty)
    for which in (len(cuts) // 3, len(cuts) - 40, len(cuts) - 15):
        number, call, left = cuts[which]
        pi = Machine(tmp_path / str(number))
        shutil.rmtree(pi.root)
        written(left, pi.root)
        done = pi.install("1.1")
        assert done.returncode == 0, f"cut after call {number}: {call}\n{done.stderr}"
        assert come_up(pi.root).stdout == "tablectl, version 1.1\n"
        assert {name for name in pi.versions if not name.startswith("1.")} == set()


# --- falling back ----------------------------------------------------------------------------


@pytest.fixture
def upgraded(tmp_path: Path) -> Machine:
    pi = Machine(tmp_path)
    assert pi.install("1.0").returncode == 0
    assert pi.install("1.1").returncode == 0
    return pi


def test_empty_files_behind_current_make_the_launcher_take_the_version_before_and_say_so(upgraded: Machine) -> None:
    """What a card that lies about its syncs leaves."""
    for path in (upgraded.opt / "versions" / "1.1").rglob("*"):
        if path.is_file() and not path.is_symlink():
            path.write_bytes(b"")
    done = come_up(upgraded.root)
    assert done.stdout == "tablectl, version 1.0, instead of 1.1\n"
    assert "version 1.1 is not as it was installed; version 1.0 runs in its place" in done.stderr
    assert "Install the bundle again" in done.stderr
    assert upgraded.run(upgraded.folder / "tablectl-1.1").returncode == 0
    assert come_up(upgraded.root).stdout == "tablectl, version 1.1\n"
    assert os.path.basename(os.readlink(upgraded.opt / "previous")) == "1.0", "the spoilt one is nothing to go back to"


@pytest.mark.parametrize("spoilt", ["one file", "the manifest cut short", "the manifest gone", "the seal empty"])
def test_a_version_with_anything_missing_is_not_whole(upgraded: Machine, spoilt: str) -> None:
    version = upgraded.opt / "versions" / "1.1"
    manifest = version / "MANIFEST"
    if spoilt == "one file":
        (version / "pyvenv.cfg").write_text("")
    elif spoilt == "the manifest cut short":
        manifest.write_text("".join(manifest.read_text().splitlines(keepends=True)[:3]))
    elif spoilt == "the manifest gone":
        manifest.unlink()
    else:
        (upgraded.opt / "seals" / "1.1").write_text("")
    assert come_up(upgraded.root).stdout == "tablectl, version 1.0, instead of 1.1\n"


def test_when_no_version_is_whole_the_launcher_says_what_to_do(upgraded: Machine) -> None:
    for version in ("1.0", "1.1"):
        (upgraded.opt / "versions" / version / "bin" / "tablectl").write_text("")
    done = come_up(upgraded.root)
    assert done.returncode == 1
    assert "no installed version is whole. Install the bundle again" in done.stderr
    assert "journal and configuration are as they were" in done.stderr


def test_the_version_before_is_not_taken_when_it_cannot_read_the_journal(tmp_path: Path) -> None:
    pi = Machine(tmp_path)
    assert pi.install("1.0").returncode == 0
    made = pi.folder / "made"
    again = bundle(pi.folder, "1.1", stub_wheel(made, "1.1"))
    assert pi.run(again).returncode == 0
    (ready,) = (pi.opt / "versions" / "1.0").rglob("install/ready.py")
    ready.write_text("import sys\nsys.exit('written with schema 2, and this version knows 1')\n")
    for cached in ready.parent.glob("__pycache__/ready*"):
        cached.unlink()
    version = pi.opt / "versions" / "1.0"
    subprocess.run(
        ["sh", "-c", f". {again}/share/versions.sh; opt={pi.opt}; seal 1.0"], check=True, timeout=20
    )  # as if it had been built so
    assert version.is_dir()
    (pi.opt / "versions" / "1.1" / "pyvenv.cfg").write_text("home = /nowhere\n")
    launch = pi.opt / "launch"
    done = subprocess.run([launch, "run", "--config", pi.config], capture_output=True, text=True, timeout=20)
    assert "written with schema 2" in done.stderr
    assert "version 1.0 cannot go on with this table" in done.stderr
    assert "version 1.0" not in done.stdout


def test_a_version_found_whole_is_not_read_again_until_the_service_starts(upgraded: Machine) -> None:
    if os.getuid():
        pytest.skip("only root remembers, for others believe it")
    come_up(upgraded.root)
    (upgraded.opt / "versions" / "1.1" / "share" / "tablectl" / "kiosk.sh").write_text("changed")
    launch = upgraded.opt / "launch"
    quick = subprocess.run([launch, "--version"], capture_output=True, text=True, timeout=20)
    assert quick.stdout == "tablectl, version 1.1\n"
    assert come_up(upgraded.root).stdout == "tablectl, version 1.0, instead of 1.1\n"
