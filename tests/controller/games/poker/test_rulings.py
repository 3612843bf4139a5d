"""Rulings on a poker hand carried out: who decided, which card goes where, what each seat gets back, what is next."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Noted, Settled
from controller.games.poker.hand import expected
from controller.games.poker.inputs import (
    Board,
    Burn,
    Cancel,
    CardTo,
    Chips,
    Cut,
    Exposed,
    Irregular,
    PlaceSideWager,
    Rule,
    Shuffled,
    StepDone,
    Table,
    TimeUp,
)
from controller.games.poker.outputs import (
    Acted,
    Award,
    Instruct,
    Prompt,
    RakeSetAside,
    Recorded,
    Returned,
    SideSettled,
)
from controller.games.poker.remedies import Step
from tests.controller.games.poker.dealer import (
    Dealer,
    at_flop,
    at_river,
    at_turn,
    cents,
    dealt,
    percentage,
    proposal,
    terms,
)
from tests.controller.games.poker.seen import with_side_wagers

BOOK = "melbourne-poker"


def clause(*named: str) -> Any:
    return pytest.mark.clause(BOOK, *named)


def steps(dealer: Dealer) -> list[str]:
    return [one.step.kind for one in dealer.out if isinstance(one, Instruct)]


# -- deciding ---------------------------------------------------------------------------------------------------------


@clause("9.1.1", "13.10", "9.9")
def test_a_question_is_decided_once_and_who_decided_is_on_record() -> None:
    dealer = at_flop()
    dealer.tell(Burn("b1"), Board(("7d", "8d", "9d", "Td")))
    told = dealer.tell(Rule("redeal", 2, "S7"))
    assert told == [Recorded("ruled redeal by S7", "9.9"), Instruct(Step("take_back", ("7d", "8d", "9d", "Td")), "9.9")]
    assert dealer.refused(Rule("redeal", 4)).clause == "13.10"
    dealer.tell(StepDone(), StepDone(), StepDone())
    dealer.tell(Board(("7d", "8d", "9d")), Irregular("player_exposed", 1))
    assert dealer.tell(Rule("play_on", 1))[0] == Recorded("ruled play_on by level 1", "9.6")


@clause("9.9", "9.1.1", "13.10")
def test_too_many_on_the_flop_after_action_is_dealt_again_step_by_step_or_played_on_as_level_two_says() -> None:
    def asked() -> Dealer:
        dealer = at_flop()
        dealer.tell(Burn("b1"), Board(("7d", "8d", "9d")))
        dealer.act("1 bet 20", "2 call")
        dealer.tell(Irregular("too_many_flop"))
        return dealer

    again = asked()
    assert again.out[-1] == Prompt("too_many_flop", "9.9", 2, "ask", ("play_on", "redeal"))
    again.decide("redeal", 2)
    assert steps(again) == ["take_back", "shuffle_stub", "cut"]
    assert (again.hand.board, again.hand.phase, again.hand.burns) == ([], "flop", ["b1"])
    assert again.stacks() == {1: cents(490), 2: cents(490), 3: cents(490)}
    on = asked()
    on.decide("play_on", 2)
    assert steps(on) == []
    assert (on.hand.board, on.hand.phase, expected(on.hand).seats) == (["7d", "8d", "9d"], "bet2", (3,))
    assert on.stacks() == {1: cents(470), 2: cents(470), 3: cents(490)}


def added_to() -> Dealer:
    """Seat 3 has called with chips that came to rest, and has laid more."""
    dealer = dealt()
    dealer.tell(Chips(3, cents(10)))
    dealer.tell(Chips(3, cents(30)))
    assert proposal(dealer) == ("ask", "6.12")
    return dealer


@clause("6.12", "9.1.1", "13.10")
def test_chips_added_to_a_wager_are_one_wager_with_it_when_that_was_announced() -> None:
    dealer = added_to()
    told = dealer.tell(Rule("one_wager", 1))
    assert [(one.seat, one.kind, one.total) for one in told if isinstance(one, Acted)] == [(3, "raise", cents(40))]
    assert (expected(dealer.hand).seats, dealer.hand.betting.high) == ((1,), cents(40))
    assert dealer.stacks() == {1: cents(495), 2: cents(490), 3: cents(460)}


@clause("6.12", "9.1.1", "13.10")
def test_chips_added_to_a_wager_go_back_when_nothing_was_announced() -> None:
    dealer = added_to()
    told = dealer.tell(Rule("return_chips", 1))
    assert told[-1] == Prompt("return the chips", "6.12", 1, "return", (), 3, cents(30))
    assert (dealer.hand.phase, expected(dealer.hand).seats, dealer.hand.betting.high) == ("bet1", (1,), cents(10))
    assert dealer.stacks() == {1: cents(495), 2: cents(490), 3: cents(490)}


# -- the deal ---------------------------------------------------------------------------------------------------------


@clause("9.1.1(c)", "9.1.1", "13.10")
def test_a_card_moved_to_its_seat_counts_as_dealt_and_does_not_come_twice() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.post_blinds()
    dealer.tell(Shuffled(), Cut(), CardTo(2, "x"))
    assert proposal(dealer) == ("correct", "9.1.1(c)")
    dealer.decide()
    assert steps(dealer) == ["move_card"]
    assert (dealer.hand.phase, dealer.hand.dealt, expected(dealer.hand).seats) == ("dealing", 1, (2,))
    assert dealer.hand.betting.players[0].cards == ["x"]
    assert dealer.refused(CardTo(2, "x")).clause == "3.1"
    while dealer.hand.dealt < 5:
        dealer.tell(CardTo(expected(dealer.hand).seats[0], dealer.draw_sealed()))
    dealer.tell(CardTo(1, "last"))
    dealer.decide()
    assert (dealer.hand.phase, expected(dealer.hand).seats) == ("bet1", (3,))
    assert dealer.hand.betting.players[2].cards[-1] == "last"


@clause("9.1.1(c)", "9.1.1", "13.10")
@pytest.mark.parametrize(("acts", "ruled"), [((), "correct"), (("3 call", "1 call"), "play_on")])
def test_an_order_found_wrong_after_the_deal_is_put_right_or_stands_and_no_card_is_added(
    acts: tuple[str, ...], ruled: str
) -> None:
    dealer = dealt()
    dealer.act(*acts)
    turn = expected(dealer.hand).seats
    dealer.tell(Irregular("out_of_order", correctable=True))
    assert proposal(dealer) == (ruled, "9.1.1(c)")
    dealer.decide()
    assert (dealer.hand.phase, dealer.hand.dealt, expected(dealer.hand).seats) == ("bet1", 6, turn)
    assert [len(player.cards) for player in dealer.hand.betting.players] == [2, 2, 2]
    cannot = dealt()
    cannot.tell(Irregular("out_of_order"))
    assert proposal(cannot) == ("misdeal", "9.1.1(c)")


@clause("9.1.1", "9.1.1(b)", "13.10")
def test_a_misdeal_gives_back_only_what_was_wagered_and_commission_only_where_some_was_set_aside() -> None:
    dealer = dealt(rake=percentage(10, 50))
    dealer.act("3 raise 40")
    dealer.tell(Irregular("not_shuffled"))
    told = dealer.tell(Rule("misdeal", 1))
    assert [one for one in told if isinstance(one, Returned | RakeSetAside)] == [Returned(3, cents(40), "9.1.1")]
    assert dealer.stacks() == {1: cents(495), 2: cents(490), 3: cents(500)}


@clause("9.1.1", "9.1.1(i)", "9.1.1(b)", "13.10")
def test_nothing_that_was_shown_or_said_before_a_misdeal_counts_in_the_new_deal() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.post_blinds()
    dealer.tell(Shuffled(), Cut(), CardTo(1, "a"), Exposed(1, "a"), CardTo(2, "b"), Exposed(2, "b"))
    dealer.decide()
    dealer.deal()
    assert (dealer.hand.phase, dealer.hand.ruling) == ("bet1", None)
    dealer.act("1 raise 30")  # out of turn: it waits
    dealer.tell(Irregular("not_shuffled"), Rule("misdeal", 1))
    dealer.deal()
    dealer.act("3 call")
    assert (expected(dealer.hand).seats, dealer.hand.betting.high) == ((1,), cents(10))


@clause("9.1.1", "9.1.1(b)")
def test_a_misdeal_found_at_the_showdown_leaves_no_pot_behind() -> None:
    """Both blinds are all-in and one seat has folded, which is no substantial action."""
    dealer = Dealer(terms(), {1: 5, 2: 10, 3: 500}, button=3)
    dealer.deal()
    dealer.act("3 fold")
    dealer.go_on()
    assert [pot.amount for pot in dealer.hand.pots] == [cents(10)]
    dealer.show(1)
    dealer.tell(Irregular("not_shuffled"))
    assert proposal(dealer) == ("misdeal", "9.1.1(b)")
    dealer.decide()
    assert (dealer.hand.phase, dealer.hand.pots, dealer.hand.board) == ("shuffling", [], [])
    dealer.deal()
    dealer.act("3 fold")
    dealer.go_on()
    assert expected(dealer.hand).seats == (1, 2)
    dealer.show(2)
    assert [read.seat for read in dealer.hand.hands] == [2]


# -- the board --------------------------------------------------------------------------------------------------------


@clause("9.4", "9.1.1", "13.10")
def test_a_turn_without_a_burn_may_stand_and_is_bet_on_at_once() -> None:
    dealer = at_turn()
    dealer.tell(Board(("Td",)))
    assert dealer.out[-1] == Prompt("no_burn", "9.4", 1, "card_becomes_burn", ("card_becomes_burn", "play_on"))
    dealer.tell(Rule("play_on", 1))
    assert (dealer.hand.phase, dealer.hand.board[3:], dealer.hand.burns) == ("bet3", ["Td"], ["b1"])
    assert expected(dealer.hand).seats == (1,)


@clause("9.4", "9.1.1", "13.10")
@pytest.mark.parametrize("noticed", ["at once", "after one action"])
def test_a_turn_that_becomes_the_burn_lies_with_the_burns_once_and_comes_no_more(noticed: str) -> None:
    dealer = at_turn()
    if noticed == "at once":
        dealer.tell(Board(("Td",)))
    else:
        dealer.tell(Burn("b2"), Board(("Td",)))
        dealer.act("1 check")
        dealer.tell(Irregular("no_burn"))
    dealer.decide()
    assert steps(dealer) == ["to_burn"]
    assert (dealer.hand.phase, dealer.hand.board, dealer.hand.burns[-1]) == ("turn", ["7d", "8d", "9d"], "Td")
    assert dealer.hand.seen.count("Td") == 1
    assert dealer.refused(Board(("Td",))).clause == "3.1"
    dealer.tell(Board(("Jd",)))
    assert dealer.hand.board == ["7d", "8d", "9d", "Jd"]


@clause("9.4", "9.13.1", "9.13.2", "9.1.1", "13.10")
def test_the_second_of_two_turns_is_the_next_burn_but_one_that_follows_a_missing_burn_is_the_turn() -> None:
    opened = at_turn()
    opened.tell(Burn("b2"), Board(("Td", "Jd")))
    assert proposal(opened) == ("first_stays", "9.13.2")
    opened.decide()
    assert (opened.hand.board[3:], opened.hand.burns) == (["Td"], ["b1", "b2", "Jd"])
    opened.act("1 check", "2 check", "3 check")
    assert expected(opened.hand).what == "board"
    missing = at_turn()
    missing.tell(Board(("Td", "Jd")))
    missing.decide()
    assert (missing.hand.board[3:], missing.hand.burns) == (["Jd"], ["b1", "Td"])
    missing.act("1 check", "2 check", "3 check")
    assert expected(missing.hand).what == "burn"


@clause("9.4")
def test_of_three_cards_without_a_burn_the_first_is_the_burn_the_second_the_turn_and_the_third_goes_back() -> None:
    dealer = at_turn()
    dealer.tell(Board(("Td", "Jd", "Qd")))
    assert dealer.out[-1] == Prompt("no_burn", "9.4", 1, "card_becomes_burn", ("card_becomes_burn",))
    dealer.decide()
    assert steps(dealer) == ["to_burn", "take_back", "shuffle_stub", "cut"]
    assert Instruct(Step("take_back", ("Qd",)), "9.4") in dealer.out
    assert (dealer.hand.board[3:], dealer.hand.burns, dealer.hand.phase) == (["Jd"], ["b1", "Td"], "bet3")
    dealer.act("1 check", "2 check", "3 check")
    dealer.tell(Burn("b3"), Board(("Qd",)))  # it may come again
    assert dealer.hand.board[4:] == ["Qd"]


@clause("9.9", "9.14")
def test_cards_too_many_for_a_street_are_called_by_their_number_and_all_but_the_right_one_may_come_again() -> None:
    flop = at_flop()
    flop.tell(Burn("b1"), Board(("7d", "8d", "9d", "Td")))
    assert flop.out[-1] == Prompt("too_many_flop", "9.9", 1, "redeal", ("redeal",))
    flop.decide()
    flop.tell(Board(("Td", "7d", "2c")))
    assert flop.hand.board == ["Td", "7d", "2c"]
    turn = at_turn()
    turn.tell(Burn("b2"), Board(("Td", "Jd", "Qd")))
    assert turn.out[-1] == Prompt("more_opened", "9.14", 1, "first_stays", ("first_stays",))
    turn.decide()
    assert Instruct(Step("take_back", ("Jd", "Qd")), "9.14") in turn.out
    turn.act("1 check", "2 check", "3 check")
    turn.tell(Burn("Jd"), Board(("Qd",)))
    assert (turn.hand.board[3:], turn.hand.burns) == (["Td", "Qd"], ["b1", "b2", "Jd"])


@clause("9.13.3", "9.1.1", "13.10")
def test_the_second_of_two_rivers_goes_to_the_muck() -> None:
    dealer = at_river()
    dealer.tell(Burn("b3"), Board(("Jd", "Qd")))
    assert proposal(dealer) == ("first_stays", "9.13.3")
    dealer.decide()
    assert (dealer.hand.board[4:], dealer.hand.burns, dealer.hand.muck) == (["Jd"], ["b1", "b2", "b3"], ["Qd"])
    assert (dealer.hand.phase, dealer.hand.seen.count("Qd")) == ("bet4", 1)


@clause("9.12.1", "9.12.2", "9.12.3", "9.1.1", "13.10")
def test_a_turn_set_aside_is_known_until_it_is_shuffled_in_and_lies_nowhere_after() -> None:
    dealer = at_flop()
    dealer.tell(Burn("b1"), Board(("7d", "8d", "9d")))
    dealer.tell(Burn("b2"), Board(("Td",)))
    dealer.decide()
    assert (dealer.hand.phase, dealer.hand.aside) == ("bet2", ["Td"])
    dealer.act("1 check", "2 check", "3 check")
    assert dealer.refused(Burn("Td")).clause == "3.1"
    dealer.tell(Burn("b3"), Board(("Jd",)))
    dealer.act("1 check", "2 check", "3 check")
    dealer.tell(StepDone())
    assert (dealer.hand.phase, dealer.hand.aside, expected(dealer.hand).what) == ("river", [], "board")
    dealer.tell(Board(("Td", "Qd")))  # two at once: the first stays, which may be the one shuffled in
    assert proposal(dealer) == ("first_stays", "9.13.3")
    dealer.decide()
    assert dealer.hand.board == ["7d", "8d", "9d", "Jd", "Td"]


@clause("8.17.3(a)(i)", "9.9", "9.16", "9.1.1", "13.10")
def test_too_many_cards_on_a_flop_for_side_wagers_only_are_dealt_again_for_them() -> None:
    dealer = Dealer(terms(side_wagers=True), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.post_blinds()
    dealer.tell(PlaceSideWager(1, "red", cents(5)), Shuffled(), Cut())
    dealer.go_on()
    dealer.act("3 fold", "1 fold")
    assert dealer.hand.phase == "side_flop"
    dealer.tell(Burn("b"), Board(("2h", "9d", "Kh", "As")))
    dealer.decide()
    assert (dealer.hand.phase, expected(dealer.hand).what, expected(dealer.hand).amount) == ("side_flop", "board", 3)
    told = dealer.tell(Board(("2h", "9d", "Kh")))
    assert [one.won for one in told if isinstance(one, SideSettled)] == [cents(35)]
    assert [(one.seat, one.amount) for one in told if isinstance(one, Award)] == [(2, cents(10))]
    assert dealer.stacks() == {1: cents(490), 2: cents(495), 3: cents(500)}


# -- hands that are out -----------------------------------------------------------------------------------------------


@clause("13.2.1", "9.1.1", "13.10", "6.7")
def test_a_void_hand_takes_its_wagers_of_every_round_out_of_the_pot_and_the_others_stand() -> None:
    dealer = at_flop(kind="pot")
    dealer.go_on()
    dealer.act("1 bet 20", "2 call")
    dealer.tell(Irregular("contravention", 2))
    told = dealer.tell(Rule("hand_void_refunded", 4))
    assert [one for one in told if isinstance(one, Returned)] == [Returned(2, cents(30), "13.2.1")]
    assert Recorded("hand void", "13.2.1", 2) in told
    assert dealer.stacks() == {1: cents(470), 2: cents(500), 3: cents(490)}
    may = expected(dealer.hand).options
    assert may is not None
    # Two blinds of $10 are left of round one and $20 is bet: a pot of $60 with the call, on top of $20.
    assert (may.seat, may.to_call, may.raise_max) == (3, cents(20), cents(80))
    dealer.act("3 call")
    dealer.check_down()
    assert sum(dealer.finish().values()) == cents(60)


@clause("13.2.1", "7.5", "9.1.1", "13.10")
def test_a_hand_voided_at_the_showdown_leaves_what_nobody_matches_any_more_to_its_owner() -> None:
    deck = ("2c", "Ah", "Kd", "3d", "As", "Kc", "4s", "5h", "9h", "Jd", "6c", "Qs", "7c", "8s")
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 40}, button=3, deck=deck)
    dealer.deal()
    dealer.act("3 all_in", "1 call", "2 call")
    dealer.go_on()
    dealer.act("1 bet 60", "2 call")
    dealer.check_down()
    assert dealer.hand.phase == "showdown"
    dealer.tell(Irregular("contravention", 2))
    told = dealer.tell(Rule("hand_void_refunded", 4))
    assert [one for one in told if isinstance(one, Returned)] == [
        Returned(2, cents(100), "13.2.1"),
        Returned(1, cents(60), "7.5"),
    ]
    assert (dealer.hand.phase, expected(dealer.hand).seats) == ("showdown", (1, 3))
    dealer.tell(Table(1, ("2c", "3d")), Table(3, ("Kd", "Kc")))
    assert dealer.finish() == {3: cents(80)}
    assert dealer.stacks() == {1: cents(460), 2: cents(500), 3: cents(80)}


@clause("6.15", "1.1 'Substantial action'", "9.1.1", "13.10")
def test_a_hand_that_ran_out_of_time_has_acted_in_the_hand_and_on_the_street() -> None:
    dealer = Dealer(terms(time_to_act_s=30), {1: 500, 2: 500, 3: 500, 4: 500}, button=4)
    dealer.deal()
    dealer.tell(TimeUp(3), Rule("dead_hand", 1))
    assert (dealer.hand.betting.players[2].out, expected(dealer.hand).seats) == ("dead", (4,))
    dealer.act("4 call")
    dealer.tell(Irregular("wrong_count", 2))
    assert proposal(dealer) == ("hand_void_refunded", "9.1.1(f)")
    street = at_flop(time_to_act_s=30)
    street.go_on()
    street.act("1 bet 20")
    street.tell(TimeUp(2), Rule("dead_hand", 1), Irregular("too_many_flop"))
    assert proposal(street) == ("ask", "9.9")


@clause("6.15", "1.1 'Substantial action'", "9.1.1", "13.10")
def test_a_seat_that_faces_no_wager_and_ran_out_of_time_has_checked() -> None:
    dealer = at_flop(time_to_act_s=30)
    dealer.go_on()
    dealer.tell(TimeUp(1))
    assert dealer.out[-1] == Prompt("time to act is over", "6.15", 1, "check", ("check", "more_time"), 1)
    told = dealer.tell(Rule("check", 1))
    assert [one for one in told if isinstance(one, Acted)] == [Acted(1, "check", 0, 0, 0, False, "6.15")]
    assert expected(dealer.hand).seats == (2,)
    dealer.tell(TimeUp(2), Rule("more_time", 1))
    assert expected(dealer.hand).seats == (2,)
    dealer.act("2 check")
    dealer.tell(Irregular("too_many_flop"))
    assert proposal(dealer) == ("ask", "9.9")
    dealer.decide("play_on", 2)
    dealer.act("3 check")
    assert dealer.hand.phase == "turn"


@clause("13.5.1", "13.6")
def test_a_hand_cancelled_while_a_question_is_open_waits_for_nothing_any_more() -> None:
    dealer = dealt()
    dealer.act("3 call")
    dealer.tell(Irregular("not_shuffled"), Cancel("disruption", 2))
    assert (dealer.hand.phase, dealer.hand.ruling, expected(dealer.hand).what) == ("between_hands", None, "nothing")
    assert set(dealer.stacks().values()) == {cents(500)}


# -- side wagers settled on a deck that was defective -----------------------------------------------------------------


@clause("9.1.1(h)", "13.10", "9.1.1", "10.2.1")
@pytest.mark.parametrize(("answer", "won"), [("void", 0), ("stand", 7_000)])
def test_what_a_manager_says_of_settled_side_wagers_holds_and_the_cards_are_dealt_under_new_names(
    answer: str, won: int
) -> None:
    play = with_side_wagers((1, "red", 1_000))
    play.put(1, 500)
    play.press("check")
    play.street()
    play.press("check")
    deal = play.game.deal
    play.press("report", what="defective_deck")
    play.answer("misdeal_all_refunded", 1)
    asked = play.asked()
    assert (asked.subject, asked.proposal, asked.clauses) == ("settled_side_wagers", "void", ("13.10",))
    assert [(option.answer, option.rank) for option in asked.options] == [("void", 3), ("stand", 3)]
    play.answer(answer, 3)
    assert (play.phase, play.game.deal, play.game.state.deal.faces) == ("posting", deal + 1, {})
    assert [(due.seat, due.amount) for due in play.game.hand.dues] == [(1, 500), (2, 1_000)]
    for area in (1, 2, play.game.layout.pot):
        play.lift(area)
    play.gather()
    for due in list(play.game.hand.dues):
        play.put(due.seat, due.amount)
    assert play.refused("shuffled").code == "deck_defective"
    play.press("change_cards", reason="defective")
    play.press("shuffled")
    play.press("cut")
    play.deal()
    play.fold(1)
    play.sweep()
    play.lift(play.game.layout.pot)
    play.settle("push")
    if play.game.state.hand is not None:
        play.press("dropped", confirmed=True)
    settled = next(effect for effect in reversed(play.told) if isinstance(effect, Settled))
    assert [result.pays for result in settled.results if result.bet == "flop chase red"] == ([won] if won else [])
    assert play.stacks() == {1: 100_000 - 500 + won, 2: 100_500}
    over = next(effect for effect in play.told if isinstance(effect, Noted) and effect.what == "hand_over")
    assert (over.facts["side"], over.facts["deals"]) == (-won, 2)
