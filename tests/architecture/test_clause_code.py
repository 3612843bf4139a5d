"""The code that a clause names is code that runs: a table comes to it, and not only the tests of it."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from controller.rules import clauses
from tests.architecture.source import Source, sources

PRODUCT = ("firmware_specs", "drivers", "controller", "floor")


def spoken_of(tree: ast.AST) -> Counter[str]:
    """How often each name is read, called, or named in a declaration that is resolved by name."""
    said: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            said[node.id if isinstance(node, ast.Name) else node.attr] += 1
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            said[node.value] += 1
    return said


def uncalled(source: list[Source], named: dict[str, str]) -> list[str]:
    """Each function of those named that nothing but itself speaks of, with the clause that names it."""
    said = Counter[str]()
    for one in source:
        said.update(spoken_of(one.tree))
    idle = []
    for one in source:
        for node in ast.walk(one.tree):
            if not isinstance(node, ast.FunctionDef) or node.decorator_list or node.name.startswith("__"):
                continue
            dotted = [name for name in named if name.startswith(one.module) and name.split(".")[-1] == node.name]
            if dotted and not said[node.name] - spoken_of(node)[node.name]:
                idle.append(f"{named[dotted[0]]}: nothing calls {dotted[0]}")
    return sorted(idle)


def test_every_function_that_a_clause_names_is_called_by_the_product() -> None:
    named = {
        dotted: f"{rulebook} {clause.clause}"
        for rulebook in clauses.rulebooks()
        for clause in clauses.clauses(rulebook)
        for dotted in clause.code
    }
    assert uncalled(sources(packages=PRODUCT), named) == []


@pytest.mark.parametrize(("planted", "found"), [
    ("def pays():\n    return pays()\n", ["a 1: nothing calls games.pays"]),
    ("def pays():\n    return 1\nAMOUNT = pays()\n", []),
    ("def pays():\n    return 1\nROW = Row('won', then='pays')\n", []),
    ("@key\ndef pays():\n    return 1\n", []),
])  # fmt: skip
def test_a_function_that_only_names_itself_is_found(planted: str, found: list[str], tmp_path_factory) -> None:
    root = tmp_path_factory.mktemp("tree")
    (root / "games.py").write_text(planted, encoding="utf-8")
    assert uncalled([Source(root / "games.py", root)], {"games.pays": "a 1"}) == found
