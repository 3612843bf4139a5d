"""What people report of a deal: cards drawn, read or laid wrongly, choices missed, stakes settled otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from controller.core.desk import Ask, Refusal
from controller.core.effects import Asked
from controller.core.keys import CARDS, Keys
from controller.core.questions import Answer
from controller.games.war import booking, dealing, doubts, rulings, settle, settling
from controller.games.war.asking import (
    CARD,
    FACE,
    PLAYER,
    WAGER_PLAYED,
    WAR_BOX,
    WITHDRAW,
    WarQuestion,
    card_told,
)
from controller.games.war.events import CardCame
from controller.games.war.play import War
from controller.games.war.rules import Remedy
from controller.games.war.rulings import ByRemedy
from controller.games.war.state import DRAWING, PLAYING, Booked
from controller.people import Person

KEYS: Keys[War] = Keys(while_suspended=True, about=CARDS)


def _chosen_boxes(game: War) -> Iterator[tuple[str, str]]:
    return ((str(box), f"Box {box}") for box in sorted({choice.box for choice in game.state.round.choices}))


RESULTS = (("win", "Won"), ("lose", "Lost"), ("standoff", "Stand-off"), ("surrender", "Surrendered"))
SIGHT = Ask("sight", "choice", "Its face was", optional=True,
            offered=lambda game: (("seen", "Seen"), ("unseen", "Not seen")))  # fmt: skip
CHOSEN_BOX = Ask("box", "choice", "Box", number=True, offered=_chosen_boxes, suggested=True)
SETTLED_AS = Ask("result", "choice", "Settled as", offered=lambda game: RESULTS)
WHAT = Ask("what", "text", "What is wrong with the cards", optional=True)


# -- cards ---------------------------------------------------------------------------------------------------------


@KEYS.key("surplus", "Card drawn too many", power="report", asks=(SIGHT,), during=(*PLAYING, "over"))
def surplus(game: War, by: Person, *, sight: str = "") -> None:
    asked = game.asked("surplus:")
    if asked is not None and sight in ("seen", "unseen"):
        game.desk.withdraw(asked.subject)
        rulings.sight_told(game, int(asked.evidence["card"]), sight, by)
    else:
        game.ruled("surplus", "the next card in order", by, game.rules.remedies["surplus"].clauses)


@KEYS.key("misread", "Card misread", power="correct_card", asks=(CARD, FACE), during=(*PLAYING, "burning"))
def misread(game: War, by: Person, *, face: str, card: int | None = None) -> None:
    """A card is another one than the reader told; what was paid on it already is a dispute."""
    index, face = game.card_index(card), card_told(face)
    if game.part not in ("burning", "dealing", "interim") and not game.state.round.of_the_war(index):
        raise Refusal(
            "settled", "Chips were moved on this card already; rule the dispute.", game.rules.cites["dispute"]
        )
    clauses = game.rules.cites["face_of_card"]
    booking.unbook(game, lambda booked: not booked.done, clauses)
    rulings.name_card(game, index, face)
    if game.machine.may("misread"):
        game.machine.fire("misread")
    else:
        rulings.go_on(game)


@KEYS.key(
    "not_drawn",
    "Card told but not drawn",
    power="correct_card",
    asks=(CARD,),
    during=("burning", *DRAWING, "ruling"),
)
def not_drawn(game: War, by: Person, *, card: int | None = None) -> None:
    """A card told twice, or half drawn and pushed back, never left; what is asked of later ones is asked anew."""
    index = game.card_index(card)
    if game.part not in dealing.DEALS and not doubts.in_doubt(game, index):
        raise Refusal("settled", "The round went on from this card; rule the dispute.", game.rules.cites["dispute"])
    if game.is_asked("double"):
        text = "Say first in which order the cards came that came together."
        raise Refusal("order_open", text, game.rules.remedies["double_unknown"].clauses)
    dealing.not_drawn(game, index, by)
    rulings.go_on(game)


@KEYS.key(
    "card_dealt",
    "Enter the card that was dealt",
    power="enter_card",
    asks=(FACE,),
    during=("burning", "betting", "closed", *DRAWING),
    when=lambda game: not game.source_place and game.may_draw(),
)
def card_dealt(game: War, by: Person, *, face: str) -> None:
    """Cards come from where no reader is, such as the shoe a round is finished from: somebody says which (12.5.4)."""
    if game.source_place:
        raise Refusal("read_by_device", f"“{game.source_place}” reads the cards.", game.rules.cites["from_the_source"])
    if not game.may_draw():
        raise Refusal("not_now", "No card may be dealt now.", game.rules.cites["from_the_source"])
    game.desk.note("card_entered", game.rules.cites["face_of_card"], face=face, by=by.id)
    dealing.came(game, CardCame(card_told(face)))


@KEYS.key("burn_missed", "Burn forgotten", power="report", during=("burning", "betting", "closed", "dealing"))
def burn_missed(game: War, by: Person) -> None:
    """The first card was not burned: it stays in play (Star 11.10)."""
    clauses = game.rules.remedies["burn_missed"].clauses
    start = [slot for slot in game.state.round.slots if slot.stage == "start"]
    if not start:
        raise Refusal("no_burn", "No burn was due.", clauses)
    game.ruled("burn_missed", "the card stays in play", by, clauses)
    for slot in start:
        game.state.round.drop_slot(slot.place, "start")
    dealing.advance(game)


@KEYS.key("skip_burn", "Go on without the burn", power="skip_burn", during=("burning", *DRAWING))
def skip_burn(game: War, by: Person) -> None:
    """A supervisor lets play go on without further burns (X8)."""
    state = game.state
    state.shoe.skip_burn = True
    done = state.round.filled()
    state.round.slots[done:] = [
        slot for slot in state.round.slots[done:] if slot.place not in ("shoe-burn", "shoe-start-up")
    ]
    game.ruled("skip_burn", "no further burn", by, (game.table.house.power("skip_burn").clause,))
    dealing.advance(game)


@KEYS.key("wrong_deck", "Missing or foreign card", power="report", asks=(WHAT,))
def wrong_deck(game: War, by: Person, *, what: str = "A card is missing or foreign.") -> None:
    doubts.wrong_deck(game, what, by=by)
    asked = game.asked("wrong_deck")
    assert asked is not None  # by the line before
    if game.may(by, game.rules.remedies["wrong_deck"]):
        game.desk.withdraw("wrong_deck")
        rulings.void_wrong_deck(game, str(asked.evidence["finding"]), by)


# -- deals ---------------------------------------------------------------------------------------------------------


@KEYS.key("misplaced", "Cards laid wrongly", power="report", asks=(WITHDRAW,), fires="rebuilt")
def misplaced(game: War, by: Person, *, withdraw: tuple[str, ...] = ()) -> None:
    """First cards lie at wrong places; the order drawn is known, so the hand can be rebuilt."""
    remedy = game.rules.remedies["misplaced"]
    in_time = not remedy.withdraw_first or _in_window(game)
    all_asked = bool(withdraw) or not remedy.withdraw_first  # else each may take the stakes back before (9.4)
    if in_time and all_asked and game.may(by, remedy):
        rulings.rebuild(game, withdraw, by)
    else:
        game.hold("misplaced", in_time)


class Misplaced(ByRemedy):
    """Are cards that were laid wrongly rebuilt? Where it is too late for that, is the round void?"""

    subject, label = "misplaced", "Rebuild"
    answers = (Answer("rule", "", "", (WITHDRAW,)), Answer("stand", "Play on", "dispute"))

    def remedy(self, game: War, about: bool) -> Remedy:
        return game.rules.remedies["misplaced" if about else "rebuild_failed"]

    def text(self, game: War, about: bool) -> str:
        if about and game.rules.remedies["misplaced"].withdraw_first:
            return "Cards were laid wrongly. Ask each player whether to take the stakes back, then rebuild?"
        if about:
            return "Cards were laid wrongly. Rebuild them in the order drawn?"
        return "Cards were laid wrongly and winners are paid already."

    def evidence(self, game: War, about: bool) -> dict[str, Any]:
        if about:
            first = game.rules.remedies["misplaced"].withdraw_first
            return {"to": game.state.round.places(), "withdraw_first": first}
        return {"withdraw": []}

    def offered(self, game: War, about: bool) -> tuple[Answer, ...]:
        rule, stand = super().offered(game, about)
        return (rule if about else rule._replace(label="Void the round, money back")), stand

    def asks_now(self, game: War, asked: Asked, answer: Answer) -> tuple[Ask, ...]:
        """Who takes the stakes back, where players may before the cards are rebuilt."""
        return answer.asks if asked.evidence.get("withdraw_first") else ()

    def rule(self, game: War, asked: Asked, by: Person, *, withdraw: tuple[str, ...] = ()) -> None:
        if "to" in asked.evidence:
            rulings.rebuild(game, withdraw, by)
        else:
            rulings.lost(game, game.rules.remedies["rebuild_failed"], [], by)


def _in_window(game: War) -> bool:
    """Before a winner is paid at interim, or before the first war card where nobody was to be paid (9.4.1, 9.4.2)."""
    war_drawn = any(slot.stage == "war" for slot in game.state.round.slots[: game.state.round.filled()])
    return not game.state.round.interim_paid and not war_drawn


@KEYS.key("dealer_card_missing", "Dealer has no card", power="report", during=("dealing",))
def dealer_card_missing(game: War, by: Person) -> None:
    """The very next card is the dealer's; nothing is settled before it."""
    remedy = game.rules.remedies["dealer_card_missing"]
    game.ruled("dealer_card_missing", "the next card is the dealer's", by, remedy.clauses)
    game.desk.announce("dealer", "next_card", "The next card is the dealer's.", remedy.clauses)


@KEYS.key("passed_over", "War area passed over", power="report", asks=(WAR_BOX,), fires="second_deal_mended")
def passed_over(game: War, by: Person, *, box: int) -> None:
    """An area with a war stake got no card."""
    remedy = game.rules.remedies["war_area_passed_over"]
    if not any(stake.box == box for stake in game.state.round.war_stakes()):
        raise Refusal("no_war_there", f"Box {box} has no war stake in the second deal.", remedy.clauses)
    game.ruled("war_area_passed_over", f"box {box}", by, remedy.clauses)
    if remedy.returns == "box":  # elsewhere the order drawn already gives the area its card
        game.state.round.drop_slot(f"box{box}", "war")
        booking.unbook(game, lambda booked: booked.stage == "final", remedy.clauses)
        booking.void_stakes(game, lambda stake: stake.box == box and booking.is_open(game, stake), remedy.clauses)
        rulings.again(game)


@KEYS.key("astray", "War card without war stake", power="report", asks=(CARD,), fires="second_deal_mended")
def astray(game: War, by: Person, *, card: int | None = None) -> None:
    """A war card lay on an area without war stake."""
    remedy = game.rules.remedies["war_card_without_stake"]
    index = game.card_index(card)
    if not game.state.round.of_the_war(index):
        raise Refusal("no_war_card", "That is no card of the second deal.", remedy.clauses)
    game.ruled("war_card_without_stake", f"card {index + 1}: {remedy.card}", by, remedy.clauses)
    if remedy.card == "discard":  # elsewhere it is the next card of the order drawn
        game.state.round.drawn[index].place = "discard"
        booking.unbook(game, lambda booked: booked.stage == "final", remedy.clauses)
        rulings.again(game)


# -- choices and results -------------------------------------------------------------------------------------------


@KEYS.key(
    "choice_missed",
    "Choice not offered or not followed",
    power="report",
    asks=(CHOSEN_BOX, PLAYER),
    fires="choice_missed",
    during=("over",),
)
def choice_missed(game: War, by: Person, *, box: int, player: str) -> None:
    """A choice was not offered, or not followed: the later cards are dealt again after it (9.8)."""
    if game.machine.state == "over":
        clauses = game.rules.remedies["decision_missed_settled"].clauses
        game.ruled("decision_missed", "all settled, nothing changes", by, clauses)
        return
    remedy = game.rules.remedies["decision_missed"]
    main = game.state.round.tied_main(box, player, settled_too=True)
    if main is None:
        raise Refusal("no_choice", f"{player} has no tied stake on box {box}.", remedy.clauses)
    game.ruled("decision_missed", f"box {box}, {player}: choice taken again", by, remedy.clauses)
    if not game.state.round.choice_of(main):
        return  # it is open still
    settling.drop_war(game)
    settling.undo_choices(game, lambda stake: (stake.box, stake.player) == (box, player), remedy.clauses)
    game.machine.fire("choice_missed")


@KEYS.key("absent", "Player is away", power="report", asks=(PLAYER,))
def absent(game: War, by: Person, *, player: str) -> None:
    if player not in game.state.round.absent:
        game.state.round.absent.append(player)
    game.ruled("absent", player, by, game.rules.remedies["absent"].clauses)
    for main in game.state.round.tied_mains():
        taken = game.state.round.choice(main.box, main.player)
        if main.player == player and taken is not None and not taken.choice:
            game.desk.withdraw(f"choice:{main.box}:{player}")
            settling.silent(game, main, "absent")
    settling.after_choice(game)


@KEYS.key(
    "settled_as",
    "Already settled otherwise",
    power="dispute",
    asks=(WAGER_PLAYED, SETTLED_AS),
    fires="settled_otherwise",
    undo="never",
)
def settled_as(game: War, by: Person, *, wager: str, result: str) -> None:
    """Everything was settled, one stake wrongly: the error came to light too late to change it (9.8.1)."""
    stake = game.state.round.stake(wager)
    clauses = game.rules.remedies["decision_missed_settled"].clauses
    paid = game.rules.odds
    odds = {"main": paid.main, "tie": paid.tie, "a_bomb": paid.a_bomb}.get(stake.zone, 1)
    pays = settle.payable(game.rules, stake.counted * odds, game.chip) if result == "win" else 0
    settled = settle.result(stake, result, pays, stake.counted if result == "lose" else 0, clauses)
    if result == "surrender":
        settled = settle.surrender(game.rules, stake, game.chip, clauses)
    if stake.id in game.state.round.booked:
        booking.take_back(game, (game.state.round.booked[stake.id].result,))
    booking.owe(game, (settled,))
    game.state.round.booked[stake.id] = Booked(settled, "as_settled")
    booking.settled(game, "as_settled", (settled,))
    game.ruled("settled_as", f"{stake.id}: {result}", by, clauses)
    for booked in game.state.round.booked.values():
        booked.done = True
    if stake.zone == "main":
        settling.withdraw_question(game, stake)
    if any(booking.is_open(game, other) for other in game.state.round.stakes):
        settling.after_choice(game)
    else:
        game.machine.fire("settled_otherwise")


QUESTIONS: tuple[type[WarQuestion], ...] = (Misplaced,)
