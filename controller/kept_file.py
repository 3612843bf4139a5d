"""Files that the table keeps: replaced whole and on the disk, and always the table's own, whoever wrote them.

A person at the Pi works as root; the table runs as a user of its own and must be able to read what was written.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

PRIVATE = 0o600


def replace(path: Path, octets: bytes, mode: int = PRIVATE) -> None:
    """Put a file in place with owner and rights of the one before; a new one gets its folder's owner and `mode`."""
    before = path.stat() if path.exists() else None
    owner = before or path.parent.stat()
    if os.geteuid() not in (0, owner.st_uid):
        raise PermissionError(1, "it belongs to another user; run this with sudo", str(path))
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
        file.write(octets)
        if os.geteuid() == 0:
            os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
        os.fchmod(file.fileno(), stat.S_IMODE(before.st_mode) if before is not None else mode)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def make_own(path: Path) -> None:
    """Make the file if it is not there; made by root, it is its folder's owner's."""
    if os.geteuid() != 0 or path.exists():
        return
    owner = path.parent.stat()
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o666), "wb") as file:
        os.fchown(file.fileno(), owner.st_uid, owner.st_gid)
