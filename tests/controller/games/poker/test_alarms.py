"""The alarms of Crown Poker, each raised and ended by chips, cards and keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.cards.events import CardBetween, CardDoubled, CardNotBetween, CardSingle, CardsMoved, Sealed
from controller.core.events import Chip, ChipsMoved, Command, TimerDue
from controller.core.table import Table
from controller.games.poker import alarms
from controller.games.poker.alarms import ALARMS
from controller.people import Person
from drivers.card_antennas import BOARD, BURN, MUCK
from tests.controller.alarm_stories import Stories, raised_and_ended
from tests.controller.games.poker.play import PokerPlay, Unread, by_the_hour, config
from tests.controller.games.poker.seen import (
    READY,
    after_the_deal,
    before_the_deal,
    call_round,
    cards_of,
    checked,
    deal,
    on_the_flop,
    seated,
    with_shuffler,
)

STORIES = Stories()
pytestmark = pytest.mark.guards("melbourne-poker")


@STORIES.of(alarms.CardsLie)
def opened_with_cards_on_the_table() -> Iterator[Table]:
    play = PokerPlay()
    play.press("close", 3)
    card = deal(play, 1)
    play.press("open")
    yield play.table
    play.take_up(card)


@STORIES.of(alarms.DeckDefective)
def a_deck_without_its_ace() -> Iterator[Table]:
    play = with_shuffler()
    play.event(READY)
    play.event(checked(missing=("As",)))
    yield play.table
    play.event(checked())


# -- chips -------------------------------------------------------------------------------------------------------


@STORIES.of(alarms.BlindWrong)
def a_blind_that_is_too_small() -> Iterator[Table]:
    play = seated()
    play.press("start_hand")
    play.put(1, 250)
    yield play.table
    play.lift(1)


@STORIES.of(alarms.LineOwes)
def a_wager_announced_and_not_laid() -> Iterator[Table]:
    play = after_the_deal()
    play.press("raise", amount=3_000)
    yield play.table
    play.put(3, 3_000)
    play.press("raise", amount=6_000)
    yield play.table


@STORIES.of(alarms.LineNoWager)
def chips_of_somebody_who_is_not_in_the_hand() -> Iterator[Table]:
    play = after_the_deal()
    play.put(5, 1_000)
    yield play.table
    play.lift(5)


@STORIES.of(alarms.PotDiffers)
def a_pot_that_is_short() -> Iterator[Table]:
    play = after_the_deal()
    play.check_down()
    pot = play.game.layout.pot
    play.lift(pot)
    play.put(pot, 2_500)
    play.show_all()
    yield play.table
    play.put(pot, 500)
    play.finish()
    play.start()
    play.check_down()
    play.lift(pot)
    play.put(pot, 2_500)
    play.show_all()
    yield play.table


# -- cards -------------------------------------------------------------------------------------------------------


@STORIES.of(alarms.PotShort)
def chips_taken_from_the_pot_during_the_flop() -> Iterator[Table]:
    play = on_the_flop()
    play.sweep()
    pot = play.game.layout.pot
    lay = dict(play.chips[pot])
    play.lift(pot)
    play.settle("pot")
    yield play.table
    play.event(ChipsMoved("chips", pot, tuple(Chip(tag, "cash", cents) for tag, cents in lay.items())))


@STORIES.of(alarms.SideLifted)
def a_side_wager_lifted_after_the_first_card() -> Iterator[Table]:
    play = seated(setup=config(side_wagers=True))
    play.press("start_hand")
    area = play.game.layout.side(1, "red")
    play.put(area, 1_000)
    play.post_and_deal()
    play.lift(area)
    play.settle(f"side:{area}")
    yield play.table
    play.put(area, 1_000)
    play.lift(area)
    play.settle(f"side:{area}")
    yield play.table


@STORIES.of(alarms.PotOver)
def chips_thrown_into_the_pot() -> Iterator[Table]:
    play = on_the_flop()
    play.sweep()
    pot = play.game.layout.pot
    play.event(ChipsMoved("chips", pot, (Chip(9_000, "cash", 2_500),)))
    play.settle("pot")
    yield play.table
    play.event(ChipsMoved("chips", pot, (), (9_000,)))


@STORIES.of(alarms.CardBetweenPlaces)
def a_card_between_two_seats() -> Iterator[Table]:
    play = before_the_deal()
    card = play.draw()
    play.event(CardBetween("cards", card, (1, 2)))
    yield play.table
    play.event(CardNotBetween("cards", card))


@STORIES.of(alarms.CardTwice)
def one_card_in_two_places() -> Iterator[Table]:
    play = seated()
    play.event(CardDoubled("cards", "c1", (3, MUCK)))
    yield play.table
    play.event(CardSingle("cards", "c1"))


@STORIES.of(alarms.ForeignCard)
def a_card_of_another_deck() -> Iterator[Table]:
    play = before_the_deal()
    play.faces["?2"] = ""
    play.lay(1, "?2")
    yield play.table
    play.take_up("?2")


@STORIES.of(alarms.ChargeDue)
def the_first_hour_of_a_table_with_a_charge() -> Iterator[Table]:
    play = seated(setup=by_the_hour())
    yield play.table
    play.press("collect_time")
    play.event(TimerDue("collection"))
    yield play.table


@STORIES.of(alarms.OtherDeck)
def a_card_of_the_other_deck() -> Iterator[Table]:
    play = before_the_deal()
    deal(play, 1)
    play.event(CardsMoved("cards", play.game.deal, (Sealed(2, "other", "seal", 1),)))
    yield play.table
    play.event(CardsMoved("cards", play.game.deal, (), ((2, "other"),)))


def a_flop_with_a_strange_card(play: Unread) -> None:
    """Deal a hand up to a flop of which one card is of no deck."""
    play.start()
    call_round(play)
    play.sweep()
    play.lay(BURN, play.draw())
    play.lay(BOARD, *[play.draw() for _ in range(3)])
    play.reading = False
    play.press("turned_up")
    ((_, names),) = play.game.uncovered().items()
    play.faces[names[1]] = ""
    play.read()


@STORIES.of(alarms.UnknownFace)
def a_board_card_that_cannot_be() -> Iterator[Table]:
    play = Unread(config())
    play.seat(1000, 1000, 1000)
    a_flop_with_a_strange_card(play)
    yield play.table
    play.press("cancel_disruption", 2, reason="a defective deck")
    play.reading = True
    a_flop_with_a_strange_card(play)
    yield play.table


@STORIES.of(alarms.BurnNotDue)
def a_second_burn() -> Iterator[Table]:
    play = on_the_flop()
    play.lay(BURN, play.draw())
    extra = deal(play, BURN)
    yield play.table
    play.take_up(extra)


@STORIES.of(alarms.BoardEarly)
def a_board_card_before_its_time() -> Iterator[Table]:
    play = after_the_deal()
    card = deal(play, BOARD)
    yield play.table
    play.take_up(card)


@STORIES.of(alarms.Stray)
def a_card_too_many() -> Iterator[Table]:
    play = after_the_deal()
    card = deal(play, 2)
    yield play.table
    play.take_up(card)


@STORIES.of(alarms.CardsAway)
def cards_off_the_table() -> Iterator[Table]:
    play = after_the_deal()
    cards = cards_of(play, 1)
    play.take_up(*cards)
    play.settle("away:1")
    yield play.table
    play.lay(1, *cards)


@STORIES.of(alarms.CardElsewhere)
def a_card_at_another_seat() -> Iterator[Table]:
    play = after_the_deal()
    card = cards_of(play, 1)[0]
    play.lay(2, card)
    yield play.table
    play.lay(1, card)


@STORIES.of(alarms.GivenUp)
def a_hand_given_up_out_of_turn() -> Iterator[Table]:
    play = on_the_flop()
    cards = list(cards_of(play, 2))
    play.lay(MUCK, *cards)
    yield play.table
    play.lay(2, *cards)


def test_every_alarm_of_the_game_has_its_story() -> None:
    assert STORIES.missing(ALARMS) == set()


@pytest.mark.parametrize("kind", STORIES)
def test_an_alarm_of_the_game_is_raised_and_ends(kind: str) -> None:
    raised_and_ended(kind, STORIES[kind])


@pytest.mark.parametrize("kind", ["burn", "board_early", "stray", "cards_away", "exchanged", "mucked", "line_owes"])
def test_what_is_about_a_hand_ends_with_it(kind: str) -> None:
    table = next(STORIES[kind]())
    assert kind in table.state.desk.kinds.values()
    table.apply(
        table.desk.seq + 1, table.desk.at + 50, Command("cancel_disruption", Person("S2", 2), {"reason": "fire"})
    )
    assert (table.game.idle(), table.state.desk.alarms) == (True, {})
