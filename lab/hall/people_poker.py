"""Crown Poker in an event: stacks are the banks of the ledger, blinds come with the levels, and nobody buys in."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, cast

from controller.core.runtime import Runtime
from controller.money.amounts import UNIT
from lab.hall.people import Purses
from lab.scenarios.poker.people import PokerDealerScreen, shuffler_of
from simulators.decks import simulated_decks
from simulators.people.chips import Felt
from simulators.people.poker import PokerCrew
from simulators.people.poker_habits import HONEST
from simulators.people.poker_screen import Areas, Wanted

if TYPE_CHECKING:
    from lab.hall.table import EventTable


class EventPokerCrew(Purses, PokerCrew):
    """Everybody at one table of an event; chips that lie on the felt come out of purses and go back into them."""

    def _act(self) -> None:
        if self.screen.life() == "closed":
            self._busy = False
            return
        super()._act()

    def _between(self) -> None:
        """Take everything up; the next hand begins once the session lets it, and somebody plays against somebody."""
        if self._begun:
            self._gather()
        elif self._may_begin():
            self._begun = True
            self.settled = False
            self.hands += 1
            self.screen.press("start_hand", 1)
            if self.screen.state() == "between_hands":  # a break, hand for hand, or too few
                self._begun, self.settled = False, True
                self._again(10.0)

    def _may_begin(self) -> bool:
        return self.may_play() and len(self.session.state.playing()) >= 2

    # -- chips -------------------------------------------------------------------------------------------------------

    def settle_purses(self) -> None:
        """What everybody holds after a hand, which their pushed pots have made."""
        for one in self.session.state.entrants.values():
            if one.number in self.purses and one.plays:
                self.purses[one.number] = self.session.bank(one.number)

    def _gather(self) -> None:
        super()._gather()
        self.settle_purses()
        self.settled = True

    def leaves(self, number: str, stack: int) -> int:
        """Pots are pushed before anybody goes."""
        self.purses[number] = stack
        return super().leaves(number, stack)

    def sit_at(self, runtime: Runtime) -> None:
        self.screen = PokerDealerScreen(runtime, self.table.config)

    def _blinds(self, wanted: Wanted) -> None:
        """A stack that cannot make the blind posts all that it has."""
        seat = wanted.seats[0]
        stack = self.screen.stacks().get(seat, 0)
        super()._blinds(wanted if not stack else Wanted(wanted.what, wanted.seats, min(wanted.amount, stack)))


def poker_people(table: EventTable) -> EventPokerCrew:
    screen = PokerDealerScreen(table.runtime, table.config)
    crew = EventPokerCrew(
        table.clock, screen, Felt(table.devices.mat, table.bank), table.devices.antennas,
        shuffler_of(table.devices), simulated_decks(), cast(Areas, screen.game.layout),
        random.Random(table.seed).getrandbits(32), HONEST, chip=table.bank.chips.smallest * UNIT,
    )  # fmt: skip
    crew.begin_purses(table)
    return crew
