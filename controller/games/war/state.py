"""Everything a Casino War table knows between two events; plain values, saved and restored whole."""

from __future__ import annotations

import msgspec

from controller.effects import WagerResult
from controller.games.war.composition import Composition
from controller.games.war.events import StakeLaid
from controller.games.war.stakes import Stake
from controller.people.player_cards import CardsAtTable

HELD = "held"
NEXT_ROUND = "next-round"


class Drawn(msgspec.Struct):
    """A card that left the source; `read` is what the reader told, `place` is set where it lies out of turn."""

    face: str
    read: str
    place: str = ""
    sight: str = ""
    draw: int = 0
    seen: list[list[str | int]] = []

    @property
    def in_turn(self) -> bool:
        return not self.place


class Slot(msgspec.Struct, frozen=True):
    """A place that waits for a card, and the part of the round it belongs to: start, first or war."""

    place: str
    stage: str


class Booked(msgspec.Struct):
    """A wager's result; `done` once its chips were moved."""

    result: WagerResult
    stage: str
    done: bool = False


class Choice(msgspec.Struct):
    """What a player chose on a tied box."""

    box: int
    player: str
    choice: str = ""


class Lying(msgspec.Struct, frozen=True):
    """A chip on the layout, and the wager it belongs to."""

    area: int
    cents: int
    wager: str
    token: bool = False


class Stack(msgspec.Struct, frozen=True):
    """Whose chips of one wager are, and where they lie."""

    player: str
    box: int
    zone: str


class Coming(msgspec.Struct, frozen=True):
    """Whose the next chips on an area will be, as the dealer said beforehand."""

    player: str
    wager: str


class Spoken(msgspec.Struct, frozen=True):
    """A bet called out; once refused, chips that come for it go back."""

    player: str
    box: int
    zone: str
    amount: int
    refused: bool = False


class DeckChange(msgspec.Struct, frozen=True):
    """Another number of decks, and from when on new cards may be of it."""

    decks: int
    column: int
    at: int


class Ruling(msgspec.Struct, frozen=True):
    """A ruling of this round, for the recall of disputed rounds."""

    what: str
    answer: str
    by: str
    clauses: tuple[str, ...]


class WrongDeck(msgspec.Struct):
    """Why the cards are blocked, and what must still be recorded before they, or new ones, are played."""

    why: str
    needs: list[str]


class WarState(msgspec.Struct):
    """One table of Casino War."""

    cards: Composition
    source: str
    stakes: list[Stake] = []
    drawn: list[Drawn] = []
    slots: list[Slot] = []
    booked: dict[str, Booked] = {}
    choices: list[Choice] = []
    rulings: list[Ruling] = []
    house_chips: dict[str, int] = {}
    house_asked: dict[str, int] = {}
    absent: list[str] = []
    resume: str = ""
    started: bool = False
    interim_paid: bool = False
    carried: list[Drawn] = []
    checks: int = 0
    draws: int = 0
    in_use: bool = False
    empty: bool = False
    shuffle_due: list[str] = []
    cut_place: str = "new"
    cut_offers: list[str] = []
    skip_burn: bool = False
    shuffler_burned: bool = False
    blocked: WrongDeck | None = None
    recent: list[str] = []
    rack: list[str] = []
    feed_due: bool = False
    seats: list[tuple[int, str]] = []
    arrivals: list[str] = []
    idle: dict[str, int] = {}
    warned: list[str] = []
    barred: list[str] = []
    carded: list[str] = []
    several: list[str] = []
    reserved: dict[str, str] = {}
    kept_minimum: dict[str, int] = {}
    share_most: int = 0
    early: list[StakeLaid] = []
    lying: dict[int, Lying] = {}
    stacks: dict[str, Stack] = {}
    coming: dict[int, Coming] = {}
    at_box: dict[int, str] = {}
    unread: list[int] = []
    paid: list[int] = []
    column: int = 0
    decks_coming: DeckChange | None = None
    cards_at: CardsAtTable = msgspec.field(default_factory=CardsAtTable)
    card_at: int = 0
    withheld: list[str] = []
    held_back: dict[str, int] = {}
    spoken: list[Spoken] = []
    decided_by: str = ""
    check_due: bool = False

    def clear_round(self) -> None:
        """Nothing lies on the layout any more; a card parked for the next round stays parked."""
        self.stakes = []
        self.drawn = []
        self.slots = []
        self.booked = {}
        self.choices = []
        self.rulings = []
        self.house_chips = {}
        self.house_asked = {}
        self.absent = []
        self.resume = ""
        self.started = False
        self.interim_paid = False
        self.spoken = []


def session_over(state: WarState, decks: int) -> None:
    """Cards and people leave: what belongs to a set of cards or to a player at the table goes with them."""
    state.clear_round()
    state.cards = Composition(decks, set_aside=list(state.cards.set_aside))
    state.carried, state.recent, state.rack, state.shuffle_due, state.cut_offers = [], [], [], [], []
    state.in_use = state.empty = state.skip_burn = state.shuffler_burned = state.feed_due = False
    state.cut_place = "new"
    state.seats, state.arrivals, state.warned, state.carded, state.several, state.absent = [], [], [], [], [], []
    state.idle, state.reserved, state.kept_minimum, state.at_box = {}, {}, {}, {}
    state.cards_at, state.card_at = CardsAtTable(), 0


def places(state: WarState) -> list[str]:
    """Where every card of the round lies, in drawn order: cards in turn fill the slots one after the other.

    This is the rebuilt order by construction: wherever a card was put by hand, the order drawn decides.
    """
    slots = iter(state.slots)
    found = []
    for card in state.drawn:
        if card.place:
            found.append(card.place)
        else:
            slot = next(slots, None)
            found.append(slot.place if slot else HELD)
    return found


def filled(state: WarState) -> int:
    """How many slots have their card."""
    return min(len(state.slots), len([card for card in state.drawn if not card.place]))


def next_slot(state: WarState) -> Slot | None:
    """The place the next card goes to."""
    at = filled(state)
    return state.slots[at] if at < len(state.slots) else None


def stage_full(state: WarState, stage: str) -> bool:
    """Whether every place of this part of the round has its card."""
    return all(slot.stage != stage for slot in state.slots[filled(state) :])


def laid(state: WarState, stage: str) -> dict[str, Drawn]:
    """The cards of one part of the round by the place they lie at; burns aside."""
    turn = [card for card in state.drawn if not card.place]
    return {slot.place: card for slot, card in zip(state.slots, turn, strict=False) if slot.stage == stage}


def held(state: WarState) -> list[Drawn]:
    """Cards drawn that no place waits for."""
    turn = [card for card in state.drawn if not card.place]
    return turn[len(state.slots) :]


def parked(card: Drawn) -> Drawn:
    """The card as the next round finds it; in the round that it was drawn in it keeps its place."""
    return msgspec.structs.replace(card, place="")


def drop_slot(state: WarState, place: str, stage: str) -> None:
    """A place no longer waits; the cards move up unless theirs is taken out of the order as well."""
    state.slots = [slot for slot in state.slots if (slot.place, slot.stage) != (place, stage)]
