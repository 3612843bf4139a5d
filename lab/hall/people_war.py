"""Casino War in an event: entrants stake from their banks, lay markers, and go to war where a bank allows it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from controller.core.runtime import Runtime
from controller.games.war.config import WarSection
from controller.money.amounts import UNIT
from lab.hall.people import DealersOwn, Purses
from lab.hall.plan import RoundPlan
from lab.scenarios.war.people import WarDealerScreen
from simulators.people.chips import Felt
from simulators.people.table import Question
from simulators.people.war import HAND_S, Habits, WarCrew

if TYPE_CHECKING:
    from lab.hall.table import EventTable

QUIET = Habits(players=9, boxes=9, tie=0.15, side=0.0, late_bet=0.0, under_minimum=0.0, over_maximum=0.0, surplus=0.0,
               silent=0.0)  # fmt: skip
MARKERS = 0.05
"""How often, in a round, an entrant lays a marker of each kind."""
STEPS = (0, 0, 1, 2, 5, 10, 40)


class EventWarScreen(DealersOwn, WarDealerScreen):
    """The screen of a table of this game in an event."""


class EventWarCrew(Purses, WarCrew):
    """Everybody at one table of an event."""

    # -- the session says when ---------------------------------------------------------------------------------------

    def _act(self) -> None:
        self._boxes = {one.seat: one.number for one in self.session.state.playing()}
        self._seated = True
        if self.screen.life() != "closed":
            super()._act()

    def ready(self) -> bool:
        return super().ready() and self.screen.state() in ("betting", "over")

    def _bet(self) -> None:
        if self.may_play():
            super()._bet()

    def _close_and_deal(self) -> None:
        if self.screen.state() == "betting" and self.session.phase not in ("playing", "practising"):
            return
        if self.plan is not None and self.screen.state() == "betting":
            self.source.stack(self.plan.cards)
        super()._close_and_deal()
        if self.screen.state() == "closed":
            self._open_slips()

    def _deal_or_reopen(self) -> None:
        """A slip that was opened is laid before anything else is thought of."""
        secrets = self.session.state.round.laid.secrets
        if secrets and not self.screen.next_card():
            self._open_slips()
            self._then(1.0, self.look)
        else:
            super()._deal_or_reopen()

    def _next_round(self) -> None:
        """The chips first, then the next round where there is one."""
        if self.may_play():
            super()._next_round()
        elif self._move_chips():
            self._then(HAND_S, lambda: self._lay_down(self.look))
        else:
            self.settled = True

    def _call_for_bets(self) -> None:
        if self.may_play():
            self.settled = False
            self._buy_again()
            super()._call_for_bets()

    # -- stakes ------------------------------------------------------------------------------------------------------

    def _stake_on(self, box: int) -> None:
        one = self.session.state.at_seat(box)
        if one is None or one.owes or one.short or self.felt.areas[self._area(box, "main")]:
            return
        if self.plan is not None:
            self._as_planned(one.number, box, self.plan)
            return
        if self._marked(one.number, box):
            return
        units = self._wish(one.number)
        self._lay(one.number, box, "main", units)
        if self._random.random() < self.habits.tie and self.purses[one.number] >= units:
            self._lay(one.number, box, "tie", self.session.terms.wagers.minimum)

    def _as_planned(self, number: str, box: int, plan: RoundPlan) -> None:
        """Markers first, as they are laid before chips."""
        if number in plan.passes:
            self.screen.press("pass_marker", 1, {"player": number})
        if number in plan.secret:
            self.screen.press("secret_slip", 1, {"player": number})
        if number in plan.all_in:
            self._go_all_in(number, box, plan.all_in[number])
        for zone, units in plan.stakes.get(number, {}).items():
            self._lay(number, box, zone, units)

    def _go_all_in(self, number: str, box: int, zone: str) -> None:
        self.screen.press("all_in_marker", 1, {"player": number, "zone": zone})
        self._lay(number, box, zone, min(self.purses[number], self.session.terms.wagers.maximum))

    def _wish(self, number: str) -> int:
        chip, most = self.session.terms.bank.chips.smallest, self.session.terms.wagers.maximum
        least = max(self.session.compulsory(), self.session.terms.wagers.minimum)
        wanted = least + chip * self._random.choice(STEPS)
        return int(min(wanted, self.purses[number], most) // chip * chip)

    def _lay(self, number: str, box: int, zone: str, units: int) -> None:
        units = min(units, self.purses[number])
        if units > 0:
            self.purses[number] -= units
            self.felt.put(units * UNIT, self._area(box, zone))

    def _marked(self, number: str, box: int) -> bool:
        """Whether a marker lies there for this round; where it stands for chips, the dealer lays them."""
        left = self.session.state.entrants[number].markers
        for kind in ("pass", "all_in", "secret"):
            if left.get(kind, 0) > 0 and self._random.random() < MARKERS:
                laid = self.session.state.round.laid
                if kind == "pass" and len(laid.passes) + 1 >= len(self._boxes):
                    continue  # a round in which nobody stakes is none
                if kind == "pass":
                    self.screen.press("pass_marker", 1, {"player": number})
                elif kind == "all_in":
                    self._go_all_in(number, box, "main")
                else:
                    self.screen.press("secret_slip", 1, {"player": number})
                return True
        return False

    def _open_slips(self) -> None:
        """Betting is closed: slips are read out and laid from the bank."""
        for number in self.session.state.round.laid.sealed():
            seat = self.session.state.entrants[number].seat
            zone, units = ("main", self._wish(number)) if self.plan is None else self.plan.secret[number]
            self.screen.press("open_slip", 1, {"player": number, "zone": zone, "units": units})
            self._lay(number, seat, zone, units)

    def _buy_again(self) -> None:
        """Whoever is out with the next round takes the Re-Buy marker, or does not."""
        for one in self.session.state.playing():
            wants = self._random.random() < 0.5 if self.plan is None else one.number in self.plan.rebuy
            if one.short and one.markers.get("rebuy", 0) and wants:
                before = self.session.bank(one.number)
                self.screen.press("rebuy_marker", 1, {"player": one.number})
                units = self.session.bank(one.number) - before
                tags = self.felt.bank.lift_out(units * UNIT)
                self.felt.mat.remove(tags)
                self.felt.bank.take_back(tags)
                self.purses[one.number] += units

    def _decide(self, question: Question, box: int, player: str) -> None:
        stake = self.screen.main_stake(box, player) // UNIT
        area = self._area(box, "war")
        if self.felt.areas[area]:
            self._then(1.0, self.look)
        elif self.purses[player] < stake or self._surrenders(player):
            self._answer(question, "surrender")
        else:
            self._lay(player, box, "war", stake)
            self._then(1.0, self.look)

    def _surrenders(self, player: str) -> bool:
        if self.plan is not None:
            return player in self.plan.surrender
        return self._random.random() < self.habits.surrender

    def zones(self) -> list[str]:
        """What the layout has for stakes before the first card."""
        return [zone for zone in self.layout.zones if zone not in ("war", "house")]

    def felt_area(self, box: int, zone: str) -> int:
        """Where on the layout a zone of a box is."""
        return self._area(box, zone)

    # -- chips on their way ------------------------------------------------------------------------------------------

    def in_hands(self) -> int:
        return int(sum(self.felt.bank.worth(tags) for _, tags in self._hand)) // UNIT

    def _lift(self) -> None:
        self.lift_all()

    def lift_all(self) -> None:
        for area in [area for area, tags in self.felt.areas.items() if tags and area]:
            place = self.layout.place(area)
            assert place is not None
            number = self.player_at(place[0])
            if number:
                self.purses[number] += self.felt.clear(area) // UNIT

    def _tend_the_float(self) -> bool:
        """The tray holds what the hall has issued, and no cage knows these chips."""
        return False

    def sit_at(self, runtime: Runtime) -> None:
        self.screen = EventWarScreen(runtime, self.table.config)


def war_people(table: EventTable) -> EventWarCrew:
    screen = EventWarScreen(table.runtime, table.config)
    game, own = screen.game, table.config.own(WarSection)
    habits = QUIET if own.places >= QUIET.boxes else Habits(players=own.places, boxes=own.places)
    crew = EventWarCrew(
        table.clock, screen, Felt(table.devices.mat, table.bank), table.devices.sources[game.source_place],
        game.layout, own.decks, (table.config.limits.min, table.config.limits.max),
        random.Random(table.seed).getrandbits(32), habits,
    )  # fmt: skip
    crew.begin_purses(table)
    return crew
