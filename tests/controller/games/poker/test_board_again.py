"""A street that is dealt again because its burn was forgotten: the card becomes the burn, and its betting is undone."""

from __future__ import annotations

import pytest

from controller.games.poker.hand import expected
from controller.games.poker.inputs import Irregular
from controller.games.poker.outputs import Instruct
from drivers.card_antennas import BOARD
from tests.controller.games.poker.dealer import Dealer, cents, proposal, terms
from tests.controller.games.poker.play import config
from tests.controller.games.poker.seen import clause, on_the_flop, timers


def in_round(number: int) -> Dealer:
    """Three players have checked up to this betting round."""
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    dealer.act("3 call", "1 call", "2 check")
    for _ in range(number - 2):
        dealer.go_on()
        dealer.act("1 check", "2 check", "3 check")
    dealer.go_on()
    assert dealer.hand.phase == f"bet{number}"
    return dealer


@clause("9.4")
@pytest.mark.parametrize(("number", "street", "before"), [(3, "turn", 3), (4, "river", 4)])
def test_a_turn_or_river_without_its_burn_becomes_the_burn_and_the_next_card_takes_its_place(
    number: int, street: str, before: int
) -> None:
    dealer = in_round(number)
    *kept, wrong = dealer.hand.board
    assert len(kept) == before
    dealer.act("1 bet 50")
    dealer.tell(Irregular("no_burn"))
    assert proposal(dealer) == ("card_becomes_burn", "9.4")
    dealer.decide()
    (step,) = [one.step for one in dealer.out if isinstance(one, Instruct)]
    assert (step.kind, step.cards) == ("to_burn", (wrong,))
    assert (dealer.hand.phase, dealer.hand.board, dealer.hand.burns[-1]) == (street, kept, wrong)
    assert (expected(dealer.hand).what, expected(dealer.hand).amount) == ("board", 1)
    assert dealer.stacks() == dict.fromkeys((1, 2, 3), cents(490))
    dealer.go_on()
    assert (dealer.hand.phase, expected(dealer.hand).seats) == (f"bet{number}", (1,))


@clause("9.8", "9.9")
@pytest.mark.parametrize("what", ["no_burn", "too_many_flop"])
def test_who_went_all_in_on_a_flop_that_is_dealt_again_has_its_chips_back_and_who_did_before_has_not(what: str) -> None:
    dealer = Dealer(terms(), {1: 30, 2: 10, 3: 500, 4: 500}, button=4)
    dealer.deal()
    dealer.act("3 call", "4 call", "1 call")
    dealer.go_on()
    flop = tuple(dealer.hand.board)
    dealer.act("1 bet 20")
    dealer.tell(Irregular(what))  # type: ignore[arg-type]
    assert proposal(dealer) == ("redeal", "9.8" if what == "no_burn" else "9.9")
    dealer.decide()
    players = {player.seat: player for player in dealer.hand.betting.players}
    assert {seat: (one.stack, one.in_round, one.in_hand, one.all_in) for seat, one in players.items()} == {
        1: (cents(20), 0, cents(10), 0),
        2: (0, 0, cents(10), 1),
        3: (cents(490), 0, cents(10), 0),
        4: (cents(490), 0, cents(10), 0),
    }
    assert (dealer.hand.phase, dealer.hand.board) == ("flop", [])
    assert not set(flop) & set(dealer.hand.seen)
    dealer.go_on()
    wanted = expected(dealer.hand)
    assert wanted.options is not None
    assert (dealer.hand.phase, wanted.seats, wanted.options.raise_max) == ("bet2", (1,), cents(20))


@clause("9.8", "6.15")
def test_nobody_has_time_to_act_running_while_a_flop_is_dealt_again() -> None:
    play = on_the_flop(setup=config(time_to_act_s=30))
    play.street()
    play.press("check")
    assert timers(play) == {"act": play.at + 30_000}
    play.press("report", what="no_burn")
    play.answer("redeal", 1)
    play.take_up(*[name for name, place in play.lies.items() if place == BOARD])
    while play.game.hand.ruling is not None:
        play.press("done")
    assert (play.phase, timers(play)) == ("flop", {})
