"""What a rulebook's chapter on tournaments fixes: its clauses, its options, and what terms may not change."""

from __future__ import annotations

import functools
from typing import Any

import msgspec

from controller import games
from controller.config.tomlread import Document, convert

NO_CHAPTER = "this rulebook has no tournament play"


class NoChapter(Exception):
    """The rulebook says nothing of tournaments, so none is played by it (T-56)."""

    def __init__(self, rulebook: str) -> None:
        super().__init__(NO_CHAPTER)
        self.rulebook = rulebook


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The house's answers where the chapter leaves a question open; the codes are those of the readings."""

    deputy_counts_as_present: bool  # T-4
    secret: bool  # T-22
    cash_chips: bool = False  # T-1
    presence_minutes: int = 30  # T-5
    start_notice_minutes: int = 10  # T-35
    regulator_before_moved_start: bool = True  # T-35
    seat_draw: bool = True  # T-36
    side_wagers: bool = False  # T-38
    void_rounds_count: bool = False  # T-43
    secret_after_call: bool = False  # T-22


class Statement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence that filed terms contain; one that need not apply is answered with true or false, never left out."""

    clause: str
    says: str
    may_be_false: bool = False
    events: tuple[str, ...] = ()


class GameTerm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What terms may say of the game: `rule` is where this rulebook says it, `values` what it may be otherwise."""

    clauses: tuple[str, ...]
    what: str
    rule: str = ""
    values: tuple[bool | int | str, ...] = ()
    reading: str = ""


class Book(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rulebook's chapter on tournaments; `own_ids` are clauses that do not print as the others do."""

    chapter: str
    seats_most: int
    chips: tuple[str, ...]
    markers: bool
    levels: bool
    sign_minutes: int
    sign_clauses: tuple[str, ...]
    secret_clauses: tuple[str, ...]
    dispute_rank: str
    dispute_clause: str
    move_clause: str
    options: Options
    statements: dict[str, Statement]
    game: dict[str, GameTerm]
    own_ids: dict[str, str] = {}
    chip_clauses: dict[str, tuple[str, ...]] = {}
    seats_by_variant: dict[str, int] = {}

    def clause(self, ending: str) -> str:
        """The clause of this chapter, as its document prints it: "4.7(b)" is 10.4.7(b), 8.4.7(b) or 12.4.7(b)."""
        return self.own_ids.get(ending, f"{self.chapter}.{ending}")

    def seats(self, game: dict[str, Any]) -> int:
        """How many a table of this game seats at most."""
        return self.seats_by_variant.get(str(game.get("variant", "")), self.seats_most)

    def clauses(self, *endings: str) -> tuple[str, ...]:
        return tuple(self.clause(ending) for ending in endings)


def has_chapter(rulebook: str) -> bool:
    """Whether tournaments are played by this rulebook at all."""
    return rulebook in games.tournaments()


@functools.cache
def load_book(rulebook: str) -> Book:
    """The chapter of a rulebook; NoChapter where it has none."""
    if not has_chapter(rulebook):
        raise NoChapter(rulebook)
    file = games.tournaments()[rulebook]
    return convert(Document(file.name, file.read_text(encoding="utf-8")), Book)


@functools.cache
def _values(rulebook: str) -> dict[str, Any]:
    path = games.rulebooks()[rulebook]
    return Document(path.name, path.read_text(encoding="utf-8")).values


def rule_at(rulebook: str, dotted: str) -> Any:
    """What the rulebook itself says at this place; KeyError where it says nothing."""
    value: Any = _values(rulebook)
    for key in dotted.split("."):
        value = value[key]
    return value
