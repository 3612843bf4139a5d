"""The table as every part of the game sees it: its rules, what it knows, its machine, and what can be asked of them."""

from __future__ import annotations

from typing import Any

from controller.core.desk import Refusal, spoken
from controller.core.effects import Asked
from controller.core.machine import StrictMachine
from controller.core.questions import Questions
from controller.core.table import Table
from controller.games.war.composition import Composition
from controller.games.war.config import WarConfig, rules_for
from controller.games.war.layout import layout_of
from controller.games.war.rules import Clauses, Column, Remedy
from controller.games.war.state import RULABLE, WAITING, Decided, Ruling, Shoe, Supply, WarState
from controller.people import TABLE, Person

SOURCES = {"shoe": "shoe", "csm": "shuffler"}
"""The kind of device that cards come from."""


class War:
    """One table of Casino War; what a change of state brings with it, its subclass says."""

    machine: StrictMachine
    questions: Questions[Any]

    def __init__(self, table: Table, config: WarConfig, places: dict[str, str] | None = None) -> None:
        """`places` says where each kind of device stands, where that is not a place of its own name."""
        self.table = table
        self.desk = table.desk
        self.money = table.money
        self.config = config
        self.rules = rules_for(table.house.rulebook.edition, config)
        cards, chosen = Shoe(Composition(config.decks)), Decided(share_most=config.share_most)
        self.state = WarState(cards, Supply(config.source), chosen)
        self.places = places or {"shoe": "shoe", "shuffler": "shuffler", "chips": "chips"}
        self.layout = layout_of(self.rules, config)
        self._outputs: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}

    @property
    def part(self) -> str:
        """The part of the round that is played, or that stands still for a ruling or a shuffle."""
        return self.machine.interrupted_from or self.machine.state

    @property
    def column(self) -> Column | None:
        """The Perfect Pairs odds in force."""
        return self.rules.column(self.state.house.column or self.config.column)

    @property
    def chip(self) -> int:
        return self.table.state.limits.smallest_chip

    @property
    def source_place(self) -> str:
        """Where the device stands that cards come from now."""
        return self.places.get(SOURCES[self.state.supply.source], "")

    @property
    def sees_chips(self) -> bool:
        """Whether antennas tell what lies on the layout, so that take and pay can be held against it."""
        return self.places.get("chips") in self.table.state.devices

    def areas(self) -> dict[str, int]:
        """The area that the chips of each wager of the round lie on."""
        return {stake.id: self.layout.area(stake.box, stake.zone) or 0 for stake in self.state.round.stakes}

    def card_index(self, card: int | None) -> int:
        """A card of the round by its number; the last one when none is told."""
        index = len(self.state.round.drawn) - 1 if card is None else card
        if not 0 <= index < len(self.state.round.drawn):
            raise Refusal("no_such_card", f"There is no card {spoken(index)} in this round.")
        return index

    # -- questions and rulings ---------------------------------------------------------------------------------

    def rule(self, what: str, answer: str, clauses: Clauses) -> None:
        """The table itself applies a clause."""
        self.ruled(what, answer, TABLE, clauses)

    def ruled(self, what: str, answer: str, by: Person, clauses: Clauses) -> None:
        self.state.round.rulings.append(Ruling(what, answer, by.id, clauses))
        self.desk.ruled(what, answer, by, clauses)

    def may(self, by: Person, remedy: Remedy) -> bool:
        """Whether this person may rule at once."""
        return by.rank >= self.table.house.power(remedy.power).rank

    def ask(self, subject: str, about: Any = None) -> None:
        """Put a question of this kind to people."""
        self.questions.ask(self, subject, about)

    def hold(self, subject: str = "", about: Any = None) -> None:
        """The round stands still until somebody rules; outside a round nothing can be held, and it is only asked."""
        if self.machine.can("irregular"):
            self.machine.fire("irregular", subject, about)
        elif subject:
            self.ask(subject, about)

    def asked(self, subject: str) -> Asked | None:
        """The first open question whose subject begins so."""
        prompts = self.table.state.desk.prompts.values()
        return next((asked for asked in prompts if asked.subject.startswith(subject)), None)

    @property
    def stopped_by(self) -> Refusal | None:
        """What is known that keeps the table from dealing, paying and calling for bets; none where nothing is."""
        if self.unanswered is not None:
            return self.unanswered
        supply, over = self.state.supply, self.machine.state == "over"
        if supply.blocked is not None and supply.blocked.needs and not over:
            text = f"{supply.blocked.why} Still needed: {', '.join(supply.blocked.needs)}."
            return Refusal("cards_blocked", text, self.rules.remedies["wrong_deck"].clauses)
        if supply.check_due and not (self.state.round.started and self.machine.state in RULABLE):
            text = "A check of all cards was ordered; have them read and enter what was found."
            return Refusal("check_due", text, (self.table.house.power("order_check").clause,))
        return None

    @property
    def unanswered(self) -> Refusal | None:
        """The open question that stops play, or the next round."""
        for asked in self.table.state.desk.prompts.values():
            kind = self._kind(asked)
            if kind.stops_play or (kind.stops_next_round and self.machine.state == "over"):
                code = f"{asked.subject.partition(':')[0]}_open"
                return Refusal(code, f"First answer what is asked: {asked.text}", asked.clauses)
        return None

    def is_asked(self, subject: str) -> bool:
        prompts = self.table.state.desk.prompts
        return bool(prompts) and any(asked.subject == subject for asked in prompts.values())

    def _kind(self, asked: Asked) -> Any:
        return self.questions.of(asked)

    def open_questions(self) -> list[Asked]:
        """Questions that hold a round."""
        prompts = self.table.state.desk.prompts.values()
        return [asked for asked in prompts if self._kind(asked).holds_round]

    def withdraw_questions(self, *beginnings: str, only_stale: bool = False) -> None:
        """Take back questions that events have overtaken: those that begin so, or all of the round."""
        for asked in list(self.table.state.desk.prompts.values()):
            if self._kind(asked).outlives_round or (beginnings and not asked.subject.startswith(beginnings)):
                continue
            if only_stale:
                box, player = int(asked.evidence["box"]), str(asked.evidence["player"])
                if self.state.round.choice(box, player) is not None:
                    continue
            self.desk.withdraw(asked.subject)

    # -- the gate of the card source -----------------------------------------------------------------------------

    def may_draw(self) -> bool:
        """Whether the dealer may draw now; where betting closes by call, not before the call."""
        phase, round_ = self.machine.state, self.state.round
        if self.stopped_by is not None:
            return False
        if phase in WAITING:
            return round_.filled() < len(round_.slots)
        if phase == "closed" or (phase == "betting" and self.rules.wagers.close != "call"):
            return any(stake.dealt for stake in round_.stakes) and self.table.no_round() is None
        return False

    def desired(self) -> dict[str, dict[str, Any]]:
        """The gate of the card source is locked unless a card may be drawn."""
        place = self.source_place
        state = self.table.state
        if place not in state.devices:
            return {}
        drawing = self.table.playing and not state.faults and self.may_draw()
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
