"""The parts of poker stand in an order: each asks only those below it, not even for a type above."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

POKER = Path(__file__).parents[2] / "controller" / "games" / "poker"
PACKAGE = "controller.games.poker"
LONGEST = 500


def imported(module: Path) -> set[str]:
    """The other parts that a part imports, wherever in the file and for whatever use."""
    names = {part.stem for part in POKER.glob("*.py")}
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == PACKAGE:
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{PACKAGE}."):
            found.add(str(node.module).removeprefix(f"{PACKAGE}.").partition(".")[0])
    return found & names - {module.stem}


def test_no_part_of_poker_asks_one_that_asks_it() -> None:
    parts = {module.stem: imported(module) for module in POKER.glob("*.py")}
    assert parts["cards_seen"] >= {"table", "rulings"}
    lowest_first = list(TopologicalSorter(parts).static_order())
    assert lowest_first.index("state") < lowest_first.index("hand") < lowest_first.index("keys")
    assert lowest_first[-2:] == ["game", "__init__"]


def test_a_hand_knows_nothing_of_the_table_it_is_played_at() -> None:
    parts = {module.stem: imported(module) for module in POKER.glob("*.py")}
    below: set[str] = {"hand"}
    found: set[str] = set()
    while below - found:
        found |= below
        below = set().union(*(parts[part] for part in found))
    assert found & {"table", "game", "keys", "questions", "conclusions", "cards_seen", "chips_seen"} == set()
    assert found >= {"round", "round_actions", "play", "board", "rulings", "hand_end", "remedies", "state"}


def test_no_part_of_poker_is_longer_than_can_be_read_in_one_sitting() -> None:
    lengths = {module.name: len(module.read_text(encoding="utf-8").splitlines()) for module in POKER.glob("*.py")}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}
