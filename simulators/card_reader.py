"""Cards as things, the reader in a mouth that looks at them, and what can go wrong while a hand draws.

A card is written as in scenarios: "KS"; "CUT" the cutting card; "JOKER"; "??" a card nobody can read. A trailing "^"
lies face up, a trailing "?" is damaged and cannot be read, a leading "!" has another back.
"""

from __future__ import annotations

import functools
import random
from typing import Literal

import msgspec

from firmware_specs.cards import CODE_OF

CARD, UNREADABLE, CUTTING_CARD, JOKER, FOREIGN = range(5)  # as both declarations number a reading

MishapKind = Literal["unreadable", "misread", "doubtful", "twice", "half", "two", "face_up"]

PULL_S = (0.18, 0.34)  # a practised dealer's pull, from touching the card to its end leaving the mouth
DIRTY_AFTER = 3  # weak readings among the last ten make the device call its reader dirty
WEAK = 85


class Mishap(msgspec.Struct, frozen=True):
    """What goes wrong with one draw.

    `seen` is the face the reader believes in (misread, doubtful, or the second look of twice); `after_read` says that a
    half-drawn card had already been told as out; `blind` names which of two cards cannot be read.
    """

    kind: MishapKind
    seen: str = ""
    confidence: int = 0
    order_known: bool = True
    after_read: bool = False
    blind: tuple[int, ...] = ()


class MishapRates(msgspec.Struct, frozen=True):
    """How often each mishap comes by itself, as a share of draws."""

    unreadable: float = 0.0
    misread: float = 0.0
    doubtful: float = 0.0
    twice: float = 0.0
    half: float = 0.0
    two: float = 0.0


class Look(msgspec.Struct, frozen=True):
    """What the reader makes of one card."""

    reading: int
    card: int
    confidence: int
    second: int
    second_confidence: int
    face_up: bool


class Thing(msgspec.Struct, frozen=True):
    """A card as it is."""

    reading: int
    code: int
    face_up: bool


@functools.cache
def thing(text: str) -> Thing:
    """The card that is written so."""
    face_up = text.endswith("^")
    name = text.removesuffix("^")
    if name == "CUT":
        return Thing(CUTTING_CARD, 0, face_up)
    if name == "JOKER":
        return Thing(JOKER, 0, face_up)
    if name == "??":
        return Thing(UNREADABLE, 0, face_up)
    reading = FOREIGN if name.startswith("!") else UNREADABLE if name.endswith("?") else CARD
    face = name.removeprefix("!").removesuffix("?")
    if face not in CODE_OF:
        raise ValueError(f"{text!r} is no card; write rank and suit as in 'KS' or 'TD', CUT, JOKER or ??")
    return Thing(reading, CODE_OF[face], face_up)


class CardReader:
    """Looks at cards, well or badly."""

    def __init__(self, name: str, rates: MishapRates | None, both_sides: bool) -> None:
        self.dirt = 0  # per cent of the window
        self.both_sides = both_sides
        self.random = random.Random(name)
        self._rates: tuple[tuple[str, float], ...] = ()
        self._ordered: dict[int, Mishap] = {}
        self._draws = 0
        self._weak: list[bool] = []
        if rates is not None:
            self.suffer(rates)

    def suffer(self, rates: MishapRates) -> None:
        """From now on draws go wrong by chance, at these rates."""
        self._rates = tuple(msgspec.structs.asdict(rates).items())

    def spoil(self, mishap: Mishap, after: int) -> None:
        """Let a draw go wrong: the next one, or so many after it."""
        if mishap.seen and mishap.seen not in CODE_OF:
            raise ValueError(f"{mishap.seen!r} is no card that a reader could take another for")
        self._ordered[self._draws + after] = mishap

    def next_mishap(self) -> Mishap | None:
        """What goes wrong with the draw that begins now."""
        mishap = self._ordered.pop(self._draws, None) if self._ordered else None
        self._draws += 1
        if mishap is None and self._rates:
            chance = self.random.random()
            for kind, rate in self._rates:
                chance -= rate
                if chance < 0:
                    return Mishap(kind, order_known=self.random.random() < 0.5)  # type: ignore[arg-type]
        return mishap

    def look(self, card: str, mishap: Mishap | None = None) -> Look:
        """What is made of a card."""
        real = thing(card)
        face_up = real.face_up
        kind = mishap.kind if mishap is not None else ""
        if kind == "face_up":
            face_up = True
        if real.reading in (CUTTING_CARD, JOKER):
            return Look(real.reading, 0, 98, 0, 0, face_up)
        if real.reading == UNREADABLE or kind == "unreadable" or (face_up and not self.both_sides):
            return Look(UNREADABLE, 0, 0, 0, 0, face_up)
        draw = self.random.random()
        confidence = 96 + int(draw * 4)
        code, second, second_confidence = real.code, 0, 0
        if mishap is not None and kind in ("misread", "doubtful"):
            second, code = code, CODE_OF[mishap.seen] if mishap.seen else self._resembling(real.code)
            confidence = mishap.confidence or (96 if kind == "misread" else 50 + int(draw * 30))
            second_confidence = min(20, confidence) if kind == "misread" else max(confidence - 10, 0)
        if self.dirt and draw * 100 < self.dirt:
            confidence = max(confidence - 15 - int(self.random.random() * 40), 0)
            if confidence < 50:
                return Look(UNREADABLE, 0, 0, 0, 0, face_up)
        return Look(real.reading, code, confidence, second, second_confidence, face_up)

    def looks_dirty(self, look: Look) -> bool:
        """Whether so many readings were weak lately that the window must be dirty."""
        if not self.dirt:
            return False
        if look.reading not in (CUTTING_CARD, JOKER):
            self._weak = [*self._weak[-9:], look.confidence < WEAK]
        return sum(self._weak) >= DIRTY_AFTER

    def clean(self) -> None:
        """Wipe the window."""
        self.dirt = 0
        self._weak = []

    def pull_s(self) -> float:
        """How long the hand takes."""
        return self.random.uniform(*PULL_S)

    def _resembling(self, code: int) -> int:
        """Another card of the same suit, as misreadings go."""
        suit, rank = divmod(code - 1, 13)
        return 1 + suit * 13 + (rank + self.random.randint(1, 12)) % 13
