"""The felt of each game as a tournament sees it, found by the game's name and loaded where it is asked for."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING

from controller.tournament.session import Felt
from controller.tournament.table import TournamentTable

if TYPE_CHECKING:
    from controller.core.table import Table


def _module(game: str) -> str:
    return f"controller.games.{game}.in_tournament"


def known(game: str) -> bool:
    """Whether tournaments of this game are played at a table."""
    return importlib.util.find_spec(_module(game)) is not None


def join(table: Table, game: str) -> None:
    """Tell a table's tournament of its felt."""
    assert isinstance(table, TournamentTable)  # built so
    felt: Felt = importlib.import_module(_module(game)).FELT(table.game)
    table.join(felt)
