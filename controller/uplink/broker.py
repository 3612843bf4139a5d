"""The connection to the broker: what the uplink asks of it, each with a deadline; loads the NATS client."""

from __future__ import annotations

import asyncio
import contextlib
import random
import ssl
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

import nats.errors
import nats.js.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext

from controller.config.types import UplinkSection
from controller.uplink.messages import EXPECTED, ROWS_STREAM, WITNESS_STREAM, Address, Rows, Stands, decode
from controller.uplink.nkey import BadSeed, BrokerKey, read_broker_key

CONNECT_S = 5.0
ANSWER_S = 3.0
PING_S = 5.0
"""A line that is cut without a word is noticed after two of these."""
CLOSE_S = 2.0
PONG_S = 1
RENEW = "write its users anew on the floor's machine (tablectl floor broker) and have it read them"

T = TypeVar("T")


class Away(Exception):
    """The broker cannot be reached, or does not do what is asked of it: why."""


class Overtaken(Away):
    """The stream has gone on meanwhile: where it stands must be asked again."""


class Unready(Away):
    """The broker is there, and its stream takes nothing now: its nodes elect a leader, or nobody has made it yet."""


class Late(Away):
    """Nothing was answered in time."""


class Connection:
    """What the client tells of one connection: whether it is lost, and what the broker refuses on it."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()
        self.refused = ""
        self.rings: asyncio.Event | None = None

    def _lose(self) -> None:
        self.lost.set()
        if self.rings is not None:
            self.rings.set()

    async def gone(self) -> None:
        self._lose()

    async def trouble(self, error: Exception) -> None:
        """A subscription that is refused costs what would have been heard there; anything else ends the connection."""
        said = str(error).removeprefix("nats: ")
        if "permissions violation" in said.lower():
            self.refused = f"the broker refused: {said}"
            if "for subscription" in said.lower():
                return
        self._lose()


class Broker:
    """One connection, which ends with the first thing that goes wrong; the next one begins by asking anew."""

    def __init__(self, client: Client, line: Connection) -> None:
        self._client = client
        self._stream: JetStreamContext = client.jetstream(timeout=ANSWER_S)
        self._line = line
        self.lost = line.lost
        self._gone = asyncio.ensure_future(line.lost.wait())

    @property
    def refused(self) -> str:
        """What the broker does not allow this table, and what to do; the rest goes on."""
        return f"{self._line.refused}; {RENEW}" if self._line.refused else ""

    def tell_when_lost(self, waiting: asyncio.Event) -> None:
        """Whoever waits for something else is woken when the line is lost."""
        self._line.rings = waiting
        if self.lost.is_set():
            waiting.set()

    @classmethod
    async def reach(cls, section: UplinkSection, name: str) -> Broker:
        """Connect; Away when nobody answers."""
        line = Connection()
        connecting = connected(
            section.nkey,
            section.servers,
            name=name,
            allow_reconnect=False,
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            connect_timeout=CONNECT_S,
            ping_interval=PING_S,
            max_outstanding_pings=1,
            error_cb=line.trouble,
            disconnected_cb=line.gone,
            closed_cb=line.gone,
            tls=_trusted(section),
            nkeys_seed=section.nkey or None,
            inbox_prefix=f"_INBOX.{name.split('/')[1] if '/' in name else name}",
        )
        client = await _said(asyncio.wait_for(connecting, len(section.servers) * CONNECT_S + CLOSE_S))
        line.lost.clear()  # what a dead node before it said
        return cls(client, line)

    async def stands(self, address: Address) -> Stands:
        """Where the stream stands with this journal."""
        try:
            last = await self._said(self._stream.get_last_msg(ROWS_STREAM, address.rows, direct=True))
        except Nothing:
            return Stands()
        rows = decode(last.data or b"", Rows)
        return Stands(last.seq or 0, rows.upto, rows.hash)

    async def publish(self, address: Address, data: bytes, follows: int) -> int:
        """Put a message into the stream right after the one of this number, or not at all; its own number."""
        headers = {EXPECTED: str(follows)}
        acknowledged = await self._said(self._stream.publish(address.rows, data, ANSWER_S, ROWS_STREAM, headers))
        return acknowledged.seq

    async def beat(self, address: Address, data: bytes) -> None:
        """Say that the table is there; whether anybody hears it does not matter."""
        await self._said(self._client.publish(address.beat, data))

    async def witnessed(self, address: Address, take: Callable[[bytes], None]) -> None:
        """Hear the heads that the floor has countersigned, each as it comes."""

        async def heard(message: Msg) -> None:
            take(message.data)

        await self._said(self._client.subscribe(address.witness, cb=heard))

    async def newest_witnessed(self, address: Address, take: Callable[[bytes], None]) -> None:
        """Hear the newest head that the floor has countersigned so far."""
        try:
            newest = await self._said(self._stream.get_last_msg(WITNESS_STREAM, address.witness, direct=True))
        except Nothing:
            return
        take(newest.data or b"")

    async def ordered(self, address: Address, take: Callable[[bytes], None]) -> None:
        """Hear what the floor orders this table; whoever sent it is answered that it came, and no more than that."""

        async def heard(message: Msg) -> None:
            take(message.data)
            if message.reply:
                await message.respond(b"heard")

        await self._said(self._client.subscribe(address.order, cb=heard))

    async def _said(self, asked: Coroutine[Any, Any, T]) -> T:
        """What the broker answers; nobody waits for an answer on a connection that is lost."""
        asking = asyncio.ensure_future(_said(asked))
        await asyncio.wait((asking, self._gone), return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():
            asking.cancel()
            raise Away(self.refused or "the connection to the broker was lost")
        if asking.cancelled():  # by the client, which cancels what waits when it closes
            raise Away(self.refused or "the connection to the broker was lost")
        try:
            return asking.result()
        except Late as late:
            if await answers(self._client):
                raise Unready(f"the broker answers and its stream does not ({late})") from late
            raise

    async def close(self) -> None:
        self._gone.cancel()
        with contextlib.suppress(TimeoutError, OSError, nats.errors.Error):
            await asyncio.wait_for(self._client.close(), CLOSE_S)


class _Keyed(Client):
    """A client with a key of ours, where the library would load a second cryptography to read it."""

    def __init__(self, key: BrokerKey) -> None:
        super().__init__()
        self._broker_key = key

    def _setup_nkeys_seed_connect(self) -> None:
        self._public_nkey, self._signature_cb = self._broker_key.public, self._broker_key.answer


class Nothing(Away):
    """There is no such message in the stream."""


WRONG_LAST_SEQUENCE = 10071


async def _said(asked: Awaitable[T]) -> T:
    """What the broker answers; Away with the reason when it does not."""
    try:
        return await asked
    except nats.js.errors.NotFoundError as error:
        raise Nothing("there is no such message") from error
    except nats.js.errors.ServiceUnavailableError as error:
        raise Unready(f"the broker's nodes do not agree now: {error.description or error}") from error
    except nats.js.errors.APIError as error:
        if error.err_code == WRONG_LAST_SEQUENCE:
            raise Overtaken("somebody else has written to this table's subject") from error
        raise Away(f"the broker refused: {error.description or error}") from error
    except (nats.js.errors.NoStreamResponseError, nats.errors.NoRespondersError) as error:
        raise Unready(
            "the broker has no stream for tables now; its nodes may be electing a leader, which takes seconds; if it "
            "stays so, start the floor, which makes it"
        ) from error
    except nats.errors.MaxPayloadError as error:
        raise Away("an event is larger than the broker takes; raise max_payload there") from error
    except TimeoutError as error:
        raise Late(str(error) or type(error).__name__) from error
    except (nats.errors.Error, OSError, EOFError) as error:
        if "authorization violation" in str(error).lower():
            raise Away("the broker does not know this table's key; add its user there") from error
        raise Away(str(error) or type(error).__name__) from error


async def answers(client: Client) -> bool:
    """Whether anybody is at the other end of a connection: a node whose stream says nothing need not be left."""
    try:
        await client.flush(PONG_S)
    except (nats.errors.Error, TimeoutError, OSError):
        return False
    return True


async def either(one: asyncio.Event, other: asyncio.Event, seconds: float) -> None:
    """Until one of two things has happened, or the time is over."""
    waiting = [asyncio.ensure_future(each.wait()) for each in (one, other)]
    await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for each in waiting:
        each.cancel()


def client_with(nkey: str) -> Client:
    """A client that the broker knows by the key in this file; without one, where it asks nobody who they are."""
    try:
        return _Keyed(read_broker_key(Path(nkey))) if nkey else Client()
    except BadSeed as bad:
        raise Away(str(bad)) from bad


async def connected(nkey: str, servers: Sequence[str], **options: Any) -> Client:
    """A client at the first of these brokers that answers, in any order; what the last one says where none does."""
    order = random.sample(servers, len(servers))
    for left, server in zip(range(len(order))[::-1], order, strict=True):
        client = client_with(nkey)
        try:
            await client.connect(servers=[server], **options)
            return client
        except (nats.errors.Error, TimeoutError, OSError, EOFError):
            if not left:
                raise
    raise Away("no broker is named")


def _trusted(section: UplinkSection) -> ssl.SSLContext | None:
    """Whom the table believes to be the broker; None where nothing is encrypted."""
    if not section.encrypted:
        return None
    return ssl.create_default_context(cafile=section.ca or None)
