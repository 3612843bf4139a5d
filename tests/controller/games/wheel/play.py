"""Play a Big Wheel table event by event, without devices: what the rules say, apart from how it is sensed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.build import build_table
from controller.config.kept import plain
from controller.config.types import TableConfig
from controller.core.effects import Announced, AnyEffect, Asked, Noted, Refused, Reversed, Ruled, Settled, WagerResult
from controller.core.events import Chip, ChipsMoved, ChipUnclear, Command, SignShown, Started, TimerDue
from controller.games.wheel.config import WheelSection
from controller.people import Person
from drivers.events import DeviceDown, DeviceUp
from drivers.motion import SpinVerdict
from drivers.wheel import WheelRested, WheelStarted, WheelTurned
from lab.sim.config import default_config
from tests.controller.alarm_stories import no_flicker


def verdict(
    compartment: int | None, *reasons: str, clear: str = "clear", forward: float = 200.0, homed: bool = True
) -> SpinVerdict:
    return SpinVerdict(
        clear=clear,  # type: ignore[arg-type]
        compartment=compartment,
        forward=forward,
        reversal=0.2,
        reasons=reasons,  # type: ignore[arg-type]
        findings=(),
        sense="clockwise",
        offset=0.4,
        since_release=forward - 5,
        fastest=1.4,
        trace=b"",
        homed=homed,
    )


class Play:
    """One table; every method is something that happens at it."""

    def __init__(
        self, option: int = 1, config: TableConfig | None = None, limits: tuple[int, int] = (500, 10_000)
    ) -> None:
        config = config or default_config("wheel", option)
        section = msgspec.structs.replace(
            config.limits, min=limits[0], max=limits[1], unit=limits[0], smallest_chip=100
        )
        self.config = msgspec.structs.replace(config, limits=section)
        self.table = build_table(self.config)
        self.seq = 0
        self.at = 1_000_000
        self.effects: list[AnyEffect] = []
        self.told: list[AnyEffect] = []
        self.tags = 0
        self.spins = 0
        self.laid: dict[str, list[int]] = {}

    # -- what happens ------------------------------------------------------------------------------------------

    def event(self, event: msgspec.Struct, after_ms: int = 1000) -> list[AnyEffect]:
        self.seq += 1
        self.at += after_ms
        self.told = self.table.apply(self.seq, self.at, event)
        self.effects += self.told
        no_flicker(self.told)
        return self.told

    def press(self, key: str, rank: int = 1, **args: Any) -> list[AnyEffect]:
        return self.event(Command(key, Person(f"S{rank}", rank), args))

    def opened(self) -> Play:
        self.event(Started("test", plain(self.config)))
        for place in ("wheel", "chips"):
            self.event(DeviceUp(place, place, f"{place}-1", "1.0"))
        self.event(SignShown(99))
        self.press("open")
        self.event(SignShown(999))
        assert self.life == "open"
        return self

    def bet(self, player: str, symbol: str, dollars: float, kind: str = "cash") -> int:
        self.tags += 1
        area = self.area(symbol)
        self.event(ChipsMoved("chips", area, (Chip(self.tags, kind, round(dollars * 100)),)))
        if player:
            self.press("assign", area=area, player=player, tags=[self.tags])
        self.laid.setdefault(symbol, []).append(self.tags)
        return self.tags

    def lift(self, symbol: str, tag: int) -> None:
        self.event(ChipsMoved("chips", self.area(symbol), removed=(tag,)))

    def slide(self, tag: int, source: str, target: str) -> None:
        chip = self.table.game.state.picture[tag].chip  # type: ignore[attr-defined]
        self.event(ChipsMoved("chips", self.area(target), (chip,)))
        self.event(ChipsMoved("chips", self.area(source), removed=(tag,)))

    def unclear(self, dollars: float, *symbols: str) -> int:
        self.tags += 1
        areas = tuple(self.area(symbol) for symbol in symbols)
        self.event(ChipUnclear("chips", Chip(self.tags, "cash", round(dollars * 100)), areas))
        return self.tags

    def launch(self) -> None:
        self.spins += 1
        self.event(WheelStarted("wheel", self.spins, "clockwise", 0))

    def turn(self, turns: int) -> None:
        self.event(WheelTurned("wheel", self.spins, turns))

    def rest(self, where: str | None, *reasons: str, **more: Any) -> None:
        compartment = None if where is None else self.config.own(WheelSection).ring.index(where)
        self.event(WheelRested("wheel", self.spins, verdict(compartment, *reasons, **more)))

    def spin_to(self, symbol: str | None, *reasons: str, **more: Any) -> None:
        """The usual course from an open layout to the resting wheel."""
        self.launch()
        self.press("no_more_bets")
        self.rest(symbol, *reasons, **more)

    def result(self, symbol: str) -> dict[str, WagerResult]:
        """The usual course from an open layout to a booked settlement, by `player/symbol`."""
        self.spin_to(symbol)
        self.press("acknowledge")
        return self.results

    def settle_up(self) -> None:
        """Collect, pay, and let players lift what they won."""
        winner = self.table.game.state.round.winner  # type: ignore[attr-defined]
        for tag, laid in list(self.table.game.state.picture.items()):  # type: ignore[attr-defined]
            if laid.area != self.area(winner):
                self.event(ChipsMoved("chips", laid.area, removed=(tag,)))
        if self.state == "pay":
            self.press("paid", confirmed=True)
        for tag, laid in list(self.table.game.state.picture.items()):  # type: ignore[attr-defined]
            self.event(ChipsMoved("chips", laid.area, removed=(tag,)))

    def time(self, minutes: float) -> None:
        """Let time pass; timers that fall due are told."""
        until = self.at + round(minutes * 60_000)
        while due := {t: at for t, at in self.table.state.desk.timers.items() if at <= until}:
            timer = min(due, key=lambda t: due[t])
            self.at = max(self.at, due[timer])
            self.event(TimerDue(timer), 0)
        self.at = until

    def down(self, place: str) -> None:
        self.event(DeviceDown(place, "the cable was pulled", "Plug it in."))

    def up(self, place: str, lost: bool = False) -> None:
        self.event(DeviceUp(place, place, f"{place}-1", "1.0", lost))

    # -- what is seen ------------------------------------------------------------------------------------------

    def area(self, symbol: str) -> int:
        return next(area for area, name in self.table.game.setup.areas.items() if name == symbol)  # type: ignore[attr-defined]

    @property
    def state(self) -> str:
        return self.table.game.machine.state

    @property
    def life(self) -> str:
        return self.table.state.life

    @property
    def results(self) -> dict[str, WagerResult]:
        settled = [effect for effect in self.effects if isinstance(effect, Settled)]
        return {result.wager: result for result in settled[-1].results}

    @property
    def question(self) -> Asked:
        return list(self.table.state.desk.prompts.values())[-1]

    def answer(self, answer: str, rank: int = 1, **more: Any) -> list[AnyEffect]:
        return self.press("answer", rank, prompt=self.question.prompt, answer=answer, **more)

    @property
    def refused(self) -> str:
        found = [effect for effect in self.told if isinstance(effect, Refused)]
        return found[0].code if found else ""

    def noted(self, what: str) -> list[dict[str, Any]]:
        return [effect.facts for effect in self.effects if isinstance(effect, Noted) and effect.what == what]

    def announced(self, code: str) -> list[Announced]:
        return [effect for effect in self.effects if isinstance(effect, Announced) and effect.code == code]

    @property
    def settlements(self) -> list[Settled]:
        return [effect for effect in self.effects if isinstance(effect, Settled)]

    @property
    def reversals(self) -> list[Reversed]:
        return [effect for effect in self.effects if isinstance(effect, Reversed)]


def clause(*named: str) -> pytest.MarkDecorator:
    """The clauses of Big Wheel that a test proves."""
    return pytest.mark.clause("melbourne-wheel", *named)


def at_bets(**given: Any) -> Play:
    """A table where bets may be placed."""
    play = Play(**given).opened()
    play.press("place_bets")
    return play


def note(play: Play, what: str) -> Noted:
    """The last note of this kind."""
    return [effect for effect in play.effects if isinstance(effect, Noted) and effect.what == what][-1]


def ruled(play: Play) -> Ruled:
    """The last ruling."""
    return [effect for effect in play.effects if isinstance(effect, Ruled)][-1]


def with_rules(play: Play, section: str, **changed: object) -> Play:
    """The same table under another reading of the house."""
    game = play.table.game
    rules = game.setup.rules  # type: ignore[attr-defined]
    changed_section = msgspec.structs.replace(getattr(rules, section), **changed)
    rules = msgspec.structs.replace(rules, **{section: changed_section})
    game.setup = msgspec.structs.replace(game.setup, rules=rules)  # type: ignore[attr-defined]
    return play


def money(result: WagerResult) -> tuple[float, float, float]:
    """Dollars paid, taken and returned."""
    return result.pays / 100, result.stake_taken / 100, result.stake_returned / 100
