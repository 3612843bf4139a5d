"""Cards leave the source one by one; each goes where the order says, or is put to people."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from controller.games.war import betting, order, rulings, settling, shoe
from controller.games.war.cards import CUT, FOREIGN, RANK, UNKNOWN, burn_value
from controller.games.war.composition import Trouble, factory_run
from controller.games.war.events import CardCame, CardsCameTogether
from controller.games.war.keys import DRAWING
from controller.games.war.state import (
    NEXT_ROUND,
    Drawn,
    Slot,
    WarState,
    filled,
    held,
    laid,
    next_slot,
    places,
    stage_full,
)
from controller.people import Person

if TYPE_CHECKING:
    from controller.games.war.game import WarGame

REMEMBERED = 16
BURNS = ("war-burn", "round-burn", "shoe-burn")


def came(game: WarGame, event: CardCame, draw: int = 0, seen: list[list[str | int]] | None = None) -> None:
    """A card left the source; `draw` and `seen` are what its reader told besides."""
    if event.face == CUT:
        _cutting_card(game)
        return
    if not _begin(game, event.face):
        return
    card = Drawn(event.face, event.face, draw=draw, seen=seen or [])
    game.state.drawn.append(card)
    trouble = _account(game, event.face)
    if event.face == FOREIGN or trouble is not None:
        if event.face == FOREIGN:
            card.place = "void"
            trouble = Trouble("foreign_card", "A card that belongs to none of the decks came.", FOREIGN)
        assert trouble is not None
        rulings.wrong_deck(game, trouble.text, len(game.state.drawn) - 1)
        return
    if event.face_up and not (game.rules.shoe.face_up_counts_as_burn and places(game.state)[-1] in BURNS):
        card.place = "discard"
        clauses = game.rules.remedies["face_up"].clauses
        game.rule("face_up", "discarded", clauses)
        text = f"{event.face} lay face up: discard it, the next card takes its place."
        game.desk.announce("dealer", "face_up", text, clauses)
    else:
        _follow_up(game)
        _ask_at_once(game, card)
    advance(game)


def _ask_at_once(game: WarGame, card: Drawn) -> None:
    """A card that decides wagers and could not be read is put to the dealer while it lies in front of him."""
    index = rulings.index_of(game, card)
    place = places(game.state)[index]
    if card.face == UNKNOWN and place.startswith(("box", "dealer")):
        stage = "war" if game.machine.state in ("war_burning", "war_dealing") else "first"
        rulings.unknown_card(game, place, stage, index, holding=False)


def not_drawn(game: WarGame, index: int, by: Person) -> None:
    """A card told as drawn is still in the source: nothing that came of it stands, and later cards move up."""
    state = game.state
    place = places(state)[index]
    card = state.drawn.pop(index)
    game.ruled("not_drawn", f"card {index + 1} ({card.read})", by, _source(game))
    rulings.unaccount(game, card)
    rulings.moves_up(game, index)
    if place == "shoe-start-up":
        after = 1 + len([earlier for earlier in state.drawn[:index] if earlier.in_turn])
        state.slots[after:] = itertools.dropwhile(lambda slot: slot.place == "shoe-burn", state.slots[after:])
        extend_burns(game)
    game.withdraw_questions("unknown:", "surplus:")
    for other in state.drawn:
        _ask_at_once(game, other)
    advance(game)


def together(game: WarGame, event: CardsCameTogether) -> None:
    """Several cards left at once; a known order is simply their order."""
    if event.order_known or game.machine.state in ("burning", "over") or _only_burns(game, len(event.faces)):
        game.desk.note("cards_together", game.rules.remedies["double_unknown"].clauses, faces=list(event.faces))
        for face in event.faces:
            came(game, CardCame(face))
        return
    if not _begin(game, UNKNOWN):
        return
    first = len(game.state.drawn)
    for face in event.faces:
        game.state.drawn.append(Drawn(UNKNOWN, face))
        if face in RANK:
            _account(game, face)
        else:
            game.state.cards.draw_unknown()
    rulings.order_unknown(game, first, event.faces)


def _only_burns(game: WarGame, number: int) -> bool:
    """Whether the next cards all go face down to the burns, where their order decides nothing."""
    at = filled(game.state)
    coming = game.state.slots[at : at + number]
    return len(coming) == number and all(slot.place in BURNS for slot in coming)


def _account(game: WarGame, face: str) -> Trouble | None:
    """Book the card against the decks, and notice an order that no shuffle gives."""
    state = game.state
    if face == UNKNOWN:
        return state.cards.draw_unknown()
    if face not in RANK:
        return None
    trouble = state.cards.draw(face)
    state.recent = [*state.recent, face][-REMEMBERED:]
    if factory_run(state.recent) == game.rules.cards.factory_run:
        shoe.suspicious_sequence(game)
    return trouble


def _begin(game: WarGame, face: str) -> bool:
    """Whether a card may be taken into this phase; the first one closes betting and opens the round."""
    phase = game.machine.state
    state = game.state
    if phase in ("betting", "closed"):
        _open_round(game)
        return True
    if phase == "unshuffled" and state.in_use:
        clauses = game.rules.remedies["shuffle_missed"].clauses
        game.rule("shuffle_missed", "complete the round, then shuffle", clauses)
        _open_round(game)
        return True
    if phase in ("unchecked", "unshuffled", "uncut", "blocked", "reshuffling", "recutting"):
        text = f"A card ({face}) came while the cards are {phase}."
        game.desk.alarm("card_out_of_turn", text, "Put it back and finish the step on the screen.", _source(game))
        return False
    return True


def _source(game: WarGame) -> tuple[str, ...]:
    return game.rules.cite("from_the_source")


def _open_round(game: WarGame) -> None:
    """Cards parked for this round come first; they count as drawn only now (Star 11.4)."""
    state = game.state
    if game.machine.state == "betting" and game.rules.wagers.close == "call":
        game.desk.announce("dealer", "no_call", "Dealt without the call.", game.rules.cite("no_more_bets"))
    betting.freeze(game)
    game.machine.fire("first_card")
    state.drawn += state.carried
    state.carried = []


def deal_carried(game: WarGame) -> None:
    """Betting was closed by call and a parked card waits: it is dealt now, no reader will tell it."""
    if game.state.carried:
        _open_round(game)
        _check_stakes(game)
        advance(game)


def _check_stakes(game: WarGame) -> bool:
    """Cards dealt although nobody staked (Melbourne 9.3, Star 11.5)."""
    if any(stake.dealt for stake in game.state.stakes):
        return True
    rulings.no_stakes(game)
    return False


def _follow_up(game: WarGame) -> None:
    """What a card brings with it: burns after a turned card, a question about one too many."""
    state = game.state
    if held(state):
        rulings.surplus_came(game)
    extend_burns(game)


def _turned(state: WarState) -> list[tuple[int, Slot, Drawn]]:
    """The cards turned at the start of a shoe, with their slots."""
    starts = [at for at, slot in enumerate(state.slots) if slot.place == "shoe-start-up"]
    turn = [card for card in state.drawn if card.in_turn]
    return [(at, state.slots[at], turn[at]) for at in starts if at < len(turn)]


def extend_burns(game: WarGame) -> None:
    """A turned card tells how many are burned (Perth 4.6(b))."""
    state = game.state
    for at, slot, card in reversed(_turned(state)):
        after = state.slots[at + 1 :]
        told = bool(after) and after[0].place == "shoe-burn"
        if told or card.face not in RANK or state.skip_burn:
            continue
        number = burn_value(card.face)
        state.slots[at + 1 :] = [*[Slot("shoe-burn", slot.stage)] * number, *after]
        text = f"{card.face} is turned: burn {number} cards."
        game.desk.announce("all", "burn", text, game.rules.cite("start_burn"))


def advance(game: WarGame) -> None:
    """Go on as far as the cards on the table allow."""
    state = game.state
    phase = game.machine.state
    if phase in ("burning", *DRAWING) and _turned_unknown(game):
        return
    if phase == "burning" and stage_full(state, "start"):
        game.machine.fire("burned")
        shoe.bets_open(game)
    elif phase == "dealing" and _check_stakes(game) and stage_full(state, "first"):
        if not _unknown(game, "first"):
            game.machine.fire("first_dealt")
            settling.interim(game)
    elif phase == "war_burning" and _burned(game):
        game.machine.fire("war_burned")
        advance(game)
    elif phase == "war_dealing" and stage_full(state, "war") and not _unknown(game, "war"):
        game.machine.fire("war_dealt")
        settling.final(game)


def _burned(game: WarGame) -> bool:
    return all(slot.place != "war-burn" for slot in game.state.slots[filled(game.state) :])


def _turned_unknown(game: WarGame) -> bool:
    """A turned card that could not be read leaves the number of burns open."""
    state = game.state
    for _, slot, card in _turned(state):
        if card.face not in RANK and not state.skip_burn:
            rulings.unknown_card(game, slot.place, slot.stage, rulings.index_of(game, card))
            return True
    return False


def _unknown(game: WarGame, stage: str) -> bool:
    """A face that decides a wager and that nobody has told yet."""
    burns = ("war-burn", "round-burn", "shoe-burn", "shoe-start-up")
    needed = {place: card for place, card in laid(game.state, stage).items() if place not in burns}
    for place, card in needed.items():
        if card.face not in RANK:
            rulings.unknown_card(game, place, stage, rulings.index_of(game, card))
            return True
    return False


def expected(game: WarGame) -> str:
    """Where the next card goes, in the words of the layout; empty when none is expected."""
    phase = game.machine.state
    if phase in ("burning", *DRAWING):
        slot = next_slot(game.state)
        return slot.place if slot else ""
    if phase in ("betting", "closed"):
        first = order.first_places(game.rules, game.state.stakes, game.config.round_burn)
        return first[0] if any(stake.dealt for stake in game.state.stakes) else ""
    return ""


def may_draw(game: WarGame) -> bool:
    """Whether the dealer may draw now; where betting closes by call, not before the call."""
    phase = game.machine.state
    if game.is_asked("unseen") or (game.state.check_due and phase in ("betting", "closed")):
        return False
    if phase in ("burning", *DRAWING):
        return filled(game.state) < len(game.state.slots)
    if phase == "closed" or (phase == "betting" and game.rules.wagers.close != "call"):
        return any(stake.dealt for stake in game.state.stakes)
    return False


# -- the cutting card ----------------------------------------------------------------------------------------------


def _cutting_card(game: WarGame) -> None:
    """The sign to shuffle: after this round, or at once when it comes before the round's first card."""
    state, rules, phase = game.state, game.rules, game.machine.state
    if state.source == "csm":
        text = "A cutting card came from the shuffler, which is used without one."
        remedy = "Take it out, check that the shuffler holds only the decks in use, then clear this."
        game.table.fault("cutting_card_in_shuffler", text, remedy, game.table.house.power("resume").rank)
        state.drawn.append(Drawn(CUT, CUT, "cut"))
        return
    state.drawn.append(Drawn(CUT, CUT, "cut"))
    if state.in_use and state.cards.drawn * 2 < state.cards.total:
        text = "The cutting card came before half of the cards were drawn."
        game.desk.alarm("cutting_card_early", text, "Check the cut after this round.", rules.cite("cutting_card_early"))
    if phase in ("burning", "betting", "closed") and rules.shoe.cutting_card_first == "shuffle_at_once":
        state.cut_place = "first"
        game.rule("cutting_card", "shuffle at once", rules.cite("shuffle_at_once"))
        game.machine.fire("cutting_card_first")
        text = "The cutting card came first: shuffle now. Stakes stay and may be changed."
        game.desk.announce("all", "shuffle", text, rules.cite("shuffle_at_once"))
        return
    place = _served(game)
    state.cut_place = place
    state.shuffle_due = list(rules.cite("shuffle_after_cutting_card"))
    game.rule("cutting_card", f"came at {place}; shuffle after this round", rules.cite("shuffle_after_cutting_card"))


def _served(game: WarGame) -> str:
    place = expected(game)
    return place if place.startswith("box") else "dealer"


def card_places(game: WarGame) -> list[str]:
    """Where every card of the round ended; one parked for the next round says so."""
    return [NEXT_ROUND if place == "held" else place for place in places(game.state)]
