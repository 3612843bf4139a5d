"""Three walks through the code, recorded while people play: a spin, a war with a tie, a check at poker."""

from __future__ import annotations

import ast
import functools
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from controller.core.effects import AnyEffect, Moved, Settled, refusal_of
from controller.core.events import Command
from controller.core.runtime import Told
from firmware_specs.clock import VirtualClock
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable
from lab.walk import ROOT, Step, Walk, walk
from simulators.people import poker_habits, war, wheel

TAKES, RELEASES = "Runtime.submit", "Runtime._release"
"""Where an event is decided, and where its conclusions go out once it is on disk."""
LONGEST = 400
"""Rounds in which what is looked for must have come about."""


class Taken(NamedTuple):
    """An event, what was concluded from it, and what ran for it, from its first byte to its last effect."""

    event: msgspec.Struct
    effects: list[AnyEffect]
    walk: Walk

    @property
    def moves(self) -> list[Moved]:
        """How it moved the round."""
        return [effect for effect in self.effects if isinstance(effect, Moved) and effect.machine == "round"]

    @property
    def name(self) -> str:
        return self.event.name if isinstance(self.event, Command) else type(self.event).__name__

    @property
    def refused(self) -> bool:
        return refusal_of(self.name, self.effects) is not None


class Story(NamedTuple):
    """What is followed: the events of a round that are worth it, or none where the round is another one."""

    title: str
    about: str
    game: str
    habits: Any
    worth: Callable[[list[Taken]], list[Taken]]


# -- recording -----------------------------------------------------------------------------------------------------


def recorded(table: SimulatedTable, clock: VirtualClock) -> Iterator[Taken]:
    """Every event of a table that plays by itself, each with what ran for it."""
    told: list[Told] = []
    waiting: list[Walk] = []
    table.runtime.watchers.append(told.append)
    while True:
        for call in _calls(walk(clock.step)):
            for one in told if RELEASES in _names(call) else ():
                decided = waiting.pop(0) if waiting else Walk(())
                yield Taken(one.event, one.effects, Walk(decided.steps + call.steps))
            if RELEASES in _names(call):
                told.clear()
            taken = [step for step in call.steps if step.function == TAKES]
            waiting += [call, *(Walk(()) for _ in taken[1:])] if taken else []


def _calls(whole: Walk) -> list[Walk]:
    """The walk in its calls from outside, each with everything that ran for it."""
    calls: list[list[Step]] = []
    for step in whole.steps:
        if not step.waiting or not calls:
            calls.append([])
        calls[-1].append(step)
    return [Walk(tuple(steps)) for steps in calls]


def _names(call: Walk) -> set[str]:
    return {step.function for step in call.steps}


def followed(story: Story) -> list[Taken]:
    """What the story tells, out of the first round in which it comes about."""
    with tempfile.TemporaryDirectory(prefix="tablectl-") as folder:
        clock = VirtualClock()
        config = default_config(story.game)
        table = SimulatedTable(config, Path(folder) / "table.sqlite", clock, 1, alone=True, habits=story.habits)
        table.start()
        try:
            return _first(story, table, recorded(table, clock))
        finally:
            table.stop()


def _first(story: Story, table: SimulatedTable, events: Iterator[Taken]) -> list[Taken]:
    """Rounds are told apart by their number, which moves on when one is over."""
    before, round_ = table.runtime.table.state.round, list[Taken]()
    for taken in events:
        round_.append(taken)
        number = table.runtime.table.state.round
        if number != before:
            if found := story.worth(round_):
                return found
            before, round_ = number, []
        if number > LONGEST:
            break
    raise LookupError(f"{story.title}: it did not come about in {LONGEST} rounds; look at its habits in lab/walks.py")


# -- what is worth following ---------------------------------------------------------------------------------------


def turning_points(round_: list[Taken]) -> list[Taken]:
    """What moves the round, and everything else the first time."""
    seen: set[str] = set()
    found = []
    for taken in round_:
        if not taken.refused and (taken.moves or taken.name not in seen):
            found.append(taken)
        seen.add(taken.name)
    return found


def _from_the_call(round_: list[Taken]) -> list[Taken]:
    """What comes before the call for bets belongs to the round before."""
    begun = next((at for at, taken in enumerate(round_) if taken.name == "place_bets" and not taken.refused), 0)
    return round_[begun:]


def _won_and_lost(round_: list[Taken]) -> list[Taken]:
    """A spin with a winner and a loser."""
    results = {
        result.result
        for taken in round_
        for effect in taken.effects
        if isinstance(effect, Settled)
        for result in effect.results
    }
    return turning_points(_from_the_call(round_)) if {"win", "lose"} <= results else []


def _went_to_war(round_: list[Taken]) -> list[Taken]:
    reached = {move.dest for taken in round_ for move in taken.moves}
    return turning_points(_from_the_call(round_)) if "war_dealing" in reached else []


def _checked(round_: list[Taken]) -> list[Taken]:
    """A check after which the next player acts, and one that ends the betting."""
    checks = [taken for taken in round_ if taken.name == "check" and not taken.refused]
    within = [taken for taken in checks if not taken.moves][:1]
    ending = [taken for taken in checks if taken.moves][:1]
    return [*within, *ending] if within and ending else []


STORIES = (
    Story(
        "A spin to its settled wager",
        "Two players stake on the wheel; one wins, one loses.",
        "wheel",
        wheel.Habits(0, 0, 0, 0, 0, players=2, bets_each=1),
        _won_and_lost,
    ),
    Story(
        "A war with a tie",
        "One player ties with the dealer, goes to war, and the war is settled.",
        "war",
        war.Habits(
            1, 1, tie=0, side=0, surrender=0, rides=0, late_bet=0, under_minimum=0, over_maximum=0, surplus=0, silent=0
        ),
        _went_to_war,
    ),
    Story("A poker check", "Nobody has bet, and a player checks.", "poker", poker_habits.HONEST, _checked),
)


# -- as a page -----------------------------------------------------------------------------------------------------

HEAD = """# Three walks through the code

What runs, function by function, from the first byte of an event, or a person's key, until its conclusions have left, in
the order in which a reader comes to it. Made by `tablectl walk --write docs/walk.md` from tables that play by
themselves; a test records them again and compares. Properties and constructors are left out. What runs for every event
stands once, at the beginning; after that a function stands where a walk first comes to it.
"""


def page() -> str:
    """All walks, as `docs/walk.md`; always the same in a fresh process, where nothing was worked out before."""
    walks = {story: followed(story) for story in STORIES}
    every = [taken for steps in walks.values() for taken in steps]
    common = _in_all(every)
    lines = [HEAD, "## The road of every event", "", *_listed(every[0].walk.functions, common.__contains__)]
    for story, steps in walks.items():
        lines += ["", f"## {story.title}", "", f"{story.about} {_counted(steps)}"]
        shown = set(common)
        for number, taken in enumerate(steps, 1):
            lines += ["", f"### {number}. {_words(taken)}", ""]
            fresh = [step for step in taken.walk.functions if step not in shown]
            lines += _listed(fresh) or ["Nothing that was not met before."]
            shown |= {*fresh}
    return "\n".join(lines) + "\n"


def _in_all(every: list[Taken]) -> frozenset[Step]:
    return frozenset.intersection(*(frozenset(taken.walk.functions) for taken in every))


def _counted(steps: list[Taken]) -> str:
    whole = Walk(tuple(step for taken in steps for step in taken.walk.steps))
    return f"{len(whole.functions)} functions in {len(whole.files)} files."


def _words(taken: Taken) -> str:
    """The event, and where it moves the round."""
    what = f"Key `{taken.name}`" if isinstance(taken.event, Command) else f"`{taken.name}`"
    ways = [move.source for move in taken.moves[:1]] + [move.dest for move in taken.moves]
    return what + (": " + " → ".join(way.replace("_", " ") for way in ways) if ways else "")


def _listed(steps: Iterable[Step], wanted: Callable[[Step], bool] = lambda step: True) -> list[str]:
    """File by file, each function with what it says of itself."""
    lines: list[str] = []
    file = ""
    for step in steps:
        told = _declared(step.file).get(step.function)
        if not wanted(step) or told is None:
            continue
        if step.file != file:
            file = step.file
            lines.append(f"- `{file}`")
        lines.append(f"  - `{step.function}`" + (f": {told}" if told else ""))
    return lines


@functools.cache
def _declared(file: str) -> dict[str, str]:
    """The functions of a file by their qualified names, each with the first line of its docstring; no properties."""
    found: dict[str, str] = {}

    def look(node: ast.AST, within: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                look(child, f"{within}{child.name}.")
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                name = f"{within}{child.name}"
                if not child.name.startswith("__") and not _is_property(child):
                    found[name] = (ast.get_docstring(child) or _key_words(child)).partition("\n")[0]
                look(child, f"{name}.<locals>.")
            else:
                look(child, within)

    look(ast.parse((ROOT / file).read_text("utf-8")), "")
    return found


def _key_words(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """A key says what it is in the words that stand on it."""
    for one in function.decorator_list:
        match one:
            case ast.Call(func=ast.Attribute(attr="key"), args=[_, ast.Constant(value=str(label)), *_]):
                return f"the key “{label}”."
    return ""


def _is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(ast.unparse(one) == "property" for one in function.decorator_list)
