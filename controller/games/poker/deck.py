"""The deck in the shuffler: read card by card before it is dealt, and ready, defective or still being looked at."""

from __future__ import annotations

import msgspec

from controller.core.desk import Refusal
from controller.core.effects import Ordered
from controller.core.take_back import Beside
from controller.games.poker import alarms
from controller.games.poker.inputs import Shuffled
from controller.games.poker.remedies import deck_is_defective
from controller.games.poker.table import PokerTable
from drivers.events import DeviceEvent
from drivers.shuffler import DeckChecked, ShufflerLoaded, ShufflerPoweredUp, ShufflerState

CHECK = "deck_check"
CHECK_MS = 20_000
"""A check is over within this time, or it was never begun: the shuffler was away, or the controller was."""


def _shuffles_on(game: PokerTable, event: DeviceEvent, moved_on: bool) -> bool:
    return not moved_on


BESIDE: Beside = dict.fromkeys((ShufflerLoaded, ShufflerPoweredUp, ShufflerState, DeckChecked), _shuffles_on)
"""The deck of the next hand is laid in, read and lifted, whatever is keyed of this one."""


def seen(game: PokerTable, event: msgspec.Struct) -> None:
    """The shuffler has told something of the cards inside."""
    state = game.state
    match event:
        case ShufflerLoaded():
            state.deck.status = "loaded"
        case ShufflerState(state="ready"):
            if state.deck.status == "checked":
                state.deck.status = "ready"
                take_if_ready(game)
            elif state.deck.status in ("", "loaded"):
                check(game)
        case ShufflerState(state="shuffling") if state.deck.status in ("ready", "checked", "given"):
            state.deck.status = "loaded"  # its mode was turned, or its door opened: it is read again
        case ShufflerState(state="empty"):
            state.deck.status = ""
            game.desk.timer_off(CHECK)
        case DeckChecked():
            _checked(game, event)
        case ShufflerPoweredUp(kept_memory=kept) if not kept:
            state.deck.status = ""
            game.desk.timer_off(CHECK)


def check(game: PokerTable) -> None:
    """Have every card in the shuffler read by identity (3.1)."""
    if game.setup.shuffler:
        game.state.deck.checks = game.state.deck.checks % 0xFFFF + 1
        game.state.deck.status = "checking"
        game.desk.timer(CHECK, game.desk.at + CHECK_MS)
        game.desk.emit(Ordered(game.setup.shuffler, "StartCheck", {"check": game.state.deck.checks, "decks": 1}))


def check_due(game: PokerTable) -> None:
    """Nothing has come of the check that was ordered: order it again."""
    if game.state.deck.status == "checking":
        check(game)


def take_if_ready(game: PokerTable) -> None:
    """A deck that came checked out of the shuffler needs no other shuffle (5.1)."""
    hand = game.state.hand
    if hand is None or hand.shuffled or game.state.deck.status != "ready":
        return
    if hand.phase in ("posting", "shuffling"):
        game.state.deck.status = "given"
        game.give(Shuffled())


def refused() -> Refusal:
    """Nothing is dealt from a deck that was found defective."""
    text = "The deck is defective; take it out of play, press “Change the deck”, and bring in another."
    return Refusal("deck_defective", text, ("1.1 'Defective deck'", "3.1"))


def ruled_defective(game: PokerTable) -> None:
    """The deck that was dealt is out of play: the other one is dealt if it is ready, else the deck is changed."""
    if game.state.deck.status not in ("ready", "checked"):
        game.state.deck.status, game.state.deck.defective = "bad", True
        alarms.DeckDefective(faults="it was ruled so in the hand").happened(game)


def change(game: PokerTable) -> None:
    """Another deck comes into play, and is shuffled; in the shuffler it is read card by card before (5.1, 5.3.2)."""
    if game.state.hand is not None:
        game.state.hand.shuffled = False
    game.state.deck.status, game.state.deck.defective = "", False
    game.desk.timer_off(CHECK)


def misdealt(game: PokerTable) -> None:
    """What lies in the shuffler is another deck, or the same that nobody has lifted yet: it stays as ready as it is."""
    if game.state.deck.status == "given":
        game.state.deck.status = "ready"


def _checked(game: PokerTable, found: DeckChecked) -> None:
    game.desk.timer_off(CHECK)
    if not found.complete:
        game.state.deck.status = "loaded"
        return
    cards = game.rules.deck.cards
    wrong = found.unread + found.foreign
    distinct = cards - len(found.missing)
    defective = deck_is_defective(
        cards=distinct + len(found.surplus) + wrong, distinct=distinct, jokers=found.jokers,
        boxed=len(found.boxed), expected=cards, boxed_limit=game.rules.deck.boxed_makes_defective,
    )  # fmt: skip
    game.state.deck.defective = defective
    if defective:
        _not_cut_yet(game)
        game.state.deck.status = "bad"
        words = [f"{', '.join(found.missing)} missing"] if found.missing else []
        words += [f"{', '.join(found.surplus)} too many"] if found.surplus else []
        words += [f"{found.jokers} jokers"] if found.jokers else []
        words += [f"{wrong} unreadable or foreign"] if wrong else []
        words += [f"{len(found.boxed)} boxed"] if found.boxed else []
        alarms.DeckDefective(faults="; ".join(words)).happened(game)
    else:
        game.state.deck.status = "checked"


def _not_cut_yet(game: PokerTable) -> None:
    """What is about to be dealt may be the deck that was just found defective: nobody knows which one was laid in."""
    hand = game.state.hand
    if hand is not None and hand.phase in ("posting", "shuffling"):
        hand.cut = False
