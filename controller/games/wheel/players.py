"""What stands against a player (9.2): wagers void, exclusion, and winnings held back until an inquiry is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from controller.core.desk import Refusal
from controller.core.effects import Reversed, WagerResult
from controller.games.wheel.settle import voided
from controller.games.wheel.state import BOOKED
from controller.money.amounts import dollars
from controller.people import Person

if TYPE_CHECKING:
    from controller.games.wheel.game import WheelGame

HELD = ("9.2.3",)


def inquired(game: WheelGame) -> frozenset[str]:
    """Whose winnings are not paid now: withheld by decision, or while nobody has decided about a device."""
    asked = (asked.subject.partition(":") for asked in game.desk.state.prompts.values())
    return frozenset(game.state.withheld) | {about for subject, _, about in asked if subject == "device"}


def weigh_anew(game: WheelGame, player: str) -> None:
    """What stands against this player has changed, and with it a result that is not yet paid."""
    if game.machine.state == "result":
        game.show_result()
    elif game.machine.state in BOOKED:
        _amend(game, player)


def _amend(game: WheelGame, player: str) -> None:
    round_ = game.state.round
    before = round_.results
    round_.results = tuple(_now(game, one) if one.player == player else one for one in before)
    void = tuple(now for now, was in zip(round_.results, before, strict=True) if now.result != was.result)
    if void:
        game.desk.emit(Reversed(game.table.state.round, void, void[0].clauses))
    game.after_collecting_or_paying()


def _now(game: WheelGame, was: WagerResult) -> WagerResult:
    """A booked result as it is now; what it asks of its area changes with it."""
    if was.result not in ("win", "lose"):
        return was
    if was.player in game.state.voided:
        now = voided(was)
    elif was.result == "win" and was.withheld != (held := was.player in inquired(game)):
        if held and game.money.unpaid(game.areas[was.bet]) < was.pays:
            return was  # it is in the player's hands already
        kept = tuple(clause for clause in was.clauses if clause not in HELD)
        now = msgspec.structs.replace(was, withheld=held, clauses=(*HELD, *kept) if held else kept)
        what = "winnings_held_back" if held else "winnings_released"
        game.desk.note(what, HELD, player=was.player, bet=was.bet, cents=was.pays)
    else:
        return was
    game.money.amend(game.areas[was.bet], was, now)
    return now


def keep_held(game: WheelGame) -> None:
    """The round is over: winnings that are still held back are owed on."""
    for result in game.state.round.results:
        if result.withheld and result.player in inquired(game):
            game.state.held_back[result.player] = game.state.held_back.get(result.player, 0) + result.pays


def pay_held(game: WheelGame, player: str, by: Person) -> None:
    """Nothing stands against paying this player any more."""
    owed = game.state.held_back.pop(player, 0)
    if owed:
        game.money.book("given_back", owed, by, player=player)
        game.desk.announce("dealer", "pay_held", f"Pay {player} {dollars(owed)}: winnings that were withheld.", HELD)
    weigh_anew(game, player)


def close_inquiry(game: WheelGame, player: str, winnings: str, outcome: str, by: Person) -> None:
    """The inquiry is over, and what was withheld is paid or kept."""
    owed = game.state.held_back.get(player, 0)
    open_ = any(one.withheld and one.player == player for one in game.state.round.results)
    if (owed or open_) and not winnings:
        text = f"{dollars(owed)} of {player} is withheld; say whether it is paid or kept." if owed else (
            f"Winnings of {player} on this spin are withheld; say whether they are paid or kept.")  # fmt: skip
        raise Refusal("say_which", text, HELD)
    if winnings == "keep" and open_:
        text = f"Finish this spin first: what {player} won on it is withheld and joins what is kept."
        raise Refusal("spin_open", text, HELD)
    game.state.withheld.discard(player)
    game.desk.ruled("withhold", f"{player}: {outcome}", by, HELD, winnings)
    if winnings == "keep":
        game.state.held_back.pop(player, None)
        game.desk.note("winnings_kept", HELD, player=player, cents=owed, by=by.id)
    else:
        pay_held(game, player, by)
