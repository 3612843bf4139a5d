"""The alarms of Big Wheel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.core.alarms import Alarm, Alarms
from controller.games.wheel.settle import Wager
from controller.games.wheel.state import FROZEN

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame


class WheelTurns(Alarm["WheelGame"]):
    """A wheel that turns is not opened."""

    code = "wheel_turns"
    text = "The wheel turns."
    remedy = "Wait until it rests."
    held = True


class NoMoreBetsMissing(Alarm["WheelGame"]):
    """The call is due before the wheel has turned this often."""

    code = "no_more_bets_missing"
    text = "The wheel turns and betting is still open."
    remedy = "Press “No more bets” now."
    clauses = ("5.1.2",)

    @staticmethod
    def while_(game: WheelGame, _: str) -> bool:
        """While the wheel turns with betting open."""
        return game.machine.state == "spin_open"


class LateChanges(Alarm["WheelGame"]):
    """Nobody may touch a wager after the call."""

    code = "late_change"
    text = "After “no more bets”: {changes}."
    remedy = "Put the layout back as it was; otherwise the picture at the close is settled."
    clauses = ("3.2",)
    changes: str

    @staticmethod
    def while_(game: WheelGame, _: str) -> bool:
        """Until the layout is as it was at the close, or the result is shown; changes after that, until it is paid."""
        round_ = game.state.round
        return game.machine.state in FROZEN and any(change not in round_.late_settled for change in round_.late)


DECIDED = ("idle", "no_spin", "result", "collect", "pay", "cancelled")
"""States in which a wager's size no longer matters, or does not matter yet."""


def outside(game: WheelGame, wager: str) -> str:
    """Whether this wager is over or under the limits, as long as its result is not shown."""
    if game.machine.state in DECIDED:
        return ""
    return next((outside_limits(game, one) for one in game.wagers() if one.id == wager), "")


def outside_limits(game: WheelGame, wager: Wager) -> str:
    """Whether a wager is over or under what its owner may stake there."""
    limits = game.limits_of(wager.owner, wager.symbol)
    return "over" if wager.cents > limits.most else "under" if wager.cents < limits.least else ""


class OverMaximum(Alarm["WheelGame"]):
    """What is staked beyond the maximum is neither won nor lost."""

    code = "over_maximum"
    text = "{stake}, {beyond}."
    remedy = "Have the player take the surplus back, or say whose chips they are; it is not settled and goes back."
    clauses = ("4.2.2",)
    stake: str
    beyond: str

    @staticmethod
    def while_(game: WheelGame, wager: str) -> bool:
        """Until the result is shown, as long as that much lies there."""
        return outside(game, wager) == "over"


class UnderMinimum(Alarm["WheelGame"]):
    """A first wager under the minimum stands; further ones go back."""

    code = "under_minimum"
    text = "{stake}, which is under the minimum of {least}."
    remedy = "Tell the player while bets may be placed. {follows}"
    clauses = ("4.2.1",)
    stake: str
    least: str
    follows: str

    @staticmethod
    def while_(game: WheelGame, wager: str) -> bool:
        """Until the result is shown, as long as that little lies there."""
        return outside(game, wager) == "under"


class PastPosts(Alarm["WheelGame"]):
    """Until the settlement is made no wager may be placed."""

    code = "past_post"
    text = "Laid after the result: {chips}."
    remedy = "Hand it back; it is no wager and nothing is paid on it."
    clauses = ("3.2",)
    chips: str

    @staticmethod
    def while_(game: WheelGame, _: str) -> bool:
        """Until it is taken up, or the round is over."""
        return game.machine.state in ("collect", "pay") and bool(game.state.round.posted)


class NotIssued(Alarm["WheelGame"]):
    """A colour that nobody holds, or a chip that was not issued, is nobody's wager."""

    code, about = "not_issued", int
    text = "A {colour} chip lies on {where} and {cause}."
    remedy = "Find out whose it is and enter its issue, or take it off; until then it counts for nothing."
    clauses = ("3.1.2",)
    colour: str
    where: str
    cause: str

    @staticmethod
    def while_(game: WheelGame, tag: int) -> bool:
        """While it lies on the layout without a value."""
        laid = game.state.picture.get(tag)
        return laid is not None and not laid.chip.cents


ALARMS: Alarms[WheelGame] = Alarms(
    WheelTurns, NoMoreBetsMissing, LateChanges, PastPosts, OverMaximum, UnderMinimum, NotIssued
)
