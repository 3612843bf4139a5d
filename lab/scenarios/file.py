"""Reading scenario files: one case, a list of cases, or `{"meta", "cases"}`; a wrong one is told with its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, NamedTuple

from controller.config.tomlread import ConfigError, nearest
from controller.rules.clauses import clauses
from controller.rules.rulebook import load_rulebook, rulebook_ids


class ScenarioError(ConfigError):
    """The file itself is wrong."""


class SaidTwice(ValueError):
    """An object of the file says one name twice, of which only one could count."""


META, CASES = "meta", "cases"
"""What a file of several cases is made of."""


class Case:
    """One case as it stands in the file, with words for what is wrong in it."""

    def __init__(self, where: str, body: dict[str, Any], meta: dict[str, Any] | None = None) -> None:
        """`meta` is what the file says of all its cases."""
        self.where = where
        self.body = body
        self.meta = meta or {}

    @property
    def id(self) -> str:
        return str(self.body["id"])

    @property
    def rulebook(self) -> str:
        return str(self.body["rulebook"])

    @property
    def game(self) -> str:
        return load_rulebook(self.rulebook).game

    def wrong(self, place: str, what: str) -> ScenarioError:
        return ScenarioError(f"{self.where}: {place}: {what}")


class BrokenCase(NamedTuple):
    """One that cannot be played, while those beside it can: its name as far as it has one, and why."""

    id: str
    why: ScenarioError


def read_cases(path: Path) -> list[Case]:
    """The cases of a file, or ScenarioError with the place of the first that is wrong."""
    meta, bodies = _read(path)
    return [case_of(path, number, body, meta) for number, body in enumerate(bodies)]


def each_case(path: Path) -> Iterator[Case | BrokenCase]:
    """Every case of a file, whatever is wrong with another one; ScenarioError where it is no file of cases."""
    meta, bodies = _read(path)
    for number, body in enumerate(bodies):
        try:
            yield case_of(path, number, body, meta)
        except ScenarioError as why:
            name = body.get("id") if isinstance(body, dict) else None
            yield BrokenCase(str(name or f"case {number + 1}"), why)


def _read(path: Path) -> tuple[dict[str, Any], list[Any]]:
    """What a file says of all its cases, and its cases."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path}: cannot be read ({error}); give the path of a scenario file") from error
    try:
        found = json.loads(text, parse_float=Decimal, object_pairs_hook=_once)
    except SaidTwice as error:
        raise ScenarioError(f"{path}: {error}; only one of them can be meant, so take one out") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is a ValueError of its own
        line = f"{path}:{error.lineno}" if isinstance(error, json.JSONDecodeError) else str(path)
        raise ScenarioError(f"{line}: not JSON ({error}); mend the file") from error
    meta: Any = {}
    if isinstance(found, dict) and CASES in found:
        if stray := [name for name in found if name not in (META, CASES)]:
            hint = nearest(stray[0], [META, CASES])
            raise ScenarioError(f"{path}: {stray[0]!r} means nothing beside {CASES!r}; {hint}".rstrip("; "))
        meta, found = found.get(META), found[CASES]
    return meta if isinstance(meta, dict) else {}, found if isinstance(found, list) else [found]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object as it stands, or SaidTwice where a name stands in it twice."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            of = f", in {found['id']}" if "id" in found else ""
            raise SaidTwice(f"{name!r} is said twice in one object{of}")
        found[name] = value
    return found


def case_of(path: Path | str, number: int, body: Any, meta: dict[str, Any] | None = None) -> Case:
    """One case out of a file, or from wherever `path` says."""
    where = f"{path}: case {number + 1}"
    if not isinstance(body, dict):
        raise ScenarioError(f"{where}: must be an object, not {type(body).__name__}")
    if not isinstance(body.get("id"), str) or not body["id"]:
        raise ScenarioError(f"{where}: 'id' is missing; give the case a name")
    where = f"{path}: {body['id']}"
    rulebook = body.get("rulebook")
    if not isinstance(rulebook, str) or rulebook not in rulebook_ids():
        hint = nearest(str(rulebook), list(rulebook_ids()))
        raise ScenarioError(f"{where}: 'rulebook': no rulebook {rulebook!r}; {hint or ', '.join(rulebook_ids())}")
    case = Case(where, body, meta)
    _check_clauses(case, body.get("expected"))
    return case


def _check_clauses(case: Case, expected: Any) -> None:
    """Refuse to wait for clauses that the rulebook does not have: that they are not cited would prove nothing."""
    for part in expected.values() if isinstance(expected, dict) else expected if isinstance(expected, list) else ():
        if not isinstance(part, dict | list):
            continue
        named = part.get("clauses") if isinstance(part, dict) else None
        for clause in named if isinstance(named, list) else ():
            known = [one.clause for one in clauses(case.rulebook)]
            if clause not in known:
                hint = nearest(str(clause), known)
                raise case.wrong("expected: clauses", f"{case.rulebook} has no clause {clause!r}; {hint}".rstrip("; "))
        _check_clauses(case, part)


def cents(case: Case, place: str, value: Any) -> int:
    """Dollars of a scenario as cents."""
    return cents_of(value, f"{case.where}: {place}")


def cents_of(value: Any, where: str) -> int:
    """Dollars as cents, or ScenarioError with the place."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise ScenarioError(f"{where}: an amount in dollars, not {value!r}")
    try:
        exact = Decimal(str(value)) * 100
        whole = int(exact)
    except (InvalidOperation, OverflowError, ValueError) as error:
        raise ScenarioError(f"{where}: an amount in dollars, not {value!r}") from error
    if whole != exact or not 0 <= whole < 10**12:
        raise ScenarioError(f"{where}: {value} is not an amount of dollars and whole cents")
    return whole


def dollars(value: int) -> int | float:
    """Cents as a scenario writes them."""
    return value // 100 if value % 100 == 0 else value / 100
