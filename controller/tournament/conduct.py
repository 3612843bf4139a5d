"""What the Director decides about people, and what each decision does to bank and seat (4.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from controller.people import TABLE, Person
from controller.tournament import moves
from controller.tournament.state import Entrant, Pending, RoundUnderWay

if TYPE_CHECKING:
    from controller.tournament.session import Session

NO_PENALTY = "no_penalty"
MISS_ROUND = "miss_round"
ONE_ORBIT = "one_orbit"
"""As many hands as there are players: blinds are posted, and the hand is folded."""
WARNING = "warning"


def listed(penalty: str) -> str:
    """A penalty as answers name it."""
    return penalty.replace(" ", "_")


def penalties(session: Session) -> dict[str, str]:
    """What the terms list, by the name of the answer."""
    return {listed(penalty): penalty for penalty in session.terms.conduct.penalties}


def penalise(session: Session, number: str, penalty: str, by: Person, reason: str = "") -> None:
    """A listed penalty and no other (4.8(a)(i)); units go back to the tray under a booking of their own."""
    known = penalties(session)
    if penalty != NO_PENALTY and penalty not in known:
        text = f"The terms know no penalty {penalty!r}; they list {', '.join(known)}."
        session.refuse("not_in_terms", text, "4.8(a)(i)")
    one = session.entrant(number)
    if penalty == NO_PENALTY:
        session.note("no_penalty", ("4.8(a)(i)",), entrant=number, by=by.id, why=reason)
        return
    one.penalties += 1
    if penalty == WARNING:
        one.warnings += 1
    elif penalty == MISS_ROUND:
        one.owes += 1
    elif penalty == ONE_ORBIT:
        one.owes += len(session.state.playing())
    units = min(session.terms.penalty_units(known[penalty]), session.bank(number))
    if units:
        session.book_units(number, "penalty", -units, by.id, reason or known[penalty])
        session.to_tray(units, by, number)
    session.note("penalty", ("4.8(a)(i)",), entrant=number, penalty=known[penalty], units=units, by=by.id, why=reason)
    session.say("penalty", f"{number}: {known[penalty]}.", "4.8(a)(i)", to="all")


# -- decided now, done after the round -----------------------------------------------------------------------------


def decide(session: Session, pending: Pending) -> None:
    """Keep a decision for the end of the round, or carry it out at once where none is under way."""
    session.state.pending.append(pending)
    session.note(
        "decided", ("4.8(a)(ii)",), decision=pending.what, entrant=pending.entrant, by=pending.by, why=pending.reason
    )
    if not session.state.round.dealt:
        carry_out(session)


def carry_out(session: Session) -> None:
    """What was decided during the round happens now that its wagers are settled (T-28, T-29)."""
    decided, session.state.pending = session.state.pending, []
    for one in decided:
        if one.what == "end":
            if session.machine.can("early_end"):
                session.machine.fire("early_end")
        elif one.what == "pause":
            if session.machine.can("pause"):
                session.machine.fire("pause")
        elif session.state.entrants[one.entrant].plays:
            _OF[one.what](session, one)


def _disqualify(session: Session, decided: Pending) -> None:
    one = session.state.entrants[decided.entrant]
    if session.terms.conduct.disqualified_chips == "out_of_play":
        remove_bank(session, one, decided.by, "disqualified")
    leaves(session, one, "disqualified", decided.reason or "disqualified")


def _retire(session: Session, decided: Pending) -> None:
    one = session.state.entrants[decided.entrant]
    place = len(session.state.playing())
    remove_bank(session, one, decided.by, "retired")
    leaves(session, one, "retired", "retired", place)


def _substitute(session: Session, decided: Pending) -> None:
    """Bank, seat, markers, warnings and penalties pass over, or a change of person would wash them away (T-27)."""
    state, one = session.state, session.state.entrants[decided.entrant]
    bank = session.bank(one.number)
    session.book_units(one.number, "moved_out", -bank, decided.by, f"to {decided.other}")
    new = msgspec.structs.replace(one, number=decided.other, markers=dict(one.markers))
    open_ = session.withdraw_about(one.number)
    session.felt.leave(one.number)
    one.standing = "replaced"
    state.entrants[new.number] = new
    session.book_units(new.number, "moved_in", bank, decided.by, f"for {one.number}")
    session.felt.seat(new.seat, new.number, bank)
    session.note("substituted", ("4.8(a)(iii)",), entrant=one.number, substitute=new.number, by=decided.by)
    for subject in open_:
        session.ask(subject, new.number)


def remove_bank(session: Session, one: Entrant, by: str, why: str) -> None:
    """Chips go out of play: counted, booked, and back to the tray (4.8(b)(v))."""
    units = session.bank(one.number)
    session.book_units(one.number, "removed", -units, by, why)
    session.to_tray(units, Person(by) if by else TABLE, one.number)


def eliminate(session: Session, one: Entrant, why: str, done: RoundUnderWay | None = None) -> None:
    """Out: the table tells time, round and what was left; the hall gives the place (4.5(a))."""
    one.short = False
    before = done.before.get(one.number, 0) if done is not None else session.bank(one.number)
    leaves(session, one, "eliminated", why, before=before, began=done.began_at if done is not None else session.desk.at)


def leaves(session: Session, one: Entrant, standing: str, why: str, place: int = 0, **facts: int) -> None:
    """The place at the table is closed."""
    left = len(session.state.playing())
    one.standing = standing  # type: ignore[assignment]  # one of those that leave
    one.place = place
    session.withdraw_about(one.number)
    session.felt.leave(one.number)
    session.note(standing, ("4.5(a)",), entrant=one.number, why=why, left=left - 1, place=place,
                 scored=session.state.scored, bank=session.bank(one.number), **facts)  # fmt: skip
    session.say("out", f"{one.number} is out: {why}.", "4.5(a)", to="all")


_OF = {"disqualify": _disqualify, "retire": _retire, "substitute": _substitute, "move_out": moves.out}
"""What a decision about an entrant does once the round is over."""


def take_back_out(session: Session, number: str, by: Person) -> None:
    """An elimination that was wrong is undone by a second row."""
    one = session.state.entrants.get(number)
    if one is None or one.standing != "eliminated":
        session.refuse("not_out", f"{number} was not eliminated at this table.", "4.5(a)")
    if (taken := session.state.at_seat(one.seat)) is not None:
        session.refuse("seat_taken", f"{taken.number} has the place of {number} by now.", "4.5(a)")
    one.standing, one.place = "playing", 0
    session.felt.seat(one.seat, one.number, session.bank(number))
    session.note("elimination_taken_back", ("4.5(a)",), entrant=number, by=by.id)
