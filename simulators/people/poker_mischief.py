"""What people at a poker table should not do with chips: skims, chips taken off a line, splashes, false chips."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from firmware_specs.clock import Clock
from simulators.people.mischief import UNKNOWN_TAG, Done, Mat

BACK_S = 4.0
"""After so long what was taken is put back and what was laid is taken up, so that the hand can go on."""
ON_LINES = ("chip taken off a line", "chips on a line out of turn", "unknown chip on a line")
IN_THE_POT = ("chip taken from the pot", "whole pot taken", "pot splashed", "chip of the pot copied")
WRONGS = (*ON_LINES, *IN_THE_POT)
PUSHED = "chip taken as the pot is pushed"
"""What a skim is when the pot is decided before a chip that is not read can be told from one that was taken."""
PUSHED_MS = 1_000


class PokerMischief:
    """Does one wrong in some of the hands, when lines or pot hold the chips for it."""

    def __init__(self, clock: Clock, people: Any, mat: Mat, seed: int, wrongs: tuple[str, ...], often: float) -> None:
        self.clock, self.people, self.mat = clock, people, mat
        self.done: list[Done] = []
        self.plan = ""
        self.round = 0
        self._wrongs, self._often = wrongs, often
        self._random = random.Random(f"poker mischief {seed}")

    def entered(self, state: str) -> None:
        """The hand has come to this state."""
        last = self.done[-1] if self.done else None
        if state in ("award", "drop") and last and "pot" in last.kind and self.clock.wall() - last.at < PUSHED_MS:
            last.kind = PUSHED
        if state == "posting":
            self.round += 1
            self.plan = self._random.choice(self._wrongs) if self._random.random() < self._often else ""
        elif state == "bet1" and self.plan in ON_LINES:
            self.clock.call_later(0.4, self._on_a_line)
        elif state in ("bet2", "bet3") and self.plan in IN_THE_POT:
            self.clock.call_later(1.2, self._in_the_pot)

    def _did(self, area: int, tags: list[int]) -> None:
        cents = sum(self.people.felt.bank.register.get(tag, 0) for tag in tags)
        self.done.append(Done(self.plan, self.clock.wall(), self.round, area, cents, tuple(tags)))
        self.plan = ""

    def _later(self, act: Callable[..., object], *args: object) -> None:
        self.clock.call_later(BACK_S, act, *args)

    # -- lines -------------------------------------------------------------------------------------------------

    def _on_a_line(self) -> None:
        felt, wanted = self.people.felt, self.people.screen.wanted()
        if self.people.screen.state() != "bet1" or wanted.what != "action":
            return
        others = [seat for seat in range(1, self.people.habits.players + 1) if seat != wanted.seats[0]]
        if self.plan == "chip taken off a line":
            if laid := [seat for seat in others if felt.areas[seat]]:
                seat = self._random.choice(laid)
                self._take([felt.areas[seat][-1]], seat)
            return
        seat = self._random.choice(others)
        tags = [UNKNOWN_TAG + self.round] if self.plan.startswith("unknown") else felt.bank.pieces([2_500])
        self.mat.place(tags, seat)
        self._later(self.mat.remove, tags)
        self._did(seat, tags)

    def _take(self, tags: list[int], area: int) -> None:
        felt = self.people.felt
        felt.areas[area] = [tag for tag in felt.areas[area] if tag not in tags]
        self.mat.remove(tags)
        self._did(area, tags)
        self._later(self._put_back, tags, area)

    def _put_back(self, tags: list[int], area: int) -> None:
        """Where they belong by now: a line that was swept meanwhile has its chips in the pot."""
        felt, pot = self.people.felt, self.people.areas.pot
        if self.people.screen.state() in ("between_hands", "award", "drop", "posting"):
            return  # that hand is over, and the chips are gone
        felt.lay(tags, area if area == pot or felt.areas[area] or not felt.areas[pot] else pot)

    # -- the pot -----------------------------------------------------------------------------------------------

    def _in_the_pot(self) -> None:
        felt, pot = self.people.felt, self.people.areas.pot
        lying = list(felt.areas[pot])
        if not lying or not self.people.screen.state().startswith("bet"):
            return
        match self.plan:
            case "chip taken from the pot":
                self._take([self._random.choice(lying)], pot)
            case "whole pot taken":
                self._take(lying, pot)
            case "pot splashed":
                tags = felt.bank.pieces([2_500])
                self.mat.place(tags, pot)
                self._later(self.mat.remove, tags)
                self._did(pot, tags)
            case "chip of the pot copied":
                self._copy(lying[0])

    def _copy(self, tag: int) -> None:
        held = self.people.screen.wanted().seats[:1]
        seat = next(one for one in range(1, self.people.habits.players + 1) if one not in held)
        self.mat.lay_double(tag, seat)
        self._later(self.mat.lift_double, tag, seat)
        self._did(seat, [tag])
