"""Settling a spin: every wager paid, taken or handed back to the cent, with its clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from controller.core.desk import Limits
from controller.core.effects import WagerResult
from controller.games.wheel.rules import WheelOption


class Wager(msgspec.Struct, frozen=True):
    """One owner's money on one symbol; an empty owner means nobody has said whose cash chips these are."""

    owner: str
    symbol: str
    cents: int

    @property
    def id(self) -> str:
        return f"{self.owner or 'unassigned'}/{self.symbol}"


class Standing(msgspec.Struct, frozen=True):
    """What is known of the players when a spin is settled."""

    advised: frozenset[str] = frozenset()
    voided: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()
    withheld: frozenset[str] = frozenset()


NOTHING_AGAINST_ANYBODY = Standing()
VOID = ("9.2.1", "1.1 'Void'")


class Settlement(msgspec.Struct, frozen=True):
    """The results, and whom to advise that further wagers under the minimum will be handed back (4.2.1)."""

    results: tuple[WagerResult, ...]
    advise: tuple[str, ...]


def rounded_up(cents: int, smallest_chip: int) -> int:
    """The next amount that the smallest chip the float is set up with makes, whether one is left or not (4.2.3)."""
    return -(-cents // smallest_chip) * smallest_chip


def settle(
    option: WheelOption,
    winner: str,
    wagers: Iterable[Wager],
    limits_of: Callable[[str, str], Limits],
    standing: Standing = NOTHING_AGAINST_ANYBODY,
) -> Settlement:
    """Decide every wager of a valid spin."""
    results = []
    advise: list[str] = []
    for wager in wagers:
        limits = limits_of(wager.owner, wager.symbol)
        if wager.owner in standing.voided:
            results.append(_back(wager, "void", VOID))
        elif wager.owner in standing.excluded:
            results.append(_back(wager, "returned", ("9.2.2",)))
        elif wager.cents < limits.least and wager.owner in standing.advised:
            results.append(_back(wager, "returned", ("4.2.1",)))
        else:
            if wager.cents < limits.least and wager.owner not in advise:
                advise.append(wager.owner)
            withheld = wager.owner in standing.withheld
            results.append(_decide(option, winner, wager, limits, withheld))
    return Settlement(tuple(results), tuple(advise))


def _decide(
    option: WheelOption,
    winner: str,
    wager: Wager,
    limits: Limits,
    withheld: bool,
) -> WagerResult:
    counted = min(wager.cents, limits.most)
    surplus = wager.cents - counted
    clauses: tuple[str, ...] = ("4.2.2",) if surplus else ()
    if wager.cents < limits.least:
        clauses = ("4.2.1", *clauses)
    if wager.symbol != winner:
        return WagerResult(
            wager.id,
            wager.owner,
            wager.symbol,
            "lose",
            0,
            counted,
            surplus,
            (option.symbol(winner).pay_clause, "3.6.1", *clauses),
        )
    symbol = option.symbol(winner)
    due = counted * symbol.odds
    pays = rounded_up(due, limits.smallest_chip)
    if pays != due:
        clauses = ("4.2.3", *clauses)
    if withheld:
        clauses = ("9.2.3", *clauses)
    return WagerResult(
        wager.id,
        wager.owner,
        wager.symbol,
        "win",
        pays,
        0,
        wager.cents,
        (symbol.pay_clause, "3.6.2", *clauses),
        withheld,
    )


def refund(wagers: Iterable[Wager], clauses: tuple[str, ...]) -> tuple[WagerResult, ...]:
    """Hand every wager of an invalidated spin back in full (9.5)."""
    return tuple(_back(wager, "returned", clauses) for wager in wagers)


def voided(result: WagerResult) -> WagerResult:
    """A settled wager that is declared void: its stake goes back, and nothing is won or lost (9.2.1)."""
    stake = result.stake_taken + result.stake_returned
    return WagerResult(result.wager, result.player, result.bet, "void", 0, 0, stake, VOID)


def late_back(wagers: Iterable[Wager]) -> tuple[WagerResult, ...]:
    """Hand back chips that came after betting was closed; they are no wagers (3.2, 3.3, 3.7)."""
    return tuple(_back(wager, "returned", ("3.2", "3.3", "3.7")) for wager in wagers)


def _back(wager: Wager, result: str, clauses: tuple[str, ...]) -> WagerResult:
    return WagerResult(wager.id, wager.owner, wager.symbol, result, 0, 0, wager.cents, clauses)
