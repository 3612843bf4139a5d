"""Casino War as the table runs it: who takes what happens, which keys mean something, what devices and screens see."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.alarms import Alarm
from controller.core.desk import Ask, Key, Limits, Refusal
from controller.core.effects import Asked
from controller.core.events import ChipPlaced, ChipsCounted, ChipsMoved, ChipUnclear, PlayerCardRead, TimerDue
from controller.core.machine import StrictMachine
from controller.core.table import Table
from controller.core.take_back import NOTHING_BESIDE
from controller.games.war import (
    alarms,
    asking,
    betting,
    checking,
    chips,
    dealing,
    device,
    hands,
    notices,
    players,
    seen,
    shoe,
    view,
)
from controller.games.war.config import WarConfig, limits_not_allowed, not_allowed
from controller.games.war.events import (
    CardCame,
    CardsCameTogether,
    CardsRead,
    SourceEmpty,
    SourceMode,
    SourceStopped,
    StakeChanged,
    StakeLaid,
)
from controller.games.war.keys import KEYS
from controller.games.war.play import SOURCES
from controller.games.war.questions import QUESTIONS
from controller.games.war.round import ROWS, Consequences
from controller.games.war.state import PHASES, WHILE, restored
from controller.money.table_money import Layout as ChipLayout
from controller.people import Person
from drivers.events import DeviceEvent

KEYS.check_machine(ROWS, PHASES)
SEATS = frozenset({"sit", "player_card"})
"""Keys that say who is at a box: chips that lie there are theirs."""
PLAYS_ON = frozenset({"shuffled", "no_more_bets", "settled", "place_bets"})
"""Keys that bring the round on, and are refused while a cause against it is known."""


class WarGame(Consequences):
    """One table of Casino War."""

    name = "war"
    questions = QUESTIONS
    alarms = alarms.ALARMS
    beside = NOTHING_BESIDE

    def __init__(self, table: Table, config: WarConfig, places: dict[str, str] | None = None) -> None:
        super().__init__(table, config, places)
        self.keys = KEYS.of(table.house)
        self.sources = {self.places[kind]: source for source, kind in SOURCES.items() if kind in self.places}
        self.money.join(self._chips())
        self.machine = StrictMachine("round", self, WHILE, ROWS, "unchecked", self.desk.moved)
        self._came_from = ""

    @property
    def devices(self) -> frozenset[str]:
        return frozenset({self.source_place, self.places.get("chips", "")})

    def _chips(self) -> ChipLayout:
        cite = self.rules.cite
        clauses = {
            "foreign": cite("stake_form"),
            "fraud": (self.table.house.power("cancel_fraud").clause,),
            "tournament": cite("stake_form", "tournament_chips"),
            "collect": cite("interim"),
            "pay": cite("interim", "final"),
        }
        kinds = chips.KINDS if self.rules.wagers.tokens else chips.KINDS - {"token"}
        return ChipLayout(self.layout.name, kinds=kinds, clauses=clauses, players=self.players_here)

    # -- events ------------------------------------------------------------------------------------------------

    def handle(self, event: msgspec.Struct) -> None:
        match event:
            case ChipsMoved():
                chips.moved(self, event)
            case DeviceEvent(device=place) if place in self.sources:
                take = seen.take if self.sources[place] == self.state.supply.source else seen.from_elsewhere
                take(self, event)
            case CardCame():
                dealing.came(self, event)
            case CardsCameTogether():
                dealing.together(self, event)
            case PlayerCardRead():
                players.card_read(self, event)
                chips.seated(self)
            case TimerDue(timer=notices.DECKS):
                notices.decks_due(self)
            case TimerDue(timer=notices.LIMITS):
                notices.limits_due(self)
            case TimerDue(timer=timer) if timer.startswith(hands.STACK):
                chips.stack_due(self, timer)
            case ChipsCounted():
                chips.counted(self, event)
            case ChipUnclear():
                chips.unclear(self, event)
            case ChipPlaced():
                chips.clear_now(self, (event.tag,))
            case StakeLaid():
                betting.laid(self, event)
            case StakeChanged():
                betting.changed(self, event)
            case SourceStopped(cause):
                device.stopped(self, cause)
            case SourceEmpty():
                shoe.source_empty(self)
            case CardsRead():
                checking.cards_read(self, event)
            case SourceMode():
                checking.source_mode(self, event)

    def command(self, key: Key, args: dict[str, Any], by: Person) -> None:
        if not KEYS.starts_here(key.name, self.machine):
            raise Refusal("not_now", f"“{key.label}” means nothing while {self.machine.while_}.", (key.clause,))
        if key.name in PLAYS_ON and (cause := self.stopped_by):
            raise cause
        KEYS.press(self, key, args, by)
        if key.name in SEATS:
            chips.seated(self)

    def can(self, key: Key) -> bool:
        return KEYS.means_something(self, key.name, self.machine)

    def check_answer(self, asked: Asked, answer: str, args: dict[str, Any]) -> None:
        QUESTIONS.check(self, asked, answer, args)

    def asks(self, asked: Asked, answer: str) -> tuple[Ask, ...]:
        return QUESTIONS.asks(self, asked, answer)

    def answered(self, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
        QUESTIONS.answered(self, asked, answer, args, by)

    # -- what the table asks -----------------------------------------------------------------------------------

    def idle(self) -> bool:
        return self.machine.state in ("unchecked", "unshuffled", "uncut", "betting", "over", "blocked")

    def players_here(self) -> list[str]:
        return asking.players(self)

    def players_present(self) -> bool:
        return bool(self.state.players.arrivals)

    def limit_faults(self, limits: Limits) -> list[str]:
        return [one.text for one in limits_not_allowed(self.rules, limits)]

    def opening_faults(self) -> list[Alarm[Any]]:
        wrong = not_allowed(self.table.house.rulebook.edition, self.config, self.table.state.limits)
        return [alarms.NotAllowed(what=one.text, clause=one.clause) for one in wrong]

    def resumed(self) -> None:
        """Cards that came meanwhile were taken; go on."""
        dealing.advance(self)

    def closed(self) -> None:
        """The cards are counted and leave, players go; whoever opens again begins with a check (Melbourne 3.2)."""
        checking.table_closed(self)

    def device_lost(self, device: str, evidence_gone: bool) -> None:
        self.desk.note("device_lost", (), device=device, evidence_gone=evidence_gone, phase=self.machine.state)
        if evidence_gone and device == self.source_place:
            seen.evidence_gone(self)

    def chip_picture(self) -> dict[int, list[int]]:
        return {area: tags for area, tags in self.money.picture().items() if area}

    def save(self) -> bytes:
        return msgspec.json.encode(self.state)

    def restore(self, saved: bytes) -> None:
        self.state, self._came_from = restored(saved)

    def came_from(self) -> str:
        return self._came_from

    def sign(self) -> dict[str, Any]:
        return view.sign(self)

    def view(self) -> dict[str, Any]:
        return view.view(self)
