"""Bundles made without a package registry: the real installer round a small program, or round our own."""

from __future__ import annotations

import atexit
import compileall
import functools
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

from lab.bundle import BundleTrouble, source, write_sums
from lab.fleet.packed import borrowed_wheel, laid_out, own_wheel, wheel
from lab.needs import PIPS_WHEEL
from tests.needed import needed

__all__ = ["TREE", "borrowed_wheel", "bundle", "own_wheel", "stub_wheel", "system", "unpacked", "wheel"]
TREE = source()
_STUB = {
    "controller/__init__.py": "VERSION = {version!r}\n",
    "controller/commands/__init__.py": (
        "import os, sys\ndef main():\n    instead = os.environ.get('TABLECTL_INSTEAD_OF')\n"
        "    print('tablectl, version {version}' + (f', instead of {{instead}}' if instead else ''))\n"
        "    sys.exit({exit})\n"
    ),
    "controller/pi/__init__.py": "",
    "controller/pi/install/__init__.py": "",
    "controller/pi/install/ready.py": "import sys\nif {refuses!r}:\n    sys.exit({refuses!r})\n",
    "controller/pi/install/under_way.py": "import sys\nif {playing!r}:\n    sys.exit({playing!r})\n",
    "controller/pi/install/network.py": "print('[Service]\\nIPAddressAllow=localhost')\n",
}


def stub_wheel(folder: Path, version: str, refuses: str = "", exit_status: int = 0, playing: str = "") -> Path:
    """A program that can only say its version, and may refuse the table or be in the middle of a round."""
    facts = {"version": version, "refuses": refuses, "exit": exit_status, "playing": playing}
    files = {path: text.format(**facts).encode() for path, text in _STUB.items()}
    return wheel(folder, "tablectl", version, files, "controller.commands:main")


def system(root: Path) -> Path:
    """A folder that passes for a system: the Python that runs the tests lies there at its own place."""
    python = Path(sys._base_executable)  # type: ignore[attr-defined]
    there = root / str(python).lstrip("/")
    there.parent.mkdir(parents=True)
    there.symlink_to(python.resolve())
    return root


@functools.cache
def unpacked(pip: Path) -> Path:
    """pip ready to run, once for all tests: from inside its wheel it would be compiled anew each time."""
    folder = Path(tempfile.mkdtemp(prefix="pip-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with zipfile.ZipFile(pip) as archive:
        archive.extractall(folder)
    compileall.compile_dir(folder, quiet=2)
    return folder


def bundle(folder: Path, version: str, *wheels: Path) -> Path:
    """A bundle for this machine and this Python round these wheels."""
    pip = Path(needed(PIPS_WHEEL, "a bundle holds it"))
    try:
        made = laid_out(folder, version, *wheels)
    except BundleTrouble as trouble:
        pytest.skip(str(trouble))
    (made / "wheels" / pip.name).symlink_to(unpacked(pip))
    write_sums(made)
    return made
