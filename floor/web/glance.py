"""All tables at a glance: one line each, with what needs a person, and how much."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import Connection, func, select

from floor.presence import Presence
from floor.store.schema import ALARMS, DEVICES, FINDINGS, JOURNALS, QUESTIONS, STAFF

NEEDS = (
    ("findings", 1000, "found by the floor"),
    ("suspended", 500, "suspended"),
    ("questions", 200, "decision waiting"),
    ("alarms", 100, "alarm"),
    ("devices", 50, "device away"),
    ("silent", 20, "not heard"),
)
"""What needs a person, how urgently, and in which words."""


def tables(connection: Connection, presence: Presence, only: Collection[str] | None = None) -> list[dict[str, Any]]:
    """Every table, or only these, by its newest journal, the one that needs a person most first."""
    wanted = NEWEST if only is None else NEWEST.where(JOURNALS.c.slug.in_(only))
    heard_last = {one["slug"]: dict(one) for one in connection.execute(wanted).mappings()}
    counts = {
        "alarms": _counted(connection, select(ALARMS.c.journal, func.count()).where(ALARMS.c.over == 0)),
        "questions": _counted(connection, select(QUESTIONS.c.journal, func.count())),
        "devices": _counted(connection, select(DEVICES.c.journal, func.count()).where(DEVICES.c.state != "up")),
    }
    found = select(FINDINGS.c.slug, func.count()).where(FINDINGS.c.open, FINDINGS.c.person == "")
    findings = {one[0]: one[1] for one in connection.execute(found.group_by(FINDINGS.c.slug))}
    staff: dict[int, list[str]] = {}
    for one in connection.execute(select(STAFF.c.journal, STAFF.c.person).order_by(STAFF.c.place)):
        staff.setdefault(one.journal, []).append(one.person)
    lines = [
        _line(one, presence, {name: each.get(one["id"], 0) for name, each in counts.items()}, findings, staff)
        for one in heard_last.values()
    ]
    return sorted(lines, key=urgency)


def urgency(line: dict[str, Any]) -> tuple[int, str]:
    """By what tables stand on the page."""
    return -line["need"], line["name"]


def newest(connection: Connection) -> Iterable[dict[str, Any]]:
    """The journal of each table that was heard of last."""
    by_table: dict[str, dict[str, Any]] = {}
    columns = [column for column in JOURNALS.c if column.name not in ("hash", "peaks", "note")]
    for one in connection.execute(select(*columns).order_by(JOURNALS.c.heard)).mappings():
        by_table[one["slug"]] = dict(one)
    return by_table.values()


def _counted(connection: Connection, counting: Any) -> dict[int, int]:
    return {one[0]: one[1] for one in connection.execute(counting.group_by("journal"))}


Line = dict[str, Any]
SHOWN = (
    *("slug", "name", "game", "rulebook", "life", "state", "round", "rounds", "handle", "win", "size"),
    *("witnessed", "last_at", "broken", "key"),
)
NEWEST = select(
    JOURNALS.c.id, JOURNALS.c.origin, JOURNALS.c.dealer, *(JOURNALS.c[name] for name in SHOWN)
).order_by(JOURNALS.c.heard)  # fmt: skip
"""Twice a second of a thousand tables: what a line shows, and no more."""


def _line(
    one: Line, presence: Presence, counts: dict[str, int], findings: dict[str, int], staff: dict[int, list[str]]
) -> Line:
    seen = presence.seen.get(one["origin"])
    measured = {
        **counts,
        "findings": findings.get(one["slug"], 0),
        "suspended": int(one["life"] == "suspended"),
        "silent": int(not presence.here(one["origin"])),
    }
    why = [f"{measured[name]} × {words}" if measured[name] > 1 else words for name, _, words in NEEDS if measured[name]]
    return {
        **{name: one[name] for name in SHOWN},
        **measured,
        "need": sum(weight for name, weight, _ in NEEDS if measured[name]),
        "why": why,
        "staff": staff.get(one["id"]) or [person for person in (one["dealer"],) if person],  # else who presses keys
        "behind": max(0, (seen.last if seen is not None else 0) - one["size"]),
    }
