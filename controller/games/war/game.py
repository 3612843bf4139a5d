"""Casino War as the table runs it: the model of the round machine, and what every part of the game asks of it."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.desk import Fault, Key, Refusal
from controller.effects import Asked, Moved, Settled, WagerResult
from controller.events import ChipPlaced, ChipsCounted, ChipsMoved, ChipUnclear, PlayerCardRead, TimerDue
from controller.games.war import (
    answers,
    betting,
    checking,
    chips,
    dealing,
    device,
    notices,
    persons,
    powers,
    settling,
    shoe,
    source,
)
from controller.games.war.composition import Composition
from controller.games.war.config import WarConfig, not_allowed, rules_for
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
from controller.games.war.keys import PHASES, ROWS, WHEN, declare_keys
from controller.games.war.layout import layout_of
from controller.games.war.rules import Clauses, Column
from controller.games.war.stakes import Stake
from controller.games.war.state import Choice, Ruling, WarState
from controller.machine import StrictMachine
from controller.money import Layout as ChipLayout
from controller.people import TABLE, Person
from controller.table import Table
from drivers.events import DeviceEvent

STANDING = ("cut", "sequence", "wrong_deck", "count")
"""Questions that outlive a round."""
SOURCES = {"shoe": "shoe", "csm": "shuffler"}
"""The kind of device that cards come from."""


class WarGame:
    """One table of Casino War."""

    name = "war"

    def __init__(self, table: Table, config: WarConfig, places: dict[str, str] | None = None) -> None:
        """`places` says where each kind of device stands, where that is not a place of its own name."""
        self.table = table
        self.desk = table.desk
        self.config = config
        self.rules = rules_for(table.house.rulebook.id, config)
        self.state = WarState(cards=Composition(config.decks), source=config.source, share_most=config.share_most)
        self.keys = declare_keys(table.house)
        self.places = places or {"shoe": "shoe", "shuffler": "shuffler", "chips": "chips"}
        self.devices = frozenset({self.places.get(SOURCES[config.source], ""), self.places.get("chips", "")})
        self.layout = layout_of(self.rules, config)
        self._outputs: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
        self.money = table.money
        self.money.join(self._chips())
        self.machine = StrictMachine("round", self, PHASES, ROWS, "unchecked", self._moved)

    def _chips(self) -> ChipLayout:
        cite = self.rules.cite
        clauses = {"foreign": cite("stake_form"), "collect": cite("interim"), "pay": cite("interim", "final")}
        kinds = chips.KINDS if self.rules.wagers.tokens else chips.KINDS - {"token"}
        return ChipLayout(self.layout.name, kinds=kinds, clauses=clauses)

    def _moved(self, machine: str, source: str, dest: str, trigger: str) -> None:
        self.desk.emit(Moved(machine, source, dest, trigger))

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
                self.desk.alarm_over(f"unclear:{event.tag}")
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
        phase = self.machine.state
        if phase not in WHEN.get(key.name, (phase,)):
            raise Refusal("not_now", f"“{key.label}” means nothing while {phase.replace('_', ' ')}.", (key.clause,))
        powers.DO[key.name](self, args, by)

    def check_answer(self, asked: Asked, answer: str, args: dict[str, Any]) -> None:
        answers.check(self, asked, answer, args)

    def answered(self, asked: Asked, answer: str, args: dict[str, Any], by: Person) -> None:
        answers.take(self, asked, answer, args, by)

    # -- guards of the machine ---------------------------------------------------------------------------------

    def cut_needed(self) -> bool:
        return self.state.source == "shoe"

    def burn_needed(self) -> bool:
        rules = self.rules.shoe
        if rules.start_burn == "none" or (rules.start_burn_optional and not self.config.start_burn):
            return False
        if self.state.source == "csm":
            return rules.start_burn_from_shuffler == "once" and not self.state.shuffler_burned
        return True

    def ties_open(self) -> bool:
        return bool(self.tied_mains())

    def at_war(self) -> bool:
        return bool(self.war_stakes())

    def war_burns(self) -> bool:
        return self.rules.war.burns > 0 and self.at_war()

    def cards_wrong(self) -> bool:
        return self.state.blocked is not None

    def shuffle_is_due(self) -> bool:
        return bool(self.state.shuffle_due)

    def resume_dealing(self) -> bool:
        return self.state.resume == "dealing"

    def resume_interim(self) -> bool:
        return self.state.resume == "interim"

    def resume_choosing(self) -> bool:
        return self.state.resume == "choosing"

    def resume_war_burning(self) -> bool:
        return self.state.resume == "war_burning"

    def resume_war_dealing(self) -> bool:
        return self.state.resume == "war_dealing"

    def resume_final(self) -> bool:
        return self.state.resume == "final"

    # -- what the parts of the game ask ------------------------------------------------------------------------

    @property
    def column(self) -> Column | None:
        """The Perfect Pairs odds in force."""
        return self.rules.column(self.state.column or self.config.column)

    @property
    def chip(self) -> int:
        return self.table.state.limits.smallest_chip

    @property
    def source_place(self) -> str:
        """Where the device stands that cards come from now."""
        return self.places.get(SOURCES[self.state.source], "")

    @property
    def sees_chips(self) -> bool:
        """Whether antennas tell what lies on the layout, so that take and pay can be held against it."""
        return self.places.get("chips") in self.table.state.devices

    def area_of_stake(self, stake: Stake) -> int:
        return self.layout.area(stake.box, stake.zone) or 0

    def area_of(self, result: WagerResult) -> int:
        """The area a result's chips lie on."""
        return self.area_of_stake(self.stake(result.wager))

    def share_most(self) -> int:
        return self.state.share_most or self.rules.wagers.share_most

    def stake(self, wager: str) -> Stake:
        for stake in self.state.stakes:
            if stake.id == wager:
                return stake
        raise Refusal("no_such_wager", f"There is no wager {wager!r} in this round.")

    def card_index(self, args: dict[str, Any]) -> int:
        """A card of the round by its number; the last one when none is told."""
        index = args.get("card", len(self.state.drawn) - 1)
        if not isinstance(index, int) or not 0 <= index < len(self.state.drawn):
            raise Refusal("no_such_card", f"There is no card {index!r} in this round.")
        return index

    def tied_mains(self) -> list[Stake]:
        """Main stakes that the first cards left open and that no surrender or void has ended."""
        return [
            stake
            for stake in self.state.stakes
            if stake.zone == "main" and stake.live and stake.id not in self.state.booked
        ]

    def tied_main(self, box: int, player: str, settled_too: bool = False) -> Stake | None:
        for stake in self.state.stakes:
            if (stake.zone, stake.box, stake.player) == ("main", box, player) and stake.live:
                booked = self.state.booked.get(stake.id)
                if booked is None or (settled_too and booked.stage in ("surrender", "final")):
                    return stake
        return None

    def war_stakes(self) -> list[Stake]:
        return [stake for stake in self.state.stakes if stake.zone == "war" and stake.live and self._undecided(stake)]

    def _undecided(self, stake: Stake) -> bool:
        booked = self.state.booked.get(stake.id)
        return booked is None or booked.stage == "final"

    def war_stake(self, main: Stake) -> Stake | None:
        for stake in self.state.stakes:
            if (stake.zone, stake.box, stake.player) == ("war", main.box, main.player) and stake.live:
                return stake
        return None

    def choice(self, box: int, player: str) -> Choice | None:
        return betting.choice_for(self, box, player)

    def choice_of(self, main: Stake) -> str:
        choice = self.choice(main.box, main.player)
        return choice.choice if choice else ""

    def choose(self, box: int, player: str, answer: str) -> None:
        settling.choose(self, box, player, answer)

    def all_chosen(self) -> bool:
        """Every tied main stake goes to war with its stake laid; surrendered ones are tied no longer."""
        return all(self.choice_of(main) == "war" and self.war_stake(main) for main in self.tied_mains())

    # -- questions and rulings ---------------------------------------------------------------------------------

    def rule(self, what: str, answer: str, clauses: Clauses) -> None:
        """The table itself applies a clause."""
        self.ruled(what, answer, TABLE, clauses)

    def ruled(self, what: str, answer: str, by: Person, clauses: Clauses) -> None:
        self.state.rulings.append(Ruling(what, answer, by.id, clauses))
        self.desk.ruled(what, answer, by, clauses)

    def emit_settled(self, stage: str, results: tuple[WagerResult, ...]) -> None:
        self.desk.emit(Settled(self.table.state.round, stage, results))

    def asked(self, subject: str) -> Asked | None:
        """The first open question whose subject begins so."""
        prompts = self.table.state.desk.prompts.values()
        return next((asked for asked in prompts if asked.subject.startswith(subject)), None)

    def is_asked(self, subject: str) -> bool:
        prompts = self.table.state.desk.prompts
        return bool(prompts) and any(asked.subject == subject for asked in prompts.values())

    def open_questions(self) -> list[Asked]:
        """Questions that hold a round."""
        prompts = self.table.state.desk.prompts.values()
        quiet = ("choice", "silent", "surplus", "late", "cut", "sequence", "several", "unseen", "count")
        return [asked for asked in prompts if asked.subject.partition(":")[0] not in quiet]

    def withdraw_questions(self, *beginnings: str, only_stale: bool = False) -> None:
        """Take back questions that events have overtaken: those that begin so, or all of the round."""
        for asked in list(self.table.state.desk.prompts.values()):
            kind = asked.subject.partition(":")[0]
            if kind in STANDING or (beginnings and not asked.subject.startswith(beginnings)):
                continue
            if only_stale and kind in ("choice", "silent"):
                box, player = int(asked.evidence["box"]), str(asked.evidence["player"])
                if self.choice(box, player) is not None:
                    continue
            self.desk.withdraw(asked.subject)

    # -- what the table asks -----------------------------------------------------------------------------------

    def can(self, key: Key) -> bool:
        phase = self.machine.state
        if phase not in WHEN.get(key.name, (phase,)):
            return False
        match key.name:
            case "replace_cards":
                return not any(stake.live for stake in self.state.stakes)
            case "invalid_card":
                return self.rules.wagers.player_card
            case "fed":
                return self.state.source == "csm"
            case "house_chips":
                return self.config.war_method == "B"
            case _:
                return True

    def idle(self) -> bool:
        return self.machine.state in ("unchecked", "unshuffled", "uncut", "betting", "over", "blocked")

    def players_present(self) -> bool:
        return bool(self.state.arrivals)

    def opening_faults(self, at: int) -> list[Fault]:
        wrong = not_allowed(self.table.house.rulebook.id, self.config, self.table.state.limits)
        return [Fault("configuration", f"{one.text} ({one.clause})", "Correct the configuration.", at) for one in wrong]

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

    def desired(self) -> dict[str, dict[str, Any]]:
        """The gate of the card source is locked unless a card may be drawn."""
        place = self.source_place
        state = self.table.state
        if place not in state.devices:
            return {}
        drawing = self.table.playing and not state.faults and dealing.may_draw(self)
        lamp = "green" if drawing else "amber" if state.faults or self.machine.state == "ruling" else "red"
        key = (place, lamp)
        if key not in self._outputs:
            self._outputs[key] = self._gates(place, not drawing, lamp)
        return self._outputs[key]

    def _gates(self, place: str, locked: bool, lamp: str) -> dict[str, dict[str, Any]]:
        state = self.table.state
        found: dict[str, dict[str, Any]] = {place: {"locked": locked, "lamp": lamp}}
        for kind in ("shoe", "shuffler"):
            other = self.places.get(kind, "")
            if other and other != place and other in state.devices:
                found[other] = {"locked": True, "lamp": "off"}
        return found

    def save(self) -> bytes:
        return msgspec.json.encode(self.state)

    def restore(self, saved: bytes) -> None:
        self.state = msgspec.json.decode(saved, type=WarState)

    def sign(self) -> dict[str, Any]:
        odds = {"tie": self.rules.odds.tie}
        if self.column is not None:
            odds |= {"perfect": self.column.perfect, "coloured": self.column.coloured, "mixed": self.column.mixed}
        shown: dict[str, Any] = {"game": "Casino War", "decks": self.state.cards.decks, "odds": odds}
        if self.state.decks_coming is not None:
            shown["coming_decks"] = msgspec.to_builtins(self.state.decks_coming)
        if self.state.kept_minimum:
            shown["kept_minimums"] = self.state.kept_minimum
        return shown

    def view(self) -> dict[str, Any]:
        """What the screens show of the round; burned faces stay hidden."""
        state = self.state
        lying = dealing.card_places(self)
        hidden = ("shoe-burn", "war-burn", "round-burn", "next-round", "held")
        cards = [
            {"face": "" if place in hidden else card.face, "to": place}
            for card, place in zip(state.drawn, lying, strict=True)
        ]
        return {
            "state": self.machine.state,
            "next": dealing.expected(self),
            "cards": cards,
            "stakes": msgspec.to_builtins(state.stakes),
            "choices": msgspec.to_builtins(state.choices),
            "results": [
                {**msgspec.to_builtins(booked.result), "done": booked.done} for booked in state.booked.values()
            ],
            "players": list(state.arrivals),
            "at_box": {str(box): player for box, player in state.at_box.items()},
            "blocked": msgspec.to_builtins(state.blocked),
            "cutter": shoe.cutter(self)[0] if state.cut_place else "",
            "shuffle_due": bool(state.shuffle_due),
            "left": state.cards.total - state.cards.drawn,
        }
