"""A table is upgraded from a stick by the installed version itself, which believes nothing of the new bundle."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests import ROOT
from tests.bundles import borrowed_wheel, bundle, own_wheel
from tests.whole.pi.own_root import OwnRoot, typed


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> OwnRoot:
    """A machine with version 2.0, and versions 1.0 and 3.0 on its stick."""
    folder = tmp_path_factory.mktemp("upgrade")
    made = {version: packed(folder, version) for version in ("1.0", "2.0", "3.0")}
    machine = OwnRoot.installed(folder / "machine", made["2.0"])
    for version in ("1.0", "3.0"):
        archive = machine.folder / f"media/stick/tablectl-{version}.tar.gz"
        subprocess.run(["tar", "-czf", archive, "-C", folder, made[version].name], check=True, timeout=60)
    return machine


def packed(folder: Path, version: str) -> Path:
    return bundle(folder, version, own_wheel(folder, version), borrowed_wheel(folder))


def version(machine: OwnRoot) -> str:
    return machine.did("tablectl --version").split()[-1]


def test_the_pages_command_upgrades_and_what_is_wrong_is_refused(machine: OwnRoot) -> None:
    (line,) = [one for one in typed(ROOT / "docs" / "pi.md", "Upgrade, back, away") if "tablectl upgrade" in one]
    stick = machine.folder / "media" / "stick"
    octets = (stick / "tablectl-3.0.tar.gz").read_bytes()
    (stick / "cut.tar.gz").write_bytes(octets[: len(octets) // 2])
    cut = machine.run("sudo tablectl upgrade /media/stick/cut.tar.gz")
    assert "cut short, damaged, or no bundle; nothing was changed. Copy it again." in cut.stderr
    older = machine.run("sudo tablectl upgrade /media/stick/tablectl-1.0.tar.gz")
    assert "version 1.0 is older than 2.0, which is installed; nothing was changed" in older.stderr
    assert "To go back on purpose: --older" in older.stderr
    (machine.folder / "etc/tablectl/builder.gpg").write_bytes(b"a keyring that signed nothing here")
    unsigned = machine.run("sudo tablectl upgrade /media/stick/tablectl-3.0.tar.gz")
    assert "this bundle is not signed" in unsigned.stderr
    assert "the installed version plays on" in unsigned.stderr
    (machine.folder / "etc/tablectl/builder.gpg").unlink()
    assert version(machine) == "2.0"
    machine.did(line.replace("tablectl-VERSION-aarch64", "tablectl-3.0"))
    assert version(machine) == "3.0"
    machine.did("sudo tablectl upgrade /media/stick/tablectl-1.0.tar.gz --older")
    assert version(machine) == "1.0"
    machine.end()
