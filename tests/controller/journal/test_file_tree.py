"""A journal keeps its tree with its rows: any size, restarts, removed rows, and subtrees that were altered."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.journal.file import TILE, Entry, JournalFile, JournalTrouble, Stub
from controller.journal.head import Head
from tests.controller.journal.grown import SIZES, entry, judged


@pytest.mark.parametrize("size", SIZES)
def test_a_journal_finds_the_root_of_any_of_its_sizes(long: Path, size: int) -> None:
    assert JournalFile.read_only(long).tree_at(size).root() == judged(size)


def test_a_journal_goes_on_with_its_tree_after_a_restart(long: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    path.write_bytes(long.read_bytes())
    for seq in range(701, 780):
        journal = JournalFile.open(path, "T1", durable=False)
        journal.append([entry(seq)])
        journal.close()
    file = JournalFile.read_only(path)
    assert file.verify() == 779
    assert file.tree_at(779).root() == judged(779)


def test_rows_that_were_removed_stay_in_the_tree(long: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    path.write_bytes(long.read_bytes())
    journal = JournalFile.open(path, "T1", durable=False)
    head = journal.head()
    journal.remove_before(Stub(300, journal.hash_at(300), (("days.jsonl.gz", "00" * 32, 1, 300),)))
    journal.append([entry(701)])
    assert journal.verify() == 401
    assert journal.head().root == judged(701)
    journal.prove(head)
    with pytest.raises(JournalTrouble, match="give a head that is newer"):
        journal.prove(Head(head.origin, 299, judged(299)))
    journal.close()
    again = JournalFile.open(path, "T1", durable=False)
    assert again.head().root == judged(701)
    again.close()


def test_a_journal_of_before_there_was_a_tree_gets_one_with_its_next_row(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    journal = JournalFile.open(path, "T1", durable=False)
    journal.append([entry(seq) for seq in range(1, 601)])
    execute = journal._connection.execute
    execute("DROP TABLE tree")
    execute("DELETE FROM meta WHERE key = 'id'")
    execute("UPDATE meta SET value = '2' WHERE key = 'schema'")
    journal.close()
    assert JournalFile.read_only(path).verify() == 600
    assert JournalFile.read_only(path).tree_at(600).root() == judged(600)
    journal = JournalFile.open(path, "T1", durable=False)
    journal.append([entry(601)])
    assert journal.verify() == 601
    assert journal.head().root == judged(601)
    journal.close()


def test_a_subtree_that_was_altered_or_is_gone_is_found(long: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    for sql in ("UPDATE tree SET hash = zeroblob(32) WHERE place = 1", "DELETE FROM tree WHERE place = 1"):
        path.write_bytes(long.read_bytes())
        journal = JournalFile.open(path, "T1", durable=False)
        journal._connection.execute(sql)
        journal.close()
        with pytest.raises(JournalTrouble, match="event 512 or one shortly before it is not the one in the tree"):
            JournalFile.read_only(path).verify()


def test_a_row_that_the_database_swallows_is_no_row_on_disk(tmp_path: Path) -> None:
    journal = JournalFile.open(tmp_path / "table.sqlite", "T1")
    journal._connection.execute("CREATE TRIGGER quiet BEFORE INSERT ON entries BEGIN SELECT RAISE(IGNORE); END")
    for entries in ([entry(1)], [entry(1), entry(2)]):
        with pytest.raises(Exception, match="the database took"):
            journal.append(entries)
    assert journal.last_seq == 0
    journal.close()


def test_the_journal_of_another_table_is_not_played_on(tmp_path: Path) -> None:
    JournalFile.open(tmp_path / "table.sqlite", "T1").close()
    with pytest.raises(JournalTrouble, match="the journal of T1, and this is T2"):
        JournalFile.open(tmp_path / "table.sqlite", "T2")


def test_a_journal_that_is_written_while_it_is_checked_is_whole(tmp_path: Path) -> None:
    journal = JournalFile.open(tmp_path / "j.sqlite", "T1", durable=False)
    for number in range(TILE - 3):
        journal.append([Entry(number, b"x")])
    looking = JournalFile.read_only(journal.path)
    for number in range(TILE - 3, TILE + 3):
        journal.append([Entry(number, b"x", b"s%d" % number)])
    assert looking.verify() == TILE - 3
    looking.close()
    journal.close()
