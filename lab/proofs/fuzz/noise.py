"""Bit errors on every line of a table that is played: what the table takes is what the devices saw, or nothing."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from controller.core.effects import Settled
from controller.core.runtime import Told
from drivers.device import Device
from firmware_specs.clock import DeadlineMissed, Deadlock, VirtualClock
from firmware_specs.spec import Message
from lab.proofs.audit import account, event_problems, picture_problems, replay_problems, settlement_problems
from lab.proofs.fuzz.campaign import Nonsense
from lab.proofs.games import GAMES
from lab.proofs.stage import Host, World
from simulators.faults import Fault

BIT_ERRORS = 1e-4
"""One bit in ten thousand."""
ROUNDS = 6
ROUND_S = 900.0
REST_S = 60.0


class LineNoise:
    """A few rounds of one game after the other; every frame that arrives counts, every spoilt one is told apart."""

    name, what = "line-noise", "whole tables whose lines spoil one bit in ten thousand"
    refusals: tuple[type[Exception], ...] = ()
    slowest = 30.0

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(f"{seed} line noise")
        self._folder = tempfile.TemporaryDirectory(prefix="tablectl-fuzz-")
        self.spoilt = 0

    def next(self) -> bytes:
        return self._draw.randbytes(4)

    def take(self, octets: bytes) -> int:
        path = Path(self._folder.name) / "table.sqlite"
        for old in Path(self._folder.name).glob("table.sqlite*"):
            old.unlink()
        shift = NoisyShift(octets, path)
        shift.play()
        self.spoilt += shift.damaged
        if shift.problems:
            raise Nonsense("; ".join(shift.problems[:5]))
        return shift.frames

    def close(self) -> None:
        self._folder.cleanup()


class NoisyShift:
    """One short shift on bad lines."""

    def __init__(self, octets: bytes, path: Path, bits: float = BIT_ERRORS) -> None:
        draw = random.Random(octets)
        seed = draw.randrange(1 << 20)
        self.game = GAMES[draw.choice(sorted(GAMES))]()
        self.clock, self.path = VirtualClock(), path
        self.world = World(self.game, self.clock, seed)
        self.crew = self.game.crew(self.world, seed, draw.choice(self.game.states), draw.randrange(ROUNDS))
        for place in self.game.places:
            self.world.devices.plan(Fault(place, "corrupt", bits=bits, seed=seed))
        self.problems: list[str] = []
        self.frames = self.damaged = 0

    def play(self) -> None:
        world = self.world
        world.devices.start()
        host = Host(world, self.path)
        for place, driver in host.runtime.drivers.items():
            if isinstance(driver, Device):
                self._hold_against_truth(place, driver)
        host.runtime.watchers.append(self._watch)
        host.start()
        self.crew.start()
        try:
            self.clock.run_until(lambda: self.crew.rounds >= ROUNDS, ROUNDS * ROUND_S)
            self.crew.resting = True
            self.clock.run_for(REST_S)
            self.problems += [one for one in picture_problems(world) if "still holds" not in one]
        except (Deadlock, DeadlineMissed) as stuck:
            self.problems.append(f"it did not go on: {stuck}")
        for place, driver in host.runtime.drivers.items():
            stats, far = driver.health().counters, world.links[place]._decoder if place in world.links else None
            self.frames += stats["frames_in"] + (far.good if far is not None else 0)
            self.damaged += stats.get("damaged", 0) + (far.damaged + far.overlong if far is not None else 0)
        host.stop()
        world.devices.stop()
        told = account(self.path)
        self.problems += event_problems(world, told) + settlement_problems(told) + replay_problems(world, self.path)

    def _hold_against_truth(self, place: str, driver: Device) -> None:
        """Every card, chip and angle the driver hears must be one that the device has numbered so."""
        heard = driver.event

        def event(number: int, message: Message) -> None:
            posted = self.world.posted.get(place)
            if posted is not None and not any(
                one.number == number and one.message == message for one in reversed(posted)
            ):
                self.problems.append(f"{place}: event {number} arrived as {message}, which the device never saw")
            heard(number, message)

        driver.event = event  # type: ignore[method-assign]

    def _watch(self, told: Told) -> None:
        for effect in told.effects:
            if isinstance(effect, Settled):
                self.problems += self.game.money_problems(self.world, self.crew, effect)
