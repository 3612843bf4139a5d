"""Three gaming days at a table whose books a second ledger follows: sales, errors, thefts, restarts, long nights."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from importlib import metadata
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from controller.config.types import BooksSection, ChipsSection, TableConfig
from controller.core.events import Chip
from controller.core.runtime import Runtime
from controller.devices import inline
from controller.money.dress import ChipRegister
from controller.people import Person
from controller.report.days import gaming_day
from firmware_specs.clock import VirtualClock
from lab.proofs.ledger import TRAY, Ledger
from lab.proofs.stage import MortalClock
from lab.scenarios.played import find
from lab.sim.config import default_config
from lab.sim.devices import SimulatedDevices, drivers_for, opened
from lab.sim.table import sign_that_shows
from simulators.people.chips import Bank

DAYS = 3
FIRST = date(2026, 10, 3)
"""The night of this day is an hour short: clocks are put forward at two in the morning."""
ZONE, STARTS = "Australia/Melbourne", time(6)
COLOUR, COLOUR_CENTS, RACK = "blue", 500, 60
STUCK_S = 3_600.0
STILL_S = 150.0
"""People hold their hands still at the end of a day, so that no chip is under way when it is counted."""
PLAY_S = 420.0
"""A stretch of play between two things that people do."""
BETTING = {"wheel": "betting_open", "war": "betting", "poker": "between_hands"}
UNDER_WAY = {"wheel": "spin_closed", "war": "dealing", "poker": "bet1"}
"""Where hands are free, and where a controller dies."""
NOTICE_S = 7_200.0
DEALER, CHIEF, MANAGER = Person("S1", 1), Person("S2", 2), Person("S3", 3)


class ColourBank(Bank):
    """A bank that also has colour chips, which lie in a rack beside the cash chips and pay nobody."""

    def __init__(self) -> None:
        super().__init__()
        self.cash: dict[int, int] = self.register
        self.colours = [0xB1_0000_0000 + number for number in range(RACK)]
        self.rack = list(self.colours)
        self.in_hand: list[int] = []

    def worth(self, tags: Any) -> int:
        return sum(self.register.get(tag, COLOUR_CENTS) for tag in tags)

    def lay_in(self, tags: list[int]) -> None:
        self.rack += [tag for tag in tags if tag not in self.register]
        super().lay_in([tag for tag in tags if tag in self.register])

    def take_back(self, tags: list[int]) -> None:
        self.in_hand += [tag for tag in tags if tag not in self.register]
        super().take_back([tag for tag in tags if tag in self.register])


class ColourRegister(ChipRegister):
    """Knows the colour chips of this table besides its cash chips."""

    def __init__(self, bank: ColourBank, mark: str) -> None:
        super().__init__(bank.register)
        self._colours, self._mark = frozenset(bank.colours), mark

    def chip(self, tag: int) -> Chip:
        return Chip(tag, "colour", 0, self._mark) if tag in self._colours else super().chip(tag)


Acts = tuple[Callable[[], None], ...]


class House:
    """A table, its people, and the ledger that watches their hands."""

    def __init__(self, path: Path, seed: int, game: str = "wheel") -> None:
        self.path, self.seed, self.game = path, seed, game
        books = BooksSection(
            ZONE, second_signature=("explained", "correction"), slips=("fill", "credit"), shifts=("06:00", "18:00")
        )
        self.config: TableConfig = msgspec.structs.replace(self.set_up(default_config(game)), books=books)
        begin = datetime.combine(FIRST, STARTS, ZoneInfo(ZONE)).astimezone(UTC)
        self.clock = VirtualClock(round(begin.timestamp() * 1000))
        self.draw = random.Random(f"{seed} ledger")
        self.bank = ColourBank()
        self.devices = SimulatedDevices(self.config, self.clock, seed, self.bank)
        if self.has_colours:
            self.devices.mat.place(self.bank.rack, TRAY)
        self.ledger = Ledger(self.devices.mat, self.bank.register, self.clock.wall, self.slide)
        self.register = ColourRegister(self.bank, f"SIM/{COLOUR}")
        self.people: Any = None
        self.runtime: Runtime
        self.restarts = self.kills = self._slips = self._cash = 0
        self.acts: dict[str, int] = {}

    @property
    def has_colours(self) -> bool:
        return self.game == "wheel"

    @property
    def slide(self) -> int | None:
        """The area whose chips go into a box, where there is one."""
        return None

    def set_up(self, base: TableConfig) -> TableConfig:
        """How this table is set up, its books aside."""
        chips = ChipsSection("SIM", (COLOUR,)) if self.has_colours else base.chips
        return msgspec.structs.replace(base, chips=chips)

    def stretches(self) -> tuple[Acts, Acts, Acts]:
        """What people do in the morning, about midnight, and before the day's end."""
        colours = (self.sell_colours, self.redeem_colours) if self.has_colours else ()
        return (
            (self.fill, *colours[:1], self.sell, self.steal),
            (self.credit, self.stop_and_start, self.sell_wrongly, self.die_and_rise),
            (self.sell, self.fill, *colours[1:], self.count_box),
        )

    def at_any_time(self) -> Acts:
        """What people do in the hours between."""
        return (self.sell, self.sell_wrongly, self.die_and_rise, self.credit, self.stop_and_start, self.fill)

    # -- controllers -----------------------------------------------------------------------------------------------

    def come_up(self) -> None:
        self._mortal = mortal = MortalClock(self.clock)
        runtime = opened(self.config, self.path, mortal, self.register, durable=False)
        drivers_for(runtime, self.config, {place: wire.host for place, wire in self.devices.wires.items()})
        sign_that_shows(runtime, mortal)
        if self.people is None:
            self.people = find(self.game).crew(runtime, self.devices, self.config, self.clock, self.seed)
            press = self.people.screen.press
            self.people.screen.press = lambda key, rank, args=None: press(key, rank, self._with_slip(key, args))
        else:
            people = self.people
            people.screen.runtime = runtime
            runtime.watchers.append(lambda told: people.look())
        self.runtime = runtime
        runtime.start(metadata.version("tablectl"), self.config, inline(runtime))

    def _with_slip(self, key: str, args: Mapping[str, Any] | None) -> Mapping[str, Any]:
        """Whoever brings or takes chips has a slip for it."""
        if key not in ("fill", "credit"):
            return args or {}
        self._slips += 1
        return {**(args or {}), "slip": f"{key[0].upper()}{self._slips}"}

    def stop_and_start(self) -> None:
        """Down in good order, and up again."""
        self.restarts += 1
        self.runtime.stop()
        self._mortal.alive = False
        self.come_up()

    def die_and_rise(self) -> None:
        """Killed in the middle of a round, and up again."""
        self._until(lambda: self.state == UNDER_WAY[self.game])
        self.kills += 1
        self._mortal.alive = False
        for wire in self.devices.wires.values():
            wire.host.close()
        self.runtime.journal.close()
        self.come_up()

    # -- time --------------------------------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        return self.runtime.table.game.machine.state if self.runtime.table.playing else ""

    def _until(self, so: Callable[[], bool]) -> None:
        self.clock.run_until(so, STUCK_S)

    def quiet(self) -> None:
        """Betting is open and nothing is unexplained: hands are free."""
        betting = BETTING[self.game]
        self._until(lambda: self.state == betting and not self.runtime.table.money.state.tray.unexplained)

    def press(self, key: str, by: Person, **args: Any) -> None:
        self.runtime.command(key, by, self._with_slip(key, args))
        self.clock.run_for(0.5)

    def wait_until(self, moment: int) -> None:
        """People leave the table alone until then."""
        self.people.stand_back(True)
        self.clock.run_for(max((moment - self.clock.wall()) / 1000, 0))
        self.people.stand_back(False)

    # -- what people do ----------------------------------------------------------------------------------------------

    def fill(self) -> None:
        tags = self.bank.make(500 * self.draw.randint(1, 400))
        self.bank.lay_in(tags)
        self.devices.mat.place(tags, TRAY)
        self.press("fill", CHIEF, cents=self.bank.worth(tags))

    def _hand_out(self, cents: int) -> int:
        """Chips go from the tray into somebody's hand; what they are worth."""
        tags = self.bank.lift_out(cents)
        assert tags, f"the tray cannot make {cents}"
        self.devices.mat.remove(tags)
        self.bank.take_back(tags)
        return cents

    def credit(self) -> None:
        self.press("credit", CHIEF, cents=self._hand_out(500 * self.draw.randint(1, 200)))

    def sell(self) -> None:
        """A player buys chips for cash."""
        self.press("buy_in", DEALER, player="P1", cents=self._took("buy_in", self._hand_out(10_000)))

    def sell_wrongly(self) -> None:
        """A nought too many; two people put it right."""
        cents = self._took("buy_in", self._hand_out(5_000))
        self.press("buy_in", DEALER, player="P2", cents=10 * cents)
        number = str(self.runtime.table.money.state.books.last)
        self.press("correct_booking", CHIEF, booking=number, cents=cents, reason="a nought too many")
        self._signed()

    def _took(self, kind: str, cents: int) -> int:
        self._cash += cents
        self.ledger.wrote(kind, cents)
        return cents

    def _signed(self) -> None:
        self.press("sign_booking", MANAGER, booking=str(self.runtime.table.money.state.books.last))

    def steal(self) -> None:
        """A chip vanishes from the tray; what was found out is explained by two."""
        self.ledger.wrote("stolen", self._hand_out(2_500))
        self._until(lambda: "float" in self.runtime.table.state.desk.alarms)
        self.press("float_explained", CHIEF, reason="the camera shows who took it")
        self._signed()

    def sell_colours(self) -> None:
        count = 20
        tags, self.bank.rack = self.bank.rack[:count], self.bank.rack[count:]
        self.devices.mat.remove(tags)
        self.bank.in_hand += tags
        self.press("issue_colour", DEALER, colour=COLOUR, player="P3", value=COLOUR_CENTS, count=count)
        self._took("colour_cash", count * COLOUR_CENTS)

    def stake_colours(self) -> None:
        """The player lays some of them where most of the wheel wins, round after round."""
        for _ in range(3):
            self.quiet()
            hand = self.bank.in_hand
            tags = [hand.pop() for _ in range(min(4, len(hand)))]
            self.people.felt.lay(tags, 1)
            self._until(lambda: self.state != BETTING[self.game])

    def redeem_colours(self) -> None:
        """What is left of them goes back for cash chips."""
        self.stake_colours()
        self.quiet()
        tags, self.bank.in_hand = self.bank.in_hand, []
        if tags:
            self.devices.mat.place(tags, TRAY)
            self.bank.rack += tags
            self.clock.run_for(1.0)
            cents = len(tags) * COLOUR_CENTS
            self.press("redeem_colour", DEALER, colour=COLOUR, player="P3", count=len(tags))
            self.ledger.wrote("redeem", self._hand_out(cents))

    def count_box(self) -> None:
        """Whoever empties the box finds what was put into it."""
        if self._cash:
            self.press("count_box", CHIEF, cents=self._cash)
            self._cash = 0

    def close_and_open(self) -> None:
        """The table closes after its notice, and somebody opens it again."""
        closings, latest = self._closings(), self.clock.now() + NOTICE_S
        while self._closings() == closings and self.clock.now() < latest:
            self.press("close", MANAGER)
        assert self._closings() > closings, "the table did not close"
        self._until(lambda: self.runtime.table.playing)

    def _closings(self) -> int:
        return self.runtime.table.money.state.books.openings + (self.runtime.table.state.life == "closed")

    # -- days --------------------------------------------------------------------------------------------------------

    def play(self, stretch_s: float = PLAY_S, breaks: bool = True) -> None:
        """Three days; with breaks, the table rests between the stretches at morning, midnight and the day's end."""
        self.devices.start()
        self.come_up()
        for number in range(DAYS):
            day = FIRST + timedelta(days=number)
            midnight = datetime.combine(day + timedelta(days=1), time(0), ZoneInfo(ZONE)).timestamp()
            end = gaming_day(day, STARTS, ZoneInfo(ZONE)).end
            morning, night, late = self.stretches()
            self._stretch(morning, stretch_s)
            if breaks:
                self.wait_until(round(midnight * 1000) - round(1000 * stretch_s))
            if number == 1:
                self._do(self.close_and_open)
            self._stretch(night, stretch_s)
            self._stretch(late, stretch_s)
            while not breaks and self.clock.wall() < end - 4_000_000:
                self._stretch((self.draw.choice(self.at_any_time()),), 3_000)
            self._do(self.count_box)
            if breaks:
                self.wait_until(end - round(1000 * (stretch_s + STILL_S)))
            self.clock.run_for(max((end - self.clock.wall()) / 1000 - STILL_S, 0))
            if self.game != "wheel":  # hands carry chips where neither ledger sees them: the day ends between rounds
                self.quiet()
            self.wait_until(end + 5_000)
        self.runtime.stop()
        self.devices.stop()

    def _stretch(self, acts: Acts, stretch_s: float) -> None:
        for act in acts:
            self.clock.run_for(stretch_s / len(acts))
            self._do(act)

    def _do(self, act: Callable[[], None]) -> None:
        self.quiet()
        act()
        self.acts[act.__name__] = self.acts.get(act.__name__, 0) + 1
