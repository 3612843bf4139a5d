"""Big Wheel in an event: every entrant stakes chips of a colour of their own, and is paid in it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from controller.core.runtime import Runtime
from controller.games.wheel.config import WheelSection
from controller.money.amounts import UNIT
from lab.hall.people import DealersOwn, Purses
from simulators.people.chips import Felt
from simulators.people.wheel import Habits, WheelCrew
from simulators.wheel_script import SpinScript

if TYPE_CHECKING:
    from lab.hall.table import EventTable

QUIET = Habits(late_bet=0.0, forgets_no_more_bets=0.0, weak_push=0.02, touches_wheel=0.0, under_minimum=0.0)


class EventWheelCrew(Purses, WheelCrew):
    """Everybody at one table of an event."""

    def _act(self) -> None:
        if self.screen.life() == "closed":
            self._busy = False
        else:
            super()._act()

    def ready(self) -> bool:
        """Open, and every entrant has a colour."""
        state = self.session.state
        for one, colour in zip(state.playing(), self.table.config.chips.colours, strict=False):
            if one.number not in state.colours.values():
                self.screen.press("colour_given", 1, {"player": one.number, "colour": colour})
        return super().ready()

    def zones(self) -> list[str]:
        return list(self.areas)

    def take_chips(self) -> None:
        colours = self.table.config.chips.colours[: len(self.session.state.playing())]
        self.felt.bank.bring_colours(self.felt.mat, colours)
        self.new_banks()

    def _open_betting(self) -> None:
        if self.may_play():
            self.settled = False
            self._collected.clear()
            self._paid_at = 0.0
            self.screen.press("place_bets", 1)
        else:
            self.lift_all()
            self.settled = True

    def _bet_and_spin(self) -> None:
        if self.by_plan and not self.may_play():
            return
        for one in self.session.state.playing():
            if not one.owes:
                self._stakes(one.number)
        self._then(5.0, self._spin)

    def _stakes(self, number: str) -> None:
        """The compulsory wager or a little more, on any symbol; after a no spin what lies there stays."""
        if self._lying(number):
            return
        if self.plan is not None:
            for symbol, units in self.plan.stakes.get(number, {}).items():
                self._lay(number, units, self.areas[symbol])
            if number in self.plan.secret:
                self._secret(number, *self.plan.secret[number])
            return
        chip, most = self.session.terms.bank.chips.unit, self.session.terms.wagers.maximum
        least = max(self.session.compulsory(), self.session.terms.wagers.minimum)
        units = min(least + chip * self._random.choice((0, 0, 1, 2)), self.purses[number], most)
        self._lay(number, units, self.areas[self._random.choice(list(self.areas))])

    def _secret(self, number: str, symbol: str, units: int) -> None:
        """The slip is opened and laid before no more bets is announced."""
        self.screen.press("secret_slip", 1, {"player": number})
        self.screen.press("open_slip", 1, {"player": number, "zone": symbol, "units": units})
        self._lay(number, min(units, self.session.terms.wagers.maximum, self.purses[number]), self.areas[symbol])

    def _lay(self, number: str, units: int, area: int) -> None:
        self.purses[number] -= units
        chips = units // self.session.terms.bank.chips.unit
        self.felt.lay(self.felt.bank.of_colour(self._colour(number), chips), area)

    def _spin(self) -> None:
        """To where the plan says, else as it comes."""
        if self.plan is None or not self.plan.rests_on or self.screen.state() != "betting_open":
            super()._spin()
            return
        ring = self.table.config.own(WheelSection).ring
        self.table.devices.wheel.play(SpinScript(self.plan.forward, ring.index(self.plan.rests_on)))

    def _colour(self, number: str) -> str:
        return str(next(colour for colour, who in self.session.state.colours.items() if who == number))

    def _holder(self, tag: int) -> str:
        return str(self.session.state.colours.get(self.felt.bank.colours[tag], ""))

    def _lying(self, number: str) -> bool:
        return any(self._holder(tag) == number for area, tags in self.felt.areas.items() if area for tag in tags)

    def lay_winnings(self) -> None:
        """Every winner is paid in their own colour; where the rack has too few, more of it is brought."""
        for due in self.screen.dues():
            if due.pays and due.result == "win":
                colour = self._colour(due.player)
                tags = self.felt.bank.out_of_rack(colour, due.pays)
                tags = tags or self.felt.bank.of_colour(colour, due.pays // (self.session.terms.bank.chips.unit * UNIT))
                self.felt.lay(tags, self.areas[due.bet])
        self._paid_at = self.clock.now()

    def _lift_or_say_again(self) -> None:
        if self.screen.state() == "pay":
            self._say_paid()
            return
        self.lift_all()
        self.look()

    def lift_all(self) -> None:
        for area in [area for area, tags in self.felt.areas.items() if tags and area]:
            for tag in list(self.felt.areas[area]):
                if who := self._holder(tag):
                    self.purses[who] = self.purses.get(who, 0) + self.felt.bank.register[tag] // UNIT
            self.felt.take(list(self.felt.areas[area]), area)

    def sit_at(self, runtime: Runtime) -> None:
        self.screen = DealersOwn(runtime, self.table.config)


def wheel_people(table: EventTable) -> EventWheelCrew:
    game: Any = table.runtime.table.game
    areas = {symbol: area for area, symbol in game.setup.areas.items()}
    crew = EventWheelCrew(
        table.clock, DealersOwn(table.runtime, table.config), Felt(table.devices.mat, table.bank),
        table.devices.wheel, areas, random.Random(table.seed).getrandbits(32), QUIET,
    )  # fmt: skip
    crew.begin_purses(table)
    return crew
