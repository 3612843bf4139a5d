"""The button, blinds, seats, commission at the table, notices and prizes."""

from __future__ import annotations

import pytest

from controller.games.poker import positions
from controller.games.poker.cards import mask_of, parse_cards
from controller.games.poker.commission import (
    Commission,
    change_fault,
    collect,
    destination,
    fee_per_hand,
    percentage_due,
)
from controller.games.poker.evaluate import high_value
from controller.games.poker.flop_chase import BonusPrize, bonus_due, bonus_form
from controller.games.poker.hand import expected, start
from controller.games.poker.notices import Notice, hand_played, raise_minimum_fault
from controller.games.poker.positions import Positions, SeatFlags, dealt_in, next_positions
from controller.games.poker.rules import make_terms, terms_faults
from controller.games.poker.structures import Structure
from tests.controller.games.poker.dealer import RULES, Dealer, cents, percentage, terms

BOOK = "melbourne-poker"


@pytest.mark.clause(BOOK, "1.1 'Dealer Button'", "8.9.2(a)", "8.9.2(b)")
def test_the_first_button_is_at_the_dealer_s_right_and_moves_clockwise() -> None:
    live = [1, 2, 4, 6, 9]
    at = positions.first_positions(live, 2)
    assert (at.button, at.posts) == (9, (1, 2))
    seen = []
    for _ in range(5):
        at = next_positions(at, live)
        seen.append((at.button, *at.posts))
    assert seen == [(1, 2, 4), (2, 4, 6), (4, 6, 9), (6, 9, 1), (9, 1, 2)]


@pytest.mark.clause(BOOK, "8.9.6", "1.1 'Dead button'")
def test_when_both_blinds_leave_the_button_may_rest_on_an_empty_seat_and_nobody_skips_a_blind() -> None:
    at = Positions(1, (2, 3), (2, 3))
    live = [1, 4, 5, 6]
    at = next_positions(at, live)
    assert (at.button, at.dead_button, at.posts) == (2, True, (0, 4))
    at = next_positions(at, live)
    assert (at.button, at.dead_button, at.posts) == (3, True, (4, 5))
    at = next_positions(at, live)
    assert (at.button, at.dead_button, at.posts) == (4, False, (5, 6))


@pytest.mark.clause(BOOK, "8.9.6", "8.4")
def test_with_a_dead_button_the_deal_starts_left_of_it_and_ends_with_the_seat_before_it() -> None:
    at = Positions(3, (4, 5), (4, 5), dead_button=True)
    hand = start(terms(), dict.fromkeys((1, 2, 4, 5), cents(100)), at)
    assert [player.seat for player in hand.betting.players] == [4, 5, 1, 2]


@pytest.mark.clause(BOOK, "8.9.6")
def test_without_a_small_blind_the_hand_is_played_with_the_big_one_alone() -> None:
    at = Positions(2, (3, 4), (0, 4))
    hand = start(terms(), dict.fromkeys((1, 2, 4, 5), cents(100)), at)
    assert [(due.seat, due.amount) for due in hand.dues] == [(4, cents(10))]


@pytest.mark.clause(BOOK, "8.9.2(a)")
def test_the_usual_heads_up_form_is_a_house_option() -> None:
    at = positions.positions_at(7, [3, 7], 2, "usual")
    assert at.posts == (7, 3)
    at = next_positions(at, [3, 7], "usual")
    assert (at.button, at.posts) == (3, (3, 7))
    hand = start(terms(), {3: 5000, 7: 5000}, positions.positions_at(7, [3, 7], 2, "usual"))
    assert hand.betting.players[hand.last_blind_index].seat == 3


@pytest.mark.clause(BOOK, "8.9.2(a)", "8.9.2(b)")
def test_head_to_head_by_the_book_each_pays_the_big_blind_in_turn() -> None:
    at = positions.positions_at(7, [3, 7], 2)
    bigs = []
    for _ in range(4):
        bigs.append(at.posts[1])
        at = next_positions(at, [3, 7])
    assert bigs == [7, 3, 7, 3]


@pytest.mark.clause(BOOK, "8.9.1", "8.9.2(b)")
def test_three_blinds_move_one_seat_a_hand() -> None:
    live = [1, 2, 3, 4, 5]
    at = positions.positions_at(5, live, 3)
    assert at.posts == (1, 2, 3)
    at = next_positions(at, live)
    assert (at.button, at.posts) == (1, (2, 3, 4))


@pytest.mark.clause(BOOK, "8.10", "8.10.1", "8.10.2")
def test_a_newcomer_is_not_dealt_on_the_button_and_waits_or_posts_when_told() -> None:
    assert dealt_in(SeatFlags(new=True), "button", False) == (False, "8.10")
    assert dealt_in(SeatFlags(new=True, excused=True), "button", False)[0]
    assert dealt_in(SeatFlags(new=True, wait_for_blind=True), "other", False) == (False, "8.10.1")
    assert dealt_in(SeatFlags(new=True, wait_for_blind=True), "big_blind", False)[0]
    assert dealt_in(SeatFlags(new=True, must_post=True), "other", False) == (False, "8.10.2")
    assert dealt_in(SeatFlags(new=True, must_post=True), "other", True)[0]
    assert dealt_in(SeatFlags(new=True), "other", False)[0]


@pytest.mark.clause(
    BOOK, "8.3", "1.1 'Dealt-out Button'", "1.1 'Absent Button'", "1.1 'Player Walking Button'", "1.1 'Reserved Button'"
)
def test_buttons_before_a_seat_keep_it_out_of_the_deal() -> None:
    for flag, clause in (
        ("reserved", "8.3"),
        ("dealt_out", "1.1 'Dealt-out Button'"),
        ("absent", "1.1 'Absent Button'"),
        ("walking", "1.1 'Player Walking Button'"),
    ):
        assert dealt_in(SeatFlags(**{flag: True}), "other", False) == (False, clause)


@pytest.mark.clause(BOOK, "8.9.3", "1.1 'Missed Blind Button'", "1.1 'Absent Button'")
def test_a_missed_blind_is_flagged_and_cleared_when_made_good() -> None:
    flags = SeatFlags(walking=True)
    positions.blind_missed(flags)
    assert (flags.missed_blind, flags.absent, flags.walking) == (True, True, False)
    flags.absent = False
    positions.blind_made_good(flags)
    assert dealt_in(flags, "other", False)[0]


@pytest.mark.clause(BOOK, "8.9.5")
def test_one_who_paid_the_lap_may_take_the_button_seat() -> None:
    allowed = RULES.seats.free_move_live_seats
    assert not positions.move_is_free(5, allowed)
    assert positions.move_is_free(5, allowed, paid_lap=True, to_button=True)
    assert not positions.move_is_free(5, allowed, paid_lap=True)


@pytest.mark.clause(BOOK, "8.1.1", "3.3")
def test_a_seat_two_players_want_goes_to_the_higher_card_drawn() -> None:
    assert positions.seat_draw({"P1": "Kh", "P2": "Ks", "P3": "9s"}) == "P2"


@pytest.mark.clause(BOOK, "7.2.1", "7.7", "7.1")
def test_a_minimum_rake_never_lifts_it_above_ten_per_cent() -> None:
    rate = Commission("percentage", 5, cents(20), minimum=cents(4))
    assert percentage_due(rate, cents(30), 100) == cents(3)
    assert percentage_due(rate, cents(60), 100) == cents(4)
    assert percentage_due(rate, cents(1000), 100) == cents(20)


@pytest.mark.clause(BOOK, "7.4", "7.3")
def test_nil_commission_takes_nothing_and_changes_need_level_three_a_new_sign_and_no_hand() -> None:
    taken = collect(Commission(), [cents(500)], 100, dealt_in=5, blinds_only=False, all_tied=False)
    assert (taken.total, taken.clause) == (0, "7.4")
    assert change_fault(3, 3, between_hands=True, sign_changed=True) == ""
    for rank, between, sign in ((2, True, True), (3, False, True), (3, True, False)):
        assert change_fault(rank, 3, between_hands=between, sign_changed=sign) == "7.3"


@pytest.mark.clause(BOOK, "7.2.3(b)", "7.6")
def test_fees_by_hand_and_person() -> None:
    rate = Commission("per_hand", fees={2: 100, 6: 300})
    assert [fee_per_hand(rate, players) for players in (2, 5, 6, 9)] == [100, 100, 300, 300]
    assert collect(rate, [1500], 100, dealt_in=6, blinds_only=True, all_tied=False).total == 0
    assert collect(rate, [200, 500], 100, dealt_in=6, blinds_only=False, all_tied=True).by_pot == (200, 100)


@pytest.mark.clause(BOOK, "7.2.1(b)", "7.2.1(c)", "1.1 'Stand-alone Table'", "7.2.2(d)")
def test_commission_goes_to_the_chip_box_or_at_a_stand_alone_table_to_the_float() -> None:
    assert destination(percentage(5, 10)) == ("chip_box", "7.2.1(b)")
    assert destination(Commission("percentage", 5, 1000, stand_alone=True)) == ("float", "7.2.1(c)")


@pytest.mark.clause(BOOK, "footnote 2 s 66(2)", "6.10")
def test_a_higher_minimum_waits_twenty_minutes_whatever_players_agree() -> None:
    assert [raise_minimum_fault(shown, 20) for shown in (1199, 1200)] == ["footnote 2 s 66(2)", ""]
    notices = [Notice("game"), Notice("close", 2)]
    hand_played(notices)
    assert [notice.hands for notice in notices] == [1, 3]


@pytest.mark.clause(BOOK, "11.2", "11.3", "11.3.1", "11.3.2", "11.4")
def test_the_best_prize_a_hand_earns_is_due_unless_it_was_folded() -> None:
    quads = high_value(mask_of(parse_cards("2s2h2d2c3s")))
    royal = high_value(mask_of(parse_cards("AsKsQsJsTs")))
    prizes = [BonusPrize("quads", "cash", quads, 5000), BonusPrize("royal", "goods", royal)]
    assert bonus_due(prizes, royal, folded=False) == prizes[1]
    assert bonus_due(prizes, quads, folded=False) == prizes[0]
    assert bonus_due(prizes, quads - 1, folded=False) is None
    assert bonus_due(prizes, royal, folded=True) is None
    assert [bonus_form(prize)[1] for prize in prizes] == ["11.3.1", "11.3.2"]


@pytest.mark.clause(BOOK, "8.17.1", "8.17.2", "8.18.2")
def test_action_starts_left_of_the_last_blind_and_later_left_of_the_button() -> None:
    dealer = Dealer(terms(), dict.fromkeys((2, 5, 7, 9), 500), button=7)
    dealer.deal()
    assert expected(dealer.hand).seats == (5,)
    dealer.act("5 call", "7 fold", "9 fold", "2 check")
    dealer.go_on()
    assert expected(dealer.hand).seats == (2,)


@pytest.mark.clause(BOOK, "6.9", "7.2.1", "10.2.2 Red", "10.2.2 Black")
def test_terms_take_from_the_rulebook_what_the_house_may_not_choose() -> None:
    sign = make_terms(RULES, "Omaha", Structure("pot", 1000, 100), (500, 1000), percentage(10, 8), straddle=True)
    assert terms_faults(sign, RULES, 9) == []
    assert (sign.structure.raises, sign.side_odds, sign.straddle) == (3, 7, True)
    with pytest.raises(KeyError):
        make_terms(RULES, "Stud", Structure("pot", 1000, 100), (500, 1000))
