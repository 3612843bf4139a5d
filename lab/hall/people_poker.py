"""Crown Poker in an event: stacks are the banks of the ledger, blinds come with the levels, and nobody buys in."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, cast

from controller.core.runtime import Runtime
from controller.money.amounts import UNIT
from lab.hall.people import DealersOwn, Purses
from lab.proofs.poker import Machine
from lab.scenarios.poker.people import PokerDealerScreen, shuffler_of
from simulators.decks import simulated_decks
from simulators.people.chips import Felt
from simulators.people.patient_poker import SEEN_TO_S
from simulators.people.poker import PokerCrew
from simulators.people.poker_habits import HONEST
from simulators.people.poker_screen import Areas, Wanted

if TYPE_CHECKING:
    from lab.hall.table import EventTable


class EventPokerScreen(DealersOwn, PokerDealerScreen):
    """The screen of a table of this game in an event."""


class EventPokerCrew(Purses, PokerCrew):
    """Everybody at one table of an event; chips that lie on the felt come out of purses and go back into them."""

    def _act(self) -> None:
        if self.screen.life() == "closed":
            self._busy = False
        elif self.screen.life() == "suspended":
            self._busy = False
            self._then(SEEN_TO_S, self._free_shuffler)
        else:
            super()._act()

    def _free_shuffler(self) -> None:
        """A shuffler that does not know what is inside: everything out, and in again."""
        shuffler = shuffler_of(self.table.devices)
        machine = Machine(shuffler) if shuffler is not None else None
        if machine is not None and machine.helpless:
            machine.take_out()
            machine.load([self._faces[tag].upper() for tag in self._loaded])
        self.look()

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

    # -- a hand as somebody has planned it ---------------------------------------------------------------------------

    def _deal(self, wanted: Wanted) -> None:
        if self.plan is not None and self.plan.wins and not self._held:
            self._arrange(wanted)
        super()._deal(wanted)

    def _arrange(self, wanted: Wanted) -> None:
        """The deck lies so that whoever is to win has a third ace on the board, and nobody else anything to beat it."""
        assert self.plan is not None
        best = [one.seat for one in self.session.state.playing() if one.number in self.plan.wins]
        aces = iter(("As", "Ah"))
        low = iter(
            ("Kc", "Kd", "Qc", "Qh", "Tc", "Ts", "9c", "9s", "5c", "5s", "4c", "4s", "2c", "2s", "Th", "9h", "5h", "4h")
        )
        cards = [next(aces if seat in best else low) for _ in range(wanted.hole) for seat in wanted.order]
        cards += ["7c", "Ad", "8c", "3h", "7s", "Jd", "7h", "6s"]
        of = {self._faces[tag]: tag for tag in self._stub}
        first = [of[card] for card in cards]
        self._stub = [*first, *(tag for tag in self._stub if tag not in first)]

    def _action(self, wanted: Wanted) -> None:
        """What the plan has each put in goes in before the flop; after it everybody checks."""
        if self.plan is None or self.plan.puts is None:
            super()._action(wanted)
            return
        seat = wanted.seats[0]
        if not self._to_act(seat):
            return
        puts, most = self.plan.puts.get(self.player_at(seat), 0) * UNIT, max(self.plan.puts.values(), default=0) * UNIT
        if self._board or (not wanted.to_call and (not puts or wanted.in_round >= puts)):
            self.screen.press("check", 1)
        elif puts == most and wanted.in_round + wanted.to_call < puts and wanted.raise_max:
            self.screen.press("announce", 1, {"what": "raise"})
            self.felt.put(min(puts, wanted.raise_max) - wanted.in_round, seat)
        elif wanted.to_call and puts:
            self.felt.put(min(wanted.to_call, puts - wanted.in_round), seat)
        else:
            self._fold(seat)

    def _show(self, wanted: Wanted) -> None:
        """Nobody throws away what wins by the plan."""
        if self.plan is None or not self.plan.wins or wanted.seats[0] not in self._held:
            super()._show(wanted)
            return
        self._sweep()
        self.screen.press("table_hand", 1, {"seat": wanted.seats[0]})

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
        self.screen = EventPokerScreen(runtime, self.table.config)

    def _blinds(self, wanted: Wanted) -> None:
        """A stack that cannot make the blind posts all that it has."""
        seat = wanted.seats[0]
        stack = self.screen.stacks().get(seat, 0)
        super()._blinds(wanted if not stack else Wanted(wanted.what, wanted.seats, min(wanted.amount, stack)))


def poker_people(table: EventTable) -> EventPokerCrew:
    screen = EventPokerScreen(table.runtime, table.config)
    crew = EventPokerCrew(
        table.clock, screen, Felt(table.devices.mat, table.bank), table.devices.antennas,
        shuffler_of(table.devices), simulated_decks(), cast(Areas, screen.game.layout),
        random.Random(table.seed).getrandbits(32), HONEST, chip=table.bank.chips.smallest * UNIT,
    )  # fmt: skip
    crew.begin_purses(table)
    return crew
