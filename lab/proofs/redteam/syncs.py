"""Every sync of a journal fails once and its pages are forgotten, then the power goes; nothing acknowledged may go."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from controller.journal.file import GENESIS, JournalFile, JournalTrouble, chained
from lab.proofs.redteam.failed_sync_writer import ROWS, entry
from lab.proofs.redteam.power import Disk, Step, run_with_shim, steps

ENDS = ("killed", "closed", "read")
"""How the process that met the failure ends, or that somebody reads the journal meanwhile."""
KINDS = {"sqlite", "sqlite-wal", "journals"}
"""What is synced of a journal: its file, its log, the folder's names."""


def hashes() -> list[bytes]:
    """The chain as it was meant."""
    rows = [entry(seq) for seq in range(1, ROWS + 2)]
    return [
        GENESIS,
        *itertools.accumulate(rows, lambda before, row: chained(before, row.at, row.at, row.body), initial=GENESIS),
    ][1:]


CHAIN = hashes()


def cut(account: list[Step], root: Path, chosen: set[int], forgets: random.Random | None) -> Iterator[tuple[int, Disk]]:
    disk = Disk(str(root), forgets)
    for number, step in enumerate(account):
        disk.take(step)
        if number in chosen:
            yield number, disk


def problem(disk: Disk, image: Path, draw: random.Random | None) -> str:
    """What is wrong with the journal after a power cut now, or nothing."""
    disk.image(image, draw)
    path = image / "journals" / "table.sqlite"
    if not path.exists() and disk.acknowledged == 0:
        return ""
    try:
        journal = JournalFile.open(path, "T1", durable=False)
    except JournalTrouble as trouble:
        return str(trouble) if disk.acknowledged else ""
    try:
        journal.verify()
        if journal.last_seq < disk.acknowledged:
            return f"event {disk.acknowledged} was acknowledged, the journal ends at {journal.last_seq}"
        if journal.hash_at(journal.last_seq) != CHAIN[journal.last_seq]:
            return f"the chain to event {journal.last_seq} is not the one that was written"
    except JournalTrouble as trouble:
        return str(trouble)
    finally:
        journal.close()
    return ""


def after_failure(account: Path, cuts: int) -> Iterator[str]:
    """What each power cut finds wrong, or nothing, after the sync of the account's number has failed."""
    number, folder = int(account.stem), account.with_suffix("")
    told = list(steps(account))
    failed = next((place for place, step in enumerate(told) if step.what == "f"), None)
    if failed is None:
        return
    after = range(failed, len(told))
    chosen = {*random.Random(number).sample(after, min(cuts, len(after))), len(told) - 1}
    where = f"sync {number} failed ({Path(told[failed].path).name})"
    for torn in (False, True):
        for place, disk in cut(told, folder, chosen, random.Random(number) if torn else None):
            wrong = problem(disk, folder.with_suffix(".image"), random.Random(place) if torn else None)
            yield f"{where}, power cut after step {place}: {wrong}" if wrong else ""


class Tried(NamedTuple):
    """How often a sync of each kind of file failed, how many power cuts followed, and what they found wrong."""

    failed: dict[str, int]
    cuts: int
    problems: list[str]


def every_sync(shim: Path, scratch: Path, end: str, cuts: int) -> Tried:
    """Every sync fails once, each in a journal of its own, with so many power cuts after it and one at its end."""
    done = run_with_shim(shim, "failed_sync_writer", scratch, scratch / "account", end)
    if done.returncode:
        raise RuntimeError(f"the writer ended by itself: {done.stderr}")
    accounts = sorted(scratch.glob("*.account"), key=lambda path: int(path.stem))
    failed = Counter(
        Path(step.path).name.rpartition(".")[2] for path in accounts for step in steps(path) if step.what == "f"
    )
    tried = [found for account in accounts for found in after_failure(account, cuts)]
    return Tried(dict(failed), len(tried), [wrong for wrong in tried if wrong])
