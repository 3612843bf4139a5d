"""What `table.toml` may say, as types."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from controller.config.tomlread import Cents, ConfigError, Keys

Level = Annotated[int, Meta(ge=1)]
TimeOfDay = Annotated[str, Meta(pattern=r"^([01]\d|2[0-3]):[0-5]\d$", description="write a time such as 06:00")]
Kind = Literal["wheel", "chips", "shoe", "shuffler", "cards", "swipe"]

WEB = "127.0.0.1:8642"


class TableSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which table this is and what it plays."""

    name: Annotated[str, Meta(min_length=1)]
    game: str
    rulebook: str
    journal: str = "table.db"
    web: str = WEB
    sign: bool = True
    certificate: str = ""
    certificate_key: str = ""
    signing_key: str = ""
    heads: str = ""
    tournament: bool = False

    @property
    def web_host(self) -> str:
        return self.web.rpartition(":")[0].strip("[]")

    @property
    def web_port(self) -> int:
        return int(self.web.rpartition(":")[2])


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


IN_PROCESS = "wire"
"""The port of a device that is simulated inside the process."""


class DeviceSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands at one place of the table, and the port it is on."""

    kind: Kind
    port: str = IN_PROCESS
    serial: str = ""
    simulated: bool = False
    paired: bool = False
    sealed: bool = False


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
    player_key: str = ""


Booked = Literal["fill", "credit", "buy_in", "explained", "correction", "box"]


class BooksSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the house keeps its books: its time zone, when a gaming day and its shifts begin, what bookings need.

    Without a zone the machine's own holds. A player's cash of one gaming day is listed from `cash_threshold` on.
    `surveillance_ahead_s` is how far the clock of Surveillance's recordings is ahead of a right one.
    """

    zone: str = ""
    day_starts: TimeOfDay = "06:00"
    shifts: tuple[TimeOfDay, ...] = ()
    slips: tuple[Booked, ...] = ()
    second_signature: tuple[Booked, ...] = ()
    cash_threshold: Cents = Cents(1_000_000)
    surveillance_ahead_s: float = 0.0


Colour = Literal["white", "red", "green", "blue", "black", "yellow"]


class LimitColour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colour of the sign from this minimum on."""

    least: Cents
    colour: Colour


class SignSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limit sign as it hangs there: whose house, how far away it is read, how wide its glass is, its colours.

    `distance` is in metres, `width` in millimetres along the longer side; digits are 20 arc minutes high from there.
    """

    house: str = ""
    distance: Annotated[float, Meta(ge=0.5, le=20)] = 2.0
    width: Annotated[int, Meta(ge=100, le=3000)] = 220
    colours: tuple[LimitColour, ...] = ()


class UplinkSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where this table's rows go once they are on disk, how the broker is believed, and who countersigns them.

    `nkey` and `ca` are files: this table's key at the broker, and who vouches for the broker's name. `witness` is the
    floor's public key, as `tablectl floor key` prints it.
    """

    servers: tuple[str, ...]
    nkey: str = ""
    ca: str = ""
    witness: str = ""

    @property
    def encrypted(self) -> bool:
        return all(server.startswith("tls://") for server in self.servers)


class MetricsSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """That `/metrics` is served; `token` is a file with what a caller must show, without it only this machine may."""

    token: str = ""


class TournamentSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """That a hall may designate this table for a tournament; which event, and its terms, the hall's orders say."""

    hall: str = ""


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a game itself is told; each game has its own."""


S = TypeVar("S", bound=Section)


class Problem(msgspec.Struct, frozen=True):
    """What is wrong at which key, and what to do."""

    keys: Keys
    what: str
    remedy: str = ""


class AnyTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table is told whatever it plays."""

    table: TableSection
    limits: LimitsSection
    devices: dict[str, DeviceSection]
    seats: SeatsSection = SeatsSection()
    chips: ChipsSection = ChipsSection()
    people: PeopleSection = PeopleSection()
    books: BooksSection = BooksSection()
    sign: SignSection = SignSection()
    uplink: UplinkSection | None = None
    metrics: MetricsSection | None = None
    personal_limits: tuple[PersonalLimit, ...] = ()
    staff: tuple[Person, ...] = ()
    tournament: TournamentSection | None = None


class TableConfig(AnyTable, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Everything one table is told before it opens; `play` is the section of the game it plays."""

    play: Section

    def own(self, kind: type[S]) -> S:
        """The game's own section, which is of this kind at a table that plays it."""
        if not isinstance(self.play, kind):
            raise ConfigError(f"table {self.table.name} plays {self.table.game}, not what a {kind.__name__} is for")
        return self.play

    def person(self, staff_id: str) -> Person | None:
        """The member of staff with this id."""
        return next((person for person in self.staff if person.id == staff_id), None)

    def staff_file(self) -> Path:
        """The staff register."""
        return Path(self.people.staff) if self.people.staff else Path(self.table.journal).with_name("staff.json")

    def key_file(self) -> Path:
        """The key that turns staff cards into pseudonyms; beside the staff register when none is named."""
        return Path(self.people.key) if self.people.key else self.staff_file().with_suffix(".key")

    def player_key_file(self) -> Path:
        """The key that turns player cards into pseudonyms, which is another one; beside the staff register too."""
        return Path(self.people.player_key) if self.people.player_key else self.staff_file().with_name("players.key")

    def all_simulated(self) -> bool:
        """Whether no real device stands here, and so no real player."""
        return all(device.simulated for device in self.devices.values())

    def loopback(self) -> bool:
        """Whether the pages can be seen from this machine only."""
        host = self.table.web_host
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"
