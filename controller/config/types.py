"""What `table.toml` may say, as types."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from controller.config.tomlread import Cents, ConfigError
from controller.rulebook import Game

Fraction = Annotated[float, Meta(gt=0, lt=0.5)]
Millimetres = Annotated[float, Meta(gt=0, le=5000)]
Level = Annotated[int, Meta(ge=1)]
Kind = Literal["wheel", "chips", "shoe", "shuffler", "cards", "swipe"]

RULEBOOK_OF: dict[str, str] = {"wheel": "melbourne-wheel", "war": "melbourne-war", "poker": "melbourne-poker"}
WEB = "127.0.0.1:8642"


class TableSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which table this is and what it plays."""

    name: Annotated[str, Meta(min_length=1)]
    game: Game
    rulebook: str
    journal: str = "table.db"
    web: str = WEB
    sign: bool = True
    certificate: str = ""
    certificate_key: str = ""
    tournament: bool = False

    @property
    def web_host(self) -> str:
        return self.web.rpartition(":")[0].strip("[]")

    @property
    def web_port(self) -> int:
        return int(self.web.rpartition(":")[2])


class WheelSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The wheel as it stands: option, order of symbols round it, and the geometry the dead band comes from."""

    option: Annotated[int, Meta(ge=1, le=4)]
    ring: tuple[str, ...]
    layout: str
    labels: dict[str, str] = {}
    compartment_mm: Millimetres | None = None
    peg_mm: Millimetres | None = None
    pointer_mm: Millimetres | None = None
    sensor_error_mm: Annotated[float, Meta(ge=0, le=100)] = 1.0
    dead_band: Fraction | None = None
    near_band: Fraction | None = None
    stillness_s: Annotated[float, Meta(ge=0.5, le=10)] | None = None
    profile: str = ""

    @property
    def measured_dead_band(self) -> float | None:
        """What the geometry gives (W-A3); None until pegs, pointer and compartments are measured."""
        if self.compartment_mm is None or self.peg_mm is None or self.pointer_mm is None:
            return None
        reach = self.peg_mm / 2 + self.pointer_mm / 2 + 2 * self.sensor_error_mm
        return reach / self.compartment_mm


class Bounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of one bet where they differ from the table's."""

    min: Cents | None = None
    max: Cents | None = None


class LimitsSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table's limits in cents; `unit` is the permitted step above the minimum."""

    min: Cents
    max: Cents
    unit: Cents
    smallest_chip: Cents
    bets: dict[str, Bounds] = {}

    def of(self, bet: str) -> tuple[int, int]:
        """The minimum and maximum of a bet."""
        own = self.bets.get(bet)
        if own is None:
            return self.min, self.max
        return (
            self.min if own.min is None else own.min,
            self.max if own.max is None else own.max,
        )


class PersonalLimit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's own limits; they hold only while the marker stands at the seat (4.3)."""

    player: Annotated[str, Meta(min_length=1)]
    seat: Level
    min: Cents | None = None
    max: Cents | None = None
    marker: bool = False
    agreed_by: str = ""


class SeatsSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many players the table seats."""

    count: Annotated[int, Meta(ge=1, le=30)] = 7


class DeviceSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands at one place of the table, and the port it is on."""

    kind: Kind
    port: str = "wire"
    serial: str = ""
    simulated: bool = False
    paired: bool = False


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A member of staff and the rank on the rulebook's ladder."""

    id: Annotated[str, Meta(min_length=1)]
    name: str
    rank: str


class ChipsSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The chip register, this table's set of colour chips (3.1.2(a)), and what becomes of wrong payments.

    A wrong payment keeps the next round from beginning ("hold"), or is told and recorded only ("warn").
    """

    set_mark: str = ""
    colours: tuple[str, ...] = ()
    register: str = ""
    float_tray: bool = True
    mispayment: Literal["hold", "warn"] = "hold"


class PeopleSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where staff and player cards are known from; the staff register lies beside the journal when none is named."""

    staff: str = ""
    key: str = ""
    players: str = ""


class WarSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How Casino War is dealt at this table; the rulebook says what may be chosen.

    `zones` are those that the rulebook leaves to the house; `options` are readings of what it leaves open.
    """

    decks: Level = 6
    source: Literal["shoe", "shuffler"] = "shoe"
    method: str = "A"
    payout_column: Level | None = None
    places: Level = 7
    zones: tuple[str, ...] = ()
    round_burn: bool = False
    start_burn: bool = True
    share_most: Annotated[int, Meta(ge=0)] = 0
    tournament: bool = False
    options: dict[str, bool | int | str] = {}


class RakeSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How commission is taken at a poker table; `fees` are per hand by the number of players dealt in."""

    method: Literal["none", "percentage", "time", "per_hand", "per_person"] = "none"
    percent: Annotated[int, Meta(ge=0, le=100)] = 0
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


class PokerSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


class TableConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything one table is told before it opens."""

    table: TableSection
    limits: LimitsSection
    devices: dict[str, DeviceSection]
    wheel: WheelSection | None = None
    war: WarSection | None = None
    poker: PokerSection | None = None
    seats: SeatsSection = SeatsSection()
    chips: ChipsSection = ChipsSection()
    people: PeopleSection = PeopleSection()
    personal_limits: tuple[PersonalLimit, ...] = ()
    staff: tuple[Person, ...] = ()
    tournament: dict[str, Any] | None = None
    """No version plays one yet; the section is known so that it can be refused with its chapter."""

    def the_wheel(self) -> WheelSection:
        """The wheel of a Big Wheel table."""
        if self.wheel is None:
            raise ConfigError(f"table {self.table.name} plays {self.table.game} and has no wheel")
        return self.wheel

    def the_war(self) -> WarSection:
        """How a Casino War table deals."""
        if self.war is None:
            raise ConfigError(f"table {self.table.name} plays {self.table.game} and has no section [war]")
        return self.war

    def the_poker(self) -> PokerSection:
        """What is spread at a poker table."""
        if self.poker is None:
            raise ConfigError(f"table {self.table.name} plays {self.table.game} and has no section [poker]")
        return self.poker

    def person(self, staff_id: str) -> Person | None:
        """The member of staff with this id."""
        return next((person for person in self.staff if person.id == staff_id), None)

    def staff_file(self) -> Path:
        """The staff register."""
        return Path(self.people.staff) if self.people.staff else Path(self.table.journal).with_name("staff.json")

    def key_file(self) -> Path:
        """The key that turns card numbers into pseudonyms; beside the staff register when none is named."""
        return Path(self.people.key) if self.people.key else self.staff_file().with_suffix(".key")

    def loopback(self) -> bool:
        """Whether the pages can be seen from this machine only."""
        host = self.table.web_host
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"
