"""The hall's journal: what it holds is what the hall knows, also after a kill, and an old copy is told."""

from __future__ import annotations

import itertools

import pytest

from controller.journal.file import JournalTrouble
from floor.hall import acts
from floor.hall.at_work import HallAtWork
from floor.hall.field import TableSaid
from tests.controller.tournament.stated import text
from tests.floor.hall.halls import AM, COO, DESK, ENTROPY, TD, clock


def opened(path, sent, start="10:00"):
    times = itertools.count(clock(start), 1000)
    return HallAtWork(path, lambda: next(times), sent.append, durable=False)


def to_the_draw(work):
    for act, by in [
        (acts.LoadTerms(text("war")), AM), (acts.NameDirector("TD"), AM), (acts.Approve(""), COO),
        (acts.TermsAvailable("web"), TD), (acts.InspectorateTold("inspector"), TD), (acts.OpenEntries(), TD),
        *((acts.Enter(f"P{n}", signed=True), DESK) for n in range(1, 19)),
        (acts.CloseEntries(), TD), (acts.Designate(), TD), (acts.Draw(ENTROPY), TD),
    ]:  # fmt: skip
        act = acts.Approve(work.hall.terms.digest) if isinstance(act, acts.Approve) else act
        answer = work.do(act, by)
        assert answer.ok, answer.said()


def test_a_hall_opened_again_knows_what_it_knew_and_draws_no_second_time(tmp_path) -> None:
    sent: list = []
    work = opened(tmp_path / "hall.journal", sent)
    to_the_draw(work)
    before = work.hall.state
    work.close()
    again = opened(tmp_path / "hall.journal", sent, "11:00")
    assert again.hall.state == before
    assert again.pending.keys() == {order.id for order in sent}
    refused = again.do(acts.Draw(ENTROPY), TD)
    assert refused.said() == "refused 10.1: The seats of this session are drawn already, and there is no second draw."
    again.close()


def test_a_refused_act_is_on_record_too(tmp_path) -> None:
    work = opened(tmp_path / "hall.journal", [])
    work.do(acts.LoadTerms(text("war")), DESK)
    assert work.journal.last_seq == 1
    assert work.hall.state.phase == "drafted"
    work.close()


def test_orders_go_out_after_the_row_is_written_and_are_pending_until_the_table_has_answered(tmp_path) -> None:
    sent: list = []
    work = opened(tmp_path / "hall.journal", sent)
    to_the_draw(work)
    assert [order.sent.kind for order in sent] == ["tournament_designate"] * 3
    first = sent[0]
    work.hear(TableSaid("CW-1", "j", 5, clock("10:30"), "order", {"id": first.id, "kind": first.sent.kind}))
    work.close()
    sent.clear()
    again = opened(tmp_path / "hall.journal", sent, "11:00")
    assert sent == []
    assert [order.sent.table for order in again.pending.values()] == ["CW-2", "CW-3"]
    second = next(iter(again.pending.values()))
    late = {"id": second.id, "kind": second.sent.kind, "refused": "This order is old.", "code": "too_old"}
    again.hear(TableSaid("CW-2", "k", 5, clock("11:30"), "order", late))
    assert second.id in again.pending
    assert again.hall.state.alarms == {}
    again.close()


def test_an_order_that_a_table_refuses_is_told(tmp_path) -> None:
    work = opened(tmp_path / "hall.journal", [])
    to_the_draw(work)
    work.hear(
        TableSaid("CW-1", "j", 5, clock("10:30"), "order", {"id": "x", "kind": "k", "refused": "The table is open."})
    )
    assert list(work.hall.state.alarms.values()) == ["CW-1 refused: The table is open."]
    work.close()


def test_a_hall_restored_from_an_old_copy_is_told_by_the_first_table_that_knows_more(tmp_path) -> None:
    work = opened(tmp_path / "hall.journal", [])
    to_the_draw(work)
    with pytest.raises(JournalTrouble, match="it is an old copy; restore the newest one"):
        work.hear(TableSaid("CW-1", "j", 5, clock("10:30"), "order", {"id": "cup-2026-11.77.1"}))
    work.close()


def test_each_row_of_a_table_is_taken_once_and_a_second_time_leaves_no_trace(tmp_path) -> None:
    work = opened(tmp_path / "hall.journal", [])
    to_the_draw(work)
    row = TableSaid("CW-1", "j", 5, clock("10:30"), "designated")
    assert work.hear(row).ok
    rows = work.journal.last_seq
    assert not work.hear(row).ok
    assert work.journal.last_seq == rows
    work.close()


def test_a_table_that_speaks_from_another_journal_is_told_and_its_rows_do_not_count(tmp_path) -> None:
    work = opened(tmp_path / "hall.journal", [])
    to_the_draw(work)
    work.hear(TableSaid("CW-1", "j", 5, clock("10:30"), "designated"))
    assert not work.hear(TableSaid("CW-1", "other", 6, clock("10:31"), "released")).ok
    assert work.hall.table("CW-1").designated
    assert "another journal" in work.hall.state.alarms["journal:CW-1"]
    work.close()


def test_a_row_that_was_changed_stops_the_hall(tmp_path) -> None:
    import sqlite3

    work = opened(tmp_path / "hall.journal", [])
    to_the_draw(work)
    work.close()
    with sqlite3.connect(tmp_path / "hall.journal") as file:
        file.execute("UPDATE entries SET body = replace(body, 'P3', 'P9') WHERE seq = 9")
    with pytest.raises(JournalTrouble):
        opened(tmp_path / "hall.journal", [])
