"""What can be asked of the store: one table, what stands open, rounds that were played, results."""

from __future__ import annotations

import time
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, and_, func, or_, select

from controller.journal.head import slug
from floor.orders import kinds, orders_of
from floor.store.schema import (
    ALARMS,
    DEVICES,
    FINDINGS,
    FLOATS,
    HEADS,
    JOURNALS,
    ORDERS,
    QUESTIONS,
    ROUNDS,
    RULINGS,
    STAFF,
    TAKEN,
    WAGERS,
)
from floor.web.pit import under_way

MOST = 200
"""Lines of one answer."""
ENDS = ("|", "(", ".", " ", "[")
"""What stands after a clause, or after the part of one that was asked for: 7.1 is 7.1(a) too, and not 7.10."""


class NoSuchTable(Exception):
    """There is no table of this name."""


class Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which rounds are looked for; what is empty is not asked for. Times in milliseconds, amounts in cents.

    Names and numbers of tables, people and outcomes are found in small letters as in large ones.
    """

    table: str = ""
    round: int = 0
    since: int = 0
    until: int = 0
    dealer: str = ""
    player: str = ""
    outcome: str = ""
    clause: str = ""
    staked: int = 0
    paid: int = 0


def all_of(connection: Connection, wanted: Select[Any]) -> list[dict[str, Any]]:
    return [dict(one) for one in connection.execute(wanted).mappings()]


def _clauses(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**line, "clauses": [one for one in line["clauses"].split("|") if one]} for line in lines]


def table(connection: Connection, name: str) -> dict[str, Any]:
    """Everything the floor knows of a table now."""
    columns = [column for column in JOURNALS.c if column.name not in ("hash", "peaks")]
    journals = all_of(connection, select(*columns).where(JOURNALS.c.slug == name).order_by(JOURNALS.c.heard.desc()))
    if not journals:
        raise NoSuchTable(f"the floor has heard of no table {name!r}")
    own = journals[0]["id"]
    return {
        "face": journals[0],
        "now": under_way(connection, journals[0]),
        "earlier": [{"origin": one["origin"], "size": one["size"]} for one in journals[1:]],
        "alarms": open_alarms(connection, ALARMS.c.journal == own),
        "findings": all_of(connection, select(FINDINGS).where(FINDINGS.c.open, FINDINGS.c.slug == name)),
        "questions": _clauses(all_of(connection, select(QUESTIONS).where(QUESTIONS.c.journal == own))),
        "devices": all_of(connection, select(DEVICES).where(DEVICES.c.journal == own).order_by(DEVICES.c.place)),
        "staff": all_of(connection, select(STAFF).where(STAFF.c.journal == own).order_by(STAFF.c.place)),
        "floats": all_of(connection, _last(FLOATS, own)),
        "rulings": _clauses(all_of(connection, _last(RULINGS, own))),
        "rounds": rounds(connection, Wanted(table=name), 20),
        "orders": orders_of(connection, int(time.time() * 1000), ORDERS.c.slug == name),
        "orderable": kinds(),
        "heads": all_of(connection, select(HEADS).where(HEADS.c.journal == own).order_by(HEADS.c.size.desc()).limit(1)),
    }


def _last(of: Any, journal: int, most: int = 20) -> Select[Any]:
    return select(of).where(of.c.journal == journal).order_by(of.c.seq.desc()).limit(most)


def open_alarms(connection: Connection, *where: Any) -> list[dict[str, Any]]:
    """Alarms that stand at tables, with who has taken each upon themselves."""
    taken = and_(TAKEN.c.journal == ALARMS.c.journal, TAKEN.c.code == ALARMS.c.code, TAKEN.c.since == ALARMS.c.since)
    wanted = (
        select(ALARMS, JOURNALS.c.slug, JOURNALS.c.name, TAKEN.c.person, TAKEN.c.at.label("taken_at"))
        .join(JOURNALS, JOURNALS.c.id == ALARMS.c.journal)
        .outerjoin(TAKEN, taken)
        .where(ALARMS.c.over == 0, *where)
        .order_by(ALARMS.c.at.desc())
    )
    return _clauses(all_of(connection, wanted))


def alarms(connection: Connection) -> dict[str, Any]:
    """Everything on the floor that a person should look at."""
    asked = select(QUESTIONS, JOURNALS.c.slug, JOURNALS.c.name).join(JOURNALS).order_by(QUESTIONS.c.at)
    return {
        "findings": all_of(connection, select(FINDINGS).where(FINDINGS.c.open).order_by(FINDINGS.c.at.desc())),
        "alarms": open_alarms(connection),
        "questions": _clauses(all_of(connection, asked)),
    }


def rounds(connection: Connection, wanted: Wanted, most: int = MOST) -> list[dict[str, Any]]:
    """The newest rounds that fit, each with its wagers."""
    asked = select(ROUNDS, JOURNALS.c.slug, JOURNALS.c.name, JOURNALS.c.game).join(JOURNALS)
    found = all_of(connection, asked.where(*_fits(wanted)).order_by(ROUNDS.c.ended.desc()).limit(most))
    if not found:
        return []
    keys = or_(*(and_(WAGERS.c.journal == one["journal"], WAGERS.c.first == one["first"]) for one in found))
    by_round: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for one in _clauses(all_of(connection, select(WAGERS).where(keys).order_by(WAGERS.c.number))):
        by_round.setdefault((one["journal"], one["first"]), []).append(one)
    return [{**one, "wagers": by_round.get((one["journal"], one["first"]), [])} for one in _clauses(found)]


def _same(column: Any, said: str) -> Any:
    return func.lower(column) == said.strip().lower()


def _fits(wanted: Wanted) -> list[Any]:
    where: list[Any] = []
    if wanted.table:
        where.append(JOURNALS.c.slug == slug(wanted.table))
    if wanted.round:
        where.append(ROUNDS.c.round == wanted.round)
    named = {"dealer": ROUNDS.c.dealer, "outcome": ROUNDS.c.outcome}
    where += [_same(column, value) for name, column in named.items() if (value := getattr(wanted, name))]
    least = {"since": ROUNDS.c.ended, "staked": ROUNDS.c.staked, "paid": ROUNDS.c.paid}
    where += [column >= value for name, column in least.items() if (value := getattr(wanted, name))]
    if wanted.until:
        where.append(ROUNDS.c.ended <= wanted.until)
    if wanted.clause:
        ends = (ROUNDS.c.clauses.contains(f"|{wanted.clause}{end}", autoescape=True) for end in ENDS)
        where.append(or_(*ends))
    if wanted.player:
        mine = select(WAGERS.c.first).where(
            WAGERS.c.journal == ROUNDS.c.journal,
            WAGERS.c.first == ROUNDS.c.first,
            _same(WAGERS.c.player, wanted.player),
        )
        where.append(mine.exists())
    return where
