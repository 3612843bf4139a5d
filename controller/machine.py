"""`transitions` under a strict hand: declared rows, checked names, a queue of our own, nothing swallowed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from transitions import Machine, MachineError


class Row(NamedTuple):
    """One declared transition; `guard` and `action` name methods of the model."""

    trigger: str
    source: str | tuple[str, ...]
    dest: str
    guard: str = ""
    action: str = ""
    clause: str = ""


class NotNow(Exception):
    """The machine has no way to do this from the state it is in."""

    def __init__(self, machine: str, trigger: str, state: str) -> None:
        super().__init__(f"{machine} cannot {trigger.replace('_', ' ')} while {state.replace('_', ' ')}")
        self.trigger = trigger
        self.state = state


class BadDeclaration(Exception):
    """A machine was declared with a name that does not exist."""


Moved = Callable[[str, str, str, str], None]


class StrictMachine:
    """A flat synchronous machine whose model is the object that owns the guards and actions.

    Actions run before the state changes, so a refusal or an error leaves the old state standing; what an action
    fires in turn waits in this machine's own queue until the change is made.
    """

    def __init__(
        self, name: str, model: object, states: Sequence[str], rows: Sequence[Row], initial: str, moved: Moved
    ) -> None:
        _check(name, model, states, rows, initial)
        self.name = name
        self.rows = tuple(rows)
        self.states = tuple(states)
        self._moved = moved
        self._queue: deque[tuple[str, tuple[Any, ...]]] = deque()
        self._busy = False
        self._holder = _Holder()
        self._machine = Machine(
            model=self._holder,
            states=list(states),
            initial=initial,
            transitions=[
                {
                    "trigger": row.trigger,
                    "source": list(row.source) if isinstance(row.source, tuple) else row.source,
                    "dest": row.dest,
                    "conditions": [getattr(model, row.guard)] if row.guard else [],
                    "before": [getattr(model, row.action)] if row.action else [],
                }
                for row in rows
            ],
            auto_transitions=False,
            send_event=False,
        )
        self._triggers = {row.trigger for row in rows}
        self._sources: dict[str, set[str]] = {}
        for row in rows:
            sources = row.source if isinstance(row.source, tuple) else (row.source,)
            self._sources.setdefault(row.trigger, set()).update(sources)

    @property
    def state(self) -> str:
        return self._holder.state

    def restore(self, state: str) -> None:
        """Stand in this state without running anything, as after a restart."""
        if state not in self.states:
            raise BadDeclaration(f"{self.name} has no state {state!r}")
        self._machine.set_state(state)

    def can(self, trigger: str) -> bool:
        """Whether a row for this trigger starts here, guards aside."""
        return self._holder.state in self._sources.get(trigger, ())

    def fire(self, trigger: str, *args: Any) -> None:
        """Run a trigger now, or right after the one that is running."""
        if trigger not in self._triggers:
            raise BadDeclaration(f"{self.name} has no trigger {trigger!r}")
        self._queue.append((trigger, args))
        if self._busy:
            return
        self._busy = True
        try:
            while self._queue:
                self._run(*self._queue.popleft())
        finally:
            self._busy = False
            self._queue.clear()

    def _run(self, trigger: str, args: tuple[Any, ...]) -> None:
        source = self._holder.state
        try:
            done = self._holder.trigger(trigger, *args)
        except MachineError as error:
            raise NotNow(self.name, trigger, source) from error
        if not done:
            raise NotNow(self.name, trigger, source)
        self._moved(self.name, source, self._holder.state, trigger)


class _Holder:
    """What `transitions` decorates, kept apart so that it adds nothing to the game's own names."""

    state: str
    trigger: Callable[..., bool]


def _check(name: str, model: object, states: Sequence[str], rows: Sequence[Row], initial: str) -> None:
    known = set(states)
    if len(known) != len(states):
        raise BadDeclaration(f"{name} declares a state twice")
    reached = {initial}
    for row in rows:
        sources = row.source if isinstance(row.source, tuple) else (row.source,)
        for state in (*sources, row.dest):
            if state not in known:
                raise BadDeclaration(f"{name}: row {row.trigger!r} names the unknown state {state!r}")
        reached.add(row.dest)
        for method in (row.guard, row.action):
            if method and not callable(getattr(model, method, None)):
                raise BadDeclaration(
                    f"{name}: row {row.trigger!r} names {method!r}, which {type(model).__name__} lacks"
                )
    if initial not in known:
        raise BadDeclaration(f"{name}: unknown initial state {initial!r}")
    if missing := known - reached:
        raise BadDeclaration(f"{name}: no row leads to {', '.join(sorted(missing))}")


def mermaid(name: str, states: Sequence[str], rows: Sequence[Row], initial: str) -> str:
    """The machine as a Mermaid state diagram, drawn by `transitions` from the same declaration."""
    from transitions.extensions import GraphMachine

    holder = _Holder()
    for guard in {row.guard for row in rows if row.guard}:
        setattr(holder, guard, lambda: True)
    machine = GraphMachine(
        model=holder,
        states=list(states),
        initial=initial,
        transitions=[
            {
                "trigger": row.trigger,
                "source": list(row.source) if isinstance(row.source, tuple) else row.source,
                "dest": row.dest,
                "conditions": [row.guard] if row.guard else [],
            }
            for row in rows
        ],
        auto_transitions=False,
        graph_engine="mermaid",
        show_conditions=True,
        title=name,
    )
    return str(machine.get_graph().draw(None))
