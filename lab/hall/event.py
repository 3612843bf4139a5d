"""An event that plays itself from its terms to its prizes: people, tables, the hall, and one virtual clock."""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from controller.tournament.moments import moment
from floor.hall import acts, moves, outcome, sessions
from floor.hall.acts import Act
from floor.hall.at_work import HallAtWork, Order
from floor.hall.clock import now_on
from floor.hall.field import units_expected, units_found
from floor.hall.state import Answer, By
from lab.hall.tables import SimulatedTable

DIRECTOR, AM, HDD, DESK = By("director"), By("am", "AM"), By("hdd", "HDD"), By("desk")
WALK_MS = 60_000
"""From one table to another, chips in a rack."""
DAY_MS = 86_400_000
LONGEST_MS = 8 * DAY_MS
"""No event lasts longer; one that does goes nowhere."""


class Stuck(Exception):
    """Nothing can ever happen again, and the event is not over."""


class PlayedEvent:
    """Everything that happens, in the order of one clock; the hall hears tables as a floor would bring their rows."""

    def __init__(self, text: str, entrants: int, journal: Path, seed: int = 1, rebuys: float = 0.5) -> None:
        self._rng = random.Random(seed)
        self._rebuys = rebuys
        self.at = 0
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._count = itertools.count()
        self.rounds = 0
        self.seen: Callable[[PlayedEvent], None] = lambda event: None
        self.work = HallAtWork(journal, lambda: self.at, self._carry, durable=False)
        self.tables: dict[str, SimulatedTable] = {}
        self._opening(text, entrants)

    @property
    def hall(self) -> Any:
        return self.work.hall

    # -- the clock -----------------------------------------------------------------------------------------------------

    def later(self, after_ms: int, what: Callable[[], None]) -> None:
        heapq.heappush(self._queue, (self.at + after_ms, next(self._count), what))

    def run(self) -> None:
        """Until the tables are free again."""
        while self.hall.state.phase != "over":
            if not self._queue:
                raise Stuck(f"the event is {self.hall.state.phase}, and nobody does anything any more")
            self.at, _, what = heapq.heappop(self._queue)
            if self.at > self._latest:
                raise Stuck(f"{LONGEST_MS // DAY_MS} days have passed, and {len(self.hall.state.left)} are left")
            what()
            self._hear()
            self.seen(self)

    def must(self, act: Act, by: By = DIRECTOR) -> Answer:
        answer = self.work.do(act, by)
        if not answer.ok:
            raise Stuck(f"{act.words}: {answer.said()}")
        return answer

    def _carry(self, order: Order) -> None:
        self.tables[order.sent.table].order(order.sent, order.id, self.at)

    def _hear(self) -> None:
        """What the tables said since, each row once."""
        while any(table.outbox for table in self.tables.values()):
            for table in self.tables.values():
                rows, table.outbox = table.outbox, []
                for row in rows:
                    self.work.hear(row)

    # -- before play ---------------------------------------------------------------------------------------------------

    def _opening(self, text: str, entrants: int) -> None:
        from controller.tournament.checks import terms_of

        terms = terms_of(text)
        self.at = moment(terms.tournament.starts) - DAY_MS
        names = dict.fromkeys(name for session in terms.sessions for name in session.tables)
        self.tables = {name: SimulatedTable(name, terms, self._rng) for name in names}
        self.must(acts.LoadTerms(text), AM)
        self.must(acts.NameDirector(DIRECTOR.id), AM)
        self.must(acts.Approve(terms.digest), By("operator", terms.tournament.approved.by))
        self.must(acts.TermsAvailable("at the desk"))
        self.must(acts.InspectorateTold("inspector on duty"))
        self.must(acts.OpenEntries())
        for number in range(1, entrants + 1):
            self.must(acts.Enter(f"{number}", signed=True), DESK)
        self.must(acts.CloseEntries())
        self.must(acts.Designate())
        self._hear()
        self._latest = self.at + LONGEST_MS
        self.later(DAY_MS, self._session)

    def _session(self) -> None:
        self.must(acts.Draw(f"{self._rng.getrandbits(256):064x}"))
        self.must(acts.Brief())
        self.must(acts.StartSession())
        self._hear()
        for name in sorted({seat.table for seat in self.hall.session.seats.values()}):
            self.later(self._rng.randrange(20_000), lambda name=name: self._round(self.tables[name]))  # type: ignore[misc]

    # -- at a table ----------------------------------------------------------------------------------------------------

    def _round(self, table: SimulatedTable) -> None:
        """Between two rounds, then the next one."""
        for move in table.between(self.at):
            self.later(WALK_MS, lambda move=move: self._arrives(move))  # type: ignore[misc]
        self._hear()
        if table.breaking:
            self._empties(table)
            return
        if self._ended(table):
            return
        if not table.can_play():
            self._balance()
            self.later(30_000, lambda: self._round(table))
            return
        began, took = self.at, self._rng.randrange(60_000, 150_000)
        table.in_round = True
        self.later(took, lambda: self._settled(table, began))

    def _settled(self, table: SimulatedTable, began: int) -> None:
        stretch, _ = now_on(self.hall, began)
        blinds = (stretch.small, stretch.big) if stretch is not None and stretch.level else self._last_blinds()
        table.play(began, self.at, blinds, self._buys_again)
        self.rounds += 1
        self._hear()
        self._balance()
        self.later(10_000, lambda: self._round(table))

    def _last_blinds(self) -> tuple[int, int]:
        """In a break the hand that had begun is played out."""
        levels = self.hall.terms.wagers.levels
        return (levels[0].small, levels[0].big) if levels else (0, 0)

    def _buys_again(self, number: str) -> bool:
        """Whether somebody with nothing left pays for a new bank, and the hall takes it."""
        if self.hall.terms.again.rebuy is None or self._rng.random() >= self._rebuys:
            return False
        self._hear()
        return self.work.do(acts.Rebuy(number), DESK).ok

    def _balance(self) -> None:
        """The Director wants tables even, and an HDD orders the moves."""
        if not self.hall.terms.wagers.levels or self.hall.state.phase != "running":
            return
        seats = self.hall.session_terms.seats or self.hall.book.seats(self.hall.terms.game)
        wanted = moves.advice(moves.sitting(self.hall), seats)
        if wanted is None or any(one.phase in moves.MOVING for one in self.hall.state.tickets.values()):
            return
        if wanted.break_table:
            self.must(acts.BreakTable(wanted.break_table), HDD)
            return
        going = min(one.number for one in self.hall.state.left if one.table == wanted.origin and one.phase == "playing")
        self.must(acts.Move(going, wanted.to, moves.free_seat(self.hall, wanted.to)), HDD)

    def _arrives(self, move: dict[str, Any]) -> None:
        self.tables[move["to"]].take_in(move["ticket"], move["stack"], self.at)

    def _empties(self, table: SimulatedTable) -> None:
        if table.seats:
            self.later(5_000, lambda: self._round(table))
        else:
            table.agree(self.at)

    # -- the end of a session ------------------------------------------------------------------------------------------

    def _ended(self, table: SimulatedTable) -> bool:
        one_left = bool(self.hall.session_terms.until) and len(self.hall.state.left) <= 1
        if not (table.over() or one_left or not table.seats):
            return False
        table.agree(self.at)
        self._hear()
        for other in self.tables.values():  # tables that are empty have nothing to wait for
            if one_left and other.playing:
                other.agree(self.at)
        self._hear()
        if self.hall.state.phase == "between":
            self.later(600_000, self._between)
        return True

    def _between(self) -> None:
        while tied := [line for _, line in sessions.cuts(self.hall) if not line.decided]:
            self._tell_apart(tied[0].equal)
        if not self.hall.session_terms.through.winner:
            self.must(acts.ConfirmThrough())
        if outcome.to_play(self.hall):
            self.later(600_000, self._session)
            return
        for code in [code for code in self.hall.state.alarms if code.startswith("order:")]:
            names = code.removeprefix("order:").split("+")
            self.must(acts.DecideOrder(tuple(self._rng.sample(names, len(names)))))
        while not (answer := self.work.do(acts.FinalOrder(), DIRECTOR)).ok:
            group = next(one for one in self.hall.session.order if len(one) > 1)
            if not answer.text.startswith("Equal"):
                raise Stuck(answer.said())
            self._tell_apart(group)
        self.must(acts.ListPrizes())
        self.must(acts.Release())

    def _tell_apart(self, group: tuple[str, ...]) -> None:
        """A play-off, or whatever the terms say, with an end that chance decides here."""
        how = self.hall.terms.result.ties.how
        self.must(acts.BreakTie(tuple(self._rng.sample(group, len(group))), how if how != "share" else "draw_cards"))

    # -- what must hold ------------------------------------------------------------------------------------------------

    def conserved(self) -> bool:
        """Whether all stacks and all that is on the way come to what was issued; where players win from one another."""
        return bool(units_expected(self.hall) == units_found(self.hall))
