"""Cards that lie nowhere clearly, or twice: told until each of them lies in one place."""

from __future__ import annotations

from controller.cards.events import CardBetween, CardDoubled, CardNotBetween, CardSingle
from drivers.card_antennas import MUCK
from tests.controller.games.poker.seen import (
    after_the_deal,
    alarm,
    alarms,
    before_the_deal,
    cards_of,
    clause,
    due,
    seated,
)


@clause("8.4")
def test_cards_between_places_are_told_until_the_last_of_them_lies_clearly_however_often_one_is_read() -> None:
    play = before_the_deal()
    one, two = play.draw(), play.draw()
    for card in (one, one, two):
        play.event(CardBetween("cards", card, (1, 2)))
    assert alarm(play, "card_between")[2] == ("8.4",)
    assert play.table.state.desk.alarms["card_between"].count == 2
    play.event(CardNotBetween("cards", two))
    assert "card_between" in alarms(play)
    play.event(CardNotBetween("cards", one))
    assert alarms(play) == set()


@clause("8.4", "8.13")
def test_a_card_between_places_lies_at_none_of_them() -> None:
    play = after_the_deal()
    play.event(CardBetween("cards", cards_of(play, 1)[0], (1, 2)))
    due(play, "away:1")
    assert alarm(play, "cards_away:1")[0] == "1 of seat 1's cards have not been on the table for a while."


@clause("3.1", "9.1.1(h)")
def test_a_tag_that_answers_from_two_places_is_told_as_a_defective_deck_until_it_does_no_longer() -> None:
    play = seated()
    for _ in range(2):
        play.event(CardDoubled("cards", "c1", (3, MUCK)))
    text, remedy, clauses = alarm(play, "doubled:c1")
    assert text.startswith("One card answers from seat 3 and the muck at once")
    assert "defective deck" in remedy
    assert clauses == ("3.1", "9.1.1(h)")
    play.event(CardSingle("cards", "c1"))
    assert alarms(play) == set()
