"""Which stakes may lie where, and how much of each counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from controller.core.desk import Limits
from controller.games.war.layout import Layout
from controller.games.war.rules import Clauses, WarRules
from controller.games.war.state import Stake
from controller.money.amounts import dollars


class No(NamedTuple):
    """Why a stake is not accepted."""

    code: str
    text: str
    clauses: Clauses


def refuse_first(rules: WarRules, layout: Layout, stakes: Sequence[Stake], stake: Stake, most: int) -> No | None:
    """Whether a stake before the deal may lie there at all; `most` is the cap on sharing in force."""
    if not 1 <= stake.box <= layout.boxes:
        return No("no_such_box", f"There is no box {stake.box}.", (rules.layout.boxes_clause,))
    if stake.zone not in layout.staked:
        return No("no_such_zone", f"This table has no {stake.zone} zone.", rules.cites["zone_unknown"])
    if stake.amount <= 0:
        return No("no_amount", "A stake needs chips.", rules.cites["stake_form"])
    if stake.token and not rules.wagers.tokens:
        return No("no_tokens", "Only chips are accepted.", rules.cites["stake_form"])
    return _sharing(rules, stakes, stake, most)


def _sharing(rules: WarRules, stakes: Sequence[Stake], stake: Stake, most: int) -> No | None:
    if stake.zone == "tie" and not rules.wagers.share_tie:
        return None
    beside = [other for other in stakes if _same_zone(other, stake) and (other.live or other.before)]
    if rules.wagers.share == "players":
        players = {other.player for other in beside}
        if stake.player not in players and len(players) >= most:
            return No("area_full", f"{most} players already share this area.", rules.cites["zone_full"])
        return None
    if len(beside) >= most:
        word = "stakes already lie" if most > 1 else "stake already lies"
        return No("area_full", f"{most} {word} on this area.", rules.cites["zone_full"])
    owner = next((other.player for other in stakes if other.live and other.box == stake.box), stake.player)
    if rules.wagers.share == "one" and owner != stake.player:
        return No("area_taken", f"Box {stake.box} is {owner}'s.", rules.cites["zone_full"])
    return None


def _same_zone(one: Stake, other: Stake) -> bool:
    return (one.box, one.zone, one.stage) == (other.box, other.zone, other.stage)


def ties_alone(rules: WarRules, stakes: Sequence[Stake]) -> list[Stake]:
    """Tie stakes without the main stake they need (Star 5.2.3)."""
    if rules.wagers.tie_alone:
        return []
    mains = {(stake.box, stake.player) for stake in stakes if stake.live and stake.zone == "main"}
    return [stake for stake in stakes if stake.live and stake.zone == "tie" and (stake.box, stake.player) not in mains]


def refuse_war(rules: WarRules, main: Stake | None, amount: int) -> No | None:
    """A war stake equals the main stake, as counted or as placed (X4)."""
    cite = rules.cites["war_stake"]
    if main is None:
        return No("no_main_stake", "Only a player with a main stake at war may lay a war stake.", cite)
    matches = {
        "counted_or_placed": {main.counted, main.amount},
        "placed": {main.amount},
        "counted": {main.counted},
    }[rules.war.stake_matches]
    if amount not in matches:
        text = f"A war stake of {dollars(amount)} does not equal the main stake of {dollars(main.amount)}."
        return No("war_stake_differs", text, cite)
    return None


def refuse_war_pairs(
    rules: WarRules, layout: Layout, stakes: Sequence[Stake], stake: Stake, most: int, at_war: set[tuple[int, str]]
) -> No | None:
    """Perfect Pairs at war: a war stake lies on the box, and a place is free (Perth 3.14(b), 4.11)."""
    if "perfect_pairs" not in layout.staked:
        return No("no_such_zone", "This table has no area for perfect pairs.", rules.cites["zone_unknown"])
    if stake.box not in {box for box, _ in at_war}:
        return No("no_war_here", f"Nobody goes to war on box {stake.box}.", rules.cites["pair_war_wins"])
    if rules.wagers.war_pairs_open_to == "war_players" and (stake.box, stake.player) not in at_war:
        return No("war_players_only", "Only players at war may stake here now.", rules.cites["pair_war_wins"])
    return _sharing(rules, stakes, stake, most)


class Counted(NamedTuple):
    """How much of a stake is in play, and why it is not all of it."""

    counted: int
    clauses: Clauses
    warn: bool = False
    give_back: bool = False


def count(rules: WarRules, stake: Stake, limits: Limits, warned: bool = False) -> Counted:
    """One stake against the limits that hold for its player."""
    amount = stake.amount
    if amount < limits.least:
        if rules.limits.under_minimum == "warn_then_return" and warned:
            return Counted(amount, rules.cites["under_minimum_again"], give_back=True)
        warn = rules.limits.under_minimum == "warn_then_return"
        return Counted(amount, rules.cites["under_minimum"], warn=warn)
    counted = amount
    clauses: Clauses = ()
    if amount > limits.most:
        counted, clauses = limits.most, rules.cites["over_maximum"]
    if limits.unit and counted % limits.unit:
        clauses += rules.cites["off_unit"]
        if rules.limits.off_unit == "unit_below":
            counted -= counted % limits.unit
    return Counted(counted, clauses)


def unpayable(rules: WarRules, stake: Stake, limits: Limits) -> bool:
    """Whether a win could not be paid in chips, where the rulebook lets such a stake be refused."""
    odds = rules.odds.tie if stake.zone == "tie" else rules.odds.main
    return bool(rules.cites["unpayable"]) and stake.amount * odds % limits.smallest_chip != 0


def partnership(rules: WarRules, stakes: Sequence[Stake], stake: Stake, limits: Limits) -> Clauses:
    """The clause against stakes that players put together on one area to exceed the maximum, where they do."""
    if not rules.cites["partnership"]:
        return ()
    together = [other for other in stakes if other.live and _same_zone(other, stake)]
    several = len({other.player for other in together}) > 1
    above = sum(other.amount for other in together) > limits.most
    return rules.cites["partnership"] if several and above else ()


def cap_area(rules: WarRules, line: Sequence[Stake], most: int) -> None:
    """Where limits count per area, the line is capped from the front (M20)."""
    room = most
    for stake in sorted(line, key=lambda stake: stake.line):
        if stake.counted > room:
            stake.counted = room
            stake.clauses += [clause for clause in rules.cites["over_maximum"] if clause not in stake.clauses]
        room -= stake.counted
