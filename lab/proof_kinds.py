"""How a test proves a clause: by what was used while it ran, and never by what it says of itself.

A recorder stands in three harnesses: before the table, where stakes are declared or chips and devices are heard; behind
every driver, where frames have become events; and under the finger that touches a page.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import msgspec

from controller.cards.events import EVENTS as CARDS_OVER_ANTENNAS
from controller.core.events import ChipPlaced, ChipsCounted, ChipsMoved, ChipsSwept, ChipUnclear, Command
from controller.core.table import Table
from drivers.device import Device
from drivers.events import DeviceEvent, DeviceUp

Kind = Literal["declared", "chips", "page"]
KINDS: dict[Kind, str] = {
    "declared": "declared stakes",
    "chips": "chips and devices",
    "page": "through the page",
}
HEARD = (ChipPlaced, ChipsCounted, ChipsMoved, ChipsSwept, ChipUnclear, DeviceEvent, *CARDS_OVER_ANTENNAS)
DECLARED = frozenset({"StakeLaid", "StakeChanged"})
"""Stakes told to a table in a game's own words; games are not imported for their names."""


class Recorder:
    """What one test has used, and the questions that were answered at a table of it, by game and subject."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self.answered: set[str] = set()

    @property
    def kind(self) -> Kind:
        """The page proves most; whoever declares a stake proves nothing of the chips."""
        if "page" in self.used:
            return "page"
        return "chips" if "chips" in self.used and "declared" not in self.used else "declared"


_now: list[Recorder] = []


def used(what: str) -> None:
    """A harness was used."""
    for recorder in _now:
        recorder.used.add(what)


@contextmanager
def recording() -> Iterator[Recorder]:
    """What is used from here on."""
    recorder = Recorder()
    _now.append(recorder)
    try:
        yield recorder
    finally:
        _now.remove(recorder)


@contextmanager
def not_recorded() -> Iterator[None]:
    """What is used from here on prepares a test and proves nothing."""
    before, _now[:] = list(_now), []
    try:
        yield
    finally:
        _now[:] = before


def stand_in_harnesses() -> None:
    """Put the recorder before the table and behind the drivers, once for this process."""
    if not hasattr(Table.apply, "__wrapped__"):
        Table.apply = _before_the_table(Table.apply)  # type: ignore[method-assign]
        Device.tell = _behind_the_driver(Device.tell)  # type: ignore[method-assign]


def _before_the_table(apply: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(apply)
    def recorded(table: Table, seq: int, at: int, event: msgspec.Struct) -> Any:
        if _now:
            _hear(table, event)
        return apply(table, seq, at, event)

    return recorded


def _hear(table: Table, event: msgspec.Struct) -> None:
    if isinstance(event, HEARD) and not isinstance(event, DeviceUp):
        used("chips")
    elif type(event).__name__ in DECLARED:
        used("declared")
    elif isinstance(event, Command) and event.name == "answer":
        asked = table.state.desk.prompts.get(str(event.args.get("prompt")))
        for recorder in _now if asked is not None else ():
            recorder.answered.add(f"{table.game.name}/{asked.subject.partition(':')[0]}")  # type: ignore[union-attr]


def _behind_the_driver(tell: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(tell)
    def recorded(device: Device, *told: Any, **more: Any) -> Any:
        if not isinstance(told[0], DeviceUp):
            used("chips")
        return tell(device, *told, **more)

    return recorded
