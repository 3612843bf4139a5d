"""Cards that are read or opened late: what the table still takes from them, and what has been overtaken by then."""

from __future__ import annotations

import pytest

from controller.cards.events import CardsOpened
from controller.config.tomlread import Cents
from controller.games.poker.config import BonusSection
from drivers.card_antennas import BOARD, BURN, MUCK
from tests.controller.games.poker.play import PokerPlay, Unread, at_showdown, config, opened
from tests.controller.games.poker.seen import (
    after_the_deal,
    alarm,
    alarms,
    before_the_deal,
    call_round,
    clause,
    deal,
    due,
    on_the_flop,
    refusals,
    timers,
    words,
)

# -- a card out of order, once no late read explains it ----------------------------------------------------------------


@clause("8.4", "9.1.1(c)")
def test_when_the_time_for_a_late_card_is_over_the_one_taken_back_meanwhile_is_no_question() -> None:
    play = before_the_deal()
    play.take_up(deal(play, 3))
    play.settle("deal")
    assert (play.phase, play.game.hand.dealt, timers(play)) == ("dealing", 0, {})
    assert not play.table.state.desk.prompts


@clause("8.4", "9.1.1(c)")
def test_a_card_that_waits_for_its_turn_waits_for_the_end_of_a_ruling_too() -> None:
    play = before_the_deal()
    card = deal(play, 3)
    play.press("report", what="player_exposed", seat=1)
    due(play, "deal")  # it was on its way when the ruling began
    assert play.asked().subject == "player_exposed"
    assert (refusals(play), alarms(play), play.game.state.deal.waiting) == ([], set(), [(3, card)])
    play.answer("play_on", 1)
    play.settle("deal")
    assert play.asked().subject == "out_of_order"
    assert play.asked().clauses == ("9.1.1(c)",)


@clause("8.4", "9.1.1(c)")
def test_a_card_that_waited_in_a_hand_that_was_cancelled_is_asked_about_no_more() -> None:
    play = before_the_deal()
    deal(play, 3)
    play.press("cancel_disruption", 2, reason="fire")
    assert (play.phase, timers(play)) == ("between_hands", {})
    due(play, "deal")
    assert not play.table.state.desk.prompts
    assert play.phase == "between_hands"


# -- the board is turned up --------------------------------------------------------------------------------------------


def unread_flop() -> Unread:
    """The flop lies there, and its faces are told only when the test says so."""
    play = Unread(config())
    play.seat(1000, 1000, 1000)
    play.start()
    call_round(play)
    play.sweep()
    play.lay(BURN, play.draw())
    play.lay(BOARD, play.draw(), play.draw(), play.draw())
    play.reading = False
    return play


@clause("8.18.1")
def test_the_board_is_read_once_at_a_time_and_not_while_a_ruling_is_open() -> None:
    play = unread_flop()
    play.press("report", what="player_exposed", seat=1)
    refusal = play.refused("turned_up")
    assert (refusal.code, refusal.clauses) == ("ruling_open", ("9.1.1",))
    play.answer("play_on", 1)
    play.press("turned_up")
    assert [len(cards) for cards in opened(play)] == [3]
    refusal = play.refused("turned_up")
    assert (refusal.code, refusal.clauses) == ("under_way", ("8.18.1",))
    play.read()
    assert (play.phase, len(play.game.hand.board)) == ("bet2", 3)
    assert play.refused("turned_up").code == "no_card"


@clause("8.18.1", "8.7", "1.1 'Cards speak'")
def test_faces_that_come_for_nothing_that_was_asked_are_nobodys() -> None:
    play = unread_flop()
    play.press("turned_up")
    play.event(CardsOpened("open99", (("c7", "As"),)))
    assert (play.effects, play.game.hand.board) == ([], [])
    ((order, names),) = play.game.uncovered().items()
    play.press("cancel_disruption", 2, reason="fire")
    play.event(CardsOpened(order, tuple((name, play.faces[name]) for name in names)))
    assert (play.effects, play.game.uncovered(), play.game.state.deal.faces) == ([], {}, {})


@clause("8.18.1", "1.1 'Cards speak'")
@pytest.mark.parametrize("face", ["", "ks", "CUT"])
def test_a_board_with_one_card_that_is_none_of_the_deck_is_told_and_not_played(face: str) -> None:
    play = unread_flop()
    play.press("turned_up")
    ((_, names),) = play.game.uncovered().items()
    play.faces[names[1]] = face
    play.read()
    assert alarm(play, "unknown_card") == (
        "A card that lies open is none of this deck.",
        "Report a defective deck.",
        ("3.1", "9.1.1(h)"),
    )
    assert (play.phase, play.game.hand.board, play.game.state.deal.faces) == ("flop", [], {})


@clause("8.18.1", "9.10")
def test_a_flop_that_came_too_early_is_no_longer_told_as_such_once_it_is_turned_up_and_ruled_on() -> None:
    play = after_the_deal()
    play.lay(BOARD, play.draw(), play.draw(), play.draw())
    assert alarms(play) == {"board_early"}
    play.press("turned_up")
    assert (play.asked().subject, alarms(play)) == ("premature_flop", set())


# -- hands are tabled --------------------------------------------------------------------------------------------------


@clause("8.7", "1.1 'Cards speak'")
def test_a_hand_whose_faces_come_while_a_ruling_is_open_is_tabled_once_more_after_it() -> None:
    play = at_showdown()
    play.press("table_hand", seat=1)
    play.press("report", what="player_exposed", seat=2)
    play.read()
    assert [refusal.clauses for refusal in refusals(play)] == [("9.1.1",)]
    assert play.game.hand.hands == []
    play.answer("play_on", 1)
    play.press("table_hand", seat=1)
    play.read()
    assert [read.seat for read in play.game.hand.hands] == [1]


@clause("8.7", "1.1 'Cards speak'")
def test_a_prize_is_told_for_the_seat_whose_hand_earns_it_and_once() -> None:
    quads = ("Ac", "2c", "Ad", "7d", "9c", "As", "Ah", "5h", "9d", "7c", "9h", "8s")
    prize = BonusSection("the quads jackpot", "four of a kind", amount=Cents(50_000))
    play = PokerPlay(config(bonus=(prize,)), quads)
    play.seat(1000, 1000)
    play.start()
    play.check_down()
    play.press("table_hand", seat=2)
    assert words(play, "bonus") == []
    play.press("table_hand", seat=1)
    assert [told.text for told in words(play, "bonus")] == [
        "Seat 1 may have earned the quads jackpot: call level 2 to verify it."
    ]


# -- steps of a remedy -------------------------------------------------------------------------------------------------


@clause("9.13.3")
def test_the_second_of_two_river_cards_is_seen_in_the_muck_before_the_hand_goes_on() -> None:
    play = on_the_flop()
    for _ in range(2):
        play.street()
        call_round(play)
    play.sweep()
    play.lay(BURN, play.draw())
    first, second = play.draw(), play.draw()
    play.lay(BOARD, first)
    play.lay(BOARD, second)
    play.press("turned_up")
    assert (play.asked().subject, play.asked().clauses) == ("two_opened", ("9.13.3",))
    play.answer("first_stays", 1)
    refusal = play.refused("done")
    assert (refusal.code, refusal.clauses) == ("not_seen", ("9.13.3",))
    assert refusal.text.startswith("The card does not lie in the muck.")
    play.lay(MUCK, second)
    play.press("done")
    assert (play.phase, play.game.hand.board[4:]) == ("bet4", [play.faces[first]])


@clause("8.7", "1.1 'Cards speak'", "9.1.1(h)")
@pytest.mark.parametrize("face", ["", "ks", "CUT"])
def test_a_hand_with_a_card_that_is_none_of_the_deck_is_told_and_not_read(face: str) -> None:
    play = at_showdown()
    seat = play.wanted().seats[0]
    play.press("table_hand", seat=seat)
    ((_, names),) = play.game.uncovered().items()
    play.faces[names[0]] = face
    play.read()
    assert alarms(play) == {"unknown_card"}
    assert (play.phase, play.table.state.life, play.game.hand.hands) == ("showdown", "open", [])
