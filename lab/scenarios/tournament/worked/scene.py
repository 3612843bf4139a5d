"""A whole event brought to where a worked case begins, and what people can be made to do there."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from controller.core.effects import Alarmed, Refused
from controller.core.events import SignedIn, SignedOut
from controller.core.runtime import Told as Concluded
from controller.games.poker.config import RakeSection
from controller.people import Person
from controller.tournament.moments import moment
from controller.tournament.terms import Blinds
from floor.hall import acts
from floor.hall.acts import Act
from floor.hall.draw import drawn
from floor.hall.state import By
from lab.hall.event import AM, DESK, DIRECTOR
from lab.hall.plan import RoundPlan
from lab.hall.table import EventTable
from lab.hall.whole import WholeEvent
from lab.scenarios.outcome import Listener
from lab.scenarios.tournament.worked.before import Cards, NoWay, hands_before, in_rounds

RANKS = {"dealer": 1, "HDD": 2, "AM": 3, "ACM": 4}
ROUND_S = 1800.0
ANSWER_S = 5.0
DRAWS = 20_000
"""So many draws are looked at for one that seats people in the order of their numbers."""


def index(number: str) -> int:
    """Which box an entrant of a case has: that of the number."""
    return int("".join(filter(str.isdigit, number)) or 0)


class Scene:
    """Tables, floor and hall under one clock; everybody does as they are told, and nothing else."""

    def __init__(self, text: str, entrants: list[str], before_ms: int, rake: RakeSection | None = None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tablectl-event-")
        self.event = WholeEvent(text, entrants, Path(self._folder.name), 1, 0.0, before_ms, rake)
        self.event.by_plan = True
        self.text, self.entrants = text, entrants
        self.terms = self.event.terms
        self.cards = Cards()
        self.listeners = {name: Listener(name) for name in self.event.tables}
        self.refusals: list[str] = []
        self.alarms: list[str] = []
        self.turned_away: list[Refused] = []
        self.pages: dict[str, list[str]] = {}
        self.legs = 0
        for table in self.event.tables.values():
            table.crew.by_plan = table.staff.by_hand = True
            table.runtime.watchers.append(self.listeners[table.name].watch)
            table.runtime.watchers.append(lambda told, table=table: self._watch(told, table))  # type: ignore[misc]
        self.event.house.start()

    def close(self) -> None:
        self.event.house.close()
        self._folder.cleanup()

    def _watch(self, told: Concluded, table: EventTable) -> None:
        """What pages say of closed and opened slips, as it changes."""
        from controller.tournament import view

        self.alarms += [effect.text for effect in told.effects if isinstance(effect, Alarmed)]
        self.turned_away += [effect for effect in told.effects if isinstance(effect, Refused)]
        for number in table.session.state.round.laid.secrets:
            seen, now = self.pages.setdefault(number, []), view.lies(table.session, number)
            if seen[-1:] != [now]:
                seen.append(now)

    # -- time ------------------------------------------------------------------------------------------------------

    @property
    def day(self) -> str:
        return self.terms.tournament.starts

    def at(self, time: str) -> None:
        """Let it become this time of the event's day."""
        whole = time if time.count(":") == 2 else f"{time}:00"
        then = moment(f"{self.day[:11]}{whole}{self.day[16:]}")
        wait = (then - self.event.clock.wall()) / 1000
        if wait > 0:
            self.event.clock.run_for(wait)

    # -- at the hall -----------------------------------------------------------------------------------------------

    @property
    def hall(self) -> Any:
        return self.event.hall

    def by(self, who: str) -> By:
        if who == "TD":
            return DIRECTOR
        if who == "DEP":
            return By("deputy")
        return By(who.lower(), who if who in RANKS and who != "dealer" else "")

    def do(self, act: Act, who: str = "TD") -> str:
        answer = self.event.do(act, self.by(who))
        return self.said(answer.ok, answer.clauses, answer.text)

    def said(self, ok: bool, clauses: tuple[str, ...], text: str) -> str:
        if ok:
            return f"ok, {text}" if text else "ok"
        self.refusals.append(text)
        return f"refused {', '.join(clauses)}: {text}"

    # -- as far as the case begins ---------------------------------------------------------------------------------

    def papers(self, until: str) -> None:
        """What comes before play, as far as it says: approved, announced, entering, seated."""
        event = self.event
        event.clock.run_for(5.0)
        event.must(acts.LoadTerms(self.text), AM)
        event.must(acts.NameDirector(DIRECTOR.id), AM)
        event.must(acts.Approve(self.terms.digest), By("operator", self.terms.tournament.approved.by))
        if until == "approved":
            return
        event.must(acts.TermsAvailable("at the desk"))
        event.must(acts.InspectorateTold("inspector on duty"))
        if until == "announced":
            return
        event.must(acts.OpenEntries())

    def enter(self, flags: Mapping[str, Mapping[str, bool]]) -> None:
        for number in self.entrants:
            marks = flags.get(number, {})
            if marks.get("employee"):
                self.event.must(acts.ApproveEntrant(number), By("coo", "", "Chief Operating Officer"))
            self.event.must(acts.Enter(number, **{"signed": True, **marks}), DESK)

    def designate(self) -> None:
        event = self.event
        event.must(acts.CloseEntries())
        event.must(acts.Designate())
        event.until(lambda: all(event.hall.table(name).designated for name in event.tables), 600)

    def draw(self, seats: Mapping[str, int], deputies: list[str]) -> None:
        """Of all draws that chance may make, one that puts people where the case has them."""
        event = self.event
        going = [one.number for one in event.hall.state.left]
        tables = event.terms.sessions[len(event.hall.state.sessions)].tables
        most = event.hall.book.seats(event.terms.game)
        for deputy in deputies:
            event.must(acts.EnrolDeputy("deputy" if deputy == "DEP" else deputy))
        event.must(acts.Draw(_entropy(going, tables, most, seats)))
        start = moment(event.hall.state.starts)
        event.clock.run_for(max(0.0, (start - event.clock.wall()) / 1000))
        event.must(acts.Seen())
        event.must(acts.Brief())
        event.must(acts.StartSession())
        event.until(lambda: all(one.phase == "set" and one.crew.ready() for one in self.playing), 1800)

    @property
    def playing(self) -> list[EventTable]:
        names = {seat.table for seat in self.hall.session.seats.values()}
        return [one for one in self.event.tables.values() if one.name in names]

    @property
    def table(self) -> EventTable:
        return self.playing[0]

    def begin(self) -> None:
        """Briefed, counted and begun at every table."""
        for table in self.playing:
            if not table.session.state.briefed_by:
                self.must(table, "briefed", "TD")
            if len(self.terms.wagers.compulsory) > 1 and not table.session.state.released_by:
                self.must(table, "release_schedule", "AM")
            self.count(table)
            self.must(table, "begin_session", "TD")
        self.event.clock.run_for(3.0)

    def count(self, table: EventTable, read: Mapping[str, int] | None = None) -> None:
        for one in table.session.state.playing():
            units = (read or {}).get(one.number, table.crew.purses.get(one.number, 0))
            self.must(table, "count_bank", "dealer", player=one.number, units=units)

    # -- at a table ------------------------------------------------------------------------------------------------

    def person(self, who: str) -> Person:
        if who == "TD":
            return Person(DIRECTOR.id, 0, ("director",))
        if who == "DEP":
            return Person("deputy", 0, ("deputy",))
        return Person(f"S{RANKS.get(who, 1)}", RANKS.get(who, 1))

    def press(self, table: EventTable, key: str, who: str, **form: Any) -> str:
        heard: list[Concluded] = []
        table.runtime.command(key, self.person(who), form, heard.append)
        self.event.clock.run_until(lambda: bool(heard), ANSWER_S)
        for effect in (effect for one in heard for effect in one.effects):
            if isinstance(effect, Refused):
                return self.said(False, effect.clauses, effect.text)
        return "ok"

    def must(self, table: EventTable, key: str, who: str, **form: Any) -> None:
        answer = self.press(table, key, who, **form)
        if answer != "ok":
            from lab.hall.event import Stuck

            raise Stuck(f"{table.name}: {key}: {answer}")

    def answer(self, table: EventTable, about: str, answer: str, who: str, **form: Any) -> str:
        prompts = table.runtime.table.state.desk.prompts.values()
        asked = next((one for one in prompts if one.subject.partition(":")[0] == about), None)
        if asked is None:
            return f"nobody is asked about {about}"
        return self.press(table, "answer", who, prompt=asked.prompt, answer=answer, **form)

    def asked(self, table: EventTable) -> list[Any]:
        return list(table.runtime.table.state.desk.prompts.values())

    def signs(self, who: str, here: bool, table: EventTable | None = None) -> None:
        table = table or self.table
        person = self.person(who)
        if who == "TD":
            table.staff.away = not here
        table.runtime.submit(SignedIn("dealer", person) if here else SignedOut("dealer", person, "signed out"))
        self.event.clock.run_for(1.0)

    def entrant(self, number: str) -> Any:
        for table in self.event.tables.values():
            found = table.session.state.entrants.get(number)
            if found is not None and found.standing != "moved":
                return found
        raise NoWay(f"{number} is at no table")

    def at_table(self, number: str) -> EventTable:
        self.entrant(number)
        return next(one for one in self.event.tables.values() if number in one.session.state.entrants
                    and one.session.state.entrants[number].standing != "moved")  # fmt: skip

    def bank(self, number: str) -> int:
        return int(self.at_table(number).session.bank(number))

    # -- rounds ----------------------------------------------------------------------------------------------------

    def start(self, plan: RoundPlan, table: EventTable | None = None) -> str:
        """The next round, as far as its stakes are fixed."""
        table = table or self.table
        self._chips_make(plan)
        if (no := table.runtime.table.no_round()) is not None:
            return self.said(False, no.clauses, no.text)
        self._dealt = table.session.state.dealt
        table.crew.take_plan(plan)
        state = table.session.state
        self._until(lambda: table.session.state.round.dealt or state.dealt > self._dealt)
        return "ok"

    def _until(self, condition: Callable[[], bool]) -> None:
        """The very moment at which this comes about."""
        self.event.clock.run_until(condition, ROUND_S)
        if not condition():
            self.event.until(condition, 5.0)

    def _chips_make(self, plan: RoundPlan) -> None:
        """Refuse amounts that no chips of the event come to."""
        chip = self.terms.bank.chips.smallest
        sums = [units for laid in plan.stakes.values() for units in laid.values()] + list((plan.puts or {}).values())
        sums += [units for _, units in plan.secret.values()]
        if odd := [units for units in sums if units % chip]:
            raise NoWay(f"the smallest chip of the event is {chip:,}, and {odd[0]:,} is to be staked")

    def call_for_bets(self) -> None:
        """Players take up what they have, and the dealer calls for a round of which nothing is planned yet."""
        self.table.crew.lift_all()
        self.event.clock.run_for(2.0)
        self.press(self.table, "place_bets", "dealer")

    def settle(self, table: EventTable | None = None) -> None:
        """The round under way ends, and every chip is where it belongs; after a round of no effect stakes may lie."""
        table = table or self.table
        self.event.until(lambda: table.session.state.dealt > self._dealt, ROUND_S)
        for _ in range(60):
            if table.crew.settled:
                return
            self.event.clock.run_for(1.0)

    def play(self, plan: RoundPlan, table: EventTable | None = None) -> str:
        answer = self.start(plan, table)
        if answer == "ok":
            self.settle(table)
        return answer

    def least(self) -> int:
        return max([self.terms.wagers.minimum, *(one.units for one in self.terms.wagers.compulsory)])

    def lead(self, changes: Mapping[str, int], rounds: int | None, void: tuple[int, ...] = ()) -> None:
        """Rounds that make these changes of banks, everybody who plays taking part; some of them of no effect."""
        everybody = {one.number: 0 for table in self.playing for one in table.session.state.playing()}
        most = self.terms.wagers.maximum
        played = self.table.session.state.scored
        for number, sums in enumerate(in_rounds({**everybody, **changes}, rounds, self.least(), most), played + 1):
            if number in void:
                self.of_no_effect()
            for table in self.playing:
                there = {one.number: sums[one.number] for one in table.session.state.playing()}
                if there:
                    self.play(self.plan_of(there), table)

    def plan_of(self, sums: Mapping[str, int]) -> RoundPlan:
        """A round in which these are won and lost."""
        if self.terms.rulebook.endswith("wheel"):
            return RoundPlan(
                {who: {"A" if units > 0 else "B": abs(units)} for who, units in sums.items()}, rests_on="A"
            )
        dealt = [self.cards.beats() if sums[who] > 0 else self.cards.loses() for who in sorted(sums, key=self.seat)]
        return RoundPlan({who: {"main": abs(units)} for who, units in sums.items()}, (*dealt, self.cards.dealer()))

    def seat(self, number: str) -> int:
        return int(self.entrant(number).seat)

    def level(self, number: int) -> None:
        """Let time pass until the next hand is at this level."""
        from floor.hall.clock import level_now, now_on

        def reached() -> bool:
            self.hall.at = self.event.clock.wall()
            on, _ = now_on(self.hall, self.hall.at)
            return level_now(self.hall) >= number and (on is None or not on.is_break)

        if number:
            self.event.until(reached, 8 * 3600)
            self.signs("TD", True)  # so long a wait needs a card shown anew

    def blinds(self) -> Blinds:
        """The level that is on at the table."""
        levels = self.terms.wagers.levels
        if not levels:
            raise NoWay("hands, stacks and levels are poker's")
        return levels[max(0, int(self.table.session.state.level) - 1)]

    def bring(self, wanted: Mapping[str, int], after: int = 0, away: Sequence[str] = ()) -> None:
        """Hands that bring these stacks, so many more to be folded after them; who is away has the next big blind."""
        if not wanted:
            return
        self.blinds()
        game: Any = self.table.runtime.table.game
        if game.state.positions is None:
            self.play(RoundPlan(puts={}))
        for number, stack in wanted.items():  # what is won has blinds in it, so more is won, and the rest is lost
            if stack > self.bank(number):
                self.hand_to(number, stack + 10 * self.terms.wagers.levels[0].big, wanted)
        seats = [one.seat for one in self.table.session.state.playing()]
        empty, order = hands_before(
            seats, game.state.positions.button, {number: self.seat(number) for number in wanted}, after,
            [self.seat(number) for number in away],
        )  # fmt: skip
        for _ in range(empty):
            self.play(RoundPlan(puts={}))
        for number in order:
            self.hand_to(number, wanted[number], wanted)

    def resting(self) -> bool:
        """Whether the timetable has a break now."""
        from floor.hall.clock import now_on

        on, _ = now_on(self.hall, self.event.clock.wall())
        return on is not None and on.is_break

    def hand_to(self, number: str, stack: int, spare: Collection[str] = ()) -> None:
        """A hand that leaves this entrant with so much, lost to another; or with that and the blinds, won from one."""
        bank = self.bank(number)
        if stack == bank:
            return
        units = abs(bank - stack)
        others = [one for one in self.entrants if one != number and self.bank(one) >= units]
        if not others:
            raise NoWay(f"nobody has the {units:,} that would bring {number} from {bank:,} to {stack:,}")
        other = min(others, key=lambda one: (one in spare, -self.bank(one)))
        self.play(RoundPlan(puts={number: units, other: units}, wins=(other if stack < bank else number,)))

    def neutral(self) -> RoundPlan:
        """A round in which everybody who is there wins or loses the least, in turn."""
        if self.terms.wagers.levels:
            return RoundPlan(puts={})
        self.legs += 1
        table, sign = self.table, 1 if self.legs % 2 else -1
        there = [one for one in table.session.state.playing() if not (one.away or one.owes)]
        return self.plan_of({one.number: sign * self.least() for one in there})

    def of_no_effect(self) -> None:
        """A round that is declared void once its first card is dealt."""
        self.start(self.neutral())
        self.must(self.table, "void_round", "AM")
        self.settle()


def _entropy(going: list[str], tables: tuple[str, ...], most: int, wanted: Mapping[str, int]) -> str:
    """Entropy whose draw has everybody at the seats that are wanted, or at least in the order of their numbers."""
    best = ""
    for count in range(DRAWS):
        entropy = f"{count:08x}" * 8
        places = drawn(entropy, going, tables, most)
        if all(places[number].seat == seat for number, seat in wanted.items() if number in places):
            return entropy
        order = sorted(going, key=lambda number: (tables.index(places[number].table), places[number].seat))
        if not best and order == sorted(going, key=index):
            best = entropy
            if len(going) > 3:
                break
    return best or f"{0:08x}" * 8
