"""What tests of uplink and floor share: a broker, a journal that grows, a line that can be cut, and waiting."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import nats
from nats.aio.client import Client
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from controller.config.types import UplinkSection
from controller.journal.file import Entry, JournalFile
from controller.journal.head import Note, TableKey
from controller.uplink.link import Uplink, UplinkThread
from controller.uplink.messages import ROWS_STREAM, Address, Rows, decode
from floor.streams import made, rows_stream, witness_stream
from lab.floor.line import Line
from lab.floor.server import NatsServer

T = TypeVar("T")
SEED = bytes(range(32))


def until(condition: Callable[[], object], seconds: float = 20.0) -> None:
    """Look again and again until it holds; the deadline is for a machine that is very busy."""
    ends, pause = time.monotonic() + seconds, threading.Event()
    while not condition():
        assert time.monotonic() < ends, "it never came to this"
        pause.wait(0.02)


async def moment(seconds: float = 0.0) -> None:
    """Let the loop run on: whatever else is on it has its turn."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.Event().wait(), seconds)


def ask(url: str, question: Callable[[Client], Awaitable[T]]) -> T:
    """What somebody with a connection of their own finds at the broker."""

    async def asked() -> T:
        client = await nats.connect(url)
        try:
            return await question(client)
        finally:
            await client.close()

    return asyncio.run(asked())


def prepared(server: NatsServer) -> NatsServer:
    """The server running, with the streams that a floor makes."""
    server.start()
    ask(server.url, lambda client: made(client.jetstream(), rows_stream(), witness_stream()))
    return server


def messages(url: str, address: Address) -> list[Rows]:
    """Everything in the stream of one journal, in order."""

    async def read(client: Client) -> list[Rows]:
        stream = client.jetstream()
        config = ConsumerConfig(deliver_policy=DeliverPolicy.ALL, ack_policy=AckPolicy.NONE)
        puller = await stream.pull_subscribe(address.rows, stream=ROWS_STREAM, config=config)
        found: list[Rows] = []
        while True:
            info = await puller.consumer_info()
            if not info.num_pending:
                return found
            found += [decode(one.data, Rows) for one in await puller.fetch(min(200, info.num_pending), timeout=10)]

    return ask(url, read)


def rows_of(found: list[Rows]) -> list[tuple[int, int, bytes]]:
    """The rows in these messages with their numbers."""
    return [(one.first + place, at, body) for one in found for place, (at, body) in enumerate(one.rows)]


class Writer:
    """A table's journal that grows, its uplink beside it."""

    def __init__(self, folder: Path, url: str, table: str = "T1", witness: str = "", key: bytes = SEED) -> None:
        self.path = folder / f"{table}.sqlite"
        self.journal = JournalFile.open(self.path, table, durable=False)
        self.key = TableKey(key)
        self.note: Note | None = None
        self.journal.took = lambda head: setattr(self, "note", self.key.sign(head))
        self.section = UplinkSection((url,), witness=witness)
        self.uplink: Uplink
        self._thread: UplinkThread | None = None

    @property
    def address(self) -> Address:
        return Address.of(self.journal.origin)

    def write(self, count: int, say: str = "", rows: Callable[[int], Entry] | None = None) -> None:
        """So many rows, each in a commit of its own."""
        for _ in range(count):
            seq = self.journal.last_seq + 1
            body = b'{"event":{"type":"TimerDue","timer":"%d%b"},"form":4}' % (seq, say.encode())
            self.journal.append([rows(seq) if rows is not None else Entry(1_700_000_000_000 + seq * 100, body)])
            if self._thread is not None:
                self.uplink.wake()

    def connect(self) -> None:
        self.uplink = Uplink(self.path, self.section, lambda: self.note, self.key)
        self._thread = UplinkThread(self.uplink)

    def disconnect(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.close()

    def close(self) -> None:
        self.disconnect()
        self.journal.close()

    def rows(self) -> list[tuple[int, int, bytes]]:
        return [(row.seq, row.at, row.body) for row in self.journal.rows()]

    def sent(self, url: str) -> bool:
        """Whether the stream has every row."""
        found = messages(url, self.address)
        return bool(found) and found[-1].upto == self.journal.last_seq

    def settled(self) -> bool:
        """Whether the uplink says that all was sent."""
        return self.uplink.sign.state == "up" and not self.uplink.sign.behind


class CutLine(Line):
    """A line to the broker that breaks after a while, again and again, also between a message and its answer."""

    def __init__(self, port: int, seed: int, most: int = 6_000) -> None:
        """`most` bytes pass before it breaks; a message that has more never comes through."""
        self._draw, self._most = random.Random(seed), most
        self.breaks = True
        self.count = 0
        super().__init__(port)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.close()
            return
        left = [self._draw.randrange(400, self._most) if self.breaks else 1 << 40]
        ways = [self._pass(reader, back, left), self._pass(there, writer, left)]
        tasks = [asyncio.ensure_future(way) for way in ways]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        for end in (writer, back):
            end.transport.abort()
        self.count += 1

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, left: list[int]) -> None:
        while left[0] > 0:
            data = await reader.read(min(2048, left[0]))
            if not data:
                return
            left[0] -= len(data)
            writer.write(data)
