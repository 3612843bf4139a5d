"""One tag in two places: the chip that lay there first is what it was, its copy is nothing wherever it lies."""

from __future__ import annotations

import pytest

from controller.core.events import Chip, ChipsCounted, ChipsMoved, TimerDue
from tests.controller.games.poker.play import PokerPlay
from tests.controller.games.war.felt import Felt, drawn, owed
from tests.controller.games.war.play import MELBOURNE, STAR, clause
from tests.controller.games.war.seen import HOUSES
from tests.controller.money.play import MoneyPlay

WIN, TIE, LOSE = ("KS", "5D"), ("KS", "KD"), ("5S", "KD")


class Tray(Felt):
    """With antennas under the float: forty chips of $10, tags from 10,000 on."""

    tray = (1000,) * 40


def copied(felt: Felt, tag: int, box: int, zone: str) -> None:
    """A copy of this chip is laid there, and seen for what it is."""
    felt.take(ChipsMoved("chips", felt.area(box, zone), (Chip(tag, "cash", 1000),)))
    proven(felt)


def proven(felt: Felt) -> None:
    felt.take(TimerDue("money:twice"))
    felt.take(TimerDue("money:twice"))
    assert [code for code in felt.table.state.desk.alarms if code.startswith("cloned")]


def moves(felt: Felt, tag: int, start: int, end: int) -> None:
    felt.take(ChipsMoved("chips", start, (), (tag,)))
    felt.take(ChipsMoved("chips", end, (Chip(tag, "cash", 1000),)))


def seated(house: str) -> Felt:
    felt = Tray(house)
    for box, player in enumerate(("Ann", "Bob"), 1):
        felt.press("player_card" if house == STAR else "sit", 1, box=box, player=player)
    return felt


# -- Casino War --------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "5.1")
@HOUSES
def test_a_stack_with_a_copy_in_it_is_worth_what_the_honest_chips_are(house: str) -> None:
    felt = seated(house)
    (tag,) = felt.put(1, "main", 1000)
    box = felt.area(2, "main")
    felt.take(ChipsMoved("chips", box, (Chip(900, "cash", 1000), Chip(tag, "cash", 1000), Chip(901, "cash", 2500))))
    proven(felt)
    assert felt.stakes() == {("Ann", "main", 1): 1000, ("Bob", "main", 2): 3500}


@HOUSES
def test_a_copy_stays_a_copy_when_the_chip_itself_is_collected(house: str) -> None:
    felt = seated(house)
    (tag,) = felt.put(1, "main", 1000)
    copied(felt, tag, 2, "main")
    felt.press("no_more_bets", 1)
    drawn(felt, *LOSE)
    assert owed(felt) == [("main 1", "not_collected", 1000)]
    moves(felt, tag, felt.area(1, "main"), 0)
    assert owed(felt) == []
    assert felt.game.money.state.tray.value == 41_000
    assert felt.press("settled", 1)
    assert felt.phase == "over"
    assert felt.stakes() == {("Ann", "main", 1): 1000}


@HOUSES
def test_a_copy_of_a_chip_of_the_float_is_no_payment_when_the_chip_itself_leaves_the_float(house: str) -> None:
    felt = seated(house)
    felt.put(1, "main", 1000)
    felt.put(2, "main", 1000)
    felt.press("no_more_bets", 1)
    drawn(felt, "KS", "QS", "5D")
    copied(felt, 10_000, 1, "main")
    assert sorted(owed(felt)) == [("main 1", "underpaid", 1000), ("main 2", "underpaid", 1000)]
    moves(felt, 10_000, 0, felt.area(2, "main"))
    assert owed(felt) == [("main 1", "underpaid", 1000)]


@clause(MELBOURNE, "7.4.4(a)(i)")
@HOUSES
def test_a_copy_of_the_main_wager_is_no_war_stake(house: str) -> None:
    felt = seated(house)
    (tag,) = felt.put(1, "main", 1000)
    felt.press("no_more_bets", 1)
    drawn(felt, *TIE)
    felt.press("settled", 1)
    copied(felt, tag, 1, "war")
    assert not [stake for stake in felt.game.state.round.stakes if stake.zone == "war"]
    felt.put(1, "war", 1000)
    war = [stake for stake in felt.game.state.round.stakes if stake.zone == "war"]
    assert [stake.amount for stake in war] == [1000]


@HOUSES
def test_a_copy_that_is_lifted_is_forgotten_and_its_chip_is_what_it_was(house: str) -> None:
    felt = seated(house)
    (tag,) = felt.put(1, "main", 1000)
    copied(felt, tag, 2, "main")
    felt.lift(2, "main", tag)
    assert not [code for code in felt.table.state.desk.alarms if code.startswith("cloned")]
    assert felt.stakes() == {("Ann", "main", 1): 1000}


@HOUSES
def test_a_copy_counts_no_more_when_everything_is_read_anew(house: str) -> None:
    felt = seated(house)
    (tag,) = felt.put(1, "main", 1000)
    copied(felt, tag, 2, "main")
    chip = Chip(tag, "cash", 1000)
    tray = tuple(Chip(one, "cash", 1000) for one in range(10_000, 10_040))
    felt.take(ChipsCounted("chips", {0: tray, felt.area(1, "main"): (chip,), felt.area(2, "main"): (chip,)}))
    assert felt.stakes() == {("Ann", "main", 1): 1000}
    felt.take(ChipsCounted("chips", {0: tray, felt.area(1, "main"): (), felt.area(2, "main"): (chip,)}))
    assert felt.stakes() == {}


# -- Big Wheel ---------------------------------------------------------------------------------------------------------


@clause("melbourne-wheel", "3.3")
@pytest.mark.parametrize("closed", [False, True])
def test_the_wager_that_lay_there_first_stands_beside_its_copy(closed: bool) -> None:
    play = MoneyPlay().opened()
    tag = play.bet("p1", "A", 50)
    if not closed:
        play.on("B", tag)
        play.time(0.1)
    play.launch()
    play.press("no_more_bets")
    if closed:
        play.on("B", tag)
        play.time(0.1)
    assert f"cloned:{tag}" in play.alarms
    play.rest("A")
    play.press("acknowledge")
    assert [(one.wager, one.pays) for one in play.settlements[-1].results] == [("p1/A", 5_000)]


def test_no_payment_rests_on_a_copy_of_a_chip_that_pays_elsewhere() -> None:
    play = MoneyPlay().opened()
    play.bet("p1", "A", 50)
    play.launch()
    play.press("no_more_bets")
    play.rest("A")
    play.press("acknowledge")
    tag = next(iter(play.tray))
    play.on("A", tag)
    play.time(0.1)
    assert f"cloned:{tag}" in play.alarms
    before = play.found
    play.lifted(tag)
    assert play.found == before
    assert before[0][1] == "underpaid"


# -- poker -------------------------------------------------------------------------------------------------------------


def poker() -> PokerPlay:
    play = PokerPlay()
    play.seat(1000, 1000)
    play.press("start_hand")
    play.post_and_deal()
    return play


def seen(play: PokerPlay) -> None:
    """A moment later both are seen still."""
    play.at += 1_000
    play.event(TimerDue("money:twice"))
    assert [code for code in play.table.state.desk.alarms if code.startswith("cloned")]


@clause("melbourne-poker", "6.2")
def test_a_copy_of_a_chip_of_the_pot_is_no_wager_on_a_line() -> None:
    play = poker()
    area, tag, cents = next((area, *one) for area, lay in play.game.state.felt.chips.items() for one in lay.items())
    other = next(seat for seat in (1, 2) if seat != area)
    before = {seat: dict(play.game.state.felt.chips.get(seat, {})) for seat in (1, 2)}
    phase, turn = play.phase, play.game.hand.betting.turn
    play.event(ChipsMoved("chips", other, (Chip(tag, "cash", cents),)))
    play.settle(f"line:{other}")
    seen(play)
    assert {seat: dict(play.game.state.felt.chips.get(seat, {})) for seat in (1, 2)} == before
    assert (play.phase, play.game.hand.betting.turn) == (phase, turn)
