"""Alarms are raised and ended by their declarations, and by nothing else."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

from controller import games
from controller.core import table_alarms
from controller.core.alarms import Alarm, Alarms
from controller.games.game import Game
from controller.games.poker.game import PokerGame
from controller.games.war.game import WarGame
from controller.games.wheel.game import WheelGame
from controller.money import alarms as money_alarms
from controller.tournament import alarms as event_alarms
from tests.architecture.source import product

GAMES: tuple[type[Game], ...] = (WheelGame, WarGame, PokerGame)
RAW = ("alarm", "alarm_over")
MECHANISM = "controller/core/alarms.py"


def raw_calls(tree: ast.Module) -> list[int]:
    """Lines that raise or end an alarm at the desk itself."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    return [call.lineno for call in calls if call.func.attr in RAW]  # type: ignore[attr-defined]


def test_nothing_but_the_mechanism_raises_or_ends_an_alarm_at_the_desk() -> None:
    found = {source.path: raw_calls(source.tree) for source in product() if source.path.startswith("controller/")}
    assert len(found[MECHANISM]) == 5
    assert {path: lines for path, lines in found.items() if lines and path != MECHANISM} == {}


def test_what_raises_past_the_mechanism_is_found() -> None:
    assert raw_calls(ast.parse("def f(game):\n    game.desk.alarm(said, 'x', again=True)\n")) == [2]


def declared() -> set[type[Alarm[Any]]]:
    """Every declaration there is in the product."""
    found: set[type[Alarm[Any]]] = set()
    waiting: list[type[Alarm[Any]]] = [Alarm]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if "code" in vars(kind) and kind.__module__.startswith("controller."):
            found.add(kind)
    return found


def test_every_declaration_stands_in_one_list_of_its_owner() -> None:
    assert {game.name for game in GAMES} == set(games.names())
    lists: list[Alarms[Any]] = [
        table_alarms.ALARMS,
        money_alarms.ALARMS,
        event_alarms.ALARMS,
        *(game.alarms for game in GAMES),
    ]
    listed = Counter(kind for alarms in lists for kind in alarms)
    assert (set(listed), max(listed.values())) == (declared(), 1)
