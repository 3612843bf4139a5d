"""The commission of a hand: rounded, capped, taken pot by pot, and dropped where it belongs."""

from __future__ import annotations

from typing import Any

import pytest

from controller.games.poker.betting import Player
from controller.games.poker.commission import (
    Collected,
    Commission,
    change_fault,
    collect,
    commission_faults,
    destination,
    everybody_tied,
    fee_per_hand,
    increment,
    only_blinds,
    percentage_due,
    time_charge,
)
from tests.controller.games.poker.seen import clause, pressed, seated

# -- commission -------------------------------------------------------------------------------------------------------

RAKE = Commission("percentage", percent=10, cap=1000, minimum=200, least_percent=2, most_percent=10)


@clause("7.2.1", "7.7", "1.1 'Cap'", "7.2.1(a)")
@pytest.mark.parametrize(
    ("percent", "pot", "due"),
    [
        (10, 0, 0), (10, 999, 0), (10, 1000, 100), (10, 1999, 100), (10, 2000, 200), (10, 9_999, 900),
        (10, 10_000, 1000), (10, 50_000, 1000),
        (5, 2000, 200), (5, 1000, 100), (5, 4000, 200), (5, 6000, 300), (5, 3900, 200),
    ],
)  # fmt: skip
def test_the_percentage_is_rounded_down_to_a_chip_lifted_to_the_minimum_and_never_over_the_cap(
    percent: int, pot: int, due: int
) -> None:
    rake = Commission("percentage", percent=percent, cap=1000, minimum=200)
    assert percentage_due(rake, pot, 100) == due
    assert increment(rake, pot, 0, 100) == due
    assert increment(rake, pot, 100, 100) == max(0, due - 100)
    assert increment(Commission("time", percent=10, cap=1000), pot, 0, 100) == 0


@clause("7.2.3(a)", "7.4", "7.2.1", "7.7", "7.6", "7.8")
def test_the_commission_of_a_hand_is_taken_pot_by_pot_the_main_pot_first() -> None:
    def taken(rake: Commission, *pots: int, blinds: bool = False, tied: bool = False, dealt: int = 6) -> Collected:
        return collect(rake, pots, 100, dealt_in=dealt, blinds_only=blinds, all_tied=tied)

    assert taken(RAKE, 3000, 1500, 2000) == Collected((300, 100, 200), "7.2.1")
    assert taken(RAKE, 8000, 4000, 2000) == Collected((800, 200, 0), "7.7")
    assert taken(RAKE, 8000, 4000).total == 1000
    assert taken(RAKE, 3000, 1500, blinds=True) == Collected((0, 0), "7.6")
    assert taken(RAKE, 3000, 1500, tied=True) == Collected((0, 0), "7.8")
    each = Commission("per_hand", fees={2: 300, 6: 500})
    assert taken(each, 400, 300) == Collected((400, 100), "7.2.3(a)")
    assert taken(each, 400, 300, tied=True) == Collected((400, 100), "7.2.3(a)")
    assert taken(each, 400, dealt=5) == Collected((300,), "7.2.3(a)")
    assert taken(each, 400, blinds=True) == Collected((0,), "7.6")
    assert taken(Commission("time", fee=500), 400) == Collected((0,), "7.2.2(b)")
    assert taken(Commission("per_person", fee=500), 400) == Collected((0,), "7.2.4(b)")
    assert taken(Commission(), 400) == Collected((0,), "7.4")


@clause("7.2.3(b)")
def test_the_fee_of_a_hand_is_that_of_the_next_lower_row() -> None:
    each = Commission("per_hand", fees={3: 300, 6: 500})
    assert [fee_per_hand(each, dealt) for dealt in (2, 3, 5, 6, 9)] == [0, 300, 300, 500, 500]


@clause("7.6")
def test_only_blinds_are_in_when_nobody_but_the_winner_put_in_more_than_was_posted() -> None:
    posted = [Player(1, 0, posted=50, in_hand=50), Player(2, 0, posted=100, in_hand=100), Player(3, 0)]
    assert only_blinds(posted)
    assert not only_blinds([*posted, Player(4, 0, in_hand=100)])
    assert only_blinds([*posted, Player(4, 0, in_hand=100)], winner=4)
    assert not only_blinds([Player(1, 0, posted=50, in_hand=51)])


@clause("7.8")
def test_nothing_is_taken_when_all_who_put_chips_in_tie() -> None:
    players = [Player(1, 0, in_hand=100), Player(2, 0, in_hand=100), Player(3, 0)]
    assert everybody_tied(players, [1, 2])
    assert not everybody_tied(players, [1])
    assert not everybody_tied([*players, Player(4, 0, in_hand=1)], [1, 2])
    assert not everybody_tied([Player(1, 0, in_hand=100)], [1])


@clause("7.1", "7.2.1", "7.2.2(b)", "7.2.3(b)", "7.2.4(a)")
def test_a_commission_that_the_rulebook_does_not_allow_is_named_with_its_clause() -> None:
    def wrong(*args: Any, **more: Any) -> list[str]:
        return [named for named, _ in commission_faults(Commission(*args, **more))]

    assert wrong() == []
    for percent, faults in ((1, ["7.2.1"]), (2, []), (10, []), (11, ["7.2.1"])):
        assert wrong("percentage", percent=percent, cap=1) == faults
    assert wrong("percentage", percent=5) == ["7.1"]
    assert wrong("per_hand") == ["7.2.3(b)"]
    assert wrong("per_hand", fees={2: 100}) == []
    assert wrong("time") == ["7.2.2(b)"]
    assert wrong("per_person") == ["7.2.4(a)"]
    assert wrong("time", fee=1) == wrong("per_person", fee=1) == []
    assert wrong("none", fee=0) == []


@clause("7.2.2(a)", "7.2.2(b)", "7.3")
def test_time_charges_fees_and_changes_of_the_commission_at_their_edges() -> None:
    assert time_charge(Commission("time", fee=700), 9) == 6300
    assert change_fault(3, 3, between_hands=True, sign_changed=True) == ""
    assert change_fault(2, 3, between_hands=True, sign_changed=True) == "7.3"
    assert change_fault(4, 3, between_hands=False, sign_changed=True) == "7.3"
    assert change_fault(4, 3, between_hands=True, sign_changed=False) == "7.3"


@clause("1.1 'Stand-alone Table'", "2.4", "7.2.1(c)", "7.2.2(d)", "7.2.3(c)", "7.2.4(c)", "7.2.1(b)")
@pytest.mark.parametrize(
    ("method", "box", "alone"),
    [
        ("percentage", "7.2.1(b)", "7.2.1(c)"),
        ("time", "7.2.2(d)", "7.2.2(d)"),
        ("per_hand", "7.2.3(c)", "7.2.3(c)"),
        ("per_person", "7.2.4(c)", "7.2.4(c)"),
        ("none", "7.4", "7.4"),
    ],
)
def test_the_commission_goes_into_the_chip_box_or_at_a_stand_alone_table_into_the_float(
    method: Any, box: str, alone: str
) -> None:
    assert destination(Commission(method)) == ("chip_box", box)
    assert destination(Commission(method, stand_alone=True)) == ("float", alone)


@clause("7.2.1", "7.3")
@pytest.mark.parametrize(("percent", "rake"), [(2.5, 750), (5, 1_500), (7.25, 2_000), (2.3, 500)])
def test_a_rate_with_a_fraction_is_taken_as_it_stands_down_to_the_lowest_chip(percent: float, rake: int) -> None:
    commission = Commission("percentage", percent, 100_000)
    assert commission_faults(commission) == []
    assert percentage_due(commission, 30_000, 250) == rake


@clause("7.2.1", "7.3", "7.1")
def test_level_three_enters_a_rate_with_a_fraction_and_the_sign_shows_it() -> None:
    play = seated()
    pressed(play, "change_commission", 3, method="percentage", percent=2.5, cap=1_000)
    assert play.game.state.terms.commission.percent == 2.5
    assert play.game.sign()["terms"]["Commission"].startswith("2.5%")
    refusal = play.refused("change_commission", 3, percent=2.555)
    assert (refusal.clauses, "two decimals" in refusal.text) == (("7.2.1",), True)
    assert play.refused("change_commission", 3, percent=1.99).clauses == ("7.2.1",)


@clause("7.2.3(b)", "7.3")
def test_fees_with_cents_are_taken_to_the_cent() -> None:
    play = seated()
    pressed(play, "change_commission", 3, method="per_hand", fees="2:3.50 3:4.25")
    assert play.game.state.terms.commission.fees == {2: 350, 3: 425}
    taken = collect(play.game.state.terms.commission, [3_000], 25, dealt_in=3, blinds_only=False, all_tied=False)
    assert taken.total == 425
