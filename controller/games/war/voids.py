"""Without result: stakes and players against the rules, hands and rounds past rebuilding, a cancelled outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from controller.core.desk import Ask, Refusal
from controller.core.effects import Asked
from controller.core.keys import Keys
from controller.games.war import booking, giving_back, rulings
from controller.games.war.asking import PLAYER, STAKED_BOX, WAGER, WarQuestion, known_players
from controller.games.war.play import War
from controller.games.war.rules import Remedy
from controller.games.war.rulings import ByRemedy
from controller.games.war.state import PLAYING, Stake
from controller.people import Person

KEYS: Keys[War] = Keys(while_suspended=True)
CAUSE = Ask("reason", "choice", "Why",
            offered=lambda game: (("disruption", "Disruption"), ("fraud", "Fraud")))  # fmt: skip
FORFEIT = Ask("forfeit", "names", "Whose stakes are forfeited (names, with commas)", optional=True,
              offered=known_players, known=lambda house: "forfeit" in house.rulebook.powers)  # fmt: skip


# -- stakes and players against the rules --------------------------------------------------------------------------


@KEYS.key(
    "invalid_card",
    "Not the player's own card",
    power="report",
    asks=(PLAYER,),
    when=lambda game: game.rules.wagers.player_card,
)
def invalid_card(game: War, by: Person, *, player: str) -> None:
    """A stake laid without the player's own valid card (Star 11.22)."""
    remedy = game.rules.remedies["invalid_card"]
    if not game.rules.wagers.player_card:
        raise Refusal("no_card_rule", "This rulebook asks for no player card.", remedy.clauses)
    if player in game.state.players.carded:
        game.state.players.carded.remove(player)
    if game.machine.state == "over":
        game.ruled("invalid_card", f"{player}: settled, results stand", by, ("11.22.3",))
    elif not game.state.round.started:
        game.ruled("invalid_card", f"{player}: stakes returned", by, ("11.22.1", "13.1"))
        giving_back.hand_back_all(game, player, ("11.22.1", "13.1"))
    elif game.may(by, remedy):
        _void_invalid(game, player, by)
    else:
        game.hold("invalid", player)


class InvalidCard(ByRemedy):
    """Somebody played on a card that is not their own: are the stakes void?"""

    subject, label = "invalid", "Void, stake back, no winnings"

    def named(self, about: str) -> str:
        return about

    def remedy(self, game: War, about: str) -> Remedy:
        return game.rules.remedies["invalid_card"]

    def text(self, game: War, about: str) -> str:
        return f"{about} played on a card that is not their own. Void the stakes, money back?"

    def evidence(self, game: War, about: str) -> dict[str, Any]:
        return {"player": about}

    def rule(self, game: War, asked: Asked, by: Person) -> None:
        _void_invalid(game, str(asked.evidence["player"]), by)


@KEYS.key("invalid_stake", "Stake against the rules", power="report", asks=(WAGER,))
def invalid_stake(game: War, by: Person, *, wager: str) -> None:
    """A stake against the rules goes back, and with a main stake what needs it to lie there."""
    stake = game.state.round.stake(wager)
    clauses = game.rules.cites["tie_alone"]
    game.ruled("invalid_stake", f"{stake.id}: void, goes back", by, clauses)
    needing = ("war",) if game.rules.wagers.tie_alone else ("war", "tie")

    def concerned(other: Stake) -> bool:
        same = (other.box, other.player) == (stake.box, stake.player)
        needs_it = stake.zone == "main" and same and other.zone in needing
        return booking.is_open(game, other) and (other.id == stake.id or needs_it)

    if booking.is_open(game, stake):
        booking.void_stakes(game, concerned, clauses)
        rulings.after_void_boxes(game, clauses)


@KEYS.key("void_player", "Void a player's wagers", power="report", asks=(PLAYER,), during=PLAYING)
def void_player(game: War, by: Person, *, player: str) -> None:
    if game.may(by, game.rules.remedies["sanction"]):
        _void_player(game, player, by)
    else:
        game.hold("void_player", player)


class VoidPlayer(ByRemedy):
    """Are this player's wagers void?"""

    subject, label = "void_player", "Void"

    def named(self, about: str) -> str:
        return about

    def remedy(self, game: War, about: str) -> Remedy:
        return game.rules.remedies["sanction"]

    def text(self, game: War, about: str) -> str:
        return f"Void the wagers of {about}?"

    def evidence(self, game: War, about: str) -> dict[str, Any]:
        return {"player": about}

    def rule(self, game: War, asked: Asked, by: Person) -> None:
        _void_player(game, str(asked.evidence["player"]), by)


# -- rounds that cannot stand --------------------------------------------------------------------------------------


@KEYS.key("void_hand", "Void a hand", power="report", asks=(STAKED_BOX,), during=PLAYING)
def void_hand(game: War, by: Person, *, box: int) -> None:
    if game.may(by, game.rules.remedies["rebuild_failed"]):
        _void_hands(game, [box], by)
    else:
        game.hold("void_hand", box)


class VoidHand(ByRemedy):
    """Is a hand void that cannot be rebuilt?"""

    subject, label = "void_hand", "Void the hand"

    def named(self, about: int) -> str:
        return str(about)

    def remedy(self, game: War, about: int) -> Remedy:
        return game.rules.remedies["rebuild_failed"]

    def text(self, game: War, about: int) -> str:
        return f"The hand on box {about} cannot be rebuilt. Void it?"

    def evidence(self, game: War, about: int) -> dict[str, Any]:
        return {"boxes": [about]}

    def rule(self, game: War, asked: Asked, by: Person) -> None:
        _void_hands(game, [int(box) for box in asked.evidence["boxes"]], by)


@KEYS.key("void_round", "Round cannot be rebuilt", power="report", fires="voided")
def void_round(game: War, by: Person) -> None:
    remedy = game.rules.remedies["rebuild_failed"]
    if game.may(by, remedy):
        rulings.lost(game, remedy, [], by)
    else:
        game.hold("void_round")


@KEYS.key("misdeal", "Misdeal", power="report", fires="voided")
def misdeal(game: War, by: Person) -> None:
    remedy = game.rules.remedies["misdeal"]
    if game.may(by, remedy):
        rulings.lost(game, remedy, [], by)
    else:
        game.hold("misdeal")


class VoidRound(ByRemedy):
    """Is a round void that cannot be rebuilt?"""

    subject, label = "void_round", "Void"
    name, words = "rebuild_failed", "The round cannot be rebuilt. Void it?"

    def remedy(self, game: War, about: Any) -> Remedy:
        return game.rules.remedies[self.name]

    def text(self, game: War, about: Any) -> str:
        return self.words

    def evidence(self, game: War, about: Any) -> dict[str, Any]:
        return {"remedy": self.name}

    def rule(self, game: War, asked: Asked, by: Person) -> None:
        rulings.lost(game, game.rules.remedies[self.name], [], by)


class Misdeal(VoidRound):
    """Is the round a misdeal?"""

    subject = "misdeal"
    name, words = "misdeal", "A misdeal: void the open stakes and deal anew?"


@KEYS.key("cancel", "Cancel the outcome", power="report", asks=(CAUSE, FORFEIT), fires="voided", during=("over",))
def cancel(game: War, by: Person, *, reason: str, forfeit: tuple[str, ...] = ()) -> None:
    """The outcome is cancelled: disruption or fraud; a device user's stake may be forfeited (Star 13.6)."""
    cancelling = Cancelling(reason, forfeit)
    if game.may(by, game.rules.remedies[cancelling.remedy]):
        _cancel(game, cancelling.remedy, forfeit, by)
    else:
        game.hold("cancel", cancelling)


class Cancelling(NamedTuple):
    """Why the outcome is cancelled, and whose stakes are forfeited."""

    reason: str
    forfeit: tuple[str, ...]

    @property
    def remedy(self) -> str:
        """What is no fraud is a disruption."""
        return "cancel_fraud" if self.reason == "fraud" else "cancel_disruption"


class Cancel(ByRemedy):
    """Is the outcome cancelled?"""

    subject, label, stops_play = "cancel", "Cancel and refund", True

    def remedy(self, game: War, about: Cancelling) -> Remedy:
        return game.rules.remedies[about.remedy]

    def text(self, game: War, about: Cancelling) -> str:
        return f"Cancel the outcome ({about.reason}) and refund the stakes?"

    def evidence(self, game: War, about: Cancelling) -> dict[str, Any]:
        return {"remedy": about.remedy, "forfeit": list(about.forfeit)}

    def rule(self, game: War, asked: Asked, by: Person) -> None:
        _cancel(game, str(asked.evidence["remedy"]), [str(player) for player in asked.evidence["forfeit"]], by)


# -- what a ruling does -------------------------------------------------------------------------------------------


def _void_hands(game: War, boxes: Sequence[int], by: Person) -> None:
    """Hands that cannot be rebuilt."""
    game.withdraw_questions("unknown:")
    for box in boxes:
        game.desk.withdraw(f"void_hand:{box}")
    rulings.lost(game, game.rules.remedies["rebuild_failed"], boxes, by)


def _cancel(game: War, name: str, forfeit: Sequence[str], by: Person) -> None:
    """The outcome does not stand, under the remedy of this name."""
    remedy = game.rules.remedies[name]
    game.desk.withdraw("cancel")
    game.ruled("cancel", name, by, remedy.clauses)
    if game.machine.can("voided"):
        booking.void_round(game, remedy.returns, remedy.clauses, forfeit)
    else:
        booking.void_scope(game, "all", remedy.clauses, forfeit)


def _void_invalid(game: War, player: str, by: Person) -> None:
    """Stakes of somebody who played on another person's card."""
    remedy = game.rules.remedies["invalid_card"]
    game.desk.withdraw(f"invalid:{player}")
    game.ruled("invalid_card", f"{player}: void", by, remedy.clauses)
    keep_losing = game.rules.wagers.losing_invalid_stake == "collect"
    _void_of_player(game, player, remedy, keep_losing, whole_hand=True)


def _void_player(game: War, player: str, by: Person) -> None:
    """Stakes of somebody who is sanctioned."""
    remedy = game.rules.remedies["sanction"]
    game.desk.withdraw(f"void_player:{player}")
    game.ruled("void_player", player, by, remedy.clauses)
    _void_of_player(game, player, remedy)


def _void_of_player(
    game: War, player: str, remedy: Remedy, keep_losing: bool = False, whole_hand: bool = False
) -> None:
    """One player's open stakes, or all of the hand, have no result; boxes nobody else holds get no further card."""
    round_ = game.state.round
    forfeit = [player] if game.rules.wagers.voided_stake == "forfeited" else []

    def concerned(stake: Stake) -> bool:
        if stake.player != player or not (stake.live if whole_hand else booking.is_open(game, stake)):
            return False
        booked = round_.booked.get(stake.id)
        return not (keep_losing and booked is not None and booked.result.result in ("lose", "surrender"))

    booking.void_stakes(game, concerned, remedy.clauses, forfeit)
    done = round_.filled()
    playing = {f"box{s.box}" for s in round_.stakes if booking.is_open(game, s)}
    keep = [slot for slot in round_.slots[done:] if not slot.place.startswith("box") or slot.place in playing]
    round_.slots[done:] = keep
    rulings.after_void_boxes(game, remedy.clauses)


QUESTIONS: tuple[type[WarQuestion], ...] = (InvalidCard, VoidPlayer, VoidHand, VoidRound, Misdeal, Cancel)
