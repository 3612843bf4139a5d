"""What chips of a float can make."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.money.payable import chips_for, payable

# -- payable in chips --------------------------------------------------------------------------------------------

SMALL_FLOATS = st.dictionaries(st.sampled_from([250, 500, 700, 1000, 2500]), st.integers(0, 4), max_size=5)


def makeable(chips: dict[int, int]) -> set[int]:
    counts = [range(count + 1) for count in chips.values()]
    return {sum(n * value for n, value in zip(each, chips, strict=True)) for each in product(*counts)}


@given(SMALL_FLOATS, st.integers(0, 20_000))
def test_an_amount_is_payable_exactly_when_some_chips_of_the_float_make_it(chips: dict[int, int], cents: int) -> None:
    amounts = makeable(chips)
    assert payable(cents, chips) == (cents in amounts)
    found = chips_for(cents, chips)
    if cents in amounts:
        assert found is not None
        assert sum(value * count for value, count in found.items()) == cents
        assert all(0 < count <= chips[value] for value, count in found.items())
    else:
        assert found is None


def test_large_chips_come_first_where_they_make_the_amount() -> None:
    assert chips_for(3000, {2500: 4, 1000: 3, 250: 9}) == {2500: 1, 250: 2}


def test_a_full_float_answers_at_once() -> None:
    chips = {100: 400, 250: 400, 500: 400, 2500: 400, 10_000: 200, 50_000: 100, 100_000: 60}
    assert chips_for(2_349_850, chips) is not None
    assert not payable(2_349_849, chips)


def test_chips_without_a_value_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="above nothing"):
        payable(500, {0: 3})
