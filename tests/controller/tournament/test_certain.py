"""What is determined before a session ends."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tournament.certain import Reach, Situation, best_after, by_number, by_reach, reach_of, worst_after
from tests.controller.tournament.stated import terms


def reach(game) -> Reach:
    found = reach_of(terms(game))
    assert found is not None
    return found


WAR, WHEEL = reach("war"), reach("wheel")


@pytest.mark.clause("melbourne-war", "10.4.8(d)(i)")
def test_tw_17_what_looks_settled_is_not_because_the_tie_pays_ten_to_one() -> None:
    first = by_reach(WAR, Situation({"P1": 40000, "P2": 30000, "P3": 9000}, 2, 1, 5000))
    assert (first.certain, first.why) == (False, "P3 can reach 67,000; P2 can fall to 20,000")
    second = by_reach(WAR, Situation({"P1": 40000, "P2": 30000, "P3": 1000}, 2, 1, 5000))
    assert (second.certain, second.why) == (True, "P3 can reach 11,000; P2 cannot fall below 20,000")
    assert second.through == ("P1", "P2")


def test_a_re_buy_marker_that_is_left_keeps_it_open() -> None:
    now = Situation({"P1": 40000, "P2": 30000, "P3": 400}, 2, 1, 5000, compulsory=500, bring=10000)
    assert by_reach(WAR, now).certain
    marked = Situation(now.banks, 2, 1, 5000, compulsory=500, bring=10000, markers={"P3": 1})
    assert best_after(WAR, marked, "P3") == 10400 + 10 * 5000 + 2 * 5000
    assert not by_reach(WAR, marked).certain


def test_who_may_still_buy_back_keeps_it_open() -> None:
    assert not by_reach(WAR, Situation({"P1": 40000, "P2": 1000}, 1, 0, 5000, returning=("P9",))).certain


def test_equal_banks_at_the_line_are_never_certain() -> None:
    assert not by_reach(WAR, Situation({"P1": 40000, "P2": 30000, "P3": 30000}, 2, 0, 5000)).certain


def _rounds_of_war(bank, most, step):
    """Every outcome of a round of Casino War by brute force, in steps: the judge shares no formula."""
    stakes = range(0, min(bank, most) + 1, step)
    for tie, main in itertools.product(stakes, stakes):
        if tie + main > bank:
            continue
        yield bank + main - tie
        yield bank - main - tie
        at_interim = bank + 10 * tie  # equal cards; the main wager lies
        yield at_interim - main // 2
        if at_interim - main >= main:
            yield from (at_interim + main, at_interim - 2 * main, at_interim + 2 * main)


@settings(max_examples=60)
@given(st.integers(0, 30), st.integers(1, 10))
def test_the_bounds_of_war_are_what_every_possible_round_gives(bank, most) -> None:
    step = 100
    found = list(_rounds_of_war(bank * step, most * step, step))
    assert WAR.best(bank * step, most * step) == max(found)
    assert WAR.worst(bank * step, most * step) == min(found)


def test_the_wheels_bounds_are_its_highest_odds_and_a_stake_on_every_symbol() -> None:
    now = Situation({"P1": 1000, "P2": 30}, 1, 1, 200)
    assert best_after(WHEEL, now, "P2") == 30 + 47 * 30
    assert worst_after(WHEEL, now, "P1") == 0


@pytest.mark.clause("melbourne-poker", "12.4.8(d)[(i)]")
def test_poker_is_certain_only_when_as_many_are_left_as_go_on_and_no_re_buy_is_open() -> None:
    assert reach_of(terms("poker")) is None
    assert not by_number(["P1", "P2", "P3"], 2, rebuy_open=False).certain
    assert not by_number(["P1", "P2"], 2, rebuy_open=True).certain
    assert by_number(["P1", "P2"], 2, rebuy_open=False).certain
