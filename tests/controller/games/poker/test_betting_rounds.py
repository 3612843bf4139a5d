"""Betting rounds of every structure: who opens, what a raise measures, who may raise again, and when a round ends."""

from __future__ import annotations

import pytest

from controller.games.poker import betting as money
from controller.games.poker.betting import Betting, Options, Player
from controller.games.poker.structures import Structure
from tests.controller.games.poker.hands import FIXED, NO_LIMIT, POT
from tests.controller.games.poker.seen import clause

# -- structures -------------------------------------------------------------------------------------------------------


SPREAD = Structure("spread", 200, 100, maximum=1000)


# -- betting ----------------------------------------------------------------------------------------------------------


def at_table(structure: Structure, *stacks: int, blinds: tuple[int, ...] = (100, 200), straddle: int = 0) -> Betting:
    """A hand with the blinds posted by the first players, before the first word."""
    players = [Player(seat, stack) for seat, stack in enumerate(stacks, 1)]
    amounts = [*blinds, straddle] if straddle else list(blinds)
    for player, blind in zip(players, amounts, strict=False):
        player.stack -= blind
        player.posted = player.in_round = player.in_hand = blind
    betting = Betting(structure, players)
    money.open_first_round(betting, blinds[-1], len(amounts) - 1, straddle)
    return betting


def told(betting: Betting, index: int) -> tuple[int, int, int, int, bool, str]:
    may: Options = money.options(betting, index)
    assert may.seat == index + 1
    return may.to_call, may.call_total, may.raise_min, may.raise_max, may.opening, may.no_raise


@clause("6.5.1", "6.5.1(a)", "8.17.1", "[6.6]", "6.8", "1.1 'Raise'")
def test_the_first_round_opens_left_of_the_last_blind_with_that_blind_as_the_bet() -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000)
    assert (betting.round, betting.high, betting.full, betting.last_raise) == (1, 200, 200, 200)
    assert (betting.turn, betting.raises, betting.kept, betting.aggressor) == (2, 0, 0, -1)
    assert told(betting, 2) == (200, 200, 400, 5000, False, "")
    assert told(betting, 0) == (100, 200, 400, 5000, False, "")
    straddled = at_table(NO_LIMIT, 5000, 5000, 5000, 5000, straddle=400)
    assert (straddled.high, straddled.full, straddled.last_raise, straddled.turn) == (400, 400, 200, 3)
    assert told(straddled, 3) == (400, 400, 600, 5000, False, "")
    fixed = at_table(FIXED, 5000, 5000, 5000, blinds=(100, 300))
    assert (fixed.high, fixed.last_raise) == (300, 200)


RISING = Structure("fixed", 0, 100, levels=(100, 200, 300, 400))


@clause("6.5.1", "8.17.1", "8.18.2", "8.19.2", "8.20.2", "1.1 'Fixed bet'", "1.1 'Structured limit'")
def test_a_round_begins_afresh_whatever_the_one_before_left() -> None:
    betting = at_table(RISING, 5000, 5000, 5000)
    assert (betting.last_raise, RISING.first_minimum) == (100, 100)
    betting.raises, betting.kept, betting.aggressor, betting.called = 3, 900, 2, 1
    money.open_first_round(betting, 200, 1)
    assert (betting.raises, betting.kept, betting.aggressor) == (0, 0, -1)
    betting.high, betting.full, betting.raises, betting.aggressor, betting.turn = 800, 800, 3, 2, 1
    money.open_round(betting, 2)
    assert (betting.high, betting.full, betting.raises, betting.aggressor, betting.turn) == (0, 0, 0, -1, 0)
    assert betting.called == -1


@clause("8.18.2", "8.19.2", "8.20.2")
def test_a_round_that_nobody_can_bet_in_leaves_who_was_called_as_it_was() -> None:
    betting = at_table(NO_LIMIT, 200, 200, 5000, blinds=(200, 200))
    betting.players[0].all_in = betting.players[1].all_in = 1
    betting.called = 2
    money.open_round(betting, 2)
    assert (betting.turn, betting.called) == (-1, 2)
    assert [(player.owes, player.may_raise) for player in betting.players] == [
        (False, False),
        (False, False),
        (True, True),
    ]
    betting.players[2].live = False
    money.open_round(betting, 3)
    assert not betting.players[2].owes


@clause("8.18.2", "8.19.2", "8.20.2", "8.17.1", "6.5.1")
def test_what_closed_a_seats_raise_in_one_round_is_over_in_the_next() -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000)
    betting.players[0].closed = "6.18.3"
    money.open_first_round(betting, 200, 1)
    assert betting.players[0].closed == ""


@clause("8.18.2", "8.19.2", "8.20.2", "[6.6]", "6.8")
def test_a_later_round_opens_left_of_the_button_with_nothing_wagered() -> None:
    betting = at_table(FIXED, 5000, 5000, 5000)
    for index in (2, 0, 1):
        money.call(betting, index)
    assert money.close_round(betting) == 600
    money.open_round(betting, 3)
    assert (betting.round, betting.turn, betting.high, betting.full, betting.raises) == (3, 0, 0, 0, 0)
    assert (betting.last_raise, betting.kept, betting.aggressor) == (400, 600, -1)
    assert told(betting, 0) == (0, 0, 400, 400, True, "")
    assert all(player.owes and player.may_raise and not player.closed for player in betting.players)
    betting.players[0].closed = "6.17"
    assert told(betting, 0) == (0, 0, 0, 0, True, "6.17")
    money.open_round(betting, 4)
    assert betting.players[0].closed == ""


@clause("[6.6]", "6.8", "1.1 'Raise'", "6.16.3")
def test_a_no_limit_raise_is_at_least_the_last_one_and_a_short_all_in_re_opens_nothing() -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000, 700)
    assert money.wager(betting, 2, 500)
    assert (betting.high, betting.full, betting.last_raise, betting.raises, betting.aggressor) == (500, 500, 300, 1, 2)
    assert told(betting, 3) == (500, 500, 700, 700, False, "")
    assert not money.wager(betting, 3, 700)
    assert (betting.high, betting.last_raise, betting.raises) == (700, 300, 1)
    assert betting.players[3].all_in == 1
    assert told(betting, 0) == (600, 700, 1000, 5000, False, "")
    money.call(betting, 0)
    money.call(betting, 1)
    assert told(betting, 2) == (200, 700, 0, 0, False, "6.16.3")
    exact = at_table(NO_LIMIT, 5000, 5000, 5000)
    assert money.wager(exact, 2, 400)
    assert money.wager(exact, 0, 599) is False
    assert exact.players[0].stack == 4401
    assert exact.players[0].in_hand == 599


@clause("6.16.2(a)", "6.16.2(b)", "1.1 'All-in'", "[6.6]", "6.8")
@pytest.mark.parametrize(
    ("total", "counts", "full", "raises"), [(299, False, 200, 0), (300, True, 300, 1), (400, True, 400, 1)]
)
def test_under_fixed_limit_an_all_in_of_half_a_raise_counts_as_one(
    total: int, counts: bool, full: int, raises: int
) -> None:
    betting = at_table(FIXED, 5000, 5000, total, 5000)
    assert money.wager(betting, 2, total) is counts
    assert (betting.full, betting.raises, betting.high, betting.last_raise) == (full, raises, total, 200)
    assert betting.players[2].all_in == 1
    assert told(betting, 3)[2:4] == (full + 200, full + 200)
    money.call(betting, 3)
    money.call(betting, 0)
    money.call(betting, 1)
    assert told(betting, 3)[2:] == (0, 0, False, "6.16.2(a)")


@clause("6.16.2(b)", "1.1 'Raise'", "6.8")
def test_completing_a_short_opening_bet_is_still_the_bet_and_a_spread_raise_sets_the_next_one() -> None:
    betting = at_table(SPREAD, 5000, 5000, 5000)
    money.close_round(betting)
    money.open_round(betting, 2)
    assert money.wager(betting, 0, 300)
    assert (betting.raises, betting.last_raise, betting.full) == (0, 300, 300)
    assert told(betting, 1) == (300, 300, 600, 1300, False, "")
    assert money.wager(betting, 1, 1200)
    assert (betting.raises, betting.last_raise) == (1, 900)
    no_limit = at_table(NO_LIMIT, 5000, 5000, 5000)
    money.close_round(no_limit)
    money.open_round(no_limit, 2)
    assert money.wager(no_limit, 0, 300)
    assert (no_limit.raises, no_limit.last_raise, no_limit.full) == (0, 300, 300)


@clause("6.9", "1.1 'Head to Head'", "[6.6]", "6.8")
def test_after_three_raises_nobody_raises_again_unless_two_are_left() -> None:
    betting = at_table(FIXED, 5000, 5000, 5000)
    for index, total in ((2, 400), (0, 600), (1, 800)):
        money.wager(betting, index, total)
    assert betting.raises == 3
    assert told(betting, 2) == (400, 800, 0, 0, False, "6.9")
    money.fold(betting, 2)
    assert money.head_to_head(betting)
    assert told(betting, 0) == (200, 800, 1000, 1000, False, "")
    betting.full, betting.players[2].live = 0, True
    assert told(betting, 0)[5] == ""
    two = at_table(FIXED, 5000, 5000, 5000)
    for index, total in ((2, 400), (0, 600)):
        money.wager(two, index, total)
    assert told(two, 1) == (400, 600, 800, 800, False, "")


@clause("6.9", "1.1 'Head to Head'")
def test_who_went_all_in_this_round_still_counts_among_those_in_the_betting() -> None:
    betting = at_table(FIXED, 5000, 5000, 5000)
    assert not money.head_to_head(betting)
    betting.players[2].all_in = 1
    assert not money.head_to_head(betting)
    betting.round = 2
    assert money.head_to_head(betting)
    betting.players[2].all_in = 0
    betting.players[1].live = False
    assert money.head_to_head(betting)


@clause("6.7", "[6.6]", "6.8", "1.1 'Pot'")
def test_a_pot_limit_raise_goes_up_to_the_pot_after_the_call_and_never_under_the_minimum() -> None:
    betting = at_table(POT, 5000, 5000, 5000)
    assert money.pot_total(betting) == 300
    assert told(betting, 2) == (200, 200, 400, 700, False, "")
    assert told(betting, 0) == (100, 200, 400, 600, False, "")
    half = at_table(Structure("half_pot", 200, 100), 5000, 5000, 5000)
    assert told(half, 2)[2:4] == (400, 400)
    money.close_round(half)
    money.open_round(half, 2)
    assert told(half, 0)[2:4] == (200, 200)
    for index in (2, 0, 1):
        money.call(betting, index)
    money.close_round(betting)
    money.open_round(betting, 2)
    assert money.pot_total(betting) == 600
    assert told(betting, 0) == (0, 0, 200, 600, True, "")


@clause("6.16.1", "1.1 'Call'", "1.1 'All-in'", "[6.6]")
def test_a_call_takes_what_is_missing_or_what_is_left_and_no_raise_is_open_to_a_short_stack() -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000, 450, 500)
    money.wager(betting, 2, 500)
    assert told(betting, 3) == (450, 450, 0, 0, False, "6.16.1")
    assert money.call(betting, 3) == 450
    short = betting.players[3]
    assert (short.stack, short.in_round, short.in_hand, short.all_in, short.owes) == (0, 450, 450, 1, False)
    assert told(betting, 4) == (500, 500, 0, 0, False, "6.16.1")
    assert money.call(betting, 4) == 500
    assert betting.players[4].all_in == 1
    assert money.call(betting, 0) == 400
    blind = betting.players[0]
    assert (blind.stack, blind.in_round, blind.in_hand, blind.all_in, blind.may_raise) == (4500, 500, 500, 0, False)
    assert money.call(betting, 0) == 0
    assert blind.stack == 4500
    betting.high = 400  # a wager that was taken back leaves more before this seat than is to be called
    assert told(betting, 0)[:2] == (0, 500)
    assert money.call(betting, 0) == 0
    assert (blind.stack, blind.in_round) == (4500, 500)
    betting.high = 501
    assert money.call(betting, 0) == 1
    assert told(betting, 0)[:2] == (0, 501)
    betting.high = 500
    assert told(betting, 0)[:2] == (0, 501)
    betting.high = 501
    spent = Player(9, 0, in_round=501)
    betting.players.append(spent)
    assert money.call(betting, 5) == 0
    assert spent.all_in == 0


@clause("6.16.1", "[6.6]", "6.8")
def test_nobody_raises_when_everybody_else_is_all_in_and_a_raise_is_cut_down_to_the_stack() -> None:
    betting = at_table(NO_LIMIT, 500, 5000)
    money.wager(betting, 0, 500)
    assert told(betting, 1) == (300, 500, 0, 0, False, "6.16.1")
    behind = at_table(NO_LIMIT, 5000, 5000, 350)
    assert told(behind, 2) == (200, 200, 350, 350, False, "")
    level = at_table(NO_LIMIT, 5000, 400, 400)
    assert told(level, 2) == (200, 200, 400, 400, False, "")
    folded = at_table(NO_LIMIT, 200, 5000, 5000, blinds=(200,))
    money.fold(folded, 1)
    assert told(folded, 2) == (200, 200, 0, 0, False, "6.16.1")


@clause("1.1 'Betting round'", "1.1 'Opener'", "8.17.2", "1.1 'Fold'")
def test_the_turn_goes_round_to_everybody_who_still_owes_a_word_and_then_ends() -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000, 5000)
    order = []
    while betting.turn >= 0:
        order.append(betting.turn)
        money.call(betting, betting.turn)
        betting.turn = money.next_turn(betting)
    assert order == [2, 3, 0, 1]
    assert betting.turn == -1
    assert at_table(NO_LIMIT, 5000, 5000).turn == 0
    money.wager(betting, 1, 400)
    betting.turn = 1
    assert money.next_turn(betting) == 2
    money.fold(betting, 2)
    gone = betting.players[2]
    assert (gone.live, gone.owes, gone.may_raise, gone.out, gone.in_hand) == (False, False, False, "folded", 200)
    assert money.next_turn(betting) == 3
    money.fold(betting, 3, "dead")
    assert betting.players[3].out == "dead"
    money.fold(betting, 0)
    assert money.next_turn(betting) == -1


@clause("1.1 'Betting round'", "8.17.2")
def test_one_seat_against_all_ins_answers_a_wager_and_then_has_nobody_to_bet_against() -> None:
    betting = at_table(NO_LIMIT, 800, 5000)
    money.wager(betting, 0, 800)
    assert money.next_turn(betting) == 1
    money.call(betting, 1)
    assert money.next_turn(betting) == -1
    level = at_table(NO_LIMIT, 200, 5000, blinds=(200, 200))
    level.players[0].all_in = 1
    assert money.next_turn(level) == -1
    alone = at_table(NO_LIMIT, 5000, 5000)
    money.fold(alone, 0)
    alone.high = 5000
    assert money.next_turn(alone) == -1
    answered = at_table(NO_LIMIT, 800, 5000)
    money.wager(answered, 0, 800)
    answered.players[1].owes = False
    assert money.next_turn(answered) == -1
    out_of_it = at_table(NO_LIMIT, 5000, 5000, 5000, 5000)
    out_of_it.players[2].live = False
    out_of_it.turn = 1
    assert money.next_turn(out_of_it) == 3
    out_of_it.players[3].all_in = 1
    assert money.next_turn(out_of_it) == 0
    both = at_table(NO_LIMIT, 200, 200, blinds=(200, 200))
    both.players[0].all_in = both.players[1].all_in = 1
    assert money.next_turn(both) == -1


@clause("1.1 'Raise'", "1.1 'All-in'")
def test_a_raise_asks_everybody_again_who_can_still_answer() -> None:
    betting = at_table(NO_LIMIT, 5000, 5000, 5000, 5000)
    betting.players[0].all_in = 1
    money.fold(betting, 1)
    money.call(betting, 3)
    assert money.wager(betting, 2, 600)
    asked = [(player.owes, player.may_raise) for player in betting.players]
    assert asked == [(True, True), (False, False), (False, False), (True, True)]
    raiser = betting.players[2]
    assert (raiser.stack, raiser.in_round, raiser.in_hand, raiser.all_in) == (4400, 600, 600, 0)
    betting.players[0].owes = False
    assert not money.wager(betting, 3, 700)
    asked = [(player.owes, player.may_raise) for player in betting.players]
    assert asked == [(False, True), (False, False), (True, False), (False, False)]
