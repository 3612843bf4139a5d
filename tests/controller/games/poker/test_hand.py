"""Whole hands: the deal, the board, the showdown, commission, side wagers, and what a hand keeps to itself."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from controller.core.rows import course
from controller.games.poker import round
from controller.games.poker.cards import DECK, parse_cards
from controller.games.poker.commission import Commission
from controller.games.poker.hand import expected, restore, save
from controller.games.poker.inputs import (
    AskToSee,
    Board,
    Burn,
    CardTo,
    Cut,
    Discard,
    Dropped,
    Input,
    Muck,
    PlaceSideWager,
    Post,
    Pushed,
    RefuseBlind,
    Shuffled,
    Table,
)
from controller.games.poker.outputs import Finished, Moved, RakeSetAside, Recorded, Returned, SideSettled
from controller.games.poker.pots import order_without_button, split
from controller.games.poker.showdown import show_order
from controller.rules import clauses
from tests.controller.games.poker.dealer import Dealer, cents, percentage, terms

BOOK = "melbourne-poker"
GAMES = (
    "Holdem",
    "Pineapple Holdem",
    "Crazy Pineapple Holdem",
    "Crazy Pineapple Holdem Hi-Lo Eight Qualifier",
    "Holdem Hi-Lo Eight Qualifier",
    "Omaha",
    "Omaha Hi-Lo Eight Qualifier",
)


def three(deck: str = "", **more: Any) -> Dealer:
    dealer = Dealer(terms(**more), {1: 500, 2: 500, 3: 500}, button=3, deck=parse_cards(deck))
    dealer.deal()
    return dealer


@pytest.mark.clause(BOOK, "8.16.1(a)", "8.16.1(b)", "8.16.1(c)", "8.17.4", "8.18.4", "8.18.1", "8.19.1", "8.20.1")
@pytest.mark.parametrize("game", GAMES)
def test_every_game_runs_from_the_blinds_to_the_drop(game: str) -> None:
    deck = random.Random(8).sample(DECK, 52)
    dealer = Dealer(terms(game, rake=percentage(10, 10)), dict.fromkeys(range(1, 7), 500), button=6, deck=deck)
    dealer.deal()
    dealer.check_down()
    dealer.finish()
    assert dealer.hand.phase == "between_hands"
    assert len(dealer.hand.board) == 5
    assert len(dealer.hand.burns) == 3
    assert sum(dealer.stacks().values()) == cents(6 * 500 - 6)
    finished = dealer.out[-1]
    assert isinstance(finished, Finished)
    assert finished.rake == cents(6)


@pytest.mark.clause(BOOK, "8.17.4", "8.18.4", "9.15.1")
def test_pineapple_games_give_up_a_card_at_their_own_time() -> None:
    for game, when in (("Pineapple Holdem", "discard1"), ("Crazy Pineapple Holdem", "discard2")):
        dealer = Dealer(terms(game), {1: 500, 2: 500, 3: 500}, button=3)
        dealer.deal()
        dealer.act("3 call", "1 call", "2 check")
        if when == "discard2":
            dealer.go_on()
            dealer.act("1 check", "2 check", "3 check")
        assert dealer.hand.phase == when
        assert expected(dealer.hand).seats == (1, 2, 3)
        assert dealer.refused(Discard(1, "not a card of seat 1")).clause in ("8.17.4", "8.18.4")
        dealer.go_on()
        assert [len(player.cards) for player in dealer.hand.betting.players] == [2, 2, 2]


@pytest.mark.clause(BOOK, "6.16.1", "1.1 'Side pot(s)'")
def test_an_all_in_runs_the_board_out_without_betting_and_makes_side_pots() -> None:
    deck = "AsKs2c" + "AhKh7d" + "8s" + "QcJcTd" + "8d" + "6h" + "8h" + "5s"
    dealer = Dealer(terms(), {1: 50, 2: 200, 3: 500}, button=3, deck=parse_cards(deck))
    dealer.deal()
    dealer.act("3 raise 200", "1 all_in", "2 all_in")
    dealer.go_on()
    assert dealer.hand.phase == "showdown"
    assert [(pot.amount, pot.seats) for pot in dealer.hand.pots] == [
        (cents(150), [1, 2, 3]),
        (cents(300), [2, 3]),
    ]
    assert dealer.finish() == {1: cents(150), 2: cents(300)}


@pytest.mark.clause(BOOK, "7.5", "1.1 'Pot'")
def test_what_nobody_can_match_goes_back_before_the_board() -> None:
    dealer = Dealer(terms(), {1: 50, 2: 500, 3: 500}, button=3)
    dealer.deal()
    dealer.act("3 raise 300", "1 all_in", "2 fold")
    assert [output for output in dealer.out if isinstance(output, Returned)] == [Returned(3, cents(250), "7.5")]
    dealer.go_on()
    assert dealer.hand.pots[0].amount == cents(110)
    assert dealer.stacks()[3] == cents(450)


@pytest.mark.clause(BOOK, "8.20.4")
def test_the_called_seat_shows_first_and_a_checked_river_starts_left_of_the_button() -> None:
    dealer = three()
    dealer.act("3 call", "1 call", "2 check")
    dealer.go_on()
    dealer.act("1 check", "2 check", "3 check")
    dealer.go_on()
    dealer.act("1 check", "2 check", "3 check")
    dealer.go_on()
    dealer.act("1 check", "2 bet 20", "3 call", "1 call")
    assert expected(dealer.hand).seats == (2, 3, 1)
    quiet = three()
    quiet.act("3 call", "1 call", "2 check")
    quiet.check_down()
    assert expected(quiet.hand).seats == (1, 2, 3)
    assert show_order(quiet.hand.betting.players, 1) == [2, 3, 1]


@pytest.mark.clause(BOOK, "8.7", "1.1 'Cards speak'")
def test_only_tabled_hands_win_and_a_better_hand_given_up_does_not() -> None:
    dealer = three("KsAs3cKhAh4d8sQcJcTd8d6h8h5s")
    dealer.act("3 call", "1 call", "2 check")
    dealer.check_down()
    dealer.tell(Muck(2))
    assert dealer.refused(Table(2, ("As", "Ah"))).clause == "8.7"
    assert dealer.refused(Table(1, ("Ks",))).clause == "8.7"
    assert dealer.finish() == {1: cents(30)}


@pytest.mark.clause(BOOK, "8.20.3(a)", "8.20.4")
def test_when_the_others_give_up_the_last_hand_wins_without_showing() -> None:
    dealer = three()
    dealer.act("3 call", "1 call", "2 check")
    dealer.check_down()
    dealer.tell(Muck(1), Muck(3))
    assert dealer.hand.phase == "award"
    assert dealer.finish() == {2: cents(30)}


@pytest.mark.clause(BOOK, "8.20.4", "1.1 'Side pot(s)'")
def test_a_side_pot_both_of_whose_hands_were_given_up_goes_to_the_last_of_them() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 50}, button=3)
    dealer.deal()
    dealer.act("3 all_in", "1 call", "2 call")
    dealer.go_on()
    dealer.act("1 bet 100", "2 call")
    dealer.check_down()
    dealer.tell(Muck(1), Muck(2))
    dealer.show_all()
    assert dealer.finish() == {3: cents(150), 2: cents(200)}


@pytest.mark.clause(BOOK, "9.5")
def test_a_discarded_hand_is_asked_for_only_if_it_was_called() -> None:
    dealer = three()
    dealer.act("3 fold", "1 call", "2 check")
    dealer.check_down()
    assert dealer.refused(AskToSee(3, 1)).clause == "9.5"


@pytest.mark.clause(BOOK, "8.5.2", "3.3", "3.3.1", "3.3.2", "3.3.3", "3.3.4")
def test_without_a_button_the_odd_chip_goes_to_the_best_hole_card_by_suit() -> None:
    deck = "AdAsAhKcKhKs" + "2c" + "QcJdTc" + "2d" + "3h" + "2h" + "4s"
    dealer = Dealer(terms(blinds=(5, 10), chip=1), {1: 500, 2: 500, 3: 500}, button=3, deck=parse_cards(deck))
    dealer.hand.button_in_use = False
    dealer.deal()
    dealer.act("3 raise 20", "1 call", "2 call")
    dealer.go_on()
    dealer.act("1 bet 11", "2 fold", "3 call")
    dealer.check_down()
    assert dealer.finish() == {1: cents(41), 3: cents(41)}
    order = order_without_button({1: ["Ad", "Kc"], 3: ["Ah", "Ks"], 4: ["Qs", "Js"]})
    assert order == [3, 1, 4]
    assert split(8300, [1, 3], 100, order) == {1: 4100, 3: 4200}


@pytest.mark.clause(BOOK, "7.8", "7.2.1(a)")
def test_when_all_who_put_chips_in_tie_the_commission_goes_back() -> None:
    deck = "AsAh" + "KsKh" + "4d" + "QdJdTd" + "4c" + "2d" + "4h" + "2s"
    sign = terms(rake=percentage(10, 20))
    dealer = Dealer(sign, {1: 500, 2: 500}, button=2, deck=parse_cards(deck))
    dealer.deal()
    dealer.act("1 raise 100", "2 call")
    dealer.check_down()
    assert dealer.hand.rake == cents(20)
    assert dealer.finish() == {1: cents(100), 2: cents(100)}
    assert dealer.hand.rake == 0
    back = [output for output in dealer.out if isinstance(output, RakeSetAside)]
    assert (back[-1].amount, back[-1].clause) == (-cents(20), "7.8")


@pytest.mark.clause(BOOK, "7.6", "1.1 'Blind'")
def test_blinds_alone_pay_no_commission_but_a_called_blind_does() -> None:
    sign = terms(rake=percentage(10, 20))
    dealer = Dealer(sign, {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    dealer.act("3 fold", "1 fold")
    assert dealer.finish() == {2: cents(10)}
    assert dealer.hand.rake == 0
    dealer = Dealer(sign, {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    dealer.act("3 call", "1 fold", "2 check")
    dealer.check_down()
    dealer.finish()
    assert dealer.hand.rake == cents(2)


@pytest.mark.clause(BOOK, "7.2.3(a)", "7.2.3(b)")
def test_a_fee_per_hand_follows_the_number_dealt_in() -> None:
    sign = terms(rake=Commission("per_hand", fees={2: cents(1), 5: cents(3)}))
    for players, fee in ((3, 1), (5, 3), (6, 3)):
        dealer = Dealer(sign, dict.fromkeys(range(1, players + 1), 500), button=players)
        dealer.deal()
        dealer.check_down()
        won = dealer.finish()
        assert sum(won.values()) == cents(10 * players - fee)
        assert dealer.hand.rake == cents(fee)


@pytest.mark.clause(BOOK, "7.2.4(b)")
def test_a_seat_that_cannot_pay_the_fee_is_told_so() -> None:
    sign = terms(rake=Commission("per_person", fee=cents(2)))
    dealer = Dealer(sign, {1: 500, 2: 500, 3: 1}, button=3)
    assert dealer.refused(Post(3, cents(2), "fee")).clause == "7.2.4(b)"


@pytest.mark.clause(BOOK, "8.17.3(a)(i)", "10.2.1", "8.15.1")
def test_when_all_fold_before_the_flop_it_is_dealt_for_the_side_wagers() -> None:
    dealer = Dealer(terms(side_wagers=True), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.post_blinds()
    dealer.tell(PlaceSideWager(3, "red", cents(5)), Shuffled(), Cut())
    dealer.go_on()
    dealer.act("3 fold", "1 fold")
    assert dealer.hand.phase == "side_flop"
    dealer.tell(Burn("2s"), Board(("2h", "9d", "Kh")))
    assert dealer.hand.phase == "award"
    settled = [output for output in dealer.out if isinstance(output, SideSettled)]
    assert [(result.seat, result.won) for result in settled] == [(3, cents(35))]
    assert dealer.stacks()[3] == cents(495)
    dealer.finish()
    assert dealer.stacks()[3] == cents(535)


@pytest.mark.clause(BOOK, "10.2.1", "6.11.1(b)")
def test_side_wagers_settle_at_once_when_everybody_is_all_in() -> None:
    dealer = Dealer(terms(side_wagers=True), {1: 100, 2: 100}, button=2)
    dealer.post_blinds()
    dealer.tell(PlaceSideWager(1, "black", cents(5)), Shuffled(), Cut())
    dealer.go_on()
    dealer.act("1 all_in", "2 call")
    dealer.tell(Burn("2s"), Board(("2c", "9c", "Ks")))
    assert any(isinstance(output, SideSettled) and output.won == cents(35) for output in dealer.out)


@pytest.mark.clause(BOOK, "8.15.1", "1.1 'Flop Chase wager'", "6.11.1(a)")
def test_side_wagers_are_refused_where_not_offered_twice_coloured_or_too_high() -> None:
    plain = Dealer(terms(), {1: 500, 2: 500}, button=2)
    assert plain.refused(PlaceSideWager(1, "red", 500)).clause == "10.1.1(a)"
    dealer = Dealer(terms(side_wagers=True), {1: 500, 2: 500}, button=2)
    dealer.tell(PlaceSideWager(1, "red", 500))
    assert dealer.refused(PlaceSideWager(1, "black", 500)).clause == "1.1 'Flop Chase wager'"
    assert dealer.refused(PlaceSideWager(2, "red", cents(495))).clause == "6.11.1(a)"


@pytest.mark.clause(BOOK, "8.9.3", "1.1 'Missed Blind Button'")
def test_a_refused_blind_sends_everything_back_and_the_hand_is_set_up_again() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.tell(Post(1, cents(5)))
    dealer.tell(RefuseBlind(2))
    assert dealer.hand.phase == "between_hands"
    assert set(dealer.stacks().values()) == {cents(500)}
    assert any(isinstance(output, Recorded) and output.what == "missed blind" for output in dealer.out)


@pytest.mark.clause(BOOK, "8.10.2", "8.9.5")
def test_a_newcomer_posts_the_large_blind_live() -> None:
    dealer = Dealer(terms(), dict.fromkeys((1, 2, 3, 4), 500), button=4, posts=[4])
    dealer.deal()
    dealer.act("3 fold")
    may = expected(dealer.hand).options
    assert may is not None
    assert (may.seat, may.to_call) == (4, 0)


@pytest.mark.clause(BOOK, "5.1", "5.2", "3.1")
def test_the_deck_is_shuffled_cut_once_and_each_card_leaves_it_once() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500}, button=2)
    assert dealer.refused(Cut()).clause == "5.2"
    dealer.post_blinds()
    dealer.tell(Shuffled(), Cut(), CardTo(1, "a"))
    assert dealer.refused(Cut()).clause == "5.2"
    assert dealer.refused(CardTo(2, "a")).clause == "3.1"


@pytest.mark.clause(BOOK, "1.1 'Burn'", "1.1 'Round of Play'", "7.2.1(b)")
def test_cards_pushes_and_drops_out_of_their_time_are_refused() -> None:
    dealer = three()
    assert dealer.refused(Pushed()).clause == "1.1 'Round of Play'"
    assert dealer.refused(Dropped()).clause == "7.2.1(b)"
    dealer.act("3 call", "1 call", "2 check")
    dealer.tell(Burn("b1"))
    assert dealer.refused(Burn("b2")).clause == "1.1 'Burn'"
    assert dealer.refused(CardTo(1, "c")).clause == "8.4"


@pytest.mark.clause(BOOK, "1.1 'Hole cards'")
def test_a_hand_saved_before_the_showdown_knows_no_hole_card() -> None:
    dealer = three("AsKsQsAhKhQh")
    dealer.act("3 call", "1 call", "2 check")
    dealer.check_down()
    saved = save(dealer.hand).decode()
    for face in ("As", "Ks", "Qs", "Ah", "Kh", "Qh"):
        assert f'"{face}"' not in saved
    told = msgspec.json.encode(dealer.out).decode()
    assert '"As"' not in told


def test_a_hand_can_be_saved_and_restored_between_any_two_inputs() -> None:
    class Forgetful(Dealer):
        def tell(self, *given: Input) -> list[object]:  # type: ignore[override]
            out: list[object] = []
            for one in given:
                self.hand = restore(save(self.hand))
                out += super().tell(one)
            return out

    plain = Dealer(terms("Crazy Pineapple Holdem Hi-Lo Eight Qualifier"), {1: 60, 2: 90, 3: 500}, button=3)
    forgetful = Forgetful(terms("Crazy Pineapple Holdem Hi-Lo Eight Qualifier"), {1: 60, 2: 90, 3: 500}, button=3)
    for dealer in (plain, forgetful):
        dealer.deal()
        dealer.act("3 raise 20", "1 call", "2 call")
        dealer.go_on()
        dealer.act("3 bet 40", "1 all_in", "2 fold")
        dealer.check_down()
        dealer.finish()
    assert save(plain.hand) == save(forgetful.hand)


def test_the_course_names_only_states_and_clauses_that_exist_and_reaches_every_state() -> None:
    known = {clause.clause for clause in clauses.clauses(BOOK)}
    for row in round.ROWS:
        assert row.clause in known, row
    ways = course("round", round.STATES, round.ROWS, round.BETWEEN, ()).ways  # refuses states that are not declared
    assert {way.dest for way in ways} == set(round.STATES)


def test_every_move_of_a_hand_is_a_declared_way() -> None:
    dealer = three()
    dealer.act("3 call", "1 call", "2 check")
    dealer.check_down()
    dealer.finish()
    ways = course("round", round.STATES, round.ROWS, round.BETWEEN, ()).ways
    declared = {(way.row.trigger, way.source, way.dest) for way in ways}
    moves = [output for output in dealer.out if isinstance(output, Moved)]
    assert len(moves) > 10
    assert all((move.trigger, move.source, move.dest) in declared for move in moves)
