"""Big Wheel held to the cent and to the clause, so that no rule can be switched off or moved by one unnoticed."""

from __future__ import annotations

import pytest

from controller.core.desk import Limits
from controller.core.effects import WagerResult
from controller.games.wheel.rules import wheel_rules
from controller.games.wheel.settle import Settlement, Standing, Wager, refund, settle

OPTION = wheel_rules().option(1)
LIMITS = Limits(500, 10_000, 500, 250)
clause = pytest.mark.clause
LOST = ("6.1 Option 1 Symbol D", "3.6.1")
WON = ("6.1 Option 1 Symbol D", "3.6.2")


def settled(cents: int, symbol: str = "D", **standing: frozenset[str]) -> Settlement:
    """One wager of Ann's on a spin that D wins at 11 to 1."""
    return settle(OPTION, "D", [Wager("Ann", symbol, cents)], lambda *_: LIMITS, Standing(**standing))


def ann(
    result: str, pays: int, taken: int, back: int, *clauses: str, symbol: str = "D", held: bool = False
) -> WagerResult:
    return WagerResult(f"Ann/{symbol}", "Ann", symbol, result, pays, taken, back, clauses, held)


HER = frozenset({"Ann"})


@clause("melbourne-wheel", "3.6.1", "3.6.2", "4.2.1", "4.2.2", "4.2.3", "6.1 Option 1 Symbol D")
@pytest.mark.parametrize(
    ("cents", "won", "lost"),
    [
        (500, ann("win", 5500, 0, 500, *WON), ann("lose", 0, 500, 0, *LOST, symbol="A")),
        (499, ann("win", 5500, 0, 499, *WON, "4.2.3", "4.2.1"), ann("lose", 0, 499, 0, *LOST, "4.2.1", symbol="A")),
        (10_000, ann("win", 110_000, 0, 10_000, *WON), ann("lose", 0, 10_000, 0, *LOST, symbol="A")),
        (
            10_001,
            ann("win", 110_000, 0, 10_001, *WON, "4.2.2"),
            ann("lose", 0, 10_000, 1, *LOST, "4.2.2", symbol="A"),
        ),
        (510, ann("win", 5750, 0, 510, *WON, "4.2.3"), ann("lose", 0, 510, 0, *LOST, symbol="A")),
    ],
)
def test_a_wager_at_every_edge_of_the_limits_is_settled_to_the_cent_with_its_clauses(
    cents: int, won: WagerResult, lost: WagerResult
) -> None:
    assert settled(cents).results == (won,)
    assert settled(cents, "A").results == (lost,)
    assert settled(cents).advise == (("Ann",) if cents < 500 else ())


@clause("melbourne-wheel", "1.1 'Void'", "9.2.1", "9.2.2", "9.2.3", "4.2.1")
def test_what_stands_against_a_player_decides_before_the_wheel_does() -> None:
    assert settled(1000, voided=HER).results == (ann("void", 0, 0, 1000, "9.2.1", "1.1 'Void'"),)
    assert settled(1000, excluded=HER).results == (ann("returned", 0, 0, 1000, "9.2.2"),)
    assert settled(1000, withheld=HER).results == (ann("win", 11_000, 0, 1000, *WON, "9.2.3", held=True),)
    assert settled(1000, withheld=frozenset({"Bob"})).results == (ann("win", 11_000, 0, 1000, *WON),)
    assert settled(499, advised=HER) == Settlement((ann("returned", 0, 0, 499, "4.2.1"),), ())
    assert settled(500, advised=HER).results == (ann("win", 5500, 0, 500, *WON),)


@clause("melbourne-wheel", "4.2.1")
def test_a_player_is_advised_once_for_all_wagers_under_the_minimum() -> None:
    wagers = [Wager("Ann", "A", 100), Wager("Bob", "A", 500), Wager("Ann", "D", 100), Wager("Cyd", "D", 400)]
    assert settle(OPTION, "D", wagers, lambda *_: LIMITS).advise == ("Ann", "Cyd")


@clause("melbourne-wheel", "9.5")
def test_an_invalidated_spin_hands_every_wager_back_whole_with_the_clauses_of_the_ruling() -> None:
    assert refund([Wager("Ann", "D", 1234)], ("9.3", "9.5")) == (ann("returned", 0, 0, 1234, "9.3", "9.5"),)
