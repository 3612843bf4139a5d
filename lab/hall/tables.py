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

Say = Callable[[TableSaid], None]


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
        self.waiting: list[tuple[str, dict[str, Any]]] = []
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
        """What the hall orders; moves and chips wait for the end of the round."""
        self.say(at, "order", id=id, kind=sent.kind)
        kind, args = sent.kind.removeprefix("tournament_"), sent.args
        if kind == "designate":
            self.say(at, "designated")
        elif kind == "roster":
            self._roster(json.loads(args["payload"]), at)
        elif kind == "release":
            self.say(at, "released")
        elif kind == "move_in":
            self.expected[int(args["number"])] = args
        elif kind in ("move_out", "rebuy", "add_on", "leave", "back_in"):
            self.waiting.append((kind, args))
        elif kind == "call_off":
            self.expected.pop(int(args["ticket"]), None)
        elif kind == "break":
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

    @property
    def still_in(self) -> list[str]:
        return [number for number in self.seats if self.banks.get(number, 0) > 0]

    def can_play(self) -> bool:
        return self.playing and not self.breaking and len(self.seats) >= (2 if self._poker is not None else 1)

    def play(self, began: int, ended: int, blinds: tuple[int, int]) -> None:
        """One round from its beginning to its end, and what follows from it."""
        before = dict(self.banks)
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
        self.say(ended, "round", scored=self.scored)
        for number in [one for one in self.seats if self._is_out(one)]:
            del self.seats[number]
            self.say(ended, "eliminated", entrant=number, began=began, before=before[number], round=self.scored,
                     scored=self.scored, bank=self.banks[number])  # fmt: skip

    def _compulsory(self) -> int:
        return self._terms.wagers.compulsory_at(self.scored) or self._terms.wagers.minimum

    def _is_out(self, number: str) -> bool:
        bank = self.banks[number]
        return not bank or (self._poker is None and bank < self._compulsory())

    def between(self, at: int) -> list[tuple[int, dict[str, Any], int]]:
        """Between rounds: chips come in, people go; those who left, with ticket and stack."""
        left = []
        waiting, self.waiting = self.waiting, []
        for kind, args in waiting:
            number = args["entrant"]
            if kind == "move_out" and number in self.seats:
                stack = self.banks.pop(number)
                del self.seats[number]
                self.say(at, "moved_out", ticket=args["number"], entrant=number, stack=stack)
                left.append((int(args["number"]), args, stack))
            elif kind in ("rebuy", "add_on"):
                self.seats.setdefault(number, args.get("seat", 0))
                self.banks.setdefault(number, 0)
                self.ledger(at, number, kind, args["units"])
            elif kind == "leave" and number in self.seats:
                del self.seats[number]
                self.ledger(at, number, "removed", -self.banks[number])
        return left

    def take_in(self, ticket: int, stack: int, at: int) -> None:
        """Somebody arrives with a ticket that the hall has announced."""
        args = self.expected.pop(ticket)
        self.seats[args["entrant"]] = args["to_seat"]
        self.banks[args["entrant"]] = stack
        self.say(at, "moved_in", ticket=ticket, entrant=args["entrant"], stack=stack)

    def over(self) -> bool:
        """Whether the session is played out here, as far as this table knows."""
        assert self.session is not None
        return bool(self.session.rounds) and self.scored >= self.session.rounds

    def agree(self, at: int) -> None:
        """Counted and agreed with the Director."""
        self.playing = False
        self.say(at, "agreed", banks={number: self.banks[number] for number in self.seats}, scored=self.scored)
