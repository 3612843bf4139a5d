"""A Casino War table in a tournament: chips with tags, cards, keys and the hall's orders, and what the table says."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.config.kept import plain
from controller.config.types import TableConfig, TournamentSection
from controller.core.effects import (
    Alarmed,
    Announced,
    AnyEffect,
    Asked,
    Desired,
    Noted,
    Refused,
    Reversed,
    Settled,
    WagerResult,
)
from controller.core.events import (
    Chip,
    ChipsCounted,
    ChipsMoved,
    Command,
    FloorOrder,
    Order,
    SignedIn,
    SignedOut,
    SignShown,
    Started,
    TimerDue,
)
from controller.core.guarded import GuardedTable
from controller.journal import row as record
from controller.people import Person
from controller.tournament.state import Designation, Entrant, Roster, Seated
from controller.tournament.table import TournamentTable
from controller.tournament.terms import Terms
from drivers.cards import CardDrawn
from drivers.events import DeviceUp
from lab.sim.config import default_config
from tests.controller.tournament.stated import terms as stated

START = 1_795_834_800_000
"""14:00 of the day."""
MINUTE = 60_000
DIRECTOR, DEPUTY = Person("TD", 0, ("director",)), Person("DEP", 0, ("deputy",))
DEALER = Person("D1", 1)
BY_RANK = {"dealer": 1, "HDD": 2, "AM": 3, "ACM": 4}
TRAY = {500_000: 10, 100_000: 30, 50_000: 10, 10_000: 50}
"""What lies in the tray when play begins: chips by their value, a hundred for each unit."""
CUP = "CUP-A"


def person(who: str) -> Person:
    """Somebody by what they are called in the cases."""
    return {"TD": DIRECTOR, "DEP": DEPUTY}.get(who) or Person(who, BY_RANK[who])


def config() -> TableConfig:
    base = default_config("war", rulebook="melbourne-war")
    return msgspec.structs.replace(base, tournament=TournamentSection())


class Cup:
    """One table and everything that happens at it; a refused key must change nothing."""

    def __init__(self, terms: Terms | None = None, setup: TableConfig | None = None) -> None:
        self.terms = terms or stated("war")
        self.config = setup or config()
        self.guarded = GuardedTable(self.config)
        self.at = START
        self.effects: list[AnyEffect] = []
        self.told: list[AnyEffect] = []
        self.rows: list[tuple[int, msgspec.Struct, list[AnyEffect]]] = []
        self.tags, self.draws, self.orders = 100, 0, 0
        self.tray: dict[int, Chip] = {}
        self.event(Started("test", plain(self.config)))
        for place, device in self.config.devices.items():
            self.event(DeviceUp(place, device.kind, f"{place}-1", "1.0.0"))
        self.event(ChipsCounted("chips", {}))

    # -- what happens ------------------------------------------------------------------------------------------

    def event(self, event: msgspec.Struct) -> list[AnyEffect]:
        self.at += 50
        event = record.as_kept(event)
        before = self.stands()
        self.effects = self.guarded.apply(self.at, event)
        self.told += self.effects
        self.rows.append((self.at, event, self.effects))
        faults = self.table.state.faults
        assert not any(code.startswith("error") for code in faults), faults
        if isinstance(event, Command | FloorOrder) and self.effects and isinstance(self.effects[0], Refused):
            assert self.stands() == before, "a refused event changed the table"
        if self.table.state.sign_shown < self.table.state.sign and not isinstance(event, SignShown):
            concluded = self.effects
            self.event(SignShown(self.table.state.sign))
            self.effects = concluded
        return self.effects

    def stands(self) -> Any:
        saved = msgspec.json.decode(self.table.save())
        saved["table"].pop("pressed", None)
        saved["table"].pop("orders", None)
        return saved

    def press(self, key: str, by: Person = DEALER, **args: Any) -> list[AnyEffect]:
        return self.event(Command(key, by, args))

    def refused(self, key: str, by: Person = DEALER, **args: Any) -> Refused:
        found = [one for one in self.press(key, by, **args) if isinstance(one, Refused)]
        assert found, f"{key} was not refused"
        return found[0]

    def ok(self, key: str, by: Person = DEALER, **args: Any) -> None:
        found = [one for one in self.press(key, by, **args) if isinstance(one, Refused)]
        assert not found, found

    def order(self, kind: str, rank: str = "HDD", **args: Any) -> Refused | None:
        """An order of the hall; why it was refused, if it was."""
        self.orders += 1
        made = Order(f"o{self.orders}", "here", kind, "hall", rank, self.at, args)
        found = [one for one in self.event(FloorOrder(made, "here", "signed")) if isinstance(one, Refused)]
        return found[0] if found else None

    def answer(self, subject: str, answer: str, by: Person = DIRECTOR, **args: Any) -> Refused | None:
        asked = self.asked(subject)
        assert asked is not None, f"nobody asks about {subject}: {self.questions()}"
        effects = self.press("answer", by, prompt=asked.prompt, answer=answer, **args)
        return next((one for one in effects if isinstance(one, Refused)), None)

    def signs_in(self, who: str) -> None:
        self.event(SignedIn("dealer", person(who)))

    def signs_out(self, who: str, reason: str = "signed out by card") -> None:
        self.event(SignedOut("dealer", person(who), reason))

    def due(self, timer: str) -> None:
        """The moment of a timer comes."""
        self.at = max(self.at, self.table.state.desk.timers[timer])
        self.event(TimerDue(timer))

    def signs(self) -> list[dict[str, Any]]:
        """What the sign has shown of the event with its schedule, one after the other."""
        wanted = [one.outputs for one in self.told if isinstance(one, Desired) and one.device == "sign"]
        return [one["tournament"] for one in wanted if "coming" in one.get("tournament", {})]

    def later(self, minutes: float) -> None:
        self.at += round(minutes * MINUTE)

    # -- how it stands -----------------------------------------------------------------------------------------

    @property
    def table(self) -> TournamentTable:
        table = self.guarded.table
        assert isinstance(table, TournamentTable)
        return table

    @property
    def game(self) -> Any:
        return self.table.game

    @property
    def phase(self) -> str:
        return self.table.session.phase

    def entrant(self, number: str) -> Entrant:
        return self.table.session.state.entrants[number]

    @property
    def banks(self) -> dict[str, int]:
        return dict(self.table.session.state.ledger.banks)

    @property
    def scored(self) -> int:
        return self.table.session.state.scored

    def questions(self) -> list[str]:
        return [asked.subject for asked in self.table.state.desk.prompts.values()]

    def asked(self, subject: str) -> Asked | None:
        prompts = self.table.state.desk.prompts.values()
        return next((asked for asked in prompts if asked.subject.startswith(subject)), None)

    def noted(self, what: str) -> list[dict[str, Any]]:
        return [one.facts for one in self.told if isinstance(one, Noted) and one.what == f"tournament_{what}"]

    def said(self, code: str) -> list[str]:
        return [one.text for one in self.told if isinstance(one, Announced) and one.code == code]

    def alarms(self) -> list[str]:
        return [one.text for one in self.told if isinstance(one, Alarmed)]

    def results(self) -> dict[str, WagerResult]:
        found: dict[str, WagerResult] = {}
        for one in self.told:
            if isinstance(one, Settled | Reversed):
                found |= {result.wager: result for result in one.results}
        return found

    # -- before play -------------------------------------------------------------------------------------------

    def designate(self) -> Refused | None:
        return self.order("tournament_designate", payload=msgspec.json.encode(Designation(self.terms)).decode())

    def roster(self, players: int = 3, session: str = "heat", banks: dict[str, int] | None = None) -> Refused | None:
        seats = tuple(Seated(f"P{seat}", seat, (banks or {}).get(f"P{seat}", 0)) for seat in range(1, players + 1))
        made = Roster(self.terms.digest, session, seats, "TD", ("DEP",), "AM")
        return self.order("tournament_roster", payload=msgspec.json.encode(made).decode())

    def opened(self) -> None:
        """The tray is filled and the table opened, with cards that are checked, shuffled and cut."""
        chips = tuple(self._new(value) for value, count in TRAY.items() for _ in range(count))
        self.tray = {chip.tag: chip for chip in chips}
        self.event(ChipsMoved("chips", 0, chips))
        self.ok("open")
        self.ok("check_cards", how="by hand")
        self.ok("shuffled")
        prompt = next(one for one in self.table.state.desk.prompts.values() if one.subject == "cut")
        self.ok("answer", prompt=prompt.prompt, answer="cut")
        if self.game.machine.state == "burning":
            self.draw("2C")
        assert self.game.machine.state == "betting", self.game.machine.state

    def begun(self, players: int = 3, **banks: int) -> None:
        """The session is under way; `banks` are carried ones where they differ from the stated bank."""
        assert self.designate() is None
        assert self.roster(players) is None
        self.opened()
        self.signs_in("TD")
        self.ok("briefed", DIRECTOR)
        for one in self.table.session.state.playing():
            self.ok("count_bank", player=one.number, units=self.table.session.bank(one.number))
        self.ok("begin_session", DIRECTOR)
        for number, units in banks.items():
            self.table.session.book_units(number, "agreed", units - self.banks[number])

    # -- a round -----------------------------------------------------------------------------------------------

    def _new(self, cents: int, kind: str = "tournament", mark: str = CUP) -> Chip:
        self.tags += 1
        return Chip(self.tags, kind, cents, mark)

    def area(self, box: int, zone: str) -> int:
        found = self.game.layout.area(box, zone)
        assert found is not None
        return int(found)

    def lay(self, box: int, units: int, zone: str = "main", kind: str = "tournament", mark: str = CUP) -> None:
        """Chips of a hundred and more that make this amount come to lie on a zone."""
        chips, rest = [], units
        for value in (5000, 1000, 500, 100):
            while rest >= value:
                chips.append(self._new(value * 100, kind, mark))
                rest -= value
        assert rest == 0, f"{units} cannot be made of chips"
        self.event(ChipsMoved("chips", self.area(box, zone), tuple(chips)))

    def draw(self, card: str) -> list[AnyEffect]:
        self.draws += 1
        return self.event(CardDrawn("shoe", self.draws, card, 99))

    def begin_round(self) -> None:
        """The call for bets, unless betting is open already."""
        if self.game.machine.state == "over":
            self.clear()
            self.ok("place_bets")

    def deal(self, *cards: str) -> None:
        self.ok("no_more_bets")
        for card in cards:
            self.draw(card)

    def settle(self) -> None:
        """Losers' chips go to the tray, winners are paid out of it, and the dealer says so."""
        while self.game.machine.state in ("interim", "final"):
            for booked in list(self.game.state.round.booked.values()):
                if not booked.done:
                    self._move(booked.result)
            self.ok("settled")

    def _move(self, result: WagerResult) -> None:
        area = self.game.areas()[result.wager]
        if result.stake_taken:
            self.take_in(area, result.stake_taken)
        if result.pays:
            self.pay(area, result.pays)

    def take_in(self, area: int, cents: int) -> None:
        """This much of what lies on an area goes to the tray; larger chips are changed out of it."""
        lying = self.game.state.felt.lying
        tags = [tag for tag, one in lying.items() if one.area == area]
        worth = sum(lying[tag].cents for tag in tags)
        chips = tuple(Chip(tag, "tournament", lying[tag].cents, CUP) for tag in tags)
        self.event(ChipsMoved("chips", area, (), tuple(tags)))
        self.event(ChipsMoved("chips", 0, chips))
        self.tray |= {chip.tag: chip for chip in chips}
        if worth > cents:
            self.pay(area, worth - cents)

    def pay(self, area: int, cents: int) -> None:
        """Chips out of the tray come to lie on an area."""
        chosen = []
        for chip in sorted(self.tray.values(), key=lambda chip: -chip.cents):
            if chip.cents <= cents:
                chosen.append(chip)
                cents -= chip.cents
        assert not cents, "the tray cannot make it"
        for chip in chosen:
            del self.tray[chip.tag]
        self.event(ChipsMoved("chips", 0, (), tuple(chip.tag for chip in chosen)))
        self.event(ChipsMoved("chips", area, tuple(chosen)))

    def clear(self) -> None:
        """Players take up whatever lies on the layout."""
        lying = self.game.state.felt.lying
        for area in sorted({one.area for one in lying.values()}):
            tags = tuple(tag for tag, one in lying.items() if one.area == area)
            self.event(ChipsMoved("chips", area, (), tags))

    def play(self, stakes: dict[int, int], *cards: str) -> None:
        """A whole round of main stakes by box, in units."""
        self.begin_round()
        for box, units in stakes.items():
            self.lay(box, units)
        self.deal(*cards)
        self.settle()


def clause(*named: str) -> Any:
    return pytest.mark.clause("melbourne-war", *named)


def begun(players: int = 3, *changes: tuple[str, str], **banks: int) -> Cup:
    """A session under way, by the example's terms with these changes."""
    cup = Cup(stated("war", *changes))
    cup.begun(players, **banks)
    return cup
