"""The layout after “no more bets”: chips that were still arriving, hands that are too late, and the dealer's own (3.2).

What counts is when chips came to lie or were lifted, by the mat's own clock, not when it was told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from controller.core.events import ChipsMoved
from controller.games.wheel import alarms
from controller.games.wheel.layout import COUNTS, LateChange, late_changes, with_added, without
from controller.games.wheel.state import FROZEN
from controller.money.amounts import dollars
from controller.money.float import FLOAT

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame

NAMED = 4
"""Late changes that an alarm names one by one."""
ARRIVING_MS = 600
"""A stack that a hand was laying down at the call lies there after this long."""
FINGER_MS = 300
"""Chips of one movement follow each other within this time."""
HAND_MS = 5_000
"""Losing chips may be in the dealer's hand for so long on their way to the float."""
TIMER = "wheel:hand"
BEFORE_RESULT = FROZEN - {"result"}
SETTLING = frozenset({"collect", "pay"})


def moved(game: WheelGame, event: ChipsMoved) -> None:
    """Chips came or went: what was so at the close belongs to the picture of the close."""
    round_, since = game.state.round, game.desk.at - event.ago
    if round_.frozen is None:
        if event.added:
            round_.came[event.area] = since
    elif game.machine.state in BEFORE_RESULT and (since <= round_.closed_at or _arriving(game, event, since)):
        frozen = without(with_added(round_.frozen, event.area, event.added), event.area, event.removed)
        lying = {chip.tag: game.state.picture[chip.tag] for chip in event.added if chip.tag in game.state.picture}
        round_.frozen = frozen | lying
        if event.added:
            round_.came[event.area] = since


def _arriving(game: WheelGame, event: ChipsMoved, since: int) -> bool:
    """Whether a hand that was laying a stack down at the call is still at it."""
    round_ = game.state.round
    last = round_.came.get(event.area)
    if last is None or not event.added or any(chip.tag in (round_.frozen or {}) for chip in event.added):
        return False
    return since - last <= FINGER_MS and since <= round_.closed_at + ARRIVING_MS


def watch(game: WheelGame, since: int) -> None:
    """Hold the layout against the picture at the close, and say what differs and should not."""
    round_ = game.state.round
    assert round_.frozen is not None
    known = {_key(change): change for change in round_.late}
    found = late_changes(round_.frozen, game.state.picture, max(0, since - round_.closed_at))
    now = [change for change in found if _key(change) in known or not _may_be(game, change)]
    fresh = [change for change in now if _key(change) not in known]
    for change in fresh:
        game.desk.note("late_change", ("3.2", "3.3"), **msgspec.to_builtins(change))
    if round_.late and not now:
        game.desk.note("late_change_restored", ("3.2",), after_ms=game.desk.at - round_.closed_at)
    round_.late = tuple(known.get(_key(change), change) for change in now)
    if now:
        round_.disturbed = True
        alarm = alarms.LateChanges(changes=_listed([_words(game, change) for change in round_.late]))
        (alarm.happened if fresh else alarm.holds)(game)


def _key(change: LateChange) -> tuple[str, int, int]:
    return change.kind, change.tag, change.now


def _listed(words: list[str]) -> str:
    more = [f"and {len(words) - NAMED} more"] if len(words) > NAMED else []
    return "; ".join(words[:NAMED] + more)


def _words(game: WheelGame, change: LateChange) -> str:
    place = {
        "added": f"added on {game.symbol(change.now)}",
        "removed": f"taken off {game.symbol(change.was)}",
        "moved": f"moved from {game.symbol(change.was)} to {game.symbol(change.now)}",
        "swapped": f"swapped for another chip on {game.symbol(change.now)}",
    }[change.kind]
    return f"{dollars(change.cents)} {place}, {change.after_ms / 1000:.3f} s after the close"


# -- what may be ---------------------------------------------------------------------------------------------------


def _may_be(game: WheelGame, change: LateChange) -> bool:
    """Whether a change is nobody's late hand: a chip that goes back anyway, or the dealer a little ahead of the key."""
    round_ = game.state.round
    if change.kind == "added" and change.tag in round_.outside_tags:
        return True
    if game.machine.state != "result":
        return False
    match change.kind:
        case "added" | "moved":
            return game.money.handed_out(change.tag)
        case "removed":
            # A winning wager may be withdrawn before the next spin.
            return game.symbol(change.was) == round_.winner or _collected(game, change.tag)
    return game.money.handed_out(change.tag) and _collected(game, change.instead)


def _collected(game: WheelGame, tag: int) -> bool:
    """Whether a losing chip lies in the float, or can still be in the dealer's hand on its way there."""
    if not game.money.state.watched or game.money.place_of(tag) == FLOAT:
        return True
    since = game.state.round.in_hand.setdefault(tag, game.desk.at)
    if game.desk.at - since >= HAND_MS:
        return False
    game.desk.timer(TIMER, since + HAND_MS)
    return True


# -- after the result ----------------------------------------------------------------------------------------------


def past_posts(game: WheelGame) -> None:
    """While losers are taken and winners paid nobody but the dealer lays chips: what a player lays now is no wager."""
    round_, watched = game.state.round, game.money.state.watch
    if watched is None or not game.money.state.watched:
        return
    known = {*(round_.frozen or {}), *watched.house, *round_.outside_tags, *(change.tag for change in round_.late)}
    posted = {tag: laid for tag, laid in game.state.picture.items() if tag not in known and laid.chip.kind in COUNTS}
    fresh = posted.keys() - round_.posted
    for tag in sorted(fresh):
        laid = posted[tag]
        after = game.desk.at - round_.closed_at
        change = LateChange("added", tag, laid.chip.cents, laid.owner, -1, laid.area, after)
        game.desk.note("late_change", ("3.2", "3.3"), **msgspec.to_builtins(change))
    round_.posted = set(posted)
    if posted:
        lying = [f"{dollars(laid.chip.cents)} on {game.symbol(laid.area)}" for laid in posted.values()]
        alarm = alarms.PastPosts(chips=_listed(lying))
        (alarm.happened if fresh else alarm.holds)(game)
