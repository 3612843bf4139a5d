"""A sync that failed is never believed: what it did not keep is written anew or asked for again, never just read."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal.file import GENESIS, JournalFile, JournalTrouble, chained
from tests.whole.recovery.failed_sync_writer import ROWS, entry
from tests.whole.recovery.power import Disk, Step, compiled_shim, run_with_shim, steps

CUTS = 3
"""Power cuts tried after each failed sync, besides the one at the very end."""


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled_shim(tmp_path_factory.mktemp("shim"))


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


def problems(account: Path, cuts: int) -> Iterator[str]:
    """What a power cut finds wrong, after the sync of the account's number has failed."""
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
            if wrong := problem(disk, folder.with_suffix(".image"), random.Random(place) if torn else None):
                yield f"{where}, power cut after step {place}: {wrong}"


def all_problems(shim: Path, scratch: Path, end: str, cuts: int) -> list[str]:
    """What is found wrong, with every sync failing once."""
    done = run_with_shim(shim, "failed_sync_writer.py", scratch, scratch / "account", end)
    assert done.returncode == 0, done.stderr
    accounts = sorted(scratch.glob("*.account"), key=lambda path: int(path.stem))
    failed = {Path(step.path).name.rpartition(".")[2] for path in accounts for step in steps(path) if step.what == "f"}
    assert failed >= {"sqlite", "sqlite-wal", "journals"}, "every kind of file was tried"
    return [wrong for account in accounts for wrong in problems(account, cuts)]


ENDS = pytest.mark.parametrize("end", ["killed", "closed", "read"])


@ENDS
def test_no_event_that_a_device_forgot_is_lost_whichever_sync_failed_before_a_power_cut(
    shim: Path, tmp_path: Path, end: str
) -> None:
    assert all_problems(shim, tmp_path, end, CUTS) == []


@pytest.mark.slow
@ENDS
def test_no_event_is_lost_whichever_sync_failed_and_whenever_the_power_goes_after_it(
    shim: Path, tmp_path: Path, end: str
) -> None:
    assert all_problems(shim, tmp_path, end, 1_000) == []
