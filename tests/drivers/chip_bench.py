"""A chip mat on a wire or on USB with its driver, and the journal that keeps what was told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from drivers.chips import AreaChange, ChipInventory, Chips, ChipsSeen
from drivers.events import DeviceEvent, Mark
from firmware_specs.clock import RealClock, VirtualClock
from firmware_specs.messages.chips import TagsChanged
from simulators.chips import ChipMat
from simulators.wire import Wire


class Journal:
    """Takes events as the table would: in order, on disk a little later, with the picture they add up to."""

    def __init__(self, clock: VirtualClock | RealClock, delay: float = 0.003) -> None:
        self.clock = clock
        self.delay = delay
        self.dead = False
        self.events: list[DeviceEvent] = []
        self.ago: list[int] = []
        self.areas: dict[int, set[int]] = {}
        # What a restart finds.
        self.mark: Mark | None = None
        self.disk: dict[int, set[int]] = {}
        self.glimpsed = 0

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        if self.dead:
            return
        self.events.append(_without_times(event))
        self.ago += [change.ago for change in event.changes] if isinstance(event, ChipsSeen) else []
        self.areas = _counted(self.areas, event)
        self.clock.call_later(self.delay, self._on_disk, event, mark, durable)

    def _on_disk(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        if not self.dead:
            self.disk = _counted(self.disk, event)
            if durable is not None:
                self.mark = mark
                durable()

    def glimpse(self, device: str, live: msgspec.Struct) -> None:
        self.glimpsed += 1

    def seen(self) -> list[AreaChange]:
        return [change for event in self.events if isinstance(event, ChipsSeen) for change in event.changes]

    def count(self, kind: type[DeviceEvent]) -> int:
        return sum(isinstance(event, kind) for event in self.events)


def _without_times(event: DeviceEvent) -> DeviceEvent:
    """What was told, without how long ago it was: most tests ask what and where."""
    if not isinstance(event, ChipsSeen):
        return event
    changes = tuple(msgspec.structs.replace(change, ago=0) for change in event.changes)
    return ChipsSeen(event.device, changes)


def _counted(areas: dict[int, set[int]], event: DeviceEvent) -> dict[int, set[int]]:
    """The table's picture after an event; an event that cannot be true fails the test."""
    if isinstance(event, ChipInventory):
        return {each.area: set(each.tags) for each in event.areas}
    for change in event.changes if isinstance(event, ChipsSeen) else ():
        tags = areas.get(change.area, set())
        assert tags.isdisjoint(change.added), "no chip is counted twice"
        for area, others in areas.items():
            assert area == change.area or others.isdisjoint(change.added), "no chip lies in two places"
        assert tags.issuperset(change.removed), "no chip leaves that was not there"
        areas = {**areas, change.area: (tags - set(change.removed)) | set(change.added)}
    return areas


def seen(*changes: AreaChange) -> ChipsSeen:
    """What one pass over the mat told."""
    return ChipsSeen("chips", changes)


def came(report: int, area: int, tags: Sequence[int], total: int, more: bool = False) -> TagsChanged:
    """A part of a report as the mat sends it: these tags came to one area."""
    return TagsChanged(0, report, tuple(tags), (area,) * len(tags), (), (), (), total, more)


class Bench:
    """A mat and its driver on one virtual clock."""

    def __init__(self, *, baud: int | None = 115_200, areas: int = 8, seed: int = 1, **mat: Any) -> None:
        self.clock = VirtualClock()
        self.wire = Wire(self.clock, baud)
        self.mat = ChipMat(self.clock, self.wire.device, areas=areas, seed=seed, **mat)
        self.journal = Journal(self.clock)
        self.driver = Chips("chips", self.clock, self.wire.host, self.journal)
        self.mat.start()
        self.driver.start()
        self.clock.run_until(lambda: self.journal.count(ChipInventory) == 1, deadline=2.0)
        self.journal.events.clear()

    def restart_controller(self, *, picture: bool = False) -> None:
        """The program dies and starts anew from what is on disk."""
        self.journal.dead = True
        self.driver.stop()
        former, self.journal = self.journal, Journal(self.clock)
        self.journal.mark = former.mark
        self.journal.areas = self.journal.disk = former.disk
        known = former.disk if picture else None
        self.driver = Chips("chips", self.clock, self.wire.host, self.journal, resume=former.mark, picture=known)
        self.driver.start()

    def truth(self) -> dict[int, set[int]]:
        return {area: set(self.mat.lying(area)) for area in range(self.mat.areas) if self.mat.lying(area)}

    def told(self) -> dict[int, set[int]]:
        return {area: tags for area, tags in self.journal.areas.items() if tags}

    def held(self) -> int:
        """What the mat holds, less what it may forget with the next event."""
        return self.mat.link.held - self.driver.quiet

    def quiet(self, deadline: float = 30.0) -> None:
        """Until the table's picture is what lies there and the mat holds nothing back."""
        self.clock.run_until(
            lambda: self.told() == self.truth() and self.held() == 0 and self.mat.link.in_session, deadline
        )
