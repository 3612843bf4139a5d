"""A wrong payment is on record under the round that was settled wrongly, and under no other."""

from __future__ import annotations

import pytest

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
