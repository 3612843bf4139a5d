"""Poker's money held to the cent and to the clause, so that no rule can be switched off or moved by one unnoticed."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from controller.games.poker import betting as money
from controller.games.poker.betting import Betting, Options, Player
from controller.games.poker.cards import by_rank_then_suit, highest_card
from controller.games.poker.commission import (
    Collected,
    Commission,
    change_fault,
    collect,
    commission_faults,
    destination,
    everybody_tied,
    fee_per_hand,
    increment,
    only_blinds,
    percentage_due,
    person_fee_fault,
    time_charge,
)
from controller.games.poker.flop_chase import (
    BonusPrize,
    SideResult,
    SideWager,
    bonus_due,
    bonus_form,
    settle_side_wagers,
    side_wager_fault,
)
from controller.games.poker.notices import change_fault as game_change_fault
from controller.games.poker.notices import close_fault, raise_minimum_fault
from controller.games.poker.positions import (
    Positions,
    SeatFlags,
    blind_made_good,
    blind_missed,
    clockwise_from,
    dealt_in,
    first_after_button,
    first_positions,
    first_to_act,
    live_seats_gained,
    next_positions,
    positions_at,
    seat_draw,
    waiting_list_place,
)
from controller.games.poker.pots import Share, halves, make_pots, order_without_button, share_pot, split
from controller.games.poker.structures import Structure, pot_limit_total, structure_faults

BOOK = "melbourne-poker"


def clause(*named: str) -> Any:
    return pytest.mark.clause(BOOK, *named)


# -- pots -------------------------------------------------------------------------------------------------------------


def layer_by_layer(players: list[Player], given_up: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
    """The pots found the slow way: each cent of depth belongs to those who claim at that depth or, if none, below."""
    pots: list[tuple[int, tuple[int, ...]]] = []
    for depth in range(1, max(player.in_hand for player in players) + 1):
        cents = sum(player.in_hand >= depth for player in players)
        claims = tuple(
            player.seat for player in players if (player.live or player.seat in given_up) and player.in_hand >= depth
        )
        if pots and (not claims or pots[-1][1] == claims):
            pots[-1] = (pots[-1][0] + cents, pots[-1][1])
        else:
            pots.append((cents, claims))
    return pots


@clause("1.1 'Main Pot'", "1.1 'Side pot(s)'")
def test_every_cent_of_every_pot_belongs_to_those_who_matched_it() -> None:
    for wagered in itertools.product(range(1, 5), repeat=3):
        for live in itertools.product((True, False), repeat=3):
            for given_up in ((), (2,)):
                players = [Player(n + 1, 0, in_hand=wagered[n], live=live[n]) for n in range(3)]
                if not any(live):
                    continue
                pots = [(pot.amount, tuple(pot.seats)) for pot in make_pots(players, given_up)]
                assert pots == layer_by_layer(players, given_up), (wagered, live, given_up)


@clause("1.1 'Main Pot'")
def test_a_live_hand_that_has_put_nothing_in_makes_no_pot_of_its_own() -> None:
    players = [Player(1, 0, in_hand=0), Player(2, 0, in_hand=5), Player(3, 0, in_hand=9)]
    assert [(pot.amount, pot.seats) for pot in make_pots(players)] == [(10, [2, 3]), (4, [3])]
    alone = [Player(1, 0, in_hand=4, live=False), Player(2, 0, in_hand=5)]
    assert [(pot.amount, pot.seats) for pot in make_pots(alone)] == [(9, [2])]


@clause("1.1 'Main Pot'")
def test_what_folded_hands_left_belongs_to_the_one_that_stays_even_if_it_put_nothing_in() -> None:
    players = [Player(1, 0), Player(2, 0, in_hand=5, live=False), Player(3, 0, in_hand=2, live=False)]
    assert [(pot.amount, pot.seats) for pot in make_pots(players)] == [(7, [1])]


@clause("8.5", "8.5.1")
def test_a_pot_with_one_winner_is_not_cut_into_chips() -> None:
    assert split(1001, [3], 100, []) == {3: 1001}


@clause("8.5", "8.5.1")
@pytest.mark.parametrize(
    ("amount", "winners", "chip", "order", "shares"),
    [
        (1000, [3], 100, [1, 2, 3], {3: 1000}),
        (1000, [1, 3], 100, [2, 3, 1], {1: 500, 3: 500}),
        (1100, [1, 3], 100, [2, 3, 1], {3: 600, 1: 500}),
        (1100, [1, 2, 3], 100, [2, 3, 1], {2: 400, 3: 400, 1: 300}),
        (1150, [1, 2, 3], 100, [2, 3, 1], {2: 400, 3: 400, 1: 350}),
        (1001, [1, 3], 100, [1, 3], {1: 501, 3: 500}),
        (1050, [1, 3], 25, [3, 1], {1: 525, 3: 525}),
        (1090, [1, 3], 100, [3, 1], {1: 500, 3: 590}),
    ],
)
def test_a_split_pot_is_equal_to_the_lowest_chip_and_odd_chips_go_one_each_in_order(
    amount: int, winners: list[int], chip: int, order: list[int], shares: dict[int, int]
) -> None:
    assert split(amount, winners, chip, order) == shares
    assert sum(shares.values()) == amount


@clause("8.20.4(b)(v)", "8.20.4(d)(v)")
def test_the_odd_chip_of_two_halves_goes_to_the_high_side() -> None:
    assert halves(1000, 100) == (500, 500)
    assert halves(1100, 100) == (600, 500)
    assert halves(1199, 100) == (699, 500)
    assert halves(1050, 25) == (525, 525)


@clause("8.20.4(b)(iii)", "8.20.4(b)(iv)", "8.20.4(d)(iii)", "8.20.4(d)(iv)", "8.5", "8.5.1")
def test_a_pot_is_shared_by_high_and_qualified_low_with_the_clause_of_each_share() -> None:
    def shared(highs: dict[int, int], lows: dict[int, int], **how: bool) -> list[Share]:
        return share_pot(2, 1100, highs, lows, 100, [3, 1, 2], **how)

    assert shared({1: 9, 2: 8}, {}) == [Share(2, 1, 1100, "whole", "8.7")]
    assert shared({1: 9, 2: 9, 3: 8}, {}) == [Share(2, 1, 600, "whole", "8.5.1"), Share(2, 2, 500, "whole", "8.5.1")]
    assert shared({1: 9, 2: 9}, {}, button=False)[0].clause == "8.5.2"
    assert shared({1: 9, 2: 8}, {1: 0, 2: 0}) == [Share(2, 1, 1100, "whole", "8.20.4(b)(iv)")]
    assert shared({1: 9, 2: 8}, {1: 0, 2: 0}, omaha=True) == [Share(2, 1, 1100, "whole", "8.20.4(d)(iv)")]
    assert {share.clause for share in shared({1: 9, 2: 9}, {1: 0, 2: 0})} == {"8.5.1"}
    assert shared({1: 9, 2: 8, 3: 7}, {1: 0, 2: 5, 3: 6}) == [
        Share(2, 1, 600, "high", "8.20.4(b)(i)"),
        Share(2, 2, 500, "low", "8.20.4(b)(ii)"),
    ]
    assert shared({1: 9, 2: 8, 3: 7}, {1: 0, 2: 5, 3: 5}, omaha=True) == [
        Share(2, 1, 600, "high", "8.20.4(d)(i)"),
        Share(2, 2, 200, "low", "8.5.1"),
        Share(2, 3, 300, "low", "8.5.1"),
    ]
    assert shared({1: 9, 2: 9, 3: 7}, {3: 5}) == [
        Share(2, 1, 300, "high", "8.5.1"),
        Share(2, 2, 300, "high", "8.5.1"),
        Share(2, 3, 500, "low", "8.20.4(b)(ii)"),
    ]


@clause("3.3", "3.3.1", "3.3.2", "3.3.3", "3.3.4", "8.5.2")
def test_without_a_button_the_best_single_card_gets_the_odd_chip_and_suits_break_ties() -> None:
    assert order_without_button({1: ["2c", "Kd"], 2: ["Kh", "3c"], 3: ["Ac", "2d"], 4: ["Ks", "Qs"]}) == [3, 4, 2, 1]
    assert [by_rank_then_suit(card) for card in ("2c", "2d", "2h", "2s", "As")] == [
        (0, 0),
        (0, 1),
        (0, 2),
        (0, 3),
        (12, 3),
    ]
    assert highest_card(["2s", "Kd", "Kc"]) == (11, 1)


# -- commission -------------------------------------------------------------------------------------------------------

RAKE = Commission("percentage", percent=10, cap=1000, minimum=200, least_percent=2, most_percent=10)


@clause("7.2.1", "7.7", "1.1 'Cap'", "7.2.1(a)")
@pytest.mark.parametrize(
    ("percent", "pot", "due"),
    [
        (10, 0, 0), (10, 999, 0), (10, 1000, 100), (10, 1999, 100), (10, 2000, 200), (10, 9_999, 900),
        (10, 10_000, 1000), (10, 50_000, 1000),
        (5, 2000, 200), (5, 1000, 100), (5, 4000, 200), (5, 6000, 300), (5, 3900, 200),
    ],
)  # fmt: skip
def test_the_percentage_is_rounded_down_to_a_chip_lifted_to_the_minimum_and_never_over_the_cap(
    percent: int, pot: int, due: int
) -> None:
    rake = Commission("percentage", percent=percent, cap=1000, minimum=200)
    assert percentage_due(rake, pot, 100) == due
    assert increment(rake, pot, 0, 100) == due
    assert increment(rake, pot, 100, 100) == max(0, due - 100)
    assert increment(Commission("time", percent=10, cap=1000), pot, 0, 100) == 0


@clause("7.2.3(a)", "7.4", "7.2.1", "7.7", "7.6", "7.8")
def test_the_commission_of_a_hand_is_taken_pot_by_pot_the_main_pot_first() -> None:
    def taken(rake: Commission, *pots: int, blinds: bool = False, tied: bool = False, dealt: int = 6) -> Collected:
        return collect(rake, pots, 100, dealt_in=dealt, blinds_only=blinds, all_tied=tied)

    assert taken(RAKE, 3000, 1500, 2000) == Collected((300, 100, 200), "7.2.1")
    assert taken(RAKE, 8000, 4000, 2000) == Collected((800, 200, 0), "7.7")
    assert taken(RAKE, 8000, 4000).total == 1000
    assert taken(RAKE, 3000, 1500, blinds=True) == Collected((0, 0), "7.6")
    assert taken(RAKE, 3000, 1500, tied=True) == Collected((0, 0), "7.8")
    each = Commission("per_hand", fees={2: 300, 6: 500})
    assert taken(each, 400, 300) == Collected((400, 100), "7.2.3(a)")
    assert taken(each, 400, 300, tied=True) == Collected((400, 100), "7.2.3(a)")
    assert taken(each, 400, dealt=5) == Collected((300,), "7.2.3(a)")
    assert taken(each, 400, blinds=True) == Collected((0,), "7.6")
    assert taken(Commission("time", fee=500), 400) == Collected((0,), "7.2.2(b)")
    assert taken(Commission("per_person", fee=500), 400) == Collected((0,), "7.2.4(b)")
    assert taken(Commission(), 400) == Collected((0,), "7.4")


@clause("7.2.3(b)")
def test_the_fee_of_a_hand_is_that_of_the_next_lower_row() -> None:
    each = Commission("per_hand", fees={3: 300, 6: 500})
    assert [fee_per_hand(each, dealt) for dealt in (2, 3, 5, 6, 9)] == [0, 300, 300, 500, 500]


@clause("7.6")
def test_only_blinds_are_in_when_nobody_but_the_winner_put_in_more_than_was_posted() -> None:
    posted = [Player(1, 0, posted=50, in_hand=50), Player(2, 0, posted=100, in_hand=100), Player(3, 0)]
    assert only_blinds(posted)
    assert not only_blinds([*posted, Player(4, 0, in_hand=100)])
    assert only_blinds([*posted, Player(4, 0, in_hand=100)], winner=4)
    assert not only_blinds([Player(1, 0, posted=50, in_hand=51)])


@clause("7.8")
def test_nothing_is_taken_when_all_who_put_chips_in_tie() -> None:
    players = [Player(1, 0, in_hand=100), Player(2, 0, in_hand=100), Player(3, 0)]
    assert everybody_tied(players, [1, 2])
    assert not everybody_tied(players, [1])
    assert not everybody_tied([*players, Player(4, 0, in_hand=1)], [1, 2])
    assert not everybody_tied([Player(1, 0, in_hand=100)], [1])


@clause("7.1", "7.2.1", "7.2.2(b)", "7.2.3(b)", "7.2.4(a)")
def test_a_commission_that_the_rulebook_does_not_allow_is_named_with_its_clause() -> None:
    def wrong(*args: Any, **more: Any) -> list[str]:
        return [named for named, _ in commission_faults(Commission(*args, **more))]

    assert wrong() == []
    for percent, faults in ((1, ["7.2.1"]), (2, []), (10, []), (11, ["7.2.1"])):
        assert wrong("percentage", percent=percent, cap=1) == faults
    assert wrong("percentage", percent=5) == ["7.1"]
    assert wrong("per_hand") == ["7.2.3(b)"]
    assert wrong("per_hand", fees={2: 100}) == []
    assert wrong("time") == ["7.2.2(b)"]
    assert wrong("per_person") == ["7.2.4(a)"]
    assert wrong("time", fee=1) == wrong("per_person", fee=1) == []
    assert wrong("none", fee=0) == []


@clause("7.2.2(a)", "7.2.2(b)", "7.2.4(b)", "7.3")
def test_time_charges_fees_and_changes_of_the_commission_at_their_edges() -> None:
    assert time_charge(Commission("time", fee=700), 9) == 6300
    assert [person_fee_fault(500, stack) for stack in (499, 500, 501)] == ["7.2.4(b)", "", ""]
    assert change_fault(3, 3, between_hands=True, sign_changed=True) == ""
    assert change_fault(2, 3, between_hands=True, sign_changed=True) == "7.3"
    assert change_fault(4, 3, between_hands=False, sign_changed=True) == "7.3"
    assert change_fault(4, 3, between_hands=True, sign_changed=False) == "7.3"


@clause("1.1 'Stand-alone Table'", "2.4", "7.2.1(c)", "7.2.2(d)", "7.2.3(c)", "7.2.4(c)", "7.2.1(b)")
@pytest.mark.parametrize(
    ("method", "box", "alone"),
    [
        ("percentage", "7.2.1(b)", "7.2.1(c)"),
        ("time", "7.2.2(d)", "7.2.2(d)"),
        ("per_hand", "7.2.3(c)", "7.2.3(c)"),
        ("per_person", "7.2.4(c)", "7.2.4(c)"),
        ("none", "7.4", "7.4"),
    ],
)
def test_the_commission_goes_into_the_chip_box_or_at_a_stand_alone_table_into_the_float(
    method: Any, box: str, alone: str
) -> None:
    assert destination(Commission(method)) == ("chip_box", box)
    assert destination(Commission(method, stand_alone=True)) == ("float", alone)


# -- side wagers and prizes -------------------------------------------------------------------------------------------


@clause("10.1.1(a)", "10.1.1(b)", "10.1.1(c)", "10.1.1(d)", "10.2.2 Red", "10.2.2 Black")
def test_a_side_wager_wins_only_on_three_cards_of_its_colour() -> None:
    wagers = [SideWager(1, "red", 500), SideWager(2, "black", 300)]
    assert settle_side_wagers(wagers, ["2d", "3h", "4d"], 7) == [
        SideResult(1, "red", 500, 3500, "10.1.1(c)"),
        SideResult(2, "black", 300, 0, "10.1.1(b)"),
    ]
    assert settle_side_wagers(wagers, ["2c", "3s", "4c"], 7) == [
        SideResult(1, "red", 500, 0, "10.1.1(d)"),
        SideResult(2, "black", 300, 2100, "10.1.1(a)"),
    ]
    assert [one.won for one in settle_side_wagers(wagers, ["2c", "3h", "4h"], 7)] == [0, 0]


@clause("8.15.1", "8.15.2", "10.1.1(a)", "1.1 'Flop Chase wager'")
def test_a_side_wager_that_cannot_stand_is_told_with_the_first_reason() -> None:
    fine = {"offered": True, "seated": True, "cards_out": False, "other_colour": False}
    assert side_wager_fault(**fine) == ("", "")
    for wrong, named in (
        ({"offered": False}, "10.1.1(a)"),
        ({"seated": False}, "8.15.1"),
        ({"cards_out": True}, "8.15.2"),
        ({"other_colour": True}, "1.1 'Flop Chase wager'"),
    ):
        assert side_wager_fault(**{**fine, **wrong})[0] == named


@clause("11.2", "11.3", "11.3.1", "11.3.2", "11.4")
def test_a_hand_earns_its_best_prize_unless_it_was_folded() -> None:
    small, large = BonusPrize("small", "cash", 10), BonusPrize("large", "goods", 20)
    for high, prize in ((9, None), (10, small), (19, small), (20, large), (21, large)):
        assert bonus_due([large, small], high, folded=False) is prize
        assert bonus_due([large, small], high, folded=True) is None
    assert bonus_form(small) == ("paid in chips, cash or equivalent", "11.3.1")
    assert bonus_form(large) == ("owed, delivered later", "11.3.2")


# -- structures -------------------------------------------------------------------------------------------------------

FIXED = Structure("fixed", 0, 100, levels=(200, 200, 400, 400))
SPREAD = Structure("spread", 200, 100, maximum=1000)
NO_LIMIT = Structure("no_limit", 200, 100)
POT = Structure("pot", 200, 100)


@clause("1.1 'Fixed bet'", "1.1 'Flexible bet'", "1.1 'No limit'", "1.1 'Spread Limit'", "1.1 'Structured limit'")
def test_each_structure_says_what_is_due_in_a_round_and_whether_raises_are_counted() -> None:
    assert [FIXED.step(number) for number in (1, 2, 3, 4)] == [200, 200, 400, 400]
    assert [SPREAD.step(number) for number in (1, 4)] == [200, 200]
    assert [one.limited for one in (FIXED, SPREAD, NO_LIMIT, POT)] == [True, True, False, False]
    assert (FIXED.first_minimum, NO_LIMIT.first_minimum) == (200, 200)


@clause("6.7")
def test_a_pot_ratio_wager_counts_the_call_as_in_the_pot_first_and_ends_at_a_chip() -> None:
    assert pot_limit_total("pot", 400, 300, 1000, 100) == 1700
    assert pot_limit_total("half_pot", 400, 300, 1100, 100) == 1100
    assert pot_limit_total("half_pot", 400, 300, 1000, 100) == 1000
    assert pot_limit_total("pot", 0, 0, 1050, 100) == 1000


@clause("6.4", "8.9.1", "1.1 'Structured limit'", "1.1 'Spread Limit'", "1.1 'Fixed bet'")
@pytest.mark.parametrize(
    ("structure", "blinds", "faults"),
    [
        (NO_LIMIT, (100, 200), []),
        (NO_LIMIT, (100, 100), ["6.4"]),
        (NO_LIMIT, (200, 300), []),
        (NO_LIMIT, (), ["8.9.1"]),
        (NO_LIMIT, (0, 200), ["8.9.1"]),
        (NO_LIMIT, (150, 200), ["8.5"]),
        (Structure("no_limit", 200, 1, maximum=-1), (200,), ["8.5"]),
        (Structure("no_limit", 200, 0), (200,), ["8.5"]),
        (Structure("no_limit", -200, 100), (200,), ["8.5", "6.4"]),
        (Structure("no_limit", 0, 100), (100,), ["6.4"]),
        (Structure("no_limit", 1, 1), (1,), []),
        (Structure("no_limit", 200, 100, levels=(100,)), (200,), ["1.1 'Fixed bet'"]),
        (FIXED, (100, 200), []),
        (FIXED, (100,), ["6.4"]),
        (Structure("fixed", 0, 100, levels=(200, 200, 400)), (200,), ["1.1 'Structured limit'"]),
        (Structure("fixed", 0, 100, levels=(200, 0, 400, 400)), (200,), ["1.1 'Structured limit'"]),
        (Structure("fixed", 0, 100, levels=(100, 100, 100, 100)), (100,), []),
        (Structure("fixed", 0, 1, levels=(1, 1, 1, 1)), (1,), []),
        (SPREAD, (200,), []),
        (Structure("spread", 200, 100, maximum=100), (200,), ["1.1 'Spread Limit'"]),
        (Structure("spread", 200, 100, maximum=200), (200,), []),
        (Structure("spread", 1, 1, maximum=1), (1,), []),
        (Structure("spread", 0, 100, maximum=200), (200,), ["1.1 'Spread Limit'", "6.4"]),
    ],
)
def test_limits_and_blinds_that_cannot_be_signed_are_named_with_their_clauses(
    structure: Structure, blinds: tuple[int, ...], faults: list[str]
) -> None:
    assert [named for named, _ in structure_faults(structure, blinds)] == faults


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


# -- positions --------------------------------------------------------------------------------------------------------


@clause("1.1 'Dealer Button'", "1.1 'Dead button'", "8.9.6", "6.5.1", "8.18.2")
def test_button_and_blinds_move_on_so_that_each_pays_in_turn() -> None:
    first = first_positions([2, 5, 7, 9], 2)
    assert first == Positions(9, (2, 5), (2, 5))
    assert first_to_act(first, [2, 5, 7, 9]) == 7
    assert first_to_act(first, [2, 5, 7, 9], straddler=7) == 9
    assert first_after_button(first, [2, 5, 7]) == 2
    assert next_positions(first, [2, 5, 7, 9]) == Positions(2, (5, 7), (5, 7))
    gone = next_positions(first, [2, 7, 9])
    assert gone == Positions(2, (5, 7), (0, 7))
    assert next_positions(gone, [2, 7, 9]) == Positions(5, (7, 9), (7, 9), dead_button=True)
    assert next_positions(Positions(1, (2, 3), (2, 3)), [2, 3]) == Positions(2, (3, 2), (3, 2))
    assert next_positions(Positions(1, (2, 3, 4), (2, 3, 4)), [3, 4]) == Positions(2, (3, 4, 3), (0, 4, 3), True)
    assert first_positions([3, 8], 2) == Positions(8, (3, 8), (3, 8))
    assert first_positions([3, 8], 2, "usual") == Positions(8, (8, 3), (8, 3))
    assert first_positions([3, 8], 1, "usual") == Positions(8, (3,), (3,))
    assert first_positions([3, 5, 8], 2, "usual") == Positions(8, (3, 5), (3, 5))
    usual = first_positions([3, 8], 2, "usual")
    assert next_positions(usual, [3, 8], "usual") == Positions(3, (3, 8), (3, 8))
    assert next_positions(usual, [3, 5, 8], "usual") == Positions(8, (3, 5), (3, 5))
    assert next_positions(Positions(8, (3,), (3,)), [3, 8], "usual") == Positions(3, (8,), (8,))
    assert next_positions(Positions(1, (3, 4, 3, 4), (3, 4, 0, 0)), [3, 4]).posts == (0, 0, 4, 3)
    assert positions_at(9, [3, 8], 2, "usual") == Positions(9, (3, 8), (3, 8), dead_button=True)
    assert clockwise_from(5, [7, 2, 5]) == [7, 2, 5]
    assert clockwise_from(5, [2, 9, 5, 7]) == [7, 9, 2, 5]


@clause(
    "1.1 'Absent Button'", "1.1 'Dealt-out Button'", "1.1 'Player Walking Button'", "8.3", "8.9.2(b)", "8.10", "8.10.1",
    "8.9.3", "8.9.5", "8.10.2",
)  # fmt: skip
@pytest.mark.parametrize(
    ("flags", "place", "posted", "expected"),
    [
        ({}, "other", False, (True, "8.4")),
        ({"reserved": True}, "big_blind", True, (False, "8.3")),
        ({"dealt_out": True}, "big_blind", True, (False, "1.1 'Dealt-out Button'")),
        ({"absent": True}, "big_blind", True, (False, "1.1 'Absent Button'")),
        ({"walking": True}, "big_blind", True, (False, "1.1 'Player Walking Button'")),
        ({"missed_blind": True, "new": True, "wait_for_blind": True}, "big_blind", False, (True, "8.9.2(b)")),
        ({"missed_blind": True}, "other", False, (False, "8.9.3")),
        ({"missed_blind": True}, "other", True, (True, "8.4")),
        ({"new": True}, "button", True, (False, "8.10")),
        ({"new": True}, "other", False, (True, "8.4")),
        ({"new": True, "wait_for_blind": True}, "other", True, (False, "8.10.1")),
        ({"new": True, "must_post": True}, "other", False, (False, "8.10.2")),
        ({"new": True, "must_post": True}, "other", True, (True, "8.4")),
        ({"must_post": True}, "other", False, (False, "8.9.5")),
        ({"wait_for_blind": True}, "other", False, (False, "8.9.5")),
        ({"must_post": True, "wait_for_blind": True}, "other", True, (True, "8.4")),
        ({}, "button", False, (True, "8.4")),
    ],
)
def test_who_is_dealt_in_and_by_which_clause(
    flags: dict[str, bool], place: Any, posted: bool, expected: tuple[bool, str]
) -> None:
    assert dealt_in(SeatFlags(**flags), place, posted) == expected
    if flags == {"new": True} and place == "button":
        assert dealt_in(SeatFlags(new=True), "button", False, excused=True) == (True, "8.4")


@clause("1.1 'Missed Blind Button'", "8.9.3", "1.1 'Button'")
def test_a_missed_blind_is_marked_and_made_good() -> None:
    seated, walking = SeatFlags(), SeatFlags(walking=True)
    blind_missed(seated)
    blind_missed(walking)
    assert (seated.missed_blind, seated.absent, seated.walking) == (True, False, False)
    assert (walking.missed_blind, walking.absent, walking.walking) == (True, True, False)
    owing = SeatFlags(missed_blind=True, must_post=True, wait_for_blind=True, new=True)
    blind_made_good(owing)
    assert owing == SeatFlags()


@clause("8.9.5", "8.12", "8.1.1")
def test_moves_returns_and_draws_for_a_seat_at_their_edges() -> None:
    assert live_seats_gained(3, 8, [1, 3, 5, 7], last_big_blind=1) == 2
    assert live_seats_gained(8, 3, [1, 5, 7, 8], last_big_blind=1) == -2
    assert live_seats_gained(3, 4, [1, 3, 5], last_big_blind=1) == 0
    assert [waiting_list_place(away, 20) for away in (1200, 1201)] == ["head", "tail"]
    assert seat_draw({4: "Kh", 5: "Ks", 6: "Qs"}) == 5


@clause("6.10", "13.3", "footnote 2 s 66(2)")
def test_notices_run_for_as_many_hands_as_the_document_says_unless_players_agree() -> None:
    def change(rank: int = 3, hands: int = 0, agree: int = 0, between: bool = True) -> str:
        return game_change_fault(rank, 3, hands, agree, 6, between_hands=between, notice_hands=3)

    assert [change(hands=hands) for hands in (2, 3, 4)] == ["6.10", "", ""]
    assert [change(agree=agree) for agree in (3, 4)] == ["6.10", ""]
    assert [change(rank, 3) for rank in (2, 3, 4)] == ["6.10", "", ""]
    assert change(hands=3, between=False) == "6.10"

    def close(rank: int = 3, hands: int = 0, agree: int = 0, between: bool = True) -> str:
        return close_fault(rank, 3, hands, agree, 6, between_hands=between, notice_hands=3)

    assert [close(hands=hands) for hands in (2, 3, 4)] == ["13.3", "", ""]
    assert [close(agree=agree) for agree in (5, 6)] == ["13.3", ""]
    assert [close(rank, 3) for rank in (2, 3, 4)] == ["13.3", "", ""]
    assert close(hands=3, between=False) == "13.3"
    assert [raise_minimum_fault(shown, 20) for shown in (1199, 1200, 1201)] == ["footnote 2 s 66(2)", "", ""]
