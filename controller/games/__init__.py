"""The games a table may play: each is one directory here, and says of itself what anybody outside may ask of it.

A game is found by the name of its directory and loaded when it is asked for; nothing else names one.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from controller.games.playable import Playable

USUAL = "wheel"
"""What is played where nobody says what."""


class UnknownGame(Exception):
    """No directory of this name; the text names those there are."""


def names() -> tuple[str, ...]:
    """Every game there is; looked for once, so that a page needs no open file to say what is played."""
    return _there(tuple(__path__))


@functools.cache
def _there(places: tuple[str, ...]) -> tuple[str, ...]:
    found = tuple(sorted(found.name for found in pkgutil.iter_modules(places) if found.ispkg))
    if not found:  # not remembered: files may be open again later
        raise UnknownGame(f"no game can be read in {', '.join(places)}; install the program again, or close files")
    return found


def find(name: str) -> Playable:
    """The game of this name."""
    if name not in names():
        raise UnknownGame(f"there is no game '{name}'; there are {', '.join(names())}")
    game: Playable = importlib.import_module(f"{__name__}.{name}").GAME
    return game


def folder(name: str) -> Path:
    """Where a game's own files lie: rulebooks, clauses, the picture on its pages."""
    return next(path for place in __path__ if (path := Path(place) / name).is_dir())


@functools.cache
def _files(kind: str, ending: str, known: tuple[str, ...]) -> dict[str, Path]:
    return {path.stem: path for name in known for path in sorted((folder(name) / kind).glob(f"*{ending}"))}


def rulebooks() -> dict[str, Path]:
    """The files of all rulebooks by their ids."""
    return _files("rulebooks", ".toml", names())


def clauses() -> dict[str, Path]:
    """The indexes of all clauses by the ids of their rulebooks."""
    return _files("clauses", ".csv", names())


def tournaments() -> dict[str, Path]:
    """The chapters on tournaments by the ids of the rulebooks that have one."""
    return _files("tournament", ".toml", names())


def reach(name: str) -> ModuleType | None:
    """How far a round of this game moves a bank, where it is played against the house; loaded for a tournament only."""
    if not (folder(name) / "reach.py").exists():
        return None
    return importlib.import_module(f"{__name__}.{name}.reach")
