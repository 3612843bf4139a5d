"""Bundles made without a package registry: the real installer round a small program, or round our own."""

from __future__ import annotations

import atexit
import base64
import compileall
import functools
import hashlib
import platform
import shutil
import site
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

from lab.bundle import PACKAGES, PYTHONS, SHARE, source, write_sums
from lab.needs import PIPS_WHEEL
from tests.needed import needed

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


def wheel(folder: Path, name: str, version: str, files: dict[str, bytes], script: str = "") -> Path:
    """A wheel with these files, made by hand."""
    info = f"{name}-{version}.dist-info"
    contents = dict(files)
    contents[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode()
    contents[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    if script:
        contents[f"{info}/entry_points.txt"] = f"[console_scripts]\ntablectl = {script}\n".encode()
    record = [
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(body).digest()).decode().rstrip('=')},{len(body)}"
        for path, body in contents.items()
    ]
    contents[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    made = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as archive:
        for path, body in contents.items():
            archive.writestr(path, body)
    return made


def stub_wheel(folder: Path, version: str, refuses: str = "", exit_status: int = 0, playing: str = "") -> Path:
    """A program that can only say its version, and may refuse the table or be in the middle of a round."""
    facts = {"version": version, "refuses": refuses, "exit": exit_status, "playing": playing}
    files = {path: text.format(**facts).encode() for path, text in _STUB.items()}
    return wheel(folder, "tablectl", version, files, "controller.commands:main")


def own_wheel(folder: Path, version: str) -> Path:
    """Our own packages as they are in the tree."""
    files = {
        str(path.relative_to(TREE)): path.read_bytes()
        for package in PACKAGES
        for path in sorted((TREE / package).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    return wheel(folder, "tablectl", version, files, "controller.commands:main")


def borrowed_wheel(folder: Path) -> Path:
    """Lends the packages of the Python that runs the tests; a real bundle carries its own."""
    text = "\n".join([*site.getsitepackages(), ""])
    return wheel(folder, "borrowed", "1", {"borrowed.pth": text.encode()})


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
    python = "{}.{}".format(*sys.version_info)
    if python not in PYTHONS:
        pytest.skip(f"the installer knows Python {' and '.join(PYTHONS)}; this one is {python}")
    pip = Path(needed(PIPS_WHEEL, "a bundle holds it"))
    made = folder / f"tablectl-{version}"
    (made / "wheels").mkdir(parents=True)
    (made / "share").mkdir()
    lines = []
    for one in wheels:
        shutil.copy(one, made / "wheels")
        name, number = one.name.split("-")[:2]
        lines.append(f"{name}=={number} --hash=sha256:{hashlib.sha256(one.read_bytes()).hexdigest()}\n")
    (made / "wheels" / pip.name).symlink_to(unpacked(pip))
    (made / "requirements.txt").write_text("".join(lines))
    for name, words in (("VERSION", version), ("ARCH", platform.machine()), ("PYTHONS", python), ("SCHEMA", "2")):
        (made / name).write_text(words + "\n")
    for name in SHARE:
        shutil.copy(TREE / "install" / name, made / "share")
    shutil.copy(TREE / "controller" / "examples" / "table.toml", made / "share")
    shutil.copytree(TREE / "controller" / "examples", made / "share" / "examples")
    shutil.copy(TREE / "install" / "install.sh", made)
    write_sums(made)
    return made
