"""Writes a journal on a disk where one sync fails, for every one of them, and starts again after each failure.

Run under the shim as: python -m lab.proofs.redteam.failed_sync_writer FOLDER killed|closed|read

Each number has a folder and an account of its own below FOLDER; all lives of that number are in the one account.
"""

from __future__ import annotations

import ctypes
import os
import sqlite3
import sys
from pathlib import Path

from controller.journal.file import Entry, JournalFile, JournalTrouble
from lab.proofs.redteam.power import ACKS, steps

ROWS = 16
LIVES = 4


def body(seq: int) -> bytes:
    """What stands in a row; long enough that some need more than a page."""
    return b'{"event":%d,"filled":"%b"}' % (seq, b"x" * (seq * 97 % 1500))


def entry(seq: int) -> Entry:
    return Entry(seq, body(seq), b"snapshot %d" % seq if seq % 5 == 0 else None)


def live(folder: Path, end: str) -> None:
    """One life of a controller on this journal; whatever it cannot do ends it."""
    journal = JournalFile.open(folder / "journals" / "table.sqlite", "T1")
    journal._connection.execute("PRAGMA wal_autocheckpoint=12")
    acks = os.open(folder / ACKS, os.O_WRONLY | os.O_CREAT)
    try:
        # Drivers resume every device from what the journal holds: that tells it to forget all before.
        os.write(acks, b"%d" % journal.last_seq)
        while journal.last_seq < ROWS:
            last = journal.last_seq
            together = [entry(last + 1)] if last % 3 else [entry(last + 1), entry(last + 2)]
            journal.append(together)
            os.write(acks, b"%d" % journal.last_seq)
    except (OSError, sqlite3.Error):
        if end == "closed":
            journal.close()
        raise
    journal.close()


def lived(number: int, folder: Path, account: Path, end: str) -> bool:
    """Whether a process reached the end of its work, with the sync of this number failing."""
    before = [step.what for step in steps(account)] if account.exists() else []
    child = os.fork()
    if child == 0:
        fail = 0 if "f" in before else number - before.count("s")
        ctypes.CDLL(None).forgetful_account(str(folder).encode(), str(account).encode(), ctypes.c_long(fail))
        try:
            live(folder, end)
        except (JournalTrouble, OSError, sqlite3.Error):
            os._exit(3)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 3), f"sync {number}: the writer ended with {code}"
    return code == 0


def main(scratch: Path, end: str) -> None:
    failed, number = True, 0
    while failed:
        number += 1
        folder, account = scratch / f"{number}", scratch / f"{number}.account"
        folder.mkdir()
        reader = None
        for _ in range(LIVES):
            if lived(number, folder, account, end):
                break
            if end == "read" and reader is None and (folder / "journals" / "table.sqlite-wal").exists():
                reader = sqlite3.connect(folder / "journals" / "table.sqlite", isolation_level=None)
                reader.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        else:
            raise AssertionError(f"sync {number} failed once, and {LIVES} starts did not get over it")
        if reader is not None:
            reader.close()
        failed = any(step.what == "f" for step in steps(account))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
