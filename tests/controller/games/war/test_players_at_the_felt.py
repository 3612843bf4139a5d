"""Who sits, leaves, cuts, is asked for the seat and plays on whose card, with chips on the felt."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.desk import Limits
from controller.core.events import Command, PlayerCardRead
from controller.people import Person
from drivers.cards import CuttingCard
from tests.controller.games.war.felt import Felt, drawn, felt_with, owed
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause, codes
from tests.controller.games.war.seen import HOUSES


def keys(felt: Felt) -> set[str]:
    return {key.name for key in felt.table.available()}


def sit(felt: Felt, **players: int) -> None:
    for player, box in players.items():
        felt.press("player_card" if felt.table.house.rulebook.id == STAR else "sit", 1, box=box, player=player)


def round_of(felt: Felt, *boxes: int) -> None:
    """Everybody on these boxes stakes, loses and is collected; the next bets are called for."""
    tags = {box: felt.put(box, "main", 1000) for box in boxes}
    felt.press("no_more_bets", 1)
    drawn(felt, *["5S"] * len(boxes), "KD")
    for box in boxes:
        felt.lift(box, "main", *tags[box])
    felt.press("settled", 1)
    felt.press("place_bets", 1)
    assert felt.phase == "betting"


# -- a card that is not the player's own (Star 11.22) -----------------------------------------------------------------


@clause(STAR, "11.22.2", "13.1")
def test_winnings_paid_at_interim_go_back_when_the_card_is_found_invalid_at_war() -> None:
    felt = Felt(STAR)
    sit(felt, Ann=1, Bob=2)
    felt.put(1, "main", 1000)
    felt.put(1, "tie", 500)
    felt.put(2, "main", 1000)
    drawn(felt, "KS", "QS", "KD")
    felt.put(1, "tie", 5000)
    felt.press("settled", 3, confirmed=True)
    felt.put(1, "war", 1000)
    assert (felt.phase, felt.results()["tie 1 Ann"].pays) == ("war_dealing", 5000)
    felt.press("invalid_card", 1, player="Ann")
    felt.answer("invalid:Ann", "rule")
    back = {wager: (one.result, one.pays, one.stake_returned) for wager, one in felt.results().items()}
    assert back["tie 1 Ann"] == ("void", 0, 500)
    assert (back["main 1 Ann"], back["war 1 Ann"]) == (("void", 0, 1000), ("void", 0, 1000))
    assert back["main 2 Bob"] == ("lose", 0, 0)


@clause(STAR, "11.22.3")
def test_hands_that_were_settled_before_the_invalid_card_was_found_stand() -> None:
    felt = felt_with("Ann", house=STAR)
    drawn(felt, "KS", "5D")
    felt.put(1, "main", 1000)
    felt.press("settled", 1)
    felt.press("invalid_card", 1, player="Ann")
    assert (felt.phase, felt.results()["main 1 Ann"].pays) == ("over", 1000)


# -- limits ------------------------------------------------------------------------------------------------------------


@clause(PERTH, "5.7(c)", "6.4")
def test_at_perth_nobody_can_agree_on_more_than_the_displayed_maximum() -> None:
    felt = Felt(PERTH)
    sit(felt, Ann=1)
    assert keys(felt).isdisjoint({"personal_limit", "marker"})
    felt.press("personal_limit", 4, player="Ann", least=1000, most=200_000)
    assert codes(felt) == ["unknown_command"]
    felt.put(1, "main", 100_000)
    drawn(felt, "KS", "5D")
    assert felt.results()["main 1 Ann"].pays == 50_000


@clause(MELBOURNE, "6.3", "6.2.2")
@clause(STAR, "6.6", "6.3")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_personal_limit_stands_in_place_of_the_tables_and_not_of_the_one_a_bet_has_of_its_own(house: str) -> None:
    felt = Felt(house, Limits(500, 50_000, 0, 250, {"tie": (500, 2500)}))
    sit(felt, Ann=1)
    felt.press("personal_limit", 4, player="Ann", least=500, most=200_000)
    felt.press("marker", 1, player="Ann", laid=True)
    felt.put(1, "main", 100_000)
    felt.put(1, "tie", 100_000)
    felt.press("no_more_bets", 1)
    drawn(felt, "KS", "KD")
    tie = felt.results()["tie 1 Ann"]
    assert (tie.pays, tie.stake_returned) == (25_000, 100_000)
    felt.press("choice", 1, box=1, player="Ann", choice="surrender")
    assert felt.game.state.round.stake("main 1 Ann").counted == 100_000


# -- seats -------------------------------------------------------------------------------------------------------------


@clause(PERTH, "6.4(a)", "6.2")
@HOUSES
def test_a_dealer_enters_that_a_player_left_so_that_an_empty_table_is_known_as_one(house: str) -> None:
    felt = Felt(house)
    sit(felt, Ann=1)
    felt.press("player_left", 1, player="Ann")
    assert (codes(felt), felt.game.players_present()) == ([], False)
    felt.press("limits", 4, least=1000, most=40_000)
    assert felt.table.state.limits.least == (1000 if house == PERTH else 500)  # elsewhere a raise waits all the same


@clause(MELBOURNE, "11.9")
@clause(STAR, "13.10")
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_a_table_is_full_by_who_sits_there_and_not_by_who_stakes(house: str) -> None:
    felt = Felt(house, boxes=3)
    sit(felt, Ann=1, Bob=2, Cyd=3)
    for _ in range(3):
        round_of(felt, 1, 2)
    assert [one.text for one in felt.said("idle_seat")] == [
        "Cyd has not staked for 3 rounds and may be asked for the seat."
    ]
    free = Felt(house, boxes=4)
    sit(free, Ann=1, Bob=2, Cyd=3)
    for _ in range(3):
        round_of(free, 1, 2)
    assert free.said("idle_seat") == []


@clause(MELBOURNE, "4.2.2")
@clause(PERTH, "4.4")
@clause(STAR, "4.4")
@HOUSES
def test_a_seated_player_who_sat_the_round_out_is_offered_the_cut_in_turn(house: str) -> None:
    felt = Felt(house)
    sit(felt, Ann=1, Bob=2, Cyd=3)
    round_of(felt, 1)
    felt.press("order_shuffle")
    felt.press("shuffled", 1)
    offered = []
    while (asked := felt.game.asked("cut")) is not None and asked.evidence["player"]:
        offered.append(asked.evidence["player"])
        felt.answer("cut", "refused", 1)
    assert offered == ["Cyd", "Ann", "Bob"]


# -- disputes, and keys that mean nothing ------------------------------------------------------------------------------


@clause(STAR, "13.12")
def test_a_decision_is_reviewed_by_a_higher_rank_than_took_it() -> None:
    felt = Felt(STAR)
    felt.press("dispute", 3, decision="surrender stands")
    felt.take(_as("AGM2", 3, "review", decision="war"))
    assert codes(felt) == ["rank_too_low"]
    said = "rank3 decided it as Assistant Gaming Manager; a review needs somebody of higher rank."
    assert felt.refusals()[-1].text == said
    felt.press("review", 4, decision="war")
    assert codes(felt) == ["rank_too_low"]


def _as(name: str, rank: int, key: str, **args: Any) -> Command:
    return Command(key, Person(name, rank), args)


@HOUSES
def test_no_key_is_offered_that_could_only_be_refused(house: str) -> None:
    felt = Felt(house)
    sit(felt, Ann=1)
    assert keys(felt).isdisjoint({"waiting", "inquiry_over"})
    assert ("show_burn" in keys(felt)) == (house == MELBOURNE)
    sit(felt, Ann=4)
    assert "waiting" in keys(felt)
    if house == MELBOURNE:
        felt.press("withhold", 4, player="Ann")
        assert "inquiry_over" in keys(felt)


@clause(MELBOURNE, "4.2.4(a)")
@clause(PERTH, "4.5")
@clause(STAR, "4.6")
@HOUSES
def test_a_cutting_card_that_came_early_is_told_until_somebody_has_looked_at_the_cut(house: str) -> None:
    felt = felt_with("Ann", house=house)
    drawn(felt, "KS")
    felt.take(CuttingCard("shoe", felt.draws + 1))
    assert "cutting_card_early" in felt.table.state.desk.alarms
    felt.press("seen_to", 1, alarm="cutting_card_early", reason="The cut was too shallow.")
    assert "cutting_card_early" not in felt.table.state.desk.alarms
    assert owed(felt) == []


@clause(STAR, "5.1", "13.1")
def test_where_a_reader_stands_only_a_card_that_was_read_lets_its_owner_stake() -> None:
    felt = Felt(STAR)
    felt.game.places["swipe"] = "reader"
    felt.table.state.devices["reader"] = "up"
    felt.press("player_card", 4, box=1, player="Ann")
    assert (codes(felt), felt.refusals()[-1].clauses) == (["read_the_card"], ("5.1", "13.1"))
    felt.put(1, "main", 1000)
    assert (codes(felt)[-1], felt.stakes()) == ("no_player_card", {})
    felt.press("player_card", 1, box=2)
    felt.take(PlayerCardRead("reader", "0123456789ab", "valid"))
    felt.put(2, "main", 1000)
    assert felt.stakes() == {("P-012345", "main", 2): 1000}
    felt.table.state.devices["reader"] = "down"
    felt.press("player_card", 1, box=3, player="Cyd")
    assert codes(felt)[-1] == "rank_too_low"
    felt.press("player_card", 2, box=3, player="Cyd")
    felt.put(3, "main", 1000)
    assert felt.stakes()[("Cyd", "main", 3)] == 1000
