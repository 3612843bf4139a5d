"""A hand as a value: everything there is to know between two inputs, saved and restored whole."""

from __future__ import annotations

import msgspec

from controller.games.poker.actions import Held
from controller.games.poker.betting import Betting
from controller.games.poker.course import FROM, INITIAL
from controller.games.poker.flop_chase import SideResult, SideWager
from controller.games.poker.outputs import Moved, Output, Prompt
from controller.games.poker.pots import Pot, Share
from controller.games.poker.remedies import Facts, Irregularity, Remedy, Step, remedy
from controller.games.poker.rules import Terms
from controller.games.poker.showdown import TabledHand


class Refusal(Exception):
    """An input that cannot be taken; nothing has changed."""

    def __init__(self, clause: str, text: str) -> None:
        super().__init__(text)
        self.clause = clause
        self.text = text


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


class OpenRuling(msgspec.Struct):
    """The question the ruling overlay waits on, and the state it returns to."""

    what: str
    remedy: Remedy
    return_to: str
    facts: Facts = Facts()
    decided: str = ""
    steps: list[Step] = []


class Hand(msgspec.Struct, gc=False):
    """One hand of poker; hole cards are sealed tokens, amounts are cents."""

    terms: Terms
    betting: Betting
    button: int
    phase: str = INITIAL
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


def one_left(hand: Hand) -> bool:
    """One seat has not given up its claim."""
    left = 0
    for player in hand.betting.players:
        if player.live:
            left += 1
            if left > 1:
                return False
    return True


def _one_left_with_side_wagers(hand: Hand) -> bool:
    return bool(hand.side) and not hand.side_results and one_left(hand)


def _discards_now(hand: Hand) -> bool:
    return hand.terms.game.discard_after == hand.betting.round


def holds(hand: Hand, guard: str) -> bool:
    """Whether a way's guard lets the hand pass."""
    if guard == "one_left":
        return one_left(hand)
    if guard == "one_left_with_side_wagers":
        return _one_left_with_side_wagers(hand)
    if guard == "discards_now":
        return _discards_now(hand)
    return hand.ruling is not None and guard == f"back_to_{hand.ruling.return_to}"


def move(hand: Hand, trigger: str, out: list[Output]) -> None:
    """Go where the declared course leads from here; a trigger it does not know is an error of ours."""
    source = hand.phase
    for way in FROM.get((trigger, source), ()):
        if not way.guard or holds(hand, way.guard):
            hand.phase = way.dest
            out.append(Moved(trigger, source, way.dest, way.clause))
            return
    raise RuntimeError(f"the course of a hand has no way '{trigger}' from '{source}'; report this hand's record")


def index_of(hand: Hand, seat: int) -> int:
    """The place of a seat in the deal order; refused when it is not in this hand."""
    for index, player in enumerate(hand.betting.players):
        if player.seat == seat:
            return index
    raise Refusal("8.4", f"seat {seat} is not dealt into this hand")


def rule_on(hand: Hand, what: str, cure: Remedy, out: list[Output], facts: Facts | None = None) -> None:
    """Enter the ruling overlay, which remembers where to go back to."""
    return_to = hand.phase
    move(hand, "irregularity", out)
    hand.ruling = OpenRuling(what, cure, return_to, facts or Facts())


def propose(hand: Hand, what: Irregularity, facts: Facts, out: list[Output]) -> None:
    """Open the ruling overlay with what the rules say about an irregularity."""
    cure = remedy(what, facts)
    rule_on(hand, what, cure, out, facts)
    out.append(Prompt(what, cure.clause, cure.rank, cure.ruling, choices(cure), facts.seat))


def choices(cure: Remedy) -> tuple[str, ...]:
    """What a person may decide: the rule's own answer and the others it leaves open."""
    return cure.otherwise if cure.ruling == "ask" else (cure.ruling, *cure.otherwise)


def chips_on_table(hand: Hand) -> int:
    """Every chip the players brought, wherever it lies now: the same number from the first post to the drop."""
    total = hand.fees
    for player in hand.betting.players:
        total += player.stack + player.in_hand
    if hand.phase in ("drop", "over"):
        total += hand.rake
    if hand.phase == "over":
        total += side_house(hand)
    elif hand.side_results:
        total += sum(result.amount for result in hand.side_results)
    else:
        total += sum(wager.amount for wager in hand.side)
    return total


def side_house(hand: Hand) -> int:
    """What the house won of the side wagers; negative when it paid."""
    return sum(-result.won if result.won else result.amount for result in hand.side_results)
