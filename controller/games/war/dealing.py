"""Cards leave the source one by one; each goes where the order says, or is put to people."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import NamedTuple

from controller.games.war import alarms, doubts, order
from controller.games.war.cards import CUT, FOREIGN, RANK, UNKNOWN, burn_value, face_in_words
from controller.games.war.composition import Trouble, factory_run
from controller.games.war.events import CardCame, CardsCameTogether
from controller.games.war.play import War
from controller.games.war.state import (
    AT_WAR,
    BURNS,
    HELD,
    NO_CARDS,
    Drawn,
    Round,
    Slot,
    WarState,
)
from controller.people import Person

REMEMBERED = 16


def came(game: War, event: CardCame, draw: int = 0, seen: list[list[str | int]] | None = None) -> None:
    """A card left the source; `draw` and `seen` are what its reader told besides."""
    if event.face == CUT:
        _cutting_card(game)
        return
    if not _begin(game, event.face):
        game.desk.note("card_not_taken", _source(game), draw=draw, face=event.face)
        return
    card = Drawn(event.face, event.face, draw=draw, seen=seen or [])
    game.state.round.drawn.append(card)
    trouble = _account(game, event.face)
    if event.face == FOREIGN or trouble is not None:
        if event.face == FOREIGN:
            card.place = "void"
            trouble = Trouble("foreign_card", "A card that belongs to none of the decks came.", FOREIGN)
        assert trouble is not None
        doubts.wrong_deck(game, trouble.text, len(game.state.round.drawn) - 1)
        return
    place = game.state.round.places()[-1]
    if event.face_up and not (game.rules.shoe.face_up_counts_as_burn and place in BURNS):
        card.place = "discard"
        clauses = game.rules.remedies["face_up"].clauses
        game.rule("face_up", "discarded", clauses)
        text = f"{face_in_words(event.face)} lay face up: discard it, the next card takes its place."
        game.desk.announce("dealer", "face_up", text, clauses)
        doubts.lay_face_up(game)
    else:
        if place == HELD:
            doubts.surplus_came(game)
        extend_burns(game)
        _ask_at_once(game, card)
    advance(game)


def _ask_at_once(game: War, card: Drawn) -> None:
    """A card that decides wagers and could not be read is put to the dealer while it lies in front of him."""
    if card.face != UNKNOWN:
        return
    index = game.state.round.index_of(card)
    place = game.state.round.places()[index]
    if place.startswith(("box", "dealer")):
        stage = "war" if game.machine.state in AT_WAR else "first"
        doubts.unknown_card(game, place, stage, index, holding=False)


def not_drawn(game: War, index: int, by: Person) -> None:
    """A card told as drawn is still in the source: nothing that came of it stands, and later cards move up."""
    round_ = game.state.round
    place = round_.places()[index]
    card = round_.drawn.pop(index)
    game.ruled("not_drawn", f"card {index + 1} ({card.read})", by, _source(game))
    doubts.unaccount(game, card)
    doubts.moves_up(game, index)
    if place == "shoe-start-up":
        after = 1 + len([earlier for earlier in round_.drawn[:index] if not earlier.place])
        round_.slots[after:] = itertools.dropwhile(lambda slot: slot.place == "shoe-burn", round_.slots[after:])
        extend_burns(game)
    game.withdraw_questions("unknown:", "surplus:")
    for other in round_.drawn:
        _ask_at_once(game, other)
    advance(game)


def together(game: War, event: CardsCameTogether) -> None:
    """Several cards left at once; a known order is simply their order."""
    if event.order_known or game.machine.state in ("burning", "over") or _only_burns(game, len(event.faces)):
        game.desk.note("cards_together", game.rules.remedies["double_unknown"].clauses, faces=list(event.faces))
        for face in event.faces:
            came(game, CardCame(face))
        return
    if not _begin(game, UNKNOWN):
        for face in event.faces:
            game.desk.note("card_not_taken", _source(game), draw=0, face=face)
        return
    first = len(game.state.round.drawn)
    for face in event.faces:
        game.state.round.drawn.append(Drawn(UNKNOWN, face))
        if face in RANK:
            _account(game, face)
        else:
            game.state.shoe.cards.draw_unknown()
    doubts.order_unknown(game, first, event.faces)


def _only_burns(game: War, number: int) -> bool:
    """Whether the next cards all go face down to the burns, where their order decides nothing."""
    at = game.state.round.filled()
    coming = game.state.round.slots[at : at + number]
    return len(coming) == number and all(slot.place in BURNS for slot in coming)


def _account(game: War, face: str) -> Trouble | None:
    """Book the card against the decks, and notice an order that no shuffle gives."""
    state = game.state
    if face == UNKNOWN:
        return state.shoe.cards.draw_unknown()
    if face not in RANK:
        return None
    trouble = state.shoe.cards.draw(face)
    state.shoe.recent = [*state.shoe.recent, face][-REMEMBERED:]
    if factory_run(state.shoe.recent) == game.rules.cards.factory_run:
        doubts.suspicious_sequence(game)
    return trouble


def _begin(game: War, face: str) -> bool:
    """Whether a card may be taken into this phase; the first one closes betting and opens the round."""
    begins = game.machine.may("first_card")
    if begins and game.stopped_by is None and game.table.no_round() is None:
        game.machine.fire("first_card")
    elif begins or game.machine.state in NO_CARDS:
        alarms.OutOfTurn(face=face, phase=game.machine.while_).happened(game)
        return False
    return True


def _source(game: War) -> tuple[str, ...]:
    return game.rules.cites["from_the_source"]


def take_parked(game: War) -> None:
    """Cards parked for this round come first; they count as drawn only now (Star 11.4)."""
    state = game.state
    state.round.drawn += state.shoe.carried
    state.shoe.carried = []


def _nobody_staked(game: War) -> bool:
    """Cards dealt although nobody staked (Melbourne 9.3, Star 11.5)."""
    if any(stake.dealt for stake in game.state.round.stakes):
        return False
    doubts.no_stakes(game)
    return True


def _turned(state: WarState) -> list[tuple[int, Slot, Drawn]]:
    """The cards turned at the start of a shoe, with their slots."""
    starts = [at for at, slot in enumerate(state.round.slots) if slot.place == "shoe-start-up"]
    turn = state.round.turn() if starts else []
    return [(at, state.round.slots[at], turn[at]) for at in starts if at < len(turn)]


def extend_burns(game: War) -> None:
    """A turned card tells how many are burned (Perth 4.6(b))."""
    state = game.state
    for at, slot, card in reversed(_turned(state)):
        after = state.round.slots[at + 1 :]
        burned = bool(after) and after[0].place == "shoe-burn"
        if burned or card.face not in RANK or state.shoe.skip_burn:
            continue
        number = burn_value(card.face)
        state.round.slots[at + 1 :] = [*[Slot("shoe-burn", slot.stage)] * number, *after]
        text = f"{face_in_words(card.face)} is turned: burn {number} cards."
        game.desk.announce("all", "burn", text, game.rules.cites["start_burn"])


class Deal(NamedTuple):
    """A deal that waits for cards: when it has them all, whose faces must be known then, and what has happened."""

    complete: Callable[[Round], bool]
    stage: str
    trigger: str


DEALS = {
    "burning": Deal(lambda round_: round_.stage_full("start"), "", "burned"),
    "dealing": Deal(lambda round_: round_.stage_full("first"), "first", "first_dealt"),
    "war_burning": Deal(Round.war_burned, "", "war_burned"),
    "war_dealing": Deal(lambda round_: round_.stage_full("war"), "war", "war_dealt"),
}


def advance(game: War) -> bool:
    """Go on as far as the cards on the table allow; whether anything came of them, be it a question."""
    deal = DEALS.get(game.machine.state)
    if deal is None:
        return False
    if _turned_unknown(game) or (deal.stage == "first" and _nobody_staked(game)):
        return True
    if not deal.complete(game.state.round):
        return False
    if game.table.state.desk.prompts and game.unanswered is not None:
        return True
    if not _unknown(game, deal.stage):
        game.machine.fire(deal.trigger)
    return True


def deal_on(game: War, *shuffle: object) -> None:
    """The deal waits for cards again."""
    advance(game)


def _turned_unknown(game: War) -> bool:
    """A turned card that could not be read leaves the number of burns open."""
    state = game.state
    for _, slot, card in _turned(state):
        if card.face not in RANK and not state.shoe.skip_burn:
            doubts.unknown_card(game, slot.place, slot.stage, game.state.round.index_of(card))
            return True
    return False


def _unknown(game: War, stage: str) -> bool:
    """A face that decides a wager and that nobody has told yet."""
    for place, card in game.state.round.laid(stage).items():
        if card.face not in RANK and place not in (*BURNS, "shoe-start-up"):
            doubts.unknown_card(game, place, stage, game.state.round.index_of(card))
            return True
    return False


def expected(game: War) -> str:
    """Where the next card goes, in the words of the layout; empty when none is expected."""
    if game.machine.state in DEALS:
        slot = game.state.round.next_slot()
        return slot.place if slot else ""
    if game.machine.state in ("betting", "closed"):
        first = order.first_places(game.rules, game.state.round.stakes, game.config.round_burn)
        return first[0] if any(stake.dealt for stake in game.state.round.stakes) else ""
    return ""


def burns_to_come(game: War) -> int:
    """How many cards are burned before the next one counts, as far as it is known."""
    if game.machine.state not in DEALS:
        return 0
    round_ = game.state.round
    return sum(1 for _ in itertools.takewhile(lambda slot: slot.place in BURNS, round_.slots[round_.filled() :]))


# -- the cutting card ----------------------------------------------------------------------------------------------


def _cutting_card(game: War) -> None:
    """The sign to shuffle: after this round, or at once when it comes before the round's first card."""
    state, rules = game.state, game.rules
    if state.supply.source == "csm":
        game.table.fault(alarms.CuttingCardInside(), rank=game.table.house.power("resume").rank)
        state.round.drawn.append(Drawn(CUT, CUT, "cut"))
        return
    state.round.drawn.append(Drawn(CUT, CUT, "cut"))
    if state.shoe.in_use and state.shoe.cards.drawn * 2 < state.shoe.cards.total:
        alarms.CutEarly().happened(game)
    if game.machine.can("cutting_card_first") and rules.shoe.cutting_card_first == "shuffle_at_once":
        game.machine.fire("cutting_card_first")
        return
    place = _served(game)
    state.shoe.cut_place = place
    state.shoe.shuffle_due = list(rules.cites["shuffle_after_cutting_card"])
    game.rule("cutting_card", f"came at {place}; shuffle after this round", rules.cites["shuffle_after_cutting_card"])


def rule_shuffle_missed(game: War) -> None:
    clauses = game.rules.remedies["shuffle_missed"].clauses
    game.state.shoe.shuffle_due = game.state.shoe.shuffle_due or list(clauses)
    game.rule("shuffle_missed", "complete the round, then shuffle", clauses)


def rule_shuffle_at_once(game: War) -> None:
    game.state.shoe.cut_place = "first"
    game.rule("cutting_card", "shuffle at once", game.rules.cites["shuffle_at_once"])


def say_shuffle_at_once(game: War) -> None:
    text = "The cutting card came first: shuffle now. Stakes stay and may be changed."
    game.desk.announce("all", "shuffle", text, game.rules.cites["shuffle_at_once"])


def _served(game: War) -> str:
    place = expected(game)
    return place if place.startswith("box") else "dealer"
