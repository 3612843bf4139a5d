"""An event over a real broker: floor and hall as a process that may be killed, tables in another."""

from __future__ import annotations

import pytest

from lab.hall.live import MANAGER, LiveEvent, Stalled, at_real_time
from lab.hall.terms import terms_for
from lab.needs import NATS_SERVER
from tests.needed import needed

SOON_S = 60.0


def test_terms_that_begin_now_have_the_rounds_that_are_asked_for_and_no_rise() -> None:
    text = at_real_time(terms_for("war", 2, 6), 2)
    assert "rounds = 2" in text
    assert "rounds = 20" not in text
    assert "not before" not in text


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
    assert sorted(len(found) for found in event.lags().values()) == [2]
