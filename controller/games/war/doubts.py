"""Cards in doubt: one that cannot be, cannot be read or came too many, and what is put to people about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from controller.games.war import alarms, booking
from controller.games.war.cards import RANK, UNKNOWN
from controller.games.war.play import War
from controller.games.war.state import NEXT_ROUND, Drawn
from controller.people import TABLE, Person

NO_CARD = -1
"""A finding about the decks that is not about one card of the round."""


class Finding(NamedTuple):
    """What is wrong with the decks, the card of the round that shows it if one does, and who says so."""

    text: str
    card: int
    by: str


class Unread(NamedTuple):
    """A card that could not be read, and where it lies."""

    card: int
    place: str
    stage: str


class Together(NamedTuple):
    """Cards that left at once: the number of the first, and what the reader told of all."""

    first: int
    faces: tuple[str, ...]


def wrong_deck(game: War, text: str, index: int = NO_CARD, by: Person = TABLE) -> None:
    """A card that cannot be, is missing, or is foreign: stop at once."""
    game.hold("wrong_deck", Finding(text, index, by.id))


def in_doubt(game: War, index: int) -> bool:
    """Whether it is asked if this card can be."""
    prompts = game.table.state.desk.prompts.values()
    return any(asked.subject == "wrong_deck" and asked.evidence["card"] == index for asked in prompts)


def not_wrong(game: War, index: int) -> None:
    """A card that cannot be never came: nothing is wrong with the decks."""
    _renumber(game, lambda card: None if card == index else card)


def moves_up(game: War, index: int) -> None:
    """A card leaves the order drawn: it is asked about no more, and later ones have another number."""
    _renumber(game, lambda card: card if card < index else card - 1 if card > index else None)


def cards_leave(game: War) -> None:
    """Whatever was found is still to be ruled on, but no card lies there any more that could be named."""
    _renumber(game, lambda card: NO_CARD)


def _renumber(game: War, number: Callable[[int], int | None]) -> None:
    """Findings are asked about under the number their card has now; without one, no longer."""
    found = [asked for asked in game.table.state.desk.prompts.values() if asked.subject == "wrong_deck"]
    numbers = [number(int(asked.evidence["card"])) for asked in found]
    if numbers == [asked.evidence["card"] for asked in found]:
        return
    game.desk.withdraw("wrong_deck")
    for asked, card in zip(found, numbers, strict=True):
        if card is not None:
            evidence = {**asked.evidence, "card": card}
            game.desk.ask("wrong_deck", asked.text, evidence, asked.proposal, asked.options, asked.clauses)


def unaccount(game: War, card: Drawn) -> None:
    """This card was another one, or never left: the decks no longer miss what it was booked as."""
    face = accounted(card)
    if face == UNKNOWN:
        game.state.shoe.cards.unknown -= 1
    else:
        game.state.shoe.cards.undraw(face)


def accounted(card: Drawn) -> str:
    """What the decks miss for this card: of one whose order is open, what the reader told."""
    return card.read if card.face == UNKNOWN and card.read in RANK else card.face


def unknown_card(game: War, place: str, stage: str, index: int, holding: bool = True) -> None:
    """A face that matters and that the reader could not tell; what it thought is only a proposal."""
    if game.is_asked(f"unknown:{index}"):
        if holding:
            game.hold()
    elif holding:
        game.hold("unknown", Unread(index, place, stage))
    else:
        game.ask("unknown", Unread(index, place, stage))


# -- cards that came together, or too many -------------------------------------------------------------------------


def order_unknown(game: War, first: int, faces: Sequence[str]) -> None:
    """Two cards at once and nobody can tell which was first."""
    game.hold("double", Together(first, tuple(faces)))


def surplus_came(game: War) -> None:
    """A card nobody waits for is held as the next one; past an open choice it is a missed choice (9.8)."""
    index = len(game.state.round.drawn) - 1
    missed = game.machine.state == "choosing"
    remedy = game.rules.remedies["decision_missed" if missed else "surplus"]
    game.rule("surplus", f"card {index + 1} held as the next card", remedy.clauses)
    if missed:
        alarms.ChoiceOpen().happened(game)
    else:
        _ask_sight(game, index)


def _ask_sight(game: War, index: int) -> None:
    """Whether people saw a card only they can say (X6)."""
    if not game.is_asked(f"surplus:{index}"):
        game.ask("surplus", index)


def held_waits(game: War) -> bool:
    """Whether the round must wait for a word on cards it no longer needs; those told are put where they belong."""
    waits = False
    for card in game.state.round.held():
        if not card.sight:
            waits = True
            _ask_sight(game, game.state.round.index_of(card))
        elif card.sight == "seen":
            card.place = "discard"
            game.rule("surplus", "discarded", game.rules.remedies["surplus_seen"].clauses)
        else:
            card.place = NEXT_ROUND
            game.rule("surplus", "first card of the next round", game.rules.remedies["surplus_unseen"].clauses)
    return waits


# -- cards nobody should have been dealt ---------------------------------------------------------------------------


def no_stakes(game: War) -> None:
    """Cards were dealt although nobody staked."""
    remedy = game.rules.remedies["no_stakes"]
    if game.table.house.power(remedy.power).rank <= 1:
        void_no_stakes(game, TABLE)
    else:
        game.hold("no_stakes")


def void_no_stakes(game: War, by: Person) -> None:
    remedy = game.rules.remedies["no_stakes"]
    for card in game.state.round.drawn:
        if not card.place:
            card.place = "discard"
    game.ruled("no_stakes", "void, cards burned", by, remedy.clauses)
    booking.void_round(game, remedy.returns, remedy.clauses)


def lay_face_up(game: War) -> None:
    """Another card of this shoe lay face up: further ones may, and somebody decides whether all are looked at."""
    game.state.shoe.face_up += 1
    if game.state.shoe.face_up > 1 and game.rules.cites["more_face_up"] and not game.is_asked("face_up"):
        game.ask("face_up", game.state.shoe.face_up)


def suspicious_sequence(game: War) -> None:
    """Cards in the order of manufacture: hardly shuffled at all."""
    if not game.is_asked("sequence"):
        game.ask("sequence", game.state.shoe.recent[-game.rules.cards.factory_run :])
