"""What people at a table should not do: theft, late bets, wrong payments, false chips; each one is owned up to."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

import msgspec

from firmware_specs.clock import Clock
from simulators.people.chips import TRAY, Felt

WRONGS = (
    "theft from the float",
    "chips slipped into the float",
    "chips handed out of the float unbooked",
    "cloned chip",
    "stake copied elsewhere",
    "unknown chip",
    "late bet",
    "late bet taken back",
    "stake withdrawn late",
    "stake moved late",
    "stake swapped late",
    "loser left lying",
    "loser snatched",
    "underpaid",
    "overpaid",
    "paid twice",
    "paid without a win",
    "paid into the hand",
    "theft while winners are paid",
    "stake laid after the result",
)
UNSEEN = ("equal exchange before the close", "stake lifted before the close")
"""Done as well, though no antenna can tell them from what players may do."""
UNKNOWN_TAG = 0xBAD0_0000_0000


class Done(msgspec.Struct):
    """A wrong as its doer knows it; `found_at` is filled in by whoever finds it."""

    kind: str
    at: int
    round: int
    area: int
    cents: int
    tags: tuple[int, ...]
    found_at: int = 0


class Mat(Protocol):
    """The felt, and a second chip with another one's tag."""

    def place(self, tags: list[int], area: int) -> None: ...

    def remove(self, tags: list[int]) -> None: ...

    def lay_double(self, tag: int, area: int) -> None: ...

    def lift_double(self, tag: int, area: int) -> None: ...


class Mischief:
    """Does one wrong in some of the rounds, at the moment it belongs to."""

    def __init__(
        self, clock: Clock, felt: Felt, mat: Mat, areas: list[int], seed: int, wrongs: tuple[str, ...], often: float
    ) -> None:
        self.clock = clock
        self.felt = felt
        self.mat = mat
        self.areas = areas
        self.done: list[Done] = []
        self.plan = ""
        self.round = 0
        self._wrongs = wrongs
        self._often = often
        self._random = random.Random(seed)
        self._undo: list[Callable[[], object]] = []
        self._back: Callable[[], object] = lambda: None

    def new_round(self) -> None:
        """Tidy up what is left of the last wrong, and decide whether there will be one this time."""
        undo, self._undo = self._undo, []
        for action in undo:
            action()
        self.round += 1
        self.plan = self._random.choice(self._wrongs) if self._random.random() < self._often else ""

    def _did(self, area: int, cents: int, tags: list[int]) -> None:
        self.done.append(Done(self.plan, self.clock.wall(), self.round, area, cents, tuple(tags)))
        self.plan = ""

    def _area(self) -> int:
        return self._random.choice(self.areas)

    def _some_stake(self) -> tuple[int, int] | None:
        """A chip on the layout and its area."""
        lying = [(tag, area) for area in self.areas for tag in self.felt.areas[area]]
        return self._random.choice(lying) if lying else None

    # -- while bets are placed ---------------------------------------------------------------------------------

    def while_betting(self) -> None:
        bank = self.felt.bank
        match self.plan:
            case "theft from the float":
                tags = bank.lift_out(self._random.choice((500, 2_500, 10_000)))
                if tags:
                    self.mat.remove(tags)
                    bank.take_back(tags)
                    self._did(TRAY, bank.worth(tags), tags)
            case "chips slipped into the float":
                tags = bank.make(2_500)
                bank.lay_in(tags)
                self.mat.place(tags, TRAY)
                self._did(TRAY, 2_500, tags)
            case "chips handed out of the float unbooked":
                tags, area = bank.lift_out(2_500), self._area()
                if tags:
                    self.felt.areas[area] += tags
                    self.mat.place(tags, area)
                    self._did(area, 2_500, tags)
            case "cloned chip":
                value = next(value for value in bank.tray if bank.tray[value])
                tag, area = bank.tray[value][0], self._area()
                self.mat.lay_double(tag, area)
                self._undo.append(lambda: self.mat.lift_double(tag, area))
                self._did(area, value, [tag])
            case "stake copied elsewhere":
                if found := self._some_stake():
                    tag, lay = found
                    area = self._random.choice([other for other in self.areas if other != lay])
                    self.mat.lay_double(tag, area)
                    self._undo.append(lambda: self.mat.lift_double(tag, area))
                    self._did(area, bank.register[tag], [tag])
            case "unknown chip":
                tag, area = UNKNOWN_TAG + self.round, self._area()
                self.mat.place([tag], area)
                self._undo.append(lambda: self.mat.remove([tag]))
                self._did(area, 0, [tag])
            case "equal exchange before the close" | "stake lifted before the close":
                if found := self._some_stake():
                    tag, area = found
                    cents = bank.register[tag]
                    self.felt.take([tag], area)
                    if self.plan.startswith("equal"):
                        self.felt.put(cents, area)
                    self._did(area, cents, [tag])

    # -- after no more bets ------------------------------------------------------------------------------------

    def after_the_close(self) -> None:
        bank, found = self.felt.bank, self._some_stake()
        if self.plan in ("late bet", "late bet taken back"):
            area = self._area()
            tags = self.felt.put(2_500, area)
            if self.plan == "late bet taken back":
                self.clock.call_later(1.2, self.felt.take, tags, area)
            self._did(area, 2_500, tags)
        elif found and self.plan.startswith("stake ") and self.plan.endswith("late"):
            tag, area = found
            cents = bank.register[tag]
            if self.plan == "stake moved late":
                other = self._random.choice([other for other in self.areas if other != area])
                self.felt.slide([tag], area, other)
                self._back = lambda: self.felt.slide([tag], other, area)
            else:
                self.felt.take([tag], area)
            if self.plan == "stake swapped late":
                self.felt.put(cents, area)
            self._did(area, cents, [tag])

    # -- when the result is known ------------------------------------------------------------------------------

    def after_the_result(self, winning: list[int]) -> None:
        """A player lays chips where they would have won."""
        if self.plan == "stake laid after the result" and winning:
            area = self._random.choice(winning)
            tags = self.felt.put(2_500, area)
            self._undo.append(lambda: self.felt.take([tag for tag in tags if tag in self.felt.areas[area]], area))
            self._did(area, 2_500, tags)

    # -- when wagers are collected and paid --------------------------------------------------------------------

    def put_back(self) -> None:
        """The dealer, who was told, moves a stake back to where it counts."""
        back, self._back = self._back, lambda: None
        back()

    def collecting(self, area: int) -> None:
        """Before the dealer takes this area's losing chips."""
        tags = self.felt.areas[area]
        if self.plan == "loser snatched" and tags:
            tag = tags[-1]
            self.felt.take([tag], area)
            self._did(area, self.felt.bank.register[tag], [tag])

    def leaves(self, area: int) -> bool:
        """Whether the dealer passes this area over."""
        if self.plan != "loser left lying":
            return False
        self._did(area, self.felt.bank.worth(self.felt.areas[area]), list(self.felt.areas[area]))
        return True

    def paying(self, area: int, cents: int) -> int:
        """What the dealer lays on this area instead of what is due."""
        bank = self.felt.bank
        match self.plan:
            case "underpaid" if cents > bank.standard[-1]:
                self._did(area, bank.standard[-1], [])
                return cents - bank.standard[-1]
            case "overpaid":
                self._did(area, bank.standard[-1], [])
                return cents + bank.standard[-1]
            case "paid twice":
                self._did(area, cents, [])
                return 2 * cents
            case "paid without a win":
                other = self._random.choice([one for one in self.areas if one != area])
                tags = self.felt.pay(500, other)
                self._did(other, 500, tags)
                return cents
            case "theft while winners are paid":
                tags = bank.lift_out(2_500)
                if tags:
                    self.mat.remove(tags)
                    bank.take_back(tags)
                    self._did(TRAY, 2_500, tags)
            case "paid into the hand":
                tags = bank.lift_out(cents)
                if tags:
                    self.mat.remove(tags)
                    bank.take_back(tags)
                    self._did(area, cents, tags)
                    return 0
        return cents
