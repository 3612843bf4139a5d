"""Orders of the floor at the table: checked like a key, carried out once, and replayed without a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.core.desk import Ask
from controller.core.effects import Alarmed, Announced, AnyEffect, Moved, Refused, Ruled
from controller.core.events import FloorOrder, Order, OrdersTurnedAway
from controller.core.guarded import GuardedTable
from controller.core.keys import Keys
from controller.core.orders import AGE_MS, AHEAD_MS, ORDERS, REMEMBERED_MS
from controller.core.runtime import recover
from controller.core.table import Table
from controller.journal import row as record
from controller.journal.file import Entry, JournalFile
from controller.people import Person
from lab.sim.config import default_config
from tests.controller.core.stand import Stand

HERE = "tablectl/t1/00ff"
CHIEF = Person("S2", 2)


def given(at: Stand, /, kind: str = "limits", rank: str = "AM", **change: Any) -> FloorOrder:
    fitting: dict[str, dict[str, Any]] = {"limits": {"least": 500, "most": 90_000}, "message": {"text": "Call me"}}
    order = Order("o1", HERE, kind, "F3", rank, at.at, fitting.get(kind, {}))
    return FloorOrder(msgspec.structs.replace(order, **change), HERE, "c2ln")


def refused(effects: list[AnyEffect]) -> list[str]:
    return [each.code for each in effects if isinstance(each, Refused)]


def lower(at: Stand) -> dict[str, int]:
    """Limits that hold at once: the minimum does not rise."""
    now = at.guarded.table.state.limits
    return {"least": now.least, "most": now.most + 100_000}


def test_limits_are_changed_by_somebody_who_may_and_the_pit_is_told() -> None:
    at = Stand()
    wanted = lower(at)
    effects = at.take(given(at, args=wanted))
    assert refused(effects) == []
    limits = at.guarded.table.state.limits
    assert (limits.least, limits.most) == (wanted["least"], wanted["most"])
    assert [(each.by, each.rank) for each in effects if isinstance(each, Ruled)] == [("F3", 3)]
    assert [(each.to, each.text) for each in effects if isinstance(each, Announced)] == [
        ("pit", "F3 of the floor ordered: Change the limits.")
    ]


def test_a_higher_minimum_is_announced_first_like_that_of_a_key() -> None:
    at = Stand()
    before = at.guarded.table.state.limits
    at.take(given(at, args={"least": before.least * 5, "most": before.most * 5}))
    state = at.guarded.table.state
    assert (state.limits, state.coming and state.coming.limits.least) == (before, before.least * 5)


def test_notice_of_closing_is_given_and_never_closes_a_table() -> None:
    at = Stand()
    effects = at.take(given(at, "closing", "HDD"))
    assert [(each.source, each.dest) for each in effects if isinstance(each, Moved)] == [("open", "closing")]
    assert refused(at.take(given(at, "closing", "HDD", id="o2"))) == ["notice_runs"]


def test_a_message_stands_in_the_pit_also_at_a_suspended_table() -> None:
    at = Stand()
    at.guarded.table.failed(at.guarded.position.seq, at.at, "Broken")
    assert at.guarded.table.state.life == "suspended"
    effects = at.take(given(at, "message", "HDD"))
    assert [each.text for each in effects if isinstance(each, Alarmed)] == ["F3 of the floor: Call me"]
    assert refused(at.take(given(at, "message", "HDD", id="o2", args={"text": "x" * 401}))) == ["too_long"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"table": "tablectl/t2/00ff"}, "wrong_table"),
        ({"table": "tablectl/t1/00fe"}, "wrong_table"),
        ({"rank": "HDD"}, "rank_too_low"),
        ({"rank": "Grand Duke"}, "rank_too_low"),
        ({"kind": "open"}, "no_such_order"),
        ({"kind": "take_back"}, "no_such_order"),
        ({"args": {"least": 500}}, "bad_argument"),
        ({"args": {"least": 500, "most": 400}}, "bad_limits"),
        ({"args": {"least": 500, "most": 600, "consent": True}}, "unknown_argument"),
        ({"args": {"least": "much", "most": 600}}, "bad_argument"),
    ],
)
def test_what_would_be_refused_of_a_key_is_refused_of_an_order(change: dict[str, Any], code: str) -> None:
    at = Stand()
    before = at.saved()
    effects = at.take(given(at, **change))
    found = refused(effects)
    assert len(found) == len(effects) == 1, "nothing but the refusal is concluded"
    assert found == [code]
    after = at.saved()
    for each in (before, after):
        each["table"].pop("orders")
    assert after == before


@pytest.mark.parametrize(("off", "code"), [(-AGE_MS - 2_000, "too_old"), (AHEAD_MS + 2_000, "too_early")])
def test_an_order_from_another_time_is_refused(off: int, code: str) -> None:
    at = Stand()
    at.at = 10_000_000
    assert refused(at.take(given(at, at=at.at + off))) == [code]
    assert refused(at.take(given(at, "message", id="o2", at=at.at + off // 2))) == []


def test_an_id_is_used_up_by_the_first_order_that_bears_it_whatever_came_of_it() -> None:
    at = Stand()
    assert refused(at.take(given(at, rank="HDD"))) == ["rank_too_low"]
    assert refused(at.take(given(at))) == ["used_order"]
    first = given(at, "message", id="o2")
    assert refused(at.take(first)) == []
    assert refused(at.take(first)) == ["used_order"]
    assert len([code for code in at.guarded.table.state.desk.alarms if code.startswith("floor_message")]) == 1


def test_ids_are_remembered_longer_than_any_order_lives_and_not_for_ever() -> None:
    at = Stand()
    first = given(at, "message")
    at.take(first)
    at.at += REMEMBERED_MS - 5_000
    assert refused(at.take(msgspec.structs.replace(first, order=msgspec.structs.replace(first.order, at=at.at)))) == [
        "used_order"
    ]
    at.at += 10_000
    at.take(given(at, "message", id="o2"))
    assert list(at.guarded.table.state.orders) == ["o2"]


def test_an_order_is_taken_back_like_a_key_and_cannot_be_sent_again() -> None:
    at = Stand()
    order = given(at, "closing", "HDD")
    at.take(order)
    assert refused(at.back(CHIEF)) == ["reason_needed"]
    at.back(CHIEF, reason="the floor meant another table")
    assert at.guarded.table.state.life == "open"
    assert refused(at.take(order)) == ["used_order"]


def test_a_key_can_still_be_taken_back_when_the_floor_said_something_meanwhile() -> None:
    at = Stand()
    at.press("place_bets")
    at.take(given(at, "message"))
    at.take(OrdersTurnedAway(1, "nobody signed it"))
    at.take(given(at, table="tablectl/t2/00ff", id="o2"))
    at.back()
    assert at.state == "idle"
    assert any(code.startswith("floor_message") for code in at.guarded.table.state.desk.alarms)


def test_a_key_that_an_order_was_refused_for_stays_as_it_is() -> None:
    """Without the key the order would have been carried out, and it was refused."""
    at = Stand()
    at.press("limits", Person("S3", 3), **lower(at))
    at.take(given(at, args={"least": 500, "most": 400}))
    assert refused(at.back(Person("S3", 3))) == ["has_followed"]


def test_the_journal_with_orders_in_it_is_replayed_to_the_same_conclusions(tmp_path: Path) -> None:
    at = Stand()
    at.take(given(at, args=lower(at)))
    at.take(given(at))
    at.take(given(at, "closing", "HDD", id="o2"))
    at.back(CHIEF, reason="not now")
    at.take(given(at, "message", id="o3"))
    at.take(OrdersTurnedAway(2, "the floor's key did not sign them"))
    journal = JournalFile.open(tmp_path / "j.sqlite", "T1", durable=False)
    for when, event, effects in at.rows:
        journal.append([Entry(when, record.encode(record.Record(event, effects, form=record.FORM)))])
    again = GuardedTable(default_config())
    assert recover(again, journal, from_snapshot=False) == len(at.rows)
    assert again.table.save() == at.guarded.table.save()
    journal.close()


LEVEL: Keys[Table] = Keys()


@LEVEL.key("event.level", "Begin the next level", power="change_limits", asks=(Ask("level", "number", "Level"),))
def level(table: Table, by: Person, *, level: int) -> None:
    table.desk.note("level", level=level, by=by.id)


def test_what_else_may_be_ordered_at_a_table_joins_it_as_keys_of_its_own() -> None:
    at = Stand()
    assert refused(at.take(given(at, "event.level", args={"level": 3}))) == ["no_such_order"]
    at.guarded.table.orderable.append((LEVEL, at.guarded.table))
    assert refused(at.take(given(at, "event.level", id="o2", args={"level": 3}))) == []
    assert refused(at.take(given(at, "event.level", id="o3", rank="dealer", args={"level": 3}))) == ["rank_too_low"]


def test_every_kind_of_order_is_someones_power_in_every_rulebook() -> None:
    for game in ("wheel", "war", "poker"):
        house = GuardedTable(default_config(game)).table.house
        assert {key.name: key.rank > 1 for key in ORDERS.of(house).values()} == {
            "limits": True, "closing": True, "message": True,
        }  # fmt: skip
