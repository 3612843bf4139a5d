"""Whatever the program reads from a key or an answer is declared with it, and whatever is declared is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from controller.core import table_keys
from controller.core.desk import Ask, required
from controller.core.events import Command
from controller.core.guarded import GuardedTable
from controller.core.table import Table
from controller.games.poker.keys import KEYS as POKER
from controller.games.war.keys import KEYS as WAR
from controller.games.wheel.keys import KEYS as WHEEL
from controller.money.keys import KEYS as MONEY
from lab.proofs.fuzz.tables import Tables
from lab.sim.config import default_config
from tests.controller.core.arguments_read import ARGS, UNKNOWN, Open, Reader

HOUSES: dict[str, tuple[str, ...]] = {
    "wheel": ("melbourne-wheel",),
    "war": ("melbourne-war", "perth-war", "star-war"),
    "poker": ("melbourne-poker",),
}
OF_A_QUESTION = ("check_answer", "answered")
"""What a game reads of an answer is held against the question, not against the key that every answer comes with."""


def table(game: str, rulebook: str) -> Table:
    return GuardedTable(default_config(game, rulebook=rulebook)).table


def tables(game: str) -> list[Table]:
    return [table(game, rulebook) for rulebook in HOUSES[game]]


def declared_anywhere(game: str) -> dict[str, set[str]]:
    """By key, what is told with it in some house: a house leaves out what its rulebook does not know."""
    found: dict[str, set[str]] = {}
    of_any_table = [one.keys for each in HOUSES for one in tables(each)]
    for keys in (*of_any_table, *(one.game.keys for one in tables(game))):
        for name, key in keys.items():
            found.setdefault(name, set()).update(key.args)
    return found


def test_the_key_that_carries_answers_reads_which_question_which_answer_and_why() -> None:
    at = tables("wheel")[0]
    reader = Reader(stop_at=OF_A_QUESTION).follow(at._answer, ARGS, UNKNOWN)
    assert not reader.lost
    assert reader.read == set(at.keys["answer"].args)


def test_every_other_key_of_a_table_is_given_what_it_declares_and_nothing_else() -> None:
    for game in HOUSES:
        for at in tables(game):
            assert at.keys.keys() - {"answer"} <= {one.name for one in (*table_keys.KEYS, *MONEY)}
    for game, declared in (("wheel", WHEEL), ("war", WAR), ("poker", POKER)):
        of_any_house = {name for at in tables(game) for name in at.game.keys}
        assert of_any_house == {one.name for one in declared}


# -- the same, watched in play -------------------------------------------------------------------------------------


class Watched(dict[str, Any]):
    """Arguments that remember what was read of them."""

    def __init__(self, given: dict[str, Any]) -> None:
        super().__init__(given)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self.read.add(str(name))
        return super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.read.add(name)
        return super().get(name, default)

    def __iter__(self) -> Any:
        raise AssertionError("all arguments of a key are looked at, whatever their names")

    values = items = __iter__

    def keys(self) -> Any:
        """Their names may be looked at, to refuse what nobody asks for."""
        return super().keys()


@pytest.mark.parametrize(("game", "rulebook"), [(game, book) for game, books in HOUSES.items() for book in books])
def test_in_play_nothing_is_read_that_is_not_declared(
    game: str, rulebook: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    undeclared: set[tuple[str, ...]] = set()
    pressed: set[str] = set()
    read: set[str] = set()
    take = Table._command
    anywhere = declared_anywhere(game)

    def watched(self: Table, command: Command) -> None:
        args = Watched(command.args)
        declared = set(anywhere[command.name])
        asked = self.state.desk.prompts.get(str(command.args.get("prompt")))
        if command.name == "answer" and asked is not None:
            declared |= {ask.name for ask in self.game.asks(asked, str(command.args.get("answer")))}
        try:
            take(self, msgspec.structs.replace(command, args=args))
        finally:
            pressed.add(command.name)
            read.update(args.read)
            undeclared.update((command.name, name) for name in args.read - declared)

    monkeypatch.setitem(_taken_by(), Command, watched)  # type: ignore[misc]
    people = Tables(5, rulebook, game, rulebook)
    try:
        for _ in range(8):
            people.take(people.next())
    finally:
        people.close()
    assert undeclared == set()
    assert len(pressed) > 20
    assert len(read) > 10


def _taken_by() -> dict[type[msgspec.Struct], Callable[[Table, Any], None]]:
    from controller.core import table as module

    return module.TAKEN_BY


# -- the method itself ---------------------------------------------------------------------------------------------


def _by_way_of(args: dict[str, Any], name: str) -> Any:
    return args.get(name)


def _reads(game: Any, args: dict[str, Any], answer: str) -> None:
    required(args, "one")
    for name in ("two", "three"):
        _by_way_of(args, name)
    if "four" in args and answer == "this":
        args["five"]


def _hides(args: dict[str, Any], unheard_of: Any) -> None:
    unheard_of(args)


def _looks_at_all(args: dict[str, Any]) -> None:
    list(args.items())


def test_what_a_function_reads_is_found_along_every_way_it_takes() -> None:
    assert Reader().follow(_reads, UNKNOWN, ARGS, "this").read == {"one", "two", "three", "four", "five"}
    assert Reader().follow(_reads, UNKNOWN, ARGS, "that").read == {"one", "two", "three", "four"}
    answer = Open()
    assert "five" in Reader().follow(_reads, UNKNOWN, ARGS, answer).read
    assert answer.compared == {"this"}


@pytest.mark.parametrize("function", [_hides, _looks_at_all])
def test_arguments_that_cannot_be_followed_are_told_and_not_passed_over(function: Callable[..., None]) -> None:
    assert Reader().follow(function, ARGS, UNKNOWN).lost


def test_what_a_page_is_told_of_a_key_names_only_what_the_key_declares() -> None:
    for game in HOUSES:
        for at in tables(game):
            for key in (*at.keys.values(), *at.game.keys.values()):
                assert len(set(key.args)) == len(key.args), key.name
                assert {ask.name for ask in key.asks} <= set(key.args), key.name
                assert all(ask.choices or ask.offered for ask in key.asks if ask.kind == "choice"), key.name
                assert all(isinstance(ask, Ask) and (ask.label or ask.kind.startswith("accept")) for ask in key.asks), (
                    key.name
                )
