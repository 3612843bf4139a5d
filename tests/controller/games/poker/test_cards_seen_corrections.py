"""Cards that move while a ruling is open: what puts the deal right, what waits, and what changes nothing."""

from __future__ import annotations

import msgspec
import pytest

from controller.cards.events import CardsMoved, Sealed
from drivers.card_antennas import BOARD, BURN, MUCK
from tests.controller.games.poker.play import PokerPlay
from tests.controller.games.poker.seen import (
    after_the_deal,
    alarms,
    before_the_deal,
    cards_of,
    clause,
    deal,
    notes,
    refusals,
    timers,
)


def stands(play: PokerPlay) -> bytes:
    """Everything about the open ruling and the cards of the hand."""
    hand = play.game.hand
    assert hand.ruling is not None
    cards = [player.cards for player in hand.betting.players]
    return msgspec.json.encode((hand.ruling, cards, hand.seen, hand.burns, hand.muck, hand.exposed, hand.dealt))


def out_of_order(play: PokerPlay, seat: int) -> str:
    """A card lies at a seat that is not due, and the one that is due does not come."""
    card = deal(play, seat)
    play.settle("deal")
    assert play.asked().subject == "out_of_order"
    return card


def second_round() -> PokerPlay:
    """Everybody has one card, and seat 1 a second: seat 2 is due."""
    play = before_the_deal()
    for seat in (1, 2, 3, 1):
        deal(play, seat)
    return play


# -- a card at the wrong seat -----------------------------------------------------------------------------------------


@clause("9.1.1(c)", "8.4")
def test_the_card_that_went_astray_is_carried_over_once_and_the_deal_goes_on() -> None:
    play = before_the_deal()
    deal(play, 1)
    astray = out_of_order(play, 3)
    assert timers(play) == {}
    play.answer("correct", 1)
    assert play.refused("done").code == "not_seen"
    play.lay(2, astray)
    assert play.phase == "ruling"
    play.press("done")
    assert (play.phase, play.game.hand.dealt, play.game.state.deal.waiting) == ("dealing", 2, [])
    assert (cards_of(play, 2), cards_of(play, 3)) == ([astray], [])
    play.deal()
    assert (play.phase, alarms(play)) == ("bet1", set())


@clause("9.1.1(c)", "8.4")
def test_of_two_cards_at_the_wrong_seat_one_is_asked_about_and_the_other_waits() -> None:
    play = before_the_deal()
    deal(play, 1)
    first, second = play.draw(), play.draw()
    play.lay(3, first, second)
    play.settle("deal")
    assert play.asked().evidence["seat"] == 2
    assert (play.game.state.deal.waiting, timers(play), refusals(play)) == ([(3, second)], {}, [])
    play.answer("correct", 1)
    play.lay(2, first)
    play.press("done")
    assert (cards_of(play, 2), cards_of(play, 3)) == ([first], [second])


@clause("9.1.1(c)", "8.4")
def test_cards_dealt_on_while_the_question_is_open_are_dealt_after_it_each_once() -> None:
    play = before_the_deal()
    deal(play, 1)
    astray = out_of_order(play, 3)
    third, fourth = deal(play, 3), deal(play, 1)
    for card, seat in ((third, 3), (astray, 3), (cards_of(play, 1)[0], 1)):
        play.take_up(card)
        play.lay(seat, card)
    assert play.phase == "ruling"
    play.answer("correct", 1)
    play.lay(2, astray)
    play.press("done")
    assert play.game.hand.dealt == 4
    assert (cards_of(play, 2), cards_of(play, 3), cards_of(play, 1)[1:]) == ([astray], [third], [fourth])
    assert (play.game.state.deal.waiting, alarms(play), refusals(play)) == ([], set(), [])


@clause("9.1.1(c)")
@pytest.mark.parametrize("antenna", [MUCK, BOARD, BURN])
def test_a_card_laid_elsewhere_than_at_a_seat_meanwhile_is_dealt_to_nobody(antenna: int) -> None:
    play = before_the_deal()
    deal(play, 1)
    astray = out_of_order(play, 3)
    before = stands(play)
    deal(play, antenna)
    assert (stands(play), play.game.state.deal.waiting) == (before, [])
    play.answer("correct", 1)
    play.lay(2, astray)
    play.press("done")
    assert (play.game.hand.dealt, timers(play)) == (2, {})


@clause("9.1.1(c)")
def test_the_missing_card_takes_the_question_back_and_all_that_was_dealt_on_is_dealt_in_order() -> None:
    play = before_the_deal(1000, 1000, 1000, 1000)
    deal(play, 1)
    early, later, last = out_of_order(play, 3), deal(play, 4), deal(play, 1)
    missing = deal(play, 2)
    assert (play.phase, play.game.hand.dealt) == ("dealing", 5)
    assert [cards_of(play, seat) for seat in (2, 3, 4)] == [[missing], [early], [later]]
    assert cards_of(play, 1)[1:] == [last]
    assert [note.facts["subject"] for note in notes(play, "question_withdrawn")] == ["out_of_order"]
    assert (play.table.state.desk.prompts, timers(play), alarms(play)) == ({}, {}, set())


@clause("9.1.1(c)")
def test_a_card_that_was_lifted_again_is_dealt_when_it_comes_back_and_not_before() -> None:
    play = before_the_deal()
    deal(play, 1)
    early = out_of_order(play, 3)
    play.take_up(early)
    deal(play, 2)
    assert (play.phase, play.game.hand.dealt, cards_of(play, 3)) == ("dealing", 2, [])
    play.lay(3, early)
    assert (play.game.hand.dealt, cards_of(play, 3)) == (3, [early])


@clause("9.1.1(c)")
def test_a_card_that_was_dealt_before_is_not_the_missing_one() -> None:
    play = second_round()
    out_of_order(play, 3)
    before = stands(play)
    held = cards_of(play, 2)[0]
    play.take_up(held)
    play.lay(2, held)
    assert (stands(play), play.game.state.deal.waiting) == (before, [])
    assert play.asked().subject == "out_of_order"


@clause("9.1.1(c)")
def test_a_deal_that_is_reported_later_is_not_put_right_by_a_stray_card() -> None:
    play = after_the_deal()
    play.press("report", what="out_of_order", seat=2)
    before = stands(play)
    deal(play, 2)
    assert (stands(play), play.game.state.deal.waiting) == (before, [])
    play.answer("correct", 1)
    before = stands(play)
    held = cards_of(play, 2)[0]
    play.take_up(held)
    play.lay(2, held)
    assert stands(play) == before
    play.press("done")
    assert (play.phase, alarms(play)) == ("bet1", set())


# -- of two cards at one seat -----------------------------------------------------------------------------------------


@clause("9.1.1(c)")
def test_when_the_other_card_of_the_seat_is_carried_over_the_one_that_stays_is_dealt_there() -> None:
    play = second_round()
    first = cards_of(play, 3)[0]
    astray = out_of_order(play, 3)
    play.answer("correct", 1)
    play.lay(2, first)
    assert (cards_of(play, 3), cards_of(play, 2)[1:]) == ([astray], [])
    play.press("done")
    assert (cards_of(play, 3), cards_of(play, 2)[1:]) == ([astray], [first])
    assert sorted(play.game.hand.seen) == sorted(play.lies)
    assert (play.phase, play.game.hand.dealt, alarms(play)) == ("dealing", 5, set())
    last = deal(play, 3)
    assert cards_of(play, 3) == [astray, last]
    assert play.phase == "bet1"


@clause("9.7", "9.1.1(c)")
@pytest.mark.parametrize("shown", [1, 3])
def test_a_card_the_dealer_showed_stays_with_its_seat_when_the_other_is_carried_over(shown: int) -> None:
    play = before_the_deal()
    for seat in (1, 2, 3):
        deal(play, seat)
    play.press("exposed", seat=shown)
    deal(play, 1)
    first = cards_of(play, 3)[0]
    astray = out_of_order(play, 3)
    play.answer("correct", 1)
    play.lay(2, first)
    play.press("done")
    assert play.game.hand.exposed == [(shown, astray if shown == 3 else cards_of(play, 1)[0])]
    deal(play, 3)
    assert play.asked().subject == "exposed_hole_card"


@clause("9.1.1(c)")
def test_a_dealt_card_laid_somewhere_else_meanwhile_changes_nothing() -> None:
    play = second_round()
    astray = out_of_order(play, 3)
    play.answer("correct", 1)
    before = stands(play)
    play.lay(1, cards_of(play, 3)[0])  # another seat than the one that is due
    assert stands(play) == before
    play.lay(2, cards_of(play, 1)[0])  # the card astray does not lie where this one was dealt
    assert stands(play) == before
    play.lay(2, astray)
    play.press("done")
    assert play.phase == "dealing"
    assert cards_of(play, 2)[1:] == [astray]


@clause("9.1.1(c)", "9.3")
def test_a_boxed_card_that_is_laid_at_the_seat_is_nobodys_card() -> None:
    play = second_round()
    boxed = deal(play, MUCK)
    play.press("boxed")
    out_of_order(play, 3)
    play.answer("correct", 1)
    before = stands(play)
    play.lay(2, boxed)
    assert stands(play) == before


@clause("9.1.1(c)")
def test_a_card_of_the_seat_that_falls_to_the_burns_is_no_exposed_card() -> None:
    play = second_round()
    out_of_order(play, 3)
    play.answer("correct", 1)
    before = stands(play)
    play.lay(BURN, cards_of(play, 2)[0])
    assert stands(play) == before


# -- a card that the dealer showed ------------------------------------------------------------------------------------


def one_shown(key_late: bool = False) -> tuple[PokerPlay, list[str]]:
    """Seat 1's first card was shown; the deal is over and the swap decided. The key may have come late."""
    play = before_the_deal()
    for seat in (1, 2, 3, 1):
        deal(play, seat)
        if seat == 1 and len(cards_of(play, 1)) == 1 + key_late:
            play.press("exposed", seat=1)
    deal(play, 2)
    deal(play, 3)
    asked = play.asked()
    assert (asked.subject, asked.proposal, asked.clauses) == ("exposed_hole_card", "swap_exposed", ("9.7",))
    play.answer("swap_exposed", 1)
    return play, list(cards_of(play, 1))


@clause("9.7")
@pytest.mark.parametrize("key_late", [False, True])
def test_the_card_that_goes_to_the_burns_is_the_one_that_was_shown_even_in_one_sweep_with_the_other(
    key_late: bool,
) -> None:
    play, (shown, kept) = one_shown(key_late)
    new = play.draw()
    added = (Sealed(1, new), Sealed(BURN, shown))
    play.event(CardsMoved("cards", play.game.deal, added, ((1, shown),)))
    assert (play.phase, cards_of(play, 1), play.game.hand.burns) == ("bet1", [new, kept], [shown])
    assert play.game.hand.burn_ready
    assert alarms(play) == set()


@clause("9.7")
def test_only_a_card_of_that_seat_takes_the_place_of_the_one_that_was_shown() -> None:
    play, _ = one_shown()
    before = stands(play)
    play.lay(BURN, cards_of(play, 2)[0])
    deal(play, BURN)
    assert stands(play) == before


@clause("9.7")
def test_the_top_card_counts_only_at_its_seat_and_only_when_it_is_new() -> None:
    play, (shown, kept) = one_shown()
    before = stands(play)
    play.take_up(kept)
    play.lay(1, kept)
    deal(play, 2)
    assert (stands(play), refusals(play)) == (before, [])
    new = deal(play, 1)
    assert (play.phase, cards_of(play, 1), play.game.hand.burns) == ("bet1", [new, kept], [shown])


@clause("9.1.1(e)")
def test_an_extra_card_goes_back_when_the_dealer_says_so_whatever_else_comes_to_the_seat() -> None:
    play = after_the_deal()
    extra = deal(play, 2)
    play.press("report", what="wrong_count", seat=2)
    assert play.asked().clauses == ("9.1.1(e)",)
    deal(play, 1)
    play.answer("correct", 1)
    before = stands(play)
    deal(play, 2)
    assert stands(play) == before
    assert play.refused("done").text.startswith("A card still lies at seat 2.")
    play.take_up(extra)
    play.press("done")
    assert (play.phase, alarms(play)) == ("bet1", {"stray:2"})
