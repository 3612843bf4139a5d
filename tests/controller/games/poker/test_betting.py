"""Wagers, raises, all-ins, silent chips and turns."""

from __future__ import annotations

import pytest

from controller.games.poker.actions import Held, extension_fault, read_chips, resolve_held
from controller.games.poker.betting import open_round, options
from controller.games.poker.commission import Commission
from controller.games.poker.hand import expected
from controller.games.poker.inputs import Act, BuyTime, Chips, Cut, Post, Rule, Shuffled, TimeUp
from controller.games.poker.outputs import Acted, HeldBack, Prompt
from controller.games.poker.rules import Terms, terms_faults
from controller.games.poker.structures import Structure
from tests.controller.games.poker.dealer import (
    RULES,
    Dealer,
    bet,
    cents,
    give_up,
    match,
    opened,
    percentage,
    seats_betting,
    structure,
    terms,
)

BOOK = "melbourne-poker"


@pytest.mark.clause(BOOK, "6.9", "1.1 'Head to Head'")
def test_two_players_may_raise_without_end_in_limit() -> None:
    betting = opened("fixed", 2, level=10)
    for total in range(10, 210, 10):
        assert options(betting, betting.turn).raise_min == cents(total)
        bet(betting, total)


@pytest.mark.clause(BOOK, "6.9", "1.1 'Head to Head'")
def test_a_third_player_who_went_all_in_this_round_keeps_the_cap_on() -> None:
    betting = seats_betting(structure("fixed", level=10), 3, stacks=[500, 500, 20])
    open_round(betting, 2)
    for total in (10, 20):
        bet(betting, total)
    match(betting)
    for total in (30, 40):
        bet(betting, total)
    may = options(betting, betting.turn)
    assert (may.raise_max, may.no_raise) == (0, "6.9")


@pytest.mark.clause(BOOK, "6.9")
def test_no_limit_and_pot_limit_count_no_raises() -> None:
    for kind in ("no_limit", "pot", "half_pot"):
        betting = opened(kind, 3, pot=100)
        bet(betting, 10)
        for _ in range(8):
            may = options(betting, betting.turn)
            assert may.raise_min
            bet(betting, may.raise_min / 100)


@pytest.mark.clause(BOOK, "6.8", "1.1 'Spread Limit'", "1.1 'Flexible bet'")
def test_spread_limit_bets_from_minimum_to_maximum_and_raises_at_least_as_much_as_the_last() -> None:
    betting = opened("spread", 3, minimum=2, maximum=20)
    may = options(betting, betting.turn)
    assert (may.raise_min, may.raise_max) == (cents(2), cents(20))
    bet(betting, 8)
    may = options(betting, betting.turn)
    assert (may.raise_min, may.raise_max) == (cents(16), cents(28))
    bet(betting, 20)
    may = options(betting, betting.turn)
    assert (may.raise_min, may.raise_max) == (cents(32), cents(40))


@pytest.mark.clause(BOOK, "6.7")
def test_pot_limit_before_the_flop_counts_blinds_and_the_call() -> None:
    dealer = Dealer(terms("Omaha", "pot", blinds=(5, 10)), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    may = expected(dealer.hand).options
    assert may is not None
    assert (may.raise_min, may.raise_max) == (cents(20), cents(35))


@pytest.mark.clause(BOOK, "6.16.2(a)")
def test_an_under_half_all_in_raise_is_called_or_completed_and_gives_earlier_seats_no_raise() -> None:
    betting = seats_betting(structure("fixed", level=20), 4, stacks=[500, 28, 500, 500])
    open_round(betting, 3)
    bet(betting, 20)
    bet(betting, 28)
    may = options(betting, betting.turn)
    assert (may.to_call, may.raise_min, may.raise_max) == (cents(28), cents(40), cents(40))
    match(betting)
    match(betting)
    may = options(betting, betting.turn)
    assert may.seat == 1
    assert (may.to_call, may.raise_max, may.no_raise) == (cents(8), 0, "6.16.2(a)")


@pytest.mark.clause(BOOK, "6.16.2(b)", "6.9")
def test_an_all_in_of_half_or_more_counts_as_a_raise() -> None:
    betting = seats_betting(structure("fixed", level=20), 4, stacks=[500, 30, 500, 500])
    open_round(betting, 3)
    bet(betting, 20)
    bet(betting, 30)
    assert betting.raises == 1
    assert options(betting, betting.turn).raise_min == cents(50)


@pytest.mark.clause(BOOK, "6.16.2(a)", "6.9")
def test_completing_an_under_half_opening_bet_is_no_raise() -> None:
    betting = seats_betting(structure("fixed", level=20), 3, stacks=[8, 500, 500])
    open_round(betting, 3)
    bet(betting, 8)
    bet(betting, 20)
    assert betting.raises == 0


@pytest.mark.clause(BOOK, "6.16.3")
def test_several_short_all_ins_do_not_add_up_to_a_raise() -> None:
    betting = seats_betting(structure("no_limit", level=10), 4, stacks=[500, 150, 210, 500])
    open_round(betting, 2)
    bet(betting, 100)
    bet(betting, 150)
    bet(betting, 210)
    match(betting)
    may = options(betting, betting.turn)
    assert may.seat == 1
    assert (may.to_call, may.raise_max) == (cents(110), 0)


@pytest.mark.clause(BOOK, "6.16.3", "1.1 'Raise'")
def test_a_full_all_in_raise_re_opens_the_betting() -> None:
    betting = seats_betting(structure("no_limit", level=10), 3, stacks=[500, 200, 500])
    open_round(betting, 2)
    bet(betting, 100)
    bet(betting, 200)
    match(betting)
    assert options(betting, betting.turn).raise_min == cents(300)


@pytest.mark.clause(BOOK, "1.1 'All-in'", "6.16.1")
def test_nobody_raises_against_players_who_are_all_all_in() -> None:
    betting = seats_betting(structure("no_limit", level=10), 2, stacks=[50, 500])
    open_round(betting, 2)
    bet(betting, 50)
    assert options(betting, betting.turn).raise_max == 0


@pytest.mark.clause(BOOK, "6.12")
def test_the_fifty_per_cent_rule_holds_in_limit_too() -> None:
    betting = opened("fixed", level=20)
    bet(betting, 20)
    call = read_chips(betting, betting.turn, cents(29), single=False)
    assert (call.verdict, call.total, call.returned) == ("call", cents(20), cents(9))
    up = read_chips(betting, betting.turn, cents(30), single=False)
    assert (up.verdict, up.total, up.add) == ("complete_raise", cents(40), cents(10))
    over = read_chips(betting, betting.turn, cents(45), single=False)
    assert (over.verdict, over.total, over.returned) == ("raise", cents(40), cents(5))


@pytest.mark.clause(BOOK, "6.12", "6.16.3")
def test_silent_chips_above_the_call_are_a_call_when_raising_is_closed() -> None:
    betting = seats_betting(structure("no_limit", level=10), 3, stacks=[500, 150, 500])
    open_round(betting, 2)
    bet(betting, 100)
    bet(betting, 150)
    match(betting)
    reading = read_chips(betting, betting.turn, cents(300), single=False)
    assert (reading.verdict, reading.total, reading.returned, reading.clause) == (
        "call",
        cents(150),
        cents(250),
        "6.16.3",
    )


@pytest.mark.clause(BOOK, "6.14.1(b)")
def test_a_silent_oversize_chip_opens_for_its_value_after_the_flop() -> None:
    reading = read_chips((b := opened("no_limit", level=10)), b.turn, cents(100), single=True)
    assert (reading.verdict, reading.total, reading.returned) == ("bet", cents(100), 0)


@pytest.mark.clause(BOOK, "6.14.2")
def test_raise_with_an_oversize_chip_goes_to_the_chip_or_the_limit() -> None:
    betting = opened("no_limit", level=10)
    bet(betting, 25)
    reading = read_chips(betting, betting.turn, cents(100), single=True, announced="raise")
    assert (reading.verdict, reading.total, reading.clause) == ("raise", cents(100), "6.14.2")
    betting = opened("pot", level=10, pot=40)
    bet(betting, 10)
    reading = read_chips(betting, betting.turn, cents(100), single=True, announced="raise")
    assert (reading.verdict, reading.total, reading.returned) == ("raise", cents(70), cents(30))


@pytest.mark.clause(BOOK, "1.1 'Raise'", "1.1 'Call'", "6.18")
def test_a_spoken_raise_binds_to_the_minimum_and_a_spoken_call_returns_the_rest() -> None:
    betting = opened("no_limit", level=10)
    bet(betting, 100)
    reading = read_chips(betting, betting.turn, cents(120), single=False, announced="raise")
    assert (reading.verdict, reading.total, reading.add) == ("complete_raise", cents(200), cents(80))
    reading = read_chips(betting, betting.turn, cents(180), single=False, announced="call")
    assert (reading.verdict, reading.returned) == ("call", cents(80))


@pytest.mark.clause(BOOK, "1.1 'All-in'")
def test_an_all_in_can_be_no_more_than_a_legal_raise() -> None:
    betting = seats_betting(structure("fixed", level=10), 3, stacks=[500, 100, 500])
    open_round(betting, 2)
    bet(betting, 10)
    reading = read_chips(betting, betting.turn, cents(100), single=False)
    assert (reading.verdict, reading.total, reading.returned) == ("raise", cents(20), cents(80))


@pytest.mark.clause(BOOK, "6.17")
def test_a_short_call_is_made_up_or_left_in_the_pot() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    dealer.act("3 raise 50")
    dealer.tell(Chips(1, cents(20)))
    assert expected(dealer.hand).seats == (1,)
    assert dealer.refused(Act(1, "raise", cents(150))).clause == "6.17"
    dealer.act("1 call")
    assert dealer.hand.betting.players[0].in_round == cents(50)


def _flop() -> Dealer:
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    dealer.act("3 call", "1 call", "2 check")
    dealer.go_on()
    return dealer


@pytest.mark.clause(BOOK, "6.18.1")
def test_a_bet_out_of_turn_stands_when_the_skipped_seats_check() -> None:
    dealer = _flop()
    dealer.act("3 bet 50")
    assert isinstance(dealer.out[-1], HeldBack)
    dealer.act("1 check", "2 check")
    player = dealer.hand.betting.players[2]
    assert (player.in_round, dealer.hand.betting.high) == (cents(50), cents(50))
    assert expected(dealer.hand).seats == (1,)


@pytest.mark.clause(BOOK, "6.18.1", "6.12")
def test_a_smaller_bet_by_a_skipped_seat_makes_the_early_bet_a_raise_or_a_call() -> None:
    dealer = _flop()
    dealer.act("3 bet 50", "1 bet 20", "2 fold")
    assert dealer.hand.betting.high == cents(50)
    dealer = _flop()
    dealer.act("3 bet 50", "1 bet 40", "2 fold")
    assert dealer.hand.phase == "turn"
    assert dealer.hand.betting.players[2].in_hand == cents(50)


@pytest.mark.clause(BOOK, "6.18.3")
def test_a_check_out_of_turn_gives_up_bet_and_raise_for_the_round() -> None:
    dealer = _flop()
    dealer.act("3 check", "1 bet 50", "2 fold")
    may = expected(dealer.hand).options
    assert may is not None
    assert (may.seat, may.to_call, may.raise_max, may.no_raise) == (3, cents(50), 0, "6.18.3")
    dealer.act("3 call")
    dealer.go_on()
    dealer.act("1 check")
    may = expected(dealer.hand).options
    assert may is not None
    assert may.raise_max


@pytest.mark.clause(BOOK, "6.18", "1.1 'Action'")
def test_a_fold_out_of_turn_stands_and_the_turn_stays_where_it_was() -> None:
    dealer = _flop()
    dealer.act("3 fold")
    assert expected(dealer.hand).seats == (1,)
    dealer.act("1 bet 20", "2 fold")
    assert dealer.hand.phase == "award"


@pytest.mark.clause(BOOK, "6.18.2")
def test_an_overtaken_early_bet_may_be_made_up_or_raised() -> None:
    for action, total in (("call", 120), ("raise 240", 240)):
        dealer = _flop()
        dealer.act("3 bet 50", "1 bet 120", "2 fold", f"3 {action}")
        assert dealer.hand.betting.players[2].in_hand == cents(10 + total)


@pytest.mark.clause(BOOK, "1.1 'Action'")
def test_a_seat_that_has_acted_or_is_out_cannot_act_again() -> None:
    dealer = _flop()
    dealer.act("1 check")
    assert dealer.refused(Act(1, "bet", cents(20))).legal is not None
    dealer.act("2 fold")
    assert dealer.refused(Act(2, "call")).clause == "6.16.1"


@pytest.mark.clause(BOOK, "1.1 'Check'", "[6.6]", "1.1 'Table stakes'", "8.5")
def test_an_illegal_action_is_refused_with_what_is_legal_and_changes_nothing() -> None:
    dealer = _flop()
    dealer.act("1 bet 20")
    assert dealer.refused(Act(2, "check")).clause == "1.1 'Check'"
    refused = dealer.refused(Act(2, "raise", cents(30)))
    assert refused.legal is not None
    assert refused.legal.raise_min == cents(40)
    assert dealer.refused(Act(2, "raise", cents(5000))).clause == "[6.6]"
    assert dealer.refused(Act(2, "raise", cents(45.5))).clause == "8.5"
    assert dealer.refused(Chips(2, cents(900))).clause == "1.1 'Table stakes'"


@pytest.mark.clause(BOOK, "6.15", "6.15.1", "6.15.2")
def test_time_up_is_confirmed_by_the_dealer_and_time_may_be_bought() -> None:
    sign = terms(time_to_act_s=30, extensions=1, extension_s=30, extension_fee=cents(5))
    dealer = Dealer(sign, {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    dealer.tell(BuyTime(3))
    assert (dealer.stacks()[3], dealer.hand.fees) == (cents(495), cents(5))
    assert dealer.refused(BuyTime(3)).clause == "6.15.2"
    assert dealer.refused(BuyTime(1)).clause == "6.15.1"
    prompt = dealer.tell(TimeUp(3))[-1]
    assert isinstance(prompt, Prompt)
    assert prompt.choices == ("dead_hand", "more_time")
    assert dealer.refused(Act(3, "call")).clause == "9.1.1"
    dealer.tell(Rule("more_time", 1))
    assert expected(dealer.hand).seats == (3,)
    assert [extension_fault(bought, 1) for bought in (0, 1)] == ["", "6.15.2"]
    quiet = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    quiet.deal()
    assert quiet.refused(TimeUp(3)).clause == "6.15"


@pytest.mark.clause(BOOK, "6.5", "6.5.1", "8.9.4")
def test_a_straddle_acts_last_before_the_flop_only_and_may_raise() -> None:
    dealer = Dealer(terms(straddle=True), dict.fromkeys((1, 2, 3, 4), 500), button=4)
    dealer.post_blinds()
    dealer.tell(Post(3, cents(20), "straddle"), Shuffled(), Cut())
    assert dealer.refused(Post(4, cents(40), "straddle")).clause == "8.9.4"
    dealer.go_on()
    dealer.act("4 call", "1 call", "2 call")
    may = expected(dealer.hand).options
    assert may is not None
    assert (may.seat, may.to_call, may.raise_min) == (3, 0, cents(30))
    dealer.act("3 check")
    dealer.go_on()
    assert expected(dealer.hand).seats == (1,)


@pytest.mark.clause(BOOK, "6.5")
def test_a_straddle_is_refused_where_it_is_not_offered() -> None:
    dealer = Dealer(terms(), dict.fromkeys((1, 2, 3, 4), 500), button=4)
    dealer.post_blinds()
    assert dealer.refused(Post(3, cents(20), "straddle")).clause == "6.5"


@pytest.mark.clause(BOOK, "6.16.1", "1.1 'Blind'")
def test_a_short_big_blind_leaves_the_full_blind_to_call() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 6, 3: 500}, button=3)
    dealer.deal()
    may = expected(dealer.hand).options
    assert may is not None
    assert (may.to_call, may.raise_min) == (cents(10), cents(20))


@pytest.mark.clause(BOOK, "8.9.2(b)", "8.9.3")
def test_a_wrong_or_strange_blind_is_refused() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    assert dealer.refused(Post(1, cents(10))).clause == "8.9.2(b)"
    assert dealer.refused(Post(3, cents(10))).clause == "8.9.2(b)"
    assert dealer.refused(Act(1, "call")).clause == "1.1 'Action'"


@pytest.mark.clause(BOOK, "6.4", "7.2.1", "7.1", "8.9.1", "4.1 Omaha", "8.9.4", "6.15.2", "1.1 'Structured limit'")
def test_terms_the_rulebook_does_not_allow_are_refused_with_their_clause() -> None:
    omaha = RULES.game("Omaha")

    def clauses(sign: Terms, seats: int = 6) -> set[str]:
        return {clause for clause, _ in terms_faults(sign, RULES, seats)}

    assert clauses(terms()) == set()
    assert clauses(terms("Omaha"), 11) == {"4.1 Omaha"}
    assert clauses(terms(blinds=(5, 10), level=20)) == {"6.4"}
    assert clauses(terms(rake=percentage(11, 20))) == {"7.2.1"}
    assert clauses(terms(rake=percentage(1, 20))) == {"7.2.1"}
    assert clauses(terms(rake=percentage(2, 0))) == {"7.1"}
    assert clauses(terms(rake=Commission("per_hand"))) == {"7.2.3(b)"}
    assert clauses(terms(over_blinds=True)) == {"8.9.4"}
    assert clauses(terms(extensions=2)) == {"6.15.2"}
    assert clauses(Terms(omaha, Structure("fixed", 1000, 100, (1000, 1000)), (500, 1000))) == {"1.1 'Structured limit'"}
    assert clauses(Terms(omaha, Structure("no_limit", 1000, 100), ())) == {"8.9.1"}
    assert clauses(Terms(omaha, Structure("spread", 1000, 100, maximum=500), (500, 1000))) == {"1.1 'Spread Limit'"}


def test_an_early_call_that_nobody_raised_stands() -> None:
    betting = opened("no_limit", level=10)
    bet(betting, 30)
    resolved = resolve_held(betting, 1, Held(2, "call", cents(30), False, cents(30)))
    assert resolved.stands
    assert resolved.reading is not None
    assert (resolved.reading.verdict, resolved.reading.total) == ("call", cents(30))


@pytest.mark.clause(BOOK, "1.1 'Betting round'", "8.17.3(a)")
def test_when_all_but_one_fold_the_last_one_wins_what_was_called() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    dealer.act("3 raise 40", "1 fold", "2 fold")
    assert [output.kind for output in dealer.out if isinstance(output, Acted)] == ["raise", "fold", "fold"]
    assert dealer.finish() == {3: cents(25)}
    assert dealer.stacks() == {1: cents(495), 2: cents(490), 3: cents(515)}


def test_giving_up_in_turn_passes_the_turn() -> None:
    betting = opened("no_limit", 3)
    give_up(betting)
    assert betting.players[betting.turn].seat == 2
