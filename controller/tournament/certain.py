"""What is certain before a session ends: the best that those behind can reach against the worst of those through."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Protocol

import msgspec

from controller import games
from controller.rules.rulebook import load_rulebook
from controller.tournament.standings import by_bank, cut
from controller.tournament.terms import Terms


class Reach(Protocol):
    """How far one round can move a bank, by a game's own rules; both bounds grow with the bank."""

    def best(self, bank: int, most: int) -> int:
        """The largest bank after one round, with stakes chosen freely up to the maximum."""
        ...

    def worst(self, bank: int, most: int) -> int:
        """The smallest bank after one round."""
        ...


def reach_of(terms: Terms) -> Reach | None:
    """What a round of this event's game can do to a bank; None where stacks pass between players."""
    module = games.reach(load_rulebook(terms.rulebook).game)
    found: Reach | None = module.reach(terms.rulebook, terms.game) if module is not None else None
    return found


class Situation(msgspec.Struct, frozen=True):
    """A table in the midst of a session; `bring` are units a re-buy marker brings, `markers` who has how many left.

    `returning` are those who may still come back with the stated bank.
    """

    banks: Mapping[str, int]
    through: int
    rounds: int
    most: int
    compulsory: int = 0
    bring: int = 0
    markers: Mapping[str, int] = {}
    returning: Collection[str] = ()


class Certainty(msgspec.Struct, frozen=True):
    """Whether those who go on are determined (n.4.8(d)(i)), and the bound that proves it or leaves it open."""

    certain: bool
    why: str
    through: tuple[str, ...] = ()


def best_after(reach: Reach, now: Situation, entrant: str) -> int:
    """The most this entrant can have at the end, re-buy markers counted in."""

    @cache
    def best(bank: int, rounds: int, markers: int) -> int:
        if markers and bank < now.compulsory:
            return best(bank + now.bring, rounds, markers - 1)
        if not rounds:
            return bank
        played = best(reach.best(bank, now.most), rounds - 1, markers)
        low = reach.worst(bank, now.most)
        if not markers or low >= now.compulsory:
            return played
        # Losing down to just below the compulsory wager brings a fresh bank: the best of two ways is what can be had.
        return max(played, best(max(low, min(bank, now.compulsory - 1)) + now.bring, rounds - 1, markers - 1))

    return best(now.banks[entrant], now.rounds, now.markers.get(entrant, 0))


def worst_after(reach: Reach, now: Situation, entrant: str) -> int:
    """The least this entrant can have at the end."""
    bank = now.banks[entrant]
    for _ in range(now.rounds):
        bank = reach.worst(bank, now.most)
    return bank


def by_reach(reach: Reach, now: Situation) -> Certainty:
    """Whether nobody behind can reach the worst of those who would go on (T-13)."""
    line = cut(by_bank(now.banks), now.through)
    if not line.decided:
        return Certainty(False, f"{' and '.join(line.equal)} are equal, and {line.left} of them would go on")
    if now.returning:
        return Certainty(False, f"{', '.join(now.returning)} may still come back")
    worsts = {entrant: worst_after(reach, now, entrant) for entrant in line.through}
    bests = {entrant: best_after(reach, now, entrant) for entrant in now.banks if entrant not in line.through}
    if not bests:
        return Certainty(True, "nobody else is left at this table", line.through)
    last, chaser = min(worsts, key=lambda one: (worsts[one], one)), max(bests, key=lambda one: (bests[one], one))
    reaches = f"{chaser} can reach {bests[chaser]:,}"
    if bests[chaser] < worsts[last]:
        return Certainty(True, f"{reaches}; {last} cannot fall below {worsts[last]:,}", line.through)
    return Certainty(False, f"{reaches}; {last} can fall to {worsts[last]:,}")


def by_number(left: Collection[str], through: int, rebuy_open: bool) -> Certainty:
    """Where stacks pass between players: certain only when as many are left as go on and nobody can come back."""
    if rebuy_open:
        return Certainty(False, "a re-buy is still open")
    if len(left) > through:
        return Certainty(False, f"{len(left)} are left and {through} go on")
    return Certainty(True, f"{len(left)} are left, and as many go on", tuple(sorted(left)))
