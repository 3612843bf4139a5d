"""Keys of a poker table that the cards must bear out: the cut, boxed cards, tabled hands, cards counted and changed."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Noted, Ruled
from drivers.card_antennas import BOARD, MUCK
from tests.controller.games.poker.play import PokerPlay, at_showdown, config, opened
from tests.controller.games.poker.seen import before_the_deal, with_side_wagers

BOOK = "melbourne-poker"


def clause(*named: str) -> Any:
    return pytest.mark.clause(BOOK, *named)


def seated() -> PokerPlay:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    return play


def ready_to_cut() -> PokerPlay:
    play = seated()
    play.press("start_hand")
    play.put(1, 500)
    play.put(2, 1_000)
    play.press("shuffled")
    return play


@clause("5.2", "9.3")
def test_a_key_of_the_hand_is_refused_by_its_own_name_without_a_hand_or_at_the_wrong_moment() -> None:
    play = seated()
    for key in ("cut", "shuffled", "boxed", "pushed"):
        refusal = play.refused(key)
        assert (refusal.what, refusal.code, refusal.clauses) == (key, "no_hand", ("8.4",))
    play.press("start_hand")
    refusal = play.refused("cut")
    assert (refusal.what, refusal.code, refusal.clauses) == ("cut", "not_legal", ("5.2",))


@clause("5.2", "9.1.1")
def test_the_deck_is_not_cut_while_a_card_of_it_lies_on_the_table_unless_the_dealer_says_so() -> None:
    play = ready_to_cut()
    play.press("cut")
    play.deal()
    play.press("report", what="not_shuffled")
    play.answer("misdeal", 1)
    play.press("shuffled")
    refusal = play.refused("cut")
    assert (refusal.code, refusal.clauses) == ("cards_lie", ("5.1",))
    assert refusal.text == "Cards of the deck still lie at seat 1, seat 2, seat 3; gather them."
    play.take_up(*list(play.lies))
    play.press("cut")
    assert play.phase == "dealing"


@clause("5.2")
@pytest.mark.parametrize("confirmed", [False, True])
def test_a_card_laid_before_the_first_cut_is_gathered_or_confirmed(confirmed: bool) -> None:
    play = seated()
    play.press("start_hand")
    play.lay(2, play.draw())
    assert "stray:2" in play.table.state.desk.alarms
    play.put(1, 500)
    play.put(2, 1_000)
    play.press("shuffled")
    assert play.refused("cut").code == "cards_lie"
    if confirmed:
        play.press("cut", confirmed=True)
    else:
        play.take_up(*list(play.lies))
        play.press("cut")
    assert play.phase == "dealing"


@clause("9.3", "1.1 'Boxed Card'")
def test_the_card_last_laid_into_the_muck_that_was_not_dealt_is_the_boxed_one() -> None:
    play = ready_to_cut()
    play.press("cut")
    dealt, first, second, early = play.draw(), play.draw(), play.draw(), play.draw()
    play.lay(1, dealt)
    refusal = play.refused("boxed")
    assert (refusal.code, refusal.clauses) == ("no_card", ("9.3",))
    play.lay(MUCK, first)
    play.lay(MUCK, second)
    play.lay(BOARD, early)
    play.press("boxed")
    assert play.game.hand.muck == [second]
    play.press("boxed")
    assert (play.game.hand.muck, play.game.hand.boxed) == ([second, first], 2)
    assert play.refused("boxed").code == "no_card"
    noted = [one.clauses for one in play.told if isinstance(one, Noted) and one.what.startswith("boxed_card")]
    assert noted == [("9.3",), ("9.3",)]
    assert (play.game.hand.dealt, play.wanted().seats) == (1, (2,))


# -- tabled hands -----------------------------------------------------------------------------------------------------


@clause("8.7")
def test_a_hand_is_tabled_at_the_showdown_once_by_a_seat_that_still_has_one() -> None:
    early = before_the_deal()
    refusal = early.refused("table_hand", seat=1)
    assert (refusal.code, refusal.clauses) == ("no_showdown", ("8.7",))
    play = at_showdown()
    for seat in (3, 7):  # folded; nobody sits there
        refusal = play.refused("table_hand", seat=seat)
        assert (refusal.code, refusal.clauses) == ("no_hand", ("8.7",))
    play.press("table_hand", seat=1)
    assert len(opened(play)) == 1
    assert play.refused("table_hand", seat=1).code == "under_way"
    play.press("table_hand", seat=2)  # another seat need not wait
    assert len(opened(play)) == 1
    play.read()
    assert [read.seat for read in play.game.hand.hands] == [1, 2]
    assert play.refused("table_hand", seat=1).code == "no_hand"
    play.press("report", what="contravention", seat=4)
    assert play.phase == "ruling"
    assert play.refused("table_hand", seat=4).code == "no_showdown"


@clause("8.7", "9.5", "8.21")
def test_a_hand_asked_for_is_tabled_while_a_look_at_it_is_still_being_read() -> None:
    # The flop gives seat 1 four aces; the others give up.
    cards = ("As", "2c", "3c", "4c", "Ah", "2d", "3d", "4d", "9c", "Ad", "Ac", "5h", "9d", "7c", "9h", "8s")
    play = at_showdown(cards)
    play.press("table_hand", seat=1)
    play.read()
    play.press("muck_hand", seat=2)
    play.press("muck_hand", seat=4)
    assert play.phase == "award"
    play.press("look", seat=4)
    play.press("ask_to_see", seat=4, asker=1)
    assert play.phase == "showdown"
    play.press("table_hand", seat=4)
    assert len(opened(play)) == 1
    play.read()
    assert (play.phase, [read.seat for read in play.game.hand.hands]) == ("award", [1, 4])


# -- cards counted and changed ----------------------------------------------------------------------------------------


@clause("3.4", "5.3.1", "5.3.2")
def test_counts_and_changes_of_cards_are_on_record_and_cards_are_changed_between_hands_only() -> None:
    play = seated()
    play.press("count_cards", 2)
    assert play.effects[0] == Ruled("count_cards", "ordered", "S2", 2, ("3.4",))
    play.press("change_cards", reason="a marked card")
    assert play.effects[0] == Ruled("change_cards", "a marked card", "S1", 1, ("5.3.1", "5.3.2"))
    play.press("start_hand")
    refusal = play.refused("change_cards", reason="a marked card")
    assert (refusal.code, refusal.clauses) == ("hand_under_way", ("5.3.1",))


# -- the order of the showdown ----------------------------------------------------------------------------------------


@clause("8.20.4")
def test_the_seat_that_was_called_shows_first_and_then_the_others_clockwise() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000, 1000)
    play.start()
    play.fold(3)
    play.put(4, 1_000)
    play.put(1, 500)
    play.press("check")
    for _ in range(2):
        play.street()
        play.check_round()
    play.street()
    play.press("check")
    play.put(2, 5_000)
    play.put(4, 5_000)
    play.put(1, 5_000)
    assert (play.phase, play.wanted().seats) == ("showdown", (2, 4, 1))


# -- what was said and what went wrong --------------------------------------------------------------------------------


@clause("6.14.2", "6.15.1", "1.1 'Action'")
def test_a_word_is_the_seat_s_in_turn_or_the_one_told_and_nothing_but_raise_or_call() -> None:
    play = seated()
    play.press("start_hand")
    pressed: tuple[tuple[str, dict[str, Any]], ...] = (("announce", {"what": "raise"}), ("check", {}), ("buy_time", {}))
    for key, args in pressed:
        refusal = play.refused(key, **args)
        assert (refusal.code, refusal.clauses) == ("nobody_in_turn", ("1.1 'Action'",))
    play.press("cancel_disruption", 2, reason="a test")
    play.start()
    refusal = play.refused("announce", what="bet")
    assert (refusal.code, refusal.clauses) == ("bad_argument", ("6.14.2",))
    play.press("announce", what="call")
    play.press("announce", what="raise", seat=1)
    said = [(one.facts, one.clauses) for one in play.told if isinstance(one, Noted) and one.what == "announced"]
    assert said == [
        ({"seat": 3, "action": "call"}, ("6.14.2",)),
        ({"seat": 1, "action": "raise"}, ("6.14.2",)),
    ]
    play.put(3, 10_000, single=True)
    play.put(1, 10_000, single=True)
    acts = [one.facts for one in play.told if isinstance(one, Noted) and one.what == "acted"]
    assert [(act["seat"], act["kind"]) for act in acts] == [(3, "call"), (1, "raise")]


@clause("9.7", "9.1.1")
def test_the_card_shown_is_the_last_one_dealt_to_that_seat_and_only_a_card_from_the_deck_ends_the_step() -> None:
    play = ready_to_cut()
    play.press("cut")
    names = [play.draw() for _ in range(6)]
    play.lay(1, names[0])
    for without in (3, 5):  # one that waits for its first card, and one that does not play
        refusal = play.refused("exposed", seat=without)
        assert (refusal.code, refusal.clauses) == ("no_card", ("9.7",))
    for name, seat in zip(names[1:4], (2, 3, 1), strict=True):
        play.lay(seat, name)
    play.press("exposed", seat=1)
    assert play.game.hand.exposed == [(1, names[3])]
    play.lay(2, names[4])
    play.lay(3, names[5])
    assert play.asked().subject == "exposed_hole_card"
    refusal = play.refused("done")
    assert (refusal.code, refusal.clauses) == ("no_step", ("9.1.1",))  # nobody has ruled yet
    play.answer("swap_exposed", 1)
    refusal = play.refused("done", confirmed=True)
    assert (refusal.code, refusal.clauses) == ("card_needed", ("9.7",))
    assert refusal.text == "Lay the top card at seat 1; it is seen there."


@clause("9.1.1", "9.1.1(c)")
def test_a_step_the_antennas_contradict_is_done_when_the_dealer_confirms_it() -> None:
    play = ready_to_cut()
    play.press("cut")
    play.lay(2, play.draw())
    play.settle("deal")
    play.answer("correct", 1)
    refusal = play.refused("done")
    assert (refusal.code, refusal.clauses) == ("not_seen", ("9.1.1(c)",))
    play.press("done", confirmed=True)
    assert (play.phase, play.game.hand.dealt) == ("dealing", 1)
    assert play.refused("done").code == "no_step"


def reported(play: PokerPlay, what: str, **args: Any) -> tuple[str, Any, tuple[str, ...]]:
    """What is asked after a report: the proposal, the seat it is about, and what the dealer would do first."""
    play.press("report", what=what, **args)
    ruling = play.game.hand.ruling
    assert ruling is not None
    return play.asked().proposal, play.asked().evidence.get("seat", 0), tuple(step.kind for step in ruling.remedy.steps)


@clause("9.1.1", "9.1.1(b)", "9.1.1(d)", "9.1.1(e)")
def test_a_report_names_what_is_known_and_a_seat_where_one_is_meant() -> None:
    play = seated()
    play.start()
    refusal = play.refused("report", what="earthquake")
    assert (refusal.code, refusal.clauses) == ("not_there", ("9.1.1",))
    assert play.refused("report", what="wrong_count").code == "bad_argument"
    assert play.refused("report", what="dealt_out", seat=12).clauses == ("2.1",)
    assert reported(play, "dealt_out", seat=2) == ("correct", 2, ("move_card",))
    play.answer("correct", 1)
    play.press("done", confirmed=True)
    assert reported(play, "dealt_out", seat=2, correctable=False) == ("misdeal", 2, ())
    play.answer("misdeal", 1)
    play.gather()
    play.press("shuffled")
    play.press("cut")
    play.deal()
    assert reported(play, "not_shuffled") == ("misdeal", 0, ())


@clause("9.1.1", "9.1.1(d)")
def test_a_card_out_of_the_muck_is_no_part_of_a_report_about_the_deal() -> None:
    play = seated()
    play.start()
    thrown = next(name for name, place in play.lies.items() if place == 3)
    play.fold(3)
    play.lay(2, thrown)
    assert reported(play, "dealt_out", seat=2) == ("correct", 2, ("move_card",))
    assert play.game.hand.ruling is not None
    assert play.game.hand.ruling.remedy.steps[0].cards == ()


@clause("9.1.1", "9.1.1(e)")
def test_a_wrong_count_is_about_the_cards_that_lie_at_the_seat_and_were_not_dealt_to_it() -> None:
    play = seated()
    play.start()
    extra, stray = play.draw(), play.draw()
    play.lay(2, extra)
    play.lay(5, stray)
    refusal = play.refused("report", what="wrong_count", seat=5)
    assert (refusal.code, refusal.clauses) == ("not_legal", ("8.4",))
    assert reported(play, "wrong_count", seat=2) == ("correct", 2, ("return_to_top",))
    assert play.game.hand.ruling is not None
    assert play.game.hand.ruling.remedy.steps[0].cards == (extra,)
    play.answer("correct", 1)
    play.take_up(extra)
    play.press("done")
    assert (play.phase, play.wanted().seats) == ("bet1", (3,))
    assert reported(play, "wrong_count", seat=1) == ("misdeal", 1, ())


@clause("9.1.1", "9.15.1")
def test_a_card_kept_is_the_one_last_given_up_that_lies_at_the_seat_again() -> None:
    play = PokerPlay(config(game="pineapple"))
    play.seat(1000, 1000, 1000)
    play.start()
    thrown = [name for name, place in play.lies.items() if place == 3]
    play.fold(3)
    play.put(1, 500)
    play.press("check")
    given_up = {}
    for seat in (1, 2):
        given_up[seat] = next(name for name, place in play.lies.items() if place == seat)
        play.lay(MUCK, given_up[seat])
    play.street()
    assert play.phase == "bet2"
    assert play.refused("report", what="kept_three", seat=1).clauses == ("9.15.2",)  # nothing lies there again
    play.lay(1, thrown[0])
    play.lay(1, given_up[1])
    play.press("report", what="kept_three", seat=1)
    ruling = play.game.hand.ruling
    assert ruling is not None
    assert (play.asked().subject, ruling.facts.extra) == ("kept_three", (given_up[1],))


@clause("7.2.1(b)", "10.2.1")
def test_nothing_is_dropped_before_the_pot_is_pushed_even_when_side_wagers_are_owed() -> None:
    play = with_side_wagers((1, "red", 1_000))
    play.check_down()
    play.show_all()
    assert play.phase == "award"
    refusal = play.refused("dropped")
    assert (refusal.code, refusal.clauses) == ("not_legal", ("7.2.1(b)",))


@pytest.mark.clause("melbourne-poker", "8.2.3")
def test_a_wrong_fold_is_taken_back_by_whoever_pressed_it_as_long_as_nobody_acted_after_it() -> None:
    play = PokerPlay()
    play.seat(200, 200, 200)
    play.start()
    before = play.stands()
    play.press("fold")
    play.press("take_back")
    assert play.stands()["game"] == before["game"]
    play.press("fold")
    play.press("fold")
    assert play.phase == "award", "two have folded, and the third has the pot"
    play.press("take_back")
    assert (play.phase, play.wanted().seats) == ("bet1", (1,))
    play.put(1, 500)
    assert play.refused("take_back").code == "has_followed"


@pytest.mark.clause("melbourne-poker", "8.2.3", "8.17.3(a)")
def test_a_fold_that_gave_the_pot_away_is_taken_back_until_the_pot_is_pushed() -> None:
    play = PokerPlay()
    play.seat(200, 200)
    play.start()
    play.press("fold")
    assert play.phase == "award"
    play.press("take_back")
    assert play.phase == "bet1"
    play.check_down()
    settled = play.finish()
    assert settled.outcome == "showdown"
    play.start()
    play.press("fold")
    play.press("pushed", confirmed=True)
    assert play.phase == "between_hands"
    assert play.refused("take_back").code == "has_followed"
