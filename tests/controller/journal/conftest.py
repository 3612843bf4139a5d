"""What the tests of a journal and its tree share."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from controller.journal.file import JournalFile
from tests.controller.journal.grown import entry


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of some subtrees, written in pieces of all sizes."""
    path = tmp_path_factory.mktemp("long") / "table.sqlite"
    journal = JournalFile.open(path, "T1", durable=False)
    draw, seq = random.Random(3), 0
    while seq < 700:
        count = min(draw.choice([1, 1, 1, 2, 40]), 700 - seq)
        journal.append([entry(seq + 1 + each) for each in range(count)])
        seq += count
    journal.close()
    return path
