"""Chips added to a wager that has come to rest: the first placement counts unless it was announced (P-A10)."""

from __future__ import annotations

import pytest

from controller.core.events import Chip, ChipsMoved
from tests.controller.games.poker.play import PokerPlay

BOOK = "melbourne-poker"


def after_the_deal(*stacks: int) -> PokerPlay:
    play = PokerPlay()
    play.seat(*(stacks or (1000, 1000, 1000)))
    play.start()
    return play


def wagered(play: PokerPlay, seat: int) -> int:
    return next(player.in_round for player in play.game.hand.betting.players if player.seat == seat)


@pytest.mark.clause(BOOK, "6.12")
def test_chips_added_after_a_call_are_asked_about_and_go_back() -> None:
    play = after_the_deal()
    play.put(3, 1_000)
    play.put(3, 3_000)
    asked = play.asked()
    assert (asked.subject, asked.proposal, asked.clauses) == ("string_bet", "return_chips", ("6.12",))
    play.answer("return_chips", 1)
    assert play.phase == "bet1"
    assert wagered(play, 3) == 1_000
    assert play.wanted().seats == (1,)
    assert "$30" in play.table.state.desk.alarms["line:3"].text
    play.lift(3)
    play.put(3, 1_000)
    assert "line:3" not in play.table.state.desk.alarms


def read_late(play: PokerPlay, seat: int, cents: int, after_ms: int) -> None:
    """A chip is read on a line so long after the placement that came before was ruled on."""
    play.at += after_ms - 1_000  # hands have rested for a second since
    play.tags += 1
    play.chips.setdefault(seat, {})[play.tags] = cents
    play.event(ChipsMoved("chips", seat, (Chip(play.tags, "cash", cents),)))


@pytest.mark.clause(BOOK, "6.12")
@pytest.mark.parametrize(("after_ms", "total"), [(100, 4_000), (400, 4_000), (900, None)])
def test_a_chip_that_may_have_lain_there_unread_belongs_to_the_placement(after_ms: int, total: int | None) -> None:
    play = after_the_deal()
    play.press("announce", what="raise")
    play.put(3, 3_500)
    assert wagered(play, 3) == 3_500
    read_late(play, 3, 500, after_ms)
    play.settle("line:3")
    if total is None:
        assert play.asked().subject == "string_bet"
        return
    assert (play.table.state.desk.prompts, wagered(play, 3)) == ({}, total)
    may = play.wanted().options
    assert (may.seat, may.to_call, play.game.hand.betting.last_raise) == (1, total - 500, total - 1_000)
    assert "line:3" not in play.table.state.desk.alarms


@pytest.mark.clause(BOOK, "6.12", "8.2.3")
def test_what_was_read_late_is_ruled_on_before_the_next_seat_acts() -> None:
    play = after_the_deal()
    play.put(3, 2_000)
    read_late(play, 3, 500, 400)
    play.fold(1)
    assert wagered(play, 3) == 2_500
    assert (play.wanted().seats, play.table.state.desk.alarms) == ((2,), {})


@pytest.mark.clause(BOOK, "6.12", "8.2.2")
def test_chips_that_were_announced_are_one_wager_with_the_first() -> None:
    play = after_the_deal()
    play.put(3, 1_000)
    play.put(3, 3_000)
    play.answer("one_wager", 1)
    assert wagered(play, 3) == 4_000
    assert play.game.hand.betting.last_raise == 3_000
    may = play.wanted().options
    assert (may.seat, may.to_call, may.raise_min) == (1, 3_500, 7_000)
    assert "line:3" not in play.table.state.desk.alarms
    play.fold(1)
    play.fold(2)
    settled = play.finish()
    assert sum(result.stake_taken - result.pays for result in settled.results) == 0
    assert play.stacks()[3] == 100_000 + 1_500


@pytest.mark.clause(BOOK, "6.12", "6.9")
def test_a_bet_made_in_two_parts_is_one_bet_and_not_a_raise() -> None:
    play = after_the_deal()
    play.put(3, 1_000)
    play.put(1, 500)
    play.press("check")
    play.street()
    play.put(1, 2_000)
    play.put(1, 1_000)
    play.answer("one_wager", 1)
    betting = play.game.hand.betting
    assert (betting.high, betting.last_raise, betting.raises) == (3_000, 3_000, 0)
    assert play.wanted().options.raise_min == 6_000


@pytest.mark.clause(BOOK, "6.18")
def test_once_the_next_seat_has_acted_added_chips_are_no_wager() -> None:
    play = after_the_deal()
    play.put(3, 1_000)
    play.put(1, 500)
    play.put(3, 3_000)
    assert not play.table.state.desk.prompts
    assert wagered(play, 3) == 1_000
    assert "line:3" in play.table.state.desk.alarms


@pytest.mark.clause(BOOK, "6.16.1")
def test_a_seat_that_went_all_in_has_nothing_to_add() -> None:
    play = after_the_deal(1000, 1000, 100)
    play.put(3, 10_000)
    play.put(3, 500)
    assert not play.table.state.desk.prompts


@pytest.mark.clause(BOOK, "8.2.1", "9.6")
def test_a_call_laid_while_a_ruling_was_open_counts_when_it_is_over() -> None:
    play = after_the_deal()
    play.press("report", what="player_exposed", seat=3)
    play.put(3, 1_000)
    assert wagered(play, 3) == 0
    play.answer("play_on", 1)
    play.settle("line:3")
    assert wagered(play, 3) == 1_000
    assert play.wanted().seats == (1,)
