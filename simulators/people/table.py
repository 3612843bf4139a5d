"""What people at a table can see and do, whatever plays the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import msgspec


class Question(msgspec.Struct, frozen=True):
    """Something the table asks; each answer with the rank it needs and whether a reason must be told."""

    id: str
    subject: str
    proposal: str
    answers: tuple[tuple[str, int, bool], ...]
    evidence: dict[str, Any] = {}

    def answered(self, wanted: str) -> tuple[int, dict[str, Any]]:
        """The rank that answers, and what is pressed: the wanted answer where it is one, else the first."""
        ways = {answer: (rank, reason) for answer, rank, reason in self.answers}
        answer = wanted if wanted in ways else self.answers[0][0]
        rank, needs_reason = ways[answer]
        args = {"prompt": self.id, "answer": answer}
        if needs_reason:
            args["reason"] = "looked at by a supervisor"
        return rank, args


class Due(msgspec.Struct, frozen=True):
    """What the table says is owed on one bet."""

    player: str
    bet: str
    result: str
    pays: int
    stake_taken: int
    stake_returned: int
    wager: str = ""


class CarriedOut:
    """What of the table's settlements chips have followed, so that each is carried out once."""

    def __init__(self) -> None:
        self._done: dict[str, tuple[int, int]] = {}

    def left(self, dues: Iterable[Due]) -> list[tuple[Due, int, int]]:
        """What is still to be taken and to be paid on each bet; what was settled and taken back goes the other way."""
        found = []
        for due in dues:
            before = self._done.get(due.wager, (0, 0))
            taken, pays = due.stake_taken - before[0], due.pays - before[1]
            if taken or pays:
                found.append((due, max(taken, 0) + max(-pays, 0), max(pays, 0) + max(-taken, 0)))
                self._done[due.wager] = (due.stake_taken, due.pays)
        return found

    def early(self, wager: str, taken: int, pays: int) -> None:
        """So much was taken and paid before the table has said so."""
        self._done[wager] = (taken, pays)

    def forget(self) -> None:
        """Another round begins."""
        self._done = {}


class Screen(Protocol):
    """The dealer's screen as a person uses it."""

    def life(self) -> str:
        """Closed, opening, open, closing or suspended."""

    def state(self) -> str:
        """Where the round stands."""

    def questions(self) -> list[Question]:
        """What waits for an answer."""

    def dues(self) -> list[Due]:
        """What is owed once the result stands."""

    def press(self, key: str, rank: int, args: Mapping[str, Any] | None = None) -> None:
        """Press a key as somebody of this rank."""
