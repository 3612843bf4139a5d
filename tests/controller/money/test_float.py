"""The float tray: opening to closing, fills and credits, and every chip that left or came without an explanation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.events import Chip
from controller.money.float import (
    FLOAT,
    Difference,
    Float,
    balanced,
    book,
    closed,
    counted,
    denominations,
    differences,
    in_play,
    moved,
    opened,
    unexplained,
)


def chip(tag: int, cents: int = 500, kind: str = "cash") -> Chip:
    return Chip(tag, kind, cents)


def tray(*tags: int) -> Float:
    return opened([chip(tag) for tag in tags])


def to(float_: Float, area: int, *tags: int) -> None:
    moved(float_, area, [chip(tag) for tag in tags], (), 1)


def off(float_: Float, area: int, *tags: int) -> None:
    moved(float_, area, (), tags, 2)


def test_a_float_opens_with_what_the_antennas_read_and_says_where_the_slip_differs() -> None:
    float_ = opened(
        [chip(1), chip(2), chip(3, 2500), chip(4, 0, "colour"), chip(5, 1000, "token"), chip(6, 0, "unknown")]
    )
    assert denominations(float_) == {2500: 1, 1000: 1, 500: 2}
    assert (float_.opening, float_.value) == (4500, 4500)
    assert differences(float_, {500: 2, 1000: 1, 2500: 1}) == ()
    assert differences(float_, {500: 3, 2500: 1}) == (Difference(1000, 0, 1), Difference(500, 3, 2))


def test_what_a_settlement_asked_for_explains_what_left_and_what_came_back() -> None:
    float_ = tray(1, 2, 3)
    to(float_, 1, 91)  # a player's stake on area 1 that loses
    to(float_, 2, 92)  # and one on area 2 that wins one to one
    off(float_, 1, 91)
    to(float_, FLOAT, 91)
    off(float_, FLOAT, 1)
    to(float_, 2, 1)
    assert unexplained(float_, {1: -500, 2: 500}) is None
    assert closed(float_).won == 0
    balanced(float_)
    off(float_, 2, 1, 92)
    assert unexplained(float_, {}) is None


def test_a_chip_that_leaves_the_tray_for_nowhere_is_missing_and_was_last_seen_in_the_float() -> None:
    float_ = tray(1, 2, 3)
    off(float_, FLOAT, 2)
    found = unexplained(float_, {})
    assert found is not None
    assert (found.cents, [(stray.tag, stray.last_area) for stray in found.chips]) == (-500, [(2, FLOAT)])
    to(float_, FLOAT, 2)
    assert unexplained(float_, {}) is None


def test_a_chip_paid_where_nothing_was_due_is_named_with_the_area_it_lies_on() -> None:
    float_ = tray(1, 2, 3)
    off(float_, FLOAT, 1)
    to(float_, 3, 1)
    found = unexplained(float_, {})
    assert found is not None
    assert (found.areas, [(stray.tag, stray.last_area) for stray in found.chips]) == ({3: 500}, [(1, 3)])
    found = unexplained(float_, {3: 1000})
    assert found is not None
    assert found.areas == {3: -500}


def test_a_chip_that_comes_from_nowhere_is_a_surplus_until_somebody_books_it() -> None:
    float_ = tray(1)
    to(float_, FLOAT, 50)
    found = unexplained(float_, {})
    assert found is not None
    assert (found.cents, found.chips[0].last_area) == (500, -1)
    book(float_, "fill", 500)
    assert unexplained(float_, {}) is None
    assert closed(float_).booked == {"fill": 500}


def test_a_fill_that_is_booked_first_is_short_until_its_chips_are_in_the_tray() -> None:
    float_ = tray(1)
    book(float_, "fill", 1000)
    assert float_.gap == -1000
    to(float_, FLOAT, 50)
    assert float_.gap == -500
    to(float_, FLOAT, 51)
    assert unexplained(float_, {}) is None


@pytest.mark.parametrize("kind", ["credit", "buy_in", "redeem"])
def test_chips_that_leave_with_a_booking_are_explained_even_when_they_are_staked_at_once(kind: str) -> None:
    float_ = tray(1, 2)
    off(float_, FLOAT, 1)
    book(float_, kind, 500)
    to(float_, 4, 1)
    assert unexplained(float_, {}) is None
    assert float_.paid == 0


def test_only_what_is_known_is_booked_and_only_amounts() -> None:
    with pytest.raises(ValueError, match="nothing is booked as 'gift'"):
        book(tray(1), "gift", 500)
    with pytest.raises(ValueError, match="above nothing"):
        book(tray(1), "fill", 0)


def test_chips_changed_for_others_of_the_same_value_leave_no_gap() -> None:
    float_ = opened([chip(1, 1000)])
    moved(float_, FLOAT, [chip(50), chip(51)], (1,), 1)
    assert unexplained(float_, {}) is None


def test_a_tray_read_in_part_makes_what_is_found_unsure() -> None:
    float_ = tray(1, 2)
    moved(float_, FLOAT, (), (2,), 1, partial=True)
    found = unexplained(float_, {})
    assert found is not None
    assert found.sure is False


def test_everything_read_anew_tells_the_same_as_the_moves_it_took_the_place_of() -> None:
    float_ = tray(1, 2, 3)
    to(float_, 1, 91)
    counted(float_, {FLOAT: [chip(2), chip(3), chip(91)], 1: [], 2: [chip(1)]}, 5)
    assert unexplained(float_, {1: -500, 2: 500}) is None
    assert float_.tray.keys() == {2, 3, 91}


# -- conservation ------------------------------------------------------------------------------------------------

OUTSIDE = -1
TAGS = range(1, 13)
WORTH = {tag: (250, 500, 2500, 10_000)[tag % 4] for tag in TAGS}
PLACES = st.sampled_from([OUTSIDE, FLOAT, 1, 2, 3])
MOVES = st.lists(
    st.tuples(st.sampled_from(TAGS), PLACES, st.booleans(), st.booleans(), st.booleans(), st.booleans()), max_size=60
)


def shift(float_: Float, places: dict[int, int], tag: int, target: int, added_first: bool, owed: bool = True) -> None:
    source, places[tag] = places[tag], target
    steps = []
    if target != OUTSIDE:
        steps.append(lambda: moved(float_, target, [chip(tag, WORTH[tag])], (), 0, owed=owed))
    if source != OUTSIDE:
        steps.append(lambda: moved(float_, source, (), [tag], 0, owed=owed))
    for step in steps if added_first else reversed(steps):
        step()


def identity(float_: Float) -> int:
    strays = sum(s.cents for s in float_.come) - sum(s.cents for s in float_.gone)
    return float_.opening + float_.collected - float_.paid + strays + float_.explained


@given(MOVES)
def test_no_money_is_made_or_lost_whatever_moves_in_whatever_order(
    moves: list[tuple[int, int, bool, bool, bool, bool]],
) -> None:
    places = {tag: FLOAT if tag <= 6 else OUTSIDE for tag in TAGS}
    float_ = opened([chip(tag, WORTH[tag]) for tag in TAGS if tag <= 6])
    for tag, target, added_first, owed, staked, ended in moves:
        if places[tag] == target:
            continue
        shift(float_, places, tag, target, added_first, owed)
        if staked:
            in_play(float_, tuple(float_.lies))
        assert float_.tray == {t: WORTH[t] for t, place in places.items() if place == FLOAT}
        assert float_.lies == {t: place for t, place in places.items() if place > 0}
        assert float_.value == identity(float_)
        if ended:
            balanced(float_)
            assert float_.gap == 0
            assert float_.value == identity(float_)


@given(
    st.lists(st.tuples(st.sampled_from(TAGS), st.sampled_from([FLOAT, 1, 2, 3]), st.booleans()), max_size=40),
    st.sampled_from(range(1, 7)),
)
def test_a_theft_from_the_tray_in_the_middle_of_play_is_found_with_its_chip(
    moves: list[tuple[int, int, bool]], stolen: int
) -> None:
    places = {tag: FLOAT if tag <= 6 else 1 for tag in TAGS}
    float_ = opened([chip(tag, WORTH[tag]) for tag in TAGS if tag <= 6])
    for tag in TAGS:
        if tag > 6:
            moved(float_, 1, [chip(tag, WORTH[tag])], (), 0)
    for tag, target, added_first in moves:
        if places[tag] != target and tag != stolen:
            shift(float_, places, tag, target, added_first)
    due = dict(float_.flows)
    assert unexplained(float_, due) is None
    shift(float_, places, stolen, OUTSIDE, False)
    found = unexplained(float_, due)
    assert found is not None
    assert (found.cents, [stray.tag for stray in found.chips]) == (-WORTH[stolen], [stolen])
