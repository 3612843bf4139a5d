"""Which card beats which, what makes a pair, and how many a turned card burns."""

from __future__ import annotations

import pytest

from controller.games.war.cards import FACES, RANKS, burn_value
from controller.games.war.settle import compare, pair
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause

# -- cards -----------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "3.3.1")
@clause(PERTH, "2.6(a)", "2.6(b)")
@clause(STAR, "3.2.1")
def test_every_card_beats_exactly_those_of_lower_rank_and_equals_its_own() -> None:
    for first in FACES:
        for second in FACES:
            difference = RANKS.index(first[0]) - RANKS.index(second[0])
            assert compare(first, second) == (0 if not difference else 1 if difference > 0 else -1)


@clause(PERTH, "3.15(a)", "3.15(b)", "1.1 [Perfect Pair]", "1.1 [Coloured Pair]", "1.1 [Mixed Pair]")
@pytest.mark.parametrize(
    ("second", "made"),
    [("KS", "perfect"), ("KC", "coloured"), ("KH", "mixed"), ("KD", "mixed"), ("QS", None), ("TS", None)],
)
def test_a_pair_is_of_one_rank_and_the_better_the_nearer_its_suits(second: str, made: str | None) -> None:
    assert pair("KS", second) == made
    assert pair(second, "KS") == made
    assert (pair("KH", "KD"), pair("KD", "KC")) == ("coloured", "mixed")


@clause(PERTH, "4.7")
def test_the_turned_card_burns_as_many_as_it_counts() -> None:
    counted = [burn_value(rank + "S") for rank in RANKS]
    assert counted == [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1]
