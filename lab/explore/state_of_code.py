"""Which state of the code a walk is over, so that walks over another one are counted apart."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WALKED = (
    "controller/core",
    "controller/money",
    "controller/cards",
    "controller/people",
    "controller/rules",
    "lab/explore",
)
"""What every walk plays, besides the game itself; pages, devices, reports and the floor may change beside it."""
READ = frozenset({".py", ".toml", ".csv"})


@functools.cache
def state_of_code(game: str) -> str:
    """A digest of all that decides what a walk over this game does and finds."""
    digest = hashlib.sha256()
    for path in sorted(_files(game)):
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def _files(game: str) -> Iterator[Path]:
    games = ROOT / "controller" / "games"
    yield from (path for path in games.glob("*.py"))
    for folder in (games / game, *(ROOT / name for name in WALKED)):
        yield from (path for path in folder.rglob("*") if path.suffix in READ)
