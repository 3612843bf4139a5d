"""One journal followed from afar, message by message."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.journal.chain import GENESIS
from controller.journal.file import Entry, JournalFile
from controller.uplink.messages import FORM, Rows
from floor.follow import Broken, Followed


@pytest.fixture
def journal(tmp_path: Path) -> JournalFile:
    made = JournalFile.open(tmp_path / "table.sqlite", "T1", durable=False)
    made.append([Entry(1000 + seq, b'{"event":%d}' % seq) for seq in range(1, 301)])
    return made


def part(journal: JournalFile, first: int, last: int, peaks: tuple[tuple[int, bytes], ...] = ()) -> Rows:
    rows = list(journal.rows(first, last))
    before = journal.hash_at(first - 1)
    return Rows(FORM, first, before, tuple((row.at, row.body) for row in rows), rows[-1].hash, "", peaks)


def nothing(_: int) -> None:
    return None


def head(journal: JournalFile, size: int) -> object:
    return journal.head()._replace(size=size, root=journal.tree_at(size).root())


def test_heads_of_any_size_are_held_against_the_rows_in_any_order(journal: JournalFile) -> None:
    followed = Followed()
    followed.take(part(journal, 1, 100), nothing)
    assert followed.check(head(journal, 64))  # type: ignore[arg-type]
    assert followed.check(head(journal, 64))  # type: ignore[arg-type]
    followed.take(part(journal, 101, 300), nothing)
    assert followed.check(head(journal, 257))  # type: ignore[arg-type]
    assert not followed.check(head(journal, 100))  # type: ignore[arg-type]
    assert followed.check(head(journal, 300))  # type: ignore[arg-type]
    assert followed.since == []
    assert followed.hash == journal.hash_at(300)


def test_rows_that_come_again_are_no_news(journal: JournalFile) -> None:
    followed = Followed()
    assert len(followed.take(part(journal, 1, 50), nothing)) == 50
    assert followed.take(part(journal, 1, 50), nothing) == []
    assert followed.take(part(journal, 20, 40), journal.hash_at) == []
    assert [row.seq for row in followed.take(part(journal, 41, 55), journal.hash_at)] == [51, 52, 53, 54, 55]


def test_a_journal_whose_beginning_was_removed_is_followed_from_where_it_begins(journal: JournalFile) -> None:
    followed = Followed()
    followed.take(part(journal, 201, 300, tuple(journal.tree_at(200).peaks)), nothing)
    assert followed.gap == (1, 200)
    assert followed.check(journal.head())


def test_peaks_that_are_made_up_are_found_with_the_first_head(journal: JournalFile) -> None:
    followed = Followed()
    followed.take(part(journal, 201, 300, ((7, bytes(32)), (6, bytes(32)), (3, bytes(32)))), nothing)
    with pytest.raises(Broken, match="event 300 or an earlier one"):
        followed.check(journal.head())


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"before": bytes(range(32))}, "rewritten"),
        ({"hash": GENESIS}, "forged"),
        ({"first": 53}, "hole"),
        ({"rows": ((1, b"{}"),)}, "forged"),
    ],
)
def test_what_does_not_follow_is_refused_and_changes_nothing(
    journal: JournalFile, change: dict[str, object], code: str
) -> None:
    import msgspec

    followed = Followed()
    followed.take(part(journal, 1, 50), nothing)
    with pytest.raises(Broken) as broken:
        followed.take(msgspec.structs.replace(part(journal, 51, 60), **change), nothing)
    assert broken.value.code == code
    assert (followed.size, followed.hash) == (50, journal.hash_at(50))
    assert len(followed.take(part(journal, 51, 60), nothing)) == 10
