"""Real processes killed for real: a world of devices on pseudo-terminals, and controllers that come and go."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from controller import games
from controller.config.kept import plain
from controller.config.types import DeviceSection, TableConfig
from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.games.poker.config import PokerSection
from controller.journal.file import JournalFile, JournalTrouble
from firmware_specs.clock import RealClock
from firmware_specs.messages.shuffler import Mode
from firmware_specs.ports_io import PtyPort
from lab.proofs.audit import Account, account, event_problems, replay_problems, settlement_problems
from lab.proofs.poker import CrownPoker, sealed_problems
from lab.proofs.redteam.host_nursery import VALUE_SHIFT
from lab.proofs.stage import World
from lab.proofs.war import CasinoWar
from lab.proofs.wheel import BigWheel
from simulators.card_antennas import CardAntennas
from simulators.chips import ChipMat
from simulators.people.chips import Bank, Felt
from simulators.people.patient import PatientCrew, Shown
from simulators.people.patient_poker import PatientPokerCrew
from simulators.people.patient_war import PatientWarCrew
from simulators.shoe import CardShoe
from simulators.shuffler import CardShuffler
from simulators.wheel import Wheel

SPEED = 20.0
PATIENCE_S = 60.0
REST_S = 20.0
UNTOLD = 10
"""The mat may keep pictures that nobody asked for any more until its next event."""


class TellingBank(Bank):
    """Makes chips whose tags say what they are worth, so that another process knows, too."""

    def _one(self, value: int) -> int:
        if self._free[value]:
            return self._free[value].pop()
        self._next += 1
        tag = value << VALUE_SHIFT | self._next & 0xFFFF
        self.register[tag] = value
        return tag


Staged = BigWheel | CasinoWar | CrownPoker
STAGED: dict[str, type[Staged]] = {"poker": CrownPoker, "wheel": BigWheel, "war": CasinoWar}


class Devices:
    """The mat and what else the game is played with, each at its pseudo-terminal."""

    def __init__(self, mat: ChipMat, *others: Wheel | CardShoe | CardAntennas | CardShuffler) -> None:
        self.mat = mat
        self.all = (*others, mat)
        self.sources: dict[str, CardShoe | CardShuffler] = {}
        for other in others:
            match other:
                case Wheel():
                    self.wheel = other
                case CardAntennas():
                    self.antennas = other
                case CardShoe():
                    self.sources["shoe"] = other
                case CardShuffler():
                    self.sources["shuffler"] = other

    def start(self) -> None:
        for device in self.all:
            device.start()

    def stop(self) -> None:
        for device in self.all:
            device.stop()


class PtyWorld(World):
    """The world on real ports; its screen is a socket that controllers connect to."""

    def __init__(self, game: Staged, folder: Path, seed: int, loop: asyncio.AbstractEventLoop) -> None:
        self.game = game
        self.clock = RealClock(loop, SPEED)
        self.bank = TellingBank()
        self.posted, self.links = {}, {}
        self.host = None
        sections = {
            place: DeviceSection(section.kind, port=str(folder / place), serial=f"SIM-{place.upper()}")
            for place, section in game.config.devices.items()
        }
        self.config: TableConfig = msgspec.structs.replace(game.config, devices=sections)
        if isinstance(game, CrownPoker):
            self.config = _with_deck(self.config, game.deck, folder / "deck.csv")
        places = list(sections)
        ports = {place: PtyPort(loop, link=section.port) for place, section in sections.items()}
        seeds = {place: seed * 100 + places.index(place) for place in places}
        serials = {place: section.serial for place, section in sections.items()}
        mat = ChipMat(
            self.clock,
            ports["chips"],
            areas=games.find(game.config.table.game).areas(game.config),
            serial=serials["chips"],
            seed=seeds["chips"],
        )
        self.screen = Screen()
        self.devices = Devices(mat, *self._others(game, ports, serials, seeds))  # type: ignore[assignment]
        for place, link in game.links(self.devices).items():
            self.listen(place, link)
        self.crew: PatientCrew | PatientWarCrew | PatientPokerCrew
        if isinstance(game, BigWheel):
            # A layout that nobody touched is settled, however long the antennas were out.
            rulings = {"close_unseen": "settle"}
            felt = Felt(mat, self.bank)
            self.crew = PatientCrew(
                self.clock, self.see, self.press, felt, self.devices.wheel, game.areas, seed, rulings=rulings
            )
        else:
            self.crew = game.crew(self, seed)

    def _others(
        self, game: Staged, ports: dict[str, PtyPort], serials: dict[str, str], seeds: dict[str, int]
    ) -> list[Wheel | CardShoe | CardAntennas | CardShuffler]:
        """The devices beside the mat."""

        def given(place: str) -> dict[str, Any]:
            return {"port": ports[place], "serial": serials[place], "seed": seeds[place]}

        if isinstance(game, CasinoWar):
            return [CardShoe(self.clock, **given("shoe"))]
        if isinstance(game, CrownPoker):
            return [
                CardAntennas(self.clock, seats=game.config.seats.count, **given("cards")),
                CardShuffler(self.clock, mode=Mode.SINGLE_DECK, **given("shuffler")),
            ]
        return [Wheel(self.clock, **given("wheel"))]

    def see(self) -> Shown | None:
        return self.screen.now

    def press(self, key: str, rank: int, args: dict[str, Any] | None = None) -> None:
        self.screen.press(key, rank, args)


def _with_deck(config: TableConfig, deck: dict[int, str], path: Path) -> TableConfig:
    """A table on real ports knows its cards from a register."""
    path.write_text("".join(f"{tag:016x},{face}\n" for tag, face in deck.items()))
    return msgspec.structs.replace(config, play=msgspec.structs.replace(config.own(PokerSection), deck=str(path)))


class Screen:
    """The dealer's screen: what the running controller showed last, and a way to press its keys."""

    def __init__(self) -> None:
        self.now: Shown | None = None
        self.changed = asyncio.Event()
        self._writer: asyncio.StreamWriter | None = None

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A controller is there, until it is not."""
        self._writer = writer
        with contextlib.suppress(ConnectionError):
            while (line := await reader.readline()).endswith(b"\n"):
                line_shown = json.loads(line)
                wagers = {(player, symbol): cents for player, symbol, cents in line_shown.pop("wagers")}
                if self._writer is writer:
                    self.now = msgspec.structs.replace(msgspec.convert(line_shown, Shown), wagers=wagers)
                    self.changed.set()
        if self._writer is writer:
            self.now, self._writer = None, None
            self.changed.set()
        writer.close()

    def press(self, key: str, rank: int, args: dict[str, Any] | None = None) -> None:
        if self._writer is not None:
            self._writer.write(json.dumps({"key": key, "rank": rank, "args": args or {}}).encode() + b"\n")

    def hang_up(self) -> None:
        """Let the controller go down in good order."""
        if self._writer is not None:
            self._writer.write_eof()


class Nursery:
    """Controllers on demand, each a process of its own."""

    def __init__(self, world: PtyWorld, journal: Path, screen: Path) -> None:
        config = plain(world.config)
        self._order = json.dumps({"config": config, "journal": str(journal), "screen": str(screen), "speed": SPEED})
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.host_nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def bring_up(self) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(self._order + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        self._process.kill()
        self._process.wait(10)


class Killing:
    """A table played by controllers that are killed at random instants."""

    def __init__(self, game: Staged, folder: Path, seed: int) -> None:
        self.game, self.folder, self.seed = game, folder, seed
        self.journal = folder / "table.sqlite"
        self.problems: list[str] = []
        self.settled: Account

    def play(self, kills: int, rounds: int, draw: random.Random) -> Account:
        """Kill so many controllers, then let one play until at least so many rounds are over."""
        return asyncio.run(self._play(kills, rounds, draw))

    async def _play(self, kills: int, rounds: int, draw: random.Random) -> Account:
        loop = asyncio.get_running_loop()
        world = PtyWorld(self.game, self.folder, self.seed, loop)
        screen = self.folder / "screen"
        server = await asyncio.start_unix_server(world.screen.connected, screen)
        nursery = Nursery(world, self.journal, screen)
        world.devices.start()
        world.crew.start()
        try:
            for _ in range(kills):
                controller = nursery.bring_up()
                if draw.random() < 0.7:  # some die while they come up, most while they work
                    await self._until(world, lambda: world.screen.now is not None)
                await self._for(draw.uniform(0.0, 0.5))
                os.kill(controller, signal.SIGKILL)
                await self._until(world, lambda pid=controller: not alive(pid))  # type: ignore[misc]
                self._look(world)
            last = nursery.bring_up()
            enough = max(rounds, world.crew.rounds + 1)
            await self._until(world, lambda: world.screen.now is not None and world.crew.rounds >= enough)
            world.crew.resting = True
            await self._for(REST_S / SPEED)
            await self._until(world, lambda: all(link.held < UNTOLD for link in world.links.values()))
            world.screen.hang_up()
            await self._until(world, lambda: not alive(last))
        finally:
            nursery.close()
            server.close()
            world.devices.stop()
        self._look(world)
        told = account(self.journal)
        self.problems += event_problems(world, told) + settlement_problems(told) + replay_problems(world, self.journal)
        self.problems += [f"{place} is said to have lost evidence, and has not" for place in told.losses]
        self._compare_picture(world)
        if isinstance(world.crew, PatientPokerCrew):
            self.problems += sealed_problems(self.journal, world.crew.opened)
        return told

    async def _for(self, seconds: float) -> None:
        """Let the world go on for a while; a clock of the loop, because nothing else tells this instant."""
        over = asyncio.Event()
        asyncio.get_running_loop().call_later(seconds, over.set)
        await over.wait()

    async def _until(self, world: PtyWorld, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                await self._for(0.01)

    def _look(self, world: PtyWorld) -> None:
        """Hold the journal against what the devices have been allowed to forget, right after the kill."""
        if not self.journal.exists():
            return
        try:
            told = account(self.journal)
        except JournalTrouble:
            # Killed while it was being made, the file may be empty; then no device may have forgotten anything.
            if all(link._oldest == 1 for link in world.links.values()):
                return
            raise
        for place, link in world.links.items():
            marks = [mark for mark, _ in told.marks.get(place, []) if mark.epoch == link.epoch]
            safe = max((mark.number if mark.settled is None else mark.settled for mark in marks), default=0)
            if link._oldest - 1 > safe:
                self.problems.append(f"{place} forgot event {link._oldest - 1}, the journal ends at {safe}")

    def _compare_picture(self, world: PtyWorld) -> None:
        table = GuardedTable(world.config)
        journal = JournalFile.read_only(self.journal)
        recover(table, journal)
        journal.close()
        mat = world.devices.mat
        known = {area: sorted(tags) for area, tags in table.table.game.chip_picture().items() if tags}
        lying = {area: sorted(mat.lying(area)) for area in range(1, mat.areas) if mat.lying(area)}
        if known != lying:
            self.problems.append(f"the table knows {known}, on the mat lies {lying}")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
