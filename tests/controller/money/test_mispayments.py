"""A wrong payment is on record under the round that was settled wrongly, and under no other."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import pytest

from controller.core.desk import Limits
from controller.core.effects import Noted
from controller.core.events import Command
from controller.core.house import House, Notice
from controller.core.table import Table
from controller.people import Person
from controller.rules.rulebook import load_rulebook
from tests.controller.money.play import MoneyPlay


@pytest.mark.clause("melbourne-wheel", "9.3", "9.5")
def test_a_wrong_payment_after_an_invalidated_spin_is_not_put_down_to_that_spin() -> None:
    play = MoneyPlay().opened()
    lost = play.bet("p1", "A", 50)
    play.bet("p2", "B", 10)
    play.result("B")
    play.collect("A", lost)
    play.press("cancel_fraud", 4, reason="marked wheel")
    assert "take_and_pay" in play.alarms  # what was collected has not come back
    next_one = play.table.state.round
    assert next_one == 2
    play.press("place_bets")
    play.result("B")
    play.pay("B", 2500)
    play.press("paid", 2, confirmed=True, reason="the rest was paid in cash")
    rounds = {note["round"] for note in play.noted("mispayment") if note["kind"] == "underpaid"}
    assert rounds == {next_one}


@pytest.mark.clause("star-war", "11.21.1.1", "11.21.1.2")
@pytest.mark.parametrize(
    ("cents", "kind", "remedy"),
    [(-2500, "underpaid", "tried to pay the patron the rest"), (2500, "overpaid", "tried to get it back")],
)
def test_the_attempt_to_put_a_wrong_payment_right_with_a_known_patron_is_recorded(
    cents: int, kind: str, remedy: str
) -> None:
    notice = Notice("13.9", minutes=5)
    table = Table(House(load_rulebook("star-war"), notice, notice, "hand"), Limits(1000, 50_000), frozenset())
    table.game = SimpleNamespace(desired=dict)
    at = itertools.count(1)

    def press(**args: Any) -> Noted:
        now = next(at)
        (noted,) = table.apply(now, now, Command("mispayment", Person("GS1", 2), args))
        assert isinstance(noted, Noted)
        return noted

    found = press(cents=cents, bet="main", area=3)
    assert (found.facts["kind"], found.facts["cents"], found.facts["put_right_at"]) == (kind, cents, 0)
    tried = press(item=found.facts["item"], remedy=remedy, patron="P-abc123")
    assert (tried.facts["remedy"], tried.facts["patron"], tried.facts["by"]) == (remedy, "P-abc123", "GS1")
    assert tried.facts["put_right_at"] == 2
    assert tried.clauses == ("11.19.1",)
