"""What the floor wants a machine to have, and what the machine has, as both travel over the broker."""

from __future__ import annotations

from typing import Literal, TypeVar

import msgspec

from controller.journal.cosignature import Witness, WitnessKey
from controller.journal.head import TableKey
from controller.uplink.messages import FORM, UNREADABLE, BadMessage, Signed, decode, encode

Kind = Literal["program", "configuration", "rulebook"]
State = Literal["fetching", "waiting", "switching", "done", "refused", "withdrawn"]
KINDS: tuple[Kind, ...] = ("program", "configuration", "rulebook")
STREAM = "FLEET"
PIECES_STREAM = "PIECES"
WANT_SUBJECTS, HAS_SUBJECTS, PIECE_SUBJECTS = "fleet.want.*.*", "fleet.has.*", "piece.*.*"
PIECE = 512 << 10
"""Files travel in pieces of this size, each found by the file's digest and its number."""
BYTES_MOST = 64 << 10
WANT, HAS = b"tablectl-want/v1\n", b"tablectl-has/v1\n"
"""How everything begins that the floor signs as wanted, and that a table signs as being so."""


def want_subject(table: str, kind: Kind) -> str:
    return f"fleet.want.{table}.{kind}"


def has_subject(table: str) -> str:
    return f"fleet.has.{table}"


def piece_subject(digest: str, number: int) -> str:
    return f"piece.{digest}.{number}"


class Want(msgspec.Struct, frozen=True, omit_defaults=True):
    """A machine shall have the file of this digest; of two for one kind the higher number counts.

    Without a digest nothing is wanted any more: what was not switched to by then is left.
    """

    table: str
    kind: Kind
    number: int
    roll_out: str
    at: int
    by: tuple[str, str]
    name: str = ""
    digest: str = ""
    size: int = 0


class Doing(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far a machine is with what was wanted of it, since when, and why not further."""

    kind: Kind
    number: int
    roll_out: str
    state: State
    at: int
    name: str = ""
    text: str = ""


class Found(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something about the machine that a person should know."""

    check: str
    level: str
    text: str
    remedy: str = ""


class Has(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a machine has and how it is: signed by the table's key, and newer than the one before.

    `machine` is the same for whatever one computer says, under whichever name; `instead_of` is a version that is not
    whole any more, for which the one before it runs.
    """

    table: str
    machine: str
    at: int
    program: str
    before: str = ""
    instead_of: str = ""
    configuration: str = ""
    rulebook: str = ""
    editions: tuple[str, ...] = ()
    running: bool = False
    doing: tuple[Doing, ...] = ()
    found: tuple[Found, ...] = ()
    clock_ms: int | None = None
    free_mb: int = 0
    worn: int | None = None
    packaged: bool = False
    """Whether its program came with the Debian package: it takes packages, and others take bundles."""


T = TypeVar("T", Want, Has)
_encode = msgspec.json.Encoder().encode


def signed_want(want: Want, key: WitnessKey) -> bytes:
    text = _encode(want)
    return encode(Signed(FORM, text, key.say(WANT + text)))


def signed_has(has: Has, key: TableKey | None) -> bytes:
    text = _encode(has)
    return encode(Signed(FORM, text, key.say(HAS + text) if key is not None else b""))


def read_want(data: bytes, floor: Witness) -> Want:
    """What the floor wants; BadMessage when it is none, or not this floor's."""
    message = _read(data)
    if not floor.said(WANT + message.order, message.signature):
        raise BadMessage("the floor's key did not sign it")
    return _told(message.order, Want)


def read_has(data: bytes) -> tuple[Has, Signed]:
    """What a machine says it has; whose word it is, the signature tells."""
    message = _read(data)
    return _told(message.order, Has), message


def _read(data: bytes) -> Signed:
    if len(data) > BYTES_MOST:
        raise BadMessage(f"it has {len(data)} bytes")
    return decode(data, Signed)


def _told(text: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(text, type=kind)
    except UNREADABLE as error:
        raise BadMessage(f"it cannot be read ({error})") from error
