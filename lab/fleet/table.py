"""A table that is played while its machine is upgraded and cut from its power: its devices and people live on.

Dealer and players act by what the table's own page shows them; every round they end must be in the journal, settled by
what truly lay on the felt and stood under the pointer.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from controller import examples, games
from controller.config.file import check_config
from controller.core.effects import Settled
from controller.games.wheel.config import WheelSection
from controller.journal.cosignature import Witness
from controller.journal.file import JournalFile
from controller.journal.head import TableKey, make_key, slug
from controller.money.register import ChipClass, write_register
from controller.people.staff import Member, Staff, with_member, with_pin, write_staff
from controller.web.access import PairingFile
from controller.web.waiting import pause
from firmware_specs.clock import Action, RealClock, Timer
from firmware_specs.ports_io import PtyPort
from lab.fleet.machine import OwnMachine
from lab.fleet.screen import NotShown, PairedScreen, RefusedKey
from lab.floor.server import free_port
from lab.proofs.audit import account, event_problems, must_be_told, replay_problems, settlement_problems
from lab.proofs.redteam.host_nursery import VALUE_SHIFT
from lab.proofs.redteam.killing import Devices, TellingBank
from lab.proofs.stage import World
from lab.proofs.wheel import BigWheel
from simulators.chips import ChipMat
from simulators.people.chips import DENOMINATIONS, Felt
from simulators.people.patient import PatientCrew, Shown
from simulators.people.table import Due, Question
from simulators.wheel import Wheel

LOOK_S = 2.0
"""How often the dealer looks at the page and does what is due."""
AWAY_S = 4.0
CHIPS_OF_A_VALUE = 4000
PIN = "4711"
STAFF = {1: ("S100", "dealer"), 2: ("S200", "HDD"), 3: ("S300", "AM"), 4: ("S400", "ACM")}
DATA = "/var/lib/tablectl"


class Patience:
    """The clock of somebody who acts once at each look; it is turned by hand."""

    def __init__(self, clock: RealClock) -> None:
        self._clock, self._due = clock, list[Callable[[], object]]()

    def now(self) -> float:
        return self._clock.now()

    def wall(self) -> int:
        return self._clock.wall()

    def call_at(self, when: float, action: Action, *args: Any) -> Timer:
        return self.call_later(0, action, *args)

    def call_later(self, delay: float, action: Action, *args: Any) -> Timer:
        self._due.append(lambda: action(*args))
        return self._clock.call_later(0, lambda: None)

    def turn(self) -> None:
        due, self._due = self._due, []
        for each in due:
            each()


class PlayedTable(World):
    """One table: its machine, its devices at pseudo-terminals beside it, and its people."""

    def __init__(
        self, machine: OwnMachine, number: int, broker: str, floor: Witness, loop: asyncio.AbstractEventLoop
    ) -> None:
        self.machine, self.number = machine, number
        self.name = f"Big Wheel {number}"
        self.slug = slug(self.name)
        self.url = f"http://127.0.0.1:{free_port()}"
        seed = secrets.token_bytes(32)
        self.key = TableKey(seed)
        self._write(broker, floor, seed)
        self.config = check_config(machine.config)
        self.game = self._big_wheel = self._game()
        self.clock, self.bank = RealClock(loop), TellingBank()
        self.posted, self.links, self.host = {}, {}, None
        self._connect(loop)
        self._patience = Patience(self.clock)
        rulings = {"close_unseen": "settle"}  # nobody touched the layout while the antennas were out
        felt, areas = Felt(self.devices.mat, self.bank), self._big_wheel.areas
        self.crew = PatientCrew(
            self._patience, self.see, self.press, felt, self.devices.wheel, areas, number, rulings=rulings
        )
        self._shown: Shown | None = None
        self._pressed: list[tuple[str, int, dict[str, Any]]] = []
        self._truth: dict[int, tuple[dict[tuple[str, str], int], str]] = {}
        self._signed_in = self._tired = False
        self.last_trouble = ""

    # -- what is set up --------------------------------------------------------------------------------------------

    def _write(self, broker: str, floor: Witness, seed: bytes) -> None:
        """The table's file, its key, its chips, its people and its screens, as they lie on its machine."""
        machine, data = self.machine, self.machine.data
        (machine.folder / "etc" / "machine-id").write_text(f"{self.number:032x}\n")
        journal = JournalFile.open(data / "table.db", self.name)
        self.origin = journal.origin
        journal.close()
        make_key(machine.config.with_name("table.key"), self.origin, seed)
        ports = machine.folder / "ports"
        ports.mkdir()
        text = (Path(examples.__path__[0]) / "table.toml").read_text("utf-8")
        for old, new in (
            ('"Big Wheel 1"', f'"{self.name}"'),
            ('journal = "big-wheel-1.db"', f'journal = "{DATA}/table.db"\nsigning_key = "/etc/tablectl/table.key"'),
            ("127.0.0.1:8642", self.url.removeprefix("http://")),
            ("/dev/serial/by-id/usb-wheel-sensor", str(ports / "wheel")),
            ("usb:1209:7ab1", str(ports / "chips")),
            ('# register = "chips.register"', f'register = "{self.machine.folder}/chips.register"'),
            ("float_tray = true", "float_tray = false"),
        ):
            assert old in text, old
            text = text.replace(old, new, 1)
        text += f'\n[uplink]\nservers = ["{broker}"]\nwitness = "{floor.text()}"\n'
        machine.config.write_text(text, "utf-8")
        _write_chips(machine.folder / "chips.register")
        write_staff(data / "staff.json", _staff())
        pairings = PairingFile(data / "screens.json")
        self._dealer = PairedScreen(self.url, "dealer", pairings.pair("dealer"))
        self._sign = PairedScreen(self.url, "sign", pairings.pair("sign"))

    def _game(self) -> BigWheel:
        game = BigWheel()
        game.config, game.ring = self.config, self.config.own(WheelSection).ring
        return game

    def _connect(self, loop: asyncio.AbstractEventLoop) -> None:
        ports = {place: PtyPort(loop, link=self.config.devices[place].port) for place in ("wheel", "chips")}
        areas = games.find("wheel").areas(self.config)
        mat = ChipMat(self.clock, ports["chips"], areas=areas, serial="CM-0001", seed=self.number)
        wheel = Wheel(self.clock, ports["wheel"], serial="WS-0001", seed=self.number)
        self.devices = Devices(mat, wheel)  # type: ignore[assignment]
        for place, link in self.game.links(self.devices).items():
            self.listen(place, link)

    # -- play ------------------------------------------------------------------------------------------------------

    def see(self) -> Shown | None:
        return self._shown

    def press(self, key: str, rank: int, args: dict[str, Any] | None = None) -> None:
        self._pressed.append((key, rank, args or {}))

    async def play(self) -> None:
        """Until it is cancelled; while the machine is off the people wait."""
        self.devices.start()
        self.crew.start()
        try:
            while True:
                await pause(LOOK_S if await self._turn() else AWAY_S)
        finally:
            self.devices.stop()

    def rest(self) -> None:
        """Begin no further round."""
        self._tired = True

    @property
    def rests(self) -> bool:
        return self.crew.resting

    async def _turn(self) -> bool:
        """One look at the page, and what follows from it; whether the table was there."""
        if not self.machine.is_on:
            self._shown, self._signed_in = None, False
            return False
        try:
            self._shown = await asyncio.to_thread(self._look)
            self.crew.resting |= self._tired and self._shown.state == "idle" and not self.crew._laid
            self._patience.turn()
            for key, rank, args in self._pressed:
                await asyncio.to_thread(self._do, key, rank, args)
        except NotShown as away:
            self._shown, self._signed_in = None, False
            self.last_trouble = str(away)
        except RefusedKey as refused:  # the next look shows what is due instead
            self.last_trouble = str(refused)
            self._signed_in = self._signed_in and not str(refused).startswith("401")
        finally:
            self._pressed.clear()
        return self._shown is not None

    def _look(self) -> Shown:
        said = self._dealer.state()
        if not self._signed_in:
            self._dealer.post("sign-in", place="dealer", staff=STAFF[1][0], pin=PIN)
            self._signed_in = True
        if said["life"]["life"] in ("opening", "closed"):
            self._sign.post("sign-shown", revision=self._sign.state()["sign"]["revision"])
        return self._read(said)

    def _read(self, said: dict[str, Any]) -> Shown:
        game = said["game"]
        questions = tuple(
            Question(
                one["prompt"], one["subject"], one["proposal"],
                tuple((way["answer"], way["rank"], way["needs_reason"]) for way in one["options"]),
                one.get("evidence", {}),
            )
            for one in said["prompts"]
        )  # fmt: skip
        if game["state"] == "result":
            where = self._big_wheel.ring[int(self.devices.wheel.place)]
            self._truth[said["life"]["round"]] = (self.crew.on_felt(), where)  # after a no spin, the last counts
        return Shown(
            said["life"]["life"], game["state"], questions, tuple(msgspec.convert(game["results"], tuple[Due, ...])),
            {(one["owner"], one["symbol"]): one["cents"] for one in game["wagers"]},
        )  # fmt: skip

    def _do(self, key: str, rank: int, args: dict[str, Any]) -> None:
        sign = None if rank <= 1 else {"staff": STAFF[min(rank, max(STAFF))][0], "pin": PIN}
        self._dealer.press(key, args, sign)

    @property
    def holds(self) -> int:
        """Events that its devices must still tell: a power cut now would keep them out of the journal."""
        return sum(
            link.holds(one.number)
            for place, link in self.links.items()
            for one in self.posted[place]
            if one.epoch == link.epoch and must_be_told(one.message)
        )

    # -- what became of it -----------------------------------------------------------------------------------------

    def lost_rounds(self) -> list[str]:
        """Rounds that people have played to their end, and that the journal does not have, once the table is off."""
        settled = {one.round for one in account(self.machine.data / "table.db").settlements}
        return [f"{self.name}: {one}" for one in missing_rounds(set(self._truth), self.crew.rounds, settled)]

    def problems(self) -> list[str]:
        """How the journal differs otherwise from what happened, once the table is off: events, money."""
        path = self.machine.data / "table.db"
        told = account(path)
        found = event_problems(self, told) + settlement_problems(told) + replay_problems(self, path)
        found += [f"{place} is said to have lost evidence, and has not" for place in told.losses]
        settled = {one.round: one for one in told.settlements}
        for number, (stakes, winner) in self._truth.items():
            found += money_problems(self._big_wheel, number, stakes, winner, settled)
        return [f"{self.name}: {one}" for one in found]


def missing_rounds(seen: set[int], played: int, settled: set[int]) -> list[str]:
    """Of rounds whose result was seen, and of so many that people have ended, those that are not in the journal."""
    found = [f"round {number} is not in the journal" for number in sorted(seen - settled)]
    if not found and len(settled) < played:
        found.append(f"{played} rounds were played and {len(settled)} are in the journal")
    return found


def money_problems(
    game: BigWheel, number: int, stakes: Mapping[tuple[str, str], int], winner: str, settled: Mapping[int, Settled]
) -> list[str]:
    """How a round in the journal differs from what lay on the felt while the wheel stood at the winner."""
    if number not in settled:
        return []  # it is lost, which is told as that
    odds = game.option.symbol(winner).odds
    true = {key: (cents * odds, 0, cents) if key[1] == winner else (0, cents, 0) for key, cents in stakes.items()}
    said = {(one.player, one.bet): (one.pays, one.stake_taken, one.stake_returned) for one in settled[number].results}
    return [] if said == true else [f"round {number} was settled {said}, on the felt was {true} at {winner}"]


def _write_chips(path: Path) -> None:
    values = sorted(DENOMINATIONS)
    rows = [
        (value << VALUE_SHIFT | piece, number, 0)
        for number, value in enumerate(values)
        for piece in range(1, CHIPS_OF_A_VALUE + 1)
    ]
    write_register(path, [ChipClass("cash", value) for value in values], values, rows)


def _staff() -> Staff:
    staff = Staff()
    for number, rank in STAFF.values():
        staff = with_pin(with_member(staff, Member(number, number, {"melbourne-wheel": rank})), number, PIN, bytes(16))
    return staff
