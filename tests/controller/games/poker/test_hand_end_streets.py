"""Streets that go wrong, hands left alone or dead, and who wins what by which clause."""

from __future__ import annotations

from typing import Any

import pytest

from controller.games.poker.hand import expected, start
from controller.games.poker.inputs import (
    AskToSee,
    Board,
    Burn,
    Discard,
    Irregular,
    Muck,
    PlaceSideWager,
    Pushed,
    Rule,
)
from controller.games.poker.outputs import Award, Output, Prompt, RakeSetAside, Recorded, SideSettled
from controller.games.poker.positions import positions_at
from controller.games.poker.remedies import Step
from controller.games.poker.state import Due
from tests.controller.games.poker.dealer import Dealer, percentage, terms
from tests.controller.games.poker.seen import clause


def showdown(*stacks: float, deck: str = "", **sign: Any) -> Dealer:
    """Seats 1, 2, … have called everything, and the hands are to be shown."""
    held = dict(enumerate(stacks or (500, 500, 500), start=1))
    dealer = Dealer(terms(**sign), held, button=len(held), deck=deck.split())
    dealer.deal()
    dealer.check_down()
    assert dealer.hand.phase == "showdown"
    return dealer


def awards(told: list[Output]) -> list[Award]:
    return [one for one in told if isinstance(one, Award)]


def asked(told: list[Output]) -> tuple[str, str, str]:
    """What is asked, by which clause, and what is proposed."""
    (prompt,) = [one for one in told if isinstance(one, Prompt)]
    return prompt.what, prompt.clause, prompt.proposal


# -- left alone -------------------------------------------------------------------------------------------------------


@clause("8.20.3(a)", "8.20.4")
@pytest.mark.parametrize("game", ["Holdem", "Holdem Hi-Lo Eight Qualifier"])
def test_whoever_is_left_alone_at_the_showdown_wins_the_whole_pot_without_showing(game: str) -> None:
    dealer = showdown(game=game)
    dealer.tell(Muck(1))
    assert expected(dealer.hand).seats == (2, 3)
    told = dealer.tell(Muck(2))
    assert awards(told) == [Award(0, 3, 3_000, "whole", "8.20.3(a)", "")]
    dealer.tell(Pushed())
    assert dealer.stacks() == {1: 49_000, 2: 49_000, 3: 52_000}


@clause("8.20.3(a)", "1.1 'Side pot(s)'")
def test_who_is_left_alone_wins_only_the_pots_it_has_matched() -> None:
    dealer = Dealer(terms(), {1: 100, 2: 500, 3: 500}, button=3)
    dealer.deal()
    dealer.act("3 raise 200", "1 all_in", "2 call")
    dealer.check_down()
    dealer.tell(Muck(2))
    assert awards(dealer.tell(Muck(3))) == [
        Award(0, 1, 30_000, "whole", "8.20.3(a)", ""),
        Award(1, 3, 20_000, "whole", "8.20.3(a)", ""),
    ]


@clause("1.1 'Dead hand'", "8.20.3(a)", "13.14")
def test_a_tabled_hand_that_is_declared_dead_leaves_the_other_to_win_without_showing() -> None:
    dealer = showdown(500, 500)
    dealer.show(1)
    dealer.tell(Irregular("exchanged_cards", 1))
    told = dealer.tell(Rule("hand_dead", 3))
    assert Recorded("hand dead", "13.14", 1) in told
    assert awards(told) == [Award(0, 2, 2_000, "whole", "8.20.3(a)", "")]


@clause("1.1 'Dead hand'", "8.7")
def test_nobody_waits_for_a_dead_hand_to_be_shown() -> None:
    dealer = showdown(deck="As Kc Qh Ah Kd Qd 2c 3s 4d 8h 2h 9c 2d Tc")
    dealer.show(1)
    dealer.show(2)
    dealer.tell(Irregular("exchanged_cards", 3))
    told = dealer.tell(Rule("hand_dead", 3))
    assert awards(told) == [Award(0, 1, 3_000, "whole", "8.7", "one pair")]


@clause("1.1 'Dead hand'", "9.5")
def test_a_dead_hand_is_no_winner_who_could_ask_to_see_another() -> None:
    dead = showdown(500, 500, 500, 500, deck="As Kc Qh 7d Ah Kd 2c 3c")
    dead.show(1)
    dead.show(2)
    dead.tell(Muck(3))
    dead.tell(Irregular("exchanged_cards", 1), Rule("hand_dead", 3))
    dead.tell(AskToSee(3, 2))
    assert dead.hand.betting.players[2].live
    assert [read.seat for read in dead.hand.hands] == [2]
    assert dead.hand.phase == "showdown"


# -- shared pots and commission ---------------------------------------------------------------------------------------


@clause("8.20.4(b)(i)", "8.20.4(b)(ii)", "8.17.3(a)")
def test_the_low_half_is_announced_as_low_and_the_high_half_by_its_hand() -> None:
    deck = "As Kc 2s Kd 9c 4h 6d Kh 9d 7c 9h 8s"
    dealer = showdown(500, 500, deck=deck, game="Holdem Hi-Lo Eight Qualifier")
    dealer.show_all()
    assert awards(dealer.out) == [
        Award(0, 2, 1_000, "high", "8.20.4(b)(i)", "three of a kind"),
        Award(0, 1, 1_000, "low", "8.20.4(b)(ii)", "low"),
    ]


@clause("7.2.1", "7.8")
def test_commission_that_was_set_aside_already_is_not_set_aside_again_and_goes_back_when_all_tie() -> None:
    split = "2c 2d 3c 3d 9c As Ks Qs 9d Js 9h Ts"
    for deck, aside in (("", [300]), (split, [200, -200])):
        seats = (500, 500) if deck else (500, 500, 500)
        dealer = showdown(*seats, deck=deck, rake=percentage(10, 10))
        dealer.show_all()
        assert [one.amount for one in dealer.out if isinstance(one, RakeSetAside)] == aside


# -- the board --------------------------------------------------------------------------------------------------------


@clause("9.8", "8.17.3(a)", "8.18.1", "9.16")
def test_a_flop_for_the_side_wagers_alone_needs_its_burn_like_any_other() -> None:
    dealer = Dealer(terms(side_wagers=True), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.tell(PlaceSideWager(1, "red", 500))
    dealer.deal()
    dealer.act("3 fold", "1 fold")
    assert dealer.hand.phase == "side_flop"
    first = tuple(dealer.draw() for _ in range(3))
    told = dealer.tell(Board(first))
    assert asked(told) == ("no_burn", "9.8", "redeal")
    dealer.decide("redeal", 1)
    assert (dealer.hand.phase, expected(dealer.hand).what) == ("side_flop", "burn")
    dealer.tell(Burn(dealer.draw()), Board(("2d", "3h", "4d")))
    assert [one.won for one in dealer.out if isinstance(one, SideSettled)] == [3_500]
    assert [(share.seat, share.clause) for share in dealer.hand.awards] == [(2, "8.17.3(a)")]


@clause("9.9", "8.18.1")
def test_when_a_short_flop_is_completed_with_too_many_all_of_it_goes_back() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    dealer.act("3 call", "1 call", "2 check")
    dealer.tell(Burn("2c"))
    assert asked(dealer.tell(Board(("3c", "4c")))) == ("short_flop", "13.10", "complete_flop")
    assert asked(dealer.tell(Board(("5c", "6c")))) == ("too_many_flop", "9.9", "redeal")
    assert dealer.hand.ruling is not None
    assert dealer.hand.ruling.remedy.steps[0] == Step("take_back", ("3c", "4c", "5c", "6c"))
    dealer.decide("redeal", 1)
    assert (dealer.hand.board, dealer.hand.burns) == ([], ["2c"])
    assert (expected(dealer.hand).what, expected(dealer.hand).amount) == ("board", 3)
    dealer.tell(Board(("3c", "7c", "8c")))
    assert dealer.hand.board == ["3c", "7c", "8c"]


@clause("8.17.4", "8.18.4")
@pytest.mark.parametrize(
    ("game", "named"),
    [("Holdem", "8.17.4"), ("Pineapple Holdem", "8.17.4"), ("Crazy Pineapple Holdem", "8.18.4")],
)
def test_a_card_given_up_at_the_wrong_time_is_refused_by_the_clause_of_the_game(game: str, named: str) -> None:
    dealer = Dealer(terms(game), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    assert dealer.refused(Discard(3, dealer.hand.betting.players[2].cards[0])).clause == named


# -- before and after -------------------------------------------------------------------------------------------------


@clause("8.9.5", "8.10.2")
def test_a_seat_that_posts_to_come_in_pays_once_even_when_a_blind_is_due_from_it() -> None:
    stacks = dict.fromkeys((1, 2, 3, 4), 50_000)
    hand = start(terms(), stacks, positions_at(4, [1, 2, 3, 4], 2), [1, 3])
    assert hand.blinds == hand.dues == [Due(1, 500), Due(2, 1_000), Due(3, 1_000)]


@clause("8.9.2(a)", "8.20.4", "7.2.1(b)")
def test_what_is_expected_goes_from_showing_to_the_push_and_the_drop_and_then_nothing() -> None:
    dealer = showdown(rake=percentage(10, 10))
    dealer.show(1)
    dealer.tell(Muck(2))
    wanted = expected(dealer.hand)
    assert (wanted.what, wanted.seats, wanted.clause) == ("show", (3,), "8.20.4")
    dealer.show(3)
    assert expected(dealer.hand).what == "push"
    dealer.finish()
    assert (expected(dealer.hand).what, dealer.hand.phase) == ("nothing", "between_hands")
    dropping = showdown(rake=percentage(10, 10))
    dropping.show_all()
    dropping.tell(Pushed())
    wanted = expected(dropping.hand)
    assert (wanted.what, wanted.amount, wanted.clause) == ("drop", 300, "7.2.1(b)")
