"""Who comes first: deal, settlement, offers, and the cut. Box 1 is at the dealer's far left (X1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from controller.core.effects import WagerResult
from controller.games.war.rules import WarRules
from controller.games.war.state import Stake

ACTIONS = {"lose": "take", "surrender": "halve", "void": "return", "win": "pay", "standoff": "leave"}
"""What is done with the chips of each result, in the order in which the dealer does it."""


class Step(NamedTuple):
    """One thing to do with chips, in its turn."""

    action: str
    wager: str
    box: int


def dealt_boxes(rules: WarRules, stakes: Iterable[Stake]) -> list[int]:
    """The boxes that get a first card, in the order of the deal."""
    return sorted({stake.box for stake in stakes if stake.dealt and stake.zone in rules.wagers.dealt_to})


def first_places(rules: WarRules, stakes: Iterable[Stake], round_burn: bool) -> list[str]:
    """Where the first cards go, one after the other."""
    boxes = [f"box{box}" for box in dealt_boxes(rules, stakes)]
    return [*(["round-burn"] if round_burn else []), *boxes, "dealer"]


def war_places(rules: WarRules, boxes: Iterable[int]) -> list[str]:
    """Where the cards of the second deal go, burns first."""
    return [*["war-burn"] * rules.war.burns, *[f"box{box}" for box in sorted(set(boxes))], "dealer"]


def offers(rules: WarRules, mains: Iterable[Stake]) -> list[Stake]:
    """Tied main stakes in the order in which war or surrender is offered."""
    return sorted(mains, key=lambda stake: _turn(stake, rules.order.offers_from))


def interim_steps(rules: WarRules, stakes: Sequence[Stake], results: Iterable[WagerResult]) -> list[Step]:
    """What the dealer does at interim: pass by pass, losers before winners, from the side the rulebook names."""
    by_id = {stake.id: stake for stake in stakes}
    done = [(by_id[result.wager], result) for result in results]
    steps: list[Step] = []
    for zones in rules.order.interim:
        part = [(stake, result) for stake, result in done if stake.zone in zones]
        steps += _from_side(part, rules.order.interim_from)
    return steps


def final_steps(rules: WarRules, stakes: Sequence[Stake], results: Iterable[WagerResult]) -> list[Step]:
    """What the dealer does at the end."""
    by_id = {stake.id: stake for stake in stakes}
    return _from_side([(by_id[result.wager], result) for result in results], rules.order.final_from)


def _from_side(part: list[tuple[Stake, WagerResult]], side: str) -> list[Step]:
    turn = sorted(part, key=lambda entry: _turn(entry[0], side))
    steps = [Step(ACTIONS[result.result], stake.id, stake.box) for stake, result in turn]
    return sorted(steps, key=lambda step: list(ACTIONS.values()).index(step.action))


def _turn(stake: Stake, side: str) -> tuple[int, int]:
    """When it is this stake's turn, beginning at that side; in a shared box the front of the line first."""
    return (-stake.box if side == "right" else stake.box), stake.line


def clockwise_from(player: str, seats: Sequence[tuple[int, str]]) -> list[str]:
    """Whom the cut is offered to after a refusal: the line at a box, then round the table, box 1 after the highest."""
    players = list(dict.fromkeys(name for _, name in sorted(seats, key=lambda seat: seat[0])))
    if player not in players:
        return players
    start = players.index(player)
    return players[start + 1 :] + players[:start]


def furthest_right(seats: Sequence[tuple[int, str]]) -> str:
    """The player at the highest box; in a shared box the front of the line."""
    if not seats:
        return ""
    box = max(seats)[0]
    return next(name for number, name in seats if number == box)


def seats(stakes: Iterable[Stake]) -> list[tuple[int, str]]:
    """Who plays where, front of the line first."""
    lying = sorted((stake for stake in stakes if stake.status != "refused"), key=_by_line)
    return list(dict.fromkeys((stake.box, stake.player) for stake in lying))


def _by_line(stake: Stake) -> tuple[int, bool, int]:
    return stake.box, stake.zone != "main", stake.line
