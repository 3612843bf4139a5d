"""Chips laid before the table asks for them: for a war that is not offered yet, or while the cards cannot be used."""

from __future__ import annotations

from controller.core.effects import Refused
from tests.controller.games.war.felt import Felt, drawn, felt_with
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause, codes
from tests.controller.games.war.seen import HOUSES

AT_WAR = {MELBOURNE: "war_dealing", PERTH: "war_burning", STAR: "war_dealing"}
SECOND = {MELBOURNE: (), PERTH: ("3C", "4C", "5C"), STAR: ()}


def tied(house: str) -> Felt:
    """Ann ties with the dealer, and the dealer has not said yet that all is settled."""
    felt = felt_with("Ann", house=house)
    drawn(felt, "KS", "KD")
    assert felt.phase == "interim"
    return felt


def won_the_war(felt: Felt, house: str) -> None:
    drawn(felt, *SECOND[house], "9H", "8D")
    assert (felt.phase, felt.results()["war 1 Ann"].pays) == ("final", 1000)


@clause(MELBOURNE, "5.6", "7.4.2(c)")
@clause(PERTH, "3.7", "4.10")
@clause(STAR, "5.8", "8.2.4")
@HOUSES
def test_a_war_stake_laid_before_the_dealer_says_settled_is_the_choice_of_war(house: str) -> None:
    felt = tied(house)
    felt.put(1, "war", 1000)
    assert [effect for effect in felt.effects if isinstance(effect, Refused)] == []
    felt.press("settled", 1)
    assert (felt.phase, felt.questions()) == (AT_WAR[house], [])
    won_the_war(felt, house)


@clause(MELBOURNE, "5.6")
@clause(PERTH, "3.7")
@clause(STAR, "5.8")
@HOUSES
def test_in_one_stack_or_in_three_and_before_the_key_or_after_it_a_war_stake_is_the_same(house: str) -> None:
    felt = tied(house)
    felt.put(1, "war", 500)
    felt.put(1, "war", 250, 100)
    felt.press("settled", 1)
    assert (felt.phase, codes(felt)[-1]) == ("choosing", "war_stake_differs")
    felt.put(1, "war", 150)
    assert felt.phase == AT_WAR[house]
    won_the_war(felt, house)


@HOUSES
def test_a_war_stake_laid_early_and_lifted_again_is_none(house: str) -> None:
    felt = tied(house)
    felt.lift(1, "war", *felt.put(1, "war", 1000))
    felt.press("settled", 1)
    assert (felt.phase, felt.questions(), codes(felt)) == ("choosing", ["choice:1:Ann"], [])
    felt.answer("choice:1:Ann", "war")
    felt.put(1, "war", 1000)
    assert felt.phase == AT_WAR[house]


@HOUSES
def test_chips_on_the_war_spot_before_the_cards_are_no_stake_then_and_one_when_the_choice_comes(house: str) -> None:
    felt = Felt(house)
    felt.press("player_card" if house == STAR else "sit", 1, box=1, player="Ann")
    felt.put(1, "main", 1000)
    felt.put(1, "war", 1000)
    assert codes(felt) == ["no_main_stake"]
    felt.press("no_more_bets", 1)
    drawn(felt, "KS", "KD")
    felt.press("settled", 1)
    assert felt.phase == AT_WAR[house]
    won_the_war(felt, house)


@clause(MELBOURNE, "9.8")
@clause(PERTH, "5.4")
@clause(STAR, "11.6")
@HOUSES
def test_a_choice_taken_again_finds_the_war_stake_that_still_lies_there(house: str) -> None:
    felt = tied(house)
    felt.put(1, "war", 1000)
    felt.press("settled", 1)
    drawn(felt, *SECOND[house][:1], *(() if SECOND[house] else ("9H",)))
    felt.press("choice_missed", 1, box=1, player="Ann")
    assert (felt.phase, felt.questions()) == ("choosing", ["choice:1:Ann"])
    felt.answer("choice:1:Ann", "war")
    assert felt.phase == AT_WAR[house]
    drawn(felt, *SECOND[house][1:], *(("9H", "8D") if SECOND[house] else ("8D",)))
    assert (felt.phase, felt.results()["war 1 Ann"].pays) == ("final", 1000)


# -- while the cards cannot be used ---------------------------------------------------------------------------------


@clause(MELBOURNE, "5.1", "5.2")
@clause(PERTH, "3.1", "3.2")
@clause(STAR, "5.3", "5.4")
@HOUSES
def test_chips_laid_before_the_cards_are_checked_are_staked_once_they_are(house: str) -> None:
    felt = Felt(house)
    felt.press("close")
    felt.press("open")
    assert felt.phase == "unchecked"
    felt.press("player_card" if house == STAR else "sit", 1, box=1, player="Ann")
    gone = felt.put(1, "main", 500)
    felt.put(1, "main", 1000)
    felt.lift(1, "main", *gone)
    assert felt.stakes() == {}
    felt.press("check_cards", how="by hand")
    assert felt.stakes() == {("Ann", "main", 1): 1000}


@clause(MELBOURNE, "9.12.3")
@clause(PERTH, "2.7")
@clause(STAR, "11.17.3", "11.17.4")
@HOUSES
def test_chips_laid_while_the_cards_are_blocked_are_staked_when_others_may_be_used(house: str) -> None:
    felt = felt_with("Ann", house=house)
    drawn(felt, "KS")
    felt.press("wrong_deck", what="A card is missing.")
    felt.press("place_bets")
    assert (felt.phase, felt.stakes()) == ("blocked", {})
    felt.press("player_card" if house == STAR else "sit", 1, box=2, player="Bob")
    felt.put(2, "main", 2500)
    if house == STAR:
        for whom in ("surveillance", "inspector"):
            felt.press("notified", 1, whom=whom)
        felt.press("deck_checked")
    else:
        felt.press("replace_cards", why="new")
        felt.press("check_cards", how="by hand")
    assert felt.phase == "unshuffled"
    assert felt.stakes() == {("Ann", "main", 1): 1000, ("Bob", "main", 2): 2500}


# -- before anybody has taken the box ---------------------------------------------------------------------------------


@HOUSES
def test_chips_laid_before_their_player_took_the_box_are_that_players_stake(house: str) -> None:
    felt = Felt(house)
    felt.put(1, "main", 500)
    felt.put(1, "main", 500)
    felt.press("player_card" if house == STAR else "sit", 1, box=1, player="Ann")
    if house == STAR:  # laid without a card: it goes back, and is laid anew with one
        assert (felt.stakes(), codes(felt)) == ({}, ["no_player_card", "no_player_card"])
        felt.lift(1, "main", 1, 2)
        felt.put(1, "main", 1000)
    assert felt.stakes() == {("Ann", "main", 1): 1000}
    felt.press("no_more_bets", 1)
    drawn(felt, "KS", "5D")
    assert [(wager, one.pays) for wager, one in felt.results().items() if one.result == "win"] == [("main 1 Ann", 1000)]
