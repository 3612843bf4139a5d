"""What a poker table remembers between events: seats, cards by name, chips by area, and the hand under way."""

from __future__ import annotations

from typing import Literal

import msgspec

from controller.core.effects import WagerResult
from controller.games.poker.notices import Notice
from controller.games.poker.positions import Positions, SeatFlags
from controller.games.poker.rules import Terms
from controller.games.poker.state import Hand

Deck = Literal["", "loaded", "checking", "checked", "bad", "ready", "given"]
"""What is known of the deck in the shuffler; ready is checked and shuffled."""


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


class Opening(msgspec.Struct, frozen=True):
    """Cards that a person says lie open, until their faces have been told."""

    what: Literal["hand", "board", "look"]
    cards: tuple[str, ...]
    seat: int = 0
    by: str = ""


class ComingTerms(msgspec.Struct):
    """Other terms that were announced, and the notice that runs for them."""

    terms: Terms
    notice: Notice
    since: int = 0


class PokerState(msgspec.Struct):
    """Everything the game knows between events."""

    terms: Terms
    salt: str = ""
    deal: int = 1
    """Counts shuffles: a card has another name in every deal."""
    seats: dict[int, Seat] = {}
    positions: Positions | None = None
    """Button and blinds of the last hand that was completed."""
    next_positions: Positions | None = None
    """Those of the hand under way."""
    button: int = 0
    """Where level 3 has placed the button for the next hand; 0 lets it move by itself."""
    hand: Hand | None = None
    # cards
    cards: dict[str, int] = {}
    """Where each card lies that an antenna sees, in the order they came."""
    faces: dict[str, str] = {}
    """Cards of this deal that lie open."""
    waiting: list[tuple[int, str]] = []
    """Cards that came to a seat before the one that was due."""
    between: list[str] = []
    doubled: list[str] = []
    openings: dict[str, Opening] = {}
    opened: int = 0
    deck: Deck = ""
    defective: bool = False
    """The last deck that was read to its end is not to be played with."""
    checks: int = 0
    # chips
    chips: dict[int, dict[int, int]] = {}
    """Cents by tag on every area that is not empty."""
    base: dict[int, int] = {}
    """What lies on a line and was not wagered in this round."""
    differing: list[int] = []
    """Seats whose line was told to differ from the ledger, until it is known to agree."""
    fresh: dict[int, int] = {}
    """Chips laid on a line since it was last ruled on."""
    announced: dict[int, str] = {}
    pot_seen: bool = False
    """Chips of the decided pot were seen, so that their going means that they were pushed."""
    refunds: dict[int, int] = {}
    """What went back to each seat because the hand came to nothing."""
    stakes: dict[int, int] = {}
    """What each seat had in the pots when they were decided."""
    results: tuple[WagerResult, ...] = ()
    coming: ComingTerms | None = None
    time_charge: int = 0
    """Collected for the hour, and not checked yet (7.2.2(e))."""
