"""The judge of take and pay holds what hands carried against what the settlement asked."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.money.payment import Finding
from controller.money.table_money import Money
from lab.explore.campaign import played
from lab.explore.steps import Slide, Walk, read

PLANTED = Path(__file__).parent.parent / "planted"


def shown(seed: int = 1) -> set[str]:
    return {found.name for found in played(Walk("war", "melbourne-war", seed, ()))[1].found}


def test_a_settlement_that_is_closed_without_its_chips_having_moved_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown() == set()
    monkeypatch.setattr(Money, "findings", lambda money: ())
    assert "closed as paid and is not" in shown()


def test_a_right_payment_that_is_called_wrong_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    findings = Money.findings

    def one_too_many(money: Money) -> tuple[Finding, ...]:
        twice = Finding(1, "main 1", "paid_twice", 1_000)
        return findings(money) or ((twice,) if money.state.watch is not None else ())

    monkeypatch.setattr(Money, "findings", one_too_many)
    assert any("a right payment is called paid twice" in shown(seed) for seed in range(4))


def test_a_right_payment_beside_chips_of_the_tray_that_is_called_wrong_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    walk = read((PLANTED / "refused-chips-of-the-tray-count-as-a-payment.json").read_bytes())
    paid = Slide(area=0, to=2, tags=(5, 18, 19))  # before anybody has explained the chips that lie beside the stake
    walk = msgspec.structs.replace(walk, steps=(*walk.steps, paid))
    assert played(walk)[1].found == []
    findings = Money.findings

    def one_too_many(money: Money) -> tuple[Finding, ...]:
        twice = Finding(2, "tie 1", "paid_twice", 1_500)
        return findings(money) or ((twice,) if money.state.watch is not None else ())

    monkeypatch.setattr(Money, "findings", one_too_many)
    assert "a right payment is called paid twice" in {found.name for found in played(walk)[1].found}


def test_an_order_to_pay_where_nothing_was_won_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    findings = Money.findings

    def elsewhere(money: Money) -> tuple[Finding, ...]:
        pay = Finding(9, "main 4", "underpaid", 500)
        return (*findings(money), *((pay,) if money.state.watch is not None else ()))

    monkeypatch.setattr(Money, "findings", elsewhere)
    assert "the page orders a payment where nothing was won" in shown()
