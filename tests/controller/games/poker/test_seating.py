"""Who sits at a poker table with how much: buy-ins, moves, walks, newcomers, pick-ups, and who is dealt in next."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Announced, Noted
from controller.core.events import Command as Key
from controller.games.poker.positions import SeatFlags
from controller.people import Person
from tests.controller.games.poker.play import PokerPlay, dealt_in, flags, fold_round, noted, pennies, ruled

BOOK = "melbourne-poker"


def clause(*named: str) -> Any:
    return pytest.mark.clause(BOOK, *named)


def announced(play: PokerPlay) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.code, one.text, one.clauses) for one in play.effects if isinstance(one, Announced)]


# -- buying in --------------------------------------------------------------------------------------------------------


@clause("2.1", "6.3", "8.3", "6.11", "1.1 'Player Walking Button'", "8.11")
def test_a_key_about_a_seat_needs_a_seat_of_the_table_with_somebody_in_it() -> None:
    play = PokerPlay()
    play.press("sit", seat=1, player="P1", amount=10_000)
    play.press("sit", seat=9, player="P9", amount=10_000)
    for seat in (0, 10, -1):
        refusal = play.refused("sit", seat=seat, player="P2", amount=10_000)
        assert (refusal.code, refusal.clauses) == ("no_such_seat", ("2.1",))
    for key in ("leave", "walk", "posts", "back", "deal_out"):
        refusal = play.refused(key, seat=5)
        assert (refusal.code, refusal.clauses) == ("seat_empty", ("2.1",))
    assert play.refused("add_chips", seat=5, amount=10_000).code == "seat_empty"
    assert play.refused("pick_up", 3, seat=5).code == "seat_empty"


@clause("6.3", "4.1 Holdem", "6.11", "1.1 'Buy-in'")
def test_a_buy_in_is_made_of_chips_in_play_and_not_under_the_smallest_and_goes_on_record() -> None:
    play = PokerPlay()
    chip = play.game.state.terms.structure.chip
    assert chip == 250
    for amount, refused in ((0, "6.2"), (-10_000, "6.2"), (10_100, "6.2"), (9_750, "6.3"), (250, "6.3")):
        assert play.refused("sit", seat=1, player="P1", amount=amount).clauses == (refused,)
    play.press("sit", seat=1, player="P1", amount=10_000)
    assert noted(play, "sat_down") == [({"seat": 1, "player": "P1", "amount": 10_000, "by": "S1"}, ("6.3",))]
    for amount in (0, -250, 100):
        assert play.refused("add_chips", seat=1, amount=amount).clauses == ("6.2",)
    play.press("add_chips", seat=1, amount=250)
    assert noted(play, "chips_added") == [({"seat": 1, "amount": 250, "by": "S1"}, ("6.11",))]
    assert play.stacks() == {1: 10_250}
    small = PokerPlay(pennies())
    small.press("sit", seat=1, player="P1", amount=1)
    assert small.stacks() == {1: 1}


@clause("4.1 Holdem", "4.1 Omaha", "6.3")
def test_eleven_sit_at_holdem_and_ten_at_omaha_whatever_seats_the_table_has() -> None:
    play = PokerPlay(pennies(11))
    for seat in range(1, 11):
        play.press("sit", seat=seat, player=f"P{seat}", amount=100_000)
    play.press("sit", seat=11, player="P11", amount=100_000)
    assert len(play.stacks()) == 11
    play.press("leave", seat=11)
    play.press("change_game", 3, game="omaha")
    for seat in range(1, 7):
        play.press("agree", seat=seat)
    play.press("start_hand")
    assert play.game.hand.terms.game.name == "Omaha"
    refusal = play.refused("sit", seat=11, player="P11", amount=100_000)
    assert (refusal.code, refusal.clauses) == ("table_full", ("4.1 Omaha",))
    assert refusal.text == "Omaha is for 10 players at most."


@clause("6.11", "1.1 'Buy-in'", "1.1 'Lammer'")
def test_chips_of_a_folded_hand_wait_for_its_end_and_a_lammer_lies_until_they_have_come() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("sit", seat=5, player="P5", amount=10_000)
    assert play.refused("lammer", seat=3, amount=-1).clauses == ("1.1 'Lammer'",)
    play.press("lammer", seat=3, amount=5_000)
    assert noted(play, "lammer") == [({"seat": 3, "amount": 5_000, "by": "S1"}, ("1.1 'Lammer'",))]
    play.press("lammer", seat=5, amount=500)
    play.press("lammer", seat=5, amount=0)
    assert (flags(play, 3).lammer, flags(play, 5).lammer) == (5_000, 0)
    play.press("deal_out", seat=5)
    play.start()
    play.fold(play.wanted().seats[0])
    assert play.wanted().seats == (1,)
    assert play.refused("add_chips", seat=1, amount=1_000).clauses == ("6.11",)
    play.press("add_chips", seat=3, amount=2_000)
    play.press("add_chips", seat=5, amount=2_000)
    assert play.stacks() == {1: 100_000, 2: 100_000, 3: 100_000, 5: 12_000}
    assert flags(play, 3).lammer == 3_000
    play.press("add_chips", seat=3, amount=4_000)
    assert flags(play, 3).lammer == 0
    play.fold(1)
    play.finish()
    assert play.stacks() == {1: 99_500, 2: 100_500, 3: 106_000, 5: 12_000}


@clause("8.3", "8.1.2")
def test_who_leaves_takes_the_stack_at_once_or_after_the_hand_and_the_seat_is_offered_to_those_who_stay() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.press("sit", seat=5, player="P5", amount=10_000)
    play.press("leave", seat=5)
    assert noted(play, "left") == [({"seat": 5, "player": "P5", "amount": 10_000}, ("8.3",))]
    offer = ("seat_free", "Offer seat 5 to the seated players before the waiting list.", ("8.1.2",))
    assert announced(play) == [offer]
    play.press("leave", seat=3)
    assert noted(play, "leaves_after_hand") == [({"seat": 3, "player": "P3"}, ("8.3",))]
    assert (noted(play, "left"), announced(play)) == ([], [])
    play.fold(3)
    play.press("add_chips", seat=3, amount=5_000)
    play.fold(1)
    play.finish()
    left = [(one.facts, one.clauses) for one in play.told if isinstance(one, Noted) and one.what == "left"]
    assert left[1:] == [({"seat": 3, "player": "P3", "amount": 105_000}, ("8.3",))]
    play.press("leave", seat=1)
    play.press("leave", seat=2)
    assert (play.stacks(), announced(play)) == ({}, [])  # nobody is left to be offered it


# -- changing seats ---------------------------------------------------------------------------------------------------


def six() -> PokerPlay:
    """Six players after a hand in which seats 1 and 2 paid the blinds; seat 3 is next to pay the large one."""
    play = PokerPlay(pennies())
    play.seat(1000, 1000, 1000, 1000, 1000, 1000)
    fold_round(play)
    assert play.game.state.positions is not None
    assert play.game.state.positions.blinds == (1, 2)
    return play


@clause("8.9.5", "8.1.1")
def test_a_move_is_between_hands_to_a_free_seat_and_free_of_charge_before_the_first_hand() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    assert play.refused("move", seat=1, to=2).clauses == ("8.1.1",)
    assert play.refused("move", seat=1, to=10).clauses == ("2.1",)
    play.press("move", seat=1, to=9)
    assert noted(play, "moved_seat") == [({"seat": 1, "to": 9, "player": "P1", "free": True}, ("8.9.5",))]
    assert announced(play) == []
    assert {seat: one.player for seat, one in play.game.state.seats.items()} == {2: "P2", 3: "P3", 9: "P1"}
    play.press("sit", seat=5, player="P5", amount=10_000)
    play.press("deal_out", seat=5)
    play.start()
    refusal = play.refused("move", seat=2, to=4)
    assert (refusal.code, refusal.clauses) == ("in_hand", ("8.9.5",))
    play.press("move", seat=5, to=6)
    assert 6 in play.stacks()


@clause("8.9.5")
@pytest.mark.parametrize(
    ("seat", "to", "paid_lap", "free"),
    [
        (4, 7, False, True),  # seats 5 and 6 come before it now: two live seats
        (3, 7, False, False),  # and seat 4: three
        (3, 7, True, False),
        (2, 7, False, True),  # has just paid, and pays again sooner than before
    ],
)
def test_a_move_of_more_than_two_live_seats_away_from_the_large_blind_waits_or_posts(
    seat: int, to: int, paid_lap: bool, free: bool
) -> None:
    play = six()
    play.press("move", seat=seat, to=to, paid_lap=paid_lap)
    assert noted(play, "moved_seat") == [({"seat": seat, "to": to, "player": f"P{seat}", "free": free}, ("8.9.5",))]
    told = [("wait_or_post", f"Seat {to} waits for the big blind, or posts it.", ("8.9.5",))]
    assert announced(play) == ([] if free else told)
    play.gather()
    play.press("start_hand")
    assert noted(play, "not_dealt") == ([] if free else [({"seat": to, "player": f"P{seat}"}, ("8.9.5",))])
    assert (to in {player.seat for player in play.game.hand.betting.players}) is free
    if not free:
        play.press("cancel_disruption", 2, reason="a test")
        play.press("posts", seat=to)
        assert noted(play, "posts_next_hand") == [({"seat": to}, ("8.9.5",))]
        play.press("start_hand")
        assert (to, 1_000) in [(due.seat, due.amount) for due in play.game.hand.dues]


@clause("8.9.5")
@pytest.mark.parametrize(("stack", "free"), [(0, True), (1, False)])
def test_a_seat_without_chips_is_no_live_seat_on_the_way_of_the_blind(stack: int, free: bool) -> None:
    play = six()
    play.game.state.seats[5].stack = stack
    play.press("move", seat=3, to=7)
    assert noted(play, "moved_seat")[0][0]["free"] is free


@clause("8.9.5")
@pytest.mark.parametrize(("paid_lap", "free"), [(True, True), (False, False)])
def test_one_who_has_paid_the_lap_may_take_the_seat_of_the_next_button(paid_lap: bool, free: bool) -> None:
    play = six()
    play.press("leave", seat=1)
    play.press("move", seat=3, to=1, paid_lap=paid_lap)
    assert noted(play, "moved_seat")[0][0]["free"] is free
    play.gather()
    play.press("start_hand")
    assert play.game.hand.button == 1
    assert (1 in {player.seat for player in play.game.hand.betting.players}) is free


# -- away, back and picked up -----------------------------------------------------------------------------------------


@clause("1.1 'Player Walking Button'", "1.1 'Absent Button'", "8.9.3")
def test_a_player_who_walks_is_marked_walking_or_after_a_missed_blind_absent() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000, 1000)
    play.press("walk", seat=4)
    assert noted(play, "walks") == [({"seat": 4, "player": "P4"}, ("1.1 'Player Walking Button'",))]
    assert (flags(play, 4).walking, flags(play, 4).absent) == (True, False)
    assert dealt_in(play) == [1, 2, 3]
    play.press("back", seat=4)
    assert noted(play, "is_back") == [({"seat": 4, "player": "P4"}, ("1.1 'Player Walking Button'",))]
    assert flags(play, 4) == SeatFlags()
    play.gather()
    play.press("start_hand")
    play.press("refuse_blind", seat=1)
    assert flags(play, 1) == SeatFlags(missed_blind=True)
    play.press("walk", seat=1)
    assert flags(play, 1) == SeatFlags(missed_blind=True, absent=True)
    play.press("back", seat=1)
    assert flags(play, 1) == SeatFlags(missed_blind=True)


@clause("8.11", "8.12", "1.1 'Picked up'")
@pytest.mark.parametrize("missed", [False, True])
def test_a_picked_up_stack_is_kept_safe_with_the_time_away_and_how_long_the_head_of_the_list_is_kept(
    missed: bool,
) -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    if missed:
        play.press("start_hand")
        play.press("refuse_blind", seat=2)
    play.press("walk", seat=2)
    assert flags(play, 2).absent is missed
    play.at += 2_000_000
    play.press("pick_up", 3, seat=2)
    away = 2_000  # and the moment the key takes
    (found,) = ruled(play)
    assert (found.subject, found.answer, found.by, found.clauses) == ("pick_up", "P2", "S3", ("8.11",))
    assert found.reason == f"away for {away} s, $1,000 kept safe"
    until = play.table.desk.at + 20 * 60_000
    assert noted(play, "picked_up") == [
        ({"seat": 2, "player": "P2", "amount": 100_000, "head_until": until}, ("8.11", "8.12"))
    ]
    text = "Back within 20 minutes P2 heads the waiting list, later the place is its tail."
    assert announced(play) == [("picked_up", text, ("8.12",))]
    assert set(play.stacks()) == {1, 3}


@clause("8.11", "1.1 'Picked up'")
def test_a_player_who_is_there_or_still_has_a_hand_under_way_is_not_picked_up() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    assert play.refused("pick_up", 3, seat=2).code == "not_absent"
    play.start()
    play.press("walk", seat=2)
    assert play.refused("pick_up", 3, seat=2).code == "not_absent"
    play.fold(3)
    play.fold(1)
    play.finish()
    play.press("pick_up", 3, seat=2)
    assert 2 not in play.stacks()


# -- the next hand ----------------------------------------------------------------------------------------------------


@clause("8.10", "8.10.1", "8.10.2", "8.9.3")
@pytest.mark.parametrize(
    ("key", "answer", "rests_on", "dealt"),
    [("newcomer_waits", "waits", "8.10.1", False), ("newcomer_posts", "posts", "8.10.2", True)],
)
def test_level_two_has_a_newcomer_wait_for_the_blind_or_post_the_large_one(
    key: str, answer: str, rests_on: str, dealt: bool
) -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000, 1000)
    fold_round(play)
    play.press("sit", seat=6, player="P6", amount=10_000)
    assert play.refused(key, 1, seat=6).code == "rank_too_low"
    for before in ("newcomer_posts", "newcomer_waits", key):  # the last word counts
        play.press(before, 2, seat=6)
    (found,) = ruled(play)
    assert (found.subject, found.answer, found.by, found.clauses) == ("newcomer", answer, "S2", (rests_on,))
    place = play.game.state.seats[6]
    assert (place.flags.wait_for_blind, place.flags.must_post, place.posts) == (not dealt, dealt, dealt)
    play.gather()
    play.press("start_hand")
    assert noted(play, "not_dealt") == ([] if dealt else [({"seat": 6, "player": "P6"}, (rests_on,))])
    dues = [(due.seat, due.amount) for due in play.game.hand.dues]
    assert dues == ([(2, 500), (3, 1_000), (6, 1_000)] if dealt else [(2, 500), (3, 1_000)])
    for seat, amount in dues:
        play.put(seat, amount)
    play.press("shuffled")
    play.press("cut")
    play.deal()
    while play.phase == "bet1":
        play.fold(play.wanted().seats[0])
    play.finish()
    # A post is for one hand; who waits is dealt in with the large blind.
    play.gather()
    play.press("start_hand")
    assert [(due.seat, due.amount) for due in play.game.hand.dues] == [(3, 500), (4, 1_000)]
    assert (6 in {player.seat for player in play.game.hand.betting.players}) is dealt
    play.press("cancel_disruption", 2, reason="a test")
    assert flags(play, 6).new is not dealt


@clause("8.9.3", "1.1 'Missed Blind Button'")
def test_everybody_the_large_blind_has_passed_has_missed_it_and_nobody_else() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000, 1000, 1000, 1000)
    fold_round(play)  # seat 2 paid the large blind
    for seat in (1, 3, 4):
        play.press("walk", seat=seat)
    play.gather()
    play.press("start_hand")
    assert noted(play, "missed_blind") == [({"seat": 3}, ("8.9.3",)), ({"seat": 4}, ("8.9.3",))]
    assert {seat: flags(play, seat).missed_blind for seat in range(1, 7)} == {
        1: False, 2: False, 3: True, 4: True, 5: False, 6: False,
    }  # fmt: skip
    assert [(due.seat, due.amount) for due in play.game.hand.dues] == [(2, 500), (5, 1_000)]


@clause("8.9.3", "13.10", "1.1 'Dealer Button'")
def test_a_button_that_a_manager_placed_has_nobody_miss_a_blind() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000, 1000, 1000, 1000)
    fold_round(play)
    play.press("walk", seat=3)
    assert play.refused("place_button", 3, seat=99).code == "no_such_seat"
    play.press("place_button", 3, seat=5)
    play.gather()
    play.press("start_hand")
    assert noted(play, "missed_blind") == []
    assert (flags(play, 3).missed_blind, play.game.hand.button) == (False, 5)
    assert [due.seat for due in play.game.hand.dues] == [6, 1]


@clause("8.10.2", "8.9.3")
def test_a_newcomer_whose_post_came_to_nothing_posts_again_before_the_next_hand() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000, 1000)
    fold_round(play)
    play.press("sit", seat=6, player="P6", amount=10_000)
    play.press("newcomer_posts", 2, seat=6)
    assert dealt_in(play) == [1, 2, 3, 4, 6]
    play.press("start_hand")
    assert noted(play, "not_dealt") == [({"seat": 6, "player": "P6"}, ("8.10.2",))]
    play.press("cancel_disruption", 2, reason="a test")
    play.press("posts", seat=6)
    assert dealt_in(play) == [1, 2, 3, 4, 6]


# -- the chip runner ---------------------------------------------------------------------------------------------------


def by_runner(play: PokerPlay, key: str, **args: Any) -> list[Any]:
    return play.event(Key(key, Person("R1", 0, ("chip_runner",)), args))


@clause("1.1 'Chip Runner'", "1.1 'Mobile Bank'")
def test_a_chip_runner_books_money_and_seats_out_of_a_bank_of_their_own() -> None:
    """Case tp-14."""
    play = PokerPlay()
    refused = by_runner(play, "sit", seat=4, player="P1", amount=50_000)[0]
    assert (refused.code, refused.clauses[0]) == ("bank_short", "1.1 'Chip Runner'")
    by_runner(play, "runner_bank", chips=200_000)
    by_runner(play, "sit", seat=4, player="P1", amount=50_000)
    by_runner(play, "change", seat=4, amount=10_000)
    bank = play.game.state.runners["R1"]
    assert (bank.chips, bank.cash) == (150_000, 50_000)
    assert by_runner(play, "add_chips", seat=4, amount=150_250)[0].code == "bank_short"
    by_runner(play, "lammer", seat=4, amount=10_000)
    play.press("sit", 2, seat=6, player="P2", amount=10_000)
    assert {number: seat.player for number, seat in play.game.state.seats.items()} == {4: "P1", 6: "P2"}
    assert (bank.chips, bank.cash) == (150_000, 50_000)
    assert play.refused("runner_bank", chips=100).code == "no_runner"


@clause("1.1 'Chip Runner'")
def test_a_chip_runner_answers_nothing_and_neither_opens_nor_closes() -> None:
    play = PokerPlay()
    by_runner(play, "runner_bank", chips=200_000)
    for key, args, cited in (("close", {}, "13.3"), ("leave", {"seat": 1}, "6.3"), ("dispute", {}, "13.10")):
        refused = by_runner(play, key, **args)[0]
        assert (refused.code, refused.clauses) == ("rank_too_low", (cited,)), key
