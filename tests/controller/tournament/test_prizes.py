"""Prizes to the last dollar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.config.tomlread import Cents
from controller.tournament.prizes import NoDeal, Paid, awarded, by_place, dealt, in_cash, pool
from controller.tournament.standings import by_bank
from controller.tournament.terms import CashRate, Prizes


def stated(pool, split, **others):
    return Prizes(pool=pool, split=split, **others)


ODD = stated(pool=100_100, split=(50, 30, 20), unit=100)


def dollars(won):
    return {entrant: cents // 100 for entrant, cents in won.items()}


def test_tw_20_the_odd_dollar_goes_to_the_first_and_equal_banks_share_the_places_they_fill() -> None:
    order = by_bank({"P1": 20000, "P2": 12000, "P3": 12000, "P4": 300})
    assert by_place(ODD, 100_100, 4) == (50_100, 30_000, 20_000)
    assert dollars(awarded(ODD, 100_100, order)) == {"P1": 501, "P2": 250, "P3": 250}


def test_tw_19_who_is_barred_has_no_prize_and_everybody_eligible_moves_up() -> None:
    order = (("E1",), ("P2",), ("P3",), ("P4",), ("P5",))
    assert dollars(awarded(stated(1_000_000, (50, 30, 20), unit=100), 1_000_000, order, {"E1"})) == {
        "P2": 5000, "P3": 3000, "P4": 2000,
    }  # fmt: skip


def test_a_share_that_leaves_a_dollar_over_gives_it_to_the_first_who_stands_alone() -> None:
    prizes = stated(100_000, (50, 25, 25), unit=100)
    order = (("P1",), ("P2", "P3", "P4"))
    assert dollars(awarded(prizes, 100_000, order)) == {"P1": 502, "P2": 166, "P3": 166, "P4": 166}


def test_the_odd_dollar_may_be_the_last_ones_where_the_terms_say_so() -> None:
    assert by_place(stated(100_100, (50, 30, 20), unit=100, odd="last"), 100_100, 3) == (50_000, 30_000, 20_100)


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=6),
    st.integers(0, 100_000),
    st.sampled_from([100, 500, 1000]),
    st.dictionaries(st.sampled_from([f"P{n}" for n in range(1, 12)]), st.integers(0, 4), min_size=1),
    st.sets(st.sampled_from([f"P{n}" for n in range(1, 12)])),
    st.sampled_from(["first", "last"]),
)
def test_the_sum_of_all_prizes_is_the_pool_and_nobody_barred_has_one(weights, units, unit, banks, barred, odd) -> None:
    split = [100 * weight // sum(weights) for weight in weights]
    split[0] += 100 - sum(split)
    amount = units * unit
    won = awarded(stated(0, tuple(split), unit=unit, odd=odd), amount, by_bank(banks), barred)
    assert not barred & set(won)
    assert sum(won.values()) == (amount if set(banks) - barred else 0)
    assert all(cents >= 0 and cents % unit == 0 for cents in won.values())


def test_a_pool_made_of_what_was_paid_grows_with_it_and_never_falls_below_the_guarantee() -> None:
    paid = Paid(entry_fees=2_000, buy_ins=20_000, again=10_000)
    assert pool(stated(0, (100,), made_of="buy_ins"), paid) == 30_000
    assert pool(stated(5_000, (100,), made_of="entry_fees"), paid) == 7_000
    assert pool(stated(0, (100,), made_of="all_paid", guarantee=50_000), paid) == 50_000


DUE = {"P1": 250_000, "P2": 150_000, "P3": 100_000}
WANTED = {"P1": 200_000, "P2": 150_000, "P3": 150_000}


def test_tp_11_a_deal_needs_a_term_every_consent_and_the_same_sum() -> None:
    with pytest.raises(NoDeal, match="the terms provide no deal") as no:
        dealt(stated(500_000, (50, 30, 20)), DUE, WANTED, {"P1", "P2", "P3"})
    assert no.value.clauses == ("4.7(b)",)
    terms = stated(500_000, (50, 30, 20), deal="all_agree")
    assert dealt(terms, DUE, WANTED, {"P1", "P2", "P3"}) == WANTED
    with pytest.raises(NoDeal, match="P2 did not agree"):
        dealt(terms, DUE, WANTED, {"P1", "P3"})
    with pytest.raises(NoDeal, match="comes to"):
        dealt(terms, DUE, {**WANTED, "P1": 200_100}, {"P1", "P2", "P3"})


def test_tw_28_chips_become_cash_at_the_stated_rate() -> None:
    rate = CashRate(100, Cents(100))
    assert [in_cash(rate, units) // 100 for units in (12300, 4500, 0)] == [123, 45, 0]
