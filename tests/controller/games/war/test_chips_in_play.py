"""Chips in play are known by their tags: whatever is done with them, stake and payment stay what they were."""

from __future__ import annotations

import pytest

from controller.core.events import Chip, ChipsMoved, TimerDue
from tests.controller.games.war.felt import Felt, drawn, owed
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause, codes
from tests.controller.games.war.seen import HOUSES

LOSE, WIN, TIE = ("5S", "KD"), ("KS", "5D"), ("KS", "KD")
SECOND = {MELBOURNE: (), PERTH: ("3C", "4C", "5C"), STAR: ()}


class Tray(Felt):
    """With antennas under the float: forty chips of $10, tags from 10,000 on."""

    tray = (1000,) * 40

    def move(self, tag: int, start: int, end: int) -> None:
        self.take(ChipsMoved("chips", start, (), (tag,)))
        self.take(ChipsMoved("chips", end, (Chip(tag, "cash", 1000),)))


class NoTray(Felt):
    """Without."""


def seated(kind: type[Felt], house: str) -> Felt:
    felt = kind(house)
    for box, player in enumerate(("Ann", "Bob"), 1):
        felt.press("player_card" if house == STAR else "sit", 1, box=box, player=player)
    return felt


def dealt(kind: type[Felt], house: str, *cards: str) -> tuple[Felt, int]:
    """Ann's $10 on box 1, and these cards."""
    felt = seated(kind, house)
    (tag,) = felt.put(1, "main", 1000)
    felt.press("no_more_bets", 1)
    drawn(felt, *cards)
    return felt, tag


def moved(felt: Felt) -> list[str]:
    return [code for code in felt.table.state.desk.alarms if code.startswith("moved")]


# -- staked from the tray, slid, lifted ------------------------------------------------------------------------------


@clause(MELBOURNE, "5.15.2")
@clause(PERTH, "4.9")
@clause(STAR, "8.2.2")
@HOUSES
def test_chips_staked_from_the_tray_without_a_buy_in_are_a_stake_and_no_payment(house: str) -> None:
    felt = seated(Tray, house)
    assert isinstance(felt, Tray)
    box = felt.area(1, "main")
    felt.move(10_000, 0, box)
    felt.press("no_more_bets", 1)
    drawn(felt, *WIN)
    assert owed(felt) == [("main 1", "underpaid", 1000)]
    felt.move(10_001, 0, box)
    assert owed(felt) == []
    felt.press("settled", 1)
    assert felt.phase == "over"


@HOUSES
def test_a_losing_stake_slid_to_another_box_before_the_result_is_collected_there_and_nobody_is_paid(house: str) -> None:
    felt, tag = dealt(Tray, house, LOSE[0])
    assert isinstance(felt, Tray)
    felt.move(tag, felt.area(1, "main"), felt.area(2, "main"))
    assert (moved(felt), codes(felt)) == (["moved:main 1 Ann"], [])
    drawn(felt, LOSE[1])
    assert [one[1:] for one in owed(felt)] == [("not_collected", 1000)]
    felt.move(tag, felt.area(2, "main"), 0)
    assert owed(felt) == []
    felt.press("settled", 1)
    assert (felt.phase, felt.results()["main 1 Ann"].stake_taken, len(felt.results())) == ("over", 1000, 1)


@pytest.mark.parametrize("kind", [Tray, NoTray])
@HOUSES
def test_a_losing_stake_slid_to_an_empty_box_after_the_result_is_no_new_stake_and_goes_back_to_nobody(
    house: str, kind: type[Felt]
) -> None:
    felt, tag = dealt(kind, house, *LOSE)
    felt.lift(1, "main", tag)
    felt.take(ChipsMoved("chips", felt.area(2, "main"), (Chip(tag, "cash", 1000),)))
    assert (codes(felt), felt.said("hand_back"), len(felt.results())) == ([], [], 1)


@HOUSES
def test_a_losing_stake_lifted_and_put_back_is_collected_once(house: str) -> None:
    felt, tag = dealt(Tray, house, LOSE[0])
    assert isinstance(felt, Tray)
    box = felt.area(1, "main")
    felt.move(tag, box, box)
    drawn(felt, LOSE[1])
    felt.move(tag, box, box)
    assert owed(felt) == [("main 1", "not_collected", 1000)]
    felt.move(tag, box, 0)
    assert owed(felt) == []


# -- touched between result and payment ------------------------------------------------------------------------------


@clause(MELBOURNE, "5.4")
@clause(PERTH, "6.1")
@clause(STAR, "5.5")
@pytest.mark.parametrize("kind", [Tray, NoTray])
@HOUSES
def test_a_winning_stake_lifted_before_it_is_paid_is_told_until_it_is_paid(house: str, kind: type[Felt]) -> None:
    felt, tag = dealt(kind, house, *WIN)
    felt.lift(1, "main", tag)
    assert moved(felt) == ["moved:main 1 Ann"]
    alarm = felt.table.state.desk.alarms["moved:main 1 Ann"]
    assert alarm.clauses[0] == {MELBOURNE: "5.4", PERTH: "6.1", STAR: "5.5"}[house]
    felt.take(ChipsMoved("chips", felt.area(1, "main"), (Chip(tag, "cash", 1000),)))
    assert moved(felt) == []
    felt.lift(1, "main", tag)
    assert felt.table.state.desk.alarms["moved:main 1 Ann"].count >= 1
    pay(felt, 1, "main")
    assert moved(felt) == []
    felt.press("settled", 1)
    assert felt.phase == "over"


def pay(felt: Felt, box: int, zone: str) -> None:
    if isinstance(felt, Tray):
        felt.move(10_000, 0, felt.area(box, zone))
    else:
        felt.put(box, zone, 1000)


@HOUSES
def test_a_winner_who_was_paid_may_lift_stake_and_winnings(house: str) -> None:
    felt, tag = dealt(Tray, house, *WIN)
    pay(felt, 1, "main")
    felt.lift(1, "main", tag, 10_000)
    assert (moved(felt), owed(felt)) == ([], [])


@clause(MELBOURNE, "5.4")
@clause(PERTH, "6.1")
@clause(STAR, "5.5")
@HOUSES
def test_chips_added_to_a_winning_stake_before_it_is_paid_are_too_late_each_time(house: str) -> None:
    felt, _ = dealt(Tray, house, *WIN)
    felt.put(1, "main", 2500)
    assert (codes(felt), felt.said("hand_back")[-1].text) == (["late"], "Give $25 back to Ann.")
    felt.put(1, "main", 2500)
    assert (codes(felt), felt.said("hand_back")[-1].text) == (["late", "late"], "Give $50 back to Ann.")
    assert felt.results()["main 1 Ann"].pays == 1000
    pay(felt, 1, "main")
    assert owed(felt) == []
    felt.press("settled", 1)
    assert felt.phase == "over"


@clause(MELBOURNE, "5.4", "7.4.4(a)(i)")
@clause(PERTH, "6.1", "3.7")
@clause(STAR, "5.5", "9.1")
@HOUSES
def test_chips_added_to_a_war_stake_that_has_won_are_too_late(house: str) -> None:
    felt, _ = dealt(Tray, house, *TIE)
    felt.press("settled", 1)
    felt.put(1, "war", 1000)
    drawn(felt, *SECOND[house], "9H", "8D")
    assert felt.phase == "final"
    felt.put(1, "war", 5000)
    assert (codes(felt), felt.said("hand_back")[-1].text) == (["late"], "Give $50 back to Ann.")
    assert felt.results()["war 1 Ann"].pays == 1000


@HOUSES
def test_who_has_lost_may_lay_the_next_stake_while_others_are_paid(house: str) -> None:
    felt, tag = dealt(Tray, house, *LOSE)
    assert isinstance(felt, Tray)
    felt.move(tag, felt.area(1, "main"), 0)
    felt.put(1, "main", 2500)
    assert (codes(felt), moved(felt), owed(felt)) == ([], [], [])
    felt.press("settled", 1)
    felt.press("place_bets", 1)
    assert felt.stakes() == {("Ann", "main", 1): 2500}


@clause(MELBOURNE, "5.4")
@clause(PERTH, "3.2")
@clause(STAR, "5.5")
@HOUSES
def test_a_second_late_bet_on_the_same_box_is_told_like_the_first(house: str) -> None:
    felt, _ = dealt(NoTray, house, "KS")
    felt.put(2, "main", 1000)
    felt.put(2, "main", 500)
    assert codes(felt) == ["late", "late"]
    assert [said.text for said in felt.said("hand_back")] == ["Give $10 back to Bob.", "Give $15 back to Bob."]
    assert felt.results()["main 2 Bob"].stake_returned == 1500


@clause(MELBOURNE, "5.4")
def test_more_chips_on_a_stake_that_was_handed_back_after_the_call_are_told_too() -> None:
    felt = seated(NoTray, MELBOURNE)
    felt.put(1, "main", 1000)
    felt.press("no_more_bets", 1)
    felt.put(2, "main", 1000)
    felt.answer("late:", "return", 1)
    drawn(felt, "KS")
    felt.put(2, "main", 500)
    assert (codes(felt), felt.said("hand_back")[-1].text) == (["late"], "Give $15 back to Bob.")
    drawn(felt, "5D")
    assert felt.results()["main 2 Bob"].stake_returned == 1500


@clause(MELBOURNE, "7.4.4(a)(i)")
@clause(STAR, "9.1")
@pytest.mark.parametrize("cards", [("2H", "QD"), ("9H", "8D")], ids=["lost", "won"])
@pytest.mark.parametrize("house", [MELBOURNE, STAR])
def test_winnings_of_a_tie_that_are_laid_for_the_war_stay_paid_and_are_their_winners_stake(
    house: str, cards: tuple[str, str]
) -> None:
    felt = seated(Tray, house)
    assert isinstance(felt, Tray)
    (main,) = felt.put(1, "main", 1000)
    felt.put(1, "tie", 1000)
    felt.press("no_more_bets", 1)
    drawn(felt, *TIE)
    winnings = range(10_000, 10_000 + owed(felt)[0][2] // 1000)
    for tag in winnings:
        felt.move(tag, 0, felt.area(1, "tie"))
    felt.press("settled", 1)
    felt.move(winnings[0], felt.area(1, "tie"), felt.area(1, "war"))
    assert owed(felt) == []
    drawn(felt, *cards)
    for zone, tag in (("main", main), ("war", winnings[0])):
        if cards[0] == "2H":
            felt.move(tag, felt.area(1, zone), 0)
    if cards[0] == "9H":
        assert owed(felt) == [("war 1", "underpaid", 1000)]
        felt.move(10_030, 0, felt.area(1, "war"))
    assert owed(felt) == []
    assert felt.press("settled", 1)
    tray = felt.game.money.state.tray
    won = sum(one.stake_taken - one.pays for one in felt.results().values())
    assert (felt.phase, tray.gap, tray.value - 40_000) == ("over", 0, won)


@clause(MELBOURNE, "7.4.4(a)(i)")
@clause(PERTH, "3.7")
@clause(STAR, "9.1")
@pytest.mark.parametrize("bought", [True, False])
@pytest.mark.parametrize("lost", [True, False])
@HOUSES
def test_a_losing_chip_that_goes_straight_from_the_float_to_the_war_is_a_stake_and_owed_until_it_is_bought(
    house: str, lost: bool, bought: bool
) -> None:
    felt = seated(Tray, house)
    assert isinstance(felt, Tray)
    (main,), (bobs,) = felt.put(1, "main", 1000), felt.put(2, "main", 1000)
    felt.press("no_more_bets", 1)
    drawn(felt, "KS", "2S", "KD")
    felt.move(bobs, felt.area(2, "main"), 0)
    felt.press("settled", 1)
    felt.move(bobs, 0, felt.area(1, "war"))
    assert owed(felt) == []
    if bought:
        assert felt.press("buy_in", 1, player="Ann", cents=1000)
    drawn(felt, *SECOND[house], *(("2H", "QD") if lost else ("9H", "8D")))
    if lost:
        felt.move(main, felt.area(1, "main"), 0)
        felt.move(bobs, felt.area(1, "war"), 0)
    else:
        felt.move(10_000, 0, felt.area(1, "war"))
    assert owed(felt) == []
    felt.press("settled", 1)
    money = felt.game.money
    won = sum(one.stake_taken - one.pays for one in felt.results().values())
    booked = -1000 if bought else 0
    assert (felt.phase, money.state.tray.gap) == ("over", 0 if bought else -1000)
    assert money.state.tray.value - 40_000 == won + booked + money.state.tray.gap
    felt.at += 30_000
    felt.take(TimerDue("money:float"))
    assert ("float" in felt.table.state.desk.alarms) is not bought


# -- tokens, and one tag in two places -------------------------------------------------------------------------------


@clause(MELBOURNE, "5.1")
@clause(PERTH, "3.1")
@pytest.mark.parametrize("first", ["cash", "token"])
@pytest.mark.parametrize("house", [MELBOURNE, PERTH])
def test_a_token_laid_on_a_cash_chip_or_under_it_is_no_part_of_the_stake(house: str, first: str) -> None:
    felt = seated(NoTray, house)
    for kind in ("cash", "token") if first == "cash" else ("token", "cash"):
        felt.put(1, "main", 1000 if kind == "cash" else 2500, kind=kind)
    assert (felt.stakes(), codes(felt)) == ({("Ann", "main", 1): 1000}, ["no_tokens"])
    assert felt.refusals()[-1].clauses == (("5.1",) if house == MELBOURNE else ("3.1",))
    felt.press("no_more_bets", 1)
    drawn(felt, *WIN)
    assert felt.results()["main 1 Ann"].pays == 1000


@clause(STAR, "5.3")
def test_where_tokens_are_accepted_one_beside_a_cash_chip_is_staked_with_it() -> None:
    felt = seated(NoTray, STAR)
    felt.put(1, "main", 1000)
    felt.put(1, "main", 2500, kind="token")
    assert felt.stakes() == {("Ann", "main", 1): 3500}


@clause(MELBOURNE, "5.1")
@clause(PERTH, "3.1")
@clause(STAR, "5.3")
@HOUSES
def test_a_copied_chip_is_no_stake_and_the_one_that_lay_there_first_stays_one(house: str) -> None:
    felt = seated(NoTray, house)
    (tag,) = felt.put(1, "main", 1000)
    copy = ChipsMoved("chips", felt.area(2, "main"), (Chip(tag, "cash", 1000),))
    felt.take(copy)
    felt.take(TimerDue("money:twice"))
    felt.take(TimerDue("money:twice"))
    assert [code for code in felt.table.state.desk.alarms if code.startswith("cloned")] == [f"cloned:{tag}"]
    assert felt.stakes() == {("Ann", "main", 1): 1000}
    felt.press("no_more_bets", 1)
    drawn(felt, *WIN)
    assert [(wager, one.pays) for wager, one in felt.results().items()] == [("main 1 Ann", 1000)]


@HOUSES
def test_a_copy_of_a_chip_in_the_tray_is_no_stake_once_it_is_known(house: str) -> None:
    felt = seated(Tray, house)
    felt.take(ChipsMoved("chips", felt.area(1, "main"), (Chip(10_000, "cash", 1000),)))
    felt.take(TimerDue("money:twice"))
    felt.take(TimerDue("money:twice"))
    assert felt.stakes() == {}
    felt.take(ChipsMoved("chips", 0, (), (10_000,)))  # the chip itself goes elsewhere
    assert felt.stakes() == {}
    felt.lift(1, "main", 10_000)
    felt.take(ChipsMoved("chips", felt.area(1, "main"), (Chip(10_000, "cash", 1000),)))
    assert felt.stakes() == {("Ann", "main", 1): 1000}


@HOUSES
def test_a_chip_slid_between_two_boxes_counts_once_whichever_antenna_tells_first(house: str) -> None:
    felt = seated(NoTray, house)
    (tag,) = felt.put(1, "main", 1000)
    felt.take(ChipsMoved("chips", felt.area(1, "tie") if house != PERTH else felt.area(2, "main"),
                         (Chip(tag, "cash", 1000),)))  # fmt: skip
    assert felt.stakes() == {("Ann", "main", 1): 1000}
    felt.lift(1, "main", tag)
    assert list(felt.stakes().values()) == [1000]
    assert ("Ann", "main", 1) not in felt.stakes()
