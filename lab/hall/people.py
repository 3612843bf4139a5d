"""Players and dealer of a table in an event: the crews of every day, who play from purses that are counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from controller.core.runtime import Runtime
from controller.money.amounts import UNIT
from controller.tournament.questions import QUESTIONS
from lab.hall.plan import BadPlan, RoundPlan
from lab.sim.screen import DealerScreen
from simulators.people.table import Question

if TYPE_CHECKING:
    from lab.hall.table import EventTable


class DealersOwn(DealerScreen):
    """The dealer's screen; what is put to the Director is left to the Director."""

    def questions(self) -> list[Question]:
        return [one for one in super().questions() if one.subject.partition(":")[0] not in QUESTIONS]


class Purses:
    """What each entrant holds, in whole units, and how a crew finds its session; beside the crew of a game."""

    table: EventTable
    purses: dict[str, int]
    arriving: dict[str, int]
    felt: Any
    screen: Any
    look: Callable[[], None]
    plan: RoundPlan | None = None
    """What the next round is to be; with `by_plan` none is played without one."""
    by_plan = False
    settled = True
    """Whether every chip of the last round lies where it belongs."""

    def begin_purses(self, table: EventTable) -> None:
        self.table = table
        self.purses, self.arriving = {}, {}
        self._banks_of = ""
        self._planned_at = 0

    def take_plan(self, plan: RoundPlan) -> None:
        """Play the next round so; BadPlan where nobody can."""
        here = [one.number for one in self.session.state.playing()]
        if strange := next(plan.strange(here, self.zones()), ""):
            raise BadPlan(strange)
        self.plan, self._planned_at = plan, self.session.state.dealt
        self.look()

    def zones(self) -> list[str]:
        """What can be staked on; nothing where blinds are all there is."""
        return []

    def may_play(self) -> bool:
        """Whether a round may be called for: the session is under way, and nobody waits for a plan."""
        if self.plan is not None and self.session.state.dealt > self._planned_at:
            self.plan = None
        return self.session.phase in ("playing", "practising") and (not self.by_plan or self.plan is not None)

    @property
    def session(self) -> Any:
        return self.table.session

    @property
    def purse_in_all(self) -> int:
        return sum(self.purses.values())

    @property
    def on_felt(self) -> int:
        areas = self.felt.areas.values()
        return int(sum(self.felt.bank.worth(tags) for tags in areas)) // UNIT + self.in_hands()

    def in_hands(self) -> int:
        """Units on their way through the dealer's hands."""
        return 0

    def has_chips(self) -> bool:
        """Whether the tray is filled, and every entrant has a bank."""
        filled = not self.table.config.chips.float_tray or bool(self.felt.bank.standard)
        return filled and bool(self.purses)

    def take_chips(self) -> None:
        """The hall's chips come: those of the tray, and every entrant's bank, counted out by the stated number."""
        if self.table.config.chips.float_tray:
            self.felt.bank.bring(self.felt.mat)
        self.new_banks()

    def new_banks(self) -> None:
        """Everybody's bank, counted out by the stated number; what was held before is handed in."""
        state = self.session.state
        self.purses = {one.number: self.session.bank(one.number) for one in state.playing()}
        self._banks_of = self.session.session.name

    def ready(self) -> bool:
        """Whether the table is open and everything lies there for the first round."""
        if self._banks_of != self.session.session.name:
            self.new_banks()
        return bool(self.screen.life() == "open")

    def player_at(self, seat: int) -> str:
        found = self.session.state.at_seat(seat)
        return found.number if found is not None else ""

    def sits_down(self, number: str) -> None:
        self.purses[number] = self.arriving.pop(number)

    def leaves(self, number: str, stack: int) -> int:
        """Somebody goes with all their chips; what the table has let them go with is on the ticket."""
        return self.purses.pop(number, stack)

    def lift_all(self) -> None:
        """Whatever lies on the layout is taken up by whose it is."""

    def sit_at(self, runtime: Runtime) -> None:
        """Another controller's screen stands there now."""
        raise NotImplementedError


def people_of(table: EventTable) -> Any:
    """The people of this table's game."""
    from lab.hall.people_poker import poker_people
    from lab.hall.people_war import war_people
    from lab.hall.people_wheel import wheel_people

    made: dict[str, Callable[[EventTable], Any]] = {"war": war_people, "wheel": wheel_people, "poker": poker_people}
    return made[table.config.table.game](table)
