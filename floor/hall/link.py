"""From a table's journal rows to what the hall hears: records of the event, and answers to the hall's orders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from controller.journal.chain import Row
from floor.hall.field import TableSaid
from floor.store.schema import JOURNALS, ROWS

BEGINS = "tournament_"


def said_in(table: str, journal: str, row: Row) -> list[TableSaid]:
    """Everything about the event in one row, numbered in its order."""
    facts = msgspec.json.decode(row.body)
    found = [*_answer(facts), *_records(facts)]
    return [
        TableSaid(table, journal, row.seq, row.at, what, said, part, len(found))
        for part, (what, said) in enumerate(found)
    ]


def _records(facts: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for effect in facts.get("effects", ()):
        if effect.get("type") == "Noted" and str(effect.get("what", "")).startswith(BEGINS):
            yield str(effect["what"]).removeprefix(BEGINS), effect.get("facts", {})


def _answer(facts: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """An order that the table took up, with the reason where it refused it."""
    event = facts.get("event", {})
    order = event.get("order", {}) if event.get("type") == "FloorOrder" else {}
    if isinstance(order, dict) and str(order.get("kind", "")).startswith(BEGINS):
        no: dict[str, Any] = next((one for one in facts.get("effects", ()) if one.get("type") == "Refused"), {})
        said = {"refused": no.get("text", ""), "code": no.get("code", "")}
        yield "order", {"id": order.get("id", ""), "kind": order["kind"], **said}


def new_rows(store: Connection, slug: str, after: dict[str, int]) -> Iterator[tuple[str, Row]]:
    """Rows of a table's journals in the floor's store beyond those the hall has, oldest first."""
    for journal in store.execute(select(JOURNALS.c.id, JOURNALS.c.origin).where(JOURNALS.c.slug == slug)):
        known = after.get(journal.origin, 0)
        rows = select(ROWS).where(ROWS.c.journal == journal.id, ROWS.c.seq > known).order_by(ROWS.c.seq)
        for row in store.execute(rows):
            yield journal.origin, Row(row.seq, row.at, row.body, row.hash)
