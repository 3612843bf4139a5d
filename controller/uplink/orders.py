"""Orders of the floor on their way into the table: believed by the floor's signature alone, whoever carries them."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import structlog

from controller.core.effects import Refused
from controller.core.events import FloorOrder, Order, OrdersTurnedAway, TableEvent
from controller.journal import row as record
from controller.journal.cosignature import Witness, WitnessKey
from controller.journal.file import JournalFile
from controller.uplink.messages import FORM, BadMessage, Signed, decode, encode

WHAT = b"tablectl-order/v1\n"
"""How everything begins that the floor signs as an order."""
AT_ONCE, A_MINUTE = 20, 10
"""So many orders are taken at once, and so many a minute after that: a journal is no place for a flood."""
TELL_S = 60.0
"""What was turned away is told at once, and then once a minute at most."""
BYTES_MOST = 64 << 10

log = structlog.get_logger()
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Order).decode


def signed(order: Order, key: WitnessKey) -> bytes:
    """The message that carries an order to its table."""
    text = _encode(order)
    return encode(Signed(FORM, text, key.say(WHAT + text)))


def stands_signed(event: FloorOrder, witness: Witness) -> bool:
    """Whether an order in the journal is one that this floor has signed."""
    return witness.said(WHAT + _encode(event.order), base64.b64decode(event.signature))


class Listed(msgspec.Struct, frozen=True):
    """An order in a journal: the event that it came as, who gave it, what became of it, and whether it is signed."""

    seq: int
    at: int
    id: str
    kind: str
    by: str
    rank: str
    args: dict[str, Any]
    answer: str
    signed: bool


def heard_in(journal: JournalFile, witness: Witness) -> Iterator[Listed]:
    """Every order that came to a table, as its journal has it."""
    for row in journal.rows():
        kept = record.read(row, journal.path)
        if isinstance(kept.event, FloorOrder):
            order = kept.event.order
            refused = next((one.text for one in kept.effects if isinstance(one, Refused)), "")
            yield Listed(
                row.seq, row.at, order.id, order.kind, order.by, order.rank, order.args,
                f"refused: {refused}" if refused else "carried out", stands_signed(kept.event, witness),
            )  # fmt: skip


class Gate:
    """Lets signed orders through, on whatever thread they come; the table decides what becomes of them."""

    def __init__(
        self, witness: Witness | None, origin: str, submit: Callable[[TableEvent], object],
        now: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._witness, self._origin, self._submit, self._now = witness, origin, submit, now
        self._room, self._filled = float(AT_ONCE), now()
        self._away, self._told = 0, now() - TELL_S

    def take(self, data: bytes) -> None:
        """A message came on this table's order subject."""
        try:
            event = self._read(data)
            self._make_room()
        except BadMessage as bad:
            self._turn_away(str(bad))
            return
        self._submit(event)

    def _read(self, data: bytes) -> FloorOrder:
        if self._witness is None:
            raise BadMessage("this table knows no key of the floor; write it as witness into [uplink]")
        if len(data) > BYTES_MOST:
            raise BadMessage(f"one had {len(data)} bytes")
        message = decode(data, Signed)
        if not self._witness.said(WHAT + message.order, message.signature):
            raise BadMessage("the floor's key did not sign them")
        try:
            order = _decode(message.order)
        except msgspec.MsgspecError as error:
            raise BadMessage(f"the floor signed one that cannot be read here ({error})") from error
        if _encode(order) != message.order:
            raise BadMessage("the floor signed one with more in it than is known here; install its version")
        return FloorOrder(order, self._origin, base64.b64encode(message.signature).decode())

    def _make_room(self) -> None:
        now = self._now()
        self._room = min(float(AT_ONCE), self._room + (now - self._filled) * A_MINUTE / 60)
        self._filled = now
        if self._room < 1:
            raise BadMessage("too many came at once")
        self._room -= 1

    def _turn_away(self, why: str) -> None:
        self._away += 1
        if self._now() - self._told < TELL_S:
            return
        log.error("orders_turned_away", count=self._away, why=why)
        self._submit(OrdersTurnedAway(self._away, why))
        self._told, self._away = self._now(), 0
