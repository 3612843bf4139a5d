"""From one hand to the next, and into a misdeal: what a hand takes over, and what it leaves behind."""

from __future__ import annotations

import msgspec
import pytest

from controller.config.tomlread import Cents
from controller.core.effects import Settled
from controller.core.events import Chip, ChipsCounted, ChipsMoved, SignShown
from controller.games.poker.config import PokerSection, RakeSection
from drivers.card_antennas import MUCK
from tests.controller.games.poker.play import PokerPlay, config
from tests.controller.games.poker.seen import (
    after_the_deal,
    alarms,
    before_the_deal,
    clause,
    deal,
    notes,
    refusals,
    seated,
    timers,
    words,
)


def settlements(play: PokerPlay) -> list[Settled]:
    return [effect for effect in play.told if isinstance(effect, Settled)]


# -- a hand begins -----------------------------------------------------------------------------------------------------


@clause("8.4")
def test_a_hand_is_not_started_while_one_is_under_way() -> None:
    refusal = before_the_deal().refused("start_hand")
    assert (refusal.code, refusal.clauses) == ("hand_under_way", ("8.4",))


@clause("5.1")
def test_a_tag_that_is_no_card_of_the_deck_does_not_keep_the_next_hand_from_starting() -> None:
    play = seated()
    play.faces["?f"] = ""
    play.lay(2, "?f")
    play.press("start_hand")
    assert play.phase == "posting"
    assert alarms(play) == {"foreign_card:f"}


@clause("8.4", "13.6", "1.1 'Round of Play'")
def test_what_was_said_and_given_back_in_a_hand_is_no_part_of_the_next_one() -> None:
    play = after_the_deal()
    play.press("announce", what="raise", seat=3)
    play.press("cancel_disruption", 2, reason="fire")
    for seat in (1, 2, 3):
        play.lift(seat)
    assert play.game.view()["results"]
    play.gather()
    play.start()
    assert not play.game.view()["results"]
    seat = play.wanted().seats[0]
    assert seat == 3
    play.put(seat, 5_000, single=True)
    assert [(note.facts["seat"], note.facts["kind"]) for note in notes(play, "acted")] == [(3, "call")]
    play.press("cancel_disruption", 2, reason="fire")
    first, second = settlements(play)
    assert [(one.stake_returned, one.clauses) for one in first.results] == [(500, ("13.6",)), (1_000, ("13.6",))]
    assert [one.stake_returned for one in second.results] == [500, 1_000, 1_000]
    assert (first.outcome, second.outcome) == ("refunded", "refunded")


# -- a hand ends -------------------------------------------------------------------------------------------------------


@clause("13.6", "1.1 'Round of Play'")
def test_a_hand_that_is_cancelled_takes_its_question_and_its_alarms_with_it_and_leaves_the_others() -> None:
    play = after_the_deal()
    play.faces["?f"] = ""
    play.lay(MUCK, "?f")
    play.lay(2, play.draw())
    assert alarms(play) == {"foreign_card:f", "stray:2"}
    play.press("report", what="exchanged_cards", seat=1)
    asked = play.asked()
    play.press("cancel_disruption", 2, reason="fire")
    assert alarms(play) == {"foreign_card:f"}
    assert not play.table.state.desk.prompts
    assert [note.facts["prompt"] for note in notes(play, "question_withdrawn")] == [asked.prompt]


@clause("6.10", "1.1 'Round of Play'")
def test_a_change_of_game_comes_after_three_hands_that_were_played_and_one_cancelled_is_none() -> None:
    play = seated()
    play.press("change_game", 3, game="omaha")
    for played in (True, False, True, True):
        play.start()
        assert play.game.hand.terms.game.name == "Holdem"
        if played:
            play.press("fold")
            play.press("fold")
            play.finish()
        else:
            play.press("cancel_disruption", 2, reason="fire")
            play.sweep()
            play.lift(play.game.layout.pot)
    play.start()
    assert play.game.hand.terms.game.name == "Omaha"


@clause("6.11.1(b)", "10.2.1", "1.1 'Round of Play'")
def test_side_wagers_of_every_hand_are_taken_and_paid_before_it_is_over() -> None:
    red = ("2c", "3c", "4c", "5c", "6c", "Ah", "Kh", "Qd")
    play = seated(1000, 1000, setup=config(side_wagers=True))
    for number in (1, 2):
        play.gather()
        play.deck = [*red, *(card for card in play.deck if card not in red)]
        spot = play.game.layout.side(1, "red")
        play.press("start_hand")
        play.put(spot, 1_000)
        play.post_and_deal()
        play.check_down()
        play.show_all()
        play.sweep()
        play.lift(play.game.layout.pot)
        play.settle("push")
        assert (play.phase, play.refused("dropped").code) == ("drop", "not_seen")
        play.press("dropped", confirmed=True)
        assert play.phase == "between_hands"
        play.lift(spot)
        assert sum(play.stacks().values()) == 200_000 + number * 7_000
    play.start()
    play.press("fold")
    play.finish()
    assert (play.phase, sum(play.stacks().values())) == ("between_hands", 214_000)  # nothing is owed by the house


@clause("1.1 'Round of Play'")
def test_the_end_of_a_hand_that_owes_the_house_nothing_explains_nothing_of_the_float() -> None:
    setup = config()
    chips = msgspec.structs.replace(setup.chips, float_tray=True)
    play = PokerPlay(msgspec.structs.replace(setup, chips=chips))
    play.press("close", 3)
    play.event(ChipsCounted("chips", {0: (Chip(5_000, "cash", 10_000), Chip(5_001, "cash", 10_000))}))
    play.press("open")
    play.event(SignShown(play.table.state.sign))
    play.seat(1000, 1000, 1000)
    play.start()
    play.event(ChipsMoved("chips", 0, (), (5_000,)))
    until = timers(play)["money:float"]
    play.at += 3_000
    play.press("fold")
    play.press("fold")
    play.finish()
    assert (play.phase, timers(play), "float" in alarms(play)) == ("between_hands", {"money:float": until}, False)
    play.settle("money:float")
    assert "float" in alarms(play)


# -- a misdeal ---------------------------------------------------------------------------------------------------------


@clause("9.1.1")
@pytest.mark.parametrize("taken_back", [False, True])
def test_a_card_that_waited_for_its_turn_is_forgotten_in_a_misdeal(taken_back: bool) -> None:
    play = before_the_deal()
    card = deal(play, 3)
    if taken_back:
        play.take_up(card)
    assert timers(play)
    play.press("report", what="not_shuffled")
    play.answer("misdeal", 1)
    assert (play.phase, timers(play), play.game.state.deal.waiting) == ("shuffling", {}, [])


@clause("9.1.1", "1.1 'Action'", "8.4")
def test_chips_laid_while_cards_are_dealt_again_are_no_action_and_a_card_put_right_does_not_make_them_one() -> None:
    play = after_the_deal()
    assert play.wanted().seats == (3,)
    play.press("report", what="not_shuffled")
    play.answer("misdeal", 1)
    play.gather()
    play.press("shuffled")
    play.press("cut")
    deal(play, 1)
    play.put(3, 2_000)
    assert [refusal.clauses for refusal in refusals(play)] == [("1.1 'Action'",)]
    card = deal(play, 3)
    play.settle("deal")
    play.answer("correct", 1)
    play.lay(2, card)
    play.press("done")
    assert (play.phase, timers(play), len(refusals(play))) == ("dealing", {}, 1)
    play.deal()
    assert (play.phase, notes(play, "acted"), play.wanted().seats) == ("bet1", [], (3,))


@clause("9.1.1", "8.9.2(b)")
def test_after_a_defective_deck_whatever_lies_on_a_line_may_be_its_blind() -> None:
    play = before_the_deal()
    deal(play, 1)
    play.put(1, 500)
    play.deal()
    first, _ = play.chips[1]
    play.press("report", what="defective_deck")
    play.answer("misdeal_all_refunded", 1)
    assert (play.phase, [owed.seat for owed in play.game.hand.dues]) == ("posting", [1, 2])
    play.event(ChipsMoved("chips", 1, (), (first,)))
    assert [owed.seat for owed in play.game.hand.dues] == [2]


# -- commission --------------------------------------------------------------------------------------------------------


@clause("7.2.1(b)")
def test_the_dealer_is_told_once_what_to_drop_and_not_where_there_is_nothing_to_drop() -> None:
    setup = config()
    poker = msgspec.structs.replace(setup.own(PokerSection), rake=RakeSection("percentage", 10, Cents(1_000)))
    aces = ("As", "2c", "3d", "Ah", "7c", "8d")
    raked = after_the_deal(setup=msgspec.structs.replace(setup, play=poker), deck=aces)
    raked.check_down()
    raked.show_all()
    assert words(raked, "drop") == []
    raked.finish()
    assert [(told.text, told.clauses) for told in words(raked, "drop")] == [
        ("Drop $2.50 into the chip box.", ("7.2.1(b)",))  # a tenth of $30, in whole chips of $2.50
    ]
    poker = msgspec.structs.replace(setup.own(PokerSection), rake=RakeSection("per_person", fee=Cents(200)))
    paid = seated(setup=msgspec.structs.replace(setup, play=poker))
    paid.press("start_hand")
    paid.press("fees")
    paid.post_and_deal()
    paid.press("fold")
    paid.press("fold")
    paid.sweep()
    paid.lift(paid.game.layout.pot)
    paid.settle("push")
    assert [told.text for told in words(paid, "drop")] == ["Drop $6 into the chip box."]
    free = after_the_deal()
    free.check_down()
    free.finish()
    assert (free.phase, words(free, "drop")) == ("between_hands", [])
