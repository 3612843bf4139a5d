"""What a Big Wheel rulebook fixes, as types, and the check that its wheels pay what they must."""

from __future__ import annotations

import functools
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller.config.tomlread import Document
from controller.rules.rulebook import check_clause, load_rules

Positive = Annotated[int, Meta(ge=1)]
Fraction = Annotated[float, Meta(gt=0, lt=0.5)]

RETURN = 48
"""Compartments times (odds + 1) is this for every symbol of every option, so every bet returns 48/52."""


class Symbol(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One symbol of an option, with the clauses of its compartments (2.1.x) and of its odds (6.1)."""

    symbol: str
    compartments: Positive
    odds: Positive
    wheel_clause: str
    pay_clause: str


class WheelOption(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the permitted wheels together with its layout."""

    number: int
    wheel_diagram: str
    layout: str
    wheel_clause: str
    layout_clause: str
    symbols: tuple[Symbol, ...]

    def symbol(self, name: str) -> Symbol:
        """The symbol of this name; KeyError when the option has none."""
        for symbol in self.symbols:
            if symbol.symbol == name:
                return symbol
        raise KeyError(name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(symbol.symbol for symbol in self.symbols)


class SpinRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What makes a spin valid."""

    compartments: Positive
    revolutions: Positive
    stillness_s: Annotated[float, Meta(ge=0.5, le=10)]
    dead_band: Fraction
    near_margin: Annotated[float, Meta(ge=0, lt=0.5)]
    reversal_limit: Annotated[float, Meta(ge=0)]

    @property
    def enough_compartments(self) -> int:
        """Compartments that must pass in the launch sense."""
        return self.compartments * self.revolutions


class BettingRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When wagers may be placed, changed and lifted."""

    remind_at_revolutions: Positive
    alarm_at_revolutions: Positive
    close_before_spin: bool
    restored_late_change: Literal["settle", "ask"]


class LimitRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How limits are announced, and what a new minimum ends."""

    raise_notice_minutes: Positive
    advice_lapses_on_new_minimum: bool


class ClosingRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much notice players get."""

    notice_spins: Positive
    no_spins_count: bool


class IdleSeatRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a seat may be asked for."""

    rounds: Positive
    no_spins_count: bool


class ColourChipRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What colour chips may be worth."""

    least_value: Literal["minimum", "any"]


class VoidRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Until when an outcome may be invalidated."""

    invalidate_until: Literal["next_no_more_bets", "paid"]


class WheelRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in a Big Wheel rulebook beyond its header."""

    spin: SpinRules
    betting: BettingRules
    limits: LimitRules
    closing: ClosingRules
    idle_seats: IdleSeatRules
    colour_chips: ColourChipRules
    voids: VoidRules
    options: tuple[WheelOption, ...]

    def option(self, number: int) -> WheelOption:
        """The option of this number; KeyError when the rulebook has none."""
        for option in self.options:
            if option.number == number:
                return option
        raise KeyError(number)


@functools.cache
def wheel_rules(rulebook: str = "melbourne-wheel") -> WheelRules:
    """What a Big Wheel rulebook fixes."""
    return load_rules(rulebook, WheelRules, check_wheels)


def check_wheels(document: Document, rules: WheelRules, rulebook: str) -> None:
    """Every wheel is full, cites clauses that exist, and returns the same whatever is staked on."""
    for index, option in enumerate(rules.options):
        place = ("options", index)
        check_clause(document, (*place, "layout_clause"), rulebook, option.layout_clause)
        check_clause(document, (*place, "wheel_clause"), rulebook, option.wheel_clause)
        total = sum(symbol.compartments for symbol in option.symbols)
        if total != rules.spin.compartments:
            what = f"option {option.number} fills {total} compartments, not {rules.spin.compartments} (2.1)"
            raise document.error((*place, "symbols"), what)
        for number, symbol in enumerate(option.symbols):
            where = (*place, "symbols", number)
            check_clause(document, (*where, "wheel_clause"), rulebook, symbol.wheel_clause)
            check_clause(document, (*where, "pay_clause"), rulebook, symbol.pay_clause)
            product = symbol.compartments * (symbol.odds + 1)
            if product != RETURN:
                what = (
                    f"option {option.number} symbol {symbol.symbol}: {symbol.compartments} compartments x "
                    f"({symbol.odds} + 1) is {product}, not {RETURN} ({symbol.pay_clause})"
                )
                raise document.error((*where, "odds"), what, "correct the count or the odds")
