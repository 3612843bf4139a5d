"""The rows of a machine as they are declared, and what may not be declared; every error names file and line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from inspect import currentframe
from typing import Literal, NamedTuple

import msgspec

Names = str | tuple[str, ...]
"""One name or several; none where it is empty."""
Kind = Literal["row", "interrupt", "resume"]
TOWARDS = ("to", "go", "go_to", "goto", "into", "enter", "set", "set_to", "at", "back_to", "resume", "resume_to")
"""Words that make a trigger out of the state it leads to."""


class BadDeclaration(Exception):
    """A machine was declared so that it cannot be what was meant."""


class Row(msgspec.Struct, frozen=True):
    """One declared transition; `guard`, `action` and `then` name methods of the model.

    An action runs before the state changes, so a refusal or an error leaves the old state; what follows from being in
    the new one is `then`, which runs after the change was told. Both get what was fired with the trigger.
    """

    trigger: str
    source: Names
    dest: str
    guard: Names = ""
    action: Names = ""
    then: Names = ""
    clause: str = ""
    kind: Kind = "row"
    declared: str = ""

    def __post_init__(self) -> None:
        if not self.declared:
            msgspec.structs.force_setattr(self, "declared", _caller())

    @property
    def sources(self) -> tuple[str, ...]:
        return _several(self.source)

    @property
    def guards(self) -> tuple[str, ...]:
        return _several(self.guard)

    @property
    def actions(self) -> tuple[str, ...]:
        return _several(self.action)

    @property
    def thens(self) -> tuple[str, ...]:
        return _several(self.then)


def interrupt(
    trigger: str, sources: Names, dest: str, guard: Names = "", action: Names = "", then: Names = "", clause: str = ""
) -> Row:
    """Stand still in `dest`; the machine remembers which of the sources it came from until it leaves the interruption.

    An interruption lasts while the machine stands where an interrupt leads to or a resume starts from.
    """
    return Row(trigger, sources, dest, guard, action, then, clause, "interrupt", _caller())


def resume(
    trigger: str, source: Names, guard: Names = "", action: Names = "", then: Names = "", clause: str = ""
) -> Row:
    """Go on where the interrupt came from; a way to anywhere else is a row of its own."""
    return Row(trigger, source, "", guard, action, then, clause, "resume", _caller())


class Way(NamedTuple):
    """A row from one of its sources; that of a resume also leads to one place, which it must have come from."""

    row: Row
    source: str
    dest: str


class Course(NamedTuple):
    """Rows that passed every check, told apart by source; `origins` says where an interruption can have come from."""

    ways: tuple[Way, ...]
    origins: dict[str, tuple[str, ...]]


@lru_cache(maxsize=64)
def course(name: str, states: tuple[str, ...], rows: tuple[Row, ...], initial: str, final: tuple[str, ...]) -> Course:
    """What these rows declare; a declaration that cannot be meant is refused."""
    _states_exist(name, states, rows, initial, final)
    _interruptions_are_whole(name, rows, initial)
    origins = {state: tuple(one for one in states if one in found) for state, found in _origins(rows).items()}
    ways = tuple(_ways(rows, origins))
    _every_interrupt_is_resumed(name, rows, origins)
    _triggers_say_what_happened(name, ways)
    _nothing_leaves_from_everywhere(name, states, rows)
    _every_row_can_fire(name, rows)
    _every_state_is_reached(name, states, ways, initial)
    _every_state_is_left(name, states, rows, final)
    return Course(ways, origins)


def methods_exist(name: str, model: object, rows: Iterable[Row]) -> None:
    """Guards, actions and consequences are methods of the model."""
    for row in rows:
        for method in (*row.guards, *row.actions, *row.thens):
            if not callable(getattr(model, method, None)):
                raise _bad(name, row, f"names {method!r}, which {type(model).__name__} lacks")


def interruptions(rows: Iterable[Row]) -> frozenset[str]:
    """The states in which an interruption lasts."""
    held: set[str] = set()
    for row in rows:
        if row.kind == "interrupt":
            held.add(row.dest)
        elif row.kind == "resume":
            held.update(row.sources)
    return frozenset(held)


def leads_into(rows: tuple[Row, ...], begin: Row) -> frozenset[str]:
    """Every state in which the interruption that this interrupt begins can stand."""
    held = interruptions(rows)
    inside = {begin.dest}
    while True:
        more = {row.dest for row in rows if row.kind == "row" and row.dest in held and inside & {*row.sources}}
        if more <= inside:
            return frozenset(inside)
        inside |= more


def _several(names: Names) -> tuple[str, ...]:
    return names if isinstance(names, tuple) else (names,) if names else ()


def _caller() -> str:
    """Where the row stands: two frames above this one."""
    frame = currentframe()
    assert frame is not None
    assert frame.f_back is not None
    assert frame.f_back.f_back is not None
    above = frame.f_back.f_back
    return f"{above.f_code.co_filename}:{above.f_lineno}"


def _bad(name: str, row: Row, text: str) -> BadDeclaration:
    return BadDeclaration(f"{row.declared}: {name}: {row.kind} {row.trigger!r} {text}")


def _origins(rows: tuple[Row, ...]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.kind == "interrupt":
            for state in leads_into(rows, row):
                found[state].update(row.sources)
    return found


def _ways(rows: Iterable[Row], origins: dict[str, tuple[str, ...]]) -> Iterator[Way]:
    for row in rows:
        for source in row.sources:
            for dest in origins.get(source, ()) if row.kind == "resume" else (row.dest,):
                yield Way(row, source, dest)


# -- what may not be declared ------------------------------------------------------------------------------------------


def _states_exist(
    name: str, states: tuple[str, ...], rows: tuple[Row, ...], initial: str, final: tuple[str, ...]
) -> None:
    known = set(states)
    if len(known) != len(states):
        raise BadDeclaration(f"{name} declares a state twice")
    for what, state in (("initial", initial), *(("final", state) for state in final)):
        if state not in known:
            raise BadDeclaration(f"{name}: unknown {what} state {state!r}")
    for row in rows:
        for state in (*row.sources, *((row.dest,) if row.kind != "resume" else ())):
            if state not in known:
                raise _bad(name, row, f"names the unknown state {state!r}")
        if not row.sources:
            raise _bad(name, row, "leaves from no state")


def _interruptions_are_whole(name: str, rows: tuple[Row, ...], initial: str) -> None:
    """One goes into an interruption by an interrupt alone, and never from within another."""
    held = interruptions(rows)
    if initial in held:
        raise BadDeclaration(f"{name} begins in {initial!r}, an interruption, and would not know where to resume")
    for row in rows:
        within = held & {*row.sources}
        if row.kind == "interrupt" and within:
            instead = "a plain row between the two keeps where it came from"
            raise _bad(name, row, f"interrupts {'/'.join(sorted(within))}, which is an interruption already; {instead}")
        if row.kind == "row" and row.dest in held and within != {*row.sources}:
            raise _bad(name, row, f"leads into the interruption {row.dest!r}; declare it with interrupt()")


def _every_interrupt_is_resumed(name: str, rows: tuple[Row, ...], origins: dict[str, tuple[str, ...]]) -> None:
    left = {state for row in rows if row.kind == "resume" for state in row.sources}
    for row in rows:
        if row.kind == "interrupt" and not left & leads_into(rows, row):
            raise _bad(name, row, "is never resumed; declare the resume, or a plain row")
        if row.kind == "resume" and (never := [state for state in row.sources if not origins.get(state)]):
            raise _bad(name, row, f"resumes from {'/'.join(never)}, where no interrupt leads")


def _triggers_say_what_happened(name: str, ways: Iterable[Way]) -> None:
    for row, _, dest in ways:
        towards = row.trigger.removesuffix(dest).removesuffix("_") if row.trigger.endswith(dest) else None
        if towards == "" or towards in TOWARDS:
            raise _bad(name, row, f"is named after its target {dest!r}; name what happened")


def _nothing_leaves_from_everywhere(name: str, states: tuple[str, ...], rows: Iterable[Row]) -> None:
    """A way out of everything hides which states were thought of; in up to three states there is no other way."""
    leaves: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows:
        if row.kind == "row":
            sources = leaves[row.trigger, row.dest]
            sources.update(row.sources)
            if len(states) > 3 and sources >= {*states} - {row.dest}:
                raise _bad(name, row, "leaves from every state; only an interrupt may")


def _every_row_can_fire(name: str, rows: Iterable[Row]) -> None:
    before: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        for source in row.sources:
            for first in before[row.trigger, source]:
                if {*first.guards} <= {*row.guards}:
                    taken = f"the one at {first.declared} is always taken before it"
                    raise _bad(name, row, f"can never fire from {source!r}: {taken}")
            before[row.trigger, source].append(row)


def _every_state_is_reached(name: str, states: tuple[str, ...], ways: tuple[Way, ...], initial: str) -> None:
    reached = {initial}
    while more := {way.dest for way in ways if way.source in reached} - reached:
        reached |= more
    if missing := [state for state in states if state not in reached]:
        unreached = next((way.row for way in ways if way.source in missing), None)
        if unreached is None:
            raise BadDeclaration(f"{name}: no row leads to {', '.join(missing)}")
        raise _bad(name, unreached, f"cannot be reached: no row leads to {', '.join(missing)}")


def _every_state_is_left(name: str, states: tuple[str, ...], rows: tuple[Row, ...], final: tuple[str, ...]) -> None:
    for state in states:
        leaving = next((row for row in rows if state in row.sources), None)
        if state in final and leaving is not None:
            raise _bad(name, leaving, f"leaves {state!r}, which is declared final")
        if state not in final and leaving is None:
            into = next((row for row in rows if row.dest == state), None)
            text = f"leads to {state!r}, from which nothing leads on; declare it final or a row that leaves it"
            raise BadDeclaration(f"{name}: nothing leads on from {state!r}") if into is None else _bad(name, into, text)
