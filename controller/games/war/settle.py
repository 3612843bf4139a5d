"""How every wager ends, from the cards alone; the table and the calculation of its edge both use this."""

from __future__ import annotations

from typing import Literal, NamedTuple

from controller.core.effects import WagerResult
from controller.games.war.cards import RANK
from controller.games.war.rules import Clauses, Column, WarRules
from controller.games.war.state import Stake

RED = frozenset("HD")
Pair = Literal["perfect", "coloured", "mixed"]
Result = Literal["win", "lose", "standoff", "tied"]


class Outcome(NamedTuple):
    """What the cards say about a wager; `tied` leaves a main stake to its player's choice."""

    result: Result
    odds: int
    clauses: Clauses


def compare(first: str, second: str) -> int:
    """Above, equal to or below: 1, 0, -1. Suits never matter."""
    difference = RANK[first] - RANK[second]
    return (difference > 0) - (difference < 0)


def pair(first: str, second: str) -> Pair | None:
    """The highest class of pair two cards make; ranks count, not the ten value of pictures (Perth P5)."""
    if first[0] != second[0]:
        return None
    if first[1] == second[1]:
        return "perfect"
    return "coloured" if (first[1] in RED) == (second[1] in RED) else "mixed"


def on_first_cards(rules: WarRules, column: Column | None, zone: str, player: str, dealer: str) -> Outcome:
    """A wager laid before the deal, judged by the two first cards."""
    order = compare(player, dealer)
    if zone == "main":
        if order > 0:
            return Outcome("win", rules.odds.main, rules.cites["first_higher"])
        return Outcome("lose", 0, rules.cites["first_lower"]) if order < 0 else Outcome("tied", 0, ())
    if zone == "tie":
        if order == 0:
            return Outcome("win", rules.odds.tie, rules.cites["tie_wins"])
        return Outcome("lose", 0, rules.cites["tie_loses"])
    if zone == "a_bomb":
        if player[0] == "A":
            return Outcome("win", rules.odds.a_bomb, rules.cites["bomb_wins"])
        return Outcome("lose", 0, rules.cites["bomb_loses"])
    return _pairs(rules, column, player, dealer, "first")


def on_war_cards(rules: WarRules, column: Column | None, zone: str, player: str, dealer: str) -> Outcome:
    """A main stake at war, a war stake or war-stage Perfect Pairs, judged by the two second cards."""
    if zone == "perfect_pairs":
        return _pairs(rules, column, player, dealer, "war")
    order = compare(player, dealer)
    if order < 0:
        return Outcome("lose", 0, rules.cites[f"war_lower_{zone}"])
    how = f"war_{'higher' if order > 0 else 'equal'}_{zone}"
    odds = getattr(rules.odds, how)
    return Outcome("win" if odds else "standoff", odds, rules.cites[how])


def _pairs(rules: WarRules, column: Column | None, player: str, dealer: str, stage: str) -> Outcome:
    if column is None:
        raise ValueError("Perfect Pairs needs a payout column; choose one in the table's configuration")
    made = pair(player, dealer)
    if made is None:
        return Outcome("lose", 0, rules.cites[f"pair_{stage}_loses"])
    return Outcome("win", getattr(column, made), (*rules.cites[f"pair_{stage}_wins"], column.clause))


def book(rules: WarRules, stake: Stake, outcome: Outcome, chip: int) -> WagerResult:
    """Turn what the cards say into money; only the counted part of a stake wins or loses."""
    clauses = merge(outcome.clauses, tuple(stake.clauses))
    if outcome.result == "lose":
        return result(stake, "lose", 0, stake.counted, clauses)
    if outcome.result == "standoff":
        return result(stake, "standoff", 0, 0, clauses)
    due = stake.counted * outcome.odds
    pays = payable(rules, due, chip)
    if pays != due:
        clauses = merge(clauses, rules.cites["payment"])
    return result(stake, "win", pays, 0, clauses)


def payable(rules: WarRules, due: int, chip: int) -> int:
    """What is paid for an amount due: rounded up to chips where the document says so."""
    return -(-due // chip) * chip if rules.limits.payment == "up" else due


def surrender(rules: WarRules, stake: Stake, chip: int, why: Clauses = ()) -> WagerResult:
    """Half of the counted stake is kept; an odd half goes the player's way as the rulebook reads."""
    counted = stake.counted
    clauses = merge(why, rules.cites["surrender"])
    if counted % 2 == 0 and (counted // 2) % chip == 0:
        taken = counted // 2
    else:
        clauses = merge(clauses, rules.cites["half"])
        taken = _odd_half(rules, counted, chip)
    return result(stake, "surrender", 0, taken, merge(clauses, tuple(stake.clauses)))


def _odd_half(rules: WarRules, counted: int, chip: int) -> int:
    if rules.limits.half == "exact":
        return counted // 2
    if rules.limits.half == "keep_down":
        return counted // (2 * chip) * chip
    given_back = -(-counted // (2 * chip)) * chip
    return max(0, counted - given_back)


def void(stake: Stake, clauses: Clauses, forfeited: bool = False) -> WagerResult:
    """No result: the stake goes back whole, unless a person of rank directed that it is forfeited."""
    return result(stake, "void", 0, stake.amount if forfeited else 0, merge(clauses, tuple(stake.clauses)))


def result(stake: Stake, how: str, pays: int, taken: int, clauses: Clauses) -> WagerResult:
    """One line of the settlement, in cents."""
    bet = f"{stake.zone} {stake.box}"
    return WagerResult(stake.id, stake.player, bet, how, pays, taken, stake.amount - taken, clauses)


def merge(*lists: Clauses) -> Clauses:
    """Clauses once each, in order."""
    return tuple(dict.fromkeys(clause for listed in lists for clause in listed))
