"""Order, equal banks, and who went out before whom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.tournament import standings
from controller.tournament.standings import Out, by_bank, cut, order_of_going, places

TW_16 = {"P1": 14500, "P2": 9800, "P3": 9800, "P4": 7000, "P5": 0, "P6": 9100}


def test_tw_16_two_equal_banks_at_the_line_are_left_to_the_tie_rule_and_nobody_else_is() -> None:
    order = by_bank(TW_16)
    assert order == (("P1",), ("P2", "P3"), ("P6",), ("P4",), ("P5",))
    line = cut(order, 2)
    assert (line.through, line.equal, line.left) == (("P1",), ("P2", "P3"), 1)
    assert not line.decided


def test_a_group_that_goes_through_whole_is_no_tie() -> None:
    assert cut(by_bank(TW_16), 3) == standings.Cut(("P1", "P2", "P3"))


def test_a_play_off_tells_the_group_apart_and_leaves_the_rest_alone() -> None:
    order = standings.broken_by(by_bank(TW_16), ("P2", "P3"), {"P2": 3000, "P3": 7500})
    assert cut(order, 2).through == ("P1", "P3")
    assert standings.flat(order)[3:] == ("P6", "P4", "P5")


def test_a_play_off_that_ends_equal_leaves_the_tie_open() -> None:
    order = standings.broken_by(by_bank(TW_16), ("P2", "P3"), {"P2": 3000, "P3": 3000})
    assert cut(order, 2).equal == ("P2", "P3")


def test_an_order_of_others_breaks_no_tie() -> None:
    with pytest.raises(ValueError, match="no order of"):
        standings.broken(by_bank(TW_16), ("P2", "P3"), ["P2", "P4"])


@given(st.dictionaries(st.text(min_size=1, max_size=3), st.integers(0, 5), min_size=1, max_size=12), st.integers(0, 14))
def test_the_line_never_lets_more_through_than_there_is_room_and_nobody_before_a_larger_bank(banks, number) -> None:
    line = cut(by_bank(banks), number)
    assert len(line.through) + line.left == min(number, len(banks)) or not line.equal
    assert len(line.through) <= number
    out = [banks[one] for one in banks if one not in line.through]
    assert not out or not line.through or min(banks[one] for one in line.through) >= max(out)


@given(st.dictionaries(st.text(min_size=1, max_size=3), st.integers(0, 5), max_size=12))
def test_places_are_counted_like_at_a_race(banks) -> None:
    found = places(by_bank(banks))
    assert all(found[one] == 1 + sum(other > banks[one] for other in banks.values()) for one in banks)


def test_tp_03_of_two_out_in_one_hand_the_larger_stack_at_its_start_has_the_better_place() -> None:
    outs = [Out("P5", "PK-1", 40, 0, 90, 2500), Out("P3", "PK-1", 40, 0, 90, 4000)]
    assert places(order_of_going(outs).order, first=7) == {"P3": 7, "P5": 8}


def test_equal_stacks_in_one_hand_have_equal_places() -> None:
    outs = [Out("P5", "PK-1", 40, 0, 90, 2500), Out("P3", "PK-1", 40, 0, 90, 2500)]
    assert places(order_of_going(outs).order, first=7) == {"P3": 7, "P5": 7}


def test_hands_that_did_not_overlap_are_ordered_by_their_end_whatever_the_stacks() -> None:
    outs = [Out("P1", "PK-1", 40, 0, 90, 9000), Out("P2", "PK-2", 31, 95, 150, 100)]
    assert order_of_going(outs).order == (("P2",), ("P1",))


def test_hands_of_two_tables_that_overlapped_are_the_directors_unless_the_terms_compare_stacks() -> None:
    outs = [Out("P1", "PK-1", 40, 0, 90, 9000), Out("P2", "PK-2", 31, 50, 150, 100)]
    found = order_of_going(outs)
    assert found.order == (("P1", "P2"),)
    assert [doubt.entrants for doubt in found.doubts] == [("P1", "P2")]
    assert order_of_going(outs, across=True) == standings.Outs((("P1",), ("P2",)))
    assert order_of_going(outs, decided={("P1", "P2"): ("P2", "P1")}) == standings.Outs((("P2",), ("P1",)))


def test_an_overlap_within_what_the_clocks_differ_is_none() -> None:
    outs = [Out("P1", "PK-1", 40, 0, 90, 9000), Out("P2", "PK-2", 31, 50, 150, 100)]
    assert order_of_going(outs, skew_ms=40).order == (("P2",), ("P1",))


def test_only_ties_that_reach_a_paid_place_must_be_told_apart() -> None:
    order = (("A",), ("B", "C"), ("D", "E"))
    assert standings.open_ties(order, 2, share=False) == (("B", "C"),)
    assert standings.open_ties(order, 4, share=False) == (("B", "C"), ("D", "E"))
    assert standings.open_ties(order, 4, share=True) == ()
