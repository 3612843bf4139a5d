"""The journal: chained, verified, one writer, snapshots that must fit."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from controller.journal.file import Entry, JournalFile, JournalTrouble


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "table.sqlite"
    journal = JournalFile.open(path, "T1")
    journal.append([Entry(10, b"one"), Entry(20, b"two", b"snap2")])
    journal.append([Entry(30, b"three"), Entry(40, b"four", b"snap4"), Entry(50, b"five")])
    journal.close()
    return path


def tamper(path: Path, sql: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(sql)
    connection.close()


def test_what_was_written_is_read_back_and_verifies(path: Path) -> None:
    journal = JournalFile.read_only(path)
    assert [(row.seq, row.at, row.body) for row in journal.rows()] == [
        (1, 10, b"one"),
        (2, 20, b"two"),
        (3, 30, b"three"),
        (4, 40, b"four"),
        (5, 50, b"five"),
    ]
    assert journal.verify() == 5
    assert journal.verify(first=4) == 2


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE entries SET body = 'THREE' WHERE seq = 3",
        "UPDATE entries SET at = 31 WHERE seq = 3",
        "DELETE FROM entries WHERE seq = 3",
        "UPDATE entries SET seq = CASE seq WHEN 2 THEN -3 WHEN 3 THEN -2 END WHERE seq IN (2, 3)",
        "DELETE FROM entries WHERE seq >= 4",
    ],
    ids=["altered", "redated", "removed", "reordered", "cut off behind a snapshot"],
)
def test_a_row_that_was_tampered_with_is_found(path: Path, sql: str) -> None:
    tamper(path, sql)
    if "-3" in sql:
        tamper(path, "UPDATE entries SET seq = -seq WHERE seq < 0")
    with pytest.raises(JournalTrouble, match=r"event \d"):
        JournalFile.read_only(path).verify()


def test_the_newest_snapshot_that_fits_is_taken(path: Path) -> None:
    journal = JournalFile.read_only(path)
    assert journal.newest_sound_snapshot() == (4, b"snap4")


def test_a_damaged_snapshot_is_passed_over_for_the_one_before(path: Path) -> None:
    tamper(path, "UPDATE snapshots SET body = 'forged' WHERE seq = 4")
    assert JournalFile.read_only(path).newest_sound_snapshot() == (2, b"snap2")


def test_three_snapshots_are_kept(tmp_path: Path) -> None:
    journal = JournalFile.open(tmp_path / "j.sqlite", "T1")
    for number in range(8):
        journal.append([Entry(number, b"x", b"s%d" % number)])
    kept = journal._connection.execute("SELECT COUNT(*) FROM snapshots").fetchone()[0]
    assert kept == 3
    journal.close()


def test_a_second_controller_on_one_journal_is_refused(path: Path) -> None:
    first = JournalFile.open(path, "T1")
    with pytest.raises(JournalTrouble, match="another controller"):
        JournalFile.open(path, "T1")
    first.close()
    JournalFile.open(path, "T1").close()


def test_a_file_that_is_no_journal_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"shopping list, quite long enough to be no database header at all")
    with pytest.raises(JournalTrouble, match="not a usable journal"):
        JournalFile.open(path, "T1")
    assert path.read_bytes().startswith(b"shopping list")


def test_a_newer_schema_is_refused(path: Path) -> None:
    tamper(path, "UPDATE meta SET value = '99' WHERE key = 'schema'")
    with pytest.raises(JournalTrouble, match="schema 99"):
        JournalFile.open(path, "T1")


def test_a_missing_journal_cannot_be_shown(tmp_path: Path) -> None:
    with pytest.raises(JournalTrouble, match="no such journal"):
        JournalFile.read_only(tmp_path / "none.sqlite")


def test_a_failed_commit_leaves_the_chain_where_it_was(path: Path) -> None:
    journal = JournalFile.open(path, "T1")
    tamper(path, "INSERT INTO entries VALUES (7, 0, 'in the way', 'x')")
    with pytest.raises(sqlite3.Error):
        journal.append([Entry(60, b"six"), Entry(70, b"seven")])
    tamper(path, "DELETE FROM entries WHERE seq = 7")
    journal.append([Entry(60, b"six")])
    assert journal.verify() == 6
    journal.close()
