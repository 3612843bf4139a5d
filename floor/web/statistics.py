"""Results by game, table, dealer and day, and how evenly wheels land over weeks."""

from __future__ import annotations

from datetime import UTC, datetime, time
from math import erfc, sqrt
from typing import Any

from sqlalchemy import Connection, Select, Table, and_, func, literal, or_, select

from controller.report.days import HouseDays
from drivers.motion.fairness import COMPARTMENTS, Landed, Landing
from floor.counting import OF_A_CENT
from floor.store.schema import FACTS, JOURNALS, LANDINGS, MISPAID, ROUNDS

QUARTER_MS, MINUTE_MS = 900_000, 60_000
"""Gaming days are put together of these; whole quarters of an hour where they begin with one."""
HOUR_MS = 3_600_000
UTC_DAYS = HouseDays()
BY = ("game", "table", "dealer", "day")
LEAST_DUE = 5
"""Landings due in every compartment before a chi-square says anything."""


def results(
    connection: Connection, by: str, since: int = 0, until: int = 0, days: HouseDays = UTC_DAYS
) -> list[dict[str, Any]]:
    """Rounds, drop, what was staked, won and due by the exact edges, pace, late bets and wrong payments.

    Days are the house's gaming days, each told as the first moment of its date in UTC. At poker players win from each
    other, so its rounds count under game alone.
    """
    rounds = _grouped(
        connection, (by, days), ROUNDS, ROUNDS.c.ended, since, until, literal(True),
        rounds=func.count(), staked=func.sum(ROUNDS.c.staked), win=func.sum(ROUNDS.c.taken - ROUNDS.c.paid),
        theoretical=func.sum(ROUNDS.c.theoretical), span=func.sum(ROUNDS.c.span),
    )  # fmt: skip
    drop = _grouped(connection, (by, days), FACTS, FACTS.c.at, since, until, FACTS.c.kind == "drop", drop=_cents(FACTS))
    late = _grouped(connection, (by, days), FACTS, FACTS.c.at, since, until, FACTS.c.kind == "late",
                    late=func.count(), late_cents=_cents(FACTS))  # fmt: skip
    wrong = _grouped(connection, (by, days), MISPAID, MISPAID.c.at, since, until, literal(True),
                     mispaid=func.count(), mispaid_cents=func.sum(func.abs(MISPAID.c.cents)))  # fmt: skip
    known = sorted({*rounds, *drop, *late, *wrong}, key=str)
    parts = (rounds, drop, late, wrong)
    return [
        _line(what, {name: value for part in parts for name, value in part.get(what, {}).items()}) for what in known
    ]


def _cents(table: Table) -> Any:
    return func.sum(table.c.cents)


def _grouped(
    connection: Connection, how: tuple[str, HouseDays], of: Table, moment: Any, since: int, until: int, where: Any,
    **sums: Any,
) -> dict[Any, dict[str, int]]:  # fmt: skip
    by, days = how
    part = MINUTE_MS if days.starts.minute % 15 else QUARTER_MS
    whose = {"game": JOURNALS.c.game, "table": JOURNALS.c.name, "dealer": of.c.dealer, "day": moment - moment % part}
    what = whose[by]
    asked: Select[Any] = select(what.label("what"), *(each.label(name) for name, each in sums.items()))
    asked = asked.join_from(of, JOURNALS, JOURNALS.c.id == of.c.journal).where(where)
    asked = asked.where(or_(JOURNALS.c.game != "poker", literal(by == "game")))
    if since or until:
        asked = asked.where(and_(moment >= since, moment < (until or 1 << 62)))
    found: dict[Any, dict[str, int]] = {}
    for one in connection.execute(asked.group_by(what)).mappings():
        line = found.setdefault(_date(days, one["what"]) if by == "day" else one["what"], dict.fromkeys(sums, 0))
        for name in sums:
            line[name] += int(one[name] or 0)
    return found


def _date(days: HouseDays, at: int) -> int:
    return round(datetime.combine(days.day(at), time(0), UTC).timestamp() * 1000)


def _line(what: Any, sums: dict[str, int]) -> dict[str, Any]:
    names = ("rounds", "staked", "win", "drop", "late", "late_cents", "mispaid", "mispaid_cents", "span")
    line = {"what": what, **{name: sums.get(name, 0) for name in names}}
    line["theoretical"] = round(sums.get("theoretical", 0) / OF_A_CENT)
    line["an_hour"] = round(line["rounds"] * HOUR_MS / line["span"], 1) if line["span"] else None
    line["hold"] = line["win"] / line["drop"] if line["drop"] else None
    return line


# -- wheels --------------------------------------------------------------------------------------------------------


def fairness(connection: Connection, since: int = 0) -> list[dict[str, Any]]:
    """Every wheel's landings since a moment: how many in each compartment, and what that says."""
    asked = select(JOURNALS.c.slug, JOURNALS.c.name, LANDINGS).join(JOURNALS).where(LANDINGS.c.at >= since)
    found: dict[tuple[str, str], Landed] = {}
    spans: dict[tuple[str, str], list[int]] = {}
    for one in connection.execute(asked.order_by(LANDINGS.c.at)):
        wheel = (one.slug, one.name)
        found.setdefault(wheel, Landed()).add(Landing(one.start, one.rest, one.sense, dealer=one.dealer))
        spans.setdefault(wheel, [one.at, one.at])[1] = one.at
    return [_wheel(*wheel, landed, *spans[wheel]) for wheel, landed in sorted(found.items())]


def _wheel(slug: str, name: str, landed: Landed, first: int, last: int) -> dict[str, Any]:
    judged = landed.judged()
    square, chance = chi_square(judged.counts)
    return {
        "slug": slug, "name": name, "spins": judged.spins, "counts": list(judged.counts), "first": first, "last": last,
        "due": round(judged.spins / COMPARTMENTS, 2), "chi_square": round(square, 1), "chance": round(chance, 4),
        "uneven": judged.uneven, "text": f"{judged.text()} {chi_text(judged.spins, square, chance)}",
    }  # fmt: skip


def chi_square(counts: tuple[int, ...]) -> tuple[float, float]:
    """How far counts are from even, and in what part of fair samples they are at least as far (Wilson and Hilferty)."""
    total, degrees = sum(counts), len(counts) - 1
    if not total:
        return 0.0, 1.0
    due = total / len(counts)
    square = sum((count - due) ** 2 for count in counts) / due
    part = 2 / (9 * degrees)
    deviates = ((square / degrees) ** (1 / 3) - (1 - part)) / sqrt(part)
    return square, erfc(deviates / sqrt(2)) / 2


def chi_text(spins: int, square: float, chance: float) -> str:
    """For people, with what it can and cannot say."""
    if spins < LEAST_DUE * COMPARTMENTS:
        return f"A chi-square says nothing yet: {LEAST_DUE * COMPARTMENTS} spins are needed for it."
    return (
        f"Chi-square {square:.0f} with {COMPARTMENTS - 1} degrees of freedom: fair wheels are at least as uneven in "
        f"{100 * chance:.1f} % of such samples. One fair wheel in a hundred shows under 1 %, and whoever looks every "
        "day sees it more often; the stake above allows for that."
    )
