"""Whether the installed program is the one that was installed: every file against the manifest, and none beside it.

The manifest is in the form of `sha256sum`, so that `sha256sum --check MANIFEST` in its folder says the same without us.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

import msgspec

from controller.core.events import ProgramChecked

NAME = "MANIFEST"
WRONG_TOLD = 20
_LINE = re.compile(r"([0-9a-f]{64})  (?:\./)?(.+)")


class Checked(msgspec.Struct, frozen=True):
    """What a check found; `digest` is the manifest's own, and names the program that ran."""

    digest: str
    files: int
    wrong: tuple[str, ...] = ()

    def event(self) -> ProgramChecked:
        """For the journal: all is well, or the first few of what is not."""
        more = len(self.wrong) - WRONG_TOLD
        told = self.wrong[:WRONG_TOLD] + ((f"and {more} more",) if more > 0 else ())
        return ProgramChecked(self.digest, self.files, told)


def write(folder: Path) -> Path:
    """Write down what lies in this folder now."""
    path = folder / NAME
    lines = [f"{_digest(folder / name)}  ./{name}\n" for name in _files(folder)]
    path.write_text("".join(lines), "utf-8")
    return path


def check(path: Path) -> Checked:
    """Compare the folder of a manifest with it: changed, missing and added files, by name."""
    try:
        text = path.read_bytes()
    except OSError as error:
        return Checked("", 0, (f"{path}: cannot be read ({error.strerror})",))
    expected: dict[str, str] = {}
    wrong = []
    for number, line in enumerate(text.decode("utf-8", "replace").splitlines(), 1):
        parts = _LINE.fullmatch(line)
        if parts is None:
            wrong.append(f"{path}:{number}: not a line of a manifest")
        else:
            expected[parts[2]] = parts[1]
    present = set(_files(path.parent))
    wrong += [f"{name}: added" for name in sorted(present - set(expected))]
    for name, digest in sorted(expected.items()):
        if name not in present:
            wrong.append(f"{name}: missing")
            continue
        try:
            changed = _digest(path.parent / name) != digest
        except OSError as error:
            wrong.append(f"{name}: cannot be read ({error.strerror})")
            continue
        if changed:
            wrong.append(f"{name}: changed")
    return Checked(hashlib.sha256(text).hexdigest(), len(expected), tuple(wrong))


def _files(folder: Path) -> list[str]:
    """Regular files below a folder; links lead out of it and are no part of the program."""
    found = []
    for here, folders, names in os.walk(folder):
        folders.sort()
        found += [
            os.path.relpath(os.path.join(here, name), folder)
            for name in names
            if not os.path.islink(os.path.join(here, name))
        ]
    return sorted(name for name in found if name != NAME)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
