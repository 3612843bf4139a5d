"""Nothing is dealt, paid or called for while a cause against it is known: played through chips, cards and keys."""

from __future__ import annotations

from drivers.cards import CardUnread, GateForced
from tests.controller.games.war.felt import Felt, drawn, felt_with, forgot
from tests.controller.games.war.play import BURN, MELBOURNE, PERTH, STAR, clause, codes
from tests.controller.games.war.seen import HOUSES


class Unburned(Felt):
    """A new shoe, shuffled and cut."""

    burns = False


def sit(felt: Felt, box: int, player: str) -> None:
    felt.press("player_card" if felt.table.house.rulebook.id == STAR else "sit", 1, box=box, player=player)


def staked(house: str) -> Felt:
    """Ann has laid $10, and betting is open."""
    felt = Felt(house)
    sit(felt, 1, "Ann")
    felt.put(1, "main", 1000)
    return felt


def settled(felt: Felt, house: str) -> Felt:
    """Ann's round is won, paid and over."""
    drawn(felt, "KS", "9H")
    felt.put(1, "main", 1000)
    felt.press("settled", 1)
    assert (felt.phase, felt.results()["main 1 Ann"].pays) == ("over", 1000)
    return felt


@clause(MELBOURNE, "9.12.2", "9.12.3")
@clause(PERTH, "2.2", "2.4")
@clause(STAR, "11.17.2", "11.17.3")
@HOUSES
def test_a_wrong_deck_reported_during_betting_stops_deal_and_payment_until_somebody_has_ruled(house: str) -> None:
    felt = staked(house)
    felt.press("wrong_deck", 1, what="The 5 of hearts is missing.")
    assert (felt.gate(), felt.questions()) == (True, ["wrong_deck"])
    felt.press("no_more_bets", 1)
    assert codes(felt)[-1] == "wrong_deck_open"
    drawn(felt, "KS", "9H")
    assert (felt.phase, felt.results(), felt.game.state.round.drawn[len(BURN[house]) :]) == ("betting", {}, [])
    assert "card_out_of_turn" in felt.table.state.desk.alarms
    felt.answer("wrong_deck", "void")
    back = felt.results()["main 1 Ann"]
    assert (felt.phase, back.result, back.stake_returned) == ("over", "void", 1000)
    felt.press("place_bets")
    assert (felt.phase, felt.gate()) == ("blocked", True)


@clause(MELBOURNE, "9.12.2", "9.12.3")
@clause(PERTH, "2.2", "2.4")
@clause(STAR, "11.17.2", "11.17.3")
@HOUSES
def test_a_joker_that_is_burned_stops_the_shoe_before_anybody_is_dealt_to(house: str) -> None:
    felt = Unburned(house)
    sit(felt, 1, "Ann")
    felt.put(1, "main", 1000)
    assert (felt.phase, felt.gate()) == ("burning", False)
    felt.take(CardUnread("shoe", 1, "joker"))
    assert (felt.questions(), felt.gate()) == (["wrong_deck"], True)
    felt.draws = 1
    drawn(felt, *BURN[house], "KS", "9H")
    felt.press("no_more_bets", 1)
    assert (felt.phase, felt.results()) == ("burning", {})
    felt.answer("wrong_deck", "void")
    assert (felt.phase, felt.results()["main 1 Ann"].result) == ("over", "void")


@clause(STAR, "3.8", "11.1.1")
@HOUSES
def test_a_card_forced_through_the_gate_starts_no_round_while_a_check_of_all_cards_is_due(house: str) -> None:
    felt = staked(house)
    felt.press("order_check")
    assert felt.gate()
    felt.take(GateForced("shoe", felt.draws + 1))
    drawn(felt, "KS", "9H")
    assert (felt.phase, felt.results()) == ("betting", {})
    assert "card_out_of_turn" in felt.table.state.desk.alarms
    felt.press("deck_checked")
    assert (felt.gate(), "card_out_of_turn" in felt.table.state.desk.alarms) == (house == MELBOURNE, False)
    felt.press("no_more_bets", 1)
    assert settled(felt, house)


@clause(MELBOURNE, "11.3", "11.5")
@clause(PERTH, "6.9(b)", "6.10")
@clause(STAR, "13.5.2", "13.6")
@HOUSES
def test_an_outcome_that_may_be_cancelled_is_ruled_on_before_the_next_round_and_that_round_is_the_one(
    house: str,
) -> None:
    felt = staked(house)
    felt.press("no_more_bets", 1)
    settled(felt, house)
    felt.press("cancel", 1, reason="fraud")
    assert (felt.questions(), felt.phase) == (["cancel"], "over")
    felt.press("place_bets")
    assert (codes(felt)[-1], felt.phase) == ("cancel_open", "over")
    felt.answer("cancel", "rule")
    cancelled = felt.results()["main 1 Ann"]
    assert (cancelled.result, cancelled.pays, cancelled.stake_returned) == ("void", 0, 1000)
    felt.press("place_bets", confirmed=True, reason="taken back")
    assert (felt.phase, felt.stakes()) == ("betting", {("Ann", "main", 1): 2000})


@HOUSES
def test_an_outcome_that_stands_after_all_keeps_nobody_from_the_next_round(house: str) -> None:
    felt = staked(house)
    felt.press("no_more_bets", 1)
    settled(felt, house)
    felt.press("cancel", 1, reason="disruption")
    felt.answer("cancel", "stand")
    assert felt.results()["main 1 Ann"].pays == 1000
    felt.press("place_bets")
    assert felt.phase == "betting"


@clause(MELBOURNE, "7.1")
@clause(STAR, "7.1")
@HOUSES
def test_a_deal_that_is_whole_is_settled_only_once_it_is_known_that_no_card_left_unseen(house: str) -> None:
    felt = felt_with("Ann", house=house)
    felt.draw("KS")
    forgot(felt)
    felt.draw("9H")
    assert (felt.questions(), felt.phase, felt.results()) == (["unseen"], "dealing", {})
    felt.answer("unseen", "none")
    assert (felt.phase, felt.results()["main 1 Ann"].result) == ("interim", "win")
