"""Cards as the table writes them: rank and suit, and the signs for what is no readable card of the deck."""

from __future__ import annotations

from typing import Literal, NamedTuple

RANKS = "23456789TJQKA"
SUITS = "SHDC"
FACES = tuple(rank + suit for suit in SUITS for rank in RANKS)
CUT = "CUT"
FOREIGN = "JOKER"
UNKNOWN = "??"

RANK = {face: RANKS.index(face[0]) + 2 for face in FACES}
"""Ace high, suits equal (Melbourne 3.3.1, Perth 2.6, Star 3.2.1)."""

Kind = Literal["card", "cut", "foreign", "unknown"]


class Drawing(NamedTuple):
    """What a written card stands for; `face_up` is the trailing ^."""

    kind: Kind
    face: str
    face_up: bool = False


class BadCard(ValueError):
    """A written card that means nothing."""


def parse(text: str) -> Drawing:
    """Read a card as scenarios and consoles write it: KS, 9H^, CUT, JOKER, ??."""
    face = text.strip().upper()
    face_up = face.endswith("^")
    face = face.removesuffix("^").replace("10", "T")
    if face in RANK:
        return Drawing("card", face, face_up)
    if face == CUT:
        return Drawing("cut", CUT)
    if face == FOREIGN:
        return Drawing("foreign", FOREIGN, face_up)
    if face in (UNKNOWN, "?"):
        return Drawing("unknown", UNKNOWN, face_up)
    raise BadCard(f"{text!r} is no card; write rank 2-9 T J Q K A and suit S H D C, or CUT, JOKER, ??")


def burn_value(face: str) -> int:
    """How many cards a turned first card burns: pictures ten, ace one (Perth 4.7)."""
    rank = RANK[face]
    return 1 if rank == 14 else min(rank, 10)
