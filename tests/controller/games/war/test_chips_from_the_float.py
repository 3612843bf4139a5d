"""Chips of the float that lie on the felt and pay nobody: staked with or without a buy-in, refused, or gone back."""

from __future__ import annotations

import pytest

from controller.core.events import TimerDue
from controller.money import float_tray
from tests.controller.games.war.felt import owed
from tests.controller.games.war.paid import Paid
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR
from tests.controller.games.war.seen import HOUSES

SECOND = {MELBOURNE: (), PERTH: ("3C", "4C", "5C"), STAR: ()}
BUY_INS = pytest.mark.parametrize("buy_in", ["before the chips", "after the chips", "none"])


def carded(house: str, *players: str) -> Paid:
    felt = Paid(house)
    for box, player in enumerate(players, start=1):
        felt.press("player_card" if house == STAR else "sit", 1, box=box, player=player)
    return felt


def dealt(felt: Paid, house: str, *cards: str) -> None:
    if house == MELBOURNE:
        felt.press("no_more_bets", 1)
    for card in cards:
        felt.draw(card)
    assert felt.phase == "interim"


def at_war(house: str, buy_in: str) -> Paid:
    """Bob has lost and is collected; Ann ties, and her war stake of $10 comes out of the float."""
    felt = carded(house, "Ann", "Bob")
    felt.put(1, "main", 1000)
    lost = felt.put(2, "main", 2500)
    dealt(felt, house, "KS", "4C", "KD")
    felt.back(2, "main", *lost)
    felt.settle()
    if buy_in == "before the chips":
        felt.press("buy_in", 1, player="Ann", cents=1000)
    felt.pay(1, "war", 500, 500)
    if buy_in == "after the chips":
        felt.press("buy_in", 1, player="Ann", cents=1000)
    assert owed(felt) == []
    return felt


def unexplained(felt: Paid) -> int:
    return felt.game.money.state.tray.gap


@BUY_INS
@HOUSES
def test_a_war_stake_out_of_the_float_is_no_payment_of_the_war_it_wins(house: str, buy_in: str) -> None:
    felt = at_war(house, buy_in)
    for card in (*SECOND[house], "TH", "8C"):
        felt.draw(card)
    pays = {result.bet: result.pays for result in felt.results().values() if result.pays}
    assert pays
    assert owed(felt) == [(bet, "underpaid", cents) for bet, cents in pays.items()]
    assert unexplained(felt) == (-1000 if buy_in == "none" else 0)
    felt.settle()
    assert felt.phase == "final"


@BUY_INS
@HOUSES
def test_a_war_stake_out_of_the_float_that_loses_is_collected_once(house: str, buy_in: str) -> None:
    felt = at_war(house, buy_in)
    for card in (*SECOND[house], "2H", "8C"):
        felt.draw(card)
    assert ("war 1", "not_collected", 1000) in owed(felt)
    before = felt.game.money.state.tray.collected
    felt.back(1, "war", *sorted(tag for tag in felt.game.money.picture()[felt.area(1, "war")]))
    assert [one for one in owed(felt) if one[0] == "war 1"] == []
    assert felt.game.money.state.tray.collected == before + 1000
    assert unexplained(felt) == (-1000 if buy_in == "none" else 0), "lost or won, the float is paid for its chips"


@HOUSES
def test_a_stake_out_of_the_float_that_is_lost_and_collected_is_still_owed_to_the_float(house: str) -> None:
    felt = carded(house, "Ann")
    tags = felt.pay(1, "main", 500, 500)
    dealt(felt, house, "4S", "KD")
    felt.back(1, "main", *tags)
    assert owed(felt) == []
    felt.settle()
    assert (unexplained(felt), felt.game.money.state.tray.collected) == (-1000, 1000)
    felt.at += 20_000
    felt.take(TimerDue(float_tray.TIMER))
    assert "$10 is missing" in felt.table.state.desk.alarms["float"].text
    felt.press("buy_in", 1, player="Ann", cents=1000)
    assert (unexplained(felt), "float" in felt.table.state.desk.alarms) == (0, False)


@HOUSES
def test_a_stake_out_of_the_float_that_goes_back_into_it_before_the_cards_is_owed_to_nobody(house: str) -> None:
    felt = carded(house, "Ann")
    tags = felt.pay(1, "main", 500, 500)
    felt.back(1, "main", *tags)
    assert (unexplained(felt), felt.game.money.state.tray.unexplained) == (0, False)


def refused(house: str) -> tuple[Paid, list[int]]:
    """$7.50 out of the float is refused as a stake on the Tie of box 1 and stays there; Ann stakes $5 beside it."""
    felt = Paid(house, **({"optional_zones": ("tie",)} if house == PERTH else {}))
    tags = felt.pay(1, "tie", 500, 250)
    if house != STAR:
        felt.press("refuse_stake", 4, wager="tie 1 box 1")
    felt.press("player_card" if house == STAR else "sit", 1, box=1, player="Ann")
    felt.put(1, "main", 1000)
    felt.put(1, "tie", 500)
    return felt, tags


@HOUSES
def test_refused_chips_of_the_float_beside_a_stake_that_wins_are_no_part_of_its_payment(house: str) -> None:
    felt, tags = refused(house)
    dealt(felt, house, "KS", "KD")
    due = felt.results()["tie 1 Ann"].pays
    assert owed(felt) == [("tie 1", "underpaid", due)]
    assert unexplained(felt) == -750
    felt.lift(1, "tie", *tags)
    felt.back(1, "tie", *tags)
    assert owed(felt) == [("tie 1", "underpaid", due)]
    assert unexplained(felt) == 0


@HOUSES
def test_refused_chips_of_the_float_may_be_collected_for_a_stake_that_loses_beside_them(house: str) -> None:
    felt, tags = refused(house)
    dealt(felt, house, "9S", "KD")
    assert ("tie 1", "not_collected", 500) in owed(felt)
    felt.back(1, "tie", tags[0])
    assert [one for one in owed(felt) if one[0] == "tie 1"] == []
    felt.back(1, "tie", tags[1])
    assert [one for one in owed(felt) if one[0] == "tie 1"] == []


@HOUSES
def test_refused_chips_of_the_float_that_are_bought_are_the_players_and_not_to_be_taken(house: str) -> None:
    felt, tags = refused(house)
    dealt(felt, house, "KS", "KD")
    due = felt.results()["tie 1 Ann"].pays
    felt.press("buy_in", 1, player="Ann", cents=750)
    felt.back(1, "tie", *tags)
    assert owed(felt) == [("tie 1", "underpaid", due + 750)]


@HOUSES
def test_refused_chips_of_the_float_pay_where_the_dealer_lays_them_and_nothing_where_they_are_straightened(
    house: str,
) -> None:
    felt, tags = refused(house)
    dealt(felt, house, "KS", "9D")
    felt.lift(1, "tie", *tags)
    felt.again(1, "tie", *tags)
    assert ("main 1", "underpaid", 1000) in owed(felt)
    assert ("tie 1", "not_collected", 500) in owed(felt)
    felt.lift(1, "tie", *tags)
    felt.again(1, "main", *tags)
    assert ("main 1", "underpaid", 250) in owed(felt)


@pytest.mark.parametrize("wait_s", [0, 60])
@HOUSES
def test_what_was_taken_and_paid_before_a_round_was_void_goes_back_before_the_next(house: str, wait_s: int) -> None:
    felt = carded(house, "Ann", "Bob")
    felt.put(1, "main", 2500)
    lost = felt.put(2, "main", 2500)
    if house == MELBOURNE:
        felt.press("no_more_bets", 1)
    for card in ("KS", "4C"):
        felt.draw(card)
    felt.back(2, "main", *lost)
    paid = felt.pay(1, "main", 2500)
    felt.at += wait_s * 1000
    felt.take(TimerDue(float_tray.TIMER))
    felt.press("void_round", 4)
    assert felt.phase == "over"
    assert owed(felt) == [("main 1", "paid_without_win", 2500), ("main 2", "overcollected", 2500)]
    felt.press("place_bets", 1)
    assert felt.phase == "over"
    felt.back(1, "main", *paid)
    felt.pay(2, "main", 2500)
    felt.press("place_bets", 1)
    assert felt.phase == "betting"
    assert unexplained(felt) == 0


@HOUSES
def test_where_nothing_was_taken_or_paid_a_void_round_asks_for_nothing(house: str) -> None:
    felt = carded(house, "Ann")
    stake = felt.put(1, "main", 2500)
    if house == MELBOURNE:
        felt.press("no_more_bets", 1)
    felt.draw("KS")
    felt.press("void_round", 4)
    assert owed(felt) == []
    felt.lift(1, "main", *stake)
    felt.press("place_bets", 1)
    assert (felt.phase, unexplained(felt)) == ("betting", 0)
