"""How one poker table is set up."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller.config.tomlread import Cents
from controller.config.types import Section


class RakeSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How commission is taken at a poker table; `fees` are per hand by the number of players dealt in."""

    method: Literal["none", "percentage", "time", "per_hand", "per_person"] = "none"
    percent: Annotated[int, Meta(ge=0, le=100)] | Annotated[float, Meta(ge=0, le=100)] = 0
    cap: Cents | None = None
    minimum: Cents | None = None
    fee: Cents | None = None
    fees: dict[str, Cents] = {}
    stand_alone: bool = False


class BonusSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A prize on the sign of a poker table, and the least kind of hand that earns it (11.1, 11.2)."""

    name: Annotated[str, Meta(min_length=1)]
    hand: str
    kind: Literal["cash", "goods", "services"] = "cash"
    amount: Cents | None = None


class PokerSection(Section, frozen=True, forbid_unknown_fields=True):
    """Which poker game is spread, its stakes, and what the house offers; the table minimum is that of [limits].

    `deck` is the register of the cards' tags, `seal_key` the key their faces are sealed with.
    """

    game: Literal[
        "holdem",
        "pineapple",
        "crazy_pineapple",
        "crazy_pineapple_hilo",
        "holdem_hilo",
        "omaha",
        "omaha_hilo",
    ] = "holdem"
    structure: Literal["fixed", "spread", "half_pot", "pot_limit", "no_limit"] = "no_limit"
    blinds: tuple[Cents, ...] = ()
    levels: tuple[Cents, ...] = ()
    most: Cents | None = None
    least_buy_in: Cents | None = None
    rake: RakeSection = RakeSection()
    straddle: bool = False
    over_blinds: bool = False
    side_wagers: bool = False
    time_to_act_s: Annotated[int, Meta(ge=0, le=600)] = 0
    extensions: Annotated[int, Meta(ge=0, le=20)] = 0
    extension_s: Annotated[int, Meta(ge=0, le=600)] = 0
    extension_fee: Cents | None = None
    bonus: tuple[BonusSection, ...] = ()
    deck: str = ""
    seal_key: str = ""


def usual_poker() -> PokerSection:
    """Holdem without a limit, with the usual percentage."""
    rake = RakeSection("percentage", 5, Cents(1_000))
    return PokerSection(blinds=(Cents(250), Cents(500)), least_buy_in=Cents(10_000), rake=rake)
