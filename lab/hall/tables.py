"""Simulated tables of an event: take the hall's orders, play, and say what a table's journal would say."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from controller.tournament.terms import SessionTerms, Terms
from floor.hall.field import TableSaid
from floor.hall.state import Sent
from lab.hall.felt import round_of
from lab.hall.poker import PokerFelt


class SimulatedTable:
    """A table with a roster: banks, seats, moves that wait for the end of the round, and its own row numbers."""

    def __init__(self, name: str, terms: Terms, rng: random.Random) -> None:
        self.name, self._terms, self._rng = name, terms, rng
        self.journal = f"tablectl/{name.lower()}/simulated"
        self.outbox: list[TableSaid] = []
        self.banks: dict[str, int] = {}
        self.seats: dict[str, int] = {}
        self.session: SessionTerms | None = None
        self.scored = 0
        self.playing = False
        self.breaking = False
        self.in_round = False
        self.leaving: list[dict[str, Any]] = []
        self.expected: dict[int, dict[str, Any]] = {}
        self._seq = 0
        self._poker = PokerFelt(terms.rulebook, terms.bank.chips.smallest, rng) if terms.wagers.levels else None
        self._round = None if terms.wagers.levels else round_of(terms)

    def say(self, at: int, what: str, **facts: Any) -> None:
        self._seq += 1
        self.outbox.append(TableSaid(self.name, self.journal, self._seq, at, what, facts))

    def ledger(self, at: int, number: str, kind: str, units: int) -> None:
        """One row of a bank, which is the sum of its rows."""
        if units:
            self.banks[number] = self.banks.get(number, 0) + units
            self.say(at, "ledger", entrant=number, kind=kind, units=units, bank=self.banks[number])

    # -- orders --------------------------------------------------------------------------------------------------------

    def order(self, sent: Sent, id: str, at: int) -> None:
        """What the hall orders; moves wait for the end of the round, and in one no table is broken up."""
        refused = "A round is under way." if sent.kind == "tournament_break" and self.in_round else ""
        self.say(at, "order", id=id, kind=sent.kind, refused=refused)
        if refused:
            return
        kind, args = sent.kind.removeprefix("tournament_"), sent.args
        if kind == "designate":
            self.say(at, "designated")
        elif kind == "roster":
            self._roster(json.loads(args["payload"]), at)
        elif kind == "release":
            self.say(at, "released")
        elif kind == "move_in":
            coming = json.loads(args["payload"])
            self.expected[coming["ticket"]] = coming
        elif kind == "move_out":
            self.leaving.append(json.loads(args["payload"]))
        elif kind == "break":
            self.leaving += json.loads(args["payload"])["moves"]
            self.breaking = True

    def _roster(self, roster: dict[str, Any], at: int) -> None:
        self.session = next(one for one in self._terms.sessions if one.name == roster["session"])
        self.seats = {one["entrant"]: one["seat"] for one in roster["entrants"]}
        self.banks, self.scored, self.playing, self.breaking = {}, 0, True, False
        self.say(at, "roster", session=self.session.name, entrants=self.seats)
        for one in roster["entrants"]:
            fresh = self.session.bank == "fresh"
            self.ledger(
                at, one["entrant"], "start" if fresh else "carried", self._terms.bank.units if fresh else one["bank"]
            )
        self.say(at, "begun", session=self.session.name)

    # -- a round -------------------------------------------------------------------------------------------------------

    def can_play(self) -> bool:
        return self.playing and not self.breaking and len(self.seats) >= (2 if self._poker is not None else 1)

    def play(self, began: int, ended: int, blinds: tuple[int, int], again: Callable[[str], bool]) -> None:
        """One round from its beginning to its end, and what follows from it; `again` is asked who buys again."""
        before, self.in_round = dict(self.banks), False
        self.scored += 1
        if self._poker is not None:
            by_seat = {seat: number for number, seat in self.seats.items()}
            after = self._poker.play({seat: self.banks[number] for seat, number in by_seat.items()}, blinds)
            changes = {by_seat[seat]: units - self.banks[by_seat[seat]] for seat, units in after.items()}
        else:
            assert self._round is not None
            changes = self._round({number: self.banks[number] for number in self.seats}, self._compulsory(), self._rng)
        for number, units in changes.items():
            self.ledger(ended, number, "result", units)
        self.say(ended, "round", round=self.scored, scored=self.scored)
        for number in [one for one in self.seats if self._is_out(one)]:
            if again(number):
                assert self._terms.again.rebuy is not None
                self.ledger(ended, number, "rebuy", self._terms.again.rebuy.units)
                continue
            del self.seats[number]
            self.say(ended, "eliminated", entrant=number, began=began, before=before[number], round=self.scored,
                     scored=self.scored, bank=self.banks[number])  # fmt: skip

    def _compulsory(self) -> int:
        return self._terms.wagers.compulsory_at(self.scored) or self._terms.wagers.minimum

    def _is_out(self, number: str) -> bool:
        bank = self.banks[number]
        return not bank or (self._poker is None and bank < self._compulsory())

    def between(self, at: int) -> list[dict[str, Any]]:
        """Between rounds people go; those who left, with ticket and stack."""
        leaving, self.leaving = self.leaving, []
        left = []
        for move in leaving:
            number = move["entrant"]
            if number in self.seats:
                stack = self.banks[number]
                del self.seats[number]
                self.ledger(at, number, "moved_out", -stack)
                self.say(at, "released", entrant=number, ticket=move["ticket"], stack=stack, markers={}, used={})
                left.append({**move, "stack": stack})
        return left

    def take_in(self, ticket: int, stack: int, at: int) -> None:
        """Somebody arrives with a ticket that the hall has announced, and the chips are counted."""
        coming = self.expected.pop(ticket)
        self.seats[coming["entrant"]] = coming["seat"]
        self.say(at, "arrived", entrant=coming["entrant"], counted=stack, ticket=ticket)
        self.ledger(at, coming["entrant"], "moved_in", stack)

    def over(self) -> bool:
        """Whether the session is played out here, as far as this table knows."""
        assert self.session is not None
        return bool(self.session.rounds) and self.scored >= self.session.rounds

    def agree(self, at: int) -> None:
        """Counted and agreed with the Director."""
        self.playing = False
        self.say(at, "agreed", banks={number: self.banks[number] for number in self.seats}, scored=self.scored)
