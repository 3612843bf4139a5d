"""Chips on the lines of a poker table: calls, raises, short calls, chips out of turn, blinds and side wagers."""

from __future__ import annotations

import pytest

from controller.core.effects import Announced
from controller.core.events import Chip, ChipsMoved
from tests.controller.games.poker.play import PokerPlay, config
from tests.controller.games.poker.seen import BOOK


def announced(play: PokerPlay, code: str) -> list[str]:
    return [effect.text for effect in play.told if isinstance(effect, Announced) and effect.code == code]


def total(play: PokerPlay) -> int:
    return sum(play.stacks().values())


# -- chips as actions --------------------------------------------------------------------------------------------


@pytest.mark.clause(BOOK, "6.14.1(a)")
def test_one_oversize_chip_without_a_word_is_a_call_and_the_dealer_is_told_what_goes_back() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.put(3, 10_000, single=True)
    assert play.game.hand.betting.high == 1_000
    assert announced(play, "return") == ["Return $90 to seat 3."]
    assert "line:3" in play.table.state.desk.alarms
    play.lift(3)
    play.put(3, 1_000)
    assert "line:3" not in play.table.state.desk.alarms


@pytest.mark.clause(BOOK, "6.14.2")
def test_the_same_chip_after_the_word_raise_is_a_raise() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.press("announce", what="raise")
    play.put(3, 10_000, single=True)
    assert play.game.hand.betting.high == 10_000


def test_chips_of_one_placement_are_judged_together() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    settle, play.settle = play.settle, lambda timer: None  # type: ignore[method-assign]
    play.put(3, 1_000)
    play.put(3, 2_000)
    assert play.game.hand.betting.high == 1_000
    settle("line:3")
    assert play.game.hand.betting.high == 3_000


@pytest.mark.clause(BOOK, "6.17")
def test_a_short_call_is_completed_or_folded() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.put(3, 4_000)
    play.put(1, 1_000)
    assert announced(play, "short_call") == ["Seat 1 adds $25 to call, or folds and leaves what it put in."]
    play.put(1, 2_500)
    assert play.wanted().seats == (2,)


@pytest.mark.clause(BOOK, "6.18", "6.18.1")
def test_chips_out_of_turn_are_held_and_told() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000, 1000)
    play.start()
    play.put(4, 1_000)
    assert announced(play, "out_of_turn") == ["Seat 4 acted out of turn (chips); it waits for its turn."]
    assert play.wanted().seats == (3,)
    play.put(3, 1_000)
    assert play.wanted().seats == (1,)
    assert play.game.hand.betting.high == 1_000


def test_an_impossible_action_is_told_with_what_is_legal_and_changes_nothing() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    check = play.refused("check")
    assert check.code == "not_legal"
    assert "Seat 3 may call $10, raise to $20 up to $1,000 or fold." in check.text
    small = play.refused("raise", amount=1_500)
    assert "$20 up to $1,000" in small.text
    assert small.clauses == ("[6.6]",)
    assert "8.7" in play.refused("table_hand", seat=4).clauses
    assert play.refused("call", seat=12).code == "no_such_seat"
    assert play.refused("dropped").clauses == ("7.2.1(b)",)
    assert play.refused("turned_up").code == "no_card"


@pytest.mark.clause(BOOK, "8.9.2(b)", "8.9.3")
def test_a_blind_of_the_wrong_amount_is_told_and_one_refused_ends_the_hand_before_it_began() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    play.put(1, 250)
    assert "$5 is due" in play.table.state.desk.alarms["line:1"].text
    play.put(1, 250)
    assert [due.seat for due in play.game.hand.dues] == [2]
    play.press("refuse_blind", seat=2)
    assert play.phase == "between_hands"
    assert play.game.state.seats[2].flags.missed_blind
    assert total(play) == 300_000
    play.press("start_hand")  # and the next one goes without that seat (8.9.3)
    assert [player.seat for player in play.game.hand.betting.players] == [1, 3]


@pytest.mark.clause(BOOK, "2.1", "2.3", "6.2", "1.2")
def test_seats_lines_and_side_wager_spots_are_apart_and_only_chips_count() -> None:
    layout = PokerPlay().game.layout
    spots = [layout.side(seat, colour) for seat in range(1, 10) for colour in ("red", "black")]
    areas = [*range(1, 10), layout.pot, layout.drop, *spots]
    assert len(set(areas)) == len(areas) == layout.areas - 1
    play = PokerPlay()
    play.seat(1000, 1000)
    play.press("start_hand", 4)
    play.event(ChipsMoved("chips", 1, (Chip(7, "unknown", 0),)))
    assert [due.seat for due in play.game.hand.dues] == [1, 2]
    assert "foreign:7" in play.table.state.desk.alarms


@pytest.mark.clause(BOOK, "8.15.1", "6.11.1(b)")
def test_chips_added_to_a_side_wager_are_one_wager_with_it_and_all_of_it_is_paid() -> None:
    deck = ("2c", "3c", "4c", "5c", "6c", "Ah", "Kh", "Qd", "7c", "8c", "9c", "Tc")
    play = PokerPlay(config(side_wagers=True), deck)
    play.seat(1000, 1000)
    play.press("start_hand")
    for _ in range(2):
        play.put(play.game.layout.side(1, "red"), 500)
    assert [(wager.seat, wager.amount) for wager in play.game.hand.side] == [(1, 1_000)]
    for due in list(play.game.hand.dues):
        play.put(due.seat, due.amount)
    play.press("shuffled")
    play.press("cut")
    play.deal()
    play.check_down()
    play.show_all()
    play.sweep()
    play.lift(play.game.layout.pot)
    play.settle("push")
    play.press("dropped", confirmed=True)
    assert total(play) == 200_000 + 7_000
