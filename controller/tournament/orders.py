"""What a hall orders at a table, declared like keys; each rides on an order that the floor has signed."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from controller.core.desk import Ask
from controller.core.keys import Keys
from controller.core.orders import HALL
from controller.people import Person
from controller.tournament import conduct, levels, moves, rounds
from controller.tournament.state import Designation, Pending, Roster

if TYPE_CHECKING:
    from controller.tournament.session import Session

ORDERS: Keys[Session] = Keys(while_suspended=True, undo="never")
WHOLE = Ask("payload", "text", "What is ordered, as JSON")
ON = Ask("on", "flag", "Whether tables wait for each other")
MAYBE = Ask("payload", "text", "What is ordered, as JSON", optional=True)
WHO = Ask("who", "text", "Who was seen")
P = TypeVar("P", bound=msgspec.Struct)


class Stood(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long the hall's clock stood, in milliseconds."""

    ms: int


class Earlier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A level, and when it comes now."""

    level: int
    at: int


class Began(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When the first table of the session began, in milliseconds since 1970."""

    at: int


def _read(session: Session, payload: str, kind: type[P]) -> P:
    try:
        return msgspec.json.decode(payload, type=kind)
    except msgspec.MsgspecError as trouble:
        session.refuse("bad_order", f"This order of the hall cannot be read: {trouble}.", "2.1")


@ORDERS.key("tournament_designate", "Designate for a tournament", power="close", role=HALL, asks=(WHOLE,))
def designate(session: Session, by: Person, *, payload: str) -> None:
    session.machine.fire("designate", _read(session, payload, Designation))


@ORDERS.key("tournament_roster", "Roster of a session", power="close", role=HALL, asks=(WHOLE,))
def roster(session: Session, by: Person, *, payload: str) -> None:
    session.machine.fire("roster", _read(session, payload, Roster))


@ORDERS.key("tournament_release", "Release from the tournament", power="close", role=HALL)
def release(session: Session, by: Person) -> None:
    session.machine.fire("release")


@ORDERS.key("tournament_presence", "A Director was seen at the hall", power="close", role=HALL, asks=(WHO,))
def presence(session: Session, by: Person, *, who: str) -> None:
    """A reader elsewhere in the hall counts for every table of the event."""
    if not session.state.presence.decides(who):
        session.refuse("no_director", f"{who} is neither Director nor deputy of this event.", "2.3")
    rounds.shown(session, who, "seen at the hall")


@ORDERS.key("tournament_pause", "Pause the session", power="close", role=HALL)
def pause(session: Session, by: Person) -> None:
    rounds.pause(session, by)


@ORDERS.key("tournament_go_on", "The session goes on", power="close", role=HALL, asks=(MAYBE,))
def go_on(session: Session, by: Person, *, payload: str = "") -> None:
    """All tables stand still for as long as the hall's clock did, whenever their hand was over."""
    state, stood = session.state, _read(session, payload, Stood).ms if payload else None
    if pauses := [one for one in state.pending if one.what == "pause"]:
        state.pending = [one for one in state.pending if one not in pauses]
        rounds.stood(session, stood or 0)
        return
    if stood is not None and session.phase == "paused":
        state.paused_at = session.desk.at - stood
    session.machine.fire("go_on", by)


@ORDERS.key("tournament_clock", "The clock of the session", power="close", role=HALL, asks=(WHOLE,))
def clock(session: Session, by: Person, *, payload: str) -> None:
    """All tables go by the first that began, so that a level is the same everywhere at every moment."""
    session.state.clock_from = began = _read(session, payload, Began).at
    session.note("clock", ("4.3(a)(i)",), began=began)
    levels.look(session)
    session.table.show_sign()


@ORDERS.key("tournament_level", "Bring a level forward", power="change_limits", asks=(WHOLE,))
def level(session: Session, by: Person, *, payload: str) -> None:
    """Whoever changes the limits does it, with three hands' notice and twenty minutes on the sign (6.10, T-11)."""
    earlier = _read(session, payload, Earlier)
    levels.bring_forward(session, earlier.level, earlier.at)


@ORDERS.key("tournament_hand_for_hand", "Hand for hand", power="close", role=HALL, asks=(ON,))
def hand_for_hand(session: Session, by: Person, *, on: bool) -> None:
    """Near the money every table waits for all others after each hand."""
    session.state.hand_for_hand, session.state.next_hand = on, False
    session.note("hand_for_hand", ("4.3(a)(i)",), on=on, by=by.id, waits=not session.felt.under_way())


@ORDERS.key("tournament_next_hand", "Hand for hand: the next hand", power="close", role=HALL)
def next_hand(session: Session, by: Person) -> None:
    session.state.next_hand = True


@ORDERS.key("tournament_one_left", "One is left: the session is over", power="close", role=HALL)
def one_left(session: Session, by: Person) -> None:
    rounds.one_left(session)


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


# -- what a Director decides at the hall -------------------------------------------------------------------------------


def _directs(session: Session, by: Person) -> None:
    if not session.state.presence.decides(by.id):
        session.refuse("no_director", f"{by.id} is neither Director nor deputy of this event.", "2.3")


@ORDERS.key("tournament_not_out", "Take an elimination back", power="close", role=HALL, asks=(WHO,))
def not_out(session: Session, by: Person, *, who: str) -> None:
    _directs(session, by)
    conduct.take_back_out(session, who, by)


@ORDERS.key("tournament_disqualify", "Disqualify", power="close", role=HALL, asks=(WHO,))
def disqualify(session: Session, by: Person, *, who: str) -> None:
    _directs(session, by)
    conduct.decide(session, Pending("disqualify", session.entrant(who).number, by=by.id))


@ORDERS.key("tournament_retire", "Entrant retires", power="close", role=HALL, asks=(WHO,))
def retire(session: Session, by: Person, *, who: str) -> None:
    _directs(session, by)
    conduct.decide(session, Pending("retire", session.entrant(who).number, by=by.id))


@ORDERS.key("tournament_abandon", "Abandon the session here", power="close", role=HALL)
def abandon(session: Session, by: Person) -> None:
    _directs(session, by)
    session.note("abandoned", ("4.8(d)(i)",), by=by.id, why="the event is abandoned at the hall")
    session.machine.fire("abandon", by)
