"""Everything a Casino War table knows between two events; plain values, saved and restored whole."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from controller.core.desk import LimitsInForce, Refusal, spoken
from controller.core.effects import WagerResult
from controller.games.war.composition import Composition
from controller.games.war.events import StakeLaid
from controller.money.slid import Slid
from controller.people.player_cards import CardsAtTable

WHILE = {
    "unchecked": "the cards are not checked yet",
    "unshuffled": "the cards are not shuffled yet",
    "uncut": "the cards are not cut yet",
    "burning": "the first cards are being burned",
    "betting": "bets are being placed",
    "closed": "betting is closed",
    "dealing": "cards are being dealt",
    "interim": "losers are being taken and winners paid",
    "choosing": "tied boxes choose between war and surrender",
    "war_burning": "cards are being burned for a war",
    "war_dealing": "a war is being dealt",
    "final": "a war is being settled",
    "over": "the round is over and the next has not begun",
    "ruling": "a decision is waited for",
    "reshuffling": "the cards ran out and are being shuffled",
    "recutting": "the cards ran out and are not cut yet",
    "blocked": "the cards are wrong and may not be played",
}
"""The states of a round, and how a refusal says each."""
PHASES = tuple(WHILE)
DRAWING = ("dealing", "war_burning", "war_dealing")
"""A deal waits for its cards."""
WAITING = ("burning", *DRAWING)
"""A card is waited for."""
AT_WAR = ("war_burning", "war_dealing")
SECOND_DEAL = (*AT_WAR, "final")
IN_ROUND = ("dealing", "interim", "choosing", *SECOND_DEAL)
BEFORE_ROUND = ("unchecked", "unshuffled", "uncut", "burning", "betting", "closed")
PLAYING = (*IN_ROUND, "ruling")
RULABLE = (*PLAYING, "reshuffling", "recutting")
"""A round has begun and is not over."""
NO_CARDS = ("unchecked", "unshuffled", "uncut", "blocked", "reshuffling", "recutting")
"""No card may leave the source; one that does is put back."""

BURNS = ("war-burn", "round-burn", "shoe-burn")
HELD = "held"
NEXT_ROUND = "next-round"
HIDDEN = (*BURNS, NEXT_ROUND, HELD)
"""Where a card lies face down."""


class Stake(msgspec.Struct):
    """One player's chips on one zone of a box; `line` is the place in the line, front first.

    `before` is what lay there at the call, while chips that were added since are put to the dealer.
    """

    id: str
    player: str
    box: int
    zone: str
    amount: int
    stage: str = "first"
    token: bool = False
    line: int = 0
    counted: int = 0
    status: str = "live"
    clauses: list[str] = []
    before: int = 0

    @property
    def live(self) -> bool:
        return self.status == "live"

    @property
    def dealt(self) -> bool:
        """Whether it earns a card; one that goes back whatever the result does (Melbourne 6.2.1)."""
        return self.status in ("live", "give_back")

    @property
    def played(self) -> bool:
        """Whether it was part of the round at all; what was refused or came too late never was."""
        return self.status not in ("refused", "late", "asked")


class Drawn(msgspec.Struct):
    """A card that left the source; `read` is what the reader told, `place` is set where it lies out of turn."""

    face: str
    read: str
    place: str = ""
    sight: str = ""
    draw: int = 0
    seen: list[list[str | int]] = []


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


class Round(msgspec.Struct):
    """What lies on the layout and was decided about it, from the first chip to the last one moved.

    `in_play` are the chips of its stakes by their tags, as they lay when no more could be laid. `number` is known once
    the round is over, while it still lies there.
    """

    number: int = 0
    stakes: list[Stake] = []
    drawn: list[Drawn] = []
    slots: list[Slot] = []
    booked: dict[str, Booked] = {}
    choices: list[Choice] = []
    rulings: list[Ruling] = []
    house_chips: dict[str, int] = {}
    house_asked: dict[str, int] = {}
    absent: list[str] = []
    started: bool = False
    interim_paid: bool = False
    spoken: list[Spoken] = []
    moved: dict[str, int] = {}
    in_play: dict[int, Lying] = {}
    closed_at: int = 0
    limits: LimitsInForce | None = None  # as they stood then; a change after it is for the next wagers

    def turn(self) -> list[Drawn]:
        """The cards that came in their turn."""
        return [card for card in self.drawn if not card.place]

    def places(self) -> list[str]:
        """Where every card of the round lies, in drawn order: cards in turn fill the slots one after the other.

        This is the rebuilt order by construction: wherever a card was put by hand, the order drawn decides.
        """
        slots = iter(self.slots)
        found = []
        for card in self.drawn:
            if card.place:
                found.append(card.place)
            else:
                slot = next(slots, None)
                found.append(slot.place if slot else HELD)
        return found

    def card_places(self) -> list[str]:
        """Where every card of the round ended; one parked for the next round says so."""
        return [NEXT_ROUND if place == HELD else place for place in self.places()]

    def shown(self) -> list[tuple[str, str]]:
        """Every card and where it ended, as anybody may see it: faces that were burned or wait stay hidden."""
        return [
            ("" if place in HIDDEN else card.face, place)
            for card, place in zip(self.drawn, self.card_places(), strict=True)
        ]

    def filled(self) -> int:
        """How many slots have their card."""
        return min(len(self.slots), len(self.turn()))

    def next_slot(self) -> Slot | None:
        """The place the next card goes to."""
        at = self.filled()
        return self.slots[at] if at < len(self.slots) else None

    def stage_full(self, stage: str) -> bool:
        """Whether every place of this part of the round has its card."""
        return all(slot.stage != stage for slot in self.slots[self.filled() :])

    def war_burned(self) -> bool:
        """Whether no burn of the second deal is still to come."""
        return all(slot.place != "war-burn" for slot in self.slots[self.filled() :])

    def laid(self, stage: str) -> dict[str, Drawn]:
        """The cards of one part of the round by the place they lie at; burns aside."""
        dealt = zip(self.slots, self.turn(), strict=False)
        return {slot.place: card for slot, card in dealt if slot.stage == stage}

    def laid_cards(self, stage: str) -> list[Drawn]:
        """The cards of one part of the round in drawn order, burns included."""
        return [card for slot, card in zip(self.slots, self.turn(), strict=False) if slot.stage == stage]

    def held(self) -> list[Drawn]:
        """Cards drawn that no place waits for."""
        return self.turn()[len(self.slots) :]

    def index_of(self, card: Drawn) -> int:
        """The number of this very card; equal faces are different cards."""
        return next(index for index, drawn in enumerate(self.drawn) if drawn is card)

    def of_the_war(self, index: int) -> bool:
        """Whether this card lies in the second deal, or waits for a place in it."""
        return any(card is self.drawn[index] for card in (*self.laid_cards("war"), *self.held()))

    def stake(self, wager: str) -> Stake:
        for stake in self.stakes:
            if stake.id == wager:
                return stake
        raise Refusal("no_such_wager", f"There is no wager {spoken(wager)} in this round.")

    def tied_mains(self) -> list[Stake]:
        """Main stakes that the first cards left open and that no surrender or void has ended."""
        return [stake for stake in self.stakes if stake.zone == "main" and stake.live and stake.id not in self.booked]

    def tied_main(self, box: int, player: str, settled_too: bool = False) -> Stake | None:
        for stake in self.stakes:
            if (stake.zone, stake.box, stake.player) == ("main", box, player) and stake.live:
                booked = self.booked.get(stake.id)
                if booked is None or (settled_too and booked.stage in ("surrender", "final")):
                    return stake
        return None

    def war_stakes(self) -> list[Stake]:
        return [stake for stake in self.stakes if stake.zone == "war" and stake.live and self._undecided(stake)]

    def _undecided(self, stake: Stake) -> bool:
        booked = self.booked.get(stake.id)
        return booked is None or booked.stage == "final"

    def war_stake(self, main: Stake) -> Stake | None:
        for stake in self.stakes:
            if (stake.zone, stake.box, stake.player) == ("war", main.box, main.player) and stake.live:
                return stake
        return None

    def choice(self, box: int, player: str) -> Choice | None:
        """The open or taken choice of this player on this box."""
        return next((choice for choice in self.choices if (choice.box, choice.player) == (box, player)), None)

    def choice_of(self, main: Stake) -> str:
        choice = self.choice(main.box, main.player)
        return choice.choice if choice else ""

    def all_chosen(self) -> bool:
        """Every tied main stake goes to war with its stake laid; surrendered ones are tied no longer."""
        return all(self.choice_of(main) == "war" and self.war_stake(main) for main in self.tied_mains())

    def drop_slot(self, place: str, stage: str) -> None:
        """A place no longer waits; the cards move up unless theirs is taken out of the order as well."""
        self.slots = [slot for slot in self.slots if (slot.place, slot.stage) != (place, stage)]


class Shoe(msgspec.Struct):
    """The set of cards in use, from when it comes to the table until it leaves.

    `last` is the card that ended a round whose cards were gathered: of those it alone can still go back.
    """

    cards: Composition
    carried: list[Drawn] = []
    last: Drawn | None = None
    in_use: bool = False
    empty: bool = False
    shuffle_due: list[str] = []
    cut_place: str = "new"
    cut_offers: list[str] = []
    skip_burn: bool = False
    shuffler_burned: bool = False
    recent: list[str] = []
    rack: list[str] = []
    feed_due: bool = False
    face_up: int = 0


class Players(msgspec.Struct):
    """Who plays, from when the table opens until it closes."""

    seats: list[tuple[int, str]] = []
    at_box: dict[int, str] = {}
    arrivals: list[str] = []
    idle: dict[str, int] = {}
    warned: list[str] = []
    carded: list[str] = []
    several: list[str] = []
    reserved: dict[str, str] = {}
    kept_minimum: dict[str, int] = {}
    cards_at: CardsAtTable = msgspec.field(default_factory=CardsAtTable)
    card_at: int = 0
    card_unplaced: bool = False


class Felt(msgspec.Struct):
    """Which chips lie where, and whose they are; they lie there from round to round."""

    lying: dict[int, Lying] = {}
    stacks: dict[str, Stack] = {}
    coming: dict[int, Coming] = {}
    early: list[StakeLaid] = []
    unread: list[int] = []
    paid: list[int] = []
    unclear: list[int] = []
    slid: Slid = msgspec.field(default_factory=Slid)
    since: int = 0  # when the change that is being taken was so, by the mat's clock; nothing between changes


class Supply(msgspec.Struct):
    """Where cards come from, and what is known against them; it outlives every set."""

    source: str
    draws: int = 0
    checks: int = 0
    check_due: bool = False
    broken_off: bool = False
    blocked: WrongDeck | None = None


class Decided(msgspec.Struct):
    """What people of rank decided about this table and its players, until they decide otherwise."""

    share_most: int = 0
    column: int = 0
    decks_coming: DeckChange | None = None
    barred: list[str] = []
    withheld: list[str] = []
    held_back: dict[str, int] = {}
    decided_by: str = ""
    decided_rank: int = 0


class WarState(msgspec.Struct):
    """One table of Casino War, by how long each part of it lasts."""

    shoe: Shoe
    supply: Supply
    house: Decided
    round: Round = msgspec.field(default_factory=Round)
    players: Players = msgspec.field(default_factory=Players)
    felt: Felt = msgspec.field(default_factory=Felt)

    def session_over(self) -> None:
        """Cards and people leave: what belongs to a round, a set of cards or a player at the table goes with them."""
        cards = self.shoe.cards
        self.round = Round()
        self.shoe = Shoe(Composition(cards.decks, set_aside=list(cards.set_aside)))
        self.players = Players()


PARTS: dict[str, type[msgspec.Struct]] = {
    "round": Round,
    "shoe": Shoe,
    "players": Players,
    "felt": Felt,
    "house": Decided,
    "supply": Supply,
}


class Restored(NamedTuple):
    """A state as it was saved, and where a round that stands still came from, if it says so itself."""

    state: WarState
    came_from: str = ""


def restored(saved: bytes) -> Restored:
    """The state of a snapshot; one of the version before knew no parts."""
    values = msgspec.json.decode(saved)
    if "round" in values:
        return Restored(msgspec.json.decode(saved, type=WarState))
    parts = {
        name: {field: values[field] for field in part.__struct_fields__ if field in values}
        for name, part in PARTS.items()
    }
    return Restored(msgspec.json.decode(msgspec.json.encode(parts), type=WarState), values.get("resume", ""))


def parked(card: Drawn) -> Drawn:
    """The card as the next round finds it; in the round that it was drawn in it keeps its place."""
    return msgspec.structs.replace(card, place="")
