"""The chip mat: tags on areas as the antennas read them, the wire in front of it, and a back door for the hand.

What lies on the mat, what the antennas see of it, and what the host has been told are three things kept apart.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator

from firmware_specs.clock import Clock
from firmware_specs.messages.chips import (
    SPEC,
    AreaFault,
    AreaFaultOver,
    AreaSignal,
    Calibrate,
    CalibrateResult,
    EdgeCleared,
    FaultCause,
    Inventory,
    Outputs,
    ReadAll,
    ReadAllResult,
    TagOnEdge,
    TagsChanged,
)
from firmware_specs.port import Port
from firmware_specs.spec import Message
from simulators.behaviour import Refusal
from simulators.gadget import BULK, Endpoint, Gadget
from simulators.link import DeviceLink
from simulators.told_tags import ToldTags
from simulators.usb import GadgetPort, UsbBus

VENDOR, PRODUCT = 0x1209, 0x7AB1
EDGE = SPEC.capabilities["edge"]

# One pass over the mat, and how many tags answer in a second.
PASS_S = 0.05
TAGS_PER_S = 400.0
# A tag is gone when it has not answered for this long; shorter gaps are missed reads.
GONE_AFTER_S = 0.3
# More new tags than this at once are not all told apart in the first pass.
READ_AT_ONCE = 12
CALIBRATION_S = 1.0
PART_CHANGED = 48
PART_INVENTORY = 96
EDGE_TAGS = 16
SHOW_EVERY_S = 0.5

Place = int | tuple[int, ...]  # an area, or the areas whose line a tag lies across
TagAt = tuple[int, int]  # a tag and the area it came to or left


class ChipMat:
    """A simulated mat with its float tray (area 0) and betting areas."""

    def __init__(
        self,
        clock: Clock,
        port: Port,
        *,
        areas: int = 8,
        serial: str = "CHIPS-1",
        firmware: str = "1.0.0",
        seed: int = 0,
        misses_per_minute: float = 0.0,
    ) -> None:
        self.areas = areas
        self.lamps = 0
        self._clock = clock
        self._random = random.Random(f"chip mat {serial} {seed}")
        self._misses_per_minute = misses_per_minute
        self._on = False
        self._life = 0
        self._report = 0
        # What lies there.
        self._lies: dict[int, Place] = {}
        self._lying: dict[int, set[int]] = {area: set() for area in range(areas)}
        self._doubles: dict[int, set[int]] = {area: set() for area in range(areas)}
        self._faults: dict[int, FaultCause] = {}
        # What the antennas do not see, and since when.
        self._missed: set[int] = set()
        self._unseen_since: dict[int, float] = {}
        self._looked_for_at = -1.0
        # Areas that hands were on at one moment, with how many tags were laid there: one pass sees to all of them.
        self._stirred: dict[int, int] = {}
        self._stirred_at = -1.0
        self._shown_at = -SHOW_EVERY_S
        # What the host has been told.
        self._told = ToldTags(areas)
        self._told_edge: dict[int, tuple[int, ...]] = {}
        self._told_partial: set[int] = set()
        self.link = DeviceLink(
            clock, port, SPEC, self, serial=serial, firmware=firmware, capabilities=areas | EDGE, seed=seed
        )

    def start(self) -> None:
        if not self._on:
            self.link.start()
            self.powered(True, True)

    def stop(self) -> None:
        self.link.stop()

    # The back door: what hands do on the mat.

    def place(self, tags: Iterable[int], area: int) -> None:
        """Put chips down on an area, wherever they were before."""
        self._area_exists(area)
        placed = tuple(tags)
        for tag in placed:
            self._put(tag, area)
        self._stir(area, len(placed))

    def remove(self, tags: Iterable[int]) -> None:
        """Take chips off the mat."""
        for tag in tuple(tags):
            if tag not in self._lies:
                raise ValueError(f"tag {tag:#x} does not lie on the mat")
            self._put(tag, None)

    def move(self, tags: Iterable[int], source: int, target: int) -> None:
        """Slide chips from one area to another."""
        moved = tuple(tags)
        for tag in moved:
            if self._lies.get(tag) != source:
                raise ValueError(f"tag {tag:#x} does not lie on area {source}")
        self.place(moved, target)

    def put_on_edge(self, tag: int, areas: tuple[int, ...]) -> None:
        """Put a chip across the line between areas."""
        if len(areas) < 2:
            raise ValueError("a line lies between at least two areas")
        for area in areas:
            self._area_exists(area)
        self._put(tag, areas)
        self._after(PASS_S, self._read_edge, tag)

    def misses(self, per_minute: float) -> None:
        """How often the antennas lose a chip for a moment, once the mat is switched on."""
        self._misses_per_minute = per_minute

    def lay_double(self, tag: int, area: int) -> None:
        """Lay a second chip down that has the tag of another one."""
        self._area_exists(area)
        self._doubles[area].add(tag)
        self._stir(area)

    def lift_double(self, tag: int, area: int) -> None:
        """Take that second chip away again."""
        self._doubles[area].discard(tag)
        self._after(GONE_AFTER_S, self._double_gone, tag, area)

    def _double_gone(self, tag: int, area: int) -> None:
        if tag in self._told[area] and tag not in self._seen(area):
            self._told.drop(area, (tag,))
            self._tell_changes([], [(tag, area)])

    def miss(self, tags: Iterable[int], seconds: float) -> None:
        """The antennas do not see these chips for a while, though they lie still."""
        for tag in tags:
            self._missed.add(tag)
            self._went_unseen(tag)
            self._after(seconds, self._recovered, tag)

    def restart(self) -> None:
        """The power goes and comes back at once; what was told is forgotten."""
        self.link.power_cycle(keep_memory=False, off_for=0.3)

    def fail(self, area: int, cause: FaultCause = FaultCause.ANTENNA_OPEN) -> None:
        """Break an area's antenna."""
        self._area_exists(area)
        self._faults[area] = cause
        if self._on:
            self.link.post(AreaFault(self._at(), area, cause))

    def mend(self, area: int) -> None:
        """Repair an area's antenna; what changed meanwhile is read."""
        if self._faults.pop(area, None) is not None and self._on:
            self.link.post(AreaFaultOver(self._at(), area))
            self._stir(area)
            self._after(GONE_AFTER_S, self._look_for_gone)

    def lying(self, area: int) -> frozenset[int]:
        """What really lies on an area."""
        return frozenset(self._lying[area])

    # The behaviour behind the wire.

    def command(self, command_id: int, message: Message) -> Message | Refusal | None:
        if isinstance(message, ReadAll):
            self._after(PASS_S + len(self._lies) / TAGS_PER_S, self._tell_inventory, message.snapshot)
            return ReadAllResult(self.areas)
        if isinstance(message, Calibrate):
            if message.area >= self.areas:
                return Refusal(f"there is no area {message.area}; this mat has {self.areas}")
            if self.lying(message.area):
                return Refusal(f"chips lie on area {message.area}; clear it and calibrate again")
            self._after(CALIBRATION_S, self._calibrated, command_id)
            return None
        return Refusal(f"this mat knows no {type(message).__name__}")

    def outputs(self, outputs: Message, why: str) -> None:
        assert isinstance(outputs, Outputs)
        self.lamps = outputs.lamps

    def powered(self, on: bool, kept_memory: bool) -> None:
        self._on = on
        self._life += 1
        self._looked_for_at = self._stirred_at = -1.0
        if not on:
            return
        if not kept_memory:
            self._told = ToldTags(self.areas)
            self._told_edge.clear()
            self._told_partial.clear()
        self._missed.clear()
        for area, cause in self._faults.items():
            self._after(PASS_S, self.link.post, AreaFault(self._at(), area, cause))
        for area in range(self.areas):
            if self._lying[area]:
                self._stir(area, len(self._lying[area]))
        for tag, place in self._lies.items():
            if isinstance(place, tuple):
                self._after(PASS_S, self._read_edge, tag)
        self._unseen_since = {tag: self._clock.now() for tag in self._all_told() if not self._seen_where_told(tag)}
        if self._unseen_since:
            self._after(GONE_AFTER_S, self._look_for_gone)
        if self._misses_per_minute:
            self._next_miss()

    # What lies, and what is seen of it.

    def _put(self, tag: int, place: Place | None) -> None:
        former = self._lies.pop(tag, None)
        if isinstance(former, int):
            self._lying[former].discard(tag)
        if place is not None:
            self._lies[tag] = place
        if isinstance(place, int):
            self._lying[place].add(tag)
        self._missed.discard(tag)
        if self._seen_where_told(tag):
            self._unseen_since.pop(tag, None)
        else:
            self._went_unseen(tag)

    def _went_unseen(self, tag: int) -> None:
        if tag in self._unseen_since or not self._is_told(tag):
            return
        now = self._unseen_since[tag] = self._clock.now()
        if now != self._looked_for_at:
            # One look is enough for all that went at this moment.
            self._looked_for_at = now
            self._after(GONE_AFTER_S, self._look_for_gone)

    def _recovered(self, tag: int) -> None:
        self._missed.discard(tag)
        if self._seen_where_told(tag):
            self._unseen_since.pop(tag, None)
        place = self._lies.get(tag)
        if isinstance(place, int):
            self._read((place,))
        elif place is not None:
            self._read_edge(tag)

    def _next_miss(self) -> None:
        self._after(self._random.expovariate(self._misses_per_minute / 60), self._miss_one)

    def _miss_one(self) -> None:
        if self._lies:
            tag = self._random.choice(sorted(self._lies))
            self.miss((tag,), self._random.uniform(0.02, 0.5))
        self._next_miss()

    def _seen(self, area: int) -> set[int]:
        if not self._missed and not self._doubles[area]:
            return self._lying[area]
        return (self._lying[area] | self._doubles[area]) - self._missed

    def _seen_where_told(self, tag: int) -> bool:
        if tag in self._missed:
            return False
        place = self._lies.get(tag)
        if isinstance(place, int):
            return tag in self._told[place]
        return place is not None and self._told_edge.get(tag) == place

    def _is_told(self, tag: int) -> bool:
        return tag in self._told or tag in self._told_edge

    def _all_told(self) -> Iterator[int]:
        yield from self._told.tags()
        yield from self._told_edge

    # What is told of it.

    def _stir(self, area: int, tags: int = 0) -> None:
        """Hands were on an area; the pass that follows sees everything that was moved at this moment."""
        now = self._clock.now()
        if now != self._stirred_at:
            self._stirred_at, self._stirred = now, {}
            self._after(PASS_S, self._hear_tags, self._stirred)
        self._stirred[area] = self._stirred.get(area, 0) + tags

    def _hear_tags(self, stirred: dict[int, int]) -> None:
        """The tags of an area answer one after another, those of other areas meanwhile."""
        self._after(max(stirred.values()) / TAGS_PER_S, self._read, tuple(stirred))

    def _read(self, areas: tuple[int, ...], again: bool = False) -> None:
        added: list[TagAt] = []
        removed: list[TagAt] = []
        unclear: list[int] = []
        was_partial = frozenset(self._told_partial)
        for area in areas:
            if area in self._faults:
                continue
            seen = self._seen(area)
            fresh = sorted(seen - self._told[area])
            if len(fresh) > READ_AT_ONCE and not again:
                fresh = sorted(self._random.sample(fresh, self._random.randint(len(fresh) // 2, len(fresh) * 9 // 10)))
                unclear.append(area)
                self._told_partial.add(area)
            else:
                self._told_partial.discard(area)
            if fresh:
                self._leave_former_places(fresh, area, removed)
                self._told.add(area, fresh)
                added += [(tag, area) for tag in fresh]
                for tag in fresh:
                    self._unseen_since.pop(tag, None)
                self._show(AreaSignal(area, 30, 4, len(seen)))
        if unclear:
            # Tags that were told apart keep quiet in the next pass.
            tags = max(len(self._seen(area) - self._told[area]) for area in unclear)
            self._after(PASS_S + tags / TAGS_PER_S, self._read, tuple(unclear), True)
        if added or removed or self._told_partial != was_partial:
            self._tell_changes(added, removed)

    def _show(self, signal: AreaSignal) -> None:
        """For people who watch; more often than their eyes can follow would only fill the line."""
        now = self._clock.now()
        if now - self._shown_at >= SHOW_EVERY_S:
            self._shown_at = now
            self.link.live(signal)

    def _leave_former_places(self, tags: list[int], area: int | None, removed: list[TagAt]) -> None:
        """A tag is in one place: read somewhere else, it has left the place it was told at, unless it answers there."""
        for tag in tags:
            if self._told_edge.pop(tag, None) is not None:
                self.link.post(EdgeCleared(self._at(), tag))
        for former in self._told.areas_of(tags):
            if former == area:
                continue
            told, doubles = self._told[former], self._doubles[former]
            left = [tag for tag in tags if tag in told and tag not in doubles and self._lies.get(tag) != former]
            self._told.drop(former, left)
            removed += [(tag, former) for tag in sorted(left)]

    def _read_edge(self, tag: int) -> None:
        place = self._lies.get(tag)
        if not isinstance(place, tuple) or tag in self._missed or self._told_edge.get(tag) == place:
            return
        removed: list[TagAt] = []
        self._leave_former_places([tag], None, removed)
        if removed:
            self._tell_changes([], removed)
        self._told_edge[tag] = place
        self._unseen_since.pop(tag, None)
        self.link.post(TagOnEdge(self._at(), tag, place))

    def _look_for_gone(self) -> None:
        due = self._clock.now() - GONE_AFTER_S + 1e-9
        gone = {tag for tag, since in self._unseen_since.items() if since <= due and not self._seen_where_told(tag)}
        for tag in sorted(gone.intersection(self._told_edge)):
            del self._told_edge[tag]
            self.link.post(EdgeCleared(self._at(), tag))
        removed: list[TagAt] = []
        for area in self._told.areas_of(gone):
            if area not in self._faults:
                left = sorted(self._told[area] & gone)
                self._told.drop(area, left)
                removed += [(tag, area) for tag in left]
        if removed:
            self._tell_changes([], removed)
        for tag in gone:
            if not self._is_told(tag):
                del self._unseen_since[tag]

    def _tell_changes(self, added: list[TagAt], removed: list[TagAt]) -> None:
        self._report = (self._report + 1) & 0xFFFF
        partial = tuple(sorted(self._told_partial))
        longest = max(len(added), len(removed), 1)
        for start in range(0, longest, PART_CHANGED):
            came, left = added[start : start + PART_CHANGED], removed[start : start + PART_CHANGED]
            self.link.post(
                TagsChanged(
                    at=self._at(),
                    report=self._report,
                    added=tuple(tag for tag, _ in came),
                    to=tuple(area for _, area in came),
                    removed=tuple(tag for tag, _ in left),
                    left=tuple(area for _, area in left),
                    partial=partial,
                    total=self._told.count,
                    more=start + PART_CHANGED < longest,
                )
            )

    def _tell_inventory(self, snapshot: int) -> None:
        recent = self._clock.now() - GONE_AFTER_S + 1e-9
        pieces: list[tuple[int, tuple[int, ...], int, bool]] = []
        for area in range(self.areas):
            broken = area in self._faults
            if not broken:
                # A tag missed just now counts as lying there until the time for missing it is over.
                kept = {tag for tag in self._told[area] if self._unseen_since.get(tag, 0.0) > recent}
                seen = self._seen(area)
                self._told.replace(area, seen | {tag for tag in kept if not self._seen_elsewhere(tag, area)})
                self._told_partial.discard(area)
                for tag in seen:
                    self._unseen_since.pop(tag, None)
            tags = sorted(self._told[area])
            for start in range(0, max(1, len(tags)), PART_INVENTORY):
                pieces.append((area, tuple(tags[start : start + PART_INVENTORY]), len(tags), broken))
        on_edge = sorted(tag for tag, place in self._lies.items() if isinstance(place, tuple))[:EDGE_TAGS]
        for index, (area, some, total, broken) in enumerate(pieces):
            more = index + 1 < len(pieces)
            edge = () if more else tuple(on_edge)
            self.link.post(Inventory(self._at(), snapshot, area, some, total, edge, broken, more))
        self._told_edge.clear()
        for tag in on_edge:
            self._read_edge(tag)

    def _seen_elsewhere(self, tag: int, area: int) -> bool:
        return tag not in self._missed and self._lies.get(tag, area) != area

    def _calibrated(self, command_id: int) -> None:
        self.link.finish(command_id, CalibrateResult(noise=4, threshold=10))

    def _at(self) -> int:
        return self.link.at()

    def _after(self, delay: float, action: Callable[..., object], *args: object) -> None:
        self._clock.call_later(delay, self._if_alive, self._life, action, args)

    def _if_alive(self, life: int, action: Callable[..., object], args: tuple[object, ...]) -> None:
        # What was under way when the power went never happens.
        if self._on and life == self._life:
            action(*args)

    def _area_exists(self, area: int) -> None:
        if not 0 <= area < self.areas:
            raise ValueError(f"there is no area {area}; this mat has {self.areas}")


def chip_gadget(serial: str = "CHIPS-1") -> Gadget:
    """The mat's USB side, to be plugged into a bus."""
    return Gadget(
        VENDOR,
        PRODUCT,
        serial=serial,
        manufacturer="tablectl",
        title="Chip mat",
        endpoints=(Endpoint(0x81, BULK, 64), Endpoint(0x01, BULK, 64)),
    )


def chip_mat_on_usb(
    clock: Clock, bus: UsbBus, soon: Callable[..., object], *, serial: str = "CHIPS-1", areas: int = 8, seed: int = 0
) -> tuple[ChipMat, Gadget]:
    """A mat plugged into a simulated bus; give the gadget to the bus's `unplug` and `plug`."""
    gadget = chip_gadget(serial)
    mat = ChipMat(clock, GadgetPort(bus, gadget, soon), areas=areas, serial=serial, seed=seed)
    bus.plug(gadget)
    return mat, gadget
