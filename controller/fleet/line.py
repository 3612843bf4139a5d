"""A steward's connection to the broker: hears what is wanted, fetches it in pieces, and says what the machine has."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable

import structlog
from nats.aio.msg import Msg

from controller.config.types import UplinkSection
from controller.fleet.messages import (
    KINDS,
    PIECE,
    PIECES_STREAM,
    STREAM,
    Has,
    Want,
    has_subject,
    piece_subject,
    read_want,
    signed_has,
    want_subject,
)
from controller.fleet.steward import Steward
from controller.journal.cosignature import Witness, read_witness
from controller.journal.head import TableKey
from controller.uplink.broker import Away, Broker, Nothing, either
from controller.uplink.messages import BadMessage

LOOK_S = 2.0
SAY_S = 15.0
TELL_S = 10.0
AGAIN_S = (0.5, 30.0)

log = structlog.get_logger()


class FleetBroker(Broker):
    """What a steward asks of the broker."""

    async def wanted(self, table: str, take: Callable[[bytes], None]) -> None:
        """Hear what is wanted of this machine: the newest word of each kind, then each as it comes."""

        async def heard(message: Msg) -> None:
            take(message.data)

        await self._said(self._client.subscribe(f"fleet.want.{table}.*", cb=heard))
        for kind in KINDS:
            with contextlib.suppress(Nothing):
                newest = await self._said(self._stream.get_last_msg(STREAM, want_subject(table, kind), direct=True))
                take(newest.data or b"")

    async def piece(self, digest: str, number: int) -> bytes:
        found = await self._said(self._stream.get_last_msg(PIECES_STREAM, piece_subject(digest, number), direct=True))
        return found.data or b""

    async def has(self, table: str, data: bytes) -> None:
        await self._said(self._stream.publish(has_subject(table), data, stream=STREAM))


class FleetLine:
    """A steward at work: `run` until it is stopped, or a new version of this program is to go on in its place."""

    def __init__(
        self, steward: Steward, section: UplinkSection, key: TableKey | None, has: Callable[[], Has],
    ) -> None:  # fmt: skip
        """`has` looks at the machine; it may take a while."""
        self._steward, self._section, self._key, self._has = steward, section, key, has
        self._floor: Witness = read_witness(section.witness)
        self._broker: FleetBroker | None = None
        self._changed = asyncio.Event()
        self._told = asyncio.Event()
        self._over = asyncio.Event()

    def stop(self) -> None:
        self._steward.stop()
        self._over.set()

    async def run(self) -> None:
        """Hear, fetch, do and tell; what is there already is done without a broker, too."""
        tasks = [asyncio.ensure_future(each) for each in (self._connecting(), self._working(), self._over.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            for found in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(found, Exception):
                    raise found

    async def _connecting(self) -> None:
        pause = AGAIN_S[0]
        while True:
            begun = time.monotonic()
            try:
                await self._once()
            except (Away, BadMessage) as away:
                log.warning("fleet_away", why=str(away))
            pause = AGAIN_S[0] if time.monotonic() - begun > AGAIN_S[1] else min(2 * pause, AGAIN_S[1])
            await asyncio.sleep(pause)

    async def _once(self) -> None:
        broker = await FleetBroker.reach(self._section, f"tablectl/{self._steward.table}/steward")
        try:
            assert isinstance(broker, FleetBroker)
            await broker.wanted(self._steward.table, self._take)
            self._broker = broker
            while not broker.lost.is_set():
                self._changed.clear()
                has = await asyncio.to_thread(self._has)
                await broker.has(self._steward.table, signed_has(has, self._key))
                self._told.set()
                await either(self._changed, broker.lost, SAY_S)
            raise Away("the connection to the broker was lost")
        finally:
            self._broker = None
            await broker.close()

    def _take(self, data: bytes) -> None:
        try:
            want = read_want(data, self._floor)
        except BadMessage as bad:
            log.error("fleet_not_believed", why=str(bad), remedy="find out who writes to the broker")
            return
        if self._steward.take(want):
            self._changed.set()

    async def _working(self) -> None:
        """Until this program is to be followed by its successor."""
        while not self._steward.renewed:
            want = self._steward.missing()
            if want is not None and self._broker is not None:
                with contextlib.suppress(Away):  # told by the connection; what was fetched stays
                    await self._fetch(self._broker, want)
            if await asyncio.to_thread(self._steward.step):
                await self._tell()
            elif want is None or self._broker is None:
                await asyncio.sleep(LOOK_S)
        await self._last_word()

    async def _tell(self) -> None:
        """Have it said before anything else is done: a machine that is not heard again shall be known to have begun."""
        self._told.clear()
        self._changed.set()
        with contextlib.suppress(TimeoutError):
            if self._broker is not None:
                await asyncio.wait_for(self._told.wait(), TELL_S)

    async def _last_word(self) -> None:
        """Tell what came about before this program ends, where somebody hears it."""
        with contextlib.suppress(Away):
            if self._broker is not None:
                has = await asyncio.to_thread(self._has)
                await self._broker.has(self._steward.table, signed_has(has, self._key))

    async def _fetch(self, broker: FleetBroker, want: Want) -> None:
        """Go on with the file where the last connection left it; a piece is on the disk before the next is asked."""
        part = self._steward.part(want)
        with part.open("ab") as file:
            whole = file.tell() // PIECE * PIECE if file.tell() < want.size else 0
            file.truncate(whole)
            file.seek(whole)
            while file.tell() < want.size:
                piece = await broker.piece(want.digest, file.tell() // PIECE)
                if not piece:
                    raise Away("the broker holds an empty piece")
                file.write(piece)
                file.flush()
                os.fsync(file.fileno())
                if self._steward.missing() != want:
                    return
        self._steward.fetched(want)
        self._changed.set()
