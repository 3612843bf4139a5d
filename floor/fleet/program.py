"""What a roll-out of a program sends: a bundle as it was built, or the signed repository of the Debian package."""

from __future__ import annotations

import io
import re
import subprocess
import tarfile
from pathlib import Path
from typing import NamedTuple

from floor.fleet.line import FleetTrouble

SIGNED, LISTED = "InRelease", "Packages"
_SORT_S = 20


class Program(NamedTuple):
    """One version in one file; `packaged` for machines that were installed from the Debian package."""

    version: str
    octets: bytes
    packaged: bool


def read_program(path: Path) -> Program:
    """The program at this path; FleetTrouble when there is none."""
    if path.is_dir():
        return _repository(path)
    return Program(version_of(path), path.read_bytes(), False)


def version_of(bundle: Path) -> str:
    """The version in a bundle; FleetTrouble when it is none."""
    try:
        with tarfile.open(bundle, "r:gz") as archive:
            for member in archive:
                if member.name.count("/") == 1 and member.name.endswith("/VERSION"):
                    file = archive.extractfile(member)
                    if file is not None:
                        return file.read(200).decode().strip()
    except (OSError, tarfile.TarError, EOFError, UnicodeDecodeError) as error:
        raise FleetTrouble(f"{bundle}: no bundle ({error}); build one with make bundle") from error
    raise FleetTrouble(f"{bundle}: no bundle, for it names no version; build one with make bundle")


def _repository(folder: Path) -> Program:
    """The newest version in a repository, and nothing older of what lies in its pool."""
    try:
        said = (folder / LISTED).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FleetTrouble(f"{folder}: no repository of packages ({error}); build one with make deb") from error
    if not (folder / SIGNED).is_file():
        raise FleetTrouble(f"{folder}: nobody signed it, and no machine takes it so; build it with make deb KEY=...")
    packages = [dict(re.findall(r"^(\w+): (.*)$", entry, re.MULTILINE)) for entry in said.split("\n\n")]
    ours = [one for one in packages if one.get("Package") == "tablectl" and {"Version", "Filename"} <= one.keys()]
    if not ours:
        raise FleetTrouble(f"{folder}: it holds no package of ours; build one with make deb")
    version = _newest([one["Version"] for one in ours])
    files = [folder / one["Filename"] for one in ours if one["Version"] == version]
    for path in files:
        if not path.is_file():
            raise FleetTrouble(f"{path}: the repository names it, and it is not there; build it anew with make deb")
    listed = [path for path in sorted(folder.iterdir()) if path.is_file() and path.name != "tablectl.gpg"]
    return Program(version, _packed(folder, [*listed, *files]), True)


def _newest(versions: list[str]) -> str:
    said = "".join(f"{one}\n" for one in versions)
    done = subprocess.run(["sort", "-V"], input=said, capture_output=True, text=True, timeout=_SORT_S, check=True)
    return done.stdout.splitlines()[-1]


def _packed(folder: Path, files: list[Path]) -> bytes:
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz", compresslevel=1) as archive:  # packages are compressed already
        for path in files:
            archive.add(path, f"repository/{path.relative_to(folder)}")
    return raw.getvalue()
