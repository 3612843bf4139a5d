"""Which state of the code a walk is over, so that walks over another one are counted apart."""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WALKED = ("controller/core", "controller/money", "controller/cards", "controller/people", "controller/rules")
"""What every walk plays, besides the game itself; pages, devices, reports and the floor may change beside it."""
EXPLORER = ("hands/__init__", "judges/__init__", "judges/answers", "judges/causes", "judges/payments", "judges/rounds",
            "beneath", "campaign", "coverage", "crew", "findings", "forms", "steps", "table", "walk")  # fmt: skip
"""Of the explorer what makes walks and looks at them; what lists, plants and counts them does not change one."""
RULEBOOKS = "rulebooks"
"""The only data of a game that a table plays by; lists of clauses are for people and for the trace."""


@functools.cache
def state_of_code(game: str) -> str:
    """A digest of all that decides what a walk over this game does and finds."""
    digest = hashlib.sha256()
    for path in sorted(_files(game)):
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + said(path) + b"\0")
    return digest.hexdigest()[:12]


def said(path: Path) -> bytes:
    """What a file has a program do: of code no comments, docstrings and lines, of data every byte."""
    if path.suffix != ".py":
        return path.read_bytes()
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [one for one in body if not _is_said(one)]  # type: ignore[attr-defined]
    return ast.dump(tree).encode()


def _is_said(node: ast.AST) -> bool:
    """Whether it is a text that stands by itself."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _files(game: str) -> Iterator[Path]:
    games = ROOT / "controller" / "games"
    explore = ROOT / "lab" / "explore"
    yield from games.glob("*.py")
    for folder in (games / game, *(ROOT / name for name in WALKED)):
        yield from folder.rglob("*.py")
    yield from (games / game / RULEBOOKS).glob("*.toml")
    for name in (*EXPLORER, f"hands/{game}", f"judges/{game}"):
        yield explore / f"{name}.py"
