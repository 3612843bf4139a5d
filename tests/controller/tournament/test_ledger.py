"""Banks are sums of rows that are never changed, whatever is settled and taken back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.effects import WagerResult
from controller.tournament.ledger import Ledger, LedgerRow, in_units


def result(wager: str, player: str, pays: int, taken: int, withheld: bool = False) -> WagerResult:
    return WagerResult(wager, player, "main", "win", pays * 100, taken * 100, 0, (), withheld)


def test_a_second_word_on_a_wager_changes_the_bank_by_the_difference() -> None:
    ledger = Ledger()
    ledger.book(LedgerRow("P1", "start", 1000, 0))
    ledger.settled(1, [result("a", "P1", 500, 0)], 1)
    assert ledger.bank("P1") == 1500
    assert ledger.settled(1, [result("a", "P1", 500, 0)], 2) == []
    rows = ledger.settled(1, [result("a", "P1", 0, 0)], 3, again=True)
    assert [(row.kind, row.units, row.round) for row in rows] == [("reversal", -500, 1)]
    assert ledger.bank("P1") == 1000


def test_winnings_that_are_withheld_are_none_yet() -> None:
    ledger = Ledger()
    ledger.settled(1, [result("a", "P1", 500, 0, withheld=True)], 1)
    assert ledger.bank("P1") == 0
    ledger.settled(1, [result("a", "P1", 500, 0)], 2)
    assert ledger.bank("P1") == 500


def test_a_unit_has_no_parts() -> None:
    assert in_units(12_300) == 123
    with pytest.raises(ValueError, match="no whole number of units"):
        in_units(150)


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(("P1", "P2")), st.integers(0, 50), st.integers(0, 50)))
)
def test_a_bank_is_the_sum_of_its_rows_and_of_the_last_word_on_each_wager(
    said: list[tuple[str, str, int, int]],
) -> None:
    ledger, last = Ledger(), dict[str, int]()
    owner: dict[str, str] = {}
    for at, (wager, player, pays, taken) in enumerate(said):
        player = owner.setdefault(wager, player)
        ledger.settled(1, [result(wager, player, pays, taken)], at)
        last[wager] = pays - taken
    for player in ("P1", "P2"):
        assert ledger.bank(player) == sum(row.units for row in ledger.rows if row.entrant == player)
        assert ledger.bank(player) == sum(net for wager, net in last.items() if owner[wager] == player)
