"""The functions that the index of clauses names, and what they call on within their own module."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import NamedTuple

from controller.rules import clauses
from lab.proofs.mutation.changes import Change, Function, changes

Named = tuple[str, str]
"""A rulebook and one of its clauses."""


class Target(NamedTuple):
    """A function, its source, and the clauses whose code it is."""

    name: str
    held: tuple[FunctionType]
    """The function itself; a bare one would be taken for a method."""
    node: Function
    inside: tuple[str, ...]
    file: str
    clauses: frozenset[Named]

    def changes(self) -> list[Change]:
        """Every neighbour that can stand in the function's place."""
        free = self.held[0].__code__.co_freevars
        return [one for one in changes(self.node, self.inside, self.file) if one.code.co_freevars == free]


def targets(rulebooks: Iterable[str], within: tuple[str, ...] = ("controller", "drivers")) -> list[Target]:
    """Every function that a clause of these rulebooks rests on, in the order of files and lines."""
    named: dict[str, set[Named]] = {}
    for rulebook in rulebooks:
        for clause in clauses.clauses(rulebook):
            for dotted in clause.code:
                if dotted.startswith(within):
                    named.setdefault(dotted, set()).add((rulebook, clause.clause))
    found: dict[str, tuple[FunctionType, set[Named]]] = {}
    for dotted, rests in named.items():
        for function in _functions(dotted):
            found.setdefault(_name(function), (function, set()))[1].update(rests)
    own = frozenset(found)
    for function, rests in list(found.values()):
        for used in _reached(function, own):
            found.setdefault(_name(used), (used, set()))[1].update(rests)
    whole = [_target(function, rests) for function, rests in found.values()]
    return sorted((one for one in whole if one), key=lambda one: (one.file, one.node.lineno))


def code_of(function: FunctionType) -> Iterator[CodeType]:
    """The function's code and that of every comprehension and function inside it."""
    waiting = [function.__code__]
    while waiting:
        code = waiting.pop()
        yield code
        waiting.extend(one for one in code.co_consts if isinstance(one, CodeType))


def _name(function: FunctionType) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _functions(dotted: str) -> list[FunctionType]:
    """What a name of the index stands for: a function, or all functions of a class or module."""
    thing = _resolve(dotted)
    one = _plain(thing)
    if one is not None:
        return [one]
    if isinstance(thing, type | ModuleType):
        home = thing.__name__ if isinstance(thing, ModuleType) else thing.__module__
        inner = (_plain(value) for value in vars(thing).values())
        return [one for one in inner if one is not None and one.__module__ == home and _has_source(one)]
    return []  # a table of keys or an attribute: a value, not a function


def _resolve(dotted: str) -> object:
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            thing: object = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        try:
            for part in parts[cut:]:
                thing = inspect.getattr_static(thing, part)
        except AttributeError:
            break
        return thing
    raise LookupError(f"there is no code '{dotted}'; correct the index of clauses")


def _plain(thing: object) -> FunctionType | None:
    """The function behind a property, a method or a cache."""
    if isinstance(thing, property):
        thing = thing.fget
    elif isinstance(thing, staticmethod | classmethod):
        thing = thing.__func__
    thing = inspect.unwrap(thing) if callable(thing) else thing
    return thing if isinstance(thing, FunctionType) else None


def _has_source(function: FunctionType) -> bool:
    return function.__code__.co_filename.endswith(".py") and not function.__name__.startswith("<")


def _reached(function: FunctionType, stop: frozenset[str]) -> list[FunctionType]:
    """Functions of the same module that this one calls on, without those the index names itself."""
    module = importlib.import_module(function.__module__)
    found: dict[str, FunctionType] = {}
    waiting = [function]
    while waiting:
        one = waiting.pop()
        owner = one.__qualname__.rpartition(".")[0]
        holder = inspect.getattr_static(module, owner, None) if owner and "." not in owner else None
        for code in code_of(one):
            for name in code.co_names:
                for place in (module, holder):
                    used = _plain(inspect.getattr_static(place, name, None)) if place is not None else None
                    if used is None or used.__module__ != function.__module__ or not _has_source(used):
                        continue
                    if _name(used) not in stop and _name(used) not in found and used is not function:
                        found[_name(used)] = used
                        waiting.append(used)
    return list(found.values())


def _target(function: FunctionType, rests: set[Named]) -> Target | None:
    file = function.__code__.co_filename
    *inside, name = function.__qualname__.split(".")
    body: list[ast.stmt] = _tree(file).body
    for part in inside:
        body = next((one.body for one in body if isinstance(one, ast.ClassDef) and one.name == part), [])
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name == name and _starts(node, function):
            return Target(_name(function), (function,), node, tuple(inside), file, frozenset(rests))
    return None  # made inside another function, or by a library


def _starts(node: ast.FunctionDef, function: FunctionType) -> bool:
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    return function.__code__.co_firstlineno == first


@functools.cache
def _tree(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text(encoding="utf-8"), file)
