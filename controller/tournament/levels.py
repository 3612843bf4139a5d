"""Levels by the clock: when each begins, the breaks between, and which one the next hand is played at (T-10, T-11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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


def due(table: list[Start], at: int, may_rise: int) -> Start:
    """The level of a hand that begins now; none but the first before the sign has stood for its time."""
    reached = [start for start in table if start.at <= at and (start.number == 1 or at >= may_rise)]
    return reached[-1] if reached else table[0]


def resting(table: list[Start], at: int) -> Start | None:
    """The level before which the break is that runs now."""
    return next((start for start in table if start.rest <= at < start.at), None)


# -- at a table ------------------------------------------------------------------------------------------------------


def of(session: Session) -> list[Start]:
    """The timetable of the session: all tables go by the first that began; pauses move it later, never earlier."""
    state = session.state
    began = state.clock_from or state.began_at or session.desk.at
    return timetable(session.terms.wagers, began + state.moved_ms)


def look(session: Session) -> None:
    """Take the level that is due, between hands, and wait for the next."""
    state = session.state
    if not session.terms.wagers.levels or not state.began_at or session.felt.under_way():
        return
    table, at = of(session), session.desk.at
    may_rise = state.shown_at + session.book.sign_minutes * MINUTE if session.table.sign_needed else 0
    start = due(table, at, may_rise)
    if start.number != state.level:
        state.level = start.number
        session.felt.take_level(start.blinds.small, start.blinds.big)
        session.note("level", ("4.4(b)",), level=start.number, small=start.blinds.small, big=start.blinds.big)
        session.table.show_sign()
    coming = [one for one in table if one.number > state.level]
    if coming:
        session.desk.timer(TIMER, max(coming[0].at, may_rise if coming[0].at <= at else 0, at + 1))


def on_break(session: Session) -> Start | None:
    """The break that runs now."""
    if not session.terms.wagers.levels or not session.state.began_at:
        return None
    return resting(of(session), session.desk.at)
