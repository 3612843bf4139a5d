"""What a poker hand comes to, to the cent: every seat's result, the awards, what goes back, and the drop."""

from __future__ import annotations

from typing import Any

import pytest

from controller.config.tomlread import Cents
from controller.core.effects import Announced, Awarded, Noted, Settled, WagerResult
from controller.games.poker.config import RakeSection
from tests.controller.games.poker.play import PokerPlay, config, told
from tests.controller.games.poker.seen import with_side_wagers

BOOK = "melbourne-poker"


def clause(*named: str) -> Any:
    return pytest.mark.clause(BOOK, *named)


def settled(play: PokerPlay) -> Settled:
    (found,) = [effect for effect in play.told if isinstance(effect, Settled)]
    return found


def announced(play: PokerPlay, code: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.text, one.clauses) for one in play.told if isinstance(one, Announced) and one.code == code]


def noted(play: PokerPlay, what: str) -> list[tuple[dict[str, Any], tuple[str, ...]]]:
    return [(one.facts, one.clauses) for one in play.told if isinstance(one, Noted) and one.what == what]


@clause("1.1 'Round of Play'", "8.5", "8.7", "1.1 'Side pot(s)'", "13.6")
def test_a_main_pot_and_a_side_pot_that_two_share_leave_each_seat_its_own_result() -> None:
    # Aces are all-in for $100; two seats with king and queen share what they wagered beyond that.
    cards = ("As", "Kc", "Kd", "Ah", "Qd", "Qc", "4s", "2s", "7h", "9c", "5s", "3d", "6s", "Jc")
    play = PokerPlay(config(), cards)
    play.seat(100, 1000, 1000)
    play.press("sit", seat=4, player="P4", amount=100_000)
    play.press("deal_out", seat=4)
    play.start()
    play.put(3, 1_000)
    play.put(1, 9_500)
    play.put(2, 9_000)
    play.put(3, 9_000)
    play.street()
    play.put(2, 20_000)
    play.put(3, 20_000)
    play.check_down()
    play.finish()
    found = settled(play)
    one = found.round
    assert found.outcome == "showdown"
    assert found.results == (
        WagerResult(f"{one}/1", "P1", "hand", "win", 20_000, 0, 10_000, ("8.7",)),
        WagerResult(f"{one}/2", "P2", "hand", "win", 0, 10_000, 20_000, ("8.5.1",)),
        WagerResult(f"{one}/3", "P3", "hand", "win", 0, 10_000, 20_000, ("8.5.1",)),
    )
    assert [effect for effect in play.told if isinstance(effect, Awarded)] == [
        Awarded(one, 0, 1, "P1", 30_000, "whole", ("8.7",), "one pair"),
        Awarded(one, 1, 2, "P2", 20_000, "whole", ("8.5.1",), "no pair"),
        Awarded(one, 1, 3, "P3", 20_000, "whole", ("8.5.1",), "no pair"),
    ]
    assert play.stacks() == {1: 30_000, 2: 90_000, 3: 90_000, 4: 100_000}
    assert announced(play, "return") == []


@clause("1.1 'Round of Play'", "13.14", "8.17.3(a)", "13.6")
def test_a_seat_that_put_nothing_in_may_win_what_a_dead_hand_leaves() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000, 1000)
    play.start()
    play.fold(3)
    play.press("fold", seat=1)  # out of turn, and in the muck
    play.press("report", what="exchanged_cards", seat=2)
    play.answer("hand_dead", 3)
    assert play.phase == "award"
    play.finish()
    found = settled(play)
    one = found.round
    assert found.outcome == "uncontested"
    assert found.results == (
        WagerResult(f"{one}/1", "P1", "hand", "lose", 0, 500, 0, ("8.7",)),
        WagerResult(f"{one}/2", "P2", "hand", "lose", 0, 1_000, 0, ("8.7",)),
        WagerResult(f"{one}/4", "P4", "hand", "win", 1_500, 0, 0, ("8.17.3(a)",)),
    )
    assert play.stacks() == {1: 99_500, 2: 99_000, 3: 100_000, 4: 101_500}


@clause("7.5", "1.1 'Round of Play'", "1.1 'Pot'")
def test_what_nobody_called_goes_back_with_its_clause_and_is_no_part_of_the_result() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.put(3, 5_000)
    play.fold(1)
    play.fold(2)
    assert announced(play, "return") == [("Return $40 to seat 3.", ("7.5",))]
    play.finish()
    found = settled(play)
    assert found.results[-1] == WagerResult(f"{found.round}/3", "P3", "hand", "win", 1_500, 0, 1_000, ("8.17.3(a)",))
    assert play.stacks() == {1: 99_500, 2: 99_000, 3: 101_500}


@clause("13.6", "13.5.2", "10.2.1", "1.1 'Round of Play'")
def test_a_hand_that_is_invalidated_returns_every_wager_and_decides_none() -> None:
    play = PokerPlay(config(side_wagers=True))
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    play.put(play.game.layout.side(1, "red"), 1_000)
    for due in list(play.game.hand.dues):
        play.put(due.seat, due.amount)
    play.press("cancel_fraud", 2, reason="a marked card")
    found = settled(play)
    one = found.round
    assert found.outcome == "refunded"
    assert found.results == (
        WagerResult(f"{one}/1", "P1", "hand", "returned", 0, 0, 1_500, ("13.6",)),
        WagerResult(f"{one}/2", "P2", "hand", "returned", 0, 0, 1_000, ("13.6",)),
    )
    assert play.stacks() == {1: 100_000, 2: 100_000, 3: 100_000}


@clause("10.1.1(c)", "10.1.1(b)", "10.2.1", "1.1 'Round of Play'", "13.6")
def test_side_wagers_stand_in_the_settlement_beside_the_hand() -> None:
    play = with_side_wagers((1, "red", 1_000), (2, "black", 500))
    play.check_down()
    play.show_all()
    play.sweep()
    play.lift(play.game.layout.pot)
    play.settle("push")
    play.press("dropped", confirmed=True)
    found = settled(play)
    one = found.round
    assert found.results[-2:] == (
        WagerResult(f"{one}/1/red", "P1", "flop chase red", "win", 7_000, 0, 1_000, ("10.1.1(c)",)),
        WagerResult(f"{one}/2/black", "P2", "flop chase black", "lose", 0, 500, 0, ("10.1.1(b)",)),
    )


@clause("7.2.1(a)", "7.2.1(b)", "7.2.1(c)", "1.1 'Stand-alone Table'", "1.1 'Round of Play'")
@pytest.mark.parametrize(("stand_alone", "place"), [(False, "the chip box"), (True, "the float")])
def test_commission_is_set_aside_round_by_round_and_the_dealer_is_told_where_it_goes(
    stand_alone: bool, place: str
) -> None:
    rake = RakeSection("percentage", 10, Cents(10_000), stand_alone=stand_alone)
    play = PokerPlay(told(rake=rake), ("As", "Kc", "Ah", "Kd"))
    play.seat(1000, 1000)
    play.start()
    play.put(1, 9_500)
    play.put(2, 9_000)
    assert noted(play, "rake") == [({"amount": 2_000, "total": 2_000}, ("7.2.1(a)",))]
    play.street()
    play.put(1, 5_000)
    play.put(2, 5_000)
    assert noted(play, "rake")[1:] == [({"amount": 1_000, "total": 3_000}, ("7.2.1(a)",))]
    play.check_down()
    play.show_all()
    play.sweep()
    play.lift(play.game.layout.pot)
    play.settle("push")
    assert play.phase == "drop"
    assert announced(play, "drop") == [(f"Drop $30 into {place}.", ("7.2.1(b)",))]
    assert play.game.view()["instruction"] == f"Drop $30 into {place}."
