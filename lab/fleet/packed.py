"""Bundles made without a package registry: the real installer round our own program, its libraries lent."""

from __future__ import annotations

import base64
import hashlib
import platform
import shutil
import site
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from controller.journal.file import SCHEMA
from lab.bundle import PACKAGES, PYTHONS, SHARE, BundleTrouble, source, write_sums
from lab.needs import PIPS_WHEEL


def wheel(folder: Path, name: str, version: str, files: Mapping[str, bytes], script: str = "") -> Path:
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


def own_wheel(folder: Path, version: str, changed: Mapping[str, bytes] | None = None) -> Path:
    """Our own packages as they are in the tree, but for what is changed."""
    tree = source()
    files = {
        str(path.relative_to(tree)): path.read_bytes()
        for package in PACKAGES
        for path in sorted((tree / package).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    return wheel(folder, "tablectl", version, {**files, **(changed or {})}, "controller.commands:main")


def borrowed_wheel(folder: Path) -> Path:
    """Lends the packages of the Python that runs this; a real bundle carries its own."""
    text = "\n".join([*site.getsitepackages(), ""])
    return wheel(folder, "borrowed", "1", {"borrowed.pth": text.encode()})


def laid_out(folder: Path, version: str, *wheels: Path) -> Path:
    """Everything of a bundle for this machine and this Python round these wheels, but for pip and the check sums."""
    python = "{}.{}".format(*sys.version_info)
    if python not in PYTHONS:
        raise BundleTrouble(f"the installer knows Python {' and '.join(PYTHONS)}; this one is {python}")
    tree, made = source(), folder / f"tablectl-{version}"
    (made / "wheels").mkdir(parents=True)
    (made / "share").mkdir()
    lines = []
    for one in wheels:
        shutil.copy(one, made / "wheels")
        name, number = one.name.split("-")[:2]
        lines.append(f"{name}=={number} --hash=sha256:{hashlib.sha256(one.read_bytes()).hexdigest()}\n")
    (made / "requirements.txt").write_text("".join(lines))
    facts = (("VERSION", version), ("ARCH", platform.machine()), ("PYTHONS", python), ("SCHEMA", str(SCHEMA)))
    for name, words in facts:
        (made / name).write_text(words + "\n")
    for name in SHARE:
        shutil.copy(tree / "install" / name, made / "share")
    shutil.copy(tree / "controller" / "examples" / "table.toml", made / "share")
    shutil.copytree(
        tree / "controller" / "examples", made / "share" / "examples", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(tree / "install" / "install.sh", made)
    return made


def whole(folder: Path, version: str, changed: Mapping[str, bytes] | None = None) -> Path:
    """A bundle of our own program as it is sent: the archive; its folder lies beside it."""
    pip = PIPS_WHEEL.found()
    if not pip:
        raise BundleTrouble(f"{PIPS_WHEEL.missing}: a bundle holds it")
    made = laid_out(folder, version, own_wheel(folder, version, changed), borrowed_wheel(folder))
    shutil.copy(pip, made / "wheels")
    write_sums(made)
    packed = folder / f"tablectl-{version}.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(made, made.name)
    return packed
