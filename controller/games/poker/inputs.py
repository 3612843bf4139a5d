"""What can be told to a hand: each input is one thing that happened at the table, in the words of the table."""

from __future__ import annotations

from typing import Literal

import msgspec

from controller.games.poker.actions import Announced
from controller.games.poker.flop_chase import Colour
from controller.games.poker.remedies import Irregularity

ActKind = Literal["fold", "check", "call", "bet", "raise", "all_in"]


class Input(msgspec.Struct, frozen=True, tag_field="type", tag=True, gc=False):
    """Something that happened."""


class Post(Input, frozen=True, gc=False):
    """A seat put up a blind, a post or a fee that is due, or a straddle."""

    seat: int
    amount: int
    kind: Literal["blind", "straddle", "fee"] = "blind"


class RefuseBlind(Input, frozen=True, gc=False):
    """A seat does not post the blind that is due from it."""

    seat: int


class PlaceSideWager(Input, frozen=True, gc=False):
    """Chips on a side-wager area."""

    seat: int
    colour: Colour
    amount: int


class LiftSideWager(Input, frozen=True, gc=False):
    """Chips of a side wager were taken back before the first card."""

    seat: int
    colour: Colour
    amount: int


class Shuffled(Input, frozen=True, gc=False):
    """The deck was shuffled for this hand."""


class Cut(Input, frozen=True, gc=False):
    """The dealer cut the deck and put it on the cutting card."""


class CardTo(Input, frozen=True, gc=False):
    """A card arrived at a seat; the token says nothing about its face."""

    seat: int
    card: str


class Exposed(Input, frozen=True, gc=False):
    """The dealer showed a hole card while dealing."""

    seat: int
    card: str


class Boxed(Input, frozen=True, gc=False):
    """A card lay face up in the deck."""

    card: str


class Burn(Input, frozen=True, gc=False):
    """A card left the deck for the burn pile."""

    card: str


class Board(Input, frozen=True, gc=False):
    """Board cards were turned up, in the order they left the deck."""

    cards: tuple[str, ...]


class Discard(Input, frozen=True, gc=False):
    """A seat gave up one card in a Pineapple game."""

    seat: int
    card: str


class Act(Input, frozen=True, gc=False):
    """A seat acted, announced or keyed by the dealer; a bet's or raise's amount is the total in this round."""

    seat: int
    kind: ActKind
    amount: int = 0


class Chips(Input, frozen=True, gc=False):
    """A seat put chips forward; `single` when it was one chip, `same` when they may have lain there, unread, before."""

    seat: int
    amount: int
    single: bool = False
    announced: Announced = ""
    same: bool = False


class SaidLate(Input, frozen=True, gc=False):
    """Something was announced of chips that have been ruled on already."""

    seat: int
    what: Announced


class TimeUp(Input, frozen=True, gc=False):
    """The time to act of the seat in turn is over."""

    seat: int


class BuyTime(Input, frozen=True, gc=False):
    """The seat in turn buys more time to act."""

    seat: int


class Table(Input, frozen=True, gc=False):
    """A seat laid its hand open; the faces come in the order of its sealed cards."""

    seat: int
    cards: tuple[str, ...]


class Muck(Input, frozen=True, gc=False):
    """A seat gave up its hand at the showdown without showing it."""

    seat: int


class AskToSee(Input, frozen=True, gc=False):
    """A player asked to see a discarded hand of the last called round (9.5)."""

    seat: int
    asker: int


class Irregular(Input, frozen=True, gc=False):
    """Somebody noticed that something went wrong."""

    what: Irregularity
    seat: int = 0
    cards: tuple[str, ...] = ()
    correctable: bool = False


class Rule(Input, frozen=True, gc=False):
    """A person of some rank decided the open question."""

    choice: str
    rank: int
    by: str = ""


class StepDone(Input, frozen=True, gc=False):
    """The dealer carried out the next step of a remedy; `card` is the one that came off the deck, if one did."""

    card: str = ""


class Cancel(Input, frozen=True, gc=False):
    """The hand is invalidated (13.5)."""

    reason: Literal["disruption", "fraud"]
    rank: int
    by: str = ""


class Pushed(Input, frozen=True, gc=False):
    """The dealer pushed the pots to their winners."""


class Dropped(Input, frozen=True, gc=False):
    """The dealer dropped the commission."""
