"""The end of a hand: what goes back, who wins what by which clause, and what is taken of it."""

from __future__ import annotations

import pytest

from controller.games.poker.board import board_complete
from controller.games.poker.commission import Commission
from controller.games.poker.flop_chase import SideWager
from controller.games.poker.hand_end import (
    drop,
    enter_award,
    enter_showdown,
    push,
    refund_all,
    return_uncalled,
    settle_side,
)
from controller.games.poker.inputs import Dropped, Pushed
from controller.games.poker.outputs import Award, Finished, Output, RakeSetAside, Returned, SideSettled
from controller.games.poker.pots import Pot, Share
from controller.games.poker.showdown import TabledHand
from tests.controller.games.poker.hands import hand, player, refused
from tests.controller.games.poker.seen import clause

# -- chips at the end -------------------------------------------------------------------------------------------------


@clause("7.5")
def test_what_nobody_called_goes_back_before_pots_are_made() -> None:
    one = hand(player(1, 500, all_in=2), player(2, 300), player(3, 100, live=False))
    out: list[Output] = []
    return_uncalled(one, out)
    first = one.betting.players[0]
    assert (first.stack, first.in_hand, first.in_round, first.all_in) == (1200, 300, 300, 0)
    assert out == [Returned(1, 200, "7.5")]
    later = hand(player(1, 500, in_round=50), player(2, 300, in_round=0), kept=750)
    return_uncalled(later, [])
    first = later.betting.players[0]
    assert (first.stack, first.in_hand, first.in_round, later.betting.kept) == (1200, 300, 0, 600)
    exact = hand(player(1, 500, in_round=200), player(2, 300, in_round=0), kept=600)
    return_uncalled(exact, [])
    assert (exact.betting.players[0].in_round, exact.betting.kept) == (0, 600)
    for players in ((player(1, 300), player(2, 300)), (player(1, 500, live=False), player(2, 300)), (player(1, 300),)):
        called = hand(*players)
        out = []
        return_uncalled(called, out)
        assert (out, [one.stack for one in called.betting.players]) == ([], [1000] * len(players))


@clause("13.6")
def test_a_refund_gives_everybody_back_what_they_put_in_and_takes_the_commission_back() -> None:
    one = hand(player(1, 500, posted=100, all_in=1), player(2, 300, live=False), player(3, 0), rake=80, kept=800)
    one.pots, one.awards, one.rake_by_pot = [Pot(800, [1])], [Share(0, 1, 720, "whole", "x")], [80]
    out: list[Output] = []
    refund_all(one, "13.6", out)
    assert out == [Returned(1, 500, "13.6"), Returned(2, 300, "13.6"), RakeSetAside(-80, 0, "13.6")]
    assert [seat.stack for seat in one.betting.players] == [1500, 1300, 1000]
    first = one.betting.players[0]
    assert (first.in_hand, first.in_round, first.posted, first.all_in) == (0, 0, 0, 0)
    assert (one.rake, one.pots, one.awards, one.rake_by_pot, one.betting.kept) == (0, [], [], [], 0)
    free = hand(player(1, 500))
    out = []
    refund_all(free, "13.6", out)
    assert out == [Returned(1, 500, "13.6")]


RAKE = Commission("percentage", percent=10, cap=1000)


@clause("8.17.3(a)", "8.18.3(a)", "8.19.3(a)", "8.20.3(a)")
@pytest.mark.parametrize(("round_", "named"), [(1, "8.17.3(a)"), (2, "8.18.3(a)"), (3, "8.19.3(a)"), (4, "8.20.3(a)")])
def test_who_is_left_alone_wins_the_pot_by_the_clause_of_the_round(round_: int, named: str) -> None:
    one = hand(player(1, 500), player(2, 500, live=False), round=round_, of={"rake": RAKE})
    out: list[Output] = []
    enter_award(one, out)
    assert [share for share in out if isinstance(share, Award)] == [Award(0, 1, 900, "whole", named, "")]
    assert one.rake == 100
    assert one.awards == [Share(0, 1, 1000 - one.rake, "whole", named)]
    assert one.rake_by_pot == [one.rake]


@clause("8.17.3(a)", "7.6", "8.20.3(a)")
def test_an_uncalled_raise_before_the_flop_is_no_called_bet_and_later_it_is() -> None:
    def taken(round_: int, in_hand: int) -> int:
        one = hand(
            player(1, in_hand), player(2, 200, posted=200, live=False), player(3, 100, posted=100, live=False),
            round=round_, of={"rake": RAKE},
        )  # fmt: skip
        enter_award(one, [])
        return one.rake

    assert taken(1, 2000) == 0
    assert taken(2, 2000) > 0


@clause("8.20.3(a)", "1.1 'Showdown'", "1.1 'Round of Play'")
def test_tabled_hands_share_the_pots_and_the_words_go_with_them() -> None:
    one = hand(player(1, 500), player(2, 300), player(3, 500), phase="showdown", of={"rake": RAKE}, rake=60)
    enter_showdown(one, [])
    assert [(pot.amount, pot.seats) for pot in one.pots] == [(900, [1, 2, 3]), (400, [1, 3])]
    one.hands = [TabledHand(1, 5 << 21, 0), TabledHand(2, 8 << 21, 0), TabledHand(3, 4 << 21, 0)]
    out: list[Output] = []
    enter_award(one, out)
    total = 1300 - one.rake
    awards = [effect for effect in out if isinstance(effect, Award)]
    assert [(award.pot, award.seat, award.hand) for award in awards] == [(0, 2, "straight flush"), (1, 1, "flush")]
    assert sum(award.amount for award in awards) == total
    assert [effect.amount for effect in out if isinstance(effect, RakeSetAside)] == [one.rake - 60]
    one.phase = "award"
    push(one, Pushed(), out)
    assert [seat.in_hand for seat in one.betting.players] == [0, 0, 0]
    assert sum(seat.stack for seat in one.betting.players) == 3000 + total
    assert one.betting.players[1].stack == 1000 + awards[0].amount
    assert refused(push, hand(player(1, 500), phase="showdown"), Pushed()) == "1.1 'Round of Play'"


@clause("6.11.1(b)", "7.2.1(b)", "10.2.1", "9.16")
def test_side_winnings_join_the_stack_when_the_commission_is_dropped() -> None:
    one = hand(player(1, 0), player(2, 0), phase="drop", rake=70, fees=30)
    one.board = ["2d", "3h", "4d", "5c", "6s"]
    one.side = [SideWager(1, "red", 500), SideWager(1, "black", 100), SideWager(2, "black", 300)]
    out: list[Output] = []
    settle_side(one, out)
    assert [effect for effect in out if isinstance(effect, SideSettled)] == [
        SideSettled(1, "red", 500, 3500, "10.1.1(c)"),
        SideSettled(1, "black", 100, 0, "10.1.1(b)"),
        SideSettled(2, "black", 300, 0, "10.1.1(b)"),
    ]
    again: list[Output] = []
    settle_side(one, again)
    assert again == []
    drop(one, Dropped(), out)
    (finished,) = [effect for effect in out if isinstance(effect, Finished)]
    assert finished.stacks == {1: 5000, 2: 1000}
    assert (finished.rake, finished.fees) == (70, 30)
    assert refused(drop, hand(player(1, 0), phase="award"), Dropped()) == "7.2.1(b)"
    nothing: list[Output] = []
    settle_side(hand(player(1, 0)), nothing)
    assert nothing == []
    mixed = hand(player(1, 0))
    mixed.board, mixed.side = ["2d", "3h", "4s"], [SideWager(1, "red", 500)]
    settle_side(mixed, [])
    assert mixed.side_results[0].won == 0


@clause("8.17.3(a)(i)")
def test_a_flop_for_side_wagers_only_is_settled_and_the_pot_awarded() -> None:
    one = hand(player(1, 500), player(2, 500, live=False), phase="side_flop", round=1)
    one.board, one.side, one.burn_ready = ["2d", "3h", "4d"], [SideWager(1, "red", 500)], True
    out: list[Output] = []
    board_complete(one, out)
    assert (one.phase, one.burn_ready) == ("award", False)
    assert [effect.won for effect in out if isinstance(effect, SideSettled)] == [3500]
    assert [effect.seat for effect in out if isinstance(effect, Award)] == [1]
