"""The seat draw: an equal chance, repeatable from what is on record."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floor.hall.draw import NoRoom, drawn


@given(st.text(min_size=32, max_size=64), st.integers(1, 40), st.integers(1, 5), st.integers(1, 11))
def test_everybody_has_a_seat_of_their_own_and_tables_differ_by_one_at_most(entropy, people, tables, seats) -> None:
    entrants = [f"P{n}" for n in range(people)]
    names = [f"T{n}" for n in range(tables)]
    if people > tables * seats:
        with pytest.raises(NoRoom):
            drawn(entropy, entrants, names, seats)
        return
    found = drawn(entropy, entrants, names, seats)
    assert found == drawn(entropy, entrants[::-1], names, seats)
    assert set(found) == set(entrants)
    assert len({(seat.table, seat.seat) for seat in found.values()}) == people
    count = Counter(seat.table for seat in found.values())
    assert max(count.values()) - min(count.get(name, 0) for name in names) <= 1
    assert all(1 <= seat.seat <= seats for seat in found.values())


def test_every_seat_is_as_likely_as_any_other() -> None:
    draws = 3000
    count = Counter(
        drawn(f"entropy number {n}".ljust(32), ["A", "B", "C", "D"], ["T1", "T2"], 3)["A"] for n in range(draws)
    )
    assert len(count) == 6
    expected = draws / 6
    assert sum((found - expected) ** 2 / expected for found in count.values()) < 20.5  # chi-squared, 5 degrees, 0.001


def test_a_draw_is_the_same_on_every_machine_and_in_every_version() -> None:
    found = drawn("5eed" * 16, ["P1", "P2", "P3", "P4"], ["T1", "T2"], 3)
    assert {number: (seat.table, seat.seat) for number, seat in found.items()} == {
        "P1": ("T1", 2), "P2": ("T2", 3), "P3": ("T2", 1), "P4": ("T1", 3),
    }  # fmt: skip
