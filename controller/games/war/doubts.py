"""Cards in doubt: one that cannot be, cannot be read or came too many, and what is put to people about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.games.war import alarms, booking
from controller.games.war.asking import Question, ask, hold, option, put
from controller.games.war.cards import RANK, UNKNOWN
from controller.games.war.play import War
from controller.games.war.state import NEXT_ROUND, Drawn
from controller.people import TABLE, Person

NO_CARD = -1
"""A finding about the decks that is not about one card of the round."""


def wrong_deck(game: War, text: str, index: int = NO_CARD, by: Person = TABLE) -> None:
    """A card that cannot be, is missing, or is foreign: stop at once."""
    remedy = game.rules.remedies["wrong_deck"]
    options = [option(game, "void", "Void the round, money back", "wrong_deck")]
    if index != NO_CARD:
        options.append(option(game, "misread", "The reader was wrong", "correct_card"))
    evidence = {"finding": text, "card": index, "by": by.id}
    question = f"{text} Void the round and return its money?"
    hold(game, Question("wrong_deck", question, evidence, "void", tuple(options), remedy.clauses, alarm=text))


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
    subject = f"unknown:{index}"
    if game.is_asked(subject):
        if holding:
            hold(game)
        return
    remedy = game.rules.remedies["rebuild_failed"]
    options = (
        option(game, "enter", "Enter the card that lies there", "enter_card"),
        option(game, "void", "It cannot be told any more", remedy.power),
    )
    text = f"The card at {place} could not be read. Which card lies there?"
    card = game.state.round.drawn[index]
    evidence = {"card": index, "place": place, "stage": stage, "read": card.read, "seen": card.seen}
    question = Question(subject, text, evidence, "enter", options, game.rules.cites["face_of_card"])
    if holding:
        hold(game, question)
    else:
        ask(game, question)


# -- cards that came together, or too many -------------------------------------------------------------------------


def order_unknown(game: War, first: int, faces: Sequence[str]) -> None:
    """Two cards at once and nobody can tell which was first."""
    remedy = game.rules.remedies["double_unknown"]
    concerned = game.state.round.places()[first:]
    options = (
        option(game, "void", "It cannot be told", remedy.power),
        option(game, "order", "The order is known after all", "correct_card"),
    )
    evidence = {"card": first, "faces": list(faces), "places": concerned}
    text = f"{len(faces)} cards came together ({', '.join(faces)}) for {', '.join(concerned)}; their order is unknown."
    hold(game, Question("double", text, evidence, "void", options, remedy.clauses))


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
    if game.is_asked(f"surplus:{index}"):
        return
    remedy = game.rules.remedies["surplus"]
    game.desk.ask(
        f"surplus:{index}",
        "A card too many was drawn. Was its face seen?",
        {"card": index},
        "",
        (option(game, "seen", "Seen", "report"), option(game, "unseen", "Not seen", "report")),
        remedy.clauses,
    )


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
        text = "Cards were dealt and no stake lies on the table. Void the round and burn them?"
        put(game, "no_stakes", text, {"cards": len(game.state.round.drawn)}, remedy, "Void, burn the cards")


def void_no_stakes(game: War, by: Person) -> None:
    remedy = game.rules.remedies["no_stakes"]
    for card in game.state.round.drawn:
        if not card.place:
            card.place = "discard"
    game.ruled("no_stakes", "void, cards burned", by, remedy.clauses)
    booking.void_round(game, remedy.returns, remedy.clauses)


def suspicious_sequence(game: War) -> None:
    """Cards in the order of manufacture: hardly shuffled at all."""
    run = game.state.shoe.recent[-game.rules.cards.factory_run :]
    clauses = game.rules.cites["sequence"]
    if game.is_asked("sequence"):
        return
    options = (
        option(game, "shuffle", "Shuffle after this round", "order_shuffle"),
        option(game, "play_on", "Play on", "order_shuffle", needs_reason=True),
    )
    alarm = alarms.InOrder(cards=", ".join(run))
    alarm.happened(game)
    game.desk.ask("sequence", f"{alarm.said(game).text} Shuffle?", {"cards": run}, "shuffle", options, clauses)
