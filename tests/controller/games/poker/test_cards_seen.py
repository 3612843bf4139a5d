"""Cards at a poker table as the antennas see them: late, at the wrong seat, without a burn, thrown in, foreign."""

from __future__ import annotations

import msgspec
import pytest

from controller.core.effects import Announced, Awarded, Uncovered
from drivers.card_antennas import BOARD, BURN, MUCK
from tests.controller.games.poker.play import PokerPlay, config
from tests.controller.games.poker.seen import BOOK


def announced(play: PokerPlay, code: str) -> list[str]:
    return [effect.text for effect in play.told if isinstance(effect, Announced) and effect.code == code]


def total(play: PokerPlay) -> int:
    return sum(play.stacks().values())


# -- cards -------------------------------------------------------------------------------------------------------


def test_a_card_that_is_read_late_was_not_dealt_out_of_order() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    play.put(1, 500)
    play.put(2, 1_000)
    play.press("shuffled")
    play.press("cut")
    first, second = play.draw(), play.draw()
    play.lay(2, second)
    assert play.game.hand.dealt == 0
    play.lay(1, first)
    assert play.game.hand.dealt == 2
    assert play.phase == "dealing"
    assert not play.table.state.desk.prompts


@pytest.mark.clause(BOOK, "8.4", "9.1.1(c)")
def test_a_card_that_stays_at_the_wrong_seat_asks_for_a_ruling_and_is_put_right_step_by_step() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    play.put(1, 500)
    play.put(2, 1_000)
    play.press("shuffled")
    play.press("cut")
    card = play.draw()
    play.lay(2, card)
    play.settle("deal")
    asked = play.asked()
    assert asked.subject == "out_of_order"
    assert asked.clauses == ("9.1.1(c)",)
    assert [option.answer for option in asked.options] == ["correct", "misdeal"]
    play.answer("correct", 1)
    assert announced(play, "step") == ["Move the card to seat 1."]
    assert play.refused("done").code == "not_seen"
    play.lay(1, card)
    play.press("done")
    assert play.phase == "dealing"
    play.deal()
    assert play.phase == "bet1"


@pytest.mark.clause(BOOK, "9.1.1")
def test_a_misdeal_is_dealt_again_under_new_names() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    deal = play.game.deal
    play.put(3, 1_000)
    play.press("report", what="wrong_count", seat=1, correctable=False)
    play.answer("misdeal", 1)
    assert play.phase == "shuffling"
    assert play.game.deal == deal + 1
    play.lift(3)
    play.take_up(*list(play.lies))
    play.press("shuffled")
    play.press("cut")
    play.deal()
    play.check_down()
    play.finish()
    assert total(play) == 300_000


@pytest.mark.clause(BOOK, "9.10")
def test_a_flop_shown_too_early_goes_back_and_another_comes() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.put(3, 1_000)
    play.lay(BURN, play.draw())
    flop = [play.draw() for _ in range(3)]
    play.lay(BOARD, *flop)
    assert "board_early" in play.table.state.desk.alarms
    play.press("turned_up")
    asked = play.asked()
    assert (asked.subject, asked.clauses) == ("premature_flop", ("9.10",))
    play.answer("redeal", 1)
    assert play.refused("done").text.startswith("A card still lies at the board.")
    play.take_up(*flop)
    for _ in range(3):
        play.press("done")
    play.put(1, 500)
    play.press("check")
    assert play.phase == "flop"
    play.lay(BOARD, *[play.draw() for _ in range(3)])
    play.press("turned_up")
    assert play.phase == "bet2"
    assert len(play.game.hand.board) == 3


@pytest.mark.clause(BOOK, "9.8")
def test_a_flop_without_a_burn_asks_for_a_ruling() -> None:
    play = PokerPlay()
    play.seat(1000, 1000)
    play.start()
    play.put(1, 500)
    play.press("check")
    play.lay(BOARD, *[play.draw() for _ in range(3)])
    play.press("turned_up")
    assert play.asked().clauses == ("9.8",)


@pytest.mark.clause(BOOK, "8.17.4")
def test_a_pineapple_discard_is_a_card_in_the_muck() -> None:
    play = PokerPlay(config(game="pineapple"))
    play.seat(1000, 1000)
    play.start()
    play.put(1, 500)
    play.press("check")
    assert play.phase == "discard1"
    for seat in (1, 2):
        play.lay(MUCK, next(name for name, place in play.lies.items() if place == seat))
    assert play.phase == "flop"


@pytest.mark.clause(BOOK, "8.7")
def test_tabling_a_hand_opens_exactly_its_cards_and_nothing_else_is_ever_named() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.check_down()
    hidden = {player.seat: list(player.cards) for player in play.game.hand.betting.players}
    first = play.wanted().seats[0]
    play.press("table_hand", seat=first)
    opened = [effect.cards for effect in play.told if isinstance(effect, Uncovered)][-1]
    assert list(opened) == hidden[first]
    seen = msgspec.json.encode(play.game.view()).decode()
    for seat, names in hidden.items():
        for name in names:
            assert (f'"{play.faces[name]}"' in seen) == (seat == first)


@pytest.mark.clause(BOOK, "8.20.4")
def test_a_hand_thrown_in_at_the_showdown_is_given_up() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.check_down()
    play.press("table_hand", seat=1)
    play.fold(2)
    play.press("table_hand", seat=3)
    assert play.phase == "award"
    assert {effect.seat for effect in play.told if isinstance(effect, Awarded)} <= {1, 3}


@pytest.mark.clause(BOOK, "3.1", "13.14")
def test_a_foreign_tag_and_a_card_at_another_seat_are_told() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.faces["?beef"] = ""
    play.lay(5, "?beef")
    assert "no card of this deck" in play.table.state.desk.alarms["foreign_card:beef"].text
    card = next(name for name, place in play.lies.items() if place == 1)
    play.lay(2, card)
    assert "exchanged:1" in play.table.state.desk.alarms
    play.take_up("?beef")
    assert "foreign_card:beef" not in play.table.state.desk.alarms


@pytest.mark.clause(BOOK, "8.13")
def test_cards_that_stay_off_the_table_are_asked_for() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.start()
    play.take_up(next(name for name, place in play.lies.items() if place == 2))
    assert "cards_away:2" not in play.table.state.desk.alarms
    play.settle("away:2")
    assert play.table.state.desk.alarms["cards_away:2"].clauses == ("8.13",)


@pytest.mark.clause(BOOK, "9.1.1(c)")
def test_a_card_that_is_read_after_the_question_was_asked_takes_the_question_back() -> None:
    play = PokerPlay()
    play.seat(1000, 1000, 1000)
    play.press("start_hand")
    play.put(1, 500)
    play.put(2, 1_000)
    play.press("shuffled")
    play.press("cut")
    first, second = play.draw(), play.draw()
    play.lay(2, second)
    play.settle("deal")
    assert play.phase == "ruling"
    play.lay(1, first)
    assert play.phase == "dealing"
    assert not play.table.state.desk.prompts
    assert play.game.hand.dealt == 2
    play.deal()
    assert play.phase == "bet1"
