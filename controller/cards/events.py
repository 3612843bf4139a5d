"""What the table is told of cards it may not know: each under a name that says nothing, its face under seal.

A face enters the journal in one way only: a person says that cards lie open, and `CardsOpened` tells exactly those.
"""

from __future__ import annotations

import msgspec

from controller.core.events import TableEvent


class SealBegun(TableEvent, frozen=True):
    """From here on the cards of this journal are named and sealed with this salt; the key is not in the journal."""

    salt: str


class Sealed(msgspec.Struct, frozen=True, array_like=True):
    """One card at an antenna: its name in this deal, and its face under seal, told once a deal.

    A tag that belongs to no card of the deck is named by itself, with a question mark before it. `deck` says which of
    the registered decks it belongs to, which tells nothing of its face.
    """

    antenna: int
    card: str
    seal: str = ""
    deck: int = 0


class CardsMoved(TableEvent, frozen=True):
    """Cards came to antennas or left them (antenna and name); cards that came stand in the order they were read."""

    device: str
    deal: int
    added: tuple[Sealed, ...] = ()
    removed: tuple[tuple[int, str], ...] = ()


class CardsCounted(TableEvent, frozen=True):
    """Every card on every antenna, read anew; it takes the place of whatever was known."""

    device: str
    deal: int
    cards: tuple[Sealed, ...] = ()
    unread: tuple[int, ...] = ()


class CardBetween(TableEvent, frozen=True):
    """A card lies between antennas and counts for none of them."""

    device: str
    card: str
    antennas: tuple[int, ...]


class CardNotBetween(TableEvent, frozen=True):
    """It no longer does."""

    device: str
    card: str


class CardDoubled(TableEvent, frozen=True):
    """One tag answers from two places: there are two cards with one tag."""

    device: str
    card: str
    antennas: tuple[int, ...]


class CardSingle(TableEvent, frozen=True):
    """It answers from one place again."""

    device: str
    card: str


class CardsOpened(TableEvent, frozen=True):
    """Cards that lie open, by name and face, as a person said they do; `order` is the table's own request."""

    order: str
    cards: tuple[tuple[str, str], ...]


EVENTS = (
    SealBegun,
    CardsMoved,
    CardsCounted,
    CardBetween,
    CardNotBetween,
    CardDoubled,
    CardSingle,
    CardsOpened,
)


def is_foreign(card: str) -> bool:
    """Whether this names a tag that belongs to no card of the deck."""
    return card.startswith("?")
