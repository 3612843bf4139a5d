"""Loads rulebook files: the header that all games share, the ladder of ranks, the powers and the readings."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from controller import games, rules
from controller.config.tomlread import ConfigError, Document, convert, nearest
from controller.rules import clauses

T = TypeVar("T")

HEADER = ("rulebook", "ranks", "powers", "readings", "amendment")

Said = Annotated[str, Meta(min_length=1)]
Moment = Annotated[datetime.datetime, Meta(tz=True)]


class Title(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which document this rulebook renders."""

    id: str
    title: str
    game: str
    document: str
    version: str


class Rank(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of the ladder."""

    id: str
    name: str
    clause: str = ""


class Power(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What only this rank or a higher one may do, and the clause that says so."""

    rank: str
    clause: str
    does: str


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The house's answer where the document leaves a question open, and the option it is set with."""

    clause: str
    question: str
    choice: str
    option: str = ""


class Amendment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By what act a rulebook was amended, and from when on it is played by."""

    reference: Said
    approved_by: Said
    approved: datetime.date
    effective: Moment
    clauses: dict[str, Said] = {}
    """What amended or new clauses ask, in our own words."""


class Rulebook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part of a rulebook that every game has."""

    rulebook: Title
    ranks: tuple[Rank, ...]
    powers: dict[str, Power]
    readings: dict[str, Reading] = {}
    amendment: Amendment | None = None
    edition: str = ""
    """The name under which this very text is found again; no word of the file itself."""

    @property
    def id(self) -> str:
        return self.rulebook.id

    @property
    def game(self) -> str:
        return self.rulebook.game

    @property
    def ladder(self) -> tuple[str, ...]:
        """The ids of the ranks, from the lowest to the highest."""
        return tuple(rank.id for rank in self.ranks)

    def level(self, rank: str) -> int:
        """A rank's step on the ladder, from 1; 0 for one this rulebook does not know."""
        return self.ladder.index(rank) + 1 if rank in self.ladder else 0

    def may(self, rank: str, power: str) -> bool:
        """Whether a person of this rank may use the power."""
        return self.level(rank) >= self.level(self.powers[power].rank)


def rulebook_ids() -> tuple[str, ...]:
    """The rulebooks this controller can play by."""
    return tuple(sorted(games.rulebooks()))


@functools.cache
def load_rulebook(rulebook: str) -> Rulebook:
    """The header, ranks, powers and readings of a rulebook."""
    document = _document(rulebook)
    head = {key: value for key, value in document.values.items() if key in HEADER}
    book = convert(document, Rulebook, head)
    _check_header(document, book, rulebook)
    return msgspec.structs.replace(book, edition=rulebook)


def load_rules(rulebook: str, kind: type[T], check: Callable[[Document, T, str], None] | None = None) -> T:
    """What a rulebook fixes for its own game, as that game's struct, and as that game checks it."""
    document = _document(rulebook)
    body = {key: value for key, value in document.values.items() if key not in HEADER}
    rules = convert(document, kind, body)
    if check is not None:
        check(document, rules, rulebook)
    return rules


@functools.cache
def _document(rulebook: str) -> Document:
    if not rules.known(rulebook):
        raise ConfigError(f"no rulebook '{rulebook}'; {nearest(rulebook, list(rulebook_ids()))}")
    return Document(f"{rulebook}.toml", rules.text_of(rulebook))


def _check_header(document: Document, book: Rulebook, rulebook: str) -> None:
    if book.id != rules.carried(rulebook):
        raise document.error(("rulebook", "id"), f"'{book.id}' is not the file's own name '{rulebook}'")
    if rules.is_amended(rulebook) != (book.amendment is not None):
        what = (
            "an amended rulebook says in [amendment] by what act it was amended; one the program carries says nothing"
        )
        raise document.error(("amendment",), what)
    if book.amendment is not None and book.amendment.effective.date() < book.amendment.approved:
        raise document.error(
            ("amendment", "effective"), "it takes effect before it was approved", "correct one of them"
        )
    if not book.ranks or len(set(book.ladder)) != len(book.ladder):
        raise document.error(("ranks",), "the ladder of ranks is empty or names a rank twice")
    for name, power in book.powers.items():
        if power.rank not in book.ladder:
            remedy = f"the ladder is {' < '.join(book.ladder)}"
            raise document.error(("powers", name), f"'{name}' needs the unknown rank '{power.rank}'", remedy)
    for table, entries in (("powers", book.powers), ("readings", book.readings)):
        for name, entry in entries.items():
            check_clause(document, (table, name), rulebook, entry.clause)
    for name, reading in book.readings.items():
        if reading.option and not _stands(document.values, reading.option):
            what = f"reading {name} is set with '{reading.option}', which does not stand in this file"
            raise document.error(("readings", name), what)
    for number, rank in enumerate(book.ranks):
        if rank.clause:
            check_clause(document, ("ranks", number, "clause"), rulebook, rank.clause)


def check_clause(document: Document, keys: tuple[str | int, ...], rulebook: str, clause: str) -> None:
    """Refuse a clause that the index does not have."""
    if not clauses.exists(rulebook, clause):
        raise document.error(keys, f"clause '{clause}' is not in the index", "use an id as the document prints it")


def option_of(rulebook: str, dotted: str) -> Any:
    """What an option is set to in a rulebook; nothing where the book does not have it."""
    return _found(_document(rulebook).values, dotted)


def _stands(values: Any, dotted: str) -> bool:
    return _found(values, dotted) is not None


def _found(values: Any, dotted: str) -> Any:
    for key in dotted.split("."):
        if not isinstance(values, dict) or key not in values:
            return None
        values = values[key]
    return values
