"""What a hall orders at a table, declared like keys; each rides on an order that the floor has signed."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from controller.core.desk import Ask
from controller.core.keys import Keys
from controller.people import Person
from controller.tournament import moves, rounds
from controller.tournament.state import Designation, Roster

if TYPE_CHECKING:
    from controller.tournament.session import Session

ORDERS: Keys[Session] = Keys(while_suspended=True, undo="never")
WHOLE = Ask("payload", "text", "What is ordered, as JSON")
ON = Ask("on", "flag", "Whether tables wait for each other")
WHO = Ask("who", "text", "Who was seen")
P = TypeVar("P", bound=msgspec.Struct)


def _read(session: Session, payload: str, kind: type[P]) -> P:
    try:
        return msgspec.json.decode(payload, type=kind)
    except msgspec.MsgspecError as trouble:
        session.refuse("bad_order", f"This order of the hall cannot be read: {trouble}.", "2.1")


@ORDERS.key("tournament_designate", "Designate for a tournament", power="close", asks=(WHOLE,))
def designate(session: Session, by: Person, *, payload: str) -> None:
    session.machine.fire("designate", _read(session, payload, Designation))


@ORDERS.key("tournament_roster", "Roster of a session", power="close", asks=(WHOLE,))
def roster(session: Session, by: Person, *, payload: str) -> None:
    session.machine.fire("roster", _read(session, payload, Roster))


@ORDERS.key("tournament_release", "Release from the tournament", power="close")
def release(session: Session, by: Person) -> None:
    session.machine.fire("release")


@ORDERS.key("tournament_presence", "A Director was seen at the hall", power="close", rank=1, asks=(WHO,))
def presence(session: Session, by: Person, *, who: str) -> None:
    """A reader elsewhere in the hall counts for every table of the event."""
    if not session.state.presence.decides(who):
        session.refuse("no_director", f"{who} is neither Director nor deputy of this event.", "2.3")
    rounds.shown(session, who, "seen at the hall")


@ORDERS.key("tournament_pause", "Pause the session", power="close", rank=1)
def pause(session: Session, by: Person) -> None:
    rounds.pause(session, by)


@ORDERS.key("tournament_go_on", "The session goes on", power="close", rank=1)
def go_on(session: Session, by: Person) -> None:
    session.machine.fire("go_on", by)


@ORDERS.key("tournament_hand_for_hand", "Hand for hand", power="close", rank=1, asks=(ON,))
def hand_for_hand(session: Session, by: Person, *, on: bool) -> None:
    """Near the money every table waits for all others after each hand."""
    session.state.hand_for_hand, session.state.next_hand = on, False
    session.note("hand_for_hand", ("4.3(a)(i)",), on=on, by=by.id)


@ORDERS.key("tournament_next_hand", "Hand for hand: the next hand", power="close", rank=1)
def next_hand(session: Session, by: Person) -> None:
    session.state.next_hand = True


# -- moves: ordered by level 2 or above, on the Director's balancing (T-40) ------------------------------------------


@ORDERS.key("tournament_move_out", "Move an entrant to another table", power="close", rank=2, asks=(WHOLE,))
def move_out(session: Session, by: Person, *, payload: str) -> None:
    moves.order_out(session, _read(session, payload, moves.Ticketed), by)


@ORDERS.key("tournament_move_in", "An entrant comes from another table", power="close", rank=2, asks=(WHOLE,))
def move_in(session: Session, by: Person, *, payload: str) -> None:
    moves.order_in(session, _read(session, payload, moves.Coming))


@ORDERS.key("tournament_break", "Break the table up", power="close", rank=2, asks=(WHOLE,))
def break_table(session: Session, by: Person, *, payload: str) -> None:
    moves.break_table(session, _read(session, payload, moves.Breaking), by)
