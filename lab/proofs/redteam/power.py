"""What a disk holds after a power cut: an account of writes and syncs, and the images it allows."""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lab.needs import C_COMPILER

HERE = Path(__file__).parent
SECTOR = 512
ACKS = "acks"
_HEAD = struct.Struct("<cIQQ")


class NoCompiler(Exception):
    """The shim cannot be made on this machine: what is lacking and what brings it."""


def compiled_shim(folder: Path) -> Path:
    """The shim that keeps the account, made here and now."""
    compiler = C_COMPILER.found()
    if not compiler:
        raise NoCompiler(f"{C_COMPILER.missing}: a power cut is shown with a shim in C")
    shim = folder / "forgetful.so"
    make = [compiler, "-shared", "-fPIC", "-O1", "-o", str(shim), str(HERE / "forgetful.c"), "-ldl"]
    subprocess.run(make, check=True, timeout=60)
    return shim


def run_with_shim(
    shim: Path, writer: str, folder: Path, account: Path, *args: str, space: int | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a writer of this package with everything it writes under `folder` accounted for."""
    env = {**os.environ, "LD_PRELOAD": str(shim), "FORGETFUL_DIR": str(folder), "FORGETFUL_LOG": str(account)}
    if space is not None:
        env["FORGETFUL_SPACE"] = str(space)
    command = [sys.executable, "-m", f"{__package__}.{writer}", str(folder), *args]
    return subprocess.run(command, env=env, timeout=120, capture_output=True, text=True, check=False)


class Step(NamedTuple):
    """One line of the account."""

    what: str  # c created, d made a folder, w written, t cut to length, s synced, f failed to sync, u removed
    path: str
    offset: int
    octets: bytes


def steps(account: Path) -> Iterator[Step]:
    """The account, in the order in which things happened."""
    octets = account.read_bytes()
    at = 0
    while at < len(octets):
        what, path_length, offset, length = _HEAD.unpack_from(octets, at)
        at += _HEAD.size
        path = octets[at : at + path_length].decode()
        at += path_length
        body = b""
        if what == b"w":
            body = octets[at : at + length]
            at += length
        yield Step(what.decode(), path, offset, body)


class File:
    """A file's bytes on disk, and what was done to it since its last sync."""

    def __init__(self) -> None:
        self.kept = bytearray()
        self.waiting: list[Step] = []

    def sync(self) -> None:
        for step in self.waiting:
            change(self.kept, step)
        self.waiting = []

    def forget(self, draw: random.Random | None) -> None:
        """A sync failed: what waited counts as written and never will be, but for the part that a draw lets through."""
        if draw is not None:
            self.kept = self.torn(draw)
        self.waiting = []

    def torn(self, draw: random.Random) -> bytearray:
        """Any part of what waits may have reached the disk, sector by sector."""
        found = bytearray(self.kept)
        for step in self.waiting:
            if step.what == "t":
                if draw.random() < 0.5:
                    change(found, step)
                continue
            at = 0
            while at < len(step.octets):
                upto = min(len(step.octets), at + SECTOR - (step.offset + at) % SECTOR)
                if draw.random() < 0.5:
                    change(found, Step("w", step.path, step.offset + at, step.octets[at:upto]))
                at = upto
        return found


def change(octets: bytearray, step: Step) -> None:
    if step.what == "t":
        del octets[step.offset :]
        octets.extend(bytes(step.offset - len(octets)))
    else:
        if len(octets) < step.offset:
            octets.extend(bytes(step.offset - len(octets)))
        octets[step.offset : step.offset + len(step.octets)] = step.octets


class Disk:
    """A disk that promises only what was synced: a file's bytes by its own sync, its name by its folder's."""

    def __init__(self, root: str, forgets: random.Random | None = None) -> None:
        self.root = root
        self.forgets = forgets
        self.files: dict[str, File] = {}
        self.named: dict[str, File | None] = {}  # names on disk; None is a folder
        self.renamed: list[tuple[str, str]] = []  # what waits for a folder's sync: made or removed, which path
        self.unnamed: list[tuple[str, str]] = []  # what waited when that failed, until the folder is changed again
        self.acknowledged = 0

    def take(self, step: Step) -> None:
        """One more line of the account."""
        if os.path.basename(step.path) == ACKS:
            if step.what == "w":
                self.acknowledged = int(step.octets)
            return
        match step.what:
            case "c":
                self.files[step.path] = File()
                self._change_folder("c", step.path)
            case "d" | "u":
                self._change_folder(step.what, step.path)
            case "f" if step.path in self.files:
                self.files[step.path].forget(self.forgets)
            case "f":
                self.unnamed += [one for one in self.renamed if os.path.dirname(one[1]) == step.path]
                self.renamed = [one for one in self.renamed if os.path.dirname(one[1]) != step.path]
            case "s" if step.path in self.files:
                self.files[step.path].sync()
            case "s":
                for what, path in [one for one in self.renamed if os.path.dirname(one[1]) == step.path]:
                    self._rename(what, path)
                self.renamed = [one for one in self.renamed if os.path.dirname(one[1]) != step.path]
            case _:
                self.files[step.path].waiting.append(step)

    def _change_folder(self, what: str, path: str) -> None:
        """A change writes the folder's block anew, with the names in it that an earlier sync failed to keep."""
        folder = os.path.dirname(path)
        self.renamed += [one for one in self.unnamed if os.path.dirname(one[1]) == folder]
        self.unnamed = [one for one in self.unnamed if os.path.dirname(one[1]) != folder]
        self.renamed.append((what, path))

    def _rename(self, what: str, path: str) -> None:
        if what == "u":
            self.named.pop(path, None)
        else:
            self.named[path] = self.files.get(path) if what == "c" else None

    def image(self, into: Path, draw: random.Random | None) -> None:
        """The disk after a power cut now: nothing that waits is there, or a random part of it when drawn."""
        names = dict(self.named)
        if draw is not None:
            for what, path in self.renamed:
                if draw.random() < 0.5:
                    if what == "u":
                        names.pop(path, None)
                    else:
                        names[path] = self.files.get(path) if what == "c" else None
        if into.exists():
            shutil.rmtree(into)
        into.mkdir()
        for path, file in sorted(names.items()):
            target = into / os.path.relpath(path, self.root)
            if file is None:
                if target.parent.exists():
                    target.mkdir()
            elif target.parent.exists() and not path.endswith("-shm"):  # shared memory is made anew by whoever opens
                target.write_bytes(file.kept if draw is None else file.torn(draw))
