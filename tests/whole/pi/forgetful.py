"""A disk that forgets what was not synced: what a program did to a folder, and what a power cut leaves of it.

`recorded` runs a program under strace. `Disk` plays its calls again, one at a time. Names change in order, as in the
journal of ext4: a cut leaves the names as they were at some moment. What stands in a file is lost unless the file was
synced after it was written.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from lab.needs import STRACE
from tests.needed import needed

CALLS = (
    "open,openat,creat,write,pwrite64,writev,truncate,ftruncate,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,"
    "rmdir,symlink,symlinkat,link,linkat,chmod,fchmod,fchmodat,fsync,fdatasync,sync,syncfs,sendfile,fallocate,chdir,fchdir"
)
LONGEST = 32_000_000
_CALL = re.compile(r"(\d+) (\w+)\((.*)\) += (-?\d+|\?)", re.DOTALL)
_FD = re.compile(r"(?:AT_FDCWD|-?\d+)<(.*)>")
_MODE = re.compile(r"\b0[0-7]{3,5}\b")

Loss = Callable[[bytes], bytes]


def empty(data: bytes) -> bytes:
    return b""


def half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def zeros(data: bytes) -> bytes:
    return bytes(len(data))


class File(msgspec.Struct, eq=False):
    """Contents and rights; two names may lead to one."""

    data: bytes
    mode: int
    synced: bool = True


class Link(msgspec.Struct, frozen=True):
    to: str


Node = File | Link | None
"""None is a folder."""


def recorded(command: list[str], folder: Path, log: Path, environment: dict[str, str]) -> tuple[int, str, list[str]]:
    """Run a program; its status, what it said, and its calls in the order they ended."""
    needed(STRACE, "no power was cut")
    # Without copies inside the kernel everything written passes through `write`, where it can be seen.
    strace = ["strace", "-f", "-y", "-xx", "-s", str(LONGEST), "-e", f"trace={CALLS},copy_file_range"]
    strace += ["-e", "signal=none", "-e", "inject=copy_file_range,sendfile:error=ENOSYS", "-qq", "-o", str(log)]
    done = subprocess.run([*strace, *command], env=environment, capture_output=True, text=True, timeout=300)
    if "PTRACE" in done.stderr or "ptrace" in done.stderr:
        pytest.skip("this machine lets nobody trace a program: no power was cut")
    with log.open("r", encoding="ascii") as lines:
        return done.returncode, done.stderr, list(_joined(lines))


def _joined(lines: Iterator[str]) -> Iterator[str]:
    """Whole calls: strace breaks one in two when another process comes between."""
    begun: dict[str, str] = {}
    for line in lines:
        pid, _, text = line.rstrip("\n").partition(" ")
        text = text.strip()
        if text.endswith("<unfinished ...>"):
            begun[pid] = text.removesuffix("<unfinished ...>").rstrip()
        elif text.startswith("<... "):
            yield f"{pid} {begun.pop(pid)}{text.partition(' resumed>')[2]}"
        else:
            yield f"{pid} {text}"


class Disk:
    """The files below a folder as a program leaves them, call by call."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.nodes: dict[str, Node] = {}
        self.syncs = 0
        self._folders: dict[str, str] = {}  # where each process stands, once it has gone somewhere
        self._at = ""
        for path in sorted(folder.rglob("*")):
            name = str(path.relative_to(folder))
            if path.is_symlink():
                self.nodes[name] = Link(os.readlink(path))
            elif path.is_dir():
                self.nodes[name] = None
            else:
                self.nodes[name] = File(path.read_bytes(), path.stat().st_mode & 0o7777)

    # -- a call --------------------------------------------------------------------------------

    def play(self, line: str) -> bool:
        """Do what this call did; whether it changed anything on this disk."""
        found = _CALL.match(line)
        if found is None or found[4].startswith("-") or found[4] == "?":
            return False
        call, args = found[2], _arguments(found[3])
        self._at = self._folders.get(found[1], "")
        if call in ("chdir", "fchdir"):
            opened = _FD.fullmatch(args[0])
            self._folders[found[1]] = os.path.join(self._at, _unescape(opened[1]) if opened else _text(args[0]))
            return False
        if call in ("sync", "syncfs") or (call in ("fsync", "fdatasync") and self._of_fd(args[0]) is not None):
            self._sync(call, args)
            return True
        if call in ("open", "openat", "creat"):
            return self._open(call, args, line)
        if call in ("write", "pwrite64", "writev", "ftruncate", "truncate", "fallocate", "fchmod"):
            return self._change(call, args, found[4])
        return self._names(call, args)

    def _sync(self, call: str, args: list[str]) -> None:
        self.syncs += 1
        only = self._of_fd(args[0]) if call in ("fsync", "fdatasync") else None
        for name, node in self.nodes.items():
            if isinstance(node, File) and (only is None or name == only):
                node.synced = True

    def _open(self, call: str, args: list[str], line: str) -> bool:
        where = args[1:] if call == "openat" else args
        flags = "O_CREAT|O_TRUNC|O_WRONLY" if call == "creat" else where[1]
        name = self._name(where[0], args[0] if call == "openat" else "")
        if name is None or not re.search(r"O_CREAT|O_TRUNC|O_WRONLY|O_RDWR", flags):
            return False
        node = self.nodes.get(name)
        if node is None:
            mode = _MODE.findall(where[2] if len(where) > 2 else "0666")
            self.nodes[name] = File(b"", int(mode[0], 8) & ~0o022, synced=False)
            return True
        assert isinstance(node, File), line
        if "O_TRUNC" in flags:
            node.data, node.synced = b"", False
            return True
        assert "O_APPEND" in flags or not node.data or "O_RDWR" in flags or "O_PATH" in flags, f"overwritten: {line}"
        return False

    def _change(self, call: str, args: list[str], result: str) -> bool:
        name = self._name(args[0]) if call == "truncate" else self._of_fd(args[0])
        node = self.nodes.get(name) if name is not None else None
        if not isinstance(node, File):
            return False
        if call == "fchmod":
            node.mode = int(args[1], 8)
            return True
        assert call == "write", f"{call} is not played yet"
        node.data += _bytes(args[1])[: int(result)]
        node.synced = False
        return True

    def _names(self, call: str, args: list[str]) -> bool:
        at = call.endswith(("at", "at2"))
        if call.startswith(("rename", "link")):
            old = self._name(args[1], args[0]) if at else self._name(args[0])
            new = self._name(args[3], args[2]) if at else self._name(args[1])
            if old is None or new is None:
                return False
            moved = {name: node for name, node in self.nodes.items() if name == old or name.startswith(old + "/")}
            for name, node in moved.items():
                if call.startswith("rename"):
                    del self.nodes[name]
                self.nodes[new + name.removeprefix(old)] = node
            return True
        if call.startswith("symlink"):
            link = self._name(args[2], args[1]) if at else self._name(args[1])
            if link is None:
                return False
            self.nodes[link] = Link(_text(args[0]))
            return True
        path = self._name(args[1], args[0]) if at else self._name(args[0])
        if path is None:
            return False
        if call.startswith("mkdir"):
            self.nodes[path] = None
        elif call in ("unlink", "unlinkat", "rmdir"):
            self.nodes.pop(path)
        elif call.startswith("chmod") or call == "fchmodat":
            node = self.nodes.get(path)
            if isinstance(node, File):
                node.mode = int(args[2 if at else 1], 8)
        else:
            raise AssertionError(f"{call} is not played yet")
        return True

    def _of_fd(self, argument: str) -> str | None:
        found = _FD.fullmatch(argument)
        return self._below(_unescape(found[1])) if found else None

    def _name(self, argument: str, folder: str = "") -> str | None:
        path = _text(argument)
        if not path.startswith("/"):
            found = _FD.fullmatch(folder)
            path = os.path.join(_unescape(found[1]) if found else self._at, path)
        return self._below(os.path.normpath(path))

    def _below(self, path: str) -> str | None:
        return path.removeprefix(self.folder + "/") if path.startswith(self.folder + "/") else None

    # -- a cut ---------------------------------------------------------------------------------

    def cut(self, lose: Loss) -> dict[str, Node]:
        """What is there when the power comes back, if it went now."""
        return {
            name: File(node.data if node.synced else lose(node.data), node.mode) if isinstance(node, File) else node
            for name, node in self.nodes.items()
        }


def written(nodes: dict[str, Node], folder: Path) -> Path:
    """These files as true ones."""
    for name, node in sorted(nodes.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if node is None:
            path.mkdir(exist_ok=True)
        elif isinstance(node, Link):
            path.symlink_to(node.to)
        else:
            path.write_bytes(node.data)
            path.chmod(node.mode)
    return folder


def _arguments(text: str) -> list[str]:
    """The arguments of a call; with -xx a quoted one holds no comma of its own."""
    return [part.strip() for part in text.split(", ")]


def _bytes(argument: str) -> bytes:
    assert argument.endswith('"'), f"cut short: {argument[-40:]}"
    return bytes.fromhex(argument.strip('"').replace("\\x", ""))


def _text(argument: str) -> str:
    return os.fsdecode(_bytes(argument))


def _unescape(path: str) -> str:
    return os.fsdecode(bytes.fromhex(path.replace("\\x", ""))) if path.startswith("\\x") else path
