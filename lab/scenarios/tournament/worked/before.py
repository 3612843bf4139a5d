"""How a case comes to where it begins: by play, in which every entrant wins and loses what brings the bank there."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

SUITS = "SHDC"


class NoWay(Exception):
    """No lawful play leads there."""


def stakes(change: int, rounds: int, least: int, most: int) -> list[int]:
    """So many stakes, won (above zero) or lost, which together make this change; what is won comes first."""
    found: list[int] = []
    for left in range(rounds, 0, -1):
        toward = 1 if change >= 0 else -1
        size = abs(change)
        ways = (min(size, most), size - least, size + least, least, -least, 2 * least)
        wanted = [toward * way for way in ways]
        fits = [one for one in wanted if least <= abs(one) <= most and _possible(change - one, left - 1, least, most)]
        if not fits:
            raise NoWay(f"{rounds} rounds with stakes from {least:,} to {most:,} cannot change a bank by {change:,}")
        found.append(fits[0])
        change -= fits[0]
    if change:
        raise NoWay(f"a bank that is to change by {change:,} takes a round")
    return sorted(found, reverse=True)


def _possible(change: int, rounds: int, least: int, most: int) -> bool:
    if rounds == 0:
        return change == 0
    if rounds == 1:
        return least <= abs(change) <= most
    return abs(change) <= rounds * most


def in_rounds(changes: Mapping[str, int], rounds: int | None, least: int, most: int) -> list[dict[str, int]]:
    """For each round what everybody wins or loses; as few rounds as will do where their number is not said."""
    if rounds is None:
        if not any(changes.values()):
            return []
        for few in range(1, 40):
            try:
                return in_rounds(changes, few, least, most)
            except NoWay:
                continue
        raise NoWay(f"no forty rounds bring banks where they are given: {dict(changes)}")
    each = {number: stakes(change, rounds, least, most) for number, change in changes.items()}
    return [{number: sums[at] for number, sums in each.items()} for at in range(rounds)]


def hands_before(
    seats: Sequence[int], button: int, wanted: Mapping[str, int], after: int, big_blind: Sequence[int] = ()
) -> tuple[int, list[str]]:
    """So many hands are folded first, and in which order stacks are brought where they are to be: nobody whose stack is
    right already may have a blind in a hand before the case's own begins; `big_blind` are to have it in that one.
    """
    for empty, order in itertools.product(range(len(seats) + 1), itertools.permutations(wanted)):
        done: set[int] = set()
        right = True
        for hand in range(empty, empty + len(order) + after):
            at = hand - empty
            if at < len(order):
                done.add(wanted[order[at]])
            others = done - ({wanted[order[at]]} if at < len(order) else set())
            right = right and not others & set(blinds(seats, button, hand + 1))
        last = blinds(seats, button, empty + len(order) + after + 1)
        if right and all(seat == last[1] for seat in big_blind):
            return empty, list(order)
    raise NoWay(f"blinds would always change one of the stacks of {', '.join(wanted)}")


def blinds(seats: Sequence[int], button: int, hand: int) -> tuple[int, int]:
    """Small and big blind of so many hands after the one whose button this was."""
    order = sorted(seats)
    at = next((number for number, seat in enumerate(order) if seat > button), 0) + hand - 1
    if len(order) == 2:
        return order[at % 2], order[(at + 1) % 2]
    return order[(at + 1) % len(order)], order[(at + 2) % len(order)]


class Cards:
    """Cards that win or lose, none of them oftener than six decks have it."""

    def __init__(self) -> None:
        self._high = itertools.cycle(itertools.product("KQJTA", SUITS))
        self._low = itertools.cycle(itertools.product("23456", SUITS))
        self._dealer = itertools.cycle(itertools.product("789", SUITS))

    def beats(self) -> str:
        return "".join(next(self._high))

    def loses(self) -> str:
        return "".join(next(self._low))

    def dealer(self) -> str:
        return "".join(next(self._dealer))
