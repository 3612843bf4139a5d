"""A hand as the table runs it: what follows by itself, who may press what, the clock, and the deck that is given."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.cards.events import CardsMoved, Sealed
from controller.config.tomlread import Cents
from controller.config.types import TableConfig
from controller.core.effects import Refused
from controller.games.poker.config import PokerSection, RakeSection
from drivers.card_antennas import BURN
from tests.controller.games.poker.play import PokerPlay, config
from tests.controller.games.poker.seen import (
    after_the_deal,
    alarms,
    before_the_deal,
    call_round,
    cards_of,
    clause,
    deal,
    due,
    make_ready,
    refusals,
    seated,
    timers,
    with_shuffler,
)

# -- keys -------------------------------------------------------------------------------------------------------------


@clause("8.4", "5.1")
@pytest.mark.parametrize("key", ["shuffled", "cut", "check", "turned_up", "pushed"])
def test_without_a_hand_the_keys_of_a_hand_are_refused(key: str) -> None:
    refusal = seated().refused(key)
    assert (refusal.code, refusal.clauses) == ("no_hand", ("8.4",))


@clause("5.1", "5.2", "1.1 'Check'")
def test_what_a_key_may_not_do_is_refused_to_the_key_and_what_chips_may_not_do_is_told() -> None:
    play = after_the_deal()
    again = play.refused("shuffled")
    assert (again.what, again.code, again.clauses) == ("shuffled", "not_legal", ("5.1",))
    check = play.refused("check")
    assert (check.what, check.clauses) == ("check", ("1.1 'Check'",))
    assert check.text == (
        "Seat 3 faces a wager: call, raise or fold. Seat 3 may call $10, raise to $20 up to $1,000 or fold."
    )
    call_round(play)
    play.put(1, 500)
    told = refusals(play)[-1]
    assert told == Refused(
        "action", "not_legal", "Nobody is to act while the flop is being dealt; return the chips.", ("1.1 'Action'",)
    )


# -- the clock --------------------------------------------------------------------------------------------------------


def with_clock(*stacks: int) -> PokerPlay:
    """Thirty seconds to act, one purchase of sixty more for $5."""
    setup = config(time_to_act_s=30, extensions=1, extension_s=60, extension_fee=Cents(500))
    return after_the_deal(*stacks, setup=setup)


@clause("6.15", "6.15.1")
def test_every_seat_in_turn_has_the_time_on_the_sign_and_what_it_bought() -> None:
    play = with_clock(1000, 1000, 1000, 1000)
    begun = timers(play)["act"]
    assert begun == play.at + 30_000
    play.press("call", seat=1)
    assert timers(play) == {"act": begun}
    play.press("buy_time")
    assert timers(play) == {"act": play.at + 90_000}
    play.press("fold")
    assert timers(play) == {"act": play.at + 30_000}
    play.press("fold")
    assert play.wanted().seats == (2,)
    play.press("check")
    assert (play.phase, timers(play)) == ("flop", {})
    play.street()
    assert timers(play) == {"act": play.at + 30_000}


@clause("6.15")
def test_a_table_without_a_clock_runs_none() -> None:
    play = after_the_deal()
    play.press("fold")
    assert timers(play) == {}
    due(play, "act")
    assert not play.table.state.desk.prompts
    assert [refusal.clauses for refusal in refusals(play)] == [("6.15",)]


@clause("6.15")
def test_a_clock_that_runs_out_during_a_ruling_begins_again_after_it() -> None:
    play = with_clock()
    play.press("report", what="player_exposed", seat=3)
    play.settle("act")
    assert play.asked().subject == "player_exposed"
    play.answer("play_on", 1)
    assert timers(play) == {"act": play.at + 30_000}
    play.settle("act")
    assert (play.asked().subject, play.asked().clauses) == ("time_to_act_is_over", ("6.15",))
    play.answer("more_time", 1)
    assert timers(play) == {"act": play.at + 30_000}


@clause("6.15", "13.5.1")
def test_the_clock_of_a_hand_that_is_invalidated_stops_with_it() -> None:
    play = with_clock()
    play.press("cancel_disruption", 2, reason="fire")
    assert (play.phase, timers(play)) == ("between_hands", {})


# -- the deck that is given -------------------------------------------------------------------------------------------


def post_blinds(play: PokerPlay) -> None:
    for owed in list(play.game.hand.dues):
        play.put(owed.seat, owed.amount)


@clause("5.1")
def test_a_deck_that_is_ready_is_the_shuffled_deck_of_the_hand_and_is_given_once() -> None:
    play = with_shuffler()
    make_ready(play)
    play.press("start_hand")
    assert (play.game.hand.shuffled, play.game.state.deck.status) == (True, "given")
    post_blinds(play)
    assert play.wanted().what == "cut"
    assert refusals(play) == []


@clause("5.1", "5.2")
def test_a_deck_that_becomes_ready_after_another_was_shuffled_and_cut_waits_for_the_next_hand() -> None:
    play = with_shuffler()
    play.press("start_hand")
    play.press("shuffled")
    play.press("cut")
    make_ready(play)
    assert (play.game.state.deck.status, play.game.hand.cut) == ("ready", True)
    post_blinds(play)
    assert play.phase == "dealing"


@clause("5.1", "9.1.1(b)")
def test_a_deck_that_becomes_ready_during_a_ruling_is_given_after_the_misdeal() -> None:
    play = with_shuffler()
    play.press("start_hand")
    post_blinds(play)
    card = deal(play, 1)
    assert play.asked().subject == "not_shuffled"
    make_ready(play)
    assert (play.game.state.deck.status, refusals(play)) == ("ready", [])
    play.answer("misdeal", 1)
    play.take_up(card)
    assert (play.game.hand.shuffled, play.wanted().what) == (True, "cut")


# -- what follows by itself -------------------------------------------------------------------------------------------


def fee_per_person() -> TableConfig:
    setup = config()
    rake = RakeSection("per_person", fee=Cents(100))
    return msgspec.structs.replace(setup, play=msgspec.structs.replace(setup.own(PokerSection), rake=rake))


@clause("7.2.4(b)", "7.2.4(c)", "5.1")
def test_fees_taken_before_the_hand_are_dropped_after_it_even_when_nothing_was_raked() -> None:
    play = seated(setup=fee_per_person())
    play.press("start_hand")
    play.press("fees")
    post_blinds(play)
    play.press("shuffled")
    play.press("cut")
    play.deal()
    play.press("fold")
    play.press("fold")
    play.press("pushed", confirmed=True)
    assert (play.phase, play.game.hand.rake, play.game.hand.fees) == ("drop", 0, 300)
    play.put(play.game.layout.drop, 300)
    play.press("dropped")
    assert play.stacks() == {1: 99_400, 2: 100_400, 3: 99_900}


@clause("5.1", "1.1 'Round of Play'")
def test_a_hand_without_commission_is_over_with_the_push() -> None:
    play = after_the_deal()
    play.press("fold")
    play.press("fold")
    play.press("pushed", confirmed=True)
    assert play.phase == "between_hands"


@clause("9.7", "8.4")
def test_a_card_too_many_at_the_end_of_the_deal_is_told_once_the_shown_card_is_swapped() -> None:
    play = before_the_deal()
    for seat in (1, 2, 3):
        deal(play, seat)
    play.press("exposed", seat=1)
    deal(play, 1)
    deal(play, 2)
    deal(play, 1)
    deal(play, 3)
    assert play.asked().subject == "exposed_hole_card"
    assert alarms(play) == set()
    play.answer("swap_exposed", 1)
    shown, new = cards_of(play, 1)[0], play.draw()
    swap: tuple[Any, ...] = (Sealed(BURN, shown), Sealed(1, new))
    play.event(CardsMoved("cards", play.game.deal, swap, ((1, shown),)))
    assert (play.phase, alarms(play)) == ("bet1", {"stray:1"})
