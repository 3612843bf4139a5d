"""Counts what moves machines: every write of a state, and every transition that fired or snapshot that was restored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from transitions import Event

from controller.core import machine


class Watch:
    """`written` are states set by whatever way; `fired` and `restored` are the two ways there may be."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.fired: list[str] = []
        self.restored: list[str] = []

    @property
    def past_the_machine(self) -> int:
        """States that were set by something else than a transition, a snapshot, or the making of a machine."""
        return len(self.written) - len(self.fired) - len(self.restored)


@contextmanager
def watched(*places: type) -> Iterator[Watch]:
    """Watch every strict machine from here on, and what keeps where one stands; what is built begins uncounted."""
    watch = Watch()
    go, restore = machine.StrictMachine._go, machine.StrictMachine.restore

    holders: tuple[Any, ...] = (machine._Holder, *places)
    kept = {holder: holder.__setattr__ for holder in holders}

    def written(holder: object, name: str, value: Any) -> None:
        if name == "phase" and hasattr(holder, "phase"):
            watch.written.append(value)
        kept[type(holder)](holder, name, value)

    def fired(strict: machine.StrictMachine, event: Event, args: tuple[Any, ...]) -> bool:
        before = len(watch.fired)
        gone = go(strict, event, args)
        if gone:
            watch.fired.insert(before, strict.state)  # what its consequences fired elsewhere came after it
        return gone

    def restored(strict: machine.StrictMachine, *standing: str) -> None:
        watch.restored.append(standing[0])
        restore(strict, *standing)

    for holder in holders:
        holder.__setattr__ = written
    machine.StrictMachine._go = fired  # type: ignore[method-assign,assignment]
    machine.StrictMachine.restore = restored  # type: ignore[method-assign,assignment]
    try:
        yield watch
    finally:
        for holder in holders:
            del holder.__setattr__
        machine.StrictMachine._go = go  # type: ignore[method-assign]
        machine.StrictMachine.restore = restore  # type: ignore[method-assign]
