"""What can be told to a hand: each input is one thing that happened at the table, in the words of the table."""

from __future__ import annotations

from typing import Literal

import msgspec

from controller.games.poker.actions import Announced
from controller.games.poker.flop_chase import Colour
from controller.games.poker.remedies import Irregularity

ActKind = Literal["fold", "check", "call", "bet", "raise", "all_in"]


class Input(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """Something that happened."""


class Post(Input, frozen=True):
    """A seat put up a blind, a post or a fee that is due, or a straddle."""

    seat: int
    amount: int
    kind: Literal["blind", "straddle", "fee"] = "blind"


class RefuseBlind(Input, frozen=True):
    """A seat does not post the blind that is due from it."""

    seat: int


class PlaceSideWager(Input, frozen=True):
    """Chips on a side-wager area."""

    seat: int
    colour: Colour
    amount: int


class Shuffled(Input, frozen=True):
    """The deck was shuffled for this hand."""


class Cut(Input, frozen=True):
    """The dealer cut the deck and put it on the cutting card."""


class CardTo(Input, frozen=True):
    """A card arrived at a seat; the token says nothing about its face."""

    seat: int
    card: str


class Exposed(Input, frozen=True):
    """The dealer showed a hole card while dealing."""

    seat: int
    card: str


class Boxed(Input, frozen=True):
    """A card lay face up in the deck."""

    card: str


class Burn(Input, frozen=True):
    """A card left the deck for the burn pile."""

    card: str


class Board(Input, frozen=True):
    """Board cards were turned up, in the order they left the deck."""

    cards: tuple[str, ...]


class Discard(Input, frozen=True):
    """A seat gave up one card in a Pineapple game."""

    seat: int
    card: str


class Act(Input, frozen=True):
    """A seat acted, announced or keyed by the dealer; a bet's or raise's amount is the total in this round."""

    seat: int
    kind: ActKind
    amount: int = 0


class Chips(Input, frozen=True):
    """A seat put chips forward; `single` when it was one chip."""

    seat: int
    amount: int
    single: bool = False
    announced: Announced = ""


class TimeUp(Input, frozen=True):
    """The time to act of the seat in turn is over."""

    seat: int


class Table(Input, frozen=True):
    """A seat laid its hand open; the faces come in the order of its sealed cards."""

    seat: int
    cards: tuple[str, ...]


class Muck(Input, frozen=True):
    """A seat gave up its hand at the showdown without showing it."""

    seat: int


class AskToSee(Input, frozen=True):
    """A player asked to see a discarded hand of the last called round (9.5)."""

    seat: int
    asker: int


class Irregular(Input, frozen=True):
    """Somebody noticed that something went wrong."""

    what: Irregularity
    seat: int = 0
    cards: tuple[str, ...] = ()
    correctable: bool = False


class Rule(Input, frozen=True):
    """A person of some rank decided the open question."""

    choice: str
    rank: int
    by: str = ""


class StepDone(Input, frozen=True):
    """The dealer carried out the next step of a remedy; `card` is the one that came off the deck, if one did."""

    card: str = ""


class Cancel(Input, frozen=True):
    """The hand is invalidated (13.5)."""

    reason: Literal["disruption", "fraud"]
    rank: int
    by: str = ""


class Pushed(Input, frozen=True):
    """The dealer pushed the pots to their winners."""


class Dropped(Input, frozen=True):
    """The dealer dropped the commission."""
