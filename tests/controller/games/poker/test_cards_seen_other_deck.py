"""Cards of the table's other registered deck, as the antennas and the seal tell them."""

from __future__ import annotations

from controller.cards.events import CardsMoved, Sealed
from drivers.card_antennas import BOARD
from tests.controller.games.poker.seen import alarm, alarms, before_the_deal, clause, deal, on_the_flop, pressed


@clause("3.1", "1.1 'Defective deck'")
def test_a_card_of_the_other_deck_at_a_seat_is_told_and_not_dealt() -> None:
    play = before_the_deal()
    deal(play, 1)
    play.event(CardsMoved("cards", play.game.deal, (Sealed(2, "stranger", "seal", 1),)))
    assert alarm(play, "other_deck:2")[0] == "A card of another deck of this table lies at seat 2."
    assert (play.wanted().seats, play.game.hand.dealt) == ((2,), 1)
    play.event(CardsMoved("cards", play.game.deal, (), ((2, "stranger"),)))
    assert alarms(play) == set()
    play.deal()
    assert play.phase == "bet1"


@clause("3.1", "9.1.1(h)")
def test_a_card_of_the_other_deck_on_the_board_is_not_turned_up_and_can_be_reported() -> None:
    play = on_the_flop()
    play.event(CardsMoved("cards", play.game.deal, (Sealed(BOARD, "stranger", "seal", 1),)))
    assert f"other_deck:{BOARD}" in alarms(play)
    assert play.refused("turned_up").code == "no_card"
    pressed(play, "report", what="defective_deck")
    play.answer("misdeal_all_refunded", 1)
    assert play.refused("shuffled").code == "deck_defective"
    pressed(play, "change_cards", reason="two decks were mixed")
    pressed(play, "shuffled")
    assert play.game.hand.shuffled
