"""What reaches the table besides what the devices saw: people, time, and the controller's own coming and going."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.people import Person


class TableEvent(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """Something the table must take notice of."""


class Edition(msgspec.Struct, frozen=True, omit_defaults=True):
    """The edition of a rulebook that a table plays by, word for word, so that it can be read years later."""

    version: str
    digest: str
    text: str
    amended: bool = False
    """Whether it came to the table as an amendment, and is not the one that the program carries."""

    @property
    def name(self) -> str:
        """How it is named beside a round."""
        return f"version {self.version}, {self.digest[:16]}"


class Started(TableEvent, frozen=True, omit_defaults=True):
    """The controller came up; with this program and this configuration it answers for the table."""

    version: str
    config: dict[str, Any]
    """As `controller.config.kept` keeps it."""
    edition: Edition | None = None
    """None in journals from before editions were kept."""
    before: str = ""
    """The name of the edition that was played by before this start, where there was one."""


class Stopped(TableEvent, frozen=True):
    """The controller went down in good order."""


class Command(TableEvent, frozen=True):
    """A person pressed a key or used a power."""

    name: str
    by: Person
    args: dict[str, Any] = {}


class TimerDue(TableEvent, frozen=True):
    """A moment the table asked to hear of has come."""

    timer: str


class SignShown(TableEvent, frozen=True):
    """The limit sign shows this revision of its content."""

    revision: int


class DiskLow(TableEvent, frozen=True):
    """The disk under the journal is nearly full, or has room again."""

    free_mb: int
    low: bool


class ProgramChecked(TableEvent, frozen=True):
    """The installed program was compared with its manifest; `wrong` names what differs."""

    manifest: str
    files: int
    wrong: tuple[str, ...] = ()


class EditionDue(TableEvent, frozen=True):
    """The time of an amended rulebook has come, and the table still plays by the edition before it."""

    version: str
    reference: str
    effective: int
    """When it came into force, in milliseconds."""


class ClockCompared(TableEvent, frozen=True, omit_defaults=True):
    """What is known of the machine's clock: whether it follows a trusted one, how far ahead of it, and within what."""

    followed: bool
    ahead_ms: int = 0
    within_ms: int = 0
    impossible: str = ""  # why what it shows cannot be


class FellBack(TableEvent, frozen=True):
    """The installed version is not whole; the launcher runs the one before it in its place."""

    installed: str
    running: str


class JournalChecked(TableEvent, frozen=True):
    """The chain of the journal was followed from its first row to this one; `wrong` says where it is broken."""

    rows: int
    wrong: str = ""


class TwinSeen(TableEvent, frozen=True):
    """Another machine plays under this table's name: it has kept a head that is not of this journal."""

    why: str


class Order(msgspec.Struct, frozen=True):
    """What somebody of the floor wants of a table, once: the journal it is meant for, the kind, who with which rank of
    the table's rulebook, and when it was given (milliseconds since the epoch)."""

    id: str
    table: str
    kind: str
    by: str
    rank: str
    at: int
    args: dict[str, Any] = {}


class FloorOrder(TableEvent, frozen=True):
    """An order came that the floor has signed; `to` is the journal of the table that heard it."""

    order: Order
    to: str
    signature: str


class OrdersTurnedAway(TableEvent, frozen=True):
    """Orders came that are not taken as orders at all: not signed by the floor, or too many at once."""

    count: int
    why: str


class Chip(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tag as the chip register knows it; `cents` is 0 for what has no value of its own."""

    tag: int
    kind: str
    cents: int
    mark: str = ""


class ChipsMoved(TableEvent, frozen=True, omit_defaults=True):
    """Chips came to or left an area of the layout; area 0 is the float.

    `ago` is how many milliseconds before the telling this may already have been so, by the mat's own clock;
    `unread` are chips that no antenna reads just now and that may lie there still.
    """

    device: str
    area: int
    added: tuple[Chip, ...] = ()
    removed: tuple[int, ...] = ()
    partial: bool = False
    ago: int = 0
    unread: tuple[int, ...] = ()


class ChipsSwept(TableEvent, frozen=True):
    """One pass over the mat found several changes at once; chips that left come first."""

    device: str
    moves: tuple[ChipsMoved, ...]


class ChipUnclear(TableEvent, frozen=True):
    """A chip is seen by several areas at once."""

    device: str
    chip: Chip
    areas: tuple[int, ...]


class ChipPlaced(TableEvent, frozen=True):
    """A chip that was seen by several areas lies on no line any more."""

    device: str
    tag: int


class ChipsCounted(TableEvent, frozen=True):
    """The complete picture, read anew: every chip on every area; it takes the place of whatever was known."""

    device: str
    areas: dict[int, tuple[Chip, ...]]


class SignedIn(TableEvent, frozen=True):
    """Somebody stands at this place with this rank from now on."""

    place: str
    person: Person


class SignedOut(TableEvent, frozen=True):
    """Somebody no longer does, and why."""

    place: str
    person: Person
    reason: str


class NotSignedIn(TableEvent, frozen=True):
    """Why a card or PIN was not accepted, in words to show; wrong PINs in a row, and when a lock-out ends.

    `typed` when a number was typed at a screen and no card was there.
    """

    place: str
    code: str
    text: str
    member: str = ""
    wrong: int = 0
    until: int = 0
    typed: bool = False


class LockLifted(TableEvent, frozen=True):
    """A supervisor came to the place where wrong PINs had been typed: what was locked there is open again."""

    place: str
    locked: str
    by: Person


class PlayerCardRead(TableEvent, frozen=True):
    """A player's card was read here: its keyed pseudonym, and what the house says of it; `until` 0 is for ever."""

    device: str
    card: str
    state: str
    until: int = 0
