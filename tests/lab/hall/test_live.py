"""An event over a real broker: floor and hall as a process that may be killed, tables in another."""

from __future__ import annotations

import pytest

from controller.journal.cosignature import read_witness_key
from controller.journal.file import JournalFile
from controller.journal.head import slug
from controller.uplink.orders import heard_in
from lab.hall.live import MANAGER, LiveEvent, Stalled, at_real_time, late
from lab.hall.terms import terms_for
from lab.needs import NATS_SERVER
from tests.needed import needed

SOON_S = 60.0


def test_terms_that_begin_now_have_the_rounds_that_are_asked_for_and_no_rise() -> None:
    text = at_real_time(terms_for("war", 2, 6), 2)
    assert "rounds = 2" in text
    assert "rounds = 20" not in text
    assert "not before" not in text


def test_a_pause_a_level_or_a_move_that_takes_longer_than_a_second_is_told_and_nothing_else_is() -> None:
    assert late({"pause": [80, 1000], "move_out": [20], "designate": [5000]}) == []
    assert late({"level": [80, 1001], "move_in": [2500]}) == [
        "level was on disk at a table after 1001 ms, and may take 1000",
        "move_in was on disk at a table after 2500 ms, and may take 1000",
    ]


def test_a_floor_that_is_killed_with_an_order_on_its_way_has_it_carried_out_once_it_is_back(tmp_path) -> None:
    needed(NATS_SERVER, "no event went over a broker")
    event = LiveEvent(tmp_path, at_real_time(terms_for("war", 2, 6), 1), 6)
    try:
        event.start()
        event.until("the floor is up", lambda seen: True, SOON_S)
        with pytest.raises(Stalled, match="cannot be done so"):
            event.do("load_terms", MANAGER)
        event.papers()
        event.kill_floor()
        event.until("tables designated", lambda seen: all(one["designated"] for one in seen["tables"])
                    and len(seen["tables"]) == 2, SOON_S)  # fmt: skip
    finally:
        event.stop()
    witness = read_witness_key(tmp_path / "floor.key").public
    for name in event.names:
        journal = JournalFile.read_only(tmp_path / f"{slug(name)}.sqlite")
        answers = [one.answer for one in heard_in(journal, witness)]
        journal.close()
        assert answers.count("carried out") == 1
        assert all("was heard before" in answer for answer in answers if answer != "carried out")
