"""Betting structures: what is due in a round, and limits and blinds that cannot be signed."""

from __future__ import annotations

import pytest

from controller.games.poker.structures import Structure, pot_limit_total, structure_faults
from tests.controller.games.poker.hands import FIXED, NO_LIMIT, POT
from tests.controller.games.poker.seen import clause

# -- structures -------------------------------------------------------------------------------------------------------


SPREAD = Structure("spread", 200, 100, maximum=1000)


@clause("1.1 'Fixed bet'", "1.1 'Flexible bet'", "1.1 'No limit'", "1.1 'Spread Limit'", "1.1 'Structured limit'")
def test_each_structure_says_what_is_due_in_a_round_and_whether_raises_are_counted() -> None:
    assert [FIXED.step(number) for number in (1, 2, 3, 4)] == [200, 200, 400, 400]
    assert [SPREAD.step(number) for number in (1, 4)] == [200, 200]
    assert [one.limited for one in (FIXED, SPREAD, NO_LIMIT, POT)] == [True, True, False, False]
    assert (FIXED.first_minimum, NO_LIMIT.first_minimum) == (200, 200)


@clause("6.7")
def test_a_pot_ratio_wager_counts_the_call_as_in_the_pot_first_and_ends_at_a_chip() -> None:
    assert pot_limit_total("pot", 400, 300, 1000, 100) == 1700
    assert pot_limit_total("half_pot", 400, 300, 1100, 100) == 1100
    assert pot_limit_total("half_pot", 400, 300, 1000, 100) == 1000
    assert pot_limit_total("pot", 0, 0, 1050, 100) == 1000


@clause("6.4", "8.9.1", "1.1 'Structured limit'", "1.1 'Spread Limit'", "1.1 'Fixed bet'")
@pytest.mark.parametrize(
    ("structure", "blinds", "faults"),
    [
        (NO_LIMIT, (100, 200), []),
        (NO_LIMIT, (100, 100), ["6.4"]),
        (NO_LIMIT, (200, 300), []),
        (NO_LIMIT, (), ["8.9.1"]),
        (NO_LIMIT, (0, 200), ["8.9.1"]),
        (NO_LIMIT, (150, 200), ["8.5"]),
        (Structure("no_limit", 200, 1, maximum=-1), (200,), ["8.5"]),
        (Structure("no_limit", 200, 0), (200,), ["8.5"]),
        (Structure("no_limit", -200, 100), (200,), ["8.5", "6.4"]),
        (Structure("no_limit", 0, 100), (100,), ["6.4"]),
        (Structure("no_limit", 1, 1), (1,), []),
        (Structure("no_limit", 200, 100, levels=(100,)), (200,), ["1.1 'Fixed bet'"]),
        (FIXED, (100, 200), []),
        (FIXED, (100,), ["6.4"]),
        (Structure("fixed", 0, 100, levels=(200, 200, 400)), (200,), ["1.1 'Structured limit'"]),
        (Structure("fixed", 0, 100, levels=(200, 0, 400, 400)), (200,), ["1.1 'Structured limit'"]),
        (Structure("fixed", 0, 100, levels=(100, 100, 100, 100)), (100,), []),
        (Structure("fixed", 0, 1, levels=(1, 1, 1, 1)), (1,), []),
        (SPREAD, (200,), []),
        (Structure("spread", 200, 100, maximum=100), (200,), ["1.1 'Spread Limit'"]),
        (Structure("spread", 200, 100, maximum=200), (200,), []),
        (Structure("spread", 1, 1, maximum=1), (1,), []),
        (Structure("spread", 0, 100, maximum=200), (200,), ["1.1 'Spread Limit'", "6.4"]),
    ],
)
def test_limits_and_blinds_that_cannot_be_signed_are_named_with_their_clauses(
    structure: Structure, blinds: tuple[int, ...], faults: list[str]
) -> None:
    assert [named for named, _ in structure_faults(structure, blinds)] == faults
