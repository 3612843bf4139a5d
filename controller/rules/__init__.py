"""Rulebooks as data, in editions: the one this program carries, and amended ones that a house has been given since.

The carried one goes by the rulebook's id, an amended one by `id@digest`: what names it names the very text it means.
"""

from __future__ import annotations

import hashlib
import tomllib

from controller import games

FOLDER = "rulebooks"
"""Where amended editions lie, beside the journal."""
MARK = "@"
DIGITS = 16
"""How much of a text's digest stands in its name."""

_held: dict[str, str] = {}


def digest(text: str) -> str:
    """What tells one text from any other."""
    return hashlib.sha256(text.encode()).hexdigest()


def carried(rulebook: str) -> str:
    """The id of the rulebook that this is an edition of."""
    return rulebook.partition(MARK)[0]


def is_amended(rulebook: str) -> bool:
    """Whether this names an amended edition."""
    return MARK in rulebook


def hold(rulebook: str, text: str) -> str:
    """Have an amended edition at hand from now on; its name."""
    name = f"{rulebook}{MARK}{digest(text)[:DIGITS]}"
    _held[name] = text
    return name


def known(rulebook: str) -> bool:
    """Whether the text of this edition is at hand."""
    return rulebook in _held or rulebook in games.rulebooks()


def text_of(rulebook: str) -> str:
    """What this edition says; KeyError where it is not at hand."""
    if is_amended(rulebook):
        return _held[rulebook]
    return games.rulebooks()[rulebook].read_text(encoding="utf-8")


def amended_clauses(rulebook: str) -> dict[str, str]:
    """The clauses that an amended edition words anew or adds, in our own words; none for a carried one."""
    if not is_amended(rulebook):
        return {}
    said = tomllib.loads(text_of(rulebook)).get("amendment", {}).get("clauses", {})
    return {str(clause): str(does) for clause, does in said.items()}
