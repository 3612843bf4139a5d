"""The judge of a table that was upgraded and cut from its power: a lost or a wrong round is found."""

from __future__ import annotations

import msgspec

from controller.core.effects import Settled
from lab.fleet.table import money_problems
from lab.proofs.wheel import BigWheel
from simulators.people.table import Due

STAKES = {("P1", "A"): 500, ("P2", "B"): 1000}


def settled(*results: Due) -> Settled:
    said = [{**msgspec.structs.asdict(one), "clauses": ()} for one in results]
    return msgspec.convert({"round": 3, "outcome": "A", "results": said}, Settled)


def test_a_lost_round_and_a_wrong_payment_are_found() -> None:
    game = BigWheel()
    odds = game.option.symbol("A").odds
    right = settled(Due("P1", "A", "win", 500 * odds, 0, 500), Due("P2", "B", "lose", 0, 1000, 0))
    assert money_problems(game, 3, STAKES, "A", {3: right}) == []
    assert money_problems(game, 4, STAKES, "A", {3: right}) == ["round 4 is not in the journal"]
    assert "on the felt was" in money_problems(game, 3, STAKES, "B", {3: right})[0]
    short = settled(Due("P1", "A", "win", 500 * odds, 0, 500))
    assert "on the felt was" in money_problems(game, 3, STAKES, "A", {3: short})[0]
