"""How a card travels on a wire: one byte, 1 to 52; 0 where no card was recognised."""

from __future__ import annotations

RANKS = "23456789TJQKA"
SUITS = "SHDC"

#: the fifty-two cards as rank and suit, in the order of their codes
DECK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)

#: the card of each code; code 0 is no card
CARD_OF: tuple[str, ...] = ("", *DECK)

#: the code of each card
CODE_OF: dict[str, int] = {card: code for code, card in enumerate(CARD_OF) if card}

_SIGNS = dict(zip(SUITS, "♠♥♦♣", strict=True))


def as_read(card: str) -> str:
    """A card as people read it, whichever case its suit is written in."""
    return f"{card[:-1].replace('T', '10')}{_SIGNS[card[-1].upper()]}"
