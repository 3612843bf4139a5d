"""The keys of the float and of wrong payments, at whatever game; where no clause speaks of them, the house's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.desk import Key, told
from controller.house import House
from controller.money import Money
from controller.people import Person


def declare_keys(house: House) -> tuple[Key, ...]:
    """The keys; that for mispayments only where the rulebook asks for their record."""
    fill, credit = house.own("fill", "resume"), house.own("credit", "resume")
    buy_in, explain = house.own("buy_in", "open_table"), house.own("float_explained", "resume")
    keys = (
        Key("fill", "Fill: chips for the float", fill.rank, fill.clause, ("cents",), True),
        Key("credit", "Credit: chips from the float", credit.rank, credit.clause, ("cents",), True),
        Key("buy_in", "A player buys chips", buy_in.rank, buy_in.clause, ("player", "cents")),
        Key("float_explained", "Explain the float", explain.rank, explain.clause, ("reason",), True),
    )
    if "mispayment" not in house.rulebook.powers:
        return keys
    record = house.power("mispayment")
    what = ("item", "cause", "remedy", "patron", "intended")
    return (*keys, Key("mispayment", "Record a wrong payment", record.rank, record.clause, what, True))


def fill(money: Money, args: dict[str, Any], by: Person) -> None:
    money.book("fill", told(args, "cents", int), by)


def credit(money: Money, args: dict[str, Any], by: Person) -> None:
    money.book("credit", told(args, "cents", int), by)


def buy_in(money: Money, args: dict[str, Any], by: Person) -> None:
    money.book("buy_in", told(args, "cents", int), by, player=told(args, "player"))


def float_explained(money: Money, args: dict[str, Any], by: Person) -> None:
    money.explained(by, told(args, "reason"))


def mispayment(money: Money, args: dict[str, Any], by: Person) -> None:
    money.mispayment(args, by)


DO: dict[str, Callable[[Money, dict[str, Any], Person], None]] = {
    "fill": fill,
    "credit": credit,
    "buy_in": buy_in,
    "float_explained": float_explained,
    "mispayment": mispayment,
}
