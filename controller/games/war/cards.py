"""Cards as the table writes them: rank and suit, and the signs for what is no readable card of the deck."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from firmware_specs.cards import as_read

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


def face_in_words(face: str) -> str:
    """A card as people read it."""
    if face == UNKNOWN:
        return "an unread card"
    return as_read(face) if face[-1:] and face[-1] in SUITS else face or "face down"


def place_in_words(place: str) -> str:
    """Where a card lies."""
    if place.startswith("box"):
        return f"box {place.removeprefix('box')}"
    return "the dealer" if place == "dealer" else place.replace("-", " ")


def faces_in_words(faces: Iterable[str]) -> str:
    """Several cards as people read them."""
    return ", ".join(map(face_in_words, faces))


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
