"""What the tests of the doctor, of evidence and of spare machines share."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.journal.file import Entry, JournalFile
from tests.controller.pi.ailing import Pi
from tests.controller.pi.days import DAY, HOUR, NOON
from tests.controller.pi.played import Played
from tests.standing import Configured


@pytest.fixture
def journal(tmp_path: Path) -> JournalFile:
    """Three gaming days of ten events each, some after midnight, and two of the fourth."""
    journal = JournalFile.open(tmp_path / "table.db", "Big Wheel 1")
    for number in range(32):
        at = NOON + number // 10 * DAY + number % 10 * 2 * HOUR - HOUR // 2
        snapshot = b"snap" if number % 10 == 9 or number == 31 else None
        journal.append([Entry(at, json.dumps({"event": number, "who": "Zoë"}).encode(), snapshot)])
    return journal


@pytest.fixture
def table(configured: Configured, tmp_path: Path) -> Played:
    (tmp_path / "data").mkdir()
    return Played(configured(wheel="simulated = true\npaired = true"))


@pytest.fixture
def played(table: Played) -> Path:
    """The configuration of a table that has played and was stopped."""
    return table.stop()


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)
