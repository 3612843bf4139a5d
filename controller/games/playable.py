"""What anybody outside may ask of a game before there is a table: its configuration, its table, its looks."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol

import msgspec

from controller.config.tomlread import ConfigError
from controller.config.types import Kind, Problem, Section, TableConfig
from controller.core.house import House
from controller.core.machine import Row

if TYPE_CHECKING:
    from controller.core.alarms import Alarms
    from controller.core.by_hand import Part
    from controller.core.table import Table
    from controller.games.edges import Edge
    from controller.games.game import Game
    from controller.rules.rulebook import Rulebook
    from drivers.motion import Geometry


class Course(NamedTuple):
    """The declared machine of a round, for diagrams."""

    states: Sequence[str]
    rows: Sequence[Row]
    initial: str


class SealedCards(NamedTuple):
    """Cards whose faces are sealed: the file of their tags, and that of the key."""

    deck: str
    key: str


class Wheel(NamedTuple):
    """What spins are judged by: the file of what was learnt of the wheel, and when its pointer is clearly inside."""

    profile: str
    geometry: Geometry


class Landings(Protocol):
    """Counts where a wheel comes to rest over a day."""

    def take(self, event: msgspec.Struct, dealer: str) -> None:
        """An event of the day, and who was dealing."""

    def told(self) -> dict[str, Any]:
        """All of them: `spins`, `counts` by compartment, `symbols`, how many were `due` in each, and what that says."""


class Playable:
    """One game; a directory under `controller/games` registers an instance as `GAME`."""

    name: ClassVar[str]
    title: ClassVar[str]
    rulebook: ClassVar[str]
    """What it is played under where nobody says so."""
    section: ClassVar[type[Section]]
    """What `table.toml` may say under the game's name."""
    section_holds: ClassVar[str] = ""
    """What would stand there, where the section must not be left out."""
    round_over: ClassVar[tuple[Literal["source", "dest"], str]]
    """Which move of the round's machine ends a round."""
    unit_on_sign: ClassVar[bool] = True
    float_tray: ClassVar[bool] = True
    """Whether the house plays against the players and has a float at the table."""
    by_hand_without: ClassVar[tuple[Kind, ...]] = ()
    """The kinds of device that people can stand in for, where one is dead for the night."""
    files: ClassVar[dict[str, str]] = {}
    """Fields of the section that name files without which the table cannot go on, and their names in a backup."""

    def rules(self, rulebook: str) -> msgspec.Struct:
        """What a rulebook of this game fixes; ConfigError where the file says what cannot be."""
        raise NotImplementedError

    # -- configuration -----------------------------------------------------------------------------------------

    def needs(self, play: Section) -> tuple[Kind, ...]:
        """The kinds of device without which it cannot be played."""
        raise NotImplementedError

    def spare(self, play: Section) -> tuple[Kind, ...]:
        """The kinds of device it can do without while they are silent."""
        return ()

    def problems(self, config: TableConfig) -> Iterator[Problem]:
        """What of the game's own section the rulebook does not allow."""
        raise NotImplementedError

    def warnings(self, config: TableConfig) -> Iterator[Problem]:
        """What is allowed there but deserves a look."""
        return iter(())

    def bets(self, config: TableConfig) -> tuple[str, ...]:
        """The bets that may have limits of their own; empty where there are none."""
        return ()

    def no_tournament(self, rulebook: str) -> str:
        """The clause by which a rulebook of this game has no tournament play, if it says so."""
        return ""

    def usual(self, rulebook: str, **chosen: Any) -> Section:
        """The section of a table that nobody configured; `chosen` are a person's few choices."""
        raise NotImplementedError

    def variants(self, rulebook: str) -> dict[str, dict[str, Any]]:
        """The tables that `usual` can make of a rulebook, by name, and what is chosen for each."""
        return {"": {}}

    def variant(self, play: Section) -> str:
        """Which of them this one is."""
        return ""

    def asks_player_cards(self, rulebook: str) -> bool:
        """Whether nobody stakes without a player card that was read."""
        return False

    def stakes_promotional(self, rulebook: str) -> bool:
        """Whether what the casino gives away to play with may be staked as it is."""
        return False

    def usual_devices(self, play: Section) -> tuple[Kind, ...]:
        """What stands at such a table."""
        return self.needs(play)

    # -- the table ---------------------------------------------------------------------------------------------

    def house(self, book: Rulebook) -> House:
        """The rulebook as the table uses it: powers, and how much notice people get."""
        raise NotImplementedError

    def build(self, config: TableConfig, table: Table) -> Game:
        """The game at this table, before its first event."""
        raise NotImplementedError

    def alarms(self) -> Alarms[Any]:
        """Every alarm of it that there is: `ALARMS` of the module of that name in its directory."""
        found: Alarms[Any] = importlib.import_module(f"{type(self).__module__}.alarms").ALARMS
        return found

    def by_hand(self) -> Part[Any]:
        """What is asked for instead of such a device."""
        raise NotImplementedError

    def areas(self, config: TableConfig) -> int:
        """How many areas the chip mat has, the float included."""
        raise NotImplementedError

    def wheel(self, config: TableConfig) -> Wheel:
        """What spins of this table's wheel are judged by, where it has one."""
        raise ConfigError(f"{self.title} is not played with a wheel; take the wheel out of [devices]")

    def shuffles_single_decks(self) -> bool:
        """Whether a shuffler at this table gives one whole deck at a time."""
        return False

    def sealed_cards(self, play: Section) -> SealedCards | None:
        """Where hole cards are kept from everybody, the files that this needs."""
        return None

    # -- looks -------------------------------------------------------------------------------------------------

    def course(self) -> Course:
        """The declared machine of its round."""
        raise NotImplementedError

    def face(self, config: TableConfig, game: Game, drivers: Mapping[str, object]) -> dict[str, Any]:
        """What its pages must know before anything happens."""
        return {}

    def beside(self, game: Game) -> dict[str, Any]:
        """What the staff's screens show besides the round, and nobody else needs."""
        return {}

    past_on_sign = False
    """Whether players know the outcomes of past rounds from the sign."""
    drawn_events: ClassVar[frozenset[str]] = frozenset()
    """Kinds of events of which `drawn` makes something to look at; pages are shown the last one."""

    def drawn(self, event: dict[str, Any]) -> dict[str, Any]:
        """What a page draws of an event in the journal; what is packed there for programs alone is taken out of it."""
        return {}

    def edges(self, rulebook: str, decks: int | None = None) -> list[Edge]:
        """The exact expectation of every wager; ConfigError where none can be counted out."""
        raise ConfigError(f"{rulebook}: players play against each other, so no wager has an edge of its own")

    def expectations(self, config: TableConfig) -> dict[str, Fraction]:
        """What a unit on each bet of this table gains a player on average, exact; empty where no bet has an edge."""
        return {}

    def landings(self, config: TableConfig) -> Landings | None:
        """What a day's landings are counted with, where there is a wheel."""
        return None

    def expected(self, config: TableConfig) -> dict[str, Fraction]:
        """How often each outcome is to be expected, where that is fixed."""
        return {}
