"""A power cut takes back everything that was not synced; kill -9 cannot show that, an account of the disk can."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.journal.file import JournalFile, JournalTrouble
from lab.proofs.games import GAMES
from lab.proofs.redteam.power import Disk, Step, run_with_shim, steps

CUTS = 80


class Played:
    """A table that was played with its disk's account kept."""

    def __init__(self, shim: Path, scratch: Path, synchronous: str, rounds: int = 3) -> None:
        self.scratch = scratch
        self.root = scratch / "disk"
        self.root.mkdir()
        done = run_with_shim(shim, "power_writer", self.root, scratch / "account", synchronous, str(rounds))
        assert done.returncode == 0, done.stderr
        self.steps = list(steps(scratch / "account"))
        self.config = GAMES["wheel"]().config
        journal = JournalFile.read_only(self.root / "journals" / "table.sqlite")
        self.hashes = [bytes(32), *(row.hash for row in journal.rows())]
        journal.close()

    def cuts(self, chosen: set[int]) -> Iterator[tuple[int, Step, Disk]]:
        """The disk at each of these steps."""
        disk = Disk(str(self.root))
        for number, step in enumerate(self.steps):
            disk.take(step)
            if number in chosen:
                yield number, step, disk

    def problem(self, disk: Disk, draw: random.Random | None) -> str:
        """What is wrong with the journal on this disk after a power cut, or nothing."""
        image = self.scratch / "image"
        disk.image(image, draw)
        try:
            journal = JournalFile.open(image / "journals" / "table.sqlite", self.config.table.name, durable=False)
        except JournalTrouble as trouble:
            return f"cannot be opened: {trouble}"
        try:
            journal.verify()
            recover(GuardedTable(self.config), journal)
            last = journal.last_seq
            if last < disk.acknowledged:
                return f"event {disk.acknowledged} was acknowledged, the journal ends at {last}"
            if journal._last_hash != self.hashes[last]:
                return f"the chain to event {last} is not the one that was written"
        except JournalTrouble as trouble:
            return str(trouble)
        finally:
            journal.close()
        return ""

    def problems(self, draw: random.Random, cuts: int, making: int = 40) -> list[str]:
        """What goes wrong at so many instants, the first ones always among them: the journal is made there."""
        chosen = set(draw.sample(range(len(self.steps)), min(cuts, len(self.steps)))) | set(range(making))
        found = []
        for number, step, disk in self.cuts(chosen):
            for how, torn in (("nothing unsynced kept", None), ("some sectors kept", random.Random(number))):
                if wrong := self.problem(disk, torn):
                    found.append(f"cut after step {number} ({step.what} {Path(step.path).name}), {how}: {wrong}")
        return found


def test_a_power_cut_at_any_instant_loses_nothing_that_was_acknowledged(shim: Path, tmp_path: Path) -> None:
    played = Played(shim, tmp_path, "full")
    assert sum(step.what == "s" for step in played.steps) > 50
    assert sum(step.what == "w" and step.path.endswith(".sqlite") for step in played.steps) > 20  # checkpoints
    assert played.problems(random.Random(1), CUTS) == []


@pytest.mark.slow
def test_a_power_cut_at_every_instant_loses_nothing_that_was_acknowledged(shim: Path, tmp_path: Path) -> None:
    played = Played(shim, tmp_path, "full", rounds=6)
    assert played.problems(random.Random(2), len(played.steps)) == []


@pytest.mark.parametrize("synchronous", ["normal", "off"])
def test_a_journal_that_does_not_wait_for_the_disk_is_found_out(shim: Path, tmp_path: Path, synchronous: str) -> None:
    found = Played(shim, tmp_path, synchronous).problems(random.Random(1), 30, making=0)
    assert any("was acknowledged, the journal ends at" in problem for problem in found)
