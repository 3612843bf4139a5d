"""Sloppy hands through a long day, and what the table says of them in rounds in which nothing broke."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.config.types import TableConfig
from controller.core.effects import Alarmed, AlarmOver
from controller.core.runtime import Told
from firmware_specs.clock import VirtualClock
from lab.proofs.sloppy import CAREFUL, Judge, Line, wagered_areas
from lab.sim.devices import SimulatedDevices
from simulators.people.sloppy import KINDS, PHASES, Sloppy

AFTERMATH_S = 120.0
"""For so long after something broke, whatever is said may be about that."""

OUTLAST = frozenset({"float", "take_and_pay"})
"""What may stand for as long as nobody has found out where the chips are."""


def habits(config: TableConfig, honest: bool) -> Any:
    """How people behave: as they do, or erring in nothing but their hands."""
    return CAREFUL.get(config.table.game) if honest else None


class Hands:
    """Hands that do as the crew says: of a game nobody has told how its people are sloppy."""

    def __init__(self, people: Any) -> None:
        self._people = people
        self.lines: dict[str, Line] = {}

    def broke(self) -> None:
        """A device failed, or a controller went down or came up."""

    def press_on(self, press: Callable[..., None]) -> None:
        """Keys are pressed there from now on."""
        self._people.screen.press = press

    def watch(self, told: Told) -> None:
        """Hear what the table says."""


class SloppyHands(Hands):
    """One kind of sloppiness a round; what is said of it is counted where people err in nothing else."""

    def __init__(
        self, config: TableConfig, people: Any, devices: SimulatedDevices, clock: VirtualClock, seed: int
    ) -> None:
        super().__init__(people)
        game = config.table.game
        self._clock = clock
        self._sloppy = Sloppy(clock, people, devices.mat, PHASES[game], wagered_areas(people, game), seed)
        self.lines = {kind: Line(kind) for kind in KINDS[game]}
        self._judge = Judge(game, config.table.rulebook, people, self._sloppy, self.lines)
        self._broke_at = -AFTERMATH_S
        self._of_a_break: set[str] = set()

    def broke(self) -> None:
        self._broke_at = self._clock.now()

    def press_on(self, press: Callable[..., None]) -> None:
        self._sloppy.press_on(press)

    def watch(self, told: Told) -> None:
        if self._of_a_break or self._clock.now() - self._broke_at < AFTERMATH_S:
            self._judge.disturbed = True
            self._follow(told)
        self._judge.watch(told)

    def _follow(self, told: Told) -> None:
        """Money that went wrong while something was broken is about that until it is put right, and a while longer."""
        for effect in told.effects:
            if isinstance(effect, Alarmed) and effect.code in OUTLAST:
                self._of_a_break.add(effect.code)
            elif isinstance(effect, AlarmOver) and effect.code in self._of_a_break:
                self._of_a_break.discard(effect.code)
                self._broke_at = self._clock.now()


def hands_for(config: TableConfig, people: Any, devices: SimulatedDevices, clock: VirtualClock, seed: int) -> Hands:
    """The hands of this game's people."""
    if config.table.game not in PHASES:
        return Hands(people)
    return SloppyHands(config, people, devices, clock, seed)
