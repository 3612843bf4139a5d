"""A whole event on whole tables: the Director's acts at the hall, and everything else as the tables' people do it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from controller.games.poker.config import RakeSection
from controller.tournament.checks import terms_of
from controller.tournament.moments import moment
from firmware_specs.clock import VirtualClock
from floor.hall import acts, moves, outcome, sessions
from floor.hall.acts import Act
from floor.hall.field import units_expected, units_found
from floor.hall.state import Answer, By
from lab.hall.event import AM, DESK, DIRECTOR, HDD, Stuck
from lab.hall.house import EventHouse
from lab.hall.table import EventTable

BEFORE_MS = 600_000
WALK_S = 40.0
LOOK_S = 5.0
SESSION_S = 24 * 3600.0
"""No session lasts longer; one that does has stuck."""


class WholeEvent:
    """People at the hall; `between` is called whenever they look, for whoever wants to break something."""

    def __init__(
        self, text: str, entrants: int | Sequence[str], folder: Path, seed: int = 1, rebuys: float = 0.3,
        before_ms: int = BEFORE_MS, rake: RakeSection | None = None,
    ) -> None:  # fmt: skip
        """So many entrants, or those of these numbers; the clock begins so long before the event."""
        self._rng = random.Random(seed)
        self._rebuys = rebuys
        self.terms = terms_of(text)
        self.clock = VirtualClock(moment(self.terms.tournament.starts) - before_ms)
        self.house = EventHouse(folder, self.terms, self.clock, seed, rake)
        self.seen: Callable[[WholeEvent], None] = lambda event: None
        self._walking: set[int] = set()
        self.by_plan = False
        """Whether nobody buys again or is moved but as somebody says."""
        self.rounds = 0
        self._text, self._before_ms = text, before_ms
        self._entrants = [f"{one}" for one in range(1, entrants + 1)] if isinstance(entrants, int) else [*entrants]

    @property
    def hall(self) -> Any:
        return self.house.service.work.hall

    @property
    def tables(self) -> dict[str, EventTable]:
        return self.house.tables

    @property
    def _all(self) -> list[EventTable]:
        return list(self.tables.values())

    def do(self, act: Act, by: By = DIRECTOR) -> Answer:
        return self.house.service.work.do(act, by)

    def must(self, act: Act, by: By = DIRECTOR) -> Answer:
        answer = self.do(act, by)
        if not answer.ok:
            raise Stuck(f"{act.words}: {answer.said()}")
        return answer

    def until(self, condition: Callable[[], bool], seconds: float = SESSION_S) -> None:
        """Let time pass, in the steps at which people at the hall look up."""
        for _ in range(int(seconds / LOOK_S)):
            if condition():
                return
            self.clock.run_for(LOOK_S)
            self._look()
            self.seen(self)
        raise Stuck(f"the event is {self.hall.state.phase} and goes nowhere: {self._stand()}")

    def _stand(self) -> str:
        at = (
            f"{name} {one.phase}, {one.crew.screen.life()} {one.crew.screen.state()}"
            for name, one in self.tables.items()
        )
        return "; ".join((*at, *self.hall.state.alarms.values()))

    # -- from terms to prizes ------------------------------------------------------------------------------------------

    def run(self) -> None:
        """From terms to prizes."""
        self._open()
        self._start_session()
        self.finish()

    def finish(self) -> None:
        """From a session under way, or counted, to the end."""
        self._end_session()
        while outcome.to_play(self.hall):
            self._start_session()
            self._end_session()
        self._end()

    def begin(self) -> None:
        """As far as the first session's start."""
        self._open()
        self._start_session()

    def _open(self) -> None:
        self.house.start()
        self.clock.run_for(5.0)
        self.papers()
        self.until(lambda: all(self.hall.table(name).designated for name in self.tables), 600)
        self.clock.run_for(self._before_ms / 1000)

    def papers(self) -> None:
        """Everything before the draw."""
        self.must(acts.LoadTerms(self._text), AM)
        self.must(acts.NameDirector(DIRECTOR.id), AM)
        self.must(acts.Approve(self.terms.digest), By("operator", self.terms.tournament.approved.by))
        self.must(acts.TermsAvailable("at the desk"))
        self.must(acts.InspectorateTold("inspector on duty"))
        self.must(acts.OpenEntries())
        for number in self._entrants:
            self.must(acts.Enter(number, signed=True), DESK)
        self.must(acts.CloseEntries())
        self.must(acts.Designate())

    def _start_session(self) -> None:
        self.must(acts.Draw(f"{self._rng.getrandbits(256):064x}"))
        self.must(acts.Brief())
        self.must(acts.StartSession())

    def _end_session(self) -> None:
        self.until(lambda: self.hall.state.phase == "between")
        self.rounds += sum(one.scored for one in self.hall.state.tables.values())
        while tied := [line for _, line in sessions.cuts(self.hall) if not line.decided]:
            self._tell_apart(tied[0].equal)
        if not self.hall.session_terms.through.winner and not self.hall.session.confirmed:
            self.must(acts.ConfirmThrough())

    def _end(self) -> None:
        for code in [code for code in self.hall.state.alarms if code.startswith("order:")]:
            names = code.removeprefix("order:").split("+")
            self.must(acts.DecideOrder(tuple(self._rng.sample(names, len(names)))))
        while not (answer := self.do(acts.FinalOrder())).ok:
            if not answer.text.startswith("Equal"):
                raise Stuck(answer.said())
            self._tell_apart(next(one for one in self.hall.session.order if len(one) > 1))
        self.must(acts.ListPrizes())
        for table in self._all:
            table.staff.send_home()
        self.until(lambda: all(one.crew.screen.life() == "closed" and not one.sees_chips() for one in self._all), 3600)
        self.must(acts.Release())
        self.until(lambda: all(one.phase == "free" for one in self._all), 3600)
        self.until(lambda: not any(one.designated for one in self.hall.state.tables.values()), 3600)

    def _tell_apart(self, group: tuple[str, ...]) -> None:
        how = self.hall.terms.result.ties.how
        self.must(acts.BreakTie(tuple(self._rng.sample(group, len(group))), how if how != "share" else "draw_cards"))

    # -- while it is played --------------------------------------------------------------------------------------------

    def _look(self) -> None:
        if self.hall.state.phase != "running" or not self.terms.wagers.levels:
            return
        if not self.by_plan:
            self._sell_again()
            self._balance()
        self._walk()

    def _sell_again(self) -> None:
        """Whoever has nothing left pays at the desk, and the chips come at the table; or goes."""
        for table in self._all:
            for one in table.session.state.playing():
                if one.short and self._rng.random() < self._rebuys and self.do(acts.Rebuy(one.number), DESK).ok:
                    before = table.session.bank(one.number)
                    table.crew.screen.press("rebuy", 1, {"player": one.number})
                    table.crew.purses[one.number] += table.session.bank(one.number) - before

    def _balance(self) -> None:
        if any(one.phase in moves.MOVING for one in self.hall.state.tickets.values()):
            return
        seats = self.hall.session_terms.seats or self.hall.book.seats(self.hall.terms.game)
        wanted = moves.advice(moves.sitting(self.hall), seats)
        if wanted is None:
            return
        if wanted.break_table:
            self.must(acts.BreakTable(wanted.break_table), HDD)
            return
        going = min(one.number for one in self.hall.state.left if one.table == wanted.origin and one.phase == "playing")
        self.must(acts.Move(going, wanted.to, moves.free_seat(self.hall, wanted.to)), HDD)

    def _walk(self) -> None:
        """Who was let go walks over with the chips; the other table counts them."""
        for ticket in self.hall.state.tickets.values():
            if ticket.phase == "in_transit" and ticket.number not in self._walking:
                self._walking.add(ticket.number)
                units = self.tables[ticket.origin.table].crew.leaves(ticket.entrant, ticket.stack)
                self.clock.call_later(WALK_S, self._arrives, ticket.to.table, ticket.entrant, units)

    def _arrives(self, table: str, entrant: str, units: int) -> None:
        self.tables[table].crew.arriving[entrant] = units
        self.tables[table].staff.look()

    def reached(self) -> float:
        """How much of the event is behind it, from 0 to 1: sessions, and of this one rounds, levels or people gone.

        The tables say so, since the hall hears nothing of one whose line is cut.
        """
        session, terms = self.hall.session, self.hall.session_terms
        there = [one.session.state for one in self._all if one.session.state.session == terms]
        scored = max((state.scored for state in there), default=0) / (terms.rounds or float("inf"))
        level = max((state.level for state in there), default=0) / (len(self.terms.wagers.levels) + 1)
        out = sum(one.standing == "eliminated" for state in there for one in state.entrants.values())
        most = max(scored, level, out / max(len(session.seats) - 1, 1))
        return float((session.number + min(most, 1.0)) / len(self.terms.sessions))

    # -- what must hold ------------------------------------------------------------------------------------------------

    def conserved(self) -> bool:
        """Whether all stacks and all that is on the way come to what was issued; where players win from one another."""
        return bool(units_expected(self.hall) == units_found(self.hall))

    @property
    def rows(self) -> int:
        return sum(one.runtime.journal.last_seq for one in self._all)

    def wrong(self) -> list[str]:
        """What is not as it must be once the event is over."""
        found = [f"{one.name}: {who} counted {pair[0]}, by the ledger {pair[1]}" for one in self._all
                 for who, pair in one.staff.differences.items()]  # fmt: skip
        found += [
            f"{one.name}: {alarm.text}"
            for one in self._all
            for alarm in one.runtime.table.state.desk.alarms.values()
            if alarm.code.startswith("tournament")
        ]
        found += [f"the hall: {text}" for text in self.hall.state.alarms.values()]
        found += [f"{one.name}: the hall has not heard each of its rows once" for one in self._all
                  if self.house.heard(one) != self.house.about_the_event(one)]  # fmt: skip
        if self.terms.wagers.levels and not self.conserved():
            found.append(f"{units_expected(self.hall):,} units issued, {units_found(self.hall):,} found")
        return found
