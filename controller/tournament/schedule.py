"""What must be staked now and what comes: a rise holds from its round on, and not before its sign has stood (T-10)."""

from __future__ import annotations

from collections.abc import Sequence

from controller.tournament.moments import moment
from controller.tournament.terms import Step


def in_force(steps: Sequence[Step], scored: int, at: int, shown: int, minutes: int, day: str = "") -> int:
    """The compulsory wager of the round that begins now; `scored` is its number, `shown` since when the sign says so.

    `shown` 0 is a sign that says nothing of it yet: then only what every round began with holds.
    """
    found = 0
    for number, step in enumerate(sorted(steps, key=lambda step: step.from_)):
        if step.from_ <= scored and (number == 0 or _may_come(step, at, shown, minutes, day)):
            found = max(found, step.units)
    return found


def _may_come(step: Step, at: int, shown: int, minutes: int, day: str) -> bool:
    return bool(shown) and at >= not_before(step, shown, minutes, day)


def not_before(step: Step, shown: int, minutes: int, day: str = "") -> int:
    """The moment before which a rise does not come: its own, and the time its sign must have stood.

    Its own may be a time of the `day` that the event starts on.
    """
    own = step.not_before
    if own and "T" not in own:
        own = f"{day[:11]}{own}{day[16:]}"
    return max(moment(own) if own else 0, shown + 60_000 * minutes)
