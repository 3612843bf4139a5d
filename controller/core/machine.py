"""`transitions` under a strict hand: declared rows, checked names, a queue of our own, nothing swallowed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from transitions import Event, EventData, Machine, Transition

from controller.core.desk import Refusal
from controller.core.rows import (
    BadDeclaration,
    Row,
    Way,
    course,
    interrupt,
    interruptions,
    leads_into,
    methods_exist,
    resume,
)

__all__ = ["BadDeclaration", "HalfDone", "Moved", "NotNow", "Row", "Standing", "StrictMachine", "interrupt", "resume"]


class NotNow(Exception):
    """The machine has no way to do this from the state it is in; `while_` says that state in a person's words."""

    def __init__(self, machine: str, trigger: str, state: str, while_: str = "") -> None:
        super().__init__(f"{machine} cannot {trigger.replace('_', ' ')} while {state.replace('_', ' ')}")
        self.trigger = trigger
        self.state = state
        self.while_ = while_ or f"{machine} is {state.replace('_', ' ')}"


class HalfDone(RuntimeError):
    """Something was refused after the state had changed: a defect, and never a refusal."""


class Standing(NamedTuple):
    """Where a machine stands, as plain data; `interrupted_from` is empty where no interruption lasts."""

    state: str
    interrupted_from: str = ""


class Place(Protocol):
    """What keeps where a machine stands: the machine's own, or something that is saved with it."""

    phase: str
    interrupted_from: str


Moved = Callable[[str, str, str, str], None]
"""Told of a change: machine, source, destination, trigger."""


class StrictMachine:
    """A flat synchronous machine whose model is the object that owns the guards, actions and consequences.

    Actions run before the state changes, so a refusal or an error leaves the old state standing; `then` runs after the
    change was told. What either fires in turn waits in this machine's own queue until the change is made. States come
    with the words in which a refusal says them, where people are refused by this machine.
    """

    def __init__(
        self,
        name: str,
        model: object,
        states: Sequence[str] | Mapping[str, str],
        rows: Sequence[Row],
        initial: str,
        moved: Moved,
        *,
        final: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.rows = tuple(rows)
        self.states = tuple(states)
        self.words: Mapping[str, str] = states if isinstance(states, Mapping) else {}
        declared = course(name, self.states, self.rows, initial, tuple(final))
        methods_exist(name, model, self.rows)
        self._ways = declared.ways
        self._origins = declared.origins
        self._held = interruptions(self.rows)
        self._model = model
        self._moved = moved
        self._queue: deque[tuple[Event, tuple[Any, ...]]] = deque()
        self._busy = False
        self._changed = False
        self._initial = initial
        self._at: Place = _Holder(initial)
        self._machine = _Engine(
            model=None, states=list(states), initial=initial, auto_transitions=False, model_attribute="phase"
        )
        self._events: dict[str, Event] = {}
        self._sources: dict[str, set[str]] = {}
        for way in self._ways:
            self._sources.setdefault(way.row.trigger, set()).add(way.source)

    # -- where it stands -----------------------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        return self._at.phase

    @property
    def interrupted_from(self) -> str:
        """Where a resume leads; empty where no interruption lasts."""
        return self._at.interrupted_from

    def stand_with(self, place: Place | None) -> None:
        """Stand where this stands, and move it along, from here on; without one, stand where a machine begins."""
        self._at = _Holder(self._initial) if place is None else place

    @property
    def while_(self) -> str:
        """What is going on now, in the words in which a refusal says it."""
        return self.words.get(self._at.phase) or f"{self.name} is {self._at.phase.replace('_', ' ')}"

    def saved(self) -> Standing:
        """Where it stands, for a snapshot."""
        return Standing(self._at.phase, self._at.interrupted_from)

    def restore(self, state: str, interrupted_from: str = "") -> None:
        """Stand as a snapshot says, without running anything; of no use for going anywhere else."""
        if self._busy:
            raise BadDeclaration(f"{self.name} is restored while a transition runs")
        if state not in self.states:
            raise BadDeclaration(f"{self.name} has no state {state!r}")
        if state in self._held and interrupted_from not in self._origins[state]:
            raise BadDeclaration(f"{self.name} stands in {state!r} and cannot have come from {interrupted_from!r}")
        self._machine.set_state(state, self._at)
        self._at.interrupted_from = interrupted_from if state in self._held else ""

    # -- what it can do ------------------------------------------------------------------------------------------------

    def can(self, trigger: str) -> bool:
        """Whether a row for this trigger starts here, guards aside."""
        return self._at.phase in self._sources.get(trigger, ())

    def may(self, trigger: str, *args: Any) -> bool:
        """Whether firing this would find a row whose guards let it pass."""
        here = (way for way in self._ways if way.row.trigger == trigger and way.source == self._at.phase)
        return any(all(guard(*args) for guard in self._guards(way)) for way in here)

    def when(self, trigger: str) -> tuple[str, ...]:
        """The states in which this trigger means something, in the order in which they are declared."""
        self._known(trigger)
        return tuple(state for state in self.states if state in self._sources[trigger])

    def triggers_from(self, state: str) -> tuple[str, ...]:
        """What can happen in this state, guards aside."""
        return tuple(dict.fromkeys(way.row.trigger for way in self._ways if way.source == state))

    # -- firing --------------------------------------------------------------------------------------------------------

    def fire(self, trigger: str, *args: Any) -> None:
        """Run a trigger now, or right after the one that is running."""
        self._fire(trigger, args)

    def _fire(self, trigger: str, args: tuple[Any, ...]) -> None:
        event = self._events.get(trigger) or self._event(trigger)
        if self._busy:
            self._queue.append((event, args))
            return
        self._busy = True
        self._changed = False
        try:
            while True:
                if not self._go(event, args):
                    raise NotNow(self.name, event.name, self._at.phase, self.while_)
                if not self._queue:
                    return
                event, args = self._queue.popleft()
        except BaseException as error:
            self._queue.clear()
            if self._changed and isinstance(error, NotNow | Refusal):
                raise HalfDone(f"refused after it had begun: {error}") from error
            raise
        finally:
            self._busy = False

    def _go(self, event: Event, args: tuple[Any, ...]) -> bool:
        """Have `transitions` take the first way from here whose guards let it pass."""
        return self._at.phase in event.transitions and bool(event.trigger(self._at, *args))

    def _gone(self, way: _Transition, trigger: str) -> None:
        """The state has changed; what follows from being there comes next."""
        self._changed = True
        if way.came_from is not None:
            self._at.interrupted_from = way.came_from
        self._moved(self.name, way.source, self._at.phase, trigger)

    def _event(self, trigger: str) -> Event:
        """What `transitions` knows of a trigger, told when it is first fired: most of them never are in a night."""
        self._known(trigger)
        for way in self._ways:
            if way.row.trigger == trigger:
                self._add(way)
        self._events[trigger] = self._machine.events[trigger]
        return self._events[trigger]

    def _known(self, trigger: str) -> None:
        if trigger not in self._sources:
            raise BadDeclaration(f"{self.name} has no trigger {trigger!r}")

    # -- what `transitions` is given -----------------------------------------------------------------------------------

    def _add(self, way: Way) -> None:
        row, machine = way.row, self._machine
        before, after = self._methods(row.actions), self._methods(row.thens)
        machine.add_transition(row.trigger, way.source, way.dest, self._guards(way), None, before, after)
        added = machine.events[row.trigger].transitions[way.source][-1]
        assert isinstance(added, _Transition)
        added.gone = self._gone
        added.actions, added.consequences = before, after
        if row.kind == "interrupt":
            added.came_from = way.source
        elif row.kind == "resume" or (way.source in self._held) != (way.dest in self._held):
            added.came_from = ""

    def _methods(self, names: Iterable[str]) -> list[Any]:
        return [getattr(self._model, name) for name in names]

    def _guards(self, way: Way) -> list[Any]:
        guards = self._methods(way.row.guards)
        if way.row.kind == "resume":
            guards.insert(0, lambda *args: self._at.interrupted_from == way.dest)
        return guards


class _Holder:
    """The place of a machine that keeps where it stands itself."""

    def __init__(self, phase: str) -> None:
        self.phase = phase
        self.interrupted_from = ""


class _Transition(Transition):
    """One way of the table; it may begin an interruption or end one, and tells when the state has changed.

    It runs what rows can declare and nothing else: the library's own `execute` writes ten lines to a log that is off
    and looks for callbacks of states and machine that there are none of, which is most of what a move costs.
    """

    def __init__(self, source: str, dest: str, *more: Any) -> None:
        super().__init__(source, dest, *more)
        self.came_from: str | None = None
        self.to = dest
        self.gone: Callable[[_Transition, str], None]
        self.actions: list[Any] = []
        self.consequences: list[Any] = []

    def execute(self, event_data: EventData) -> bool:
        args = event_data.args
        for condition in self.conditions:
            if not condition.check(event_data):
                return False
        for action in self.actions:
            action(*args)
        event_data.machine.set_state(self.to, event_data.model)
        self.gone(self, event_data.event.name)
        for consequence in self.consequences:
            consequence(*args)
        return True


class _Engine(Machine):
    """`transitions`, with ways that tell when they were gone."""

    transition_cls = _Transition


def mermaid(name: str, states: Sequence[str], rows: Sequence[Row], initial: str) -> str:
    """The machine as a Mermaid state diagram, drawn by `transitions` from the same declaration.

    What an interrupt leaves from is drawn as one group, to which its resume returns.
    """
    from transitions.extensions import GraphMachine

    holder = _Holder(initial)
    for guard in {guard for row in rows for guard in row.guards}:
        setattr(holder, guard, lambda: True)
    interrupts = (row for row in rows if row.kind == "interrupt")
    groups = {f"interrupted_{number}": row for number, row in enumerate(interrupts, 1)}
    machine = GraphMachine(
        model=holder,
        states=[*states, *groups],
        initial=initial,
        transitions=[
            {"trigger": row.trigger, "source": source, "dest": dest, "conditions": list(row.guards)}
            for row in rows
            for source, dest in _drawn(row, tuple(rows), groups)
        ],
        auto_transitions=False,
        graph_engine="mermaid",
        show_conditions=True,
        title=name,
    )
    drawn = str(machine.get_graph().draw(None))
    for group, row in groups.items():
        drawn = drawn.replace(f'state "{group}" as', f'state "in any of: {", ".join(row.sources)}" as')
    return drawn


def _drawn(row: Row, rows: tuple[Row, ...], groups: dict[str, Row]) -> list[tuple[str, str]]:
    """The arrows of a row: an interrupt has one from its group, a resume one back to each group it can belong to."""
    if row.kind == "interrupt":
        return [(group, row.dest) for group, begin in groups.items() if begin is row]
    if row.kind == "resume":
        inside = {group: leads_into(rows, begin) for group, begin in groups.items()}
        return [(source, group) for source in row.sources for group in groups if source in inside[group]]
    return [(source, row.dest) for source in row.sources]
