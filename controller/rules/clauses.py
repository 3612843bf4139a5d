"""The index of clauses: for every clause of every rulebook, what this controller does about it and where.

Ids stand exactly as the rule documents print them; the wording of `does` is ours.
"""

from __future__ import annotations

import csv
import functools
import importlib
import tomllib
from typing import Literal, get_args

import msgspec

from controller import games, rules

Role = Literal["enforce", "detect", "prompt", "configure", "record", "later", "none"]
ROLES: tuple[str, ...] = get_args(Role)
COLUMNS = ["clause", "role", "does", "code"]


class Clause(msgspec.Struct, frozen=True):
    """One clause: the controller's part in it, and the dotted name of the code that plays it."""

    rulebook: str
    clause: str
    role: Role
    does: str
    code: tuple[str, ...] = ()


class Chapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Clauses that a later version will keep: what they are about, where they begin, and why not yet."""

    rulebook: str
    about: str
    begins: str
    clauses: tuple[str, ...]
    """Each is a clause, or the beginning of several when it ends in a full stop."""
    reason: str

    def holds(self, clause: str) -> bool:
        return any(clause == one or (one.endswith(".") and clause.startswith(one)) for one in self.clauses)


class ClauseIndexError(Exception):
    """The index itself is wrong; the text names file, line and remedy."""


class UnknownRulebook(KeyError):
    """No rulebook of that id is indexed."""

    def __init__(self, rulebook: str) -> None:
        super().__init__(rulebook)
        self.text = f"no rulebook '{rulebook}'; there are {', '.join(rulebooks())}"

    def __str__(self) -> str:
        return self.text


def rulebooks() -> tuple[str, ...]:
    """The ids of all indexed rulebooks."""
    return tuple(sorted(games.clauses()))


@functools.cache
def clauses(rulebook: str) -> tuple[Clause, ...]:
    """All clauses of a rulebook, in the order of the document; those that an amendment adds come last."""
    carried = rules.carried(rulebook)
    if carried not in rulebooks():
        raise UnknownRulebook(rulebook)
    index = read_index(rulebook, games.clauses()[carried].read_text(encoding="utf-8"))
    anew = rules.amended_clauses(rulebook)
    kept = tuple(msgspec.structs.replace(one, does=anew.pop(one.clause, one.does)) for one in index)
    return kept + tuple(Clause(rulebook, name, "record", does) for name, does in anew.items())


def meaning(rulebook: str, clause: str) -> str:
    """What a clause asks for, in our words; of a part that the index does not name, what its whole asks."""
    known = {one.clause: one.does for one in clauses(rulebook)}
    wanted = clause
    while wanted and wanted not in known:
        wanted = wanted.rstrip(")").rpartition("(" if wanted.endswith(")") else ".")[0].rstrip(" ")
    return known.get(wanted, "")


def read_index(rulebook: str, text: str) -> tuple[Clause, ...]:
    """Read one index; refuse unknown roles, doubled clauses and empty cells."""
    try:
        return _read_rows(rulebook, csv.DictReader(text.splitlines(), strict=True))
    except csv.Error as error:
        raise ClauseIndexError(f"{rulebook}.csv: not CSV, {error}; mend its quotes") from None


def _read_rows(rulebook: str, rows: csv.DictReader[str]) -> tuple[Clause, ...]:
    if rows.fieldnames != COLUMNS:
        raise ClauseIndexError(f"{rulebook}.csv:1: the columns must be {','.join(COLUMNS)}")
    found: dict[str, Clause] = {}
    for row in rows:
        place = f"{rulebook}.csv:{rows.line_num}"
        name, role, does, code = (row[column] for column in COLUMNS)
        if not name or not does or code is None or None in row:
            raise ClauseIndexError(f"{place}: clause, role and what the controller does are all needed")
        if role not in ROLES:
            raise ClauseIndexError(f"{place}: role '{role}' is none of {', '.join(ROLES)}")
        if role == "later" and code:
            raise ClauseIndexError(f"{place}: clause '{name}' is for later, so it names no code")
        if name in found:
            raise ClauseIndexError(f"{place}: clause '{name}' stands there twice; join the two lines")
        clause: Role = role  # type: ignore[assignment]  # checked against ROLES above
        found[name] = Clause(rulebook, name, clause, does, tuple(code.split()))
    return tuple(found.values())


@functools.cache
def later(rulebook: str) -> tuple[Chapter, ...]:
    """What of this rulebook is not kept yet, chapter by chapter."""
    index, file = clauses(rulebook), games.clauses()[rules.carried(rulebook)].with_name("later.toml")
    return read_later(rulebook, file.read_text(encoding="utf-8"), index) if file.exists() else ()


def read_later(rulebook: str, text: str, index: tuple[Clause, ...]) -> tuple[Chapter, ...]:
    """Read the chapters; every clause that is for later stands in exactly one, and they hold no kept clause."""
    every = msgspec.convert(tomllib.loads(text)["chapters"], tuple[Chapter, ...])
    chapters = tuple(chapter for chapter in every if chapter.rulebook == rules.carried(rulebook))
    for clause in index:
        holding = [chapter.about for chapter in chapters if chapter.holds(clause.clause)]
        if clause.role == "later" and len(holding) != 1:
            what = f"stands in {len(holding)} chapters of later.toml"
            raise ClauseIndexError(
                f"{rulebook} {clause.clause}: is for later and {what}; it needs one, with the reason"
            )
        if holding and clause.role not in ("later", "none"):
            raise ClauseIndexError(f"{rulebook} {clause.clause}: is kept, yet later.toml holds it; take it out there")
    return chapters


@functools.cache
def _by_name(rulebook: str) -> dict[str, Clause]:
    return {clause.clause: clause for clause in clauses(rulebook)}


def find(rulebook: str, clause: str) -> Clause:
    """One clause of a rulebook."""
    return _by_name(rulebook)[clause]


def exists(rulebook: str, clause: str) -> bool:
    """Whether the rulebook is indexed and has this clause."""
    return rules.carried(rulebook) in rulebooks() and clause in _by_name(rulebook)


def broken_code(rulebook: str) -> list[str]:
    """One line for each name of code in the index that does not import."""
    broken = []
    for clause in clauses(rulebook):
        for dotted in clause.code:
            if not _imports(dotted):
                broken.append(f"{rulebook} {clause.clause}: there is no code '{dotted}'")
    return broken


def _imports(dotted: str) -> bool:
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        module_name = ".".join(parts[:cut])
        try:
            thing: object = importlib.import_module(module_name)
        except ModuleNotFoundError as missing:
            if missing.name is not None and (module_name + ".").startswith(missing.name + "."):
                continue  # a class or function further down the name
            raise
        for attribute in parts[cut:]:
            if not hasattr(thing, attribute):
                return False
            thing = getattr(thing, attribute)
        return True
    return False
