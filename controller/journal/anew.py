"""A journal's files before anything in them is believed: they are one writer's, and written and synced once more.

A sync that fails leaves the written bytes to be read and forgets that they never reached the disk: the next sync of the
same file succeeds without them. So a process that starts cannot tell what it reads from what is kept, unless it
writes it again.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

from controller import kept_file
from controller.journal.schema import JournalTrouble

CHUNK = 1 << 20


def write_anew(log: Path) -> None:
    """Write what a journal's log holds once more and sync it; OSError if it cannot be.

    The log is all that can have been lost: what it holds goes into the main file by a copy that SQLite repeats until
    its sync has succeeded.
    """
    if not log.exists():
        return
    opened = os.open(log, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        at = 0
        while octets := os.pread(opened, CHUNK, at):
            at += os.pwrite(opened, octets, at)
        os.fsync(opened)
    finally:
        os.close(opened)


def name_anew(path: Path) -> None:
    """Put the names of a journal's files on disk, of which SQLite does not look whether it could; OSError if not.

    A change among them makes a folder whole whose last sync failed.
    """
    beside = path.with_name(path.name + ".anew")
    beside.unlink(missing_ok=True)
    os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    beside.unlink()
    sync_folder(path.parent)


def sync(path: Path, flags: int = 0) -> None:
    """Put what a file holds on disk."""
    opened = os.open(path, os.O_RDONLY | os.O_CLOEXEC | flags)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on disk."""
    sync(folder, os.O_DIRECTORY)


def make_folder(folder: Path) -> None:
    """Make the folder with its name on disk, too: a power cut must not take it away with the journal in it."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(exist_ok=True)
        try:
            sync_folder(one.parent)
        except OSError:
            one.rmdir()  # found there by the next start, it would pass for one that is on disk
            raise


def only_writer(path: Path) -> IO[str]:
    """Hold the lock on a journal for as long as this is open; JournalTrouble where another process has it."""
    try:
        make_folder(path.parent)
        kept_file.only_files(*(Path(f"{path}{end}") for end in ("", "-wal", "-shm", ".lock", ".anew")))
        kept_file.make_own(path)
        kept_file.make_own(Path(f"{path}.lock"))
        opened = os.open(f"{path}.lock", os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC)
        lock = open(opened, "a+")  # noqa: SIM115 - held as long as the journal is
    except OSError as error:
        raise JournalTrouble(
            f"{path}: cannot be written ({error.strerror}); check the directory and its rights"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise JournalTrouble(
            f"{path}: another controller (process {holder}) writes to this journal; "
            "stop it first, or give this table a journal of its own"
        ) from error
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock
