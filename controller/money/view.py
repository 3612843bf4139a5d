"""What the screens show of the table's money."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from controller.money import float as floats
from controller.money import payment

if TYPE_CHECKING:
    from controller.money.table_money import Money


def checklist(money: Money) -> list[dict[str, Any]]:
    """What hands still take and pay, in the order they do it, each area with its name."""
    state = money.state
    if state.watch is None:
        return []
    steps = payment.steps(state.watch, state.due, float_watched=state.watched)
    return [{**msgspec.to_builtins(step), "name": money.layout.name(step.area)} for step in steps]


def shown(money: Money) -> dict[str, Any]:
    """The float, and what is still to be taken and paid."""
    state = money.state
    return {
        "watched": state.watched,
        "cents": state.tray.value,
        "chips": floats.denominations(state.tray),
        "opening": state.tray.opening,
        "booked": state.tray.booked,
        "gap": state.tray.gap,
        "due": [msgspec.to_builtins(due) for due in state.due.values()],
        "findings": [{**msgspec.to_builtins(one), "remedy": one.remedy} for one in money.findings()],
        "mispayments": [
            {"id": name, **msgspec.to_builtins(one), "lacks": one.open_questions}
            for name, one in state.mispayments.items()
        ],
    }
