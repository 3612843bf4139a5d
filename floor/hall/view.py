"""What the hall's pages show, from its state alone; names come from the register, where they may be shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.money.amounts import dollars
from floor.hall import acts, moves, outcome, sessions
from floor.hall.acts import trigger_of
from floor.hall.clock import now_on
from floor.hall.hall import Hall
from floor.hall.state import By, Entrant

LEADERS = 10


def view(hall: Hall, at: int, names: Mapping[str, str], by: By | None = None) -> dict[str, Any]:
    """Everything that any of the pages draws; `by` is who looks, and what they may do stands with it."""
    if hall.state.terms is None:
        return {"event": None, "phase": hall.state.phase, "offered": _offered(hall, by)}
    hall.at = at
    return {
        "event": _event(hall),
        "phase": hall.state.phase,
        "at": at,
        "clock": _clock(hall, at),
        "field": _field(hall),
        "entrants": [_entrant(hall, one, names) for one in hall.state.entrants.values()],
        "tables": _tables(hall),
        "tickets": [_ticket(one) for one in hall.state.tickets.values()],
        "alarms": list(hall.state.alarms.values()),
        "lines": _lines(hall),
        "results": _results(hall, names),
        "disputes": [_dispute(number, one) for number, one in enumerate(hall.state.disputes, 1)],
        "due": hall.state.regulator_due,
        "offered": _offered(hall, by),
    }


def _event(hall: Hall) -> dict[str, Any]:
    terms = hall.terms
    session = hall.state.session
    return {
        "id": terms.id, "title": terms.tournament.title or terms.id, "place": terms.tournament.place,
        "starts": hall.state.starts, "rulebook": terms.rulebook, "digest": terms.digest,
        "director": hall.state.director, "deputies": hall.state.deputies, "present": hall.director_present(),
        "sessions": [{"name": one.name, "through": one.through.said()} for one in terms.sessions],
        "session": terms.sessions[session.number].name if session is not None else "",
        "rounds": terms.sessions[session.number].rounds if session is not None else 0,
        "entropy": session.entropy if session is not None else "",
    }  # fmt: skip


def _clock(hall: Hall, at: int) -> dict[str, Any]:
    on, coming = now_on(hall, at)
    until = on.ends if on is not None else 0
    stands = hall.state.paused_at
    return {
        "stands": bool(stands), "left_ms": max(until - (stands or at), 0) if on is not None else None,
        "level": on.level if on is not None else 0, "small": on.small if on is not None else 0,
        "big": on.big if on is not None else 0, "is_break": on is not None and on.is_break,
        "coming": [
            {"at": one.begins, "level": one.level, "small": one.small, "big": one.big} for one in coming[:4]
        ],
        "compulsory": [
            {"from": step.from_, "units": step.units, "not_before": step.not_before}
            for step in hall.terms.wagers.compulsory
        ],
    }  # fmt: skip


def _field(hall: Hall) -> dict[str, Any]:
    playing = [one for one in hall.state.left if one.phase in ("playing", "in_transit")]
    banks = sum(one.bank for one in playing)
    leader = max(playing, key=lambda one: (one.bank, one.number), default=None)
    return {
        "entered": len(hall.state.field), "left": len(hall.state.left), "units": banks,
        "average": banks // len(playing) if playing else 0, "in_transit": hall.state.in_transit,
        "leader": leader.number if leader is not None else "", "leads_with": leader.bank if leader is not None else 0,
    }  # fmt: skip


def _entrant(hall: Hall, one: Entrant, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "number": one.number, "name": names.get(one.number, ""), "public": one.may_be_named, "phase": one.phase,
        "table": one.table, "seat": one.seat, "bank": one.bank, "signed": one.signed, "flags": one.flags,
        "paid": dollars(one.paid_in_all), "refunded": dollars(one.refunded),
        "place": hall.state.places.get(one.number, 0),
    }  # fmt: skip


def _tables(hall: Hall) -> list[dict[str, Any]]:
    count = moves.sitting(hall) if hall.state.phase == "running" else {}
    return [
        {
            "name": table.name, "designated": table.designated, "session": table.session, "begun": table.begun,
            "scored": table.scored, "agreed": table.agreed, "units": table.ledger, "row": table.seq // 1000,
            "sit": count.get(table.name, 0), "broken": table.name in hall.state.broken,
            "seats": sorted(
                ({"number": one.number, "seat": one.seat, "bank": one.bank, "phase": one.phase}
                 for one in hall.state.left if one.table == table.name), key=lambda seat: str(seat["seat"]).zfill(3),
            ),
        }
        for table in sorted(hall.state.tables.values(), key=lambda table: table.name)
    ]  # fmt: skip


def _ticket(one: Any) -> dict[str, Any]:
    return {
        "number": one.number, "entrant": one.entrant, "from": f"{one.origin.table} seat {one.origin.seat}",
        "to": f"{one.to.table} seat {one.to.seat}", "phase": one.phase, "stack": one.stack, "by": one.ordered_by,
    }  # fmt: skip


def _lines(hall: Hall) -> list[dict[str, Any]]:
    """Who would go on, and where banks are equal, once a session is counted."""
    if hall.state.phase != "between" or hall.session.confirmed:
        return []
    return [
        {"table": table, "through": line.through, "equal": line.equal, "left": line.left}
        for table, line in sessions.cuts(hall)
    ]


def _results(hall: Hall, names: Mapping[str, str]) -> dict[str, Any]:
    """Places and prizes; a name is shown only where the entrant allows it."""
    placed = hall.state.places or outcome.standing(hall) if hall.state.sessions else {}
    return {
        "final": bool(hall.state.final), "pool": dollars(hall.state.pool), "listed": bool(hall.state.prizes),
        "rows": [
            {
                "place": place, "number": number,
                "name": names.get(number, "") if hall.entrant(number).may_be_named else "",
                "prize": dollars(hall.state.prizes[number]) if number in hall.state.prizes else "",
            }
            for number, place in sorted(placed.items(), key=lambda one: (one[1], one[0]))
        ],
    }  # fmt: skip


def _dispute(number: int, one: Any) -> dict[str, Any]:
    return {
        "number": number,
        "about": one.about,
        "decision": one.decision,
        "by": one.by,
        "of_the_game": one.of_the_game,
    }


def _offered(hall: Hall, by: By | None) -> list[dict[str, Any]]:
    """What this person may do now, with the form of each from its own declaration."""
    if by is None:
        return []
    return [
        {
            "act": trigger_of(act), "words": act.words,
            "fields": [
                {"name": one.name, "kind": one.kind, "optional": one.optional, "choices": one.choices}
                for one in acts.fields(act) if one.name != "entropy"
            ],
        }
        for act in hall.offered(by)
    ]  # fmt: skip
