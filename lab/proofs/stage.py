"""A world that goes on while controllers die in it: devices, chips and people live; the host's side may end."""

from __future__ import annotations

from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

import msgspec

from controller.config.types import TableConfig
from controller.core.effects import Settled
from controller.core.runtime import Runtime, Told
from controller.core.table import Table
from controller.devices import inline
from controller.journal.committer import Committer
from controller.money.dress import ChipRegister
from controller.people import Person
from firmware_specs.clock import Action, Clock, Timer
from firmware_specs.spec import Message
from lab.sim.devices import SimulatedDevices, drivers_for, opened
from lab.sim.table import sign_that_shows
from simulators.link import DeviceLink
from simulators.people.chips import Bank
from simulators.people.patient import Shown
from simulators.people.table import Due, Question


class MortalClock:
    """A clock whose waiting actions all vanish when their owner dies; the clock below goes on."""

    def __init__(self, clock: Clock, wall_offset_ms: int = 0) -> None:
        self._clock = clock
        self._offset = wall_offset_ms
        self.alive = True

    def now(self) -> float:
        return self._clock.now()

    def wall(self) -> int:
        return self._clock.wall() + self._offset

    def call_at(self, when: float, action: Action, *args: Any) -> Timer:
        return self._clock.call_at(when, self._unless_dead, action, args)

    def call_later(self, delay: float, action: Action, *args: Any) -> Timer:
        return self._clock.call_later(delay, self._unless_dead, action, args)

    def _unless_dead(self, action: Action, args: tuple[Any, ...]) -> None:
        if self.alive:
            action(*args)


class Posted(msgspec.Struct, frozen=True):
    """An event as its device numbered it."""

    epoch: int
    number: int
    message: Message


class Crew(Protocol):
    """People who play by themselves and count the rounds they have ended; `resting` ends their day."""

    rounds: int
    resting: bool

    def start(self) -> None: ...


class StagedGame(Protocol):
    """What a proof must know of a game; a game joins the proofs with one of these."""

    name: str
    states: tuple[str, ...]
    """Every state of its round, the one between rounds first."""
    places: tuple[str, ...]
    """Its devices, which are struck one by one."""
    config: TableConfig

    def links(self, devices: SimulatedDevices) -> dict[str, DeviceLink]:
        """The wire of each device."""

    def wagers(self, table: Table) -> dict[tuple[str, str], int]:
        """The wagers a dealer sees on the screen, by player and bet."""

    def details(self, table: Table) -> dict[str, Any]:
        """What else on the screen people of this game act on."""

    def crew(self, world: World, seed: int, through: str = "", at_round: int = 0) -> Crew:
        """People who play by the seed's plan; in one round they take the course that leads through this state."""

    def money_problems(self, world: World, crew: Any, settled: Settled) -> list[str]:
        """How a settlement differs from what truly happened; asked when it is told."""


class World:
    """Devices, wires and chips of one table, and a record of every event the devices numbered."""

    def __init__(self, game: StagedGame, clock: Clock, seed: int) -> None:
        self.game = game
        self.config = game.config
        self.clock = clock
        self.bank = Bank()
        self.devices = SimulatedDevices(self.config, clock, seed, self.bank)
        self.posted: dict[str, list[Posted]] = {}
        self.links: dict[str, DeviceLink] = {}
        for place, link in game.links(self.devices).items():
            self.listen(place, link)
        self.host: Host | None = None

    def listen(self, place: str, link: DeviceLink) -> None:
        """Keep what this device numbers."""
        kept = self.posted.setdefault(place, [])
        self.links[place] = link
        post = link.post

        def posting(message: Message) -> int:
            number = post(message)
            if number:
                kept.append(Posted(link.epoch, number, message))
            return number

        link.post = posting  # type: ignore[method-assign]

    def see(self) -> Shown | None:
        """What the dealer's screen shows; nothing while no controller runs."""
        return None if self.host is None else self.host.shown

    def press(self, key: str, rank: int, args: dict[str, Any] | None = None) -> None:
        """Press a key; lost while no controller runs."""
        if self.host is not None:
            self.host.runtime.command(key, Person(f"rank{rank}", rank), args)


def glance(game: StagedGame, runtime: Runtime) -> Shown:
    """The dealer's screen at this moment."""
    table = runtime.table
    questions = tuple(
        Question(
            asked.prompt,
            asked.subject,
            asked.proposal,
            tuple((option.answer, option.rank, option.needs_reason) for option in asked.options),
            asked.evidence,
        )
        for asked in table.state.desk.prompts.values()
    )
    results = table.game.view()["results"]
    return Shown(
        table.state.life,
        table.game.machine.state,
        questions,
        tuple(msgspec.convert(result, Due) for result in results),
        game.wagers(table),
        game.details(table),
    )


class Host:
    """One life of the controller in a world: a runtime and its drivers on a journal."""

    def __init__(
        self,
        world: World,
        journal: Path,
        *,
        durable: bool = False,
        wall_offset_ms: int = 0,
        committer: Callable[[Runtime], Committer] = inline,
    ) -> None:
        self.world = world
        self.clock = MortalClock(world.clock, wall_offset_ms)
        self.runtime = opened(world.config, journal, self.clock, ChipRegister(world.bank.register), durable)
        drivers_for(self.runtime, world.config, {place: wire.host for place, wire in world.devices.wires.items()})
        sign_that_shows(self.runtime, self.clock)
        self.shown: Shown | None = None
        self._coming: dict[int, Shown] = {}
        self._submit = self.runtime.submit
        self.runtime.submit = self._prepare_screen  # type: ignore[method-assign]
        self.runtime.watchers.insert(0, self._show)
        self._committer = committer

    def _prepare_screen(self, event: msgspec.Struct, **rest: Any) -> None:
        """Keep what the screen will show of this event until it is on disk: people act on nothing that may vanish."""
        self._submit(event, **rest)
        self._coming[self.runtime.guarded.position.seq] = glance(self.world.game, self.runtime)

    def _show(self, told: Told) -> None:
        self.shown = self._coming.pop(told.seq)

    def start(self) -> None:
        self.world.host = self
        self.runtime.start(metadata.version("tablectl"), self.world.config, self._committer(self.runtime))

    def die(self) -> None:
        """Stop as a killed process does: nothing is said, written or released any more."""
        self.world.host = None
        self.clock.alive = False
        for wire in self.world.devices.wires.values():
            wire.host.close()
        self.runtime.journal.close()

    def stop(self) -> None:
        """Go down in good order."""
        self.runtime.stop()
        self.world.host = None
