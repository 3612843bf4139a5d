"""The session's clock: which level is on, which come next and when, with pauses and breaks counted in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from floor.hall.hall import Hall

MINUTE_MS = 60_000


class Stretch(msgspec.Struct, frozen=True):
    """One level or break from its beginning to its end, by the hall's clock."""

    begins: int
    ends: int
    level: int = 0
    small: int = 0
    big: int = 0

    @property
    def is_break(self) -> bool:
        return not self.level


def schedule(hall: Hall, started: int) -> list[Stretch]:
    """The whole schedule with absolute times; what the clock stood makes all of it later, never earlier (T-10)."""
    wagers = hall.terms.wagers
    at, found = started + hall.state.stood_ms, []
    for number, level in enumerate(wagers.levels, 1):
        ends = at + level.minutes * MINUTE_MS
        found.append(Stretch(at, ends, number, level.small, level.big))
        at = ends
        for rest in (one for one in wagers.breaks if one.after == number):
            found.append(Stretch(at, at + rest.minutes * MINUTE_MS))
            at += rest.minutes * MINUTE_MS
    return found


def now_on(hall: Hall, at: int) -> tuple[Stretch | None, list[Stretch]]:
    """What is on at this moment, and what comes; the last level lasts until the session is over."""
    session = hall.state.session
    if session is None or not session.started_at or not hall.terms.wagers.levels:
        return None, []
    stands = hall.state.paused_at or at
    plan = schedule(hall, session.clock_from or session.started_at)
    passed = [one for one in plan if one.begins <= stands]
    return (passed[-1] if passed else plan[0]), plan[len(passed) :]


def level_now(hall: Hall) -> int:
    """The number of the level that is on, in a break that of the level before it; 0 without levels."""
    session = hall.state.session
    if session is None or not session.started_at:
        return 0
    stands = hall.state.paused_at or hall.at
    return max(
        (one.level for one in schedule(hall, session.clock_from or session.started_at) if one.begins <= stands),
        default=0,
    )
