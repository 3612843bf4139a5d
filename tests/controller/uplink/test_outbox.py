"""What of a journal goes into the next message."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.journal.file import Entry, JournalFile
from controller.uplink import outbox
from controller.uplink.messages import Stands
from controller.uplink.outbox import Outbox, Parted, opened


@pytest.fixture
def journal(tmp_path: Path) -> JournalFile:
    made = JournalFile.open(tmp_path / "table.sqlite", "T1", durable=False)
    made.append([Entry(1000 + seq, b'{"event":%d}' % seq) for seq in range(1, 2_101)])
    return made


def test_messages_follow_each_other_to_the_last_row(journal: JournalFile) -> None:
    box, stands, sizes = Outbox(journal.path, lambda: None), Stands(), []
    while (rows := box.after(stands)) is not None:
        assert (rows.first, rows.before) == (stands.row + 1, stands.hash)
        stands = box.sent(rows, stands.message + 1)
        assert rows.hash == journal.hash_at(stands.row)
        sizes.append(len(rows.rows))
    assert sizes == [1000, 1000, 100]
    journal.append([Entry(5000, b"{}")])
    rows = box.after(stands)
    assert rows is not None
    assert rows.rows == ((5000, b"{}"),)
    box.close()
    journal.close()


def test_a_message_is_no_larger_than_a_broker_takes_unless_one_row_is(
    journal: JournalFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "BYTES_MOST", 40)
    box = Outbox(journal.path, lambda: None)
    rows = box.after(Stands())
    assert rows is not None
    assert len(rows.rows) == 3
    monkeypatch.setattr(outbox, "BYTES_MOST", 1)
    rows = box.after(Stands())
    assert rows is not None
    assert len(rows.rows) == 1
    box.close()
    journal.close()


def test_another_past_in_the_stream_is_found_before_anything_is_sent(journal: JournalFile) -> None:
    box = Outbox(journal.path, lambda: None)
    box.agree(Stands())
    box.agree(Stands(7, 1500, journal.hash_at(1500)))
    with pytest.raises(Parted, match="event 1500 or an earlier one is another"):
        box.agree(Stands(7, 1500, bytes(32)))
    with pytest.raises(Parted, match=r"the floor has 2101 events of this journal, and here are 2100"):
        box.agree(Stands(7, 2101, bytes(32)))
    box.close()
    journal.close()


def test_there_is_no_outbox_where_there_is_no_journal(tmp_path: Path) -> None:
    assert opened(tmp_path / "none.sqlite", lambda: None) is None
