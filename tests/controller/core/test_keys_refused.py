"""Whatever key is pressed wherever a game stands, a refusal says why in words that people at a table know."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from controller.build import build_table
from controller.core.desk import Key
from controller.core.effects import Refused
from controller.core.events import Command
from controller.core.table import Table
from controller.games import find, names
from controller.people import Person
from lab.explore.campaign import tables
from lab.explore.forms import NoForm, filled
from lab.explore.hands import hands_of
from lab.explore.steps import read
from lab.explore.table import ExploredTable
from tests import ROOT

WALKS = ROOT / "tests" / "whole" / "browser" / "asked"
STATES = "|".join(state for game in names() for state in find(game).course().states)
CODE = re.compile(rf"[a-z]_[a-z]|cannot \w+ while|while ({STATES})[.;:]|\d cents|\bnot now:", re.IGNORECASE)
"""What only a programmer would say: names of states, amounts in cents."""


def moments(game: str) -> Iterator[ExploredTable]:
    """A table of this game the first time that it stands in a state."""
    seen = set()
    for path in sorted(WALKS.glob(f"{game}__*.json")):
        walk = read(path.read_bytes())
        at = ExploredTable(tables(walk.game, walk.rulebook)[walk.table], hands_of(walk.game))
        at.switch_on()
        for step in walk.steps:
            at.do(step)
            if (standing := (at.table.state.life, at.state)) not in seen:
                seen.add(standing)
                yield at


def pressed(at: ExploredTable) -> Iterator[tuple[Key, Refused]]:
    """Every key there is, each pressed at a copy of the table by somebody who may, and what refused it."""
    saved, seq = at.table.save(), len(at.rows) + 1
    for key in (*at.table.keys.values(), *at.table.game.keys.values()):
        other: Table = build_table(at.config)
        other.restore(saved)
        asks = tuple(ask.shown(other.owned(key).owner if key.name in other.keys else other.game) for ask in key.asks)
        try:
            args = filled(asks, random.Random(1), plainly=True)
        except NoForm:
            continue
        effects = other.apply(seq, at.rows[-1].at, Command(key.name, Person("S9", 99), args))
        yield from ((key, effect) for effect in effects if isinstance(effect, Refused))


@pytest.mark.parametrize("game", names())
def test_a_refusal_speaks_no_code(game: str) -> None:
    found: dict[str, str] = {}
    states = set()
    for at in moments(game):
        states.add(at.state)
        found |= {refused.text: key.name for key, refused in pressed(at)}
    assert len(states) > 6
    assert len(found) > 10
    assert {text: name for text, name in found.items() if CODE.search(text)} == {}
