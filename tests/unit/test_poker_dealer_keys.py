"""Keys of a poker table that the cards must bear out: the cut, boxed cards, tabled hands, cards counted and changed."""

from __future__ import annotations

from typing import Any

import pytest
from poker_play import PokerPlay, config

from controller.cards.events import CardsOpened
from controller.effects import Noted, Ruled, Uncovered
from controller.events import Command as Key
from controller.people import Person
from drivers.card_antennas import BOARD, MUCK

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


class Unread(PokerPlay):
    """A table whose opened cards are told only when the test says so."""

    reading = True

    def press(self, key: str, rank: int = 1, **args: Any) -> Any:
        if self.reading:
            return super().press(key, rank, **args)
        self.at += 50
        self.effects = self.steady.apply(self.at, Key(key, Person(f"S{rank}", rank), args))
        self.told += self.effects
        return self.effects

    def read(self) -> None:
        """The faces of everything that waits to be opened."""
        for order, names in self.game.uncovered().items():
            self.event(CardsOpened(order, tuple((name, self.faces[name]) for name in names)))


def at_showdown(cards: tuple[str, ...] = ()) -> Unread:
    play = Unread(config(), cards)
    play.seat(1000, 1000, 1000, 1000)
    play.start()
    play.fold(3)
    play.check_down()
    assert play.phase == "showdown"
    play.reading = False
    return play


def opened(play: PokerPlay) -> list[tuple[str, ...]]:
    return [effect.cards for effect in play.effects if isinstance(effect, Uncovered)]


@clause("8.7")
def test_a_hand_is_tabled_at_the_showdown_once_by_a_seat_that_still_has_one() -> None:
    early = PokerPlay()
    early.seat(1000, 1000)
    early.start()
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
