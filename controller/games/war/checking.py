"""Which cards there really are: checks before use, by machine and by people, always by name and never by count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from controller.core.desk import Ask, Refusal
from controller.core.effects import Asked, Ordered
from controller.core.keys import CARDS, Keys
from controller.core.questions import Answer
from controller.games.war import alarms, doubts, shoe
from controller.games.war.asking import WarQuestion
from controller.games.war.cards import RANK
from controller.games.war.composition import Audit, audit, switched
from controller.games.war.events import CardsRead, SourceMode
from controller.games.war.play import War
from controller.people import TABLE, Person
from drivers.shuffler import DeckChecked

KEYS: Keys[War] = Keys(while_suspended=True, about=CARDS)
MACHINE = "machine"
NOT_DEALING = ("unchecked", "unshuffled", "uncut", "betting", "over", "blocked")


def _how(game: War) -> Iterator[tuple[str, str]]:
    yield "by hand", "By hand"
    yield "by machine", "By a machine, before they came"
    if game.state.supply.source == "csm":
        yield MACHINE, "By the shuffler, now"


HOW = Ask("how", "choice", "How", optional=True, offered=_how)
PRE_SHUFFLED = Ask("pre_shuffled", "flag", "The cards come shuffled by their maker", optional=True, aside=True)
BATCH = Ask("batch", "text", "Batch number on the box", optional=True, aside=True)
FACES = Ask("faces", "cards", "The cards that were read (such as KS, 9H)", optional=True,
            choices=(("JOKER", "Joker"),))  # fmt: skip
WHERE = Ask("where", "choice", "Which cards", optional=True,
            offered=lambda game: (("set", "The whole set"), ("layout", "Those picked up from the layout")))  # fmt: skip


@KEYS.key("check_cards", "Cards checked", power="check_cards", asks=(HOW, PRE_SHUFFLED, BATCH), fires="cards_ready")
def check_cards(game: War, by: Person, *, how: str = "by hand", pre_shuffled: bool = False, batch: str = "") -> None:
    """Somebody vouches for the set before it is used, or the shuffler is told to look at every card of it."""
    if how == MACHINE:
        order_check(game, by)
        return
    if game.unanswered is not None:
        raise game.unanswered
    _checked(game, by, how, pre_shuffled, batch)


@KEYS.key("order_check", "Have all cards checked", power="order_check")
def order_check(game: War, by: Person) -> None:
    """Have every card looked at: by the shuffler at once, else by people once the round is over (Star 3.8, 11.1.1)."""
    clause = game.table.house.power("order_check").clause
    if game.state.supply.source != "csm" or game.machine.state not in NOT_DEALING:
        game.state.supply.check_due = True
        game.ruled("order_check", "all cards are checked after this round", by, (clause,))
        text = "Take every card out after this round, have them read one by one, and enter what was found."
        game.desk.announce("dealer", "check_due", text, (clause,))
        return
    game.state.supply.checks += 1
    order = {"check": game.state.supply.checks, "decks": game.state.shoe.cards.decks}
    game.desk.emit(Ordered(game.source_place, "StartCheck", order))
    game.desk.note("check_ordered", game.rules.cites["card_check"], by=by.id, **order)


class FaceUp(WarQuestion):
    """Several cards of a shoe lay face up: are all looked at after the round?"""

    subject, proposal, holds_round, outlives_round = "face_up", "check", False, True
    answers = (
        Answer("check", "Have all cards checked after this round", "order_check"),
        Answer("play_on", "Play on", "order_check"),
    )

    def named(self, about: int) -> str:
        return ""

    def text(self, game: War, about: int) -> str:
        return f"{about} cards of this shoe lay face up. Have all that are left taken out and checked after the round?"

    def evidence(self, game: War, about: int) -> dict[str, Any]:
        return {"cards": about}

    def why(self, game: War, about: int) -> tuple[str, ...]:
        return game.rules.cites["more_face_up"]

    def otherwise(self, game: War, asked: Asked, answer: str, by: Person) -> None:
        if answer == "check":
            order_check(game, by)


def machine_checked(game: War, event: DeckChecked) -> None:
    """What the shuffler found; a right count with a wrong card is wrong, and a check broken off proves nothing."""
    clauses = game.rules.cite("card_check", "card_count")
    facts = {"good": event.good, "count": event.count, "missing": list(event.missing), "surplus": list(event.surplus)}
    game.desk.note("deck_checked", clauses, **facts)
    out = Counter(game.state.shoe.cards.out) | Counter(
        card.face for card in game.state.round.drawn if game.state.round.started
    )
    missing = tuple((Counter(event.missing) - out).elements())
    game.state.supply.broken_off = not event.complete
    if not event.complete:
        alarms.BrokenOff().happened(game)
    elif not (missing or event.surplus or event.unread or event.jokers or event.foreign):
        game.state.supply.check_due = False
        if game.machine.can("cards_ready"):
            _checked(game, TABLE, "by the shuffler")
    else:
        found_wrong(game, missing, event.surplus, event.jokers + event.foreign + event.unread)


# -- the end of a session ------------------------------------------------------------------------------------------


def table_closed(game: War) -> None:
    """Ask for the count where the rulebook wants one, and let the session's cards and people go."""
    for subject in ("cut", "sequence"):
        game.desk.withdraw(subject)
    game.money.round_over()
    if game.rules.cards.count_at_close:
        game.ask("count")
    if game.machine.can("cards_away"):
        game.machine.fire("cards_away")


def let_go(game: War) -> None:
    """Cards and people leave, and what was asked about them with them."""
    doubts.cards_leave(game)
    game.withdraw_questions()
    game.state.session_over()


def counted(game: War, expected: int, counted: int, by: Person, right: bool = True) -> None:
    """The count after gaming; a wrong one keeps these cards from being used again."""
    game.desk.note("card_count", game.rules.cites["card_count"], expected=expected, counted=counted, by=by.id)
    if right and counted == expected:
        return
    alarm = alarms.WrongCount(counted=counted, expected=expected)
    alarm.happened(game)
    shoe.block(game, alarm.said(game).text)


@KEYS.key("read_cards", "Cards read one by one", power="order_check", asks=(FACES, WHERE))
def read_cards(game: War, by: Person, *, faces: tuple[str, ...] = (), where: str = "set") -> None:
    """Cards read one by one by people: the whole set, or what was picked up from the layout."""
    if not faces:
        text = "This needs the cards that were read."
        raise Refusal("bad_argument", text, game.rules.cites["card_count"])
    cards_read(game, CardsRead(faces, where))


def _checked(game: War, by: Person, how: str, pre_shuffled: bool = False, batch: str = "") -> None:
    state = game.state
    state.supply.check_due = state.supply.broken_off = False
    state.shoe.in_use = False
    game.ruled("check_cards", how, by, game.rules.cites["card_check"])
    if batch:
        game.desk.note("batch", game.rules.cites["pre_shuffled"], batch=batch)
    game.machine.fire("cards_ready", pre_shuffled, by)


def if_pre_shuffled(game: War, pre_shuffled: bool, by: Person) -> None:
    """Cards that came shuffled and secured need no further shuffle."""
    if pre_shuffled:
        game.machine.fire("shuffled", by, "pre_shuffled")


def cards_read(game: War, event: CardsRead) -> None:
    """Every card of a set, or of a pick-up, by name; a right count proves nothing."""
    state = game.state
    if event.where == "layout":
        drawn = [card.face for card in state.round.drawn if card.face in RANK]
        finding = switched(drawn, event.faces)
        text = f"The cards picked up are not those that were dealt: {finding.words()}."
    else:
        finding = audit(state.shoe.cards.decks, event.faces)
        text = f"The set is not {state.shoe.cards.decks} decks: {finding.words()}."
    game.desk.note("cards_read", game.rules.cites["card_count"], cards=len(event.faces), finding=finding.words())
    if not finding.right:
        doubts.wrong_deck(game, text)
    elif event.where == "set":
        state.supply.check_due = False


def found_wrong(game: War, missing: tuple[str, ...], surplus: tuple[str, ...], foreign: int) -> None:
    """A check found cards that should not be there, or not those that should."""
    finding = Audit(missing, surplus, ("foreign",) * foreign)
    doubts.wrong_deck(game, f"The set is not {game.state.shoe.cards.decks} decks: {finding.words()}.")


def source_mode(game: War, event: SourceMode) -> None:
    """A shuffler that sorts, or that holds cards nobody put there, is not played from."""
    clauses = game.rules.remedies["wrong_deck"].clauses
    rank = game.table.house.power("resume").rank
    if event.mode != "shuffle":
        game.table.fault(alarms.NotShuffling(mode=event.mode))
        game.state.shoe.shuffle_due = list(game.rules.cites["shuffle_before"])
    else:
        game.table.fault_over("shuffler_mode")
    if event.inside < 0:
        return
    expected = 0 if game.machine.state == "unchecked" else game.state.shoe.cards.total - game.state.shoe.cards.drawn
    if event.inside != expected:
        game.table.fault(alarms.WrongContent(inside=event.inside, expected=expected), rank=rank)
        game.desk.note("shuffler_content", clauses, inside=event.inside, expected=expected)


QUESTIONS: tuple[type[WarQuestion], ...] = (FaceUp,)
