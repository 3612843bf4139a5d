"""Card antennas: cards as they lie on the felt, what the antennas see of them, and a back door for hands.

What lies there, what is seen of it, and what the host has been told are three things kept apart.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from firmware_specs.clock import Clock
from firmware_specs.messages import cards as wire
from firmware_specs.messages.cards import FaultCause
from firmware_specs.port import Port
from firmware_specs.spec import Message
from simulators.behaviour import Refusal
from simulators.link import DeviceLink

SPEC = wire.SPEC
MUCK, BOARD, BURN = 0, 13, 14

SWEEP_S = 0.25
"""One sweep over all antennas, one after the other."""
GONE_AFTER_S = 0.3
"""A card is gone when it has not answered for this long; shorter gaps are missed reads."""
CALIBRATION_S = 1.0
MOST_TAGS = 52
EDGE_TAGS = 8

Place = int | tuple[int, ...]  # an antenna, or those a card lies between


class CardAntennas:
    """Simulated antennas; cards are put down, moved and lifted by their tags."""

    def __init__(
        self,
        clock: Clock,
        port: Port,
        *,
        seats: int = 9,
        serial: str = "CARDS-1",
        firmware: str = "1.0.0",
        seed: int = 0,
        misses_per_minute: float = 0.0,
        late_rate: float = 0.0,
    ) -> None:
        """`late_rate` is the share of cards put down that are read only after a second or so."""
        self.seats = seats
        self._clock = clock
        self._random = random.Random(f"card antennas {serial} {seed}")
        self._misses_per_minute = misses_per_minute
        self._late_rate = late_rate
        self._on = False
        self._life = 0
        # What lies there; a clone is a second card with the tag of another.
        self._lies: dict[int, Place] = {}
        self._clones: dict[int, int] = {}
        self._faults: dict[int, FaultCause] = {}
        # What the antennas do not see, and since when.
        self._missed: set[int] = set()
        self._unseen: dict[int, float] = {}
        # What the host has been told.
        self._told: dict[int, int] = {}
        self._told_edge: dict[int, tuple[int, ...]] = {}
        self._told_twice: set[int] = set()
        # What the next sweep looks at, in the order it was put down.
        self._fresh: dict[int, None] = {}
        self._sweeping = False
        capabilities = seats | SPEC.capabilities["edge"] | SPEC.capabilities["twice"]
        self.link = DeviceLink(
            clock, port, SPEC, self, serial=serial, firmware=firmware, capabilities=capabilities, seed=seed
        )

    def start(self) -> None:
        if not self._on:
            self.link.start()
            self.powered(True, True)

    def stop(self) -> None:
        self.link.stop()

    # The back door: what hands do with cards.

    def place(self, tags: Iterable[int], antenna: int, *, late_s: float = 0.0) -> None:
        """Put cards down at an antenna, wherever they were before; `late_s` seconds pass before they are read."""
        self._exists(antenna)
        for tag in tags:
            late = late_s
            if self._late_rate and self._random.random() < self._late_rate:
                late = self._random.uniform(0.3, 1.2)
            self._put(tag, antenna, late)

    def remove(self, tags: Iterable[int]) -> None:
        """Lift cards off the antennas."""
        lifted = tuple(tags)
        now = self._clock.now()
        for tag in lifted:
            if self._lies.pop(tag, None) is None:
                raise ValueError("a card that does not lie on the antennas cannot be lifted")
            self._fresh.pop(tag, None)
            self._unseen[tag] = now
        self._after(GONE_AFTER_S, self._gone, lifted)

    def put_on_edge(self, tag: int, antennas: tuple[int, ...]) -> None:
        """Put a card down between antennas."""
        if len(antennas) < 2:
            raise ValueError("an edge lies between at least two antennas")
        for antenna in antennas:
            self._exists(antenna)
        self._put(tag, antennas, 0.0)

    def clone(self, tag: int, antenna: int) -> None:
        """Put down a second card with the tag of one that lies elsewhere."""
        self._exists(antenna)
        self._clones[tag] = antenna
        self._look_at(tag)

    def unclone(self, tag: int) -> None:
        """Take the second card away."""
        del self._clones[tag]
        self._look_at(tag)

    def miss(self, tags: Iterable[int], seconds: float) -> None:
        """The antennas do not see these cards for a while, though they lie still."""
        now = self._clock.now()
        missed = tuple(tags)
        for tag in missed:
            self._missed.add(tag)
            self._unseen.setdefault(tag, now)
            self._after(seconds, self._recovered, tag)
        self._after(GONE_AFTER_S, self._gone, missed)

    def fail(self, antenna: int, cause: FaultCause = FaultCause.ANTENNA_OPEN) -> None:
        """Break an antenna."""
        self._exists(antenna)
        self._faults[antenna] = cause
        if self._on:
            self.link.post(wire.AntennaFault(self._at(), antenna, cause))

    def mend(self, antenna: int) -> None:
        """Repair an antenna; what changed meanwhile is read."""
        if self._faults.pop(antenna, None) is None or not self._on:
            return
        self.link.post(wire.AntennaFaultOver(self._at(), antenna))
        for tag in [tag for tag, place in self._lies.items() if place == antenna]:
            self._look_at(tag)
        self._after(GONE_AFTER_S, self._gone, tuple(tag for tag, told in self._told.items() if told == antenna))

    def lying(self, antenna: int) -> list[int]:
        """What really lies at an antenna."""
        return [tag for tag, place in self._lies.items() if place == antenna]

    def where(self, tag: int) -> Place | None:
        """Where a card really lies."""
        return self._lies.get(tag)

    # The behaviour behind the wire.

    def command(self, command_id: int, message: Message) -> Message | Refusal | None:
        if isinstance(message, wire.ReadAll):
            self._after(SWEEP_S, self._tell_picture, message.snapshot)
            return wire.ReadAllResult(self.seats)
        if isinstance(message, wire.Calibrate):
            if not self._is_there(message.antenna):
                return Refusal(f"there is no antenna {message.antenna}; {self.seats} seats have one")
            if self.lying(message.antenna):
                return Refusal("cards lie there; clear the antenna and calibrate again")
            self._after(CALIBRATION_S, self.link.finish, command_id, wire.CalibrateResult(noise=4, threshold=10))
            return None
        return Refusal(f"these antennas know no {type(message).__name__}")

    def outputs(self, outputs: Message, why: str) -> None:
        """There is nothing to set."""

    def powered(self, on: bool, kept_memory: bool) -> None:
        self._on = on
        self._life += 1
        self._sweeping = False
        self._fresh.clear()
        if not on:
            return
        if not kept_memory:
            self._told.clear()
            self._told_edge.clear()
            self._told_twice.clear()
        self._missed.clear()
        self._unseen.clear()
        for antenna, cause in self._faults.items():
            self._after(SWEEP_S, self._post_fault, antenna, cause)
        for tag, place in self._lies.items():
            if self._told.get(tag) != place and self._told_edge.get(tag) != place:
                self._look_at(tag)
        gone = tuple(tag for tag, told in self._told.items() if self._lies.get(tag) != told)
        if gone:
            self._unseen.update(dict.fromkeys(gone, self._clock.now()))
            self._after(GONE_AFTER_S, self._gone, gone)
        if self._misses_per_minute:
            self._next_miss()

    # What is seen.

    def _put(self, tag: int, place: Place, late: float) -> None:
        self._lies[tag] = place
        self._missed.discard(tag)
        if late:
            self._unseen.setdefault(tag, self._clock.now())
            self._after(GONE_AFTER_S, self._gone, (tag,))
            self._after(late, self._look_at_if, tag, place)
        else:
            self._look_at(tag)

    def _look_at_if(self, tag: int, place: Place) -> None:
        if self._lies.get(tag) == place:
            self._look_at(tag)

    def _look_at(self, tag: int) -> None:
        self._fresh[tag] = None
        if not self._sweeping:
            self._sweeping = True
            self._after(SWEEP_S, self._sweep)

    def _sweep(self) -> None:
        self._sweeping = False
        fresh, self._fresh = list(self._fresh), {}
        added: list[tuple[int, int]] = []
        removed: list[tuple[int, int]] = []
        told = self._told
        for tag in fresh:
            place = self._lies.get(tag)
            if place is None or tag in self._missed or place in self._faults:
                continue
            self._unseen.pop(tag, None)
            former = told.get(tag)
            if former == place or self._told_edge.get(tag) == place:
                continue
            if former is not None:
                del told[tag]
                removed.append((tag, former))
            if isinstance(place, tuple):
                self._edge(tag, place)
                continue
            if tag in self._told_edge:
                self._off_edge(tag)
            told[tag] = place
            added.append((tag, place))
        self._tell_moved(added, removed)
        for tag in fresh:
            self._look_for_clone(tag)

    def _edge(self, tag: int, place: tuple[int, ...]) -> None:
        self._told_edge[tag] = place
        self.link.post(wire.CardOnEdge(self._at(), tag, place))

    def _off_edge(self, tag: int) -> None:
        del self._told_edge[tag]
        self.link.post(wire.EdgeCleared(self._at(), tag))

    def _look_for_clone(self, tag: int) -> None:
        clone, place = self._clones.get(tag), self._lies.get(tag)
        twice = clone is not None and isinstance(place, int) and clone != place
        if twice and tag not in self._told_twice:
            assert isinstance(place, int)
            assert clone is not None
            self._told_twice.add(tag)
            self.link.post(wire.TagTwice(self._at(), tag, (place, clone)))
        elif not twice and tag in self._told_twice:
            self._told_twice.discard(tag)
            self.link.post(wire.TagTwiceOver(self._at(), tag))

    def _gone(self, tags: tuple[int, ...]) -> None:
        due = self._clock.now() - GONE_AFTER_S + 1e-9
        removed = []
        for tag in tags:
            since = self._unseen.get(tag)
            if since is None or since > due:
                continue
            if tag in self._told_edge:
                self._off_edge(tag)
            former = self._told.get(tag)
            if former is not None and former not in self._faults:
                del self._told[tag]
                removed.append((tag, former))
            if tag not in self._lies:
                del self._unseen[tag]
        self._tell_moved([], removed)

    def _recovered(self, tag: int) -> None:
        self._missed.discard(tag)
        if tag in self._lies:
            self._unseen.pop(tag, None)
            self._look_at(tag)

    def _next_miss(self) -> None:
        self._after(self._random.expovariate(self._misses_per_minute / 60), self._miss_one)

    def _miss_one(self) -> None:
        if self._lies:
            self.miss((self._random.choice(sorted(self._lies)),), self._random.uniform(0.02, 0.6))
        self._next_miss()

    # What is told of it.

    def _tell_moved(self, added: list[tuple[int, int]], removed: list[tuple[int, int]]) -> None:
        if not added and not removed:
            return
        self.link.post(
            wire.CardsMoved(
                self._at(),
                tuple(tag for tag, _ in added[:MOST_TAGS]),
                tuple(antenna for _, antenna in added[:MOST_TAGS]),
                tuple(tag for tag, _ in removed[:MOST_TAGS]),
                tuple(antenna for _, antenna in removed[:MOST_TAGS]),
                len(self._told),
            )
        )

    def _tell_picture(self, snapshot: int) -> None:
        recent = self._clock.now() - GONE_AFTER_S + 1e-9
        now: dict[int, int] = {}
        for tag, place in self._lies.items():
            if isinstance(place, int) and place not in self._faults and tag not in self._missed:
                now[tag] = place
        for tag, told in self._told.items():
            # A card missed just now, or behind a broken antenna, counts as lying where it was.
            if tag not in now and (told in self._faults or self._unseen.get(tag, 0.0) > recent):
                now[tag] = told
        self._told = now
        edge = tuple(tag for tag, place in self._lies.items() if isinstance(place, tuple))[:EDGE_TAGS]
        unread = sum(1 << antenna for antenna in self._faults)
        tags = tuple(now)
        self.link.post(wire.Picture(self._at(), snapshot, tags, tuple(now[tag] for tag in tags), edge, unread))
        self._told_edge.clear()
        for tag in edge:
            place = self._lies[tag]
            assert isinstance(place, tuple)
            self._edge(tag, place)

    def _post_fault(self, antenna: int, cause: FaultCause) -> None:
        self.link.post(wire.AntennaFault(self._at(), antenna, cause))

    def _at(self) -> int:
        return self.link.at()

    def _after(self, delay: float, action: Callable[..., object], *args: object) -> None:
        self._clock.call_later(delay, self._if_alive, self._life, action, args)

    def _if_alive(self, life: int, action: Callable[..., object], args: tuple[object, ...]) -> None:
        # What was under way when the power went never happens.
        if self._on and life == self._life:
            action(*args)

    def _is_there(self, antenna: int) -> bool:
        return 0 <= antenna <= self.seats or antenna in (BOARD, BURN)

    def _exists(self, antenna: int) -> None:
        if not self._is_there(antenna):
            raise ValueError(f"there is no antenna {antenna}; {self.seats} seats have one")
