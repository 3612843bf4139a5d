"""What a poker table remembers between events, nested by how long it lasts: felt, seats, deck, deal and the hand.

The hand itself is a value: everything there is to know of it between two inputs, saved and restored whole.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Protocol

import msgspec

from controller.core import desk
from controller.core.effects import WagerResult
from controller.games.poker.actions import Held
from controller.games.poker.betting import Betting
from controller.games.poker.flop_chase import SideResult, SideWager
from controller.games.poker.notices import Notice
from controller.games.poker.outputs import Output, Prompt
from controller.games.poker.positions import Positions, SeatFlags
from controller.games.poker.pots import Pot, Share
from controller.games.poker.remedies import Facts, Irregularity, Remedy, Step, remedy
from controller.games.poker.round import BETWEEN
from controller.games.poker.rules import Terms
from controller.games.poker.showdown import TabledHand


class Refusal(desk.Refusal):
    """An input that cannot be taken; nothing has changed."""

    def __init__(self, clause: str, text: str) -> None:
        super().__init__("not_legal", text, (clause,))
        self.clause = clause


class Due(msgspec.Struct, frozen=True, gc=False):
    """A blind or post that a seat owes before the deal."""

    seat: int
    amount: int


class Placed(msgspec.Struct, frozen=True, gc=False):
    """How the betting stood before chips were put forward in turn, while nobody has acted after them (P-A10)."""

    index: int
    amount: int
    in_round: int
    may_raise: bool
    high: int
    full: int
    last_raise: int
    raises: int
    aggressor: int
    single: bool = False
    announced: str = ""


class OpenRuling(msgspec.Struct):
    """The question that the hand waits on."""

    what: str
    remedy: Remedy
    facts: Facts = Facts()
    decided: str = ""
    steps: list[Step] = []
    return_to: str = ""
    """Where the hand came from, in a snapshot of the version that kept it here; the machine keeps it now."""


class Mover(Protocol):
    """The machine that a hand is given."""

    def move(self, hand: Hand, trigger: str, args: tuple[Any, ...], out: list[Output]) -> None: ...


class Hand(msgspec.Struct, dict=True):
    """One hand of poker; hole cards are sealed tokens, amounts are cents.

    `phase` and `interrupted_from` are where its machine stands: only the machine writes them.
    """

    machine: ClassVar[Mover]
    terms: Terms
    betting: Betting
    button: int
    phase: str = BETWEEN
    button_in_use: bool = True
    blinds: list[Due] = []
    """Every compulsory blind and post of the hand."""
    dues: list[Due] = []
    """Those not yet up."""
    fees_due: list[int] = []
    fees: int = 0
    last_blind_index: int = 0
    straddle: int = 0
    straddler: int = -1
    side: list[SideWager] = []
    side_results: list[SideResult] = []
    shuffled: bool = False
    cut: bool = False
    dealt: int = 0
    seen: list[str] = []
    """Every card that has left the deck since the shuffle, to know one that comes twice."""
    board: list[str] = []
    burns: list[str] = []
    muck: list[str] = []
    aside: list[str] = []
    burn_ready: bool = False
    """The next street may be dealt: its burn is taken, or a remedy says that none is due."""
    boxed: int = 0
    exposed: list[tuple[int, str]] = []
    """Hole cards that the dealer showed, until they are swapped."""
    flashed: int = 0
    """How many hole cards the dealer has shown in this deal (9.1.1(i))."""
    actors: int = 0
    """Seats that have acted in the hand, a bit for each index."""
    street_actors: int = 0
    """The same since the last board card."""
    held: list[Held] = []
    placed: Placed | None = None
    pots: list[Pot] = []
    rake: int = 0
    rake_by_pot: list[int] = []
    hands: list[TabledHand] = []
    given_up: list[int] = []
    awards: list[Share] = []
    ruling: OpenRuling | None = None
    misdeals: int = 0
    interrupted_from: str = ""


def one_left(hand: Hand) -> bool:
    """One seat has not given up its claim."""
    left = 0
    for player in hand.betting.players:
        if player.live:
            left += 1
            if left > 1:
                return False
    return True


def one_left_with_side_wagers(hand: Hand) -> bool:
    """The flop is still dealt, for wagers that wait for it (8.17.3(a)(i))."""
    return bool(hand.side) and not hand.side_results and one_left(hand)


def discards_now(hand: Hand) -> bool:
    """Every live hand gives up a card after this round (8.17.4, 8.18.4)."""
    return hand.terms.game.discard_after == hand.betting.round


def move(hand: Hand, trigger: str, out: list[Output], *args: Any) -> None:
    """Say what happened; where the hand goes and what follows stands in its rows."""
    hand.machine.move(hand, trigger, args, out)


def index_of(hand: Hand, seat: int) -> int:
    """The place of a seat in the deal order; refused when it is not in this hand."""
    for index, player in enumerate(hand.betting.players):
        if player.seat == seat:
            return index
    raise Refusal("8.4", f"seat {seat} is not dealt into this hand")


def propose(hand: Hand, what: Irregularity, facts: Facts, out: list[Output]) -> None:
    """Stand still, with what the rules say about an irregularity."""
    cure = remedy(what, facts)
    asked = Prompt(what, cure.clause, cure.rank, cure.ruling, choices(cure), facts.seat)
    move(hand, "irregularity", out, OpenRuling(what, cure, facts), asked)


def choices(cure: Remedy) -> tuple[str, ...]:
    """What a person may decide: the rule's own answer and the others it leaves open."""
    return cure.otherwise if cure.ruling == "ask" else (cure.ruling, *cure.otherwise)


def chips_on_table(hand: Hand) -> int:
    """Every chip the players brought, wherever it lies now: the same number from the first post to the drop."""
    total = hand.fees
    for player in hand.betting.players:
        total += player.stack + player.in_hand
    if hand.phase in ("drop", BETWEEN):
        total += hand.rake
    if hand.phase == BETWEEN:
        total += side_house(hand)
    elif hand.side_results:
        total += sum(result.amount for result in hand.side_results)
    else:
        total += sum(wager.amount for wager in hand.side)
    return total


def side_house(hand: Hand) -> int:
    """What the house won of the side wagers; negative when it paid."""
    return sum(-result.won if result.won else result.amount for result in hand.side_results)


# -- the table around it -----------------------------------------------------------------------------------------

DeckStatus = Literal["", "loaded", "checking", "checked", "bad", "ready", "given"]
"""What is known of the deck in the shuffler; ready is checked and shuffled."""


class LayOpen(msgspec.Struct, frozen=True):
    """The board at the end of a hand, and what players tabled, by seat."""

    board: tuple[str, ...] = ()
    tabled: dict[int, tuple[str, ...]] = {}


class Gone(msgspec.Struct, frozen=True):
    """A chip of the hand that left an area, or was taken to one; when is in milliseconds."""

    area: int
    cents: int
    at: int
    off: int = 0
    """As much of it was part of a wager on its line."""


class HandInPlay(msgspec.Struct):
    """The hand under way, and what the table knows of it besides; the next one begins afresh."""

    hand: Hand
    positions: Positions
    """Its button and blinds."""
    base: dict[int, int] = {}
    """What lies on a line and was not wagered in this round."""
    differing: list[int] = []
    """Seats whose line was told to differ from the ledger, until it is known to agree."""
    fresh: dict[int, int] = {}
    """Chips laid on a line since it was last ruled on."""
    announced: dict[int, str] = {}
    since: dict[int, int] = {}
    """When the first chips of a seat's last placement came."""
    pot_seen: bool = False
    """Chips of the decided pot were seen, so that their going means that they were pushed."""
    refunds: dict[int, int] = {}
    """What went back to each seat because the hand came to nothing."""
    stakes: dict[int, int] = {}
    """What each seat had in the pots when they were decided."""
    before: list[int] = []
    """Chips that lay about before the hand began, and are none of it."""
    off: dict[int, int] = {}
    """What each seat has wagered and is off its line: it lies in the pot, or is missing."""
    gone: dict[int, Gone] = {}
    """Chips that left lines or pot and lie nowhere."""
    strayed: dict[int, Gone] = {}
    """Chips that left a line for another seat's."""
    taken: dict[int, Gone] = {}
    """Chips of the pot that lie on a line."""
    look_due: tuple[int, int] = (0, 0)
    """When the pot was last found right, and when it would have been looked at: a sweep is right for a moment."""
    change: dict[int, int] = {}
    """What a seat gets back of chips it laid in this round: it may come out of the pot."""
    back: dict[int, int] = {}
    """What was told to go back to each seat."""


class Opening(msgspec.Struct, frozen=True):
    """Cards that a person says lie open, until their faces have been told."""

    what: Literal["hand", "board", "look"]
    cards: tuple[str, ...]
    seat: int = 0
    by: str = ""


class Deal(msgspec.Struct):
    """What is known of the cards since the last shuffle; a card has another name in every deal."""

    number: int = 1
    faces: dict[str, str] = {}
    """Cards that lie open."""
    waiting: list[tuple[int, str]] = []
    """Cards that came to a seat before the one that was due."""
    between: list[str] = []
    """Cards that lie between two antennas."""
    doubled: list[str] = []
    """Cards that answer from two places at once."""
    dealt_from: int = -1
    """Which of the table's registered decks is dealt, once a card of it has come."""
    strangers: list[str] = []
    """Cards of another registered deck."""
    openings: dict[str, Opening] = {}


class Deck(msgspec.Struct):
    """The deck in the shuffler, and what its names are sealed with."""

    status: DeckStatus = ""
    defective: bool = False
    """The last deck that was read to its end is not to be played with."""
    salt: str = ""
    checks: int = 0
    """How many checks were ordered."""
    opened: int = 0
    """How many times faces were asked for."""


class Felt(msgspec.Struct):
    """What the antennas see."""

    cards: dict[str, int] = {}
    """Where each card lies, in the order they came."""
    chips: dict[int, dict[int, int]] = {}
    """Cents by tag on every area that is not empty."""


class Seat(msgspec.Struct):
    """A player at the table; amounts are cents."""

    player: str
    stack: int
    flags: SeatFlags = msgspec.field(default_factory=SeatFlags)
    coming: int = 0
    """Chips bought during a hand, which join the stack after it (6.11)."""
    leaving: bool = False
    away_since: int = 0
    posts: bool = False
    """Puts up the large blind to be dealt into the next hand (8.9.5, 8.10.2)."""
    refused: bool = False
    """Has not posted the blind that was due: the next hand goes without this seat (8.9.3)."""


class Earned(msgspec.Struct, frozen=True):
    """A tabled hand that earns a prize, until level 2 has verified it (11.3)."""

    round: int
    seat: int
    player: str
    prize: str


class ComingTerms(msgspec.Struct):
    """Other terms that were announced, and the notice that runs for them."""

    terms: Terms
    notice: Notice
    since: int = 0


class PickedUp(msgspec.Struct, frozen=True):
    """Whose chips were picked up, how many, and when, in milliseconds (8.11)."""

    amount: int
    at: int


class RunnerBank(msgspec.Struct):
    """What a chip runner carries from the mobile bank: chips to sell, and cash taken for them."""

    chips: int = 0
    cash: int = 0


class PokerState(msgspec.Struct):
    """Everything the game knows between events."""

    terms: Terms
    coming: ComingTerms | None = None
    seats: dict[int, Seat] = {}
    positions: Positions | None = None
    """Button and blinds of the last hand that was completed."""
    button: int = 0
    """Where level 3 has placed the button for the next hand; 0 lets it move by itself."""
    time_charge: int = 0
    """Collected for the hour, and not checked yet (7.2.2(e))."""
    joined: int = 0
    """What the float of a stand-alone table has of the commission of this hand or charge (7.2.1(c))."""
    charge_due: bool = False
    """An hour begins whose charge has not been collected (7.2.2(b))."""
    earned: list[Earned] = []
    felt: Felt = msgspec.field(default_factory=Felt)
    deck: Deck = msgspec.field(default_factory=Deck)
    deal: Deal = msgspec.field(default_factory=Deal)
    in_play: HandInPlay | None = None
    results: tuple[WagerResult, ...] = ()
    """What the last hand came to, until the next one begins."""
    lay_open: LayOpen = msgspec.field(default_factory=LayOpen)
    """What decided it."""
    runners: dict[str, RunnerBank] = {}
    """What each chip runner carries, by their number."""
    picked_up: dict[str, PickedUp] = {}
    """Players who were picked up and have not come back, by name (8.12)."""

    @property
    def hand(self) -> Hand | None:
        """The hand under way."""
        return self.in_play.hand if self.in_play is not None else None
