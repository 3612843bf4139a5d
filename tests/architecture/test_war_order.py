"""The parts of Casino War stand in an order: each asks only those below it, not even for a type above."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests import ROOT

WAR = ROOT / "controller" / "games" / "war"
PACKAGE = "controller.games.war"
LONGEST = 500


def imported(module: Path) -> set[str]:
    """The other parts that a part imports, wherever in the file and for whatever use."""
    names = {part.stem for part in WAR.glob("*.py")}
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == PACKAGE:
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{PACKAGE}."):
            found.add(str(node.module).removeprefix(f"{PACKAGE}.").partition(".")[0])
        elif isinstance(node, ast.Import):
            found |= {alias.name.removeprefix(f"{PACKAGE}.") for alias in node.names if alias.name.startswith(PACKAGE)}
    return found & names - {module.stem}


def order(parts: dict[str, set[str]]) -> list[str]:
    return list(TopologicalSorter(parts).static_order())


def test_no_part_of_casino_war_asks_one_that_asks_it() -> None:
    parts = {module.stem: imported(module) for module in WAR.glob("*.py")}
    assert parts["rulings"] >= {"dealing", "settling"}
    lowest_first = order(parts)
    assert lowest_first.index("state") < lowest_first.index("play") < lowest_first.index("round")
    assert lowest_first[-2:] == ["game", "__init__"]


def test_two_parts_that_ask_each_other_would_be_noticed() -> None:
    with pytest.raises(CycleError):
        order({"dealing": {"rulings"}, "rulings": {"settling"}, "settling": {"dealing"}})


def test_no_part_of_casino_war_is_longer_than_can_be_read_in_one_sitting() -> None:
    lengths = {module.name: len(module.read_text(encoding="utf-8").splitlines()) for module in WAR.glob("*.py")}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}
