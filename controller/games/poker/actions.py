"""What chips without words mean, what an action out of turn becomes, and what a player may do around the betting."""

from __future__ import annotations

from typing import Literal

import msgspec

from controller.games.poker.betting import Betting, options
from controller.money.amounts import dollars

Announced = Literal["", "call", "raise"]
Verdict = Literal[
    "check",
    "call",
    "bet",
    "raise",
    "complete_bet",
    "complete_raise",
    "complete_or_fold",
    "all_in_call",
    "all_in_raise",
]


class ChipReading(msgspec.Struct, frozen=True):
    """What chips put forward in turn amount to."""

    verdict: Verdict
    total: int
    """What stands before the seat in this round once this is done."""
    returned: int = 0
    add: int = 0
    """Chips the player still has to put in."""
    clause: str = ""


class Held(msgspec.Struct, frozen=True):
    """An action taken before its turn, waiting for it (6.18)."""

    seat: int
    kind: Literal["check", "call", "bet", "raise", "chips"]
    """What was said; chips that came without a word are ruled on as chips (6.12 to 6.14)."""
    amount: int = 0
    """Chips put forward."""
    single: bool = False
    against: int = 0
    """The wager to call when it was made."""


class Resolved(msgspec.Struct, frozen=True):
    """What a held action becomes when its turn has come."""

    stands: bool
    reading: ChipReading | None
    clause: str
    take_back: bool = False
    """The player may take the held chips back and fold."""


def read_chips(betting: Betting, index: int, put: int, *, single: bool, announced: Announced = "") -> ChipReading:
    """Rule on chips put forward in turn: all-in first, then a short call, an oversize chip, the 50 % rule (P-A12)."""
    player = betting.players[index]
    may = options(betting, index)
    high = betting.high
    total = player.in_round + put
    if put >= player.stack:
        return _all_in(may.raise_max, high, total, may.no_raise)
    if total < high:
        return ChipReading("complete_or_fold", high, 0, high - total, "6.17")
    if total == high:
        return ChipReading("call" if put else "check", high, 0, 0, "8.2.1" if put else "8.2.4")
    excess = total - high
    if announced == "call":
        return ChipReading("call", high, excess, 0, "1.1 'Call'")
    if not may.raise_max:
        return ChipReading("call" if high else "check", high, excess, 0, may.no_raise)
    if high == 0:
        return _opening(betting, total, may.raise_min, may.raise_max, single, announced)
    if single and announced != "raise":
        return ChipReading("call", high, excess, 0, _oversize_clause(betting))
    if announced == "raise":
        clause = "6.14.2" if single and not betting.structure.limited else "1.1 'Raise'"
        return _raise(total, may.raise_min, may.raise_max, clause)
    if 2 * excess < betting.last_raise:
        return ChipReading("call", high, excess, 0, "6.12")
    return _raise(total, may.raise_min, may.raise_max, "6.12")


def _oversize_clause(betting: Betting) -> str:
    if betting.structure.limited:
        return "6.13"
    return "6.14.1(a)" if betting.round == 1 else "6.14.1(b)"


def _all_in(raise_max: int, high: int, total: int, closed: str) -> ChipReading:
    if total <= high:
        return ChipReading("all_in_call", total, 0, 0, "6.16.1")
    if not raise_max:
        return ChipReading("call" if high else "check", high, total - high, 0, closed)
    if total <= raise_max:
        return ChipReading("all_in_raise", total, 0, 0, "6.16.1")
    return ChipReading("raise" if high else "bet", raise_max, total - raise_max, 0, "1.1 'All-in'")


def _opening(betting: Betting, total: int, low: int, top: int, single: bool, announced: Announced) -> ChipReading:
    if total < low:
        if announced == "raise" or 2 * total >= low:
            return ChipReading("complete_bet", low, 0, low - total, "6.4")
        return ChipReading("check", 0, total, 0, "6.12")
    clause = "[6.6]"
    if single:
        clause = "6.13" if betting.structure.limited else "6.14.1(b)"
    bet = min(total, top)
    return ChipReading("bet", bet, total - bet, 0, clause)


def _raise(total: int, low: int, top: int, clause: str) -> ChipReading:
    if total < low:
        return ChipReading("complete_raise", low, 0, low - total, clause)
    return ChipReading("raise", min(total, top), max(0, total - top), 0, clause)


def resolve_held(betting: Betting, index: int, held: Held) -> Resolved:
    """What an early action becomes now that the seat is in turn (6.18.1 to 6.18.4, P-A11)."""
    player = betting.players[index]
    to_call = betting.high - player.in_round
    if held.kind == "check":
        if to_call <= 0:
            return Resolved(True, ChipReading("check", betting.high, 0, 0, "8.2.4"), "6.18.3")
        return Resolved(False, None, "6.18.3")
    if held.amount >= player.stack and held.amount < to_call:
        return Resolved(True, _all_in(0, betting.high, player.in_round + held.amount, ""), "6.18.4")
    if held.amount < to_call:
        return Resolved(False, None, "6.18.2", take_back=True)
    # Nobody before it wagered more: it stands, as a raise if a smaller bet came in between.
    announced: Announced = ""
    if held.against == betting.high and held.kind != "chips":
        announced = "call" if held.kind == "call" else "raise"
    reading = read_chips(betting, index, held.amount, single=held.single, announced=announced)
    return Resolved(True, reading, "6.18.1")


def out_of_time(betting: Betting, index: int) -> Literal["check", "dead_hand"]:
    """What the dealer is offered when a player's time to act is over (6.15, P-A30)."""
    return "dead_hand" if betting.high > betting.players[index].in_round else "check"


def extension_fault(bought: int, allowed: int) -> str:
    """The clause that refuses another purchase of time, or nothing (6.15.2)."""
    return "" if bought < allowed else "6.15.2"


def over_blind_fault(
    previous: int, amount: int, seat: int, due_seat: int, *, first: bool, straddle: bool, over_blinds: bool
) -> tuple[str, str]:
    """Why a straddle or further over-blind cannot stand, as (clause, sentence), or two empty strings."""
    if first and not straddle:
        return "6.5", "straddles are not offered at this table"
    if not first and not over_blinds:
        return "8.9.4", "only one straddle is offered at this table"
    if seat != due_seat:
        return "6.5" if first else "8.9.4", f"only seat {due_seat} may put up the next over-blind"
    if amount != 2 * previous:
        return "6.5" if first else "8.9.4", f"it must be exactly twice the blind before it: {dollars(2 * previous)}"
    return "", ""


def stake_change_fault(in_hand: bool, change: int) -> str:
    """The clause that refuses chips added to or taken off a stack during a round of play (6.11)."""
    return "6.11" if change < 0 or in_hand else ""
