"""The Flop Chase side wager, and bonus prizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from controller.games.poker.cards import colour

Colour = Literal["red", "black"]


class SideWager(msgspec.Struct, frozen=True):
    """A wager on the colour of the flop; amounts are cents."""

    seat: int
    colour: Colour
    amount: int


class SideResult(msgspec.Struct, frozen=True):
    """What became of a side wager; a winner keeps its stake, which joins the stack after the hand (6.11.1(b))."""

    seat: int
    colour: Colour
    amount: int
    won: int
    clause: str


def side_wager_fault(*, offered: bool, seated: bool, cards_out: bool, other_colour: bool) -> tuple[str, str]:
    """Why a side wager cannot stand, as (clause, sentence), or two empty strings."""
    if not offered:
        return "10.1.1(a)", "no side wager is offered at this table; return the chips"
    if not seated:
        return "8.15.1", "only seated players may place a side wager; return the chips"
    if cards_out:
        return "8.15.2", "the first card is out: side wagers are closed; return the chips"
    if other_colour:
        return "1.1 'Flop Chase wager'", "this seat has wagered on the other colour; one colour a seat (P-A31)"
    return "", ""


def settle_side_wagers(wagers: Sequence[SideWager], flop: Sequence[str], odds: int) -> list[SideResult]:
    """Settle on the final flop (9.16): all three of the colour wins at the odds (10.1.1, 10.2.2)."""
    colours = {colour(card) for card in flop}
    results = []
    for wager in wagers:
        wins = colours == {wager.colour}
        clause = {
            ("black", True): "10.1.1(a)",
            ("black", False): "10.1.1(b)",
            ("red", True): "10.1.1(c)",
            ("red", False): "10.1.1(d)",
        }[wager.colour, wins]
        results.append(SideResult(wager.seat, wager.colour, wager.amount, odds * wager.amount if wins else 0, clause))
    return results


class BonusPrize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A prize on the sign and the least hand that earns it (11.2)."""

    name: str
    kind: Literal["cash", "goods", "services"]
    at_least: int
    """High value of the lowest qualifying hand."""
    amount: int = 0
    both_hole_cards: bool = False


def bonus_due(prizes: Sequence[BonusPrize], high: int, *, folded: bool) -> BonusPrize | None:
    """The best prize a hand earns, still to be verified by level 2 (11.3); a folded hand earns none (11.4)."""
    if folded:
        return None
    earned = [prize for prize in prizes if high >= prize.at_least]
    return max(earned, key=lambda prize: prize.at_least) if earned else None


def bonus_form(prize: BonusPrize) -> tuple[str, str]:
    """How a verified prize is handed over, with the clause."""
    return (
        ("paid in chips, cash or equivalent", "11.3.1") if prize.kind == "cash" else ("owed, delivered later", "11.3.2")
    )
