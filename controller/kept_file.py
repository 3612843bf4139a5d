"""Files that the table keeps: replaced whole and on the disk, and always the table's own, whoever wrote them.

A person at the Pi works as root; the table runs as a user of its own and must be able to read what was written.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

PRIVATE = 0o600


def replace(path: Path, octets: bytes, mode: int = PRIVATE) -> None:
    """Put a file in place with owner and rights of the one before; a new one gets its folder's owner and `mode`."""
    only_files(path)
    before = path.stat() if path.exists() else None
    owner = before or path.parent.stat()
    if os.geteuid() not in (0, owner.st_uid):
        raise PermissionError(1, "it belongs to another user; run this with sudo", str(path))
    put(path, octets, stat.S_IMODE(before.st_mode) if before is not None else mode, owner)


def put_new(path: Path, octets: bytes) -> None:
    """Put a private file where there is none: whole and on the disk, or not there; FileExistsError where there is one.

    What a failed sync left behind would be read by the next start, and gone after the next power cut.
    """
    if path.exists() or path.is_symlink():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    try:
        put(path, octets, PRIVATE, path.parent.stat())
    except OSError:
        path.unlink(missing_ok=True)
        raise


def put(path: Path, octets: bytes, mode: int, owner: os.stat_result) -> None:
    """Put a file in place whole, on the disk and this owner's; what lay there is never written through."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(create(fresh), "wb") as file:
        file.write(octets)
        if os.geteuid() == 0:
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
        os.fchmod(file.fileno(), mode)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def create(path: Path) -> int:
    """A new file that only its owner reads, whatever the umask; never one that somebody has laid there before."""
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE)
    os.fchmod(opened, PRIVATE)
    return opened


def no_link(*paths: Path) -> None:
    """Refuse a link in place of a file of the table: whoever laid it there chose what is written."""
    for path in paths:
        if path.is_symlink():
            raise OSError(errno.ELOOP, f"{path} is a link, and the table writes through none; remove it", str(path))


def only_files(*paths: Path) -> None:
    """Refuse what is no file in place of one: from a pipe nobody would ever read to an end."""
    no_link(*paths)
    for path in paths:
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, f"{path} is no file but a folder, pipe or device; remove it", str(path))


def make_own(path: Path) -> None:
    """Make the file if it is not there, private; made by root, it is its folder's owner's."""
    only_files(path)
    if path.exists():
        return
    owner = path.parent.stat()
    with open(create(path), "wb") as file:
        if os.geteuid() == 0:
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)


def make_folder(path: Path) -> None:
    """Make a folder beside what the table keeps; made by root, it is that folder's owner's."""
    no_link(path)
    if path.is_dir():
        return
    path.mkdir(mode=0o750)
    if os.geteuid() == 0:
        owner = path.parent.stat()
        os.chown(path, owner.st_uid, owner.st_gid)
