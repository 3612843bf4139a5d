"""Before the first card, while cards are dealt, and hands given up at the end: what is taken, and what is refused."""

from __future__ import annotations

import pytest

from controller.games.poker.commission import Commission
from controller.games.poker.hand import expected
from controller.games.poker.inputs import (
    CardTo,
    Cut,
    Exposed,
    Muck,
    PlaceSideWager,
    Post,
    RefuseBlind,
    Shuffled,
)
from controller.games.poker.outputs import Recorded
from tests.controller.games.poker.dealer import Dealer, cents, terms
from tests.controller.games.poker.seen import clause

THREE = {1: 500.0, 2: 500.0, 3: 500.0}


def recorded(dealer: Dealer) -> list[tuple[str, str, int, int]]:
    """What is on record: words, clause, seat and amount."""
    return [(one.what, one.clause, one.seat, one.amount) for one in dealer.out if isinstance(one, Recorded)]


# -- blinds and fees ---------------------------------------------------------------------------------------------------


@clause("8.9.2(a)", "1.1 'Blind'")
def test_a_blind_that_comes_after_the_blinds_are_up_is_refused_as_too_late() -> None:
    dealer = Dealer(terms(), THREE, button=3)
    dealer.post_blinds()
    assert dealer.refused(Post(1, cents(5))).clause == "8.9.2(a)"


@clause("7.2.4(b)")
def test_every_seat_pays_its_fee_once_and_exactly_and_may_pay_it_with_its_last_chips() -> None:
    dealer = Dealer(terms(rake=Commission("per_person", fee=cents(2))), {1: 500, 2: 500, 3: 2}, button=3)
    assert dealer.refused(Post(1, cents(1), "fee")).clause == "7.2.4(b)"
    dealer.tell(Post(1, cents(2), "fee"))
    assert dealer.refused(Post(1, cents(2), "fee")).clause == "7.2.4(b)"
    dealer.tell(Post(3, cents(2), "fee"))
    assert (dealer.stacks(), dealer.hand.fees, dealer.hand.fees_due) == ({1: 49_800, 2: 50_000, 3: 0}, 400, [2])


@clause("8.9.3")
def test_a_blind_is_refused_by_the_seat_that_owes_it_and_everybody_has_everything_back() -> None:
    dealer = Dealer(terms(side_wagers=True), THREE, button=3)
    dealer.tell(PlaceSideWager(1, "red", cents(20)), Post(1, cents(5)))
    for seat in (1, 3):  # it is up already; none is due
        assert dealer.refused(RefuseBlind(seat)).clause == "8.9.3"
    dealer.tell(RefuseBlind(2))
    assert (dealer.hand.phase, dealer.stacks()) == ("between_hands", {1: 50_000, 2: 50_000, 3: 50_000})
    assert recorded(dealer)[-1] == ("missed blind", "8.9.3", 2, 0)


# -- straddles ---------------------------------------------------------------------------------------------------------


@clause("6.5", "1.1 'Over-blind bet'", "1.1 'Blind'")
def test_a_newcomer_who_has_posted_straddles_with_what_its_post_lacks() -> None:
    dealer = Dealer(terms(straddle=True), {1: 500, 2: 500, 3: 20, 4: 500}, button=4, posts=(3,))
    dealer.post_blinds()
    dealer.tell(Post(3, cents(20), "straddle"))
    newcomer = next(player for player in dealer.hand.betting.players if player.seat == 3)
    assert (newcomer.stack, newcomer.in_round, newcomer.in_hand, newcomer.all_in) == (0, cents(20), cents(20), 1)
    assert (dealer.hand.straddle, dealer.hand.straddler) == (cents(20), dealer.hand.betting.players.index(newcomer))


@clause("6.5", "1.1 'Over-blind bet'")
def test_a_straddle_needs_its_chips_and_the_seats_own_post_first_and_waits_for_nobody_elses_blind() -> None:
    poor = Dealer(terms(straddle=True), {1: 500, 2: 500, 3: 19, 4: 500}, button=4)
    assert poor.refused(Post(3, cents(20), "straddle")).clause == "6.5"
    newcomer = Dealer(terms(straddle=True), {1: 500, 2: 500, 3: 500, 4: 500}, button=4, posts=(3,))
    assert newcomer.refused(Post(3, cents(20), "straddle")).clause == "6.5"
    early = Dealer(terms(straddle=True), {1: 500, 2: 500, 3: 500, 4: 500}, button=4)
    early.tell(Post(3, cents(20), "straddle"))
    assert (early.hand.straddle, recorded(early)) == (cents(20), [("straddle", "6.5.1", 3, cents(20))])


@clause("6.5", "8.9.4", "8.15.2")
@pytest.mark.parametrize("cards", [1, 6])
def test_straddles_and_side_wagers_end_with_the_first_card(cards: int) -> None:
    dealer = Dealer(terms(straddle=True, side_wagers=True), THREE, button=3)
    dealer.post_blinds()
    dealer.tell(Shuffled(), Cut())
    for _ in range(cards):
        dealer.tell(CardTo(expected(dealer.hand).seats[0], dealer.draw_sealed()))
    assert dealer.refused(Post(3, cents(20), "straddle")).clause == "6.5"
    assert dealer.refused(PlaceSideWager(3, "red", cents(5))).clause == "8.15.2"


# -- side wagers -------------------------------------------------------------------------------------------------------


@clause("8.15.1", "6.11.1(a)")
def test_a_side_wager_is_of_a_seat_in_the_hand_and_of_chips_that_no_blind_needs() -> None:
    dealer = Dealer(terms(side_wagers=True), {1: 15, 2: 500, 3: 10}, button=3)
    assert dealer.refused(PlaceSideWager(7, "red", cents(5))).clause == "8.15.1"
    assert dealer.refused(PlaceSideWager(1, "red", 0)).clause == "6.11.1(a)"
    assert dealer.refused(PlaceSideWager(1, "red", cents(10) + 1)).clause == "6.11.1(a)"
    dealer.tell(PlaceSideWager(1, "red", cents(10)), PlaceSideWager(3, "black", cents(10)))
    assert dealer.stacks() == {1: cents(5), 2: cents(500), 3: 0}


@clause("8.15.1")
def test_where_the_house_allows_both_colours_a_seat_may_have_both() -> None:
    dealer = Dealer(terms(side_wagers=True, side_both_colours=True), THREE, button=3)
    dealer.tell(PlaceSideWager(1, "red", cents(5)), PlaceSideWager(1, "black", cents(10)))
    assert [(wager.colour, wager.amount) for wager in dealer.hand.side] == [("red", cents(5)), ("black", cents(10))]


# -- shuffle, cut and deal ---------------------------------------------------------------------------------------------


@clause("5.1", "5.2", "1.1 'Cut'")
def test_a_deck_that_is_shuffled_again_is_cut_again_and_then_dealt_and_cut_no_more() -> None:
    dealer = Dealer(terms(), THREE, button=3)
    assert dealer.refused(Cut()).clause == "5.2"
    dealer.tell(Shuffled(), Cut())
    assert dealer.refused(Cut()).clause == "5.2"
    dealer.tell(Shuffled())
    dealer.post_blinds()
    assert (dealer.hand.phase, expected(dealer.hand).what) == ("shuffling", "cut")
    dealer.tell(Cut())
    assert dealer.hand.phase == "dealing"
    assert dealer.refused(Cut()).clause == "5.2"
    assert dealer.refused(Shuffled()).clause == "5.1"


@clause("9.7", "9.1.1(i)")
def test_a_card_is_shown_by_the_dealer_during_the_deal_and_at_the_seat_where_it_lies() -> None:
    dealer = Dealer(terms(), THREE, button=3)
    dealer.post_blinds()
    dealer.tell(Shuffled(), Cut())
    first, second = dealer.draw_sealed(), dealer.draw_sealed()
    dealer.tell(CardTo(1, first), CardTo(2, second))
    assert dealer.refused(Exposed(1, second)).clause == "9.7"
    dealer.tell(Exposed(2, second))
    assert recorded(dealer) == [("hole card shown by the dealer", "9.7", 2, 0)]
    assert dealer.hand.exposed == [(2, second)]
    dealt = Dealer(terms(), THREE, button=3)
    dealt.deal()
    dealt.act("3 call", "1 call")  # two seats have acted on their cards
    assert dealt.refused(Exposed(1, dealt.hand.betting.players[0].cards[0])).clause == "9.7"


# -- given up at the showdown ------------------------------------------------------------------------------------------


@clause("8.20.4")
def test_a_hand_is_given_up_at_the_showdown_by_a_seat_that_holds_it_unseen() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500, 4: 500}, button=4)
    dealer.deal()
    assert dealer.refused(Muck(3)).clause == "8.2.3"
    dealer.act("3 fold")
    dealer.check_down()
    dealer.show(1)
    for seat in (1, 3):  # shown; folded
        assert dealer.refused(Muck(seat)).clause == "8.20.4"
    dealer.tell(Muck(2))
    given_up = next(player for player in dealer.hand.betting.players if player.seat == 2)
    assert (given_up.live, given_up.out, dealer.hand.given_up) == (False, "mucked", [2])
    assert recorded(dealer)[-1] == ("given up at the showdown", "8.20.4", 2, 0)
    assert dealer.hand.phase == "showdown"
