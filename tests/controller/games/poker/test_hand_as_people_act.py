"""Hands as people play them: early, late, twice and in another order, by chips, cards and the keys a page offers."""

from __future__ import annotations

import msgspec
import pytest

from controller.config.tomlread import Cents
from controller.games.poker.config import RakeSection
from drivers.card_antennas import BOARD, BURN
from tests.controller.games.poker.play import PokerPlay, config, told
from tests.controller.games.poker.seen import (
    after_the_deal,
    alarms,
    call_round,
    clause,
    notes,
    on_the_flop,
    pressed,
    seated,
    words,
)

# -- chips before their turn -------------------------------------------------------------------------------------


@clause("6.18.1", "6.14.1(a)")
def test_one_big_chip_laid_silently_before_its_turn_is_a_call_when_its_turn_comes() -> None:
    play = after_the_deal(1000, 1000, 1000, 1000)
    play.put(4, 2_500, single=True)
    play.put(3, 1_000)
    seat = play.game.hand.betting.players[3]
    assert (seat.seat, seat.in_round, play.game.hand.betting.high) == (4, 1_000, 1_000)
    assert "Return $15 to seat 4." in [effect.text for effect in words(play, "return")]


@clause("6.18.1", "6.12")
@pytest.mark.parametrize(("laid", "total"), [(1_250, 1_000), (1_500, 2_000), (3_000, 3_000)])
def test_silent_chips_before_their_turn_are_ruled_on_as_chips_in_turn_are(laid: int, total: int) -> None:
    early, in_turn = after_the_deal(1000, 1000, 1000, 1000), after_the_deal(1000, 1000, 1000, 1000)
    early.put(4, laid)
    early.put(3, 1_000)
    in_turn.put(3, 1_000)
    in_turn.put(4, laid)
    for play in (early, in_turn):
        assert play.game.hand.betting.players[3].in_round == total
        assert play.game.hand.betting.turn == 0


@clause("6.18", "6.18.1", "6.14.2")
def test_a_raise_said_with_a_big_chip_before_its_turn_is_a_raise_when_its_turn_comes() -> None:
    play = after_the_deal(1000, 1000, 1000, 1000)
    pressed(play, "announce", what="raise", seat=4)
    play.put(4, 2_500, single=True)
    play.put(3, 1_000)
    assert play.game.hand.betting.high == 2_500


@clause("6.18", "6.18.1")
@pytest.mark.parametrize(
    ("key", "said", "total"), [("raise", {"amount": 3_000}, 3_000), ("call", {}, 1_000), ("all_in", {}, 100_000)]
)
def test_a_word_before_its_turn_waits_for_its_turn_and_binds(key: str, said: dict[str, int], total: int) -> None:
    play = after_the_deal(1000, 1000, 1000, 1000)
    pressed(play, key, seat=4, **said)
    assert play.wanted().seats == (3,)
    play.put(3, 1_000)
    assert play.game.hand.betting.players[3].in_round == total
    assert alarms(play) == {"line:4"}  # the chips have still to come


# -- announcements -----------------------------------------------------------------------------------------------


@clause("6.14.2", "6.14.1(a)")
@pytest.mark.parametrize(("answer", "high"), [("too_late", 1_000), ("with_the_chips", 2_500)])
def test_a_raise_told_after_the_chip_was_a_call_is_put_to_the_dealer(answer: str, high: int) -> None:
    play = after_the_deal()
    play.put(3, 2_500, single=True)
    assert play.wanted().seats == (1,)
    pressed(play, "announce", what="raise", seat=3)
    assert (play.asked().subject, play.asked().proposal) == ("late_announcement", "too_late")
    play.answer(answer, 1)
    assert (play.phase, play.wanted().seats, play.game.hand.betting.high) == ("bet1", (1,), high)
    assert play.game.in_play.announced == {}


@clause("6.14.2", "6.14.1(b)")
def test_what_was_told_too_late_is_forgotten_and_never_reaches_the_next_street() -> None:
    play = after_the_deal()
    play.put(3, 1_000)
    pressed(play, "announce", what="raise", seat=3)
    play.answer("too_late", 1)
    call_round(play)
    play.street()
    play.put(1, 2_000)
    play.press("fold", seat=2)
    play.put(3, 10_000, single=True)
    assert (notes(play, "acted")[-1].facts["kind"], play.game.hand.pots or play.phase) == ("call", "turn")


@clause("6.18")
def test_what_is_said_of_a_wager_that_others_have_answered_binds_nobody() -> None:
    play = after_the_deal()
    play.put(3, 1_000)
    play.put(1, 500)
    late = play.refused("announce", what="raise", seat=3)
    assert (late.code, late.clauses) == ("not_legal", ("6.18",))
    assert "binds nobody" in late.text


def test_an_announcement_without_chips_ends_with_the_action_of_the_seat_and_with_the_round() -> None:
    play = after_the_deal()
    pressed(play, "announce", what="raise")
    pressed(play, "call")  # the word was taken back in favour of a call, with everybody's consent
    assert play.game.in_play.announced == {}
    pressed(play, "announce", what="raise", seat=2)
    play.put(1, 500)
    play.press("check", seat=2)
    assert play.game.in_play.announced == {}


# -- void wagers -------------------------------------------------------------------------------------------------


@clause("13.2.1")
def test_a_raise_that_is_void_need_not_be_called_and_what_called_it_goes_back() -> None:
    play = after_the_deal(1000, 1000, 1000, 1000)
    play.put(3, 12_000)
    play.put(4, 12_000)
    play.put(1, 11_500)
    pressed(play, "report", what="contravention", seat=3)
    play.answer("hand_void_refunded", 4)
    assert play.wanted().options.to_call == 0
    back = [effect.text for effect in words(play, "return")]
    assert back == ["Return $120 to seat 3.", "Return $110 to seat 1.", "Return $110 to seat 4."]
    pressed(play, "check")
    assert (play.phase, play.game.hand.betting.kept) == ("flop", 3_000)


@clause("13.2.1")
def test_a_void_bet_leaves_those_behind_it_as_if_it_had_not_been_made() -> None:
    play = on_the_flop(1000, 1000, 1000, 1000)
    play.street()
    pressed(play, "check")
    play.put(2, 5_000)
    pressed(play, "report", what="contravention", seat=2)
    play.answer("hand_void_refunded", 4)
    assert (play.wanted().seats, play.wanted().options.to_call) == ((3,), 0)
    pressed(play, "check")
    pressed(play, "check")
    assert play.phase == "turn"  # seat 1 has checked, and owes no answer to what is void


@clause("13.2.1")
def test_a_raise_above_a_void_one_stands_and_is_called() -> None:
    play = after_the_deal(1000, 1000, 1000, 1000)
    play.put(3, 3_000)
    pressed(play, "announce", what="raise")
    play.put(4, 9_000)
    pressed(play, "report", what="contravention", seat=3)
    play.answer("hand_void_refunded", 4)
    assert (play.wanted().seats, play.wanted().options.to_call) == ((1,), 8_500)


@clause("13.2.1", "7.5")
def test_a_void_hand_between_streets_leaves_no_commission_on_what_nobody_called() -> None:
    play = on_the_flop(1000, 1000, setup=told(rake=RakeSection("percentage", 10, Cents(5_000))))
    pressed(play, "report", what="contravention", seat=1)
    play.answer("hand_void_refunded", 4)
    hand = play.game.hand
    assert (play.phase, hand.rake, sum(pot.amount for pot in hand.pots)) == ("award", 0, 0)


# -- a short blind -----------------------------------------------------------------------------------------------


@clause("6.16.1", "8.17.3(b)")
def test_nobody_is_asked_to_call_what_an_all_in_blind_cannot_contest() -> None:
    play = _short_big_blind(300)
    play.fold(3)
    assert play.phase == "flop"
    assert "Return $2 to seat 1." in [effect.text for effect in words(play, "return")]
    play.check_down()
    settled = play.finish()
    assert sum(result.pays for result in settled.results) == 300


@clause("6.16.1")
def test_the_last_seat_calls_as_much_as_the_all_in_blind_has_and_no_more() -> None:
    play = _short_big_blind(800)
    play.fold(3)
    assert (play.wanted().seats, play.wanted().options.to_call) == ((1,), 300)
    play.put(1, 300)
    assert (play.phase, play.game.hand.betting.kept) == ("flop", 1_600)


def _short_big_blind(cents: int) -> PokerPlay:
    """Three seats; the large blind of seat 2 is all it has."""
    setup = config()
    setup = msgspec.structs.replace(setup, limits=msgspec.structs.replace(setup.limits, smallest_chip=Cents(100)))
    play = seated(1000, 1000, 1000, setup=setup)
    play.game.state.seats[2].stack = cents
    play.start()
    return play


# -- Flop Chase --------------------------------------------------------------------------------------------------


@clause("9.16", "10.2.1")
def test_a_side_wager_is_settled_on_the_flop_that_stands() -> None:
    # The first flop is red; dealt again it is black.
    deck = ("As", "Ks", "Qs", "2c", "3c", "4c", "5h", "Ah", "Kh", "Qh", "5c", "Ac", "Kc", "Qc")
    play = _flop_taken_back(deck)
    play.street()
    pressed(play, "check")
    assert [(one.seat, one.won) for one in play.game.hand.side_results] == [(1, 0), (2, 7_000)]


def _flop_taken_back(deck: tuple[str, ...]) -> PokerPlay:
    """The flop is said to have come without its burn after one seat has checked on it, and is taken back."""
    play = seated(1000, 1000, 1000, setup=config(side_wagers=True), deck=deck)
    play.press("start_hand")
    play.put(play.game.layout.side(1, "red"), 1_000)
    play.put(play.game.layout.side(2, "black"), 1_000)
    play.post_and_deal()
    call_round(play)
    play.sweep()
    play.lay(BURN, play.draw())
    flop = [play.draw() for _ in range(3)]
    play.lay(BOARD, *flop)
    pressed(play, "turned_up")
    pressed(play, "check")
    assert [(one.seat, one.won) for one in play.game.hand.side_results] == [(1, 7_000), (2, 0)]
    pressed(play, "report", what="no_burn")
    play.answer("redeal", 1)
    play.take_up(*flop)
    while play.game.hand.ruling is not None:
        pressed(play, "done")
    return play
