"""The fifty-two cards as two letters (rank, suit), and what their suits and colours mean in the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firmware_specs.cards import as_read

RANKS = "23456789TJQKA"
SUITS = "cdhs"
"""From the lowest to the highest, which matters only to an odd chip without a button (3.3)."""

DECK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)

BIT: dict[str, int] = {card: 1 << number for number, card in enumerate(DECK)}
"""Each card as one bit: thirteen bits a suit, the ace on top."""


def parse_cards(text: str) -> list[str]:
    """Cards written without spaces, as in 'AsKd'."""
    cards = [text[at : at + 2] for at in range(0, len(text), 2)]
    for card in cards:
        if card not in BIT:
            raise ValueError(f"{card!r} is no card; write rank and suit, as in 'As' or 'Td'")
    return cards


def mask_of(cards: Iterable[str]) -> int:
    """The cards as one number with a bit for each."""
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


def colour(card: str) -> str:
    """Red or black (10.1.1)."""
    return "red" if card[1] in "dh" else "black"


def by_rank_then_suit(card: str) -> tuple[int, int]:
    """How cards compare for an odd chip without a button (8.5.2, 3.3, P-A18)."""
    return RANKS.index(card[0]), SUITS.index(card[1])


def is_face(card: str) -> bool:
    """Whether this is a card whose face is known, and not a sealed token."""
    return card in BIT


def face_in_words(card: str) -> str:
    """A card as people read it."""
    return as_read(card) if is_face(card) else card


def entered(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards as people enter them, written as the rules of the game write them."""
    return tuple(card[0] + card[1].lower() for card in cards)


def highest_card(cards: Sequence[str]) -> tuple[int, int]:
    """The best single card of a hand, suits breaking ties (8.5.2)."""
    return max(by_rank_then_suit(card) for card in cards)
