"""What the card would be spared if rows that say nothing waited for one that does."""

from __future__ import annotations

from pathlib import Path

from controller.core.effects import Noted
from controller.journal import row as record
from controller.journal.file import JournalFile
from lab.measurements.card import grouped
from lab.sim.config import default_config
from lab.sim.table import play_rounds, shift_for


def test_waiting_saves_commits_and_no_row_that_says_something_waits(tmp_path: Path) -> None:
    config = default_config("war", rulebook="perth-war")
    play_rounds(config, tmp_path / "table.sqlite", 3, 3, shift_for(config))
    rows = list(JournalFile.read_only(tmp_path / "table.sqlite").rows())
    told = {
        row.at
        for row in rows
        if (one := record.read(row)).mark is None or not all(isinstance(effect, Noted) for effect in one.effects)
    }
    commits = [grouped(rows, wait) for wait in (0, 500, 2000, 10**9)]
    assert commits == sorted(commits, reverse=True)
    assert len(rows) >= commits[0] > commits[2]
    assert len(told) <= commits[3] <= len(told) + 1
