"""What every wager of a hand comes to, once it is over: the pots, what went back, and the side wagers."""

from __future__ import annotations

from collections.abc import Mapping

from controller.core.desk import Clauses
from controller.core.effects import Settled, WagerResult
from controller.games.poker.state import Hand


def settlement(
    round_: int, hand: Hand, players: Mapping[int, str], stakes: Mapping[int, int], refunds: Mapping[int, int]
) -> Settled:
    """Every wager of a hand that is over; what winners are paid comes from the others' stakes less commission."""
    won: dict[int, int] = {}
    clauses: dict[int, Clauses] = {}
    for share in hand.awards:
        won[share.seat] = won.get(share.seat, 0) + share.amount
        clauses[share.seat] = tuple(dict.fromkeys((*clauses.get(share.seat, ()), share.clause)))
    results = []
    for seat, stake in sorted(stakes.items()):
        if stake or seat in won:
            got = won.get(seat, 0)
            back = min(got, stake)
            result = "win" if got else "lose"
            player = players[seat]
            why = clauses.get(seat, ("8.7",))
            results.append(WagerResult(f"{round_}/{seat}", player, "hand", result, got - back, stake - back, back, why))
    outcome = "uncontested"
    if hand.awards:
        outcome = "showdown" if hand.hands else outcome
    else:
        outcome = "refunded"
        results = [
            WagerResult(f"{round_}/{seat}", players[seat], "hand", "returned", 0, 0, cents, ("13.6",))
            for seat, cents in sorted(refunds.items())
        ]
    return Settled(round_, outcome, (*results, *side_results(round_, hand, players)))


def side_results(round_: int, hand: Hand, players: Mapping[int, str]) -> tuple[WagerResult, ...]:
    """The side wagers that are decided."""
    return tuple(
        WagerResult(
            f"{round_}/{side.seat}/{side.colour}",
            players[side.seat],
            f"flop chase {side.colour}",
            "win" if side.won else "lose",
            side.won,
            0 if side.won else side.amount,
            side.amount if side.won else 0,
            (side.clause,),
        )
        for side in hand.side_results
    )
