"""The keys and questions of a game for the list of words, out of what its tables declare."""

from __future__ import annotations

import importlib
from typing import Any

from controller.build import build_table
from controller.core.desk import Key
from controller.core.table import Table
from controller.rules.rulebook import load_rulebook, rulebook_ids
from lab.scenarios.forms import fields_of, keys_of, kind_of
from lab.scenarios.words import Field, Section, Word, one_of
from lab.sim.config import default_config


def tables_of(game: str) -> list[Table]:
    """A usual table of every rulebook of this game."""
    books = [book for book in rulebook_ids() if load_rulebook(book).game == game]
    return [build_table(default_config(game, rulebook=book)) for book in books]


def keys_section(game: str) -> Section:
    """What `press` may name, and what the form of each asks for."""
    found: dict[str, list[tuple[Table, Key]]] = {}
    for table in tables_of(game):
        for name, key in keys_of(table).items():
            found.setdefault(name, []).append((table, key))
    words = tuple(_key_word(name, declared) for name, declared in found.items())
    return Section("keys", "What may be pressed, with the rank that each rulebook asks for.", words, tag="key")


def _key_word(name: str, declared: list[tuple[Table, Key]]) -> Word:
    ranks = ", ".join(f"{table.house.rulebook.id} {_rank(table, key)}" for table, key in declared)
    fields = {field.name: field for _, key in declared for field in fields_of(key)}
    return Word(name, f"{declared[0][1].label} ({ranks}).", tuple(fields.values()))


def _rank(table: Table, key: Key) -> str:
    ladder = table.house.rulebook.ladder
    return ladder[min(max(key.rank, 1), len(ladder)) - 1]


def questions_section(game: str) -> tuple[Section, ...]:
    """What `answer` may name, with the answers of each; none where a game does not declare its questions."""
    try:
        declared = importlib.import_module(f"controller.games.{game}.questions")
    except ModuleNotFoundError:
        return ()
    words = tuple(_question_word(question) for question in declared.QUESTIONS)
    return (Section("questions", "What people may be asked, and the answers to it.", words, tag="subject"),)


def _question_word(question: Any) -> Word:
    meaning = (type(question).__doc__ or "").strip().partition("\n")[0]
    asks = {ask.name: ask for answer in question.answers for ask in answer.asks}
    said = "; ".join(f"`{one.answer}`" + (f": {one.label}" if one.label else "") for one in question.answers)
    answer = Field("answer", one_of(*(one.answer for one in question.answers)), f"{said}.", optional=False)
    args = (Field(ask.name, kind_of(ask), f"{ask.label or ask.name}.") for ask in asks.values())
    return Word(question.subject, meaning, (answer, *args))
