"""Cards as people handle them: shown by the dealer or a player, cut, asked for, out of time and out of order."""

from __future__ import annotations

import pytest

from drivers.card_antennas import BURN, MUCK
from tests.controller.games.poker.play import config
from tests.controller.games.poker.seen import (
    after_the_deal,
    alarms,
    before_the_deal,
    call_round,
    cards_of,
    clause,
    deal,
    is_offered,
    on_the_flop,
    pressed,
    seated,
)

# -- shown by the dealer -----------------------------------------------------------------------------------------


@clause("9.7")
def test_a_card_that_the_dealer_flashed_is_told_after_the_last_card_was_read_and_becomes_the_first_burn() -> None:
    play = after_the_deal()
    assert play.phase == "bet1"
    shown = cards_of(play, 2)[-1]
    pressed(play, "exposed", seat=2)
    assert play.asked().subject == "exposed_hole_card"
    play.answer("swap_exposed", 1)
    play.lay(BURN, shown)
    top = deal(play, 2)
    assert (play.phase, top in cards_of(play, 2), play.game.hand.burns) == ("bet1", True, [shown])
    for seat in (3, 1):
        play.put(seat, play.wanted().options.to_call)
    pressed(play, "check")
    assert play.wanted().what == "board"  # the card that was shown is the burn


@clause("9.1.1(i)")
def test_a_second_flashed_card_is_a_misdeal_even_after_the_first_was_swapped() -> None:
    play = after_the_deal()
    shown = cards_of(play, 2)[-1]
    pressed(play, "exposed", seat=2)
    play.answer("swap_exposed", 1)
    play.lay(BURN, shown)
    deal(play, 2)
    pressed(play, "exposed", seat=1)
    assert play.asked().subject == "several_exposed"
    play.answer("misdeal", 1)
    assert (play.phase, play.game.hand.flashed) == ("shuffling", 0)


@clause("9.7")
def test_once_two_seats_have_acted_a_flashed_card_is_no_longer_offered() -> None:
    play = after_the_deal(1000, 1000, 1000, 1000)
    play.put(3, 1_000)
    assert is_offered(play, "exposed")
    play.put(4, 1_000)
    assert not is_offered(play, "exposed")


# -- the cut -----------------------------------------------------------------------------------------------------


@clause("9.1.1(a)")
@pytest.mark.parametrize("dealt", [0, 3, 6])
def test_a_card_exposed_in_the_cut_is_reported_after_the_cut(dealt: int) -> None:
    play = before_the_deal()
    for _ in range(dealt):
        deal(play, play.wanted().seats[0])
    pressed(play, "report", what="exposed_in_cut")
    play.answer("misdeal", 1)
    assert (play.phase, play.game.hand.cut) == ("shuffling", False)
    play.gather()
    pressed(play, "shuffled")
    pressed(play, "cut")
    assert play.phase == "dealing"


@clause("9.1.1(a)")
def test_a_card_exposed_in_a_cut_before_the_blinds_are_up_is_a_misdeal_that_waits_for_them() -> None:
    play = seated()
    play.press("start_hand")
    play.put(1, 500)
    assert not is_offered(play, "report")
    pressed(play, "shuffled")
    pressed(play, "cut")
    pressed(play, "report", what="exposed_in_cut")
    play.answer("misdeal", 1)
    assert (play.phase, [due.seat for due in play.game.hand.dues]) == ("posting", [2])
    play.put(2, 1_000)
    pressed(play, "shuffled")
    pressed(play, "cut")
    play.deal()
    assert play.phase == "bet1"


def test_only_what_can_have_happened_here_is_offered_for_a_report() -> None:
    play = after_the_deal()
    (key,) = [one for one in play.table.available() if one.name == "report"]
    offered = [what for ask in key.asks if ask.name == "what" for what, _ in ask.choices]
    assert "too_many_flop" not in offered
    assert "wrong_count" in offered
    assert play.refused("report", what="too_many_flop").clauses == ("9.1.1",)


# -- hands that lie open early -----------------------------------------------------------------------------------


@clause("9.6", "8.7")
@pytest.mark.parametrize("game", ["holdem", "pineapple", "crazy_pineapple_hilo", "omaha"])
def test_hands_laid_open_before_the_board_is_complete_play_and_are_read_at_the_showdown(game: str) -> None:
    play = after_the_deal(200, 200, 1000, setup=config(game=game))
    pressed(play, "fold", seat=3)
    play.put(1, 19_500)
    play.put(2, 19_000)
    for seat in (1, 2):
        pressed(play, "table_hand", seat=seat)
    assert {player.seat for player in play.game.hand.betting.players if player.shown} == {1, 2}
    assert alarms(play) == set()
    play.check_down()
    assert play.phase == "award"
    assert {read.seat for read in play.game.hand.hands} == {1, 2}
    assert all(len(player.shown) == play.game.hand.terms.game.kept for player in play.game.hand.betting.players[:2])


@clause("9.6", "8.2.3")
def test_a_hand_that_was_laid_open_may_still_be_folded_in_its_turn() -> None:
    play = after_the_deal()
    pressed(play, "table_hand", seat=3)
    play.fold(3)
    assert play.wanted().seats == (1,)
    assert play.game.hand.betting.players[-1].out == "folded"


@clause("9.6", "9.1.1(h)")
def test_a_face_that_lies_open_twice_is_a_defective_deck_whenever_it_was_shown() -> None:
    play = after_the_deal(200, 200)
    pressed(play, "table_hand", seat=1)
    shown = play.game.hand.betting.players[0].shown
    play.faces[cards_of(play, 2)[0]] = shown[0]
    pressed(play, "table_hand", seat=2)
    call_round(play)
    for _ in range(3):
        play.street()
        call_round(play)
    assert play.asked().subject == "defective_deck"


# -- a discarded hand --------------------------------------------------------------------------------------------


@clause("9.5")
def test_a_hand_that_was_touched_to_the_muck_stays_dead_whoever_asks_next() -> None:
    play = on_the_flop(1000, 1000, 1000, 1000)
    play.check_down()
    play.lay(MUCK, *cards_of(play, 4))
    for seat in (1, 2):
        pressed(play, "table_hand", seat=seat)
    first, second = sorted(play.game.hand.hands, key=lambda read: read.high)
    pressed(play, "ask_to_see", seat=4, asker=first.seat)
    again = play.refused("ask_to_see", seat=4, asker=second.seat)
    assert again.clauses == ("9.5",)
    assert not next(player for player in play.game.hand.betting.players if player.seat == 4).live
