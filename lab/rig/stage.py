"""Plays cases on a rig: real lines, real time, and whoever moves what is real."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec

from controller import games
from controller.cards.seal import read_deck
from controller.config.tomlread import ConfigError
from controller.config.types import DeviceSection, Kind, TableConfig
from controller.core.runtime import Runtime, Told
from drivers.swipe import CardSwiped
from firmware_specs.clock import Clock, DeadlineMissed
from firmware_specs.port import PortTrouble
from lab.conformance.stimulus import Control
from lab.rig.bench import PERSON_S, RigBench
from lab.rig.devices import RigDevices, moved_by
from lab.rig.felt import bench_chips
from lab.scenarios.poker.people import PokerDealerScreen
from lab.scenarios.stage import Stage
from lab.sim.devices import SimulatedDevices
from simulators.people.chips import Bank
from simulators.people.poker_screen import Wanted
from simulators.swipe import card

LOOK_S = 0.1
SWIPE_S = 10.0
LEFTOVERS_S = 5.0
"""By then a device has told what an earlier case left on it, and the person can be told to take it away."""
HANDS = Wanted("hands")


class RigStage(Stage):
    """One case on the lines of a rig, in real time."""

    person_s = PERSON_S

    def __init__(self, bench: RigBench) -> None:
        self.clock = bench.clock
        self._bench = bench
        self._devices: RigDevices | None = None
        self._runtime: Runtime | None = None
        self._movers: dict[str, tuple[Control | None, str]] = {}

    # --- the case, as this rig can play it ---------------------------------------------------

    def config(self, config: TableConfig) -> TableConfig:
        """Card readers of the rig, and a shuffler for single decks, join the table; what else the case has no place
        for is left alone."""
        rig = self._bench.rig
        devices = dict(config.devices)
        joining = ["swipe"] + ["shuffler"] * games.find(config.table.game).shuffles_single_decks()
        for place, device in rig.devices.items():
            if rig.kind(place) in joining:
                devices[place] = DeviceSection(device.kind or cast(Kind, place), simulated=True)
            elif place not in devices and not device.simulated and place not in self._bench.left_alone:
                self._bench.left_alone.add(place)
                self._bench.say(f"{place}: cases without a {rig.kind(place)} leave it alone.")
        self._movers = {place: moved_by(self._bench, place) for place in rig.real if place in devices}
        config = msgspec.structs.replace(config, devices=devices)
        if _sealed(config) and self._by_person("cards"):
            play = msgspec.structs.replace(config.play, deck=self._named("cards", "deck"))
            config = msgspec.structs.replace(config, play=play)
        return config

    def _by_person(self, kind: str) -> str:
        """The place of this kind where a person lays the pieces; empty where nobody does."""
        rig = self._bench.rig
        return next(
            (place for place, (_, how) in self._movers.items() if how == "person" and rig.kind(place) == kind), ""
        )

    def _named(self, kind: str, key: str) -> str:
        place = self._by_person(kind)
        path = str(getattr(self._bench.rig.devices[place], key))
        if not path:
            what = "tags of the bench's chips and their values" if kind == "chips" else "tags of the bench's deck"
            raise ConfigError(
                f"rig {self._bench.rig.name}: a person lays the pieces on the real {kind} at '{place}', and the rig "
                f"does not know the {what}; add {key} = the file that has them, or give the device a control socket"
            )
        return path

    def bank(self) -> Bank:
        return bench_chips(self._named("chips", "register")) if self._by_person("chips") else Bank()

    def deck(self) -> dict[int, str]:
        if not self._by_person("cards"):
            return super().deck()
        whole = read_deck(Path(self._named("cards", "deck")))
        first: dict[str, int] = {}
        for tag, face in whole.items():
            first.setdefault(face, tag)
        return {tag: face for face, tag in first.items()}

    # --- playing -----------------------------------------------------------------------------

    def devices(self, config: TableConfig, bank: Bank) -> SimulatedDevices:
        deck = self.deck() if _sealed(config) else {}
        self._devices = RigDevices(self._bench, config, self.clock, bank, self._movers, deck)
        return self._devices

    def ready(self, runtime: Runtime) -> None:
        self._runtime = runtime
        if self._devices is not None:
            self._devices.follow(runtime)

    def leave(self) -> None:
        """Let go of every line, also when the case broke off in the middle."""
        if self._runtime is not None:
            for driver in self._runtime.drivers.values():
                driver.stop()
        if self._devices is not None:
            self._devices.stop()

    def begun(self, runtime: Runtime) -> None:
        """Wait until the bench lies as the case begins, and have every card reader read a card once."""
        assert self._devices is not None
        for pieces in self._devices.pieces:
            pieces.see_done(LEFTOVERS_S)
        for place in self._devices.readers:
            self._swipe_once(runtime, place)

    def _swipe_once(self, runtime: Runtime, place: str) -> None:
        assert self._devices is not None
        read: list[CardSwiped] = []

        def watch(told: Told) -> None:
            if isinstance(told.event, CardSwiped) and told.event.device == place:
                read.append(told.event)

        runtime.watchers.append(watch)
        self._devices.readers[place].swipe(card("6011000990139424"))
        by_person = self._movers.get(place, (None, ""))[1] == "person"
        try:
            self.clock.run_until(lambda: bool(read), self.person_s if by_person else SWIPE_S)
        except DeadlineMissed as nothing:
            raise PortTrouble(
                f"no card was read at the reader '{place}'",
                "Check that it is the reader of the rig file, and try again.",
            ) from nothing
        finally:
            runtime.watchers.remove(watch)

    def poker_screen(self, runtime: Runtime, config: TableConfig) -> PokerDealerScreen:
        assert self._devices is not None
        if not self._devices.pieces:
            return super().poker_screen(runtime, config)
        return PatientScreen(runtime, config, self.clock, self._devices.busy)


class PatientScreen(PokerDealerScreen):
    """A screen on which nothing new is wanted, and nothing pressed, while a person still lays chips or cards."""

    def __init__(self, runtime: Runtime, config: TableConfig, clock: Clock, busy: Callable[[], bool]) -> None:
        super().__init__(runtime, config)
        self._clock = clock
        self._busy = busy
        self._held: list[tuple[str, int, Mapping[str, Any] | None]] = []

    def wanted(self) -> Wanted:
        return HANDS if self._busy() or self._held else super().wanted()

    def press(self, key: str, rank: int, args: Mapping[str, Any] | None = None) -> None:
        if self._held or self._busy():
            self._held.append((key, rank, args))
            if len(self._held) == 1:
                self._clock.call_later(LOOK_S, self._look)
        else:
            super().press(key, rank, args)

    def _look(self) -> None:
        if self._busy():
            self._clock.call_later(LOOK_S, self._look)
            return
        held, self._held = self._held, []
        for key, rank, args in held:
            super().press(key, rank, args)


def _sealed(config: TableConfig) -> bool:
    """Whether hole cards are dealt at this table."""
    return games.find(config.table.game).sealed_cards(config.play) is not None
