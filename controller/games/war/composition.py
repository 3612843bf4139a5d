"""The cards of a shoe one by one: each of each deck accounted for, so that identity and not a count is the proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from controller.games.war.cards import FACES, face_in_words, faces_in_words

_PACKED = {face: "A23456789TJQK".index(face[0]) for face in FACES}
"""The place of a card within its suit as a new deck is packed."""


class Trouble(NamedTuple):
    """A card that cannot be, in words for the floor."""

    code: str
    text: str
    face: str


class Composition(msgspec.Struct):
    """Where the cards of a set are: still in the source, or out of it since the last shuffle."""

    decks: int
    out: dict[str, int] = {}
    set_aside: list[str] = []
    unknown: int = 0
    known: int = 0

    @property
    def total(self) -> int:
        return self.decks * 52 - len(self.set_aside)

    @property
    def drawn(self) -> int:
        return self.known + self.unknown

    def should_have(self, face: str) -> int:
        """How many of this card the set holds."""
        return self.decks - self.set_aside.count(face)

    def left(self, face: str) -> int:
        """How many of this card the source should still hold."""
        return self.should_have(face) - self.out.get(face, 0)

    def draw(self, face: str) -> Trouble | None:
        """A card left the source; tell if it cannot have been there."""
        self.out[face] = self.out.get(face, 0) + 1
        self.known += 1
        if self.left(face) < 0:
            held = self.should_have(face)
            text = f"{face_in_words(face)} came {self.out[face]} times from a set that holds it {held} times."
            return Trouble("impossible_card", text, face)
        if self.drawn > self.total:
            return Trouble("too_many_cards", f"{self.drawn} cards came from a set of {self.total}.", face)
        return None

    def undraw(self, face: str) -> None:
        """A card told twice, or pushed back, never left."""
        if face not in self.out:
            return
        self.known -= 1
        self.out[face] -= 1
        if not self.out[face]:
            del self.out[face]

    def draw_unknown(self) -> Trouble | None:
        """A card left unread; it stays open until somebody says what it was."""
        self.unknown += 1
        if self.drawn > self.total:
            return Trouble("too_many_cards", f"{self.drawn} cards came from a set of {self.total}.", "")
        return None

    def identify(self, face: str) -> Trouble | None:
        """An unread card got its name."""
        self.unknown = max(0, self.unknown - 1)
        return self.draw(face)

    def shuffled(self) -> None:
        """All cards went back into the source."""
        self.out = {}
        self.unknown = 0
        self.known = 0

    def fed(self, faces: Iterable[str]) -> None:
        """These cards went back into a continuous shuffler."""
        for face in faces:
            self.undraw(face)

    def put_aside(self, face: str) -> None:
        """A damaged card left the set; it stays open until a replacement is recorded."""
        self.set_aside.append(face)

    def replace(self, face: str) -> bool:
        """A card of the same face came in from a new deck; False if none such is missing."""
        if face not in self.set_aside:
            return False
        self.set_aside.remove(face)
        return True


class Audit(NamedTuple):
    """What a complete reading of a set shows against what it should hold."""

    missing: tuple[str, ...]
    surplus: tuple[str, ...]
    foreign: tuple[str, ...]

    @property
    def right(self) -> bool:
        return not (self.missing or self.surplus or self.foreign)

    def words(self) -> str:
        """The finding in one line; the count alone is never trusted."""
        parts = []
        for name, faces in (("missing", self.missing), ("too many", self.surplus), ("foreign", self.foreign)):
            if faces:
                parts.append(f"{name}: {faces_in_words(faces)}")
        return "; ".join(parts) or "complete"


def audit(decks: int, faces: Iterable[str]) -> Audit:
    """Compare a complete reading with so many decks, card by card."""
    read = Counter(faces)
    missing: list[str] = []
    surplus: list[str] = []
    for face in FACES:
        difference = read.pop(face, 0) - decks
        missing += [face] * -difference
        surplus += [face] * difference
    return Audit(tuple(missing), tuple(surplus), tuple(sorted(read.elements())))


def switched(drawn: Sequence[str], returned: Sequence[str]) -> Audit:
    """Compare the cards picked up from the layout with those that were drawn to it."""
    left, came = Counter(drawn), Counter(returned)
    foreign = came - Counter({face: came[face] for face in FACES})
    came -= foreign
    return Audit(tuple((left - came).elements()), tuple((came - left).elements()), tuple(foreign.elements()))


def factory_run(faces: Sequence[str]) -> int:
    """How many of the last cards follow each other as a new deck is packed: one suit, rank by rank, up or down."""
    if not faces:
        return 0
    longest = 1
    for step in (1, -1):
        at = len(faces) - 1
        while at and _follows(faces[at - 1], faces[at], step):
            at -= 1
        longest = max(longest, len(faces) - at)
    return longest


def _follows(earlier: str, later: str, step: int) -> bool:
    return earlier[1:] == later[1:] and _PACKED[later] - _PACKED[earlier] == step
