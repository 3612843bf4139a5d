"""Side wagers on the flop, and bonus prizes."""

from __future__ import annotations

from controller.games.poker.flop_chase import (
    BonusPrize,
    SideResult,
    SideWager,
    bonus_due,
    bonus_form,
    settle_side_wagers,
    side_wager_fault,
)
from tests.controller.games.poker.seen import clause

# -- side wagers and prizes -------------------------------------------------------------------------------------------


@clause("10.1.1(a)", "10.1.1(b)", "10.1.1(c)", "10.1.1(d)", "10.2.2 Red", "10.2.2 Black")
def test_a_side_wager_wins_only_on_three_cards_of_its_colour() -> None:
    wagers = [SideWager(1, "red", 500), SideWager(2, "black", 300)]
    assert settle_side_wagers(wagers, ["2d", "3h", "4d"], 7) == [
        SideResult(1, "red", 500, 3500, "10.1.1(c)"),
        SideResult(2, "black", 300, 0, "10.1.1(b)"),
    ]
    assert settle_side_wagers(wagers, ["2c", "3s", "4c"], 7) == [
        SideResult(1, "red", 500, 0, "10.1.1(d)"),
        SideResult(2, "black", 300, 2100, "10.1.1(a)"),
    ]
    assert [one.won for one in settle_side_wagers(wagers, ["2c", "3h", "4h"], 7)] == [0, 0]


@clause("8.15.1", "8.15.2", "10.1.1(a)", "1.1 'Flop Chase wager'")
def test_a_side_wager_that_cannot_stand_is_told_with_the_first_reason() -> None:
    fine = {"offered": True, "seated": True, "cards_out": False, "other_colour": False}
    assert side_wager_fault(**fine) == ("", "")
    for wrong, named in (
        ({"offered": False}, "10.1.1(a)"),
        ({"seated": False}, "8.15.1"),
        ({"cards_out": True}, "8.15.2"),
        ({"other_colour": True}, "1.1 'Flop Chase wager'"),
    ):
        assert side_wager_fault(**{**fine, **wrong})[0] == named


@clause("11.2", "11.3", "11.3.1", "11.3.2", "11.4")
def test_a_hand_earns_its_best_prize_unless_it_was_folded() -> None:
    small, large = BonusPrize("small", "cash", 10), BonusPrize("large", "goods", 20)
    for high, prize in ((9, None), (10, small), (19, small), (20, large), (21, large)):
        assert bonus_due([large, small], high, folded=False) is prize
        assert bonus_due([large, small], high, folded=True) is None
    assert bonus_form(small) == ("paid in chips, cash or equivalent", "11.3.1")
    assert bonus_form(large) == ("owed, delivered later", "11.3.2")
