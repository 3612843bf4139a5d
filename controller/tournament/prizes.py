"""The prize pool, to the last dollar: its split by place, who moves up, who shares, and what a deal may change."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from controller.tournament.standings import Order
from controller.tournament.terms import CashRate, Prizes


class Paid(msgspec.Struct, frozen=True):
    """What entrants have paid in all, in cents, less what they got back."""

    entry_fees: int = 0
    buy_ins: int = 0
    again: int = 0  # re-buys, add-ons and buy-backs

    @property
    def all(self) -> int:
        return self.entry_fees + self.buy_ins + self.again


def pool(prizes: Prizes, paid: Paid) -> int:
    """What is there to be won, in cents: the stated pool and what the terms add to it of what was paid."""
    added = {"": 0, "entry_fees": paid.entry_fees, "buy_ins": paid.buy_ins + paid.again, "all_paid": paid.all}
    return max(prizes.pool + added[prizes.made_of], prizes.guarantee)


def by_place(prizes: Prizes, amount: int, winners: int) -> tuple[int, ...]:
    """The prize of each place, in cents and whole units; with fewer winners than prizes, what is over is not lost.

    What cannot be split in whole units goes by the stated rule, so that the sum is the pool (T-33).
    """
    shares = prizes.split[:winners]
    if not shares:
        return ()
    whole = [amount * share // 100 // prizes.unit * prizes.unit for share in shares]
    whole[0 if prizes.odd == "first" else -1] += amount - sum(whole)
    return tuple(whole)


def awarded(prizes: Prizes, amount: int, order: Order, barred: Collection[str] = ()) -> dict[str, int]:
    """What each entrant wins, in cents.

    Who is barred has a place and no prize, and everybody eligible below moves up (T-30); equals share the prizes of the
    places they fill, and what a share leaves over goes to the first who stands alone.
    """
    eligible = tuple(group for each in order if (group := tuple(one for one in each if one not in barred)))
    amounts = by_place(prizes, amount, sum(len(group) for group in eligible))
    won: dict[str, int] = {}
    over = at = 0
    for group in eligible:
        theirs = sum(amounts[at : at + len(group)])
        at += len(group)
        if not theirs:
            continue
        each = theirs // len(group) // prizes.unit * prizes.unit
        won |= {entrant: each for entrant in group if each}
        over += theirs - each * len(group)
    if over:
        first = next((group[0] for group in eligible if len(group) == 1 and group[0] in won), eligible[0][0])
        won[first] = won.get(first, 0) + over
    return won


class NoDeal(Exception):
    """The prizes cannot be shared out so; `clauses` are endings of the chapter's."""

    def __init__(self, text: str, *clauses: str) -> None:
        super().__init__(text)
        self.text, self.clauses = text, clauses


def dealt(prizes: Prizes, due: Mapping[str, int], wanted: Mapping[str, int], agreed: Collection[str]) -> dict[str, int]:
    """The prizes as those who are left agreed: only where the terms provide it, all consent, and the sum is kept."""
    if prizes.deal == "none":
        raise NoDeal("the terms provide no deal", "4.7(b)")
    if missing := [entrant for entrant in due if entrant not in agreed]:
        raise NoDeal(f"{', '.join(missing)} did not agree", "4.7(b)")
    if set(wanted) != set(due) or any(amount < 0 or amount % prizes.unit for amount in wanted.values()):
        raise NoDeal("it names others than those who are left, or parts of a unit", "4.7(b)")
    if sum(wanted.values()) != sum(due.values()):
        raise NoDeal(f"it comes to {sum(wanted.values())} cents where {sum(due.values())} are due", "4.7(b)")
    return dict(wanted)


def in_cash(rate: CashRate, units: int) -> int:
    """What chips come to in cents at the stated rate, whole cents only (T-2)."""
    return units * rate.dollars // rate.units
