"""What travels between a table and the floor, and on which subjects.

Every message is a msgpack map with the number of its form. A row's body is the journal's own bytes: what the chain and
the tree stand for arrives as it was written.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import msgspec

from controller.journal.chain import GENESIS

FORM = 1
ROWS_STREAM = "ROWS"
WITNESS_STREAM = "WITNESS"
ROWS_SUBJECTS = "rows.*.*"
BEAT_SUBJECTS = "beat.*.*"
WITNESS_SUBJECTS = "witness.*.*"
EXPECTED = "Nats-Expected-Last-Subject-Sequence"
"""What makes a publisher exact: the broker refuses a message that does not follow the one it names."""


class BadMessage(Exception):
    """Something arrived that is none of these messages: what is wrong with it."""


class Address(NamedTuple):
    """Whose subjects these are: a table's name as part of other names, and the id of one journal of it."""

    table: str
    journal: str

    @classmethod
    def of(cls, origin: str) -> Address:
        """The address of a journal, by the name that its heads bear."""
        whose, _, rest = origin.partition("/")
        table, _, journal = rest.partition("/")
        if whose != "tablectl" or not table or not journal or not set(table + journal) <= _PLAIN:
            raise BadMessage(f"{origin[:80]!r} is not the name of a table's journal")
        return cls(table, journal)

    @classmethod
    def on(cls, subject: str) -> Address:
        """The address in the subject of a message."""
        _, table, journal = subject.split(".")
        return cls(table, journal)

    @property
    def origin(self) -> str:
        return f"tablectl/{self.table}/{self.journal}"

    @property
    def rows(self) -> str:
        return f"rows.{self.table}.{self.journal}"

    @property
    def beat(self) -> str:
        return f"beat.{self.table}.{self.journal}"

    @property
    def witness(self) -> str:
        return f"witness.{self.table}.{self.journal}"

    @property
    def order(self) -> str:
        return f"order.{self.table}.{self.journal}"


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


class Rows(msgspec.Struct, frozen=True, omit_defaults=True):
    """Rows of one journal that follow each other, from number `first` on: when each came, and its body.

    `before` is the hash of the row before the first one, `hash` that of the last one here. `peaks` are those of the
    tree over rows that were removed before the floor had heard any. `note` is the newest head of rows sent so far.
    """

    form: int
    first: int
    before: bytes
    rows: tuple[tuple[int, bytes], ...]
    hash: bytes
    note: str = ""
    peaks: tuple[tuple[int, bytes], ...] = ()

    @property
    def upto(self) -> int:
        """The number of the last row that the stream has with this message."""
        return self.first + len(self.rows) - 1


class Beat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table is there: how many rows it has, and the hash of the row at which it found the stream.

    `parted` says why it sends no rows: the stream holds another past than its journal.
    """

    form: int
    last: int
    stands: int
    hash: bytes
    parted: str = ""
    note: str = ""
    at: int = 0
    signature: bytes = b""

    def words(self, origin: str) -> bytes:
        """What the table's key signs of it, so that nobody says in its name that it is there."""
        return BEAT + origin.encode() + b"\n" + _encode(msgspec.structs.replace(self, signature=b""))


class Signed(msgspec.Struct, frozen=True):
    """An order of the floor: its JSON as it was signed, and the signature of the floor's key."""

    form: int
    order: bytes
    signature: bytes


BEAT = b"tablectl-beat/v1\n"
M = TypeVar("M", Rows, Beat, Signed)
_encode = msgspec.msgpack.Encoder().encode


class _Form(msgspec.Struct):
    form: int


def encode(message: Rows | Beat | Signed) -> bytes:
    """The bytes of a message."""
    return _encode(message)


def decode(data: bytes, kind: type[M]) -> M:
    """The message in these bytes; BadMessage when it is none, or one of a form that is not known here."""
    try:
        form = msgspec.msgpack.decode(data, type=_Form).form
        if form != FORM:
            raise BadMessage(f"it is in form {form}, and this program knows form {FORM}: install the newer one here")
        return msgspec.msgpack.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise BadMessage(f"it cannot be read ({error})") from error


class Stands(NamedTuple):
    """Where the stream stands: its own number of the last message, the last row in it, and that row's hash."""

    message: int = 0
    row: int = 0
    hash: bytes = GENESIS
