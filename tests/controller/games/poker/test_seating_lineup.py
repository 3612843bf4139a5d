"""Who is dealt the next hand of poker, and what a hand leaves behind: stacks, flags, the button, fees per person."""

from __future__ import annotations

from typing import Any

import pytest

from controller.config.tomlread import Cents
from controller.core.effects import Noted, Settled
from controller.games.poker.config import RakeSection
from tests.controller.games.poker.play import PokerPlay, dealt_in, flags, fold_round, noted, pennies, ruled, told

BOOK = "melbourne-poker"


def clause(*named: str) -> Any:
    return pytest.mark.clause(BOOK, *named)


def players(play: PokerPlay) -> list[int]:
    return sorted(player.seat for player in play.game.hand.betting.players)


# -- who is dealt in --------------------------------------------------------------------------------------------------


@clause("8.9.3", "7.2.4(b)", "8.4")
def test_a_hand_needs_two_players_with_chips_who_are_there() -> None:
    play = PokerPlay(pennies())
    for seat in (1, 2):
        refusal = play.refused("start_hand")
        assert (refusal.code, refusal.clauses) == ("too_few", ("8.4",))
        play.press("sit", seat=seat, player=f"P{seat}", amount=100_000)
    play.press("walk", seat=2)
    assert play.refused("start_hand").clauses == ("8.4",)
    play.press("back", seat=2)
    play.press("sit", seat=3, player="P3", amount=1)
    assert dealt_in(play) == [1, 2, 3]  # one cent is a stack
    play.game.state.seats[3].stack = 0
    assert dealt_in(play) == [1, 2]


@clause("8.9.3", "7.2.4(b)")
def test_no_hand_is_played_by_one_while_the_other_owes_a_blind() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    fold_round(play)  # seat 2 paid the large blind, so seat 3 is next
    play.gather()
    play.press("start_hand")
    play.press("refuse_blind", seat=2)
    play.press("walk", seat=1)
    refusal = play.refused("start_hand")
    assert (refusal.code, refusal.clauses) == ("too_few", ("8.4", "8.9.3"))
    play.press("posts", seat=2)
    assert dealt_in(play) == [2, 3]


@clause("8.4", "1.1 'Dealt-out Button'", "1.1 'Player Walking Button'")
def test_whoever_was_dealt_out_between_hands_comes_back_by_the_key_that_the_refusal_names() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("deal_out", seat=1)
    play.press("deal_out", seat=2)
    play.press("walk", seat=3)
    said = play.refused("start_hand").text
    assert said.endswith("Seats 1, 2, 3 are not dealt in; press “Player is back” for whoever plays.")
    play.press("back", seat=1)
    play.press("back", seat=3)
    assert dealt_in(play) == [1, 3]
    play.press("walk", seat=3)
    play.press("back", seat=2)
    assert dealt_in(play) == [1, 2]
    play.press("leave", seat=2)
    assert " Seat 3 is not dealt in; " in play.refused("start_hand").text


@clause("8.9.3", "1.1 'Absent Button'", "1.1 'Dealt-out Button'", "6.11")
def test_absent_seats_are_passed_over_and_a_dealt_out_seat_sits_out_one_hand() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000, 1000)
    play.press("start_hand")
    play.press("refuse_blind", seat=1)
    play.press("walk", seat=1)
    assert flags(play, 1).absent
    play.press("deal_out", seat=4)
    assert noted(play, "dealt_out") == [({"seat": 4}, ("1.1 'Dealt-out Button'",))]
    play.start()
    assert players(play) == [2, 3]
    play.fold(play.wanted().seats[0])
    play.finish()
    assert dealt_in(play) == [2, 3, 4]


@clause("8.10", "8.9.3", "7.2.4(b)")
def test_a_newcomer_is_not_dealt_on_the_button() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000, 1000)
    fold_round(play)  # seat 1 paid the small blind: the button comes to it next
    play.press("leave", seat=1)
    play.press("sit", seat=1, player="P9", amount=10_000)
    play.press("sit", seat=6, player="P6", amount=10_000)
    play.gather()
    play.press("start_hand")
    assert play.game.hand.button == 1
    assert noted(play, "not_dealt") == [({"seat": 1, "player": "P9"}, ("8.10",))]
    assert players(play) == [2, 3, 4, 6]


@clause("8.9.3", "8.9.5")
def test_one_who_posts_and_has_the_large_blind_pays_it_once() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    fold_round(play)
    play.press("posts", seat=3)
    play.gather()
    play.press("start_hand")
    assert [(due.seat, due.amount) for due in play.game.hand.dues] == [(2, 500), (3, 1_000)]


@clause("8.9.3")
def test_one_who_leaves_and_refuses_the_blind_is_gone_with_the_hand() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    play.press("leave", seat=2)
    play.press("refuse_blind", seat=2)
    assert (play.phase, set(play.stacks())) == ("between_hands", {1, 3})
    assert dealt_in(play) == [1, 3]


# -- fees per person --------------------------------------------------------------------------------------------------

FEE = RakeSection("per_person", fee=Cents(500))


@clause("7.2.4(b)", "7.2.4(c)", "7.2.1(b)", "1.1 'Round of Play'")
def test_every_seat_pays_its_fee_before_the_hand_and_it_lies_on_the_drop_at_its_end() -> None:
    play = PokerPlay(told(rake=FEE))
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    assert (play.wanted().what, play.wanted().seats, play.wanted().amount) == ("fee", (1, 2, 3), 500)
    play.put(1, 500)
    play.put(2, 1_000)
    assert play.phase == "posting"
    play.press("fees")
    assert [play.stack(seat) for seat in (1, 2, 3)] == [99_000, 98_500, 99_500]
    assert play.phase == "shuffling"
    refusal = play.refused("fees")
    assert (refusal.code, refusal.clauses) == ("no_fee", ("7.2.4(b)",))
    play.press("shuffled")
    play.press("cut")
    play.deal()
    play.fold(3)
    refusal = play.refused("dropped")
    assert (refusal.code, refusal.clauses) == ("not_legal", ("7.2.1(b)",))
    refusal = play.refused("pushed")
    assert (refusal.code, refusal.clauses) == ("not_legal", ("1.1 'Round of Play'",))
    play.fold(1)
    play.sweep()
    refusal = play.refused("pushed")
    assert (refusal.code, refusal.text) == ("pot_lies", "$15 still lies in the pot; push it.")
    play.press("pushed", confirmed=True)
    assert play.phase == "drop"
    refusal = play.refused("dropped")
    assert (refusal.code, refusal.text) == ("drop_differs", "$0 lies on the drop; $15 is due.")
    play.put(play.game.layout.drop, 1_500)
    play.press("dropped")
    assert play.phase == "between_hands"
    over = next(effect for effect in play.told if isinstance(effect, Noted) and effect.what == "hand_over")
    assert (over.facts["rake"], over.facts["fees"]) == (0, 1_500)
    assert play.stacks() == {1: 99_000, 2: 100_000, 3: 99_500}


@clause("1.1 'Round of Play'", "7.2.1(b)")
def test_a_pot_that_is_gone_is_pushed_by_the_key_and_a_drop_that_differs_by_the_dealer_s_word() -> None:
    play = PokerPlay(told(rake=FEE))
    play.seat(1000, 1000)
    play.press("start_hand")
    play.press("fees")
    for due in list(play.game.hand.dues):
        play.put(due.seat, due.amount)
    play.press("shuffled")
    play.press("cut")
    play.deal()
    play.put(play.game.layout.pot, 500)
    refusal = play.refused("pushed")
    assert (refusal.code, refusal.clauses) == ("not_legal", ("1.1 'Round of Play'",))
    play.fold(1)
    for area in (1, 2, play.game.layout.pot):
        play.lift(area)
    play.press("pushed")
    assert play.phase == "drop"
    play.press("dropped", confirmed=True)
    assert play.phase == "between_hands"


@clause("7.2.4(b)", "8.9.3")
@pytest.mark.parametrize(("stack", "dealt"), [(500, False), (750, True)])
def test_a_seat_that_the_fee_leaves_nothing_is_not_dealt_in_and_the_large_blind_passes_it(
    stack: int, dealt: bool
) -> None:
    play = PokerPlay(told(rake=FEE, least_buy_in=Cents(250)))
    for seat, amount in enumerate((100_000, 100_000, stack, 100_000), start=1):
        play.press("sit", seat=seat, player=f"P{seat}", amount=amount)
    play.press("start_hand")
    assert noted(play, "not_dealt") == ([] if dealt else [({"seat": 3, "player": "P3"}, ("7.2.4(b)",))])
    play.press("fees")
    for due in list(play.game.hand.dues):
        play.put(due.seat, due.amount)
    play.press("shuffled")
    play.press("cut")
    play.deal()
    while play.phase == "bet1":
        play.fold(play.wanted().seats[0])
    play.sweep()
    play.lift(play.game.layout.pot)
    play.settle("push")
    play.press("dropped", confirmed=True)
    play.game.state.seats[3].stack = stack
    play.gather()
    play.press("start_hand")  # the large blind was at seat 2
    assert [due.seat for due in play.game.hand.dues] == ([2, 3] if dealt else [2, 4])
    assert noted(play, "missed_blind") == ([] if dealt else [({"seat": 3}, ("8.9.3",))])


@clause("7.2.4(b)", "8.9.3")
def test_a_charge_by_the_hour_keeps_nobody_out_of_a_hand() -> None:
    play = PokerPlay(told(rake=RakeSection("time", fee=Cents(20_000))))
    play.seat(1000, 1000)
    play.press("sit", seat=3, player="P3", amount=10_000)
    assert dealt_in(play) == [1, 2, 3]


# -- what a hand leaves -----------------------------------------------------------------------------------------------


@clause("6.11", "1.1 'Buy-in'")
def test_chips_bought_during_a_hand_join_the_stack_once() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.fold(3)
    play.press("add_chips", seat=3, amount=5_000)
    play.fold(1)
    play.finish()
    assert play.stacks() == {1: 99_500, 2: 100_500, 3: 105_000}
    fold_round(play)  # seat 2 pays the small blind, seat 3 the large one and wins
    assert play.stacks() == {1: 99_500, 2: 100_000, 3: 105_500}


@clause("1.1 'Dealer Button'", "13.10", "6.11")
def test_a_button_that_was_placed_holds_for_one_completed_hand_and_a_cancelled_one_moves_nothing() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000, 1000)
    play.press("place_button", 3, seat=2)
    (found,) = ruled(play)
    assert (found.subject, found.answer, found.by) == ("button", "seat 2", "S3")
    assert found.clauses == ("13.10", "1.1 'Dealer Button'")
    assert dealt_in(play) == [1, 2, 3, 4]
    assert play.game.view()["button"] == 0  # no hand has been completed
    fold_round(play)
    assert play.game.view()["button"] == 2
    play.gather()
    play.press("start_hand")
    assert (play.game.hand.button, play.game.view()["button"]) == (3, 3)
    play.press("cancel_disruption", 2, reason="a test")
    assert play.game.view()["button"] == 2
    settled = next(effect for effect in reversed(play.told) if isinstance(effect, Settled))
    assert settled.outcome == "refunded"
