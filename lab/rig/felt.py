"""Real antennas under a person's hands: the rig says what to lay where, and waits until the device has told it.

The pieces are those of the bench. A chip goes by the end of its tag, written on it, because one chip of a value is not
another; a card goes by its face.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from controller.config.tomlread import ConfigError
from controller.core.runtime import Runtime
from controller.money.amounts import dollars
from controller.money.register import RegisterFile
from drivers.card_antennas import CardAntennas as AntennasDriver
from drivers.card_antennas import place_name
from drivers.chips import Chips
from lab.conformance.stimulus import CannotDo
from lab.rig.world import Say
from lab.sim.loop_clock import LoopClock
from simulators.card_antennas import CardAntennas
from simulators.chips import ChipMat
from simulators.people.chips import TRAY, Bank, Mat

PERSON_S = 600.0
"""How long a person may take to lay what is asked."""
REMIND_S = 30.0
LABEL = 4
"""How many digits of a chip's tag are written on it."""


class Pieces:
    """What a person shall have laid where; done when the driver has told every piece at its place."""

    def __init__(self, clock: LoopClock, say: Say, name: Callable[[int], str]) -> None:
        self._clock = clock
        self._say = say
        self._name = name
        self._wanted: dict[int, int | None] = {}
        self._asked_at = 0.0
        self.where: Callable[[int], int | None] | None = None
        self.place: Callable[[int], str] = lambda place: f"area {place}" if place else "the float tray"

    def own(self, tags: Iterable[int]) -> None:
        """These pieces belong to the bench, and none of them lies anywhere yet."""
        self._wanted.update(dict.fromkeys(tags, None))

    def lay(self, tags: Iterable[int], place: int) -> None:
        tags = list(tags)
        if tags:
            self._wanted.update(dict.fromkeys(tags, place))
            self._ask(f"Lay on {self.place(place)}: {self.named(tags)}.")

    def lift(self, tags: Iterable[int]) -> None:
        tags = list(tags)
        if tags:
            self._wanted.update(dict.fromkeys(tags, None))
            self._ask(f"Take away: {self.named(tags)}.")

    def named(self, tags: Iterable[int]) -> str:
        return ", ".join(self._name(tag) for tag in tags)

    def missing(self) -> list[int]:
        """The pieces that do not lie where they shall, as far as the device has told."""
        if self.where is None:
            return []
        return [tag for tag, place in self._wanted.items() if self.where(tag) != place]

    def busy(self) -> bool:
        """Whether a hand is still at work."""
        return bool(self.missing())

    def see_done(self, remind_after: float = REMIND_S) -> None:
        """Let the lines live until everything lies as it shall; DeadlineMissed when the person does not come."""
        if self.where is not None and not self._clock.turning:
            self._asked_at = self._clock.now() + remind_after - REMIND_S
            self._clock.run_until(self._done, PERSON_S)

    def _ask(self, text: str) -> None:
        self._say(text)
        self.see_done()

    def _done(self) -> bool:
        missing = self.missing()
        if missing and self._clock.now() - self._asked_at > REMIND_S:
            self._asked_at = self._clock.now()
            self._say(f"Still to be done: {'; '.join(self._still(missing))}.")
        return not missing

    def _still(self, missing: list[int]) -> list[str]:
        by_place: dict[int | None, list[int]] = defaultdict(list)
        for tag in missing:
            by_place[self._wanted[tag]].append(tag)
        return [
            f"{self.named(tags)} {'away' if place is None else f'to {self.place(place)}'}"
            for place, tags in by_place.items()
        ]


class BenchBank(Bank):
    """The chips of a bench: so many and no more, half of each value in the tray when a table has one."""

    def __init__(self, register: dict[int, int], source: str) -> None:
        super().__init__()
        self.register.update(register)
        self._source = source
        for tag, value in register.items():
            self._free[value].append(tag)

    def stock(self, mat: Mat, smallest: int) -> None:
        self.standard = tuple(sorted((value for value in self._free if value % smallest == 0), reverse=True))
        self.tray = {
            value: [self._one(value) for _ in range((len(self._free[value]) + 1) // 2)] for value in self.standard
        }
        mat.place([tag for tags in self.tray.values() for tag in tags], TRAY)

    def make(self, cents: int) -> list[int]:
        tags: list[int] = []
        rest = cents
        for value in sorted(self._free, reverse=True):
            while rest >= value and self._free[value]:
                rest -= value
                tags.append(self._one(value))
        if rest:
            self.take_back(tags)
            raise self._short(cents)
        return tags

    def _one(self, value: int) -> int:
        if not self._free[value]:
            raise self._short(value)
        return self._free[value].popleft()

    def _short(self, cents: int) -> CannotDo:
        left = ", ".join(f"{len(tags)} of {dollars(value)}" for value, tags in sorted(self._free.items()) if tags)
        return CannotDo(
            f"{self._source}: the bench's chips cannot make {dollars(cents)}; outside the table are {left or 'none'}. "
            "Enter more chips in the register, or play a case with smaller wagers"
        )

    def too_few(self) -> list[int]:
        return []

    def too_many(self) -> list[int]:
        return []


def bench_chips(path: str) -> BenchBank:
    """The cash chips of a bench, from a register as `tablectl chips import` makes it."""
    file = RegisterFile(Path(path))
    try:
        worth = {entry.tag: entry.chip.cents for entry in file if entry.chip.kind == "cash" and entry.state == "live"}
    finally:
        file.close()
    labels: dict[str, list[int]] = defaultdict(list)
    for tag in worth:
        labels[_label(tag)].append(tag)
    for label, tags in labels.items():
        if len({worth[tag] for tag in tags}) < len(tags):
            raise ConfigError(
                f"{path}: the tags of two {dollars(worth[tags[0]])} chips end in {label}, and a person goes by that; "
                "take one of them out of the bench's register"
            )
    return BenchBank(worth, path)


def _label(tag: int) -> str:
    return f"{tag:x}"[-LABEL:]


class HandMat(ChipMat):
    """A real mat on which a person lays the bench's chips as the case says."""

    pieces: Pieces
    names: dict[int, str]

    def follow(self, runtime: Runtime, place: str) -> None:
        driver = runtime.drivers[place]
        assert isinstance(driver, Chips)
        layout: Any = getattr(runtime.table.game, "layout", None)

        def where(tag: int) -> int | None:
            return next((area for area, tags in driver.picture().items() if tag in tags), None)

        def named(area: int) -> str:
            if area == TRAY:
                return "the float tray"
            return self.names[area] if area in self.names else str(layout.name(area))

        self.pieces.where, self.pieces.place = where, named

    def place(self, tags: Iterable[int], area: int) -> None:
        laid = list(tags)
        super().place(laid, area)
        self.pieces.lay(laid, area)

    def remove(self, tags: Iterable[int]) -> None:
        lifted = list(tags)
        super().remove(lifted)
        self.pieces.lift(lifted)


def chip_name(bank: Bank) -> Callable[[int], str]:
    """How a person tells one chip of the bench from another."""
    return lambda tag: f"{dollars(bank.register[tag])} chip {_label(tag)}"


class HandAntennas(CardAntennas):
    """Real card antennas to which a person deals the bench's deck as the case says."""

    pieces: Pieces

    def follow(self, runtime: Runtime, place: str) -> None:
        driver = runtime.drivers[place]
        assert isinstance(driver, AntennasDriver)
        self.pieces.where, self.pieces.place = driver.lies_at, place_name

    def place(self, tags: Iterable[int], antenna: int, *, late_s: float = 0.0) -> None:
        laid = list(tags)
        super().place(laid, antenna)
        self.pieces.lay(laid, antenna)

    def remove(self, tags: Iterable[int]) -> None:
        lifted = list(tags)
        super().remove(lifted)
        self.pieces.lift(lifted)
