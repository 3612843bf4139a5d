"""A Crown Poker table in a tournament: hands with cards and chips, keys and the hall's orders."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.config.types import TableConfig, TournamentSection
from controller.core.effects import Announced, Asked, Noted, Refused
from controller.core.events import Chip, Command, FloorOrder, Order, SignedIn, SignShown
from controller.people import Person
from controller.tournament.state import Designation, Entrant, Roster, Seated
from tests.controller.games.poker.play import PokerPlay
from tests.controller.games.poker.play import config as cash_config
from tests.controller.tournament.cup import DIRECTOR
from tests.controller.tournament.stated import terms as stated

SET = "HE-A"
MINUTE = 60_000


def config(**poker: Any) -> TableConfig:
    return msgspec.structs.replace(cash_config(**poker), tournament=TournamentSection())


class PokerNight(PokerPlay):
    """One table; entrants P1, P2, … sit at seats 1, 2, …."""

    def __init__(self, *changes: tuple[str, str], setup: TableConfig | None = None) -> None:
        self.terms = stated("poker", *changes)
        self.orders = 0
        super().__init__(setup or config())

    def begin(self) -> None:
        """Nothing is opened yet."""

    def event(self, event: msgspec.Struct) -> list[Any]:
        effects = super().event(event)
        if self.table.state.sign_shown < self.table.state.sign and not isinstance(event, SignShown):
            super().event(SignShown(self.table.state.sign))
            self.effects = effects
        return effects

    def stands(self) -> Any:
        saved = super().stands()
        saved["table"].pop("orders", None)
        return saved

    def chip(self, tag: int, cents: int) -> Chip:
        return Chip(tag, "tournament", cents, SET)

    # -- people and the hall -----------------------------------------------------------------------------------

    def by(self, who: Person, key: str, **args: Any) -> Refused | None:
        effects = self.event(Command(key, who, args))
        return next((one for one in effects if isinstance(one, Refused)), None)

    def ok(self, key: str, by: Person | None = None, **args: Any) -> None:
        refused = self.by(by or Person("D1", 1), key, **args)
        assert refused is None, refused

    def order(self, kind: str, rank: str = "AM", **args: Any) -> Refused | None:
        self.orders += 1
        made = Order(f"o{self.orders}", "here", kind, "hall", rank, self.at, args)
        return next((one for one in self.event(FloorOrder(made, "here", "signed")) if isinstance(one, Refused)), None)

    def send(self, kind: str, payload: msgspec.Struct, rank: str = "AM") -> Refused | None:
        return self.order(kind, rank, payload=msgspec.json.encode(payload).decode())

    def designate(self) -> Refused | None:
        return self.send("tournament_designate", Designation(self.terms))

    def begun(self, *stacks: int) -> None:
        """The session is under way, with these stacks where they are not the stated bank."""
        assert self.designate() is None
        seats = tuple(Seated(f"P{seat}", seat) for seat in range(1, len(stacks) + 1))
        made = Roster(self.terms.digest, "event", seats, "TD", ("DEP",))
        assert self.send("tournament_roster", made) is None
        self.ok("open")
        self.event(SignedIn("dealer", DIRECTOR))
        self.ok("briefed", DIRECTOR)
        for one in self.session.state.playing():
            self.ok("count_bank", player=one.number, units=10000)
        self.ok("begin_session", DIRECTOR)
        for number, stack in enumerate(stacks, start=1):
            if stack != 10000:
                self.session.book_units(f"P{number}", "agreed", stack - 10000)

    @property
    def session(self) -> Any:
        return self.table.session

    @property
    def banks(self) -> dict[str, int]:
        return dict(self.session.state.ledger.banks)

    def entrant(self, number: str) -> Entrant:
        found: Entrant = self.session.state.entrants[number]
        return found

    def noted_event(self, what: str) -> list[dict[str, Any]]:
        return [one.facts for one in self.told if isinstance(one, Noted) and one.what == f"tournament_{what}"]

    def said(self, code: str) -> list[str]:
        return [one.text for one in self.told if isinstance(one, Announced) and one.code == code]

    def question(self, subject: str) -> Asked | None:
        prompts = self.table.state.desk.prompts.values()
        return next((one for one in prompts if one.subject.startswith(subject)), None)

    def blinds(self) -> tuple[int, ...]:
        return tuple(blind // 100 for blind in self.game.state.terms.blinds)

    def fold_all(self) -> None:
        """A hand in which everybody gives up but the last blind."""
        self.start()
        while self.phase == "bet1":
            self.fold(self.wanted().seats[0])
        self.finish()

    def fold_all_but_winner(self) -> None:
        """A hand in which whoever is first to act may raise, and everybody else, whoever is away too, gives up."""
        self.start()
        raiser = next(seat for seat in (1, 2) if self.stack(seat))
        while self.phase == "bet1":
            may = self.wanted().options
            if may.seat != raiser:
                self.fold(may.seat)
            elif may.to_call:
                self.put(may.seat, may.to_call)
            else:
                self.press("check")
        self.check_down_or_win()

    def check_down_or_win(self) -> None:
        if self.game.state.hand is not None and self.phase != "award":
            self.check_down()
        self.finish()

    def shove_and_lose(self, seat: int) -> None:
        """This seat plays for its whole stack and loses: nobody's cards are better than the last one's."""
        self.start()
        self.check_down()
        self.finish()


def clause(*named: str) -> Any:
    return pytest.mark.clause("melbourne-poker", *named)


def begun(*stacks: int, changes: tuple[tuple[str, str], ...] = ()) -> PokerNight:
    night = PokerNight(*changes)
    night.begun(*(stacks or (10000, 10000, 10000)))
    return night
