"""Take and pay: what the float can make, what was collected and paid, and what was paid wrong."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.effects import WagerResult
from controller.money.float import FLOAT
from controller.money.payable import chips_for
from controller.money.payment import (
    NOT_DETECTABLE,
    Due,
    Finding,
    Step,
    Watch,
    dues,
    mispayment,
    moved,
    reportable,
    steps,
    verify,
    watch_from,
    without,
)

clause = pytest.mark.clause


# -- take and pay ------------------------------------------------------------------------------------------------

A, B = 1, 2
LOSER, WINNER = Due(A, "A", taken=5000), Due(B, "B", pays=15_000)
STAKES = [(11, A, 2500), (12, A, 2500), (21, B, 5000)]
PAYMENT = [(31, 10_000), (32, 5000)]
TRAY = range(31, 50)


class Table:
    """A watched table after a settlement: fifty on A has lost, fifty on B has won three to one."""

    def __init__(self) -> None:
        self.watch: Watch = watch_from(STAKES, TRAY)

    def to(self, area: int, *chips: tuple[int, int]) -> None:
        moved(self.watch, area, chips, ())

    def off(self, area: int, *tags: int) -> None:
        moved(self.watch, area, (), tags)

    def collect(self) -> None:
        self.off(A, 11, 12)
        self.to(FLOAT, (11, 2500), (12, 2500))

    def pay(self) -> None:
        self.off(FLOAT, 31, 32)
        self.to(B, *PAYMENT)

    def steps(self, float_watched: bool = True) -> tuple[Step, ...]:
        return steps(self.watch, {B: WINNER, A: LOSER}, float_watched=float_watched)

    def found(self, float_watched: bool = True) -> list[tuple[int, str, int]]:
        findings = verify(self.watch, {A: LOSER, B: WINNER}, float_watched=float_watched)
        assert all(finding.remedy for finding in findings)
        return [(finding.area, finding.kind, finding.cents) for finding in findings]


@pytest.fixture
def table() -> Table:
    return Table()


@clause("melbourne-wheel", "3.6.1", "3.6.2")
def test_losers_collected_and_winners_paid_in_any_chips_leave_nothing_to_say(table: Table) -> None:
    assert table.found() == [(A, "not_collected", 5000), (B, "underpaid", 15_000)]
    table.collect()
    assert table.found() == [(B, "underpaid", 15_000)]
    table.pay()
    assert table.found() == []
    table.off(B, 21, 31, 32)
    assert table.found() == []


def test_a_payment_in_parts_is_underpaid_until_the_last_chip_lies(table: Table) -> None:
    table.collect()
    table.to(B, (31, 10_000))
    assert table.found() == [(B, "underpaid", 5000)]
    table.to(B, (32, 5000))
    assert table.found() == []


def test_too_much_is_overpaid_and_the_same_again_is_paid_twice_until_it_goes_back(table: Table) -> None:
    table.collect()
    table.pay()
    table.to(B, (33, 2500))
    assert table.found() == [(B, "overpaid", 2500)]
    table.to(B, (34, 12_500))
    assert table.found() == [(B, "paid_twice", 15_000)]
    table.off(B, 33, 34)
    table.to(FLOAT, (33, 2500), (34, 12_500))
    assert table.found() == []


def test_a_payment_on_a_losing_area_is_told_apart_from_a_stake_left_lying(table: Table) -> None:
    table.pay()
    table.to(A, (33, 2500))
    assert table.found() == [(A, "paid_without_win", 2500), (A, "not_collected", 5000)]
    table.to(3, (34, 500))
    assert table.found()[-1] == (3, "paid_without_win", 500)


def test_a_losing_stake_that_never_reaches_the_float_was_taken_away(table: Table) -> None:
    table.pay()
    table.off(A, 11, 12)
    table.to(FLOAT, (11, 2500))
    assert table.found() == [(A, "taken_away", 2500)]
    assert table.found(float_watched=False) == []


def test_a_winners_stake_swept_into_the_float_is_owed(table: Table) -> None:
    table.collect()
    table.pay()
    table.to(FLOAT, (21, 5000))
    assert table.found() == [(B, "overcollected", 5000)]
    table.to(B, (35, 5000))
    assert table.found() == []


def test_a_stake_taken_by_mistake_and_put_back_never_moved(table: Table) -> None:
    table.collect()
    table.pay()
    table.to(FLOAT, (21, 5000))
    table.off(FLOAT, 21)
    table.to(B, (21, 5000))
    assert table.found() == []


def test_chips_that_a_paid_winner_slides_on_are_theirs_and_are_not_paid_again(table: Table) -> None:
    due = {A: LOSER, B: WINNER}
    table.collect()
    table.pay()
    table.off(B, 31)
    moved(table.watch, A, [(31, 10_000)], (), due=due)
    assert table.found() == []


def test_chips_that_a_player_lays_and_slides_are_given_back_where_they_were_swept_from(table: Table) -> None:
    table.collect()
    table.pay()
    table.to(7, (51, 500))
    table.off(7, 51)
    moved(table.watch, 8, [(51, 500)], (), due={A: LOSER, B: WINNER})
    table.to(FLOAT, (51, 500))
    assert table.found() == [(8, "overcollected", 500)]


def test_a_payment_laid_on_the_wrong_area_moves_with_its_chips_until_it_is_right(table: Table) -> None:
    due = {A: LOSER, B: WINNER}
    table.collect()
    table.off(FLOAT, 31, 32)
    table.to(A, *PAYMENT)
    assert table.found() == [(A, "paid_without_win", 15_000), (B, "underpaid", 15_000)]
    table.off(A, 31, 32)
    moved(table.watch, B, PAYMENT, (), due=due)
    assert table.found() == []


def test_a_stake_given_back_after_it_was_swept_in_is_its_players_wherever_they_slide_it(table: Table) -> None:
    table.collect()
    table.pay()
    table.to(FLOAT, (21, 5000))
    table.off(FLOAT, 21)
    table.to(B, (21, 5000))
    table.off(B, 21)
    table.to(A, (21, 5000))
    assert table.found() == []


def test_a_losing_stake_laid_down_for_the_winner_is_taken_and_paid_at_once(table: Table) -> None:
    table.to(B, (11, 2500), (12, 2500), (31, 10_000))
    table.off(A, 11, 12)
    assert table.found() == []


def test_a_winners_stake_that_its_player_slides_elsewhere_is_neither_collected_nor_a_payment(table: Table) -> None:
    table.collect()
    table.pay()
    table.to(3, (21, 5000))
    table.off(B, 21)
    assert table.found() == table.found(float_watched=False) == []
    table.off(3, 21)
    table.to(FLOAT, (21, 5000))
    assert table.found() == [(B, "overcollected", 5000)]


def test_a_stake_that_was_slid_back_and_away_again_is_its_players_still(table: Table) -> None:
    table.collect()
    table.pay()
    for area in (3, B, 4):
        table.to(area, (21, 5000))
    assert table.found() == []


def test_of_lost_and_other_chips_slid_off_an_area_only_what_has_lost_was_collected() -> None:
    watch = watch_from([(11, A, 2500), (12, A, 2500), (21, B, 5000)], TRAY)
    due = {A: Due(A, "A", taken=2500), B: Due(B, "B", pays=2500)}
    moved(watch, B, [(11, 2500)], ())
    moved(watch, 3, [(12, 2500)], ())
    moved(watch, A, (), (11, 12))
    assert verify(watch, due) == ()


def test_a_chip_above_what_was_lost_is_laid_down_for_the_winner_and_its_change_is_due() -> None:
    watch = watch_from([(11, A, 5000), (21, B, 5000)], TRAY)
    due = {A: Due(A, "A", taken=2500), B: Due(B, "B", pays=5000)}
    moved(watch, B, [(11, 5000)], ())
    assert [(one.area, one.kind, one.cents) for one in verify(watch, due)] == [(A, "overcollected", 2500)]
    moved(watch, A, [(33, 2500)], (11,))
    assert verify(watch, due) == ()


def test_chips_a_player_lays_down_are_no_payment(table: Table) -> None:
    table.collect()
    table.to(B, (91, 15_000))
    assert table.found() == [(B, "underpaid", 15_000)]
    assert table.found(float_watched=False) == []


def test_a_surplus_over_the_maximum_goes_back_and_only_the_maximum_is_collected() -> None:
    watch = watch_from([(11, A, 10_000), (12, A, 2500)], TRAY)
    due = {A: Due(A, "A", taken=10_000)}
    moved(watch, A, (), (11, 12))
    moved(watch, FLOAT, [(11, 10_000), (12, 2500)], ())
    assert [finding.kind for finding in verify(watch, due)] == ["overcollected"]
    moved(watch, FLOAT, (), (12,))
    moved(watch, A, [(12, 2500)], ())
    assert verify(watch, due) == ()


def test_what_is_found_while_an_antenna_reads_in_part_is_not_sure(table: Table) -> None:
    table.collect()
    moved(table.watch, B, [(31, 10_000)], (), partial=True)
    assert [finding.sure for finding in verify(table.watch, {A: LOSER, B: WINNER})] == [False]
    moved(table.watch, B, [(32, 5000)], ())
    assert table.found() == []


def test_what_a_result_that_is_taken_back_asked_for_is_asked_no_more_and_goes_back_where_it_was_done() -> None:
    lost = WagerResult("a", "Ann", "A", "lose", 0, 5000, 0, ())
    assert without(LOSER, lost) == Due(A, "A")
    assert without(Due(A, "A"), lost) == Due(A, "A", pays=5000)
    won = WagerResult("b", "Bob", "B", "win", 15_000, 0, 5000, ())
    assert without(WINNER, won) == Due(B, "B")
    assert without(Due(B, "B", pays=5000), won) == Due(B, "B", taken=10_000)


def test_withheld_winnings_are_not_due_yet() -> None:
    won = WagerResult("p1/B", "p1", "B", "win", 15_000, 0, 5000, ())
    lost = WagerResult("p2/A", "p2", "A", "lose", 0, 5000, 0, ())
    areas = {"A": A, "B": B}
    held = WagerResult("p3/B", "p3", "B", "win", 3000, 0, 1000, (), withheld=True)
    assert dues([won, lost, held], lambda result: areas[result.bet]) == {A: LOSER, B: WINNER}


# -- every injected wrong is found -------------------------------------------------------------------------------

VALUES = (250, 500, 2500, 10_000)


class World:
    """Areas with stakes, a float with plenty of chips, and a dealer who may do one thing wrong."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.next_tag = 1
        self.worth: dict[int, int] = {}
        self.float = [self.chip(value) for value in VALUES for _ in range(200)]
        winner = self.random.randint(1, 4)
        self.stakes = {area: [self.chip(self.random.choice(VALUES)) for _ in range(3)] for area in (1, 2, 3, 4)}
        self.due = {}
        for area, tags in self.stakes.items():
            stake = self.value(tags)
            self.due[area] = Due(area, str(area), pays=3 * stake) if area == winner else Due(area, str(area), 0, stake)
        self.winner = winner
        lying = [(tag, area, self.worth[tag]) for area, tags in self.stakes.items() for tag in tags]
        self.watch = watch_from(lying, self.float)

    def chip(self, cents: int) -> int:
        self.next_tag += 1
        self.worth[self.next_tag] = cents
        return self.next_tag

    def value(self, tags: list[int]) -> int:
        return sum(self.worth[tag] for tag in tags)

    def shift(self, tags: list[int], source: int, target: int) -> None:
        """Move chips; the two antennas tell it in either order, each chip by itself or all together."""
        groups = [[tag] for tag in tags] if self.random.random() < 0.5 else [tags]
        for group in groups:
            added = [(tag, self.worth[tag]) for tag in group]
            steps = [lambda a=added: moved(self.watch, target, a, ()), lambda g=group: moved(self.watch, source, (), g)]
            if self.random.random() < 0.5:
                steps.reverse()
            for step in steps:
                step()

    def out_of_float(self, cents: int) -> list[int]:
        counts: dict[int, int] = {}
        for tag in self.float:
            counts[self.worth[tag]] = counts.get(self.worth[tag], 0) + 1
        plan = chips_for(cents, counts)
        assert plan is not None
        chosen = []
        for value, count in plan.items():
            same = [tag for tag in self.float if self.worth[tag] == value][:count]
            chosen += same
        self.float = [tag for tag in self.float if tag not in chosen]
        return chosen

    def play(self, wrong: str) -> Finding | None:
        """Collect and pay in any order with this one wrong; what must be found."""
        losers = [area for area in self.stakes if area != self.winner]
        victim = self.random.choice(losers)
        expected: Finding | None = None
        self.random.shuffle(losers)
        for area in losers:
            tags = list(self.stakes[area])
            if area == victim and wrong == "not_collected":
                left = tags.pop()
                expected = Finding(area, str(area), "not_collected", self.worth[left])
            if area == victim and wrong == "taken_away":
                stolen = tags.pop()
                moved(self.watch, area, (), [stolen])
                expected = Finding(area, str(area), "taken_away", self.worth[stolen])
            self.shift(tags, area, FLOAT)
            self.float += tags
        pays = self.due[self.winner].pays
        extra = self.random.choice(VALUES)
        name = str(self.winner)
        if wrong == "underpaid":
            pays -= 250
            expected = Finding(self.winner, name, "underpaid", 250)
        if wrong == "overpaid":
            kind = "paid_twice" if extra == pays else "overpaid"
            expected = Finding(self.winner, name, kind, extra)
            pays += extra
        if wrong == "paid_twice":
            expected = Finding(self.winner, name, "paid_twice", pays)
            self.shift(self.out_of_float(pays), FLOAT, self.winner)
        self.shift(self.out_of_float(pays), FLOAT, self.winner)
        if wrong == "paid_without_win":
            self.shift(self.out_of_float(extra), FLOAT, victim)
            expected = Finding(victim, str(victim), "paid_without_win", extra)
        return expected


WRONGS = ("nothing", "not_collected", "taken_away", "underpaid", "overpaid", "paid_twice", "paid_without_win")


@pytest.mark.parametrize("wrong", WRONGS)
@pytest.mark.parametrize("seed", range(25))
def test_one_wrong_in_random_play_is_found_on_its_area_to_the_cent_and_nothing_else_is(wrong: str, seed: int) -> None:
    world = World(seed)
    expected = world.play(wrong)
    assert verify(world.watch, world.due) == (() if expected is None else (expected,))


def test_what_chips_cannot_show_is_listed_with_the_reason() -> None:
    assert all(len(reason) > 20 for reason in NOT_DETECTABLE.values())


# -- mispayments -------------------------------------------------------------------------------------------------


@clause("star-war", "11.19.1", "11.19.2", "11.20.1", "11.20.2")
def test_a_mispayment_is_recorded_with_amount_and_patron_and_says_what_the_record_lacks() -> None:
    made = mispayment(Finding(2, "B", "underpaid", 500), 7, 1000, "P-aaaaaa")
    assert made is not None
    assert (made.round, made.cents, made.patron) == (7, -500, "P-aaaaaa")
    assert made.open_questions == ("11.19.1", "11.19.2")
    over = mispayment(Finding(2, "B", "paid_twice", 500), 7, 1000)
    assert over is not None
    assert over.cents == 500
    assert mispayment(Finding(2, "B", "not_collected", 500), 7, 1000) is None


@clause("star-war", "11.21.2")
def test_single_mispayments_above_a_thousand_dollars_go_on_the_months_list() -> None:
    amounts = [
        ("underpaid", 100_000, 10),
        ("underpaid", 100_001, 10),
        ("overpaid", 200_000, 10),
        ("overpaid", 200_000, 99),
    ]
    made = [mispayment(Finding(2, "B", kind, cents), 7, at) for kind, cents, at in amounts]
    listed = reportable([one for one in made if one is not None], 0, 50)
    assert [item.cents for item in listed] == [-100_001, 200_000]


@given(st.integers(0, 10_000))
def test_whatever_order_the_antennas_tell_it_in_a_right_round_is_right(seed: int) -> None:
    world = World(seed)
    world.play("nothing")
    assert verify(world.watch, world.due) == ()


# -- the list that hands follow ----------------------------------------------------------------------------------


def test_the_list_has_losers_first_and_says_what_is_left_as_chips_move() -> None:
    table = Table()
    assert table.steps() == (Step(A, "A", 5000, 0, left=5000), Step(B, "B", 0, 15_000, left=15_000))
    table.off(A, 11)
    table.to(FLOAT, (11, 2500))
    assert table.steps()[0] == Step(A, "A", 5000, 0, left=2500, begun=True)
    table.off(FLOAT, 31)
    table.to(B, (31, 10_000))
    assert table.steps()[1] == Step(B, "B", 0, 15_000, left=5000, begun=True)
    table.collect()
    table.pay()
    assert [(step.left, step.over) for step in table.steps()] == [(0, 0), (0, 0)]


def test_the_list_says_too_much_at_once_where_the_float_is_watched_and_not_where_it_is_not() -> None:
    table = Table()
    table.pay()
    table.off(FLOAT, 33)
    table.to(B, (33, 1000))
    assert [step.over for step in table.steps()] == [0, 1000]
    assert [step.over for step in table.steps(float_watched=False)] == [0, 0]


def test_chips_where_nothing_is_asked_come_with_what_is_wrong() -> None:
    table = Table()
    table.off(FLOAT, 34)
    table.to(7, (34, 500))
    assert table.steps()[-1] == Step(7, "", 0, 0, over=500, begun=True)


def test_a_payment_on_a_loser_is_told_apart_from_what_is_still_to_be_taken() -> None:
    table = Table()
    table.off(FLOAT, 33)
    table.to(A, (33, 1000))
    assert table.steps()[0] == Step(A, "A", 5000, 0, left=5000, stray=1000, begun=True)
