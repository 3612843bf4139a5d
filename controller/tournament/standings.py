"""Who stands before whom: by bank, by the moment of going out, and where the terms leave two of them equal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

import msgspec

Group = tuple[str, ...]
"""Entrants that nothing tells apart, by their numbers."""
Order = tuple[Group, ...]
"""From the best to the last."""


def by_bank(banks: Mapping[str, int]) -> Order:
    """The largest bank first; equal banks stand together (T-31)."""
    ranked = sorted(banks, key=lambda entrant: (-banks[entrant], entrant))
    return tuple(tuple(group) for _, group in groupby(ranked, key=lambda entrant: banks[entrant]))


def flat(order: Order) -> tuple[str, ...]:
    return tuple(entrant for group in order for entrant in group)


def places(order: Order, first: int = 1) -> dict[str, int]:
    """The place of each; equals have the best of the places they fill."""
    found: dict[str, int] = {}
    for group in order:
        found |= dict.fromkeys(group, first)
        first += len(group)
    return found


class Cut(msgspec.Struct, frozen=True):
    """Who goes on for certain, and who is equal where the line falls, with the places that are left for them."""

    through: tuple[str, ...]
    equal: Group = ()
    left: int = 0

    @property
    def decided(self) -> bool:
        return not self.equal


def cut(order: Order, number: int) -> Cut:
    """The best so many; a group that the line goes through is left to the tie rule."""
    through: list[str] = []
    for group in order:
        room = number - len(through)
        if room <= 0:
            break
        if len(group) > room:
            return Cut(tuple(through), group, room)
        through += group
    return Cut(tuple(through))


def last_of(order: Order) -> Group:
    """Whom a rule that takes the lowest means: one, or those who are equal there."""
    return order[-1] if order else ()


def broken(order: Order, group: Group, decided: Sequence[str]) -> Order:
    """The order once something has told this group apart; ValueError where it told of somebody else."""
    if sorted(decided) != sorted(group):
        raise ValueError(f"{', '.join(decided)} is no order of {', '.join(group)}")
    return tuple(one for each in order for one in (((entrant,) for entrant in decided) if each == group else (each,)))


def broken_by(order: Order, group: Group, banks: Mapping[str, int]) -> Order:
    """The order once a play-off, an earlier bank or drawn cards gave each of this group a number; equals stay so."""
    apart = by_bank({entrant: banks[entrant] for entrant in group})
    return tuple(one for each in order for one in (apart if each == group else (each,)))


def open_ties(order: Order, paid: int, share: bool) -> tuple[Group, ...]:
    """Groups that must still be told apart before prizes are listed: those that reach a paid place (T-31)."""
    if share:
        return ()
    found, before = [], 0
    for group in order:
        if len(group) > 1 and before < paid:
            found.append(group)
        before += len(group)
    return tuple(found)


# -- going out one after the other -------------------------------------------------------------------------------------


class Out(msgspec.Struct, frozen=True):
    """Somebody who went out: where, in which round, from when to when it lasted, and the stack it began with."""

    entrant: str
    table: str
    round: int
    began: int
    ended: int
    before: int


class Doubt(msgspec.Struct, frozen=True):
    """Who went out at tables whose hands overlapped, so that the Director says who stands before whom (T-32)."""

    entrants: Group


class Outs(msgspec.Struct, frozen=True):
    """The order of all who are out, the best first, and what is in doubt about it."""

    order: Order
    doubts: tuple[Doubt, ...] = ()


def order_of_going(
    outs: Iterable[Out],
    *,
    by_stack: bool = True,
    across: bool = False,
    skew_ms: int = 0,
    decided: Mapping[Group, Sequence[str]] | None = None,
) -> Outs:
    """All who are out, the last one to go first; who went in the same hand stands by the stack it began with.

    Hands of two tables that overlapped by more than their clocks may differ count as the same hand; stacks of different
    tables are compared only where the terms say so (`across`), else the Director's order is taken from `decided`.
    """
    order: list[Group] = []
    doubts: list[Doubt] = []
    for together in reversed(_together(sorted(outs, key=lambda one: (one.ended, one.table, one.entrant)), skew_ms)):
        one_table = len({(one.table, one.round) for one in together}) == 1
        group = tuple(sorted(one.entrant for one in together))
        if one_table or across:
            stacks = {one.entrant: one.before for one in together}
            order += by_bank(stacks) if by_stack else (group,)
        elif decided and group in decided:
            order += [(entrant,) for entrant in decided[group]]
        else:
            order.append(group)
            doubts.append(Doubt(group))
    return Outs(tuple(order), tuple(doubts))


def _together(outs: Sequence[Out], skew_ms: int) -> list[list[Out]]:
    """Runs of what counts as the same hand, the earliest first."""
    runs: list[list[Out]] = []
    for out in outs:
        if runs and any(_same(out, other, skew_ms) for other in runs[-1]):
            runs[-1].append(out)
        else:
            runs.append([out])
    return runs


def _same(one: Out, other: Out, skew_ms: int) -> bool:
    if one.table == other.table:
        return one.round == other.round
    return min(one.ended, other.ended) - max(one.began, other.began) > skew_ms
