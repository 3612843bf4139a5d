"""What moves a round of Casino War: transitions that fired and nothing else, each with its consequences in its row."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.core.effects import Moved
from controller.core.machine import BadDeclaration, NotNow
from controller.core.runtime import Told
from controller.games.war.config import WarConfig
from controller.games.war.keys import KEYS
from controller.games.war.round import ROWS
from controller.games.war.state import IN_ROUND, PHASES, RULABLE
from lab.sim.config import default_config
from tests import ROOT
from tests.controller.core.machine_watch import watched
from tests.controller.games.war.chance import Chance
from tests.controller.games.war.play import MELBOURNE, Play
from tests.controller.games.war.rulings import HOUSES, staked
from tests.controller.games.war.shift import BOOKS, CARELESS, MISHAPS, Shift

PARTS = ROOT / "controller" / "games" / "war"


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
@pytest.mark.parametrize("book", BOOKS)
def test_in_a_played_shift_every_change_of_phase_is_a_transition_that_fired(
    book: str, source: str, tmp_path: Path
) -> None:
    changes: list[str] = []

    def told(row: Told) -> None:
        changes.extend(effect.dest for effect in row.effects if isinstance(effect, Moved))

    with watched() as watch:
        config = default_config("war", rulebook=book, source=source)
        shift = Shift(config, tmp_path / "t.sqlite", 3, CARELESS)
        shift.table.runtime.watchers.append(told)
        shift.table.devices.sources[source].reader.suffer(MISHAPS)
        shift.play(25)
        shift.everything_arrives()
        shift.table.stop()
    assert (watch.fired, watch.restored, watch.past_the_machine) == (changes, [], 0)
    assert set(changes) >= {"betting", "dealing", "interim", "choosing", "war_dealing", "final", "over"}


def test_whatever_happens_to_a_round_every_change_of_phase_is_a_transition_that_fired() -> None:
    reached: set[str] = set()
    for seed in range(60):
        with watched() as watch:
            chance = Chance(seed, trouble=0.3)
            for _ in range(120):
                chance.step()
        changes = [effect.dest for effect in chance.play.effects if isinstance(effect, Moved)]
        assert (watch.fired, watch.restored, watch.past_the_machine) == (changes, [], 0)
        reached.update(changes)
    assert reached >= {*PHASES}


@pytest.mark.parametrize("house", HOUSES)
def test_a_trigger_that_means_nothing_here_is_refused_and_changes_nothing(house: str) -> None:
    play = staked(house, "Ann")
    play.card("KH")
    machine = play.game.machine
    known = {row.trigger for row in ROWS}
    here = set(machine.triggers_from("dealing"))
    assert here < known
    before = play.table.save()
    for trigger in sorted(known - here):
        with pytest.raises(NotNow):
            machine.fire(trigger)
    with pytest.raises(BadDeclaration, match="to_over"):
        machine.fire("to_over")
    assert play.table.save() == before


def test_no_row_leaves_from_everywhere_and_a_round_is_left_only_by_what_ends_it() -> None:
    leaving: dict[tuple[str, str], set[str]] = {}
    for row in ROWS:
        if row.kind == "row":
            leaving.setdefault((row.trigger, row.dest), set()).update(row.sources)
    assert max(leaving.values(), key=len) == set(RULABLE)
    ends = {trigger for (trigger, dest), sources in leaving.items() if dest == "over" and sources & {*IN_ROUND}}
    assert ends == {"interim_settled", "chosen", "final_settled", "settled_otherwise", "voided"}


def test_when_a_key_means_something_follows_from_the_rows() -> None:
    play = Play(MELBOURNE, WarConfig(6))
    machine = play.game.machine
    KEYS.check_machine(ROWS, PHASES)
    assert sum(bool(one.fires) for one in KEYS) > 12
    for one in KEYS:
        rows = {state for trigger in one.fires for state in machine.when(trigger)}
        assert not rows & {*one.during}, f"{one.place}: the rows say it already"
        assert rows | {*one.during} < {*PHASES}


def blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            if isinstance(block := getattr(node, name, None), list):
                yield block


def fires(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and ast.unparse(statement).startswith(
        ("game.machine.fire(", "self.machine.fire(")
    )


def follows_a_trigger(function: ast.FunctionDef) -> list[str]:
    """What stands behind a `fire` in its block, or behind a block that fires at its end."""
    found = []
    for block in blocks(function):
        for at, statement in enumerate(block[:-1]):
            ends_firing = fires(statement) or any(fires(one[-1]) for one in blocks(statement) if one)
            found += [ast.unparse(one) for one in block[at + 1 :] if ends_firing and not isinstance(one, ast.Return)]
    return found


def test_nothing_follows_a_trigger_by_hand() -> None:
    found = [
        f"{file.name}: {function.name}: {behind}"
        for file in sorted(PARTS.glob("*.py"))
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
        for behind in follows_a_trigger(function)
    ]
    assert found == []


def test_what_follows_a_trigger_would_be_noticed() -> None:
    planted = ast.parse("def f(game):\n    if game.ready:\n        game.machine.fire('x')\n    game.desk.note('y')")
    assert isinstance(planted.body[0], ast.FunctionDef)
    assert follows_a_trigger(planted.body[0]) == ["game.desk.note('y')"]


@pytest.mark.parametrize("part", ["dealing", "choosing"])
def test_a_round_that_stands_still_goes_on_where_it_stood(part: str) -> None:
    play = staked(MELBOURNE, "Ann", "Bob")
    play.cards("KH")
    if part == "choosing":
        play.cards("5H", "KS")
        play.press("settled")
    play.press("void_hand", rank=1, box=2)
    assert (play.phase, play.game.part) == ("ruling", part)
    again = Play(MELBOURNE, WarConfig(6))
    again.table.restore(play.table.save())
    for table in (play, again):
        table.answer("void_hand:2", "stand")
        assert (table.phase, table.game.part, table.game.machine.interrupted_from) == (part, part, "")


def flat(play: Play, resume: str) -> bytes:
    """The table as the version before saved it: one level, with where the round came from among its values."""
    saved = msgspec.json.decode(play.table.save())
    del saved["round_from"]
    saved["game"] = {name: value for part in saved["game"].values() for name, value in part.items()}
    saved["game"]["resume"] = resume
    return msgspec.json.encode(saved)


def test_a_round_that_stood_still_under_the_version_before_goes_on_where_it_stood() -> None:
    play = staked(MELBOURNE, "Ann", "Bob")
    play.cards("KH")
    play.press("void_hand", rank=1, box=2)
    again = Play(MELBOURNE, WarConfig(6))
    again.table.restore(flat(play, "dealing"))
    assert again.game.state == play.game.state
    again.answer("void_hand:2", "stand")
    assert again.phase == "dealing"


@pytest.mark.parametrize("seed", range(12))
def test_a_table_saved_by_the_version_before_knows_everything_it_knew(seed: int) -> None:
    chance = Chance(seed, trouble=0.3)
    for _ in range(90):
        chance.step()
    play = chance.play
    again = Play(chance.rulebook, chance.config)
    again.table.restore(flat(play, play.game.machine.interrupted_from))
    assert again.game.state == play.game.state
    assert again.table.save() == play.table.save()
