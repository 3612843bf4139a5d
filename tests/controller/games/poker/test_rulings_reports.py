"""What people may report of a poker hand, when, about whom, and what is proposed by what is known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from controller.games.poker.hand import apply, expected, restore, save
from controller.games.poker.inputs import Act, Board, Burn, Cut, Discard, Irregular, PlaceSideWager, Pushed, Shuffled
from controller.games.poker.outputs import Instruct, Moved, Prompt, Refused, Returned
from controller.games.poker.remedies import Step
from controller.games.poker.rulings import REPORTED
from tests.controller.games.poker.dealer import Dealer, at_flop, cents, dealt, proposal, terms

BOOK = "melbourne-poker"


def clause(*named: str) -> Any:
    return pytest.mark.clause(BOOK, *named)


# -- when -------------------------------------------------------------------------------------------------------------

PLAYED = "bet1 discard1 flop side_flop bet2 discard2 turn bet3 river bet4 showdown"
MAY_BE_REPORTED = {
    "exposed_in_cut": f"shuffling dealing {PLAYED}",
    "not_shuffled": f"dealing {PLAYED}",
    "out_of_order": PLAYED,
    "dealt_out": PLAYED,
    "extra_hand": PLAYED,
    "wrong_count": PLAYED,
    "survivor_wrong_count": "award",
    "defective_deck": f"shuffling dealing {PLAYED} award",
    "no_burn": "bet2 bet3 bet4",
    "too_many_flop": "bet2",
    "extra_flop_face_down": "flop side_flop",
    "player_exposed": f"dealing {PLAYED}",
    "exchanged_cards": PLAYED,
    "contravention": PLAYED,
}
"""A report comes while the thing can still have happened and can still be put right: in the cut, once cards are out,
while the street lies there, until the pot is pushed (9.1.1 to 9.15)."""


def course(game: str, *, folded: bool = False) -> Iterator[Dealer]:
    """A hand in every state it comes to, from the blinds to the drop; `folded` leaves one seat before the flop."""
    dealer = Dealer(terms(game, side_wagers=True), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.tell(PlaceSideWager(1, "red", cents(5)))
    yield dealer
    dealer.post_blinds()
    yield dealer
    dealer.tell(Shuffled(), Cut())
    yield dealer
    dealer.deal()
    while (wanted := expected(dealer.hand)).what not in ("push", "show"):
        yield dealer
        if wanted.what == "action":
            dealer.tell(Act(wanted.seats[0], "fold" if folded else "call"))
        elif wanted.what == "burn":
            dealer.tell(Burn(dealer.draw()))
        elif wanted.what == "discard":
            player = next(player for player in dealer.hand.betting.players if player.seat == wanted.seats[0])
            dealer.tell(Discard(player.seat, player.cards[-1]))
        else:
            dealer.tell(Board(tuple(dealer.draw() for _ in range(wanted.amount))))
    yield dealer
    dealer.show_all()
    yield dealer
    dealer.tell(Pushed())
    yield dealer


@clause("1.1 'Substantial action'", "9.1.1", "9.1.1(h)")
def test_each_thing_is_reported_while_it_can_have_happened_and_be_put_right_and_else_refused() -> None:
    assert {*MAY_BE_REPORTED, "kept_three"} == set(REPORTED)
    seen = set()
    for game, folded in (("Pineapple Holdem", False), ("Crazy Pineapple Holdem", False), ("Holdem", True)):
        for dealer in course(game, folded=folded):
            phase = dealer.hand.phase
            seen.add(phase)
            live = next(player.seat for player in dealer.hand.betting.players if player.live)
            alone = sum(player.live for player in dealer.hand.betting.players) == 1
            for what, phases in MAY_BE_REPORTED.items():
                hand = restore(save(dealer.hand))
                first, *_ = apply(hand, Irregular(what, live))  # type: ignore[arg-type]
                if phase == "side_flop" and what in ("wrong_count", "exchanged_cards", "contravention"):
                    assert isinstance(first, Refused), what
                    assert first.clause == "8.17.3(a)"  # the only one left wins the pot
                    assert save(hand) == save(dealer.hand)
                elif phase in phases.split() and (what != "survivor_wrong_count" or alone):
                    assert isinstance(first, Moved), (phase, what, first)
                    assert hand.ruling is not None
                    assert (hand.phase, hand.ruling.what, hand.interrupted_from) == ("ruling", what, phase)
                else:
                    assert isinstance(first, Refused), (phase, what)
                    late = "9.1.1(h)" if phase == "drop" else "9.1.1(g)" if phase == "award" and not alone else "9.1.1"
                    assert first.clause == (late if what == "survivor_wrong_count" or phase == "drop" else "9.1.1")
                    assert save(hand) == save(dealer.hand)
    assert seen == {"posting", "shuffling", "dealing", "award", "drop", *PLAYED.split()}


# -- about whom -------------------------------------------------------------------------------------------------------


@clause("1.1 'Substantial action'", "9.1.1(f)", "13.14", "13.2.1")
def test_a_seat_that_has_no_hand_any_more_or_never_had_one_cannot_be_reported() -> None:
    dealer = dealt()
    dealer.act("3 fold")
    for what in ("wrong_count", "exchanged_cards", "contravention"):
        assert dealer.refused(Irregular(what, 3)).clause == "1.1 'Dead hand'"
        assert dealer.refused(Irregular(what, 7)).clause == "8.4"
    dealer.tell(Irregular("dealt_out", 7, correctable=True))
    assert proposal(dealer) == ("correct", "9.1.1(d)")


def discarded(game: str) -> tuple[Dealer, dict[int, str]]:
    """A hand in the betting round after its discards, and what each seat gave up."""
    dealer = Dealer(terms(game), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    while not dealer.hand.phase.startswith("discard"):
        dealer.tell(Act(expected(dealer.hand).seats[0], "call"))
        if not dealer.hand.phase.startswith("discard"):
            dealer.go_on()
    gone = {player.seat: player.cards[-1] for player in dealer.hand.betting.players}
    dealer.go_on()
    return dealer, gone


@clause("1.1 'Substantial action'", "9.15.1", "9.15.2")
@pytest.mark.parametrize(("game", "too_late"), [("Pineapple Holdem", "9.15.2"), ("Crazy Pineapple Holdem", "9.1.1")])
def test_a_card_that_was_kept_is_told_by_the_one_card_given_up_in_the_round_after_the_discards(
    game: str, too_late: str
) -> None:
    dealer, gone = discarded(game)
    held = dealer.hand.betting.players[0].cards[0]
    for cards in ((), (gone[1], gone[2]), (held,)):
        assert dealer.refused(Irregular("kept_three", 1, cards)).clause == "9.15.2"
    later, given_up = discarded(game)
    while later.hand.phase == dealer.hand.phase:
        later.act(f"{expected(later.hand).seats[0]} check")
    later.go_on()
    assert later.refused(Irregular("kept_three", 1, (given_up[1],))).clause == too_late
    plain = at_flop()
    plain.go_on()
    assert plain.refused(Irregular("kept_three", 1, (plain.hand.board[0],))).clause == "9.15.2"


@clause("9.15.1", "9.10", "9.12.1", "9.1.1", "13.10", "1.1 'Substantial action'")
@pytest.mark.parametrize(
    ("game", "ruled", "phase", "street"),
    [
        ("Pineapple Holdem", ("redeal", "9.10"), "discard1", "flop"),
        ("Crazy Pineapple Holdem", ("set_aside", "9.12.1"), "discard2", "turn"),
    ],
)
def test_a_card_kept_makes_the_street_premature_and_the_discards_go_on_where_they_were(
    game: str, ruled: tuple[str, str], phase: str, street: str
) -> None:
    dealer, gone = discarded(game)
    board = list(dealer.hand.board)
    dealer.act("1 bet 20")
    dealer.tell(Irregular("kept_three", 1, (gone[1],)))
    assert proposal(dealer) == ruled
    dealer.decide()
    hand = dealer.hand
    assert (hand.phase, expected(hand).what, expected(hand).seats) == (phase, "discard", (1,))
    assert hand.betting.players[0].cards[-1] == gone[1]
    assert (gone[1] in hand.muck, gone[2] in hand.muck) == (False, True)
    assert hand.board == ([] if street == "flop" else board[:3])
    assert hand.aside == ([] if street == "flop" else board[3:])
    assert dealer.stacks() == {1: cents(490), 2: cents(490), 3: cents(490)}
    dealer.tell(Discard(1, gone[1]))
    assert expected(hand).what == ("board" if street == "flop" else "burn")  # 9.10 keeps its burn, 9.12.2 takes one
    dealer.go_on()
    assert expected(hand).seats == (1,)


@clause("9.15.2", "1.1 'Dead hand'", "9.1.1")
def test_a_card_kept_until_two_have_acted_makes_the_hand_dead() -> None:
    dealer, gone = discarded("Pineapple Holdem")
    dealer.act("1 check", "2 bet 20")
    dealer.tell(Irregular("kept_three", 1, (gone[1],)))
    assert proposal(dealer) == ("hand_dead", "9.15.2")
    dealer.decide()
    assert (dealer.hand.betting.players[0].live, dealer.hand.phase) == (False, "bet2")
    assert dealer.stacks() == {1: cents(490), 2: cents(470), 3: cents(490)}


@clause("9.1.1(g)", "1.1 'Substantial action'", "13.10", "9.1.1", "13.6")
def test_only_the_last_hand_at_the_showdown_is_reported_as_a_survivor_and_its_miscount_refunds_everybody() -> None:
    both = at_flop()
    both.check_down()
    both.show_all()
    assert both.refused(Irregular("survivor_wrong_count", 1)).clause == "9.1.1(g)"
    dealer = dealt()
    dealer.act("3 raise 40", "1 call", "2 fold")
    dealer.go_on()
    dealer.act("1 bet 60", "3 fold")
    assert dealer.hand.phase == "award"
    assert dealer.refused(Irregular("survivor_wrong_count", 3)).clause == "1.1 'Dead hand'"
    dealer.tell(Irregular("survivor_wrong_count", 1))
    assert proposal(dealer) == ("hand_dead_all_refunded", "9.1.1(g)")
    told = len(dealer.out)
    dealer.decide()
    assert [one for one in dealer.out[told:] if isinstance(one, Returned)] == [
        Returned(1, cents(40), "9.1.1(g)"),
        Returned(2, cents(10), "9.1.1(g)"),
        Returned(3, cents(40), "9.1.1(g)"),
    ]
    assert dealer.hand.betting.players[0].out == "dead"
    assert (dealer.hand.phase, dealer.hand.ruling, expected(dealer.hand).what) == ("between_hands", None, "nothing")
    assert dealer.out[-1].stacks == {1: cents(500), 2: cents(500), 3: cents(500)}  # type: ignore[attr-defined]


# -- what is known ----------------------------------------------------------------------------------------------------


@clause("1.1 'Substantial action'", "9.1.1(f)", "9.9")
def test_action_counts_from_the_deal_for_a_wrong_count_and_from_the_street_for_a_street() -> None:
    dealer = at_flop()
    dealer.go_on()
    street = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    street.hand = restore(save(dealer.hand))
    dealer.tell(Irregular("wrong_count", 1))
    assert proposal(dealer) == ("hand_dead", "9.1.1(f)")
    street.tell(Irregular("too_many_flop"))
    assert proposal(street) == ("redeal", "9.9")
    street.decide()
    assert expected(street.hand).what == "board"  # its burn was taken and stays


@clause("1.1 'Substantial action'", "9.1.1(e)", "9.1.1(f)", "9.1.1", "13.10")
def test_a_card_too_many_goes_back_while_nobody_has_acted_and_the_hand_goes_on() -> None:
    dealer = dealt()
    extra = dealer.draw_sealed()
    asked = dealer.tell(Irregular("wrong_count", 2, (extra,), correctable=True))[-1]
    assert asked == Prompt("wrong_count", "9.1.1(e)", 1, "correct", ("correct", "misdeal"), 2)
    cards = [list(player.cards) for player in dealer.hand.betting.players]
    dealer.decide()
    assert dealer.out[-2] == Instruct(Step("return_to_top", (extra,), 2), "9.1.1(e)")
    assert [list(player.cards) for player in dealer.hand.betting.players] == cards
    assert (dealer.hand.phase, dealer.hand.dealt, expected(dealer.hand).seats) == ("bet1", 6, (3,))


@clause("1.1 'Substantial action'", "9.1.1(e)", "9.1.1(f)")
@pytest.mark.parametrize(
    ("acts", "extra", "correctable", "ruled"),
    [
        ((), True, False, "9.1.1(e)"),
        ((), False, True, "9.1.1(e)"),  # two cards were dealt there and no other lies there: nothing tells what to mend
        (("3 call",), True, True, "9.1.1(f)"),
    ],
)
def test_a_wrong_count_that_cannot_be_put_right_is_a_misdeal(
    acts: tuple[str, ...], extra: bool, correctable: bool, ruled: str
) -> None:
    dealer = dealt()
    dealer.act(*acts)
    dealer.tell(Irregular("wrong_count", 2, (dealer.draw_sealed(),) if extra else (), correctable))
    assert proposal(dealer) == ("misdeal", ruled)


@clause("1.1 'Substantial action'", "9.8")
def test_what_one_seat_did_on_the_flop_is_no_substantial_action_whoever_has_folded_before_it() -> None:
    dealer = dealt()
    dealer.act("3 call", "1 fold", "2 check")
    dealer.go_on()
    dealer.act("2 check")
    dealer.tell(Irregular("no_burn"))
    assert proposal(dealer) == ("redeal", "9.8")
