"""The chip mat's driver: which chips lie on which area, told whole, in order, and again after the mat forgot.

It keeps the picture it has told the table. When the mat or the line lost memory it asks for everything
and tells only what differs, followed by the complete picture. A chip that no antenna reads any more is unread at first,
and has left only when it stays so: antennas lose chips that lie still.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from firmware_specs.clock import Clock, Timer
from firmware_specs.link import Identity
from firmware_specs.messages.chips import (
    SPEC,
    AreaFault,
    AreaFaultOver,
    EdgeCleared,
    FaultCause,
    Inventory,
    ReadAll,
    TagOnEdge,
    TagsChanged,
)
from firmware_specs.port import Port
from firmware_specs.spec import Message

from .device import Device, own_command
from .device_time import DeviceTime
from .events import DeviceEvent, DeviceTrouble, DeviceTroubleOver, Mark, Sink
from .listener import Recorder
from .unread import UnreadChips

FLOAT_TRAY = 0
NO_INVENTORY = "no_inventory"
# An answer to ReadAll, or the next part of it, comes within this time or is asked for again. A full table's two
# thousand tags take a reader more than five seconds.
INVENTORY_S = 15.0
# What a mat takes to find a chip that was laid down: a pass over all areas, then tag after tag.
PASS_MS = 60
TAG_MS = 3
_AREAS = 0x3F

_CAUSES = {
    FaultCause.ANTENNA_OPEN: (
        "its antenna or lead is broken",
        "Check the plug of the antenna, then replace the antenna.",
    ),
    FaultCause.ANTENNA_SHORT: (
        "its antenna is shorted",
        "Take away metal that lies on it, then check the antenna's lead.",
    ),
    FaultCause.NOISE: (
        "interference drowns the chips",
        "Move telephones and chargers away, then calibrate the empty area.",
    ),
    FaultCause.READER_HOT: (
        "its reader is too hot",
        "Let the air reach the reader and wait until it has cooled.",
    ),
}


class AreaChips(msgspec.Struct, frozen=True):
    """The chips on one area; `partial` when there may be more."""

    area: int
    tags: tuple[int, ...]
    partial: bool = False


class AreaChange(msgspec.Struct, frozen=True):
    """Chips came to an area or left it; `partial` when more are there than could be told apart yet.

    `unread` are those not read there just now that may lie there still. `ago` is how many milliseconds before the
    telling this may already have been so, by the mat's own clock.
    """

    area: int
    added: tuple[int, ...]
    removed: tuple[int, ...]
    partial: bool = False
    ago: int = 0
    unread: tuple[int, ...] = ()


class ChipsSeen(DeviceEvent, frozen=True):
    """What one pass over the mat found changed, area by area; chips that left come first."""

    changes: tuple[AreaChange, ...]


class ChipOnEdge(DeviceEvent, frozen=True):
    """A chip lies across the line between areas and counts for none of them."""

    tag: int
    areas: tuple[int, ...]


class ChipOffEdge(DeviceEvent, frozen=True):
    """A chip told by ChipOnEdge lies on no line any more."""

    tag: int


class ChipInventory(DeviceEvent, frozen=True):
    """The complete picture, area by area, after it was read anew; it takes the place of whatever was known."""

    areas: tuple[AreaChips, ...]


class Chips(Device):
    """The host end of a chip mat; give `picture` (tags by area) when the table already knows what lies there."""

    def __init__(
        self,
        name: str,
        clock: Clock,
        port: Port,
        sink: Sink,
        *,
        serial: str | None = None,
        resume: Mark | None = None,
        recorder: Recorder | None = None,
        picture: Mapping[int, Iterable[int]] | None = None,
    ) -> None:
        super().__init__(name, SPEC, clock, port, sink, serial=serial, resume=resume, recorder=recorder)
        self._known = picture is not None
        self._tags: dict[int, set[int]] = {area: set(tags) for area, tags in (picture or {}).items()}
        self._partial: set[int] = set()
        self._edge: dict[int, tuple[int, ...]] = {}
        self._unread = UnreadChips(clock, self._no_longer_waited_for)
        if resume is not None:
            self._unread.resume(resume.kept, self._tags)
        self._time = DeviceTime(clock)
        self._reading: dict[int, int] = {}  # areas read in part: since when, by the mat's clock
        self._faults: set[int] = set()
        self._serial = resume.serial if resume is not None else ""
        self._areas = _AREAS
        # Parts of a report that is not whole yet.
        self._changed: list[tuple[int, TagsChanged]] = []
        self._inventory: list[tuple[int, Inventory]] = []
        # A complete picture that was asked for, and whether changes before it can be trusted.
        self._wanted = True
        self._doubtful = resume is not None and not self._known
        self._superseded: list[int] = []
        self._snapshot = clock.wall() & 0xFFFF
        self._command = own_command(clock.wall())
        self._timer: Timer | None = None
        self._complained = False

    def picture(self) -> dict[int, frozenset[int]]:
        """The chips on each area as told to the table so far."""
        return {area: frozenset(tags) for area, tags in sorted(self._tags.items())}

    def recall(self, troubles: frozenset[str]) -> None:
        self._complained = NO_INVENTORY in troubles
        areas = (code.removeprefix("area_") for code in troubles if code.startswith("area_"))
        self._faults = {int(area) for area in areas}

    def resync(self) -> None:
        """Have everything read anew."""
        self._wanted = True
        if self.link.state == "up":
            self._ask()

    def kept(self) -> str:
        return self._unread.kept()

    def stop(self) -> None:
        self._cancel()
        self._unread.clear()
        super().stop()

    # What the link tells.

    def on_up(self, identity: Identity, lost: bool) -> None:
        swapped = bool(self._serial) and identity.serial != self._serial
        self._serial = identity.serial
        self._areas = identity.capabilities & _AREAS
        if self._time.begin(identity):
            self._reading.clear()
        if lost or swapped:
            # Half a report of before will never be completed, and its numbers mean nothing any more.
            self._changed, self._inventory, self._superseded = [], [], []
            self._wanted = self._doubtful = True
        if self._wanted:
            self._ask()

    def on_down(self) -> None:
        self._cancel()

    def bad_event(self, number: int, text: str) -> None:
        super().bad_event(number, text)
        self._give_up_parts()

    def on_event(self, number: int, message: Message) -> None:
        if (self._changed and not isinstance(message, TagsChanged)) or (
            self._inventory and not isinstance(message, Inventory)
        ):
            # The mat never lets anything come between the parts of a report.
            self._give_up_parts()
        if wrong := self._wrong(message):
            self.bad_event(number, wrong)
        elif isinstance(message, TagsChanged):
            self._on_changed(number, message)
        elif isinstance(message, Inventory):
            self._on_inventory(number, message)
        elif isinstance(message, AreaFault):
            self._on_fault(number, message)
        elif isinstance(message, AreaFaultOver):
            self._faults.discard(message.area)
            self.tell(DeviceTroubleOver(self.name, f"area_{message.area}"), number)
        elif self._doubtful:
            self._superseded.append(number)
        elif isinstance(message, TagOnEdge):
            self._let_go([message.tag])
            if self._edge.get(message.tag) == message.areas:
                self.settle(number)
            else:
                self._edge[message.tag] = message.areas
                self.tell(ChipOnEdge(self.name, message.tag, message.areas), number)
        elif isinstance(message, EdgeCleared):
            self._edge.pop(message.tag, None)
            self.tell(ChipOffEdge(self.name, message.tag), number)
        else:
            self.settle(number)

    def _wrong(self, message: Message) -> str:
        """What the declaration of a message cannot say: areas that this mat has, and one for each tag."""
        if isinstance(message, TagsChanged):
            if len(message.added) != len(message.to) or len(message.removed) != len(message.left):
                return "tags and areas that do not pair up"
            areas = (*message.to, *message.left, *message.partial)
        elif isinstance(message, TagOnEdge):
            areas = message.areas
            if not areas:
                return "a tag on an edge of no area"
        else:
            areas = (getattr(message, "area", 0),)
        highest = max(areas, default=0)
        return f"area {highest} of {self._areas}" if highest >= self._areas else ""

    # Changes.

    def _on_changed(self, number: int, part: TagsChanged) -> None:
        if self._changed and self._changed[0][1].report != part.report:
            self._give_up_parts()
        self._changed.append((number, part))
        if part.more:
            return
        parts, self._changed = self._changed, []
        numbers = [each for each, _ in parts]
        if self._doubtful:
            # The complete picture that is on its way holds this change; until then it could count a chip twice.
            self._superseded += numbers
            return
        changes = self._changes([each for _, each in parts], set(part.partial), part.at, numbers[-1])
        if changes:
            self.tell(ChipsSeen(self.name, changes), numbers[-1], *numbers[:-1])
        else:
            self._settle_all(numbers)
        if self._known and not part.partial and sum(map(len, self._tags.values())) - len(self._unread) != part.total:
            # The mat counts otherwise than we do: one of us missed something.
            self.resync()

    def _changes(self, parts: list[TagsChanged], partial: set[int], at: int, number: int) -> tuple[AreaChange, ...]:
        """The report, area by area, without what is known already.

        Chips that left come first, so that one that moved is never on two areas.
        """
        other = partial ^ self._partial
        self._partial = partial
        transit = self._time.ago(at, number)
        came = _by_area((part.added, part.to) for part in parts)
        elsewhere = {tag: area for area, tags in came.items() for tag in tags}
        changes = []
        for area, left in _by_area((part.removed, part.left) for part in parts).items():
            went = [tag for tag in left if not self._known or tag in self._tags.get(area, ())]
            moved = tuple(tag for tag in went if tag in elsewhere)
            self._unread.wait_for((tag for tag in went if tag not in moved), area, transit)
            if went:
                changes.append(self._left(area, moved, transit))
        changes += [
            self._left(area, tuple(tags), transit) for area, tags in self._unread.found_elsewhere(elsewhere).items()
        ]
        for area, tags in (came | {area: [] for area in sorted(other) if area not in came}).items():
            again = self._unread.read_again(tags, area)
            here = self._tags.setdefault(area, set())
            fresh = tuple(tag for tag in tags if tag not in (here if self._known else again))
            here.update(fresh)
            if fresh or again or area in other:
                ago = transit + self._reading_time(area, len(tags), at)
                changes.append(AreaChange(area, fresh, (), area in partial, ago, self._unread.on(area)))
        return tuple(changes)

    def _left(self, area: int, tags: tuple[int, ...], ago: int) -> AreaChange:
        self._tags.setdefault(area, set()).difference_update(tags)
        return AreaChange(area, (), tags, area in self._partial, ago, self._unread.on(area))

    def _reading_time(self, area: int, tags: int, at: int) -> int:
        """How long chips may have lain there before the report that brings them; a stack read in parts came as one."""
        begun = self._reading.pop(area, at - PASS_MS - TAG_MS * tags)
        if area in self._partial:
            self._reading[area] = begun
        return max(0, at - begun)

    def _no_longer_waited_for(self) -> None:
        if not self._doubtful:  # otherwise the complete picture that is on its way tells
            self._let_go(self._unread.overdue())

    def _let_go(self, tags: Iterable[int]) -> None:
        """These chips, if they are unread, have left where they were last read."""
        gone = self._unread.let_go(tags)
        self._tell_difference(self._left(area, left, ago) for area, (left, ago) in gone.items())

    def _on_fault(self, number: int, fault: AreaFault) -> None:
        self._faults.add(fault.area)
        where = "The float tray" if fault.area == FLOAT_TRAY else f"Area {fault.area}"
        why, remedy = _CAUSES[fault.cause]
        self.tell(
            DeviceTrouble(self.name, f"area_{fault.area}", f"{where} of the chip mat cannot be read: {why}.", remedy),
            number,
        )

    # The complete picture.

    def _ask(self) -> None:
        self._wanted = True
        self._snapshot = (self._snapshot + 1) & 0xFFFF
        self._command = own_command(self._command + 1)
        self._wait_for_inventory()
        self.link.command(self._command, ReadAll(self._snapshot), lambda *answer: None, INVENTORY_S)

    def _wait_for_inventory(self) -> None:
        self._cancel()
        self._timer = self.clock.call_later(INVENTORY_S, self._ask_again)

    def _ask_again(self) -> None:
        self._timer = None
        if not self._complained:
            self._complained = True
            self.tell(
                DeviceTrouble(
                    self.name,
                    NO_INVENTORY,
                    "The chip mat does not say what lies on it.",
                    "Count the chips by hand until this clears; if it stays, switch the mat off and on.",
                )
            )
        self._ask()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_inventory(self, number: int, part: Inventory) -> None:
        if self._inventory and self._inventory[0][1].snapshot != part.snapshot:
            self._give_up_parts()
        self._inventory.append((number, part))
        awaited = self._wanted and part.snapshot == self._snapshot
        if awaited:
            self._wait_for_inventory()
        if part.more:
            return
        parts, self._inventory = self._inventory, []
        numbers = [each for each, _ in parts]
        picture = _assemble(each for _, each in parts)
        if not awaited or picture is None:
            # An answer to a question of before a restart, or one that does not add up.
            self._settle_all(numbers)
            if awaited:
                self._ask()
            return
        self._cancel()
        self._take_picture(picture, frozenset(part.edge), self._superseded + numbers)

    def _take_picture(self, picture: dict[int, AreaChips], edge: frozenset[int], numbers: list[int]) -> None:
        self._wanted = self._doubtful = False
        self._superseded = []
        # One that the picture does not show may lie there a little longer.
        self._unread.let_go({*self._unread.overdue(), *edge, *(tag for seen in picture.values() for tag in seen.tags)})
        now = {area: self._with_what_is_hidden(seen) for area, seen in picture.items()}
        if self._known:
            # Those that left are told first, so that a chip that moved is never on two areas.
            gone = {area: self._tags.get(area, set()) - tags for area, tags in now.items()}
            self._tell_difference(
                AreaChange(area, (), tuple(sorted(tags)), picture[area].partial) for area, tags in gone.items() if tags
            )
            for tag in [tag for tag in self._edge if tag not in edge]:
                del self._edge[tag]
                self.tell(ChipOffEdge(self.name, tag))
            fresh = {area: tags - self._tags.get(area, set()) for area, tags in now.items()}
            self._tell_difference(
                AreaChange(area, tuple(sorted(tags)), (), picture[area].partial) for area, tags in fresh.items() if tags
            )
        self._known = True
        self._tags = now
        self._partial = {area for area, seen in picture.items() if seen.partial}
        if self._complained:
            self._complained = False
            self.tell(DeviceTroubleOver(self.name, NO_INVENTORY))
        for area in [area for area in sorted(self._faults) if area in picture and not picture[area].partial]:
            # It was mended while nobody could tell so.
            self._faults.discard(area)
            self.tell(DeviceTroubleOver(self.name, f"area_{area}"))
        whole = tuple(AreaChips(area, tuple(sorted(tags)), area in self._partial) for area, tags in now.items())
        self.tell(ChipInventory(self.name, whole), numbers[-1], *numbers[:-1])

    def _tell_difference(self, changes: Iterable[AreaChange]) -> None:
        found = tuple(changes)
        if found:
            self.tell(ChipsSeen(self.name, found))

    def _with_what_is_hidden(self, seen: AreaChips) -> set[int]:
        """A chip that a partial read does not show may still be there; only a whole read takes it away."""
        tags = set(seen.tags)
        return tags | (self._tags.get(seen.area, set()) if seen.partial else set(self._unread.on(seen.area)))

    def _give_up_parts(self) -> None:
        """A report that cannot be completed is not acted on; everything is read anew instead."""
        numbers = [number for number, _ in self._changed] + [number for number, _ in self._inventory]
        self._changed, self._inventory = [], []
        self._settle_all(numbers)
        self.resync()

    def _settle_all(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self.settle(number)


def _by_area(told: Iterable[tuple[tuple[int, ...], tuple[int, ...]]]) -> dict[int, list[int]]:
    """Tags, each with its area, gathered by area in the order they were told."""
    found: dict[int, list[int]] = {}
    for tags, areas in told:
        for tag, area in zip(tags, areas, strict=True):
            found.setdefault(area, []).append(tag)
    return found


def _assemble(parts: Iterable[Inventory]) -> dict[int, AreaChips] | None:
    """The picture the parts make; None when an area's tags do not come to its total."""
    tags: dict[int, list[int]] = {}
    totals: dict[int, tuple[int, bool]] = {}
    for part in parts:
        tags.setdefault(part.area, []).extend(part.tags)
        totals[part.area] = (part.total, part.partial)
    if any(len(set(tags[area])) != total for area, (total, _) in totals.items()):
        return None
    return {area: AreaChips(area, tuple(tags[area]), partial) for area, (_, partial) in totals.items()}
