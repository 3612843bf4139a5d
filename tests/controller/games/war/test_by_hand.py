"""Casino War played on without its shoe, its shuffler or its chip mat, at all three houses."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.effects import Noted, Refused, Settled
from controller.core.events import Chip, ChipsCounted
from drivers.cards import CardDrawn
from drivers.events import DeviceDown, DeviceUp
from tests.controller.games.war.felt import Felt, forgot
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR

HOUSES = (MELBOURNE, PERTH, STAR)
pytestmark = [pytest.mark.guards(house) for house in HOUSES]


def dies(felt: Felt, *places: str) -> None:
    for place in places:
        felt.take(DeviceDown(place, "no power", "Look at its cable."))
        assert felt.table.state.life == "suspended"
        felt.press("by_hand", 2, device=place, reason="dead for the night")
        assert felt.table.state.life == "open"


def keys(felt: Felt) -> set[str]:
    return {key.name for key in felt.table.available()}


def keyed(felt: Felt, *cards: str) -> None:
    for card in cards:
        felt.press("next_card", 1, card=card)


def seated(house: str, **config: Any) -> Felt:
    felt = Felt(house, **config)
    felt.press("player_card" if house == STAR else "sit", 1, box=1, player="Ann")
    return felt


def results(felt: Felt) -> list[tuple[str, str, int, int]]:
    settled = [effect for effect in felt.effects if isinstance(effect, Settled)]
    return [(one.bet, one.result, one.pays, one.stake_taken) for effect in settled for one in effect.results]


def settle(felt: Felt) -> None:
    if "taken_and_paid" in keys(felt):
        felt.press("taken_and_paid", 1)
    felt.press("settled", 1)


def next_bets(felt: Felt, cents: int = 1000) -> None:
    felt.press("place_bets", 1)
    felt.press("chips_laid", 1, area=felt.area(1, "main"), player="Ann", cents=cents)
    felt.press("no_more_bets", 1)


def war_cards(felt: Felt, *cards: str) -> None:
    """Perth burns three beside the dealer's first card before a war."""
    keyed(felt, *(("3H", "4H", "5H") if felt.phase == "war_burning" else ()), *cards)


@pytest.mark.parametrize("house", HOUSES)
def test_a_shoe_that_dies_in_the_deal_is_dealt_on_by_key_and_two_rounds_more(house: str) -> None:
    felt = seated(house)
    felt.put(1, "main", 1000)
    felt.press("no_more_bets", 1)
    felt.draw("KS")
    dies(felt, "shoe")
    keyed(felt, "QD")
    assert results(felt) == [("main 1", "win", 1000, 0)]
    dies(felt, "chips")
    settle(felt)
    assert felt.phase == "over"
    next_bets(felt)
    keyed(felt, "2S", "9D")
    settle(felt)
    assert results(felt)[1:] == [("main 1", "lose", 0, 1000)]
    next_bets(felt)
    keyed(felt, "8S", "8D")
    assert felt.phase == "interim"
    felt.press("settled", 1)
    felt.answer("choice:1:Ann", "war")
    felt.press("chips_laid", 1, area=felt.area(1, "war"), player="Ann", cents=1000)
    war_cards(felt, "AS", "6D")
    assert felt.phase == "final"
    settle(felt)
    assert felt.phase == "over"
    assert ("war 1", "win", 1000, 0) in results(felt)
    played = [note.facts for note in felt.effects if isinstance(note, Noted) and note.what == "played_by_hand"]
    assert [(one["round"], one["places"]) for one in played] == [(number, ["chips", "shoe"]) for number in (1, 2, 3)]


@pytest.mark.parametrize("house", HOUSES)
def test_between_rounds_it_is_declared_ended_and_played_on_with_what_the_decks_still_owe(house: str) -> None:
    felt = seated(house)
    inside = felt.game.state.shoe.cards.left("KS")
    dies(felt, "shoe")
    felt.put(1, "main", 1000)
    felt.press("no_more_bets", 1)
    keyed(felt, "KS", "QD")
    assert felt.game.state.shoe.cards.left("KS") == inside - 1
    felt.take(DeviceUp("shoe", "shoe", "ANOTHER", "1.0", lost=True))
    assert felt.questions() == [], "whether a card left unseen is not asked: every one was keyed"
    felt.press("settled", 1, confirmed=True)
    assert felt.phase == "over"
    felt.press("by_hand_over", 2, device="shoe")
    assert felt.table.state.by_hand == {}
    felt.press("place_bets", 1)
    felt.press("no_more_bets", 1)
    felt.draw("4S")
    felt.draw("3D")
    assert results(felt)[-1][:2] == ("main 1", "win")
    assert felt.game.state.shoe.cards.left("KS") == inside - 1


def test_cards_that_the_dead_shoe_still_tells_of_are_nobodys() -> None:
    felt = seated(MELBOURNE)
    felt.put(1, "main", 1000)
    felt.press("no_more_bets", 1)
    dies(felt, "shoe")
    keyed(felt, "KS")
    stands = felt.game.save()
    told = felt.take(CardDrawn("shoe", 9, "2H", 99))
    assert felt.game.save() == stands
    assert [effect.facts for effect in told if isinstance(effect, Noted)] == [{"place": "shoe", "told": "CardDrawn"}]
    forgot(felt)
    assert felt.game.save() == stands


def test_a_card_keyed_wrongly_is_taken_back_by_whoever_keyed_it() -> None:
    felt = seated(MELBOURNE)
    felt.press("sit", 1, box=2, player="Bob")
    for box in (1, 2):
        felt.put(box, "main", 1000)
    felt.press("no_more_bets", 1)
    dies(felt, "shoe")
    keyed(felt, "KS")
    assert felt.table.state.pressed is not None
    assert felt.table.state.pressed.label == "Next card"


def test_a_card_is_keyed_only_where_one_may_come_and_no_card_is_made_up() -> None:
    felt = seated(MELBOURNE)
    dies(felt, "shoe")
    refused = [effect for effect in felt.press("next_card", 1, card="1X") if isinstance(effect, Refused)]
    assert [one.code for one in refused] == ["bad_card"]
    felt.put(1, "main", 1000)
    felt.press("no_more_bets", 1)
    keyed(felt, "KS", "QD")
    refused = [effect for effect in felt.press("next_card", 1, card="2C") if isinstance(effect, Refused)]
    assert [one.code for one in refused] == ["not_now"]


def test_the_cutting_card_is_keyed_and_the_cards_are_shuffled_after_the_round() -> None:
    felt = seated(MELBOURNE)
    felt.put(1, "main", 1000)
    dies(felt, "shoe")
    felt.press("no_more_bets", 1)
    keyed(felt, "KS")
    felt.press("cutting_card", 1)
    keyed(felt, "QD")
    felt.press("settled", 1, confirmed=True)
    felt.press("place_bets", 1, confirmed=True)
    assert felt.phase == "unshuffled"


def test_a_mat_that_dies_at_the_war_leaves_who_staked_what() -> None:
    felt = seated(MELBOURNE)
    felt.put(1, "main", 1000)
    felt.press("no_more_bets", 1)
    for card in ("KS", "KD"):
        felt.draw(card)
    felt.press("settled", 1)
    dies(felt, "chips")
    felt.answer("choice:1:Ann", "war")
    felt.press("chips_laid", 1, area=felt.area(1, "war"), player="Ann", cents=1000)
    for card in ("2S", "9D"):
        felt.draw(card)
    settle(felt)
    assert felt.phase == "over"
    assert felt.table.money.state.laid == {}
    felt.take(DeviceUp("chips", "chips", "SIM", "1.0"))
    felt.take(ChipsCounted("chips", {felt.area(1, "main"): (Chip(77, "cash", 500),)}))
    felt.press("by_hand_over", 2, device="chips")
    felt.press("place_bets", 1)
    assert felt.stakes() == {("Ann", "main", 1): 500}
