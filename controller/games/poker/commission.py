"""Commission: four ways of taking it, what is exempt, where it stops, and what undoes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from controller.games.poker.betting import Player

Method = Literal["none", "percentage", "time", "per_hand", "per_person"]


class Commission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the sign says about the rake; amounts are cents."""

    method: Method = "none"
    percent: int | float = 0
    """Percentage of the pots, with no more than two decimals (7.2.1)."""
    cap: int = 0
    """The most one hand may cost, and must be shown (7.1, 7.7)."""
    minimum: int = 0
    """The least one hand costs, as far as the highest rate allows (7.1, P-A13)."""
    fee: int = 0
    """Per hour and player (7.2.2) or per person and hand (7.2.4)."""
    fees: dict[int, int] = {}
    """Per hand, by the number of players dealt in (7.2.3(b))."""
    stand_alone: bool = False
    """The commission joins the float and not the chip box (7.2.1(c))."""
    least_percent: int = 2
    most_percent: int = 10


class Collected(msgspec.Struct, frozen=True):
    """What was taken from each pot, and the clause that decided."""

    by_pot: tuple[int, ...]
    clause: str

    @property
    def total(self) -> int:
        return sum(self.by_pot)


def commission_faults(commission: Commission) -> list[tuple[str, str]]:
    """What the rulebook does not allow about this commission, as (clause, sentence)."""
    faults: list[tuple[str, str]] = []
    if commission.method == "percentage":
        low, high = commission.least_percent, commission.most_percent
        if not low <= commission.percent <= high:
            faults.append(("7.2.1", f"the rate must lie between {low} and {high} per cent, not {commission.percent}"))
        elif abs(commission.percent * 100 - hundredths(commission)) > 1e-6:
            faults.append(("7.2.1", f"the rate has no more than two decimals, not {commission.percent}"))
        if commission.cap <= 0:
            faults.append(("7.1", "the sign must show the most one hand may cost; set a cap"))
    elif commission.method == "per_hand" and not commission.fees:
        faults.append(("7.2.3(b)", "a fee per hand needs a table by number of players"))
    elif commission.method in ("time", "per_person") and commission.fee <= 0:
        clause = "7.2.2(b)" if commission.method == "time" else "7.2.4(a)"
        faults.append((clause, "the fee is missing"))
    return faults


def hundredths(commission: Commission) -> int:
    """The rate in hundredths of a per cent, so that no money is reckoned in fractions."""
    return round(commission.percent * 100)


def percentage_due(commission: Commission, pot: int, chip: int) -> int:
    """Percentage commission on everything wagered so far, down to the lowest chip (7.2.1, 7.7, P-A13)."""
    due = pot * hundredths(commission) // 10_000
    due = max(due, min(commission.minimum, pot * commission.most_percent // 100))
    due -= due % chip
    return min(due, commission.cap)


def increment(commission: Commission, pot: int, taken: int, chip: int) -> int:
    """What to put aside after a betting round, given what already lies there (7.2.1(a))."""
    if commission.method != "percentage":
        return 0
    return max(0, percentage_due(commission, pot, chip) - taken)


def only_blinds(players: Sequence[Player], winner: int = -1) -> bool:
    """Whether nothing but blinds was called (7.6, P-A14); the winner's own chips only match them."""
    return all(player.in_hand <= player.posted or player.seat == winner for player in players)


def everybody_tied(players: Sequence[Player], tied: Sequence[int]) -> bool:
    """Whether all who put chips in hold equal hands at the showdown (7.8, P-A15)."""
    return len(tied) > 1 and all(player.seat in tied for player in players if player.in_hand)


def collect(
    commission: Commission, pots: Sequence[int], chip: int, *, dealt_in: int, blinds_only: bool, all_tied: bool
) -> Collected:
    """The commission of a finished hand, main pot first."""
    none = tuple(0 for _ in pots)
    if commission.method == "percentage":
        if blinds_only:
            return Collected(none, "7.6")
        if all_tied:
            return Collected(none, "7.8")
        taken: list[int] = []
        base = before = 0
        for pot in pots:
            base += pot
            due = percentage_due(commission, base, chip)
            taken.append(due - before)
            before = due
        return Collected(tuple(taken), "7.7" if before == commission.cap else "7.2.1")
    if commission.method == "per_hand":
        if blinds_only:
            return Collected(none, "7.6")
        left = fee_per_hand(commission, dealt_in)
        taken = []
        for pot in pots:
            part = min(left, pot)
            taken.append(part)
            left -= part
        return Collected(tuple(taken), "7.2.3(a)")
    clauses = {"none": "7.4", "time": "7.2.2(b)", "per_person": "7.2.4(b)"}  # nothing comes out of the pots
    return Collected(none, clauses[commission.method])


def fee_per_hand(commission: Commission, dealt_in: int) -> int:
    """The fixed fee of a hand by how many were dealt in (7.2.3(b)): the row of the next lower count, if need be."""
    rows = [count for count in commission.fees if count <= dealt_in]
    return commission.fees[max(rows)] if rows else 0


def time_charge(commission: Commission, seated: int) -> int:
    """What the table pays at a collection time, players sitting out included (7.2.2(a), (b))."""
    return commission.fee * seated


def destination(commission: Commission) -> tuple[str, str]:
    """Where the dealer puts the commission, and the clause."""
    clauses = {
        "percentage": ("7.2.1(b)", "7.2.1(c)"),
        "time": ("7.2.2(d)", "7.2.2(d)"),
        "per_hand": ("7.2.3(c)", "7.2.3(c)"),
        "per_person": ("7.2.4(c)", "7.2.4(c)"),
        "none": ("7.4", "7.4"),
    }[commission.method]
    return ("float", clauses[1]) if commission.stand_alone else ("chip_box", clauses[0])


def change_fault(rank: int, needed: int, *, between_hands: bool, sign_changed: bool) -> str:
    """The clause that stops a change of commission, or nothing (7.3)."""
    return "" if rank >= needed and between_hands and sign_changed else "7.3"
