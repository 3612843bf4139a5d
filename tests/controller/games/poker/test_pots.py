"""Every cent of every pot: who matched it, who shares it, and where odd chips go."""

from __future__ import annotations

import itertools

import pytest

from controller.games.poker.betting import Player
from controller.games.poker.cards import by_rank_then_suit, highest_card
from controller.games.poker.pots import Share, halves, make_pots, order_without_button, share_pot, split
from tests.controller.games.poker.seen import clause

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
