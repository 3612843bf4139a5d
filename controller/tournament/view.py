"""What sign and screens see of a tournament at a table; a closed slip is shown to nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from controller.tournament import levels, schedule

if TYPE_CHECKING:
    from controller.tournament.session import Session


def sign(session: Session) -> dict[str, Any]:
    """Name, session, rounds, what must be staked, what comes with its time, and that nothing else is played."""
    state, terms = session.state, session.terms
    shown: dict[str, Any] = {"name": terms.tournament.title or terms.id, "words": "no other play"}
    if state.session is not None:
        shown |= {
            "session": state.session.name,
            "rounds": state.session.rounds,
            "compulsory": session.compulsory(),
            "level": state.level,
            "coming": coming(session),
        }
    return shown


def coming(session: Session) -> list[dict[str, Any]]:
    """The whole schedule that is still to come, in whole units, with the round and the time of each rise."""
    if session.terms.wagers.levels:
        return [
            {"units": start.blinds.big, "small": start.blinds.small, "from": start.number, "not_before": start.at}
            for start in levels.of(session)
            if start.number > max(1, session.state.level)
        ]
    state, minutes, day = session.state, session.book.sign_minutes, session.terms.tournament.starts
    shown = state.shown_at or session.desk.at
    return [
        {"units": step.units, "from": step.from_, "not_before": schedule.not_before(step, shown, minutes, day)}
        for step in sorted(session.terms.wagers.compulsory, key=lambda step: step.from_)[1:]
        if step.from_ > state.scored
    ]


def table(session: Session) -> dict[str, Any]:
    """What the screens of the staff show: banks, markers, who is there, and what a round must have."""
    state = session.state
    if not session.taken:
        return {"state": session.phase}
    laid = state.round.laid
    return {
        "state": session.phase,
        "tournament": session.terms.id,
        "session": state.session.name if state.session is not None else "",
        "scored": state.scored,
        "rounds": state.session.rounds if state.session is not None else 0,
        "compulsory": session.compulsory() if state.session is not None else 0,
        "director": state.presence.director,
        "present_until": state.presence.until(),
        "entrants": [
            {
                "entrant": one.number,
                "seat": one.seat,
                "standing": one.standing,
                "bank": session.bank(one.number),
                "counted": one.counted,
                "markers": one.markers,
                "warnings": one.warnings,
                "away": one.away or one.late,
                "laid": lies(session, one.number) if one.number in laid.secrets else "",
            }
            for one in sorted(state.entrants.values(), key=lambda one: one.seat)
        ],
    }


def lies(session: Session, number: str) -> str:
    """A secret wager as pages show it: sealed until it was opened."""
    secret = session.state.round.laid.secrets[number]
    return f"{secret.zone} {secret.units:,}" if secret.opened else "secret"
