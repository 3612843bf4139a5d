"""A second judge of Casino War, apart from the table's own: what the cards of a round make of every wager.

Written from the documents (Melbourne 5.6 to 5.9, Perth 3.5 to 3.16, Star 5.2, 8 and 10) with their odds; it shares
nothing with the rules of the table and reads no rulebook file, so that a slip in one of the two is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

RANKS = "23456789TJQKA"
RED = "DH"
TIE = A_BOMB = 10
PAIRS = {1: (30, 12, 5), 2: (25, 12, 5), 3: (30, 12, 5), 4: (30, 10, 5), 5: (25, 12, 6), 6: (25, 12, 5), 7: (25, 12, 6)}
"""Perth 3.16, by column: perfect, coloured, mixed."""


class House(NamedTuple):
    """Where the houses differ: odds of main and war stake when the second cards are equal, and what is rounded up."""

    equal: tuple[int, int]
    rounds_up: bool


HOUSES = {
    "melbourne-war": House((1, 1), True),
    "perth-war": House((1, 1), False),
    "star-war": House((0, 2), True),
}


class Stake(NamedTuple):
    """A stake as the record of a round holds it."""

    wager: str
    player: str
    box: int
    zone: str
    stage: str
    amount: int
    counted: int
    status: str


class Judged(NamedTuple):
    """How a wager must end: the result, and the odds where it wins."""

    result: str
    odds: int = 0


class WarJudge:
    """Judges rounds of one house; `column` is the payout column of Perfect Pairs, `chip` the smallest chip in cents."""

    def __init__(self, rulebook: str, column: int | None, chip: int) -> None:
        self._house = HOUSES[rulebook]
        self._pairs = PAIRS[column] if column else None
        self._chip = chip

    def problems(self, facts: dict[str, Any]) -> list[str]:
        """What is wrong with the record of a round that counted; a stake handed back or voided is not judged."""
        first, second = _cards(facts["to"], facts["cards"])
        at_war = {(box, player) for box, player, choice in facts["choices"] if choice == "war"}
        results = {wager: (result, pays, taken, left) for wager, result, pays, taken, left in facts["results"]}
        problems = []
        for stake in (Stake(*one) for one in facts["stakes"]):
            found = results.get(stake.wager)
            if found is None and stake.status == "live":
                problems.append(f"{stake.wager} was never settled")
            if found is None or found[0] not in ("win", "lose", "standoff", "surrender"):
                continue
            judged = self._judge(stake, first, second, (stake.box, stake.player) in at_war)
            if judged is None:
                problems.append(f"{stake.wager} is settled {found[0]} without its cards")
            elif not self._agrees(stake, judged, found):
                problems.append(f"{stake.wager} of {stake.counted} is settled {found}, the cards make it {judged}")
        return problems

    def _judge(self, stake: Stake, first: dict[str, str], second: dict[str, str], at_war: bool) -> Judged | None:
        cards = second if stake.stage == "war" else first
        mine, dealers = cards.get(f"box{stake.box}"), cards.get("dealer")
        if mine is None or (dealers is None and stake.zone != "a_bomb"):
            return None
        if stake.zone == "a_bomb":
            return Judged("win", A_BOMB) if mine[0] == "A" else Judged("lose")
        assert dealers is not None
        if stake.zone == "perfect_pairs":
            return self._pair(mine, dealers)
        higher = RANKS.index(mine[0]) - RANKS.index(dealers[0])
        if stake.zone == "tie":
            return Judged("lose") if higher else Judged("win", TIE)
        if stake.zone == "main" and (higher or not at_war):
            return Judged("win", 1) if higher > 0 else Judged("lose") if higher else Judged("surrender")
        return self._at_war(stake, second)

    def _at_war(self, stake: Stake, second: dict[str, str]) -> Judged | None:
        mine, dealers = second.get(f"box{stake.box}"), second.get("dealer")
        if mine is None or dealers is None:
            return None
        higher = RANKS.index(mine[0]) - RANKS.index(dealers[0])
        if higher < 0:
            return Judged("lose")
        main, war = (0, 1) if higher else self._house.equal
        odds = main if stake.zone == "main" else war
        return Judged("win", odds) if odds else Judged("standoff")

    def _pair(self, mine: str, dealers: str) -> Judged | None:
        if self._pairs is None:
            return None
        if mine[0] != dealers[0]:
            return Judged("lose")
        perfect, coloured, mixed = self._pairs
        if mine[1] == dealers[1]:
            return Judged("win", perfect)
        return Judged("win", coloured if (mine[1] in RED) == (dealers[1] in RED) else mixed)

    def _agrees(self, stake: Stake, judged: Judged, found: tuple[str, int, int, int]) -> bool:
        result, pays, taken, left = found
        if result != judged.result or taken + left != stake.amount:
            return False
        if result == "surrender":
            # Half of it; an odd half is a chip more or less as the house reads it.
            return not pays and abs(2 * taken - stake.counted) < 2 * self._chip
        due = stake.counted * judged.odds
        if self._house.rounds_up:
            due = -(-due // self._chip) * self._chip
        return (pays, taken) == (due, stake.counted if result == "lose" else 0)


def _cards(to: Sequence[str], cards: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The first and the second card of every place."""
    first: dict[str, str] = {}
    second: dict[str, str] = {}
    for place, face in zip(to, cards, strict=True):
        (second if place in first else first)[place] = face
    return first, second
