"""Actions of a poker hand, in turn and out of it: what each does, to the cent, and by which clause."""

from __future__ import annotations

from typing import Any

import pytest

from controller.games.poker.hand import expected, options_now
from controller.games.poker.inputs import Act, Chips, Discard, Irregular, Rule, TimeUp
from controller.games.poker.outputs import Acted, HeldBack, Output, Prompt, RakeSetAside, Recorded
from tests.controller.games.poker.dealer import Dealer, percentage, terms
from tests.controller.games.poker.seen import clause


def dealt(*stacks: float, **sign: Any) -> Dealer:
    """Seats 1, 2, … dealt in with the button at the last; blinds of $5 and $10, seat 3 to act."""
    held = dict(enumerate(stacks or (500, 500, 500), start=1))
    dealer = Dealer(terms(**sign), held, button=len(held))
    dealer.deal()
    return dealer


def on_the_flop(*stacks: float, **sign: Any) -> Dealer:
    """Everybody has called, the flop lies, and seat 1 is to act."""
    dealer = dealt(*stacks, **sign)
    while expected(dealer.hand).what == "action":
        dealer.tell(Act(expected(dealer.hand).seats[0], "call"))
    dealer.go_on()
    return dealer


def acts(told: list[Output]) -> list[Acted]:
    return [one for one in told if isinstance(one, Acted)]


def turn(dealer: Dealer) -> int:
    return expected(dealer.hand).seats[0]


# -- in turn ----------------------------------------------------------------------------------------------------------


@clause("8.2.1", "8.2.2", "8.2.3", "1.1 'Action'")
def test_every_action_in_turn_is_told_with_what_was_added_and_its_clause() -> None:
    dealer = dealt(500, 500, 500, 500)
    assert dealer.tell(Act(3, "fold")) == [Acted(3, "fold", 0, 0, 0, False, "8.2.3")]
    assert dealer.tell(Act(4, "call")) == [Acted(4, "call", 1_000, 1_000, 0, False, "8.2.1")]
    assert dealer.tell(Act(1, "raise", 3_000)) == [Acted(1, "raise", 3_000, 2_500, 0, False, "8.2.2")]
    assert dealer.tell(Act(2, "fold")) == [Acted(2, "fold", 1_000, 0, 0, False, "8.2.3")]
    assert [player.out for player in dealer.hand.betting.players] == ["", "folded", "folded", ""]
    assert len(dealer.hand.muck) == 4


@clause("8.2.4", "8.18.3(b)", "1.1 'Check'")
def test_after_the_flop_a_check_adds_nothing_and_the_first_wager_is_a_bet() -> None:
    dealer = on_the_flop()
    assert dealer.tell(Act(1, "check")) == [Acted(1, "check", 0, 0, 0, False, "8.2.4")]
    assert dealer.tell(Act(2, "bet", 1_000)) == [Acted(2, "bet", 1_000, 1_000, 0, False, "8.18.3(b)")]
    assert dealer.refused(Act(3, "check")).clause == "1.1 'Check'"


@clause("6.16.1", "1.1 'Action'")
def test_the_last_chips_go_in_as_a_call_or_a_raise_by_the_clause_of_the_all_in() -> None:
    dealer = dealt(100, 60.50, 20, 500)
    assert dealer.tell(Act(3, "all_in")) == [Acted(3, "raise", 2_000, 2_000, 0, True, "6.16.1")]
    assert dealer.tell(Act(4, "raise", 10_000)) == [Acted(4, "raise", 10_000, 10_000, 0, False, "8.2.2")]
    assert acts(dealer.tell(Act(1, "call"))) == [Acted(1, "call", 10_000, 9_500, 0, True, "6.16.1")]
    assert acts(dealer.tell(Act(2, "all_in"))) == [Acted(2, "call", 6_050, 5_050, 0, True, "6.16.1")]
    odd = dealt(500, 500, 100.50)
    assert odd.refused(Act(3, "raise", 2_050)).clause == "8.5"
    assert odd.tell(Act(3, "raise", 10_050)) == [Acted(3, "raise", 10_050, 10_050, 0, True, "6.16.1")]


@clause("[6.6]", "1.1 'Action'")
def test_a_raise_that_raises_nothing_is_refused_and_does_not_become_a_call() -> None:
    dealer = dealt()
    refusal = dealer.refused(Act(3, "raise", 1_000))
    assert refusal.clause == "[6.6]"
    assert refusal.legal is not None
    assert (refusal.legal.seat, refusal.legal.to_call) == (3, 1_000)


@clause("1.1 'Action'", "8.2.1", "6.15")
def test_while_a_street_is_due_nobody_acts_and_nothing_is_legal() -> None:
    dealer = dealt(time_to_act_s=30)
    dealer.act("3 call", "1 call", "2 check")
    for given in (Act(3, "check"), Act(3, "fold"), Chips(3, 1_000), Chips(3, 60_000)):
        refusal = dealer.refused(given)
        assert (refusal.clause, refusal.legal) == ("1.1 'Action'", None)
    assert dealer.refused(TimeUp(3)).clause == "6.15"
    assert options_now(dealer.hand) is None


@clause("6.15")
def test_the_time_is_over_only_for_the_seat_in_turn() -> None:
    dealer = dealt(time_to_act_s=30)
    assert dealer.refused(TimeUp(1)).clause == "6.15"
    (asked,) = [one for one in dealer.tell(TimeUp(3)) if isinstance(one, Prompt)]
    assert asked == Prompt("time to act is over", "6.15", 1, "dead_hand", ("dead_hand", "more_time"), 3)


@clause("8.9.2(a)", "8.17.1")
def test_what_is_expected_of_the_seat_in_turn_names_the_clause_of_its_round() -> None:
    first, later = dealt(), on_the_flop()
    assert (expected(first.hand).clause, expected(later.hand).clause) == ("8.17.1", "8.18.3(b)")
    assert expected(first.hand).amount == expected(later.hand).amount == 0
    assert expected(later.hand).options == options_now(later.hand)


# -- chips in turn ----------------------------------------------------------------------------------------------------


@clause("1.1 'Table stakes'")
def test_chips_are_taken_from_one_cent_to_the_whole_stack() -> None:
    for amount in (-1, 0, 50_001):
        assert dealt().refused(Chips(3, amount)).clause == "1.1 'Table stakes'"
    assert dealt().tell(Chips(3, 1)) == [
        Prompt("short call", "6.17", 1, "add", ("add 999", "fold and leave 1"), 3, 999),
    ]
    assert dealt().tell(Chips(3, 50_000)) == [Acted(3, "all_in_raise", 50_000, 50_000, 0, True, "6.16.1")]


@clause("6.12", "8.2.2")
def test_chips_of_half_a_raise_must_be_completed_and_the_seat_is_told_how_much_is_missing() -> None:
    dealer = dealt()
    assert dealer.tell(Chips(3, 1_500)) == [
        Prompt("complete the wager", "6.12", 1, "add", (), 3, 500),
        Acted(3, "complete_raise", 2_000, 2_000, 0, False, "6.12"),
    ]
    assert dealer.tell(Chips(1, 1_500)) == [Acted(1, "call", 2_000, 1_500, 0, False, "8.2.1")]
    assert dealer.hand.betting.players[0].in_hand == 2_000


@clause("6.12", "6.17")
def test_a_short_call_by_the_next_seat_ends_the_time_in_which_chips_could_be_added() -> None:
    dealer = dealt()
    dealer.tell(Chips(3, 4_000))
    dealer.tell(Chips(1, 1_000))
    assert dealer.refused(Chips(3, 1_000)).clause == "1.1 'Action'"


@clause("6.12", "8.2.1")
def test_an_action_by_key_of_the_next_seat_ends_it_too_and_so_does_a_hand_that_is_declared_dead() -> None:
    acted = dealt()
    acted.tell(Chips(3, 4_000), Act(1, "call"))
    assert acted.refused(Chips(3, 1_000)).clause == "1.1 'Action'"
    dead = dealt()
    dead.tell(Chips(3, 4_000), Irregular("exchanged_cards", 3), Rule("hand_dead", 3))
    assert dead.refused(Chips(3, 1_000)).clause == "6.16.1"


@clause("6.12")
def test_chips_that_ended_a_round_are_not_added_to_in_the_next() -> None:
    dealer = dealt()
    dealer.tell(Act(3, "raise", 2_000), Act(1, "call"), Chips(2, 1_000))
    dealer.go_on()
    assert turn(dealer) == 1
    assert dealer.tell(Chips(2, 1_000)) == [HeldBack(2, "chips", 1_000, "6.18.1")]


@clause("6.12", "6.18")
def test_chips_may_be_added_while_only_a_seat_further_on_has_acted_early() -> None:
    dealer = dealt(500, 500, 500, 500)
    dealer.tell(Act(1, "call"))
    dealer.tell(Chips(3, 1_000))
    assert [one.what for one in dealer.tell(Chips(3, 2_000)) if isinstance(one, Prompt)] == ["string_bet"]
    resolved = dealt(500, 500, 500, 500)
    resolved.tell(Act(4, "call"))
    resolved.tell(Chips(3, 1_000))
    assert turn(resolved) == 1
    assert resolved.refused(Chips(3, 2_000)).clause == "1.1 'Action'"


@clause("6.18.1", "8.2.2")
def test_chips_of_another_seat_are_its_own_early_action_and_not_added_to_the_last_wager() -> None:
    dealer = dealt()
    dealer.tell(Chips(3, 4_000))
    assert dealer.tell(Chips(2, 3_000)) == [HeldBack(2, "chips", 3_000, "6.18.1")]


# -- out of turn ------------------------------------------------------------------------------------------------------


@clause("6.18", "6.18.1", "8.2.1", "1.1 'Action'")
def test_an_early_wager_waits_with_the_chips_that_it_adds() -> None:
    assert dealt().tell(Act(1, "raise", 3_000)) == [HeldBack(1, "raise", 2_500, "6.18.1")]
    assert dealt().tell(Act(1, "call")) == [HeldBack(1, "call", 500, "6.18.1")]
    assert dealt().tell(Act(2, "call")) == [HeldBack(2, "call", 0, "6.18.1")]
    assert dealt(8, 500, 500).tell(Act(1, "call")) == [HeldBack(1, "call", 300, "6.18.1")]
    assert dealt().tell(Act(1, "all_in")) == [HeldBack(1, "all_in", 49_500, "6.18.1")]
    assert dealt().tell(Chips(1, 2_000, announced="call")) == [HeldBack(1, "call", 500, "6.18.1")]
    assert dealt().refused(Act(1, "raise", 499)).clause == "1.1 'Table stakes'"
    assert dealt().refused(Act(1, "raise", 50_001)).clause == "1.1 'Table stakes'"


@clause("6.18", "6.16.1", "1.1 'Action'")
def test_a_seat_acts_early_once_and_not_at_all_when_it_has_acted_or_is_all_in_or_out() -> None:
    dealer = dealt(500, 500, 500, 10, 500)
    dealer.tell(Act(1, "call"))
    assert dealer.refused(Act(1, "raise", 3_000)).clause == "6.18"
    dealer.tell(Act(2, "call"))
    dealer.tell(Act(3, "call"), Act(4, "all_in"))
    assert turn(dealer) == 5
    assert dealer.refused(Act(3, "call")).clause == "1.1 'Action'"
    assert dealer.refused(Act(4, "call")).clause == "6.16.1"
    late = dealt(500, 500, 500, 500)
    late.tell(Act(3, "fold"))
    assert late.refused(Act(3, "call")).clause == "6.16.1"


@clause("6.18.3", "8.2.4")
def test_an_early_check_stands_when_nobody_bets_and_gives_up_the_raise_when_somebody_does() -> None:
    quiet = on_the_flop()
    assert quiet.tell(Act(3, "check")) == [HeldBack(3, "check", 0, "6.18.3")]
    quiet.tell(Act(1, "check"))
    assert acts(quiet.tell(Act(2, "check"))) == [
        Acted(2, "check", 0, 0, 0, False, "8.2.4"),
        Acted(3, "check", 0, 0, 0, False, "8.2.4"),
    ]
    assert quiet.hand.phase == "turn"
    bet = on_the_flop()
    bet.tell(Act(3, "check"), Act(1, "bet", 2_000))
    told = bet.tell(Act(2, "fold"))
    assert told[-1] == Prompt("early action overtaken", "6.18.3", 1, "ask", ("call", "fold"), 3, 2_000)
    assert bet.refused(Act(3, "raise", 6_000)).clause == "6.18.3"
    bet.tell(Act(3, "call"))
    assert bet.hand.phase == "turn"


@clause("6.18.2")
def test_an_early_call_that_is_overtaken_is_asked_about_with_what_is_missing_and_then_forgotten() -> None:
    dealer = dealt()
    dealer.tell(Act(1, "call"))
    told = dealer.tell(Act(3, "raise", 3_000))
    choices = ("call", "take back and fold", "raise")
    assert told[-1] == Prompt("early action overtaken", "6.18.2", 1, "ask", choices, 1, 2_000)
    dealer.tell(Act(1, "call"))
    dealer.tell(Act(2, "raise", 9_000))
    assert dealer.tell(Act(3, "call")) == [Acted(3, "call", 9_000, 6_000, 0, False, "8.2.1")]
    assert turn(dealer) == 1


@clause("6.18.1", "8.2.1")
def test_an_early_action_is_taken_once_in_its_turn_and_the_seat_answers_a_later_raise_itself() -> None:
    dealer = dealt()
    dealer.tell(Act(1, "call"))
    assert dealer.tell(Act(3, "call"))[-1] == Acted(1, "call", 1_000, 500, 0, False, "8.2.1")
    dealer.tell(Act(2, "raise", 3_000))
    assert dealer.tell(Act(3, "call")) == [Acted(3, "call", 3_000, 2_000, 0, False, "8.2.1")]
    assert (turn(dealer), dealer.hand.betting.players[0].in_round) == (1, 1_000)


@clause("9.8", "6.18.1")
def test_an_early_action_is_gone_when_the_round_is_played_again_on_another_flop() -> None:
    dealer = on_the_flop()
    dealer.tell(Act(2, "bet", 2_000))
    dealer.tell(Irregular("no_burn"))
    dealer.decide("redeal", 1)
    dealer.go_on()
    assert dealer.tell(Act(1, "check")) == [Acted(1, "check", 0, 0, 0, False, "8.2.4")]
    assert (turn(dealer), dealer.hand.betting.high) == (2, 0)


# -- folds out of turn ------------------------------------------------------------------------------------------------


@clause("6.18", "8.2.3")
def test_a_fold_out_of_turn_stands_and_the_seat_in_turn_keeps_its_turn() -> None:
    dealer = dealt()
    assert dealer.tell(Act(1, "fold")) == [Acted(1, "fold", 500, 0, 0, False, "6.18")]
    assert (turn(dealer), len(dealer.hand.muck)) == (3, 2)
    told = dealer.tell(Act(2, "fold"))
    assert acts(told) == [Acted(2, "fold", 1_000, 0, 0, False, "6.18")]
    assert dealer.hand.phase == "award"
    assert dealer.finish() == {3: 1_500}


@clause("9.1.1(f)", "8.2.3", "6.18")
@pytest.mark.parametrize(
    ("before", "ruling", "named"),
    [
        ((), "misdeal", "9.1.1(e)"),
        ((Act(1, "fold"),), "misdeal", "9.1.1(f)"),
        ((Act(2, "fold"), Act(3, "fold")), "hand_void_refunded", "9.1.1(f)"),
        ((Act(1, "call"),), "misdeal", "9.1.1(e)"),
        ((Act(4, "call"), Act(3, "fold")), "hand_void_refunded", "9.1.1(f)"),
        ((Act(1, "call"), Act(3, "fold"), Act(4, "call")), "hand_void_refunded", "9.1.1(f)"),
    ],
)
def test_early_folds_and_early_calls_whose_turn_has_come_are_actions_of_their_own_seats(
    before: tuple[Act, ...], ruling: str, named: str
) -> None:
    dealer = dealt(500, 500, 500, 500, 500)
    dealer.tell(*before)
    dealer.tell(Irregular("wrong_count", 5))
    assert dealer.hand.ruling is not None
    assert (dealer.hand.ruling.remedy.ruling, dealer.hand.ruling.remedy.clause) == (ruling, named)


@clause("9.8", "9.4", "6.18")
@pytest.mark.parametrize("before", [(Act(2, "fold"), Act(3, "fold")), (Act(2, "check"), Act(1, "check"))])
def test_they_are_actions_on_the_street_too(before: tuple[Act, ...]) -> None:
    dealer = on_the_flop(500, 500, 500, 500)
    dealer.tell(*before)
    dealer.tell(Irregular("no_burn"))
    assert dealer.hand.ruling is not None
    assert (dealer.hand.ruling.remedy.ruling, dealer.hand.ruling.remedy.clause) == ("play_on", "9.4")


# -- hands that are declared dead -------------------------------------------------------------------------------------


def call_to(dealer: Dealer, street: str) -> None:
    """Everybody calls until this street is due."""
    while dealer.hand.phase != street:
        if expected(dealer.hand).what == "action":
            dealer.tell(Act(turn(dealer), "call"))
        else:
            dealer.go_on()


def declare_dead(dealer: Dealer, seat: int) -> list[Output]:
    dealer.tell(Irregular("exchanged_cards", seat))
    return dealer.tell(Rule("hand_dead", 3))


@clause("1.1 'Dead hand'", "13.14")
def test_a_dead_hand_goes_to_the_muck_on_record_and_the_betting_goes_on_without_it() -> None:
    dealer = dealt(500, 500, 500, 500)
    told = declare_dead(dealer, 3)
    assert Recorded("hand dead", "13.14", 3) in told
    third = dealer.hand.betting.players[2]
    assert (third.live, third.out, dealer.hand.muck) == (False, "dead", third.cards)
    assert turn(dealer) == 4
    declare_dead(dealer, 1)
    assert turn(dealer) == 4


@clause("1.1 'Dead hand'", "8.17.3(a)", "8.18.3(a)", "8.19.3(a)")
@pytest.mark.parametrize(("street", "named"), [("flop", "8.17.3(a)"), ("turn", "8.18.3(a)"), ("river", "8.19.3(a)")])
def test_when_a_street_is_due_and_one_hand_is_left_it_wins_without_the_street(street: str, named: str) -> None:
    dealer = dealt(500, 500)
    call_to(dealer, street)
    declare_dead(dealer, 1)
    assert dealer.hand.phase == "award"
    assert [(share.seat, share.amount, share.clause) for share in dealer.hand.awards] == [(2, 2_000, named)]
    three = dealt()
    call_to(three, street)
    declare_dead(three, 1)
    assert three.hand.phase == street


@clause("1.1 'Dead hand'", "9.15.1", "8.17.4")
def test_a_dead_hand_gives_up_no_card_and_nobody_waits_for_it() -> None:
    dealer = dealt(game="Pineapple Holdem")
    dealer.act("3 call", "1 call", "2 check")
    assert dealer.hand.phase == "discard1"
    wanted = expected(dealer.hand)
    assert (wanted.seats, wanted.amount, wanted.clause) == ((1, 2, 3), 1, "8.17.4")
    declare_dead(dealer, 1)
    assert (dealer.hand.phase, expected(dealer.hand).seats) == ("discard1", (2, 3))
    dealer.go_on()
    other = dealt(500, 500, game="Pineapple Holdem")
    other.act("1 call", "2 check")
    declare_dead(other, 1)
    assert [(share.seat, share.clause) for share in other.hand.awards] == [(2, "8.17.3(a)")]
    last = dealt(game="Pineapple Holdem")
    last.act("3 call", "1 call", "2 check")
    for player in last.hand.betting.players[:2]:
        discard(last, player.seat)
    declare_dead(last, 3)
    assert last.hand.phase == "flop"


def discard(dealer: Dealer, seat: int) -> None:
    player = next(player for player in dealer.hand.betting.players if player.seat == seat)
    dealer.tell(Discard(seat, player.cards[0]))


# -- commission after a round -----------------------------------------------------------------------------------------


@clause("7.2.1(a)", "8.17.3(b)", "8.18.3(b)")
def test_commission_is_set_aside_after_a_round_only_when_more_is_due_and_two_are_left() -> None:
    dealer = dealt(rake=percentage(10, 10))
    dealer.act("3 call", "1 call", "2 check")
    dealer.check_down()
    dealer.finish()
    assert [one for one in dealer.out if isinstance(one, RakeSetAside)] == [RakeSetAside(300, 300, "7.2.1(a)")]
    alone = dealt(rake=percentage(10, 10))
    alone.act("3 raise 30", "1 call", "2 fold")
    alone.go_on()
    alone.act("1 bet 50", "3 fold")
    alone.finish()
    assert [one for one in alone.out if isinstance(one, RakeSetAside)] == [RakeSetAside(700, 700, "7.2.1(a)")]
    blinds = dealt(rake=percentage(10, 10))
    blinds.act("3 raise 30", "1 fold", "2 fold")
    assert not [one for one in blinds.out if isinstance(one, RakeSetAside)]


# -- all-in in words ---------------------------------------------------------------------------------------------------


@clause("6.16.1", "1.1 'All-in'")
def test_who_says_all_in_against_players_who_are_all_in_for_less_has_called_them() -> None:
    dealer = dealt(100, 100, 500)
    for seat in (3, 1):
        dealer.tell(Act(seat, "call"))
    dealer.tell(Act(2, "check"))
    dealer.go_on()
    dealer.tell(Act(1, "all_in"))
    dealer.tell(Act(2, "all_in"))
    told = dealer.tell(Act(3, "all_in"))
    assert acts(told) == [Acted(3, "call", 9_000, 9_000, 0, False, "6.16.1")]
    assert dealer.hand.betting.players[2].stack == 40_000


@clause("6.16.3")
def test_who_may_not_raise_any_more_and_says_all_in_has_called() -> None:
    dealer = dealt(500, 125, 500)
    dealer.tell(Act(3, "raise", 10_000))
    dealer.tell(Act(1, "call"))
    dealer.tell(Act(2, "all_in"))
    told = dealer.tell(Act(3, "all_in"))
    assert acts(told) == [Acted(3, "call", 12_500, 2_500, 0, False, "6.16.3")]


@clause("1.1 'All-in'")
def test_under_a_limit_all_in_is_the_highest_wager_it_allows() -> None:
    dealer = dealt(500, 500, 500, kind="fixed")
    may = options_now(dealer.hand)
    assert may is not None
    told = dealer.tell(Act(turn(dealer), "all_in"))
    assert [(one.kind, one.total, one.all_in) for one in acts(told)] == [("raise", may.raise_max, False)]
