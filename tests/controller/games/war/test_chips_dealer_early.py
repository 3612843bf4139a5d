"""A dealer who takes and pays a moment before the table knows the result: collecting before the key is collecting."""

from __future__ import annotations

from controller.core.effects import Alarmed, Refused
from controller.core.events import Chip, ChipsMoved
from drivers.cards import CardUnread
from tests.controller.games.war.paid import Paid
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause
from tests.controller.games.war.seen import HOUSES


def dealt(house: str, *cards: str) -> tuple[Paid, int, int]:
    """Ann on box 1 and Bob on box 2 have these cards, and the dealer has one that the shoe could not read."""
    felt = Paid(house)
    for box, player in ((1, "Ann"), (2, "Bob")):
        felt.press("player_card" if house == STAR else "sit", 1, box=box, player=player)
    (anns,), (bobs,) = felt.put(1, "main", 2500), felt.put(2, "main", 2500)
    if house == MELBOURNE:
        felt.press("no_more_bets", 1)
    for card in cards:
        felt.draw(card)
    felt.draws += 1
    felt.take(CardUnread("shoe", felt.draws, "unreadable"))
    assert felt.phase == "ruling"
    return felt, anns, bobs


def entered(felt: Paid, face: str) -> None:
    (question,) = felt.questions()
    felt.answer(question, "enter", face=face)
    assert felt.phase == "interim"


def said(felt: Paid) -> list[str]:
    return [effect.code for effect in felt.effects if isinstance(effect, Alarmed | Refused)]


@clause(MELBOURNE, "5.4")
@clause(PERTH, "6.1")
@clause(STAR, "5.5")
@HOUSES
def test_what_is_taken_and_paid_while_a_card_is_asked_for_was_taken_and_paid(house: str) -> None:
    felt, anns, _ = dealt(house, "4S", "KS")
    felt.back(1, "main", anns)
    felt.pay(2, "main", 2500)
    entered(felt, "9H")
    felt.settle()
    assert (felt.phase, said(felt)) == ("over", [])


@HOUSES
def test_a_losing_stake_out_of_the_tray_pays_a_winner_and_is_theirs_in_the_next_round(house: str) -> None:
    felt, anns, _ = dealt(house, "4S", "KS")
    felt.back(1, "main", anns)
    felt.take_out(anns)
    felt.lay_down(2, "main", anns)
    entered(felt, "9H")
    felt.settle()
    felt.press("place_bets", 1)
    assert (felt.phase, said(felt)) == ("betting", [])
    (stake,) = felt.game.state.round.stakes
    assert (stake.player, stake.box, stake.amount) == ("Bob", 2, 5000)


@clause(MELBOURNE, "5.6")
@clause(PERTH, "3.7")
@clause(STAR, "8.2.4")
@HOUSES
def test_half_of_a_stake_may_be_changed_and_taken_before_surrender_is_keyed(house: str) -> None:
    felt = Paid(house)
    felt.press("player_card" if house == STAR else "sit", 1, box=1, player="Ann")
    (stake,) = felt.put(1, "main", 1000)
    if house == MELBOURNE:
        felt.press("no_more_bets", 1)
    felt.draw("KS")
    felt.draw("KD")
    felt.settle()
    felt.back(1, "main", stake, cents=1000)
    felt.pay(1, "main", 500)
    felt.answer("choice:1:Ann", "surrender")
    if felt.phase != "over":
        felt.settle()
    assert (felt.phase, said(felt)) == ("over", [])
    felt.press("place_bets", 1)
    assert (felt.phase, said(felt)) == ("betting", [])


@HOUSES
def test_a_stake_taken_early_that_wins_is_given_back_before_the_round_goes_on(house: str) -> None:
    felt, anns, bobs = dealt(house, "KS", "4S")
    felt.back(1, "main", anns)
    felt.back(2, "main", bobs)
    felt.pay(1, "main", 2500)
    entered(felt, "9H")
    felt.settle()
    assert (felt.phase, felt.refusals()[-1].code) == ("interim", "mispaid")
    assert felt.refusals()[-1].text.startswith("Main of box 1: $25")
    felt.take_out(anns)
    felt.lay_down(1, "main", anns)
    felt.settle()
    assert felt.phase == "over"


@HOUSES
def test_chips_of_the_float_laid_on_a_stake_that_loses_are_paid_without_a_win(house: str) -> None:
    felt, anns, bobs = dealt(house, "4S", "5S")
    felt.pay(1, "main", 500)
    felt.back(1, "main", anns)
    felt.back(2, "main", bobs)
    entered(felt, "9H")
    felt.settle()
    assert (felt.phase, felt.refusals()[-1].code) == ("interim", "mispaid")
    assert felt.refusals()[-1].text.startswith("Main of box 1: $5 paid without win")


@clause(MELBOURNE, "5.4")
@clause(PERTH, "6.1")
@clause(STAR, "5.5")
@HOUSES
def test_a_stake_that_leaves_in_a_hand_is_told_until_it_lies_in_the_tray(house: str) -> None:
    felt, anns, _ = dealt(house, "4S", "KS")
    felt.lift(1, "main", anns)
    assert said(felt) == ["moved:main 1 Ann"]
    felt.take(ChipsMoved("chips", 0, (Chip(anns, "cash", 2500),)))
    assert "moved:main 1 Ann" not in felt.table.state.desk.alarms
