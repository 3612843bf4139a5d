"""Levels by the clock: when each begins, the breaks between, and which one the next hand is played at (T-10, T-11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from controller.tournament.state import Forward
from controller.tournament.terms import Blinds, Wagers

if TYPE_CHECKING:
    from controller.tournament.session import Session

TIMER = "tournament:level"
MINUTE = 60_000


class Start(NamedTuple):
    """A level and when it begins; a break before it begins at `rest`, where there is one."""

    number: int
    blinds: Blinds
    at: int
    rest: int


def timetable(wagers: Wagers, began: int) -> list[Start]:
    """Every level with its time, for a session that began then."""
    found, at = [], began
    breaks = {one.after: one.minutes for one in wagers.breaks}
    for number, blinds in enumerate(wagers.levels, start=1):
        rest = at
        at += breaks.get(number - 1, 0) * MINUTE
        found.append(Start(number, blinds, at, rest))
        at += blinds.minutes * MINUTE
    return found


def sooner(table: list[Start], level: int, at: int) -> list[Start]:
    """The timetable with a level brought forward to this time, and all after it as much earlier."""
    early = max(0, next((start.at - at for start in table if start.number == level), 0))
    return [
        start if start.number < level else start._replace(at=start.at - early, rest=start.rest - early)
        for start in table
    ]


def due(table: list[Start], at: int, may_rise: int, below: int = 0) -> Start:
    """The level of a hand that begins now; none but the first before the sign has stood for its time.

    `below` is a level that was brought forward and whose notice still runs.
    """
    reached = [
        start for start in table
        if start.at <= at and (start.number == 1 or at >= may_rise) and (not below or start.number < below)
    ]  # fmt: skip
    return reached[-1] if reached else table[0]


def resting(table: list[Start], at: int) -> Start | None:
    """The level before which the break is that runs now."""
    return next((start for start in table if start.rest <= at < start.at), None)


# -- at a table ------------------------------------------------------------------------------------------------------


def of(session: Session) -> list[Start]:
    """The timetable of the session: all tables go by the first that began; pauses move it later, never earlier."""
    state = session.state
    began = state.clock_from or state.began_at or session.desk.at
    table = timetable(session.terms.wagers, began + state.moved_ms)
    return sooner(table, state.forward.level, state.forward.at) if state.forward is not None else table


def bring_forward(session: Session, level: int, at: int) -> None:
    """Not by the schedule that was released: three hands' notice, and the sign for its time besides (6.10, T-10)."""
    session.state.forward = Forward(level, at, session.table.state.sign + 1)
    session.note("level_forward", ("4.4(b)",), level=level, at=at)
    session.say("level_forward", f"Level {level} comes earlier: after three hands, and not before its time.", to="all")
    session.table.show_sign()
    look(session)


def hand_played(session: Session) -> None:
    """One hand less of the notice of a level that was brought forward."""
    if session.state.forward is not None:
        session.state.forward.hands = max(0, session.state.forward.hands - 1)


def sign_shows(session: Session, revision: int) -> None:
    """The sign shows a level that was brought forward from now on."""
    forward = session.state.forward
    if forward is not None and revision >= forward.sign_from and not forward.shown_at:
        forward.shown_at = session.desk.at
        look(session)


def _notice_of(session: Session) -> tuple[int, int]:
    """The level whose notice still runs, 0 for none, and when its sign will have stood long enough."""
    forward = session.state.forward
    if forward is None:
        return 0, 0
    stood = forward.shown_at + session.book.sign_minutes * MINUTE if session.table.sign_needed else 0
    waits = forward.hands > 0 or (session.table.sign_needed and not forward.shown_at) or session.desk.at < stood
    return forward.level if waits else 0, stood


def look(session: Session) -> None:
    """Take the level that is due, between hands, and wait for the next."""
    state = session.state
    if not session.terms.wagers.levels or not state.began_at or session.felt.under_way():
        return
    table, at = of(session), session.desk.at
    may_rise = state.shown_at + session.book.sign_minutes * MINUTE if session.table.sign_needed else 0
    below, stood = _notice_of(session)
    start = due(table, at, may_rise, below)
    if start.number != state.level:
        state.level = start.number
        session.felt.take_level(start.blinds.small, start.blinds.big)
        session.note("level", ("4.4(b)",), level=start.number, small=start.blinds.small, big=start.blinds.big)
        session.table.show_sign()
    coming = [one for one in table if one.number > state.level]
    if coming:
        rise = max(may_rise, stood if coming[0].number == below else 0)
        session.desk.timer(TIMER, max(coming[0].at, rise if coming[0].at <= at else 0, at + 1))


def on_break(session: Session) -> Start | None:
    """The break that runs now."""
    if not session.terms.wagers.levels or not session.state.began_at:
        return None
    return resting(of(session), session.desk.at)
