"""Misdeals and board irregularities carried out step by step: which card goes where, and what each seat gets back."""

from __future__ import annotations

import itertools
import re

import pytest

from controller.games.poker.hand import expected
from controller.games.poker.inputs import (
    Act,
    Board,
    Boxed,
    Burn,
    Cancel,
    CardTo,
    Cut,
    Discard,
    Exposed,
    Irregular,
    PlaceSideWager,
    Post,
    Pushed,
    Rule,
    Shuffled,
    StepDone,
    Table,
)
from controller.games.poker.outputs import Instruct, Prompt, Returned, SideSettled
from controller.games.poker.remedies import _REMEDIES, Facts, deck_is_defective, remedy
from controller.rules import clauses
from tests import ROOT
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

BOOK = "melbourne-poker"


@pytest.mark.clause(BOOK, "9.1.1", "9.1.1(a)")
def test_a_card_seen_in_the_cut_is_a_misdeal_with_the_same_button_and_first_seat() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.post_blinds()
    dealer.tell(Shuffled(), Irregular("exposed_in_cut"))
    assert proposal(dealer) == ("misdeal", "9.1.1(a)")
    dealer.decide()
    assert expected(dealer.hand).what == "shuffle"
    dealer.tell(Shuffled(), Cut())
    assert expected(dealer.hand).seats == (1,)
    assert dealer.hand.button == 3


@pytest.mark.clause(BOOK, "9.1.1(b)", "5.1")
def test_a_card_dealt_before_the_shuffle_is_a_misdeal() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.post_blinds()
    dealer.tell(CardTo(1, "x"))
    assert proposal(dealer) == ("misdeal", "9.1.1(b)")


@pytest.mark.clause(BOOK, "9.1.1(d)")
def test_a_seat_dealt_out_is_put_right_or_a_misdeal_until_two_have_acted() -> None:
    assert remedy("dealt_out", Facts(correctable=True)).ruling == "correct"
    assert remedy("dealt_out", Facts()).ruling == "misdeal"
    assert remedy("extra_hand", Facts(substantial=True)).ruling == "play_on"


@pytest.mark.clause(BOOK, "9.1.1(f)", "1.1 'Substantial action'")
def test_a_wrong_count_found_late_voids_the_hand_of_a_seat_that_has_not_acted() -> None:
    dealer = dealt()
    dealer.act("3 call", "1 call")
    dealer.tell(Irregular("wrong_count", 2))
    assert proposal(dealer) == ("hand_void_refunded", "9.1.1(f)")
    dealer.decide()
    assert dealer.stacks()[2] == cents(500)
    assert [output.seat for output in dealer.out if isinstance(output, Returned)] == [2]
    assert dealer.hand.phase == "flop"
    dealer.check_down()
    assert sum(dealer.finish().values()) == cents(20)


@pytest.mark.clause(BOOK, "9.1.1(e)", "9.1.1(f)")
def test_blinds_do_not_count_as_action() -> None:
    dealer = dealt()
    dealer.tell(Irregular("wrong_count", 2, correctable=False))
    assert proposal(dealer) == ("misdeal", "9.1.1(e)")


@pytest.mark.clause(BOOK, "9.1.1(h)", "1.1 'Defective deck'")
def test_a_defective_deck_refunds_everything_and_blinds_go_up_again() -> None:
    dealer = at_flop(rake=percentage(10, 50))
    dealer.go_on()
    dealer.act("1 bet 50", "2 call", "3 call")
    assert dealer.hand.rake
    dealer.tell(Irregular("defective_deck"))
    dealer.decide()
    assert dealer.hand.phase == "posting"
    assert set(dealer.stacks().values()) == {cents(500)}
    assert (dealer.hand.rake, dealer.hand.misdeals) == (0, 1)
    dealer.deal()
    assert expected(dealer.hand).seats == (3,)


@pytest.mark.clause(BOOK, "9.1.1(h)", "13.10")
def test_side_wagers_settled_on_a_defective_deck_are_a_manager_s_decision() -> None:
    dealer = Dealer(terms(side_wagers=True), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.post_blinds()
    dealer.tell(PlaceSideWager(1, "red", cents(5)), Shuffled(), Cut())
    dealer.go_on()
    dealer.act("3 call", "1 call", "2 check")
    dealer.tell(Burn("b"), Board(("2h", "9d", "Kh")))
    dealer.act("1 check")
    dealer.tell(Irregular("defective_deck"), Rule("misdeal_all_refunded", 1))
    assert dealer.refused(Rule("void", 2)).clause == "13.10"
    dealer.tell(Rule("void", 3))
    assert dealer.hand.phase == "posting"
    assert set(dealer.stacks().values()) == {cents(500)}


@pytest.mark.clause(BOOK, "9.1.1(h)", "1.1 'Round of Play'")
def test_after_the_push_the_result_stands() -> None:
    dealer = at_flop()
    dealer.check_down()
    dealer.show_all()
    dealer.tell(Pushed())
    assert dealer.refused(Irregular("defective_deck")).clause == "9.1.1(h)"
    assert dealer.refused(Cancel("fraud", 4)).clause == "13.5.2"


@pytest.mark.clause(BOOK, "9.1.1(h)", "8.7")
def test_a_tabled_card_that_also_lies_on_the_board_spoils_the_deck() -> None:
    dealer = at_flop()
    dealer.check_down()
    dealer.tell(Table(1, (dealer.hand.board[0], "2s")))
    assert proposal(dealer) == ("misdeal_all_refunded", "9.1.1(h)")


@pytest.mark.clause(BOOK, "9.3", "1.1 'Boxed Card'")
def test_the_fifth_boxed_card_of_a_hand_spoils_the_deck() -> None:
    dealer = Dealer(terms(), {1: 500, 2: 500}, button=2)
    dealer.post_blinds()
    dealer.tell(Shuffled(), Cut())
    dealer.tell(*(Boxed(f"x{number}") for number in range(4)))
    assert dealer.hand.ruling is None
    dealer.tell(Boxed("x4"))
    assert proposal(dealer) == ("misdeal_all_refunded", "9.1.1(h)")


@pytest.mark.clause(BOOK, "3.1", "1.1 'Defective deck'")
def test_a_deck_is_defective_by_count_duplicate_joker_or_boxed_cards() -> None:
    good = {"cards": 52, "distinct": 52, "jokers": 0, "boxed": 0, "expected": 52, "boxed_limit": 5}
    assert not deck_is_defective(**good)
    for wrong in ({"cards": 51, "distinct": 51}, {"distinct": 51}, {"jokers": 1}, {"boxed": 5}):
        assert deck_is_defective(**{**good, **wrong})


@pytest.mark.clause(BOOK, "9.7", "9.1.1(i)")
def test_a_second_card_shown_by_the_dealer_is_a_misdeal() -> None:
    dealer = Dealer(terms("Omaha"), {1: 500, 2: 500}, button=2)
    dealer.post_blinds()
    dealer.tell(Shuffled(), Cut(), CardTo(1, "a"), Exposed(1, "a"), CardTo(2, "b"), Exposed(2, "b"))
    assert proposal(dealer) == ("misdeal", "9.1.1(i)")


@pytest.mark.clause(BOOK, "9.4")
def test_a_turn_without_a_burn_becomes_the_burn_and_the_next_card_the_turn() -> None:
    dealer = at_turn()
    dealer.tell(Board(("Td",)))
    assert proposal(dealer) == ("card_becomes_burn", "9.4")
    dealer.decide()
    assert dealer.hand.burns == ["b1", "Td"]
    assert expected(dealer.hand).what == "board"
    dealer.tell(Board(("Jd",)))
    assert dealer.hand.board[3] == "Jd"


@pytest.mark.clause(BOOK, "9.4")
def test_a_missing_burn_found_after_one_action_takes_that_action_back() -> None:
    dealer = at_turn()
    dealer.tell(Burn("b2"), Board(("Td",)))
    dealer.hand.burns.remove("b2")
    dealer.act("1 bet 50")
    dealer.tell(Irregular("no_burn"))
    assert proposal(dealer) == ("card_becomes_burn", "9.4")
    dealer.decide()
    assert dealer.stacks()[1] == cents(490)
    dealer.tell(Board(("Jd",)))
    assert dealer.hand.burns == ["b1", "Td"]
    assert expected(dealer.hand).seats == (1,)


@pytest.mark.clause(BOOK, "9.4")
def test_two_cards_without_a_burn_are_the_burn_and_the_card() -> None:
    dealer = at_river()
    dealer.tell(Board(("Jd", "Qd")))
    dealer.decide()
    assert dealer.hand.burns == ["b1", "b2", "Jd"]
    assert dealer.hand.board[4] == "Qd"
    assert dealer.hand.phase == "bet4"


@pytest.mark.clause(BOOK, "9.12.1", "9.12.2", "9.12.3")
def test_a_premature_turn_is_set_aside_and_shuffled_in_before_the_river() -> None:
    dealer = at_flop()
    dealer.tell(Burn("b1"), Board(("7d", "8d", "9d")))
    dealer.act("1 bet 20")
    dealer.tell(Burn("b2"), Board(("Td",)))
    assert proposal(dealer) == ("set_aside", "9.12.1")
    dealer.decide()
    assert dealer.hand.aside == ["Td"]
    assert expected(dealer.hand).seats == (2,)
    dealer.act("2 call", "3 call")
    assert expected(dealer.hand).what == "burn"
    dealer.tell(Burn("b3"), Board(("Jd",)))
    dealer.act("1 check", "2 check", "3 check")
    step = dealer.out[-1]
    assert isinstance(step, Instruct)
    assert step.step.kind == "shuffle_in_aside"
    assert dealer.refused(Board(("Qd",))).clause == "9.1.1"
    dealer.tell(StepDone())
    assert expected(dealer.hand).what == "board"
    dealer.tell(Board(("Td",)))
    assert dealer.hand.board == ["7d", "8d", "9d", "Jd", "Td"]
    assert dealer.hand.burns == ["b1", "b2", "b3"]


@pytest.mark.clause(BOOK, "9.14")
def test_three_cards_opened_leave_the_first_and_the_rest_is_shuffled_in() -> None:
    dealer = at_turn()
    dealer.tell(Burn("b2"), Board(("Td", "Jd", "Qd")))
    assert proposal(dealer) == ("first_stays", "9.14")
    dealer.tell(Rule("first_stays", 1))
    steps = [output.step.kind for output in dealer.out if isinstance(output, Instruct)]
    dealer.tell(StepDone(), StepDone(), StepDone())
    steps = [output.step.kind for output in dealer.out if isinstance(output, Instruct)]
    assert steps == ["take_back", "shuffle_stub", "cut"]
    assert dealer.hand.board == ["7d", "8d", "9d", "Td"]
    dealer.act("1 check", "2 check", "3 check")
    assert expected(dealer.hand).what == "burn"
    dealer.tell(Burn("b3"), Board(("Qd",)))


@pytest.mark.clause(BOOK, "9.11")
def test_a_premature_river_without_its_burn_still_takes_one() -> None:
    dealer = at_turn()
    dealer.tell(Burn("b2"), Board(("Td",)), Board(("Jd",)))
    assert proposal(dealer) == ("redeal", "9.11")
    dealer.decide()
    dealer.act("1 check", "2 check", "3 check")
    assert expected(dealer.hand).what == "burn"


@pytest.mark.clause(BOOK, "9.15.1", "9.10")
def test_a_card_kept_in_pineapple_brings_the_flop_back_and_the_discards_go_on() -> None:
    dealer = Dealer(terms("Pineapple Holdem"), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.deal()
    dealer.act("3 call", "1 call", "2 check")
    kept = dealer.hand.betting.players[0].cards[2]
    for player in dealer.hand.betting.players:
        dealer.tell(Discard(player.seat, player.cards[2]))
    dealer.go_on()
    dealer.act("1 bet 20")
    dealer.tell(Irregular("kept_three", 1, (kept,)))
    assert proposal(dealer) == ("redeal", "9.10")
    dealer.decide()
    assert dealer.hand.phase == "discard1"
    assert expected(dealer.hand).seats == (1,)
    assert dealer.stacks()[1] == cents(490)
    dealer.tell(Discard(1, kept))
    assert expected(dealer.hand).what == "board"
    dealer.check_down()
    dealer.finish()


@pytest.mark.clause(BOOK, "9.16", "9.10")
def test_side_wagers_wait_through_a_premature_flop() -> None:
    dealer = Dealer(terms(side_wagers=True), {1: 500, 2: 500, 3: 500}, button=3)
    dealer.post_blinds()
    dealer.tell(PlaceSideWager(1, "red", cents(5)), Shuffled(), Cut())
    dealer.go_on()
    dealer.act("3 call")
    dealer.tell(Burn("b"), Board(("2h", "9d", "Kh")))
    dealer.decide()
    dealer.act("1 call", "2 check")
    dealer.tell(Board(("2s", "9c", "Kc")))
    dealer.act("1 check")
    settled = [output for output in dealer.out if isinstance(output, SideSettled)]
    assert [result.won for result in settled] == [0]


@pytest.mark.clause(BOOK, "8.18.1", "13.10")
def test_a_short_flop_is_completed_from_the_top() -> None:
    dealer = at_flop()
    prompt = dealer.tell(Burn("b1"), Board(("7d", "8d")))[-1]
    assert isinstance(prompt, Prompt)
    assert prompt.amount == 1
    assert expected(dealer.hand).amount == 1
    dealer.tell(Board(("9d",)))
    assert dealer.hand.phase == "bet2"


@pytest.mark.clause(BOOK, "9.6", "13.14")
def test_a_card_shown_by_its_owner_plays_and_exchanged_cards_are_a_manager_s_ruling() -> None:
    dealer = at_flop()
    dealer.tell(Irregular("player_exposed", 1))
    dealer.decide()
    assert dealer.hand.phase == "flop"
    dealer.go_on()
    dealer.tell(Irregular("exchanged_cards", 2))
    assert dealer.refused(Rule("hand_dead", 2)).clause == "13.14"
    dealer.tell(Rule("hand_dead", 3))
    assert not dealer.hand.betting.players[1].live


@pytest.mark.clause(BOOK, "9.1.1", "1.2")
def test_a_ruling_takes_only_what_is_possible_from_who_may_give_it_and_nothing_else_meanwhile() -> None:
    dealer = at_turn()
    dealer.tell(Board(("Td",)))
    assert dealer.refused(Rule("misdeal", 4)).clause == "9.4"
    assert dealer.refused(Act(1, "check")).clause == "9.1.1"
    assert dealer.refused(StepDone()).clause == "9.1.1"
    dealer.tell(Rule("play_on", 1))
    assert dealer.hand.board[3] == "Td"
    assert dealer.refused(Rule("play_on", 4)).clause == "13.10"


@pytest.mark.clause(BOOK, "9.1.1(f)")
def test_a_hand_with_three_cards_at_the_showdown_is_dead() -> None:
    dealer = at_flop()
    dealer.hand.betting.players[0].cards.append("extra")
    dealer.check_down()
    dealer.tell(Table(1, ("As", "Ah", "Ad")))
    assert proposal(dealer) == ("hand_dead", "9.1.1(f)")
    dealer.decide()
    won = dealer.finish()
    assert 1 not in won
    assert sum(won.values()) == cents(30)


@pytest.mark.clause(BOOK, "13.5.1", "13.6")
def test_a_hand_may_be_cancelled_in_every_state_up_to_the_push() -> None:
    for stop in itertools.count(1):
        dealer = Dealer(terms(rake=percentage(10, 5)), {1: 500, 2: 500, 3: 500}, button=3)
        steps = iter(_everything(dealer))
        ended = False
        for _ in range(stop):
            if next(steps, None) is None:
                ended = True
                break
        if ended:
            break
        dealer.tell(Cancel("disruption", 2))
        assert set(dealer.stacks().values()) == {cents(500)}, dealer.hand.phase
        assert dealer.hand.rake == 0


def _everything(dealer: Dealer):
    """A hand in single steps, up to the award."""
    yield 1
    for due in list(dealer.hand.dues):
        dealer.tell(Post(due.seat, due.amount))
        yield 1
    dealer.tell(Shuffled(), Cut())
    while (wanted := expected(dealer.hand)).what != "push":
        yield 1
        if wanted.what == "card":
            dealer.tell(CardTo(wanted.seats[0], dealer.draw_sealed()))
        elif wanted.what == "action":
            dealer.act(f"{wanted.seats[0]} call")
        elif wanted.what == "burn":
            dealer.tell(Burn(dealer.draw()))
        elif wanted.what == "board":
            dealer.tell(Board(tuple(dealer.draw() for _ in range(wanted.amount))))
        else:
            dealer.show(wanted.seats[0])
    yield 1


def test_every_remedy_names_a_clause_of_the_document_and_a_rank() -> None:
    known = {clause.clause for clause in clauses.clauses(BOOK)}
    for what, substantial, correctable, street in itertools.product(
        _REMEDIES, (False, True), (False, True), ("flop", "turn", "river")
    ):
        cards = ("2h", "3h", "4h", "5h")
        cure = remedy(what, Facts(street, cards, substantial=substantial, correctable=correctable))
        assert cure.clause in known, what
        assert 1 <= cure.rank <= 4


def test_every_clause_written_in_the_poker_rules_exists() -> None:
    known = {clause.clause for clause in clauses.clauses(BOOK)}
    pattern = re.compile(r'"((?:\d+\.\d+[^"\s]*|\[6\.6\]|1\.1 \'[^\']+\'|footnote [^"]+))"')
    found = set()
    package = ROOT / "controller" / "games" / "poker"
    for file in package.glob("*.py"):
        for name in pattern.findall(file.read_text(encoding="utf-8")):
            found.add((file.name, name))
    assert len(found) > 100
    known |= {"8.20.4(b)", "8.20.4(d)"}  # completed with (i) to (v) where they are used
    assert [(file, name) for file, name in sorted(found) if name not in known] == []


@pytest.mark.clause(BOOK, "9.9")
def test_an_extra_flop_card_found_after_action_is_level_two_s_decision() -> None:
    dealer = at_flop()
    dealer.tell(Burn("b1"), Board(("7d", "8d", "9d")))
    dealer.act("1 check", "2 bet 20")
    dealer.tell(Irregular("too_many_flop"))
    assert dealer.refused(Rule("redeal", 1)).clause == "9.9"
    dealer.decide("redeal", 2)
    assert dealer.stacks()[2] == cents(490)
    assert expected(dealer.hand).what == "board"
    dealer.tell(Board(("7d", "8d", "Th")))
    assert expected(dealer.hand).seats == (1,)


@pytest.mark.clause(BOOK, "8.18.1", "13.10")
def test_an_extra_flop_card_still_face_down_goes_back_on_top() -> None:
    dealer = at_flop()
    dealer.tell(Burn("b1"), Irregular("extra_flop_face_down", cards=("w", "x", "y", "z")))
    dealer.tell(Rule("correct", 2))
    step = dealer.out[-1]
    assert isinstance(step, Instruct)
    assert (step.step.kind, step.step.cards) == ("return_to_top", ("z",))
    dealer.tell(StepDone(), Board(("7d", "8d", "9d")))
    assert dealer.hand.phase == "bet2"


@pytest.mark.clause(BOOK, "13.2.1")
def test_level_four_may_void_the_wagers_of_a_player_who_broke_the_rules() -> None:
    dealer = at_flop()
    dealer.go_on()
    dealer.act("1 bet 20", "2 call")
    dealer.tell(Irregular("contravention", 2))
    assert dealer.refused(Rule("hand_void_refunded", 3)).clause == "13.2.1"
    dealer.tell(Rule("hand_void_refunded", 4))
    assert dealer.stacks()[2] == cents(500)
    dealer.act("3 fold")
    assert dealer.finish() == {1: cents(20)}
