"""Casino War as the table runs it: who takes what happens, which keys mean something, what devices and screens see."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.alarms import Alarm
from controller.core.desk import Ask, Key, Refusal
from controller.core.effects import Asked
from controller.core.events import ChipPlaced, ChipsCounted, ChipsMoved, ChipUnclear, PlayerCardRead, TimerDue
from controller.core.machine import StrictMachine
from controller.core.table import Table
from controller.games.war import (
    alarms,
    answers,
    betting,
    checking,
    chips,
    dealing,
    device,
    notices,
    persons,
    powers,
    shoe,
    source,
)
from controller.games.war.config import WarConfig, not_allowed
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
from controller.games.war.keys import FIRES, WHEN, declare_keys
from controller.games.war.play import SOURCES
from controller.games.war.round import ROWS, Consequences
from controller.games.war.state import PHASES, restored
from controller.money.table_money import Layout as ChipLayout
from controller.people import Person
from drivers.events import DeviceEvent


class WarGame(Consequences):
    """One table of Casino War."""

    name = "war"
    alarms = alarms.ALARMS

    def __init__(self, table: Table, config: WarConfig, places: dict[str, str] | None = None) -> None:
        super().__init__(table, config, places)
        self.keys = declare_keys(table.house, self.rules.columns)
        self.devices = frozenset({self.places.get(SOURCES[config.source], ""), self.places.get("chips", "")})
        self.money.join(self._chips())
        self.machine = StrictMachine("round", self, PHASES, ROWS, "unchecked", self.moved)
        self._came_from = ""

    def _chips(self) -> ChipLayout:
        cite = self.rules.cite
        clauses = {"foreign": cite("stake_form"), "collect": cite("interim"), "pay": cite("interim", "final")}
        kinds = chips.KINDS if self.rules.wagers.tokens else chips.KINDS - {"token"}
        return ChipLayout(self.layout.name, kinds=kinds, clauses=clauses)

    # -- events ------------------------------------------------------------------------------------------------

    def handle(self, event: msgspec.Struct) -> None:
        match event:
            case ChipsMoved():
                chips.moved(self, event)
            case DeviceEvent(device=place) if place in (self.places.get("shoe"), self.places.get("shuffler")):
                source.take(self, event)
            case CardCame():
                dealing.came(self, event)
            case CardsCameTogether():
                dealing.together(self, event)
            case PlayerCardRead():
                persons.card_read(self, event)
            case TimerDue(timer=notices.DECKS):
                notices.decks_due(self)
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
        if not self.means_something(key.name):
            while_ = self.machine.state.replace("_", " ")
            raise Refusal("not_now", f"“{key.label}” means nothing while {while_}.", (key.clause,))
        powers.DO[key.name](self, args, by)

    def check_answer(self, asked: Asked, answer: str, args: dict[str, Any]) -> None:
        answers.check(self, asked, answer, args)

    def asks(self, asked: Asked, answer: str) -> tuple[Ask, ...]:
        return answers.asks(self, asked, answer)

    def answered(self, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
        answers.take(self, asked, answer, args, by)

    # -- what the table asks -----------------------------------------------------------------------------------

    def means_something(self, key: str) -> bool:
        """Whether a row for what this key fires starts here, or it means something here without one."""
        fires, besides = FIRES.get(key, ()), WHEN.get(key, ())
        if not fires and not besides:
            return True
        return self.machine.state in besides or any(self.machine.can(trigger) for trigger in fires)

    def can(self, key: Key) -> bool:
        if not self.means_something(key.name):
            return False
        match key.name:
            case "replace_cards":
                return not any(stake.live for stake in self.state.round.stakes)
            case "invalid_card":
                return self.rules.wagers.player_card
            case "fed":
                return self.state.supply.source == "csm"
            case "house_chips":
                return self.config.war_method == "B"
            case _:
                return True

    def idle(self) -> bool:
        return self.machine.state in ("unchecked", "unshuffled", "uncut", "betting", "over", "blocked")

    def players_present(self) -> bool:
        return bool(self.state.players.arrivals)

    def opening_faults(self) -> list[Alarm[Any]]:
        wrong = not_allowed(self.table.house.rulebook.id, self.config, self.table.state.limits)
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
            source.evidence_gone(self)

    def chip_picture(self) -> dict[int, list[int]]:
        return {area: tags for area, tags in self.money.picture().items() if area}

    def save(self) -> bytes:
        return msgspec.json.encode(self.state)

    def restore(self, saved: bytes) -> None:
        self.state, self._came_from = restored(saved)

    def came_from(self) -> str:
        return self._came_from

    def sign(self) -> dict[str, Any]:
        odds = {"tie": self.rules.odds.tie}
        if self.column is not None:
            odds |= {"perfect": self.column.perfect, "coloured": self.column.coloured, "mixed": self.column.mixed}
        shown: dict[str, Any] = {"game": "Casino War", "decks": self.state.shoe.cards.decks, "odds": odds}
        if self.state.house.decks_coming is not None:
            shown["coming_decks"] = msgspec.to_builtins(self.state.house.decks_coming)
        if self.state.players.kept_minimum:
            shown["kept_minimums"] = self.state.players.kept_minimum
        return shown

    def view(self) -> dict[str, Any]:
        """What the screens show of the round; burned faces stay hidden."""
        state = self.state
        lying = state.round.card_places()
        hidden = ("shoe-burn", "war-burn", "round-burn", "next-round", "held")
        cards = [
            {"face": "" if place in hidden else card.face, "to": place}
            for card, place in zip(state.round.drawn, lying, strict=True)
        ]
        return {
            "state": self.machine.state,
            "next": dealing.expected(self),
            "cards": cards,
            "stakes": msgspec.to_builtins(state.round.stakes),
            "choices": msgspec.to_builtins(state.round.choices),
            "results": [
                {**msgspec.to_builtins(booked.result), "done": booked.done} for booked in state.round.booked.values()
            ],
            "players": list(state.players.arrivals),
            "at_box": {str(box): player for box, player in state.players.at_box.items()},
            "blocked": msgspec.to_builtins(state.supply.blocked),
            "cutter": shoe.cutter(self)[0] if state.shoe.cut_place else "",
            "shuffle_due": bool(state.shoe.shuffle_due),
            "left": state.shoe.cards.total - state.shoe.cards.drawn,
        }
