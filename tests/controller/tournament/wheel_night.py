"""A Big Wheel table in a tournament: colour chips, spins, keys and the hall's orders."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.config.types import ChipsSection, TableConfig, TournamentSection
from controller.core.effects import Refused
from controller.core.events import Chip, ChipsMoved
from controller.tournament.state import Roster, Seated
from drivers.wheel import WheelRested, WheelStarted, WheelTurned
from lab.sim.config import default_config
from tests.controller.games.wheel.play import verdict
from tests.controller.tournament.cup import DIRECTOR, Cup
from tests.controller.tournament.stated import terms as stated

COLOURS = ("red", "blue", "green", "pink", "white", "grey")
TRAY = 300
"""Colour chips of each entrant in the rack."""


def config() -> TableConfig:
    base = default_config("wheel", 1)
    chips = msgspec.structs.replace(base.chips, set_mark="BW", colours=COLOURS)
    assert isinstance(chips, ChipsSection)
    return msgspec.structs.replace(base, tournament=TournamentSection(), chips=chips)


class WheelNight(Cup):
    """One table; entrants P1, P2, … have the colours in order."""

    def __init__(self, *changes: tuple[str, str]) -> None:
        self.spins = 0
        self.rack: dict[str, list[Chip]] = {}
        super().__init__(stated("wheel", *changes), config())

    def roster(self, players: int = 3, session: str = "heat", banks: dict[str, int] | None = None) -> Refused | None:
        numbers = range(1, players + 1)
        seats = tuple(Seated(f"P{seat}", seat, 0, COLOURS[seat - 1]) for seat in numbers)
        made = Roster(self.terms.digest, session, seats, "TD", ("DEP",), "AM")
        return self.order("tournament_roster", payload=msgspec.json.encode(made).decode())

    def opened(self) -> None:
        for colour in COLOURS[: len(self.table.session.state.entrants)]:
            self.rack[colour] = [self.chip(colour) for _ in range(TRAY)]
            self.event(ChipsMoved("chips", 0, tuple(self.rack[colour])))
        self.ok("open")

    def chip(self, colour: str) -> Chip:
        self.tags += 1
        return Chip(self.tags, "colour", 0, f"BW/{colour}")

    def symbol_area(self, symbol: str) -> int:
        return int(self.game.areas[symbol])

    def bet(self, number: str, symbol: str, units: int) -> None:
        colour = COLOURS[int(number[1:]) - 1]
        chips = tuple(self.chip(colour) for _ in range(units // 10))
        self.event(ChipsMoved("chips", self.symbol_area(symbol), chips))

    def begin_round(self) -> None:
        if self.game.machine.state == "idle":
            self.lift_all()
            self.ok("place_bets")

    def lift_all(self) -> None:
        for area in sorted({laid.area for laid in self.game.state.picture.values()}):
            tags = tuple(tag for tag, laid in self.game.state.picture.items() if laid.area == area)
            self.event(ChipsMoved("chips", area, (), tags))

    def launch(self) -> None:
        self.spins += 1
        self.event(WheelStarted("wheel", self.spins, "clockwise", 0))
        self.event(WheelTurned("wheel", self.spins, 1))

    def rest(self, symbol: str, *reasons: str, forward: float = 200.0) -> None:
        compartment = self.game.setup.ring.index(symbol)
        self.event(WheelRested("wheel", self.spins, verdict(compartment, *reasons, forward=forward)))

    def pay(self, area: int = 0, cents: int = 0) -> None:
        """Losing chips go to the rack, winners are paid out of it in their own colour."""
        for result in self.game.state.round.results:
            where = self.symbol_area(result.bet)
            if result.stake_taken:
                mine = {tag: laid for tag, laid in self.game.state.picture.items() if laid.owner == result.player}
                tags = [tag for tag, laid in mine.items() if laid.area == where][: result.stake_taken // 1000]
                self.event(ChipsMoved("chips", where, (), tuple(tags)))
                chips = tuple(Chip(tag, "colour", 0, f"BW/{mine[tag].chip.mark}") for tag in tags)
                self.event(ChipsMoved("chips", 0, chips))
            if result.pays:
                colour = COLOURS[int(result.player[1:]) - 1]
                paid = tuple(self.rack[colour].pop() for _ in range(result.pays // 1000))
                self.event(ChipsMoved("chips", 0, (), tuple(chip.tag for chip in paid)))
                self.event(ChipsMoved("chips", where, paid))

    def spin(self, symbol: str) -> None:
        """A whole spin with what lies on the layout."""
        self.launch()
        self.ok("no_more_bets")
        self.rest(symbol)
        self.finish()

    def finish(self) -> None:
        self.ok("acknowledge")
        self.pay()
        if self.game.machine.state == "pay":
            self.ok("paid")

    def play(self, stakes: Any, *cards: str) -> None:
        """A spin that rests on the first of `cards`, with stakes by entrant: symbol and units."""
        self.begin_round()
        for number, (symbol, units) in stakes.items():
            self.bet(number, symbol, units)
        self.spin(cards[0])


def clause(*named: str) -> Any:
    return pytest.mark.clause("melbourne-wheel", *named)


def begun(players: int = 3, *changes: tuple[str, str], **banks: int) -> WheelNight:
    night = WheelNight(*changes)
    night.begun(players, **banks)
    return night


__all__ = ["DIRECTOR", "WheelNight", "begun", "clause"]
