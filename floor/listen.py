"""The floor's ear: hears the stream from where the store stands, and sends back what was countersigned."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import nats.errors
import nats.js.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy
from sqlalchemy.exc import SQLAlchemyError

from controller.uplink.broker import Away, answers, connected
from controller.uplink.messages import BEAT_SUBJECTS, ROWS_STREAM, ROWS_SUBJECTS, Address, BadMessage, Beat, decode
from floor.config import BrokerSection
from floor.intake import Countersigned, Heard, Intake
from floor.orders import heard, waiting
from floor.presence import Presence
from floor.streams import made, rows_stream, witness_stream

AT_ONCE = 256
"""Messages in one transaction, at most."""
HEAR_S = 0.1
"""How long messages are gathered for one transaction, unless there are enough of them before."""
WAIT_S = 1.0
AGAIN_S = 0.5
CLOSE_S = 1.0
ANSWER_S = 1.0
ASK_S = 2.0
"""How long the broker may take to answer before all is begun anew."""
SOON_S = 0.3
"""How soon a broker is asked again whose stream does not answer."""
AT_A_TIME = 64
"""Heads on their way back at once."""
TROUBLES = (Away, nats.errors.Error, TimeoutError, OSError, EOFError)
UNANSWERED = (nats.js.errors.Error, nats.errors.NoRespondersError, TimeoutError)
"""What a broker says, or does not say, that is there while its stream has no leader."""

log = structlog.get_logger()
T = TypeVar("T")


class Missed(Exception):
    """A message between two others did not come; the stream is heard again from where the store stands."""


class Listener:
    """Hears until it is cancelled; whatever breaks is told, and begun again where the store stands."""

    def __init__(self, intake: Intake, broker: BrokerSection, presence: Presence) -> None:
        self._intake, self._broker, self._presence = intake, broker, presence
        self._engine = intake.engine
        self._client: Client | None = None
        self._store = ThreadPoolExecutor(1, "store")
        self.trouble = "not connected yet"
        self.changed: Callable[[], None] = lambda: None
        self._ordered = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.looked: Callable[[], None] = lambda: None

    async def run(self) -> None:
        while True:
            try:
                await self._once()
            except TROUBLES as error:
                self._troubled(f"the broker: {str(error) or type(error).__name__}")
            except SQLAlchemyError as error:
                why = str(getattr(error, "orig", None) or error).splitlines()[0]
                self._troubled(f"the store: {why}; nothing is lost: the stream keeps it")
            except Exception as error:  # a floor that dies in silence would be believed
                log.exception("floor_defect")
                why = f"a defect ({type(error).__name__}: {error})"
                self._troubled(f"{why}; nothing is lost: the stream keeps it. Report it with the floor's log")
            await asyncio.sleep(AGAIN_S)

    def _troubled(self, why: str) -> None:
        if why != self.trouble:
            log.error("floor_hears_nothing", why=why)
        self.trouble = why
        self.changed()

    async def _once(self) -> None:
        """One connection, which is kept while the broker's stream does not answer: tables are heard on it meanwhile."""
        client = await connected(self._broker.nkey, self._broker.servers, **self._broker.options())
        self._client = client
        try:
            await client.subscribe(BEAT_SUBJECTS, cb=self._beat)
            while True:
                await self._as_it_answers(client)
        finally:
            self._client = None
            with contextlib.suppress(*TROUBLES):
                await asyncio.wait_for(client.close(), CLOSE_S)

    async def _as_it_answers(self, client: Client) -> None:
        """Hear the stream as long as it answers; then wait a moment, where the broker itself is still there."""
        try:
            await self._follow(client)
        except Missed as missed:
            log.warning("messages_missed", why=str(missed))
        except UNANSWERED as error:
            if client.is_closed or not await answers(client):
                raise
            said = getattr(error, "description", None) or type(error).__name__
            self._troubled(
                f"the broker is there, its stream does not answer ({said}); its nodes may elect a leader now"
            )
            await asyncio.sleep(SOON_S)

    async def _follow(self, client: Client) -> None:
        stream = client.jetstream(timeout=ASK_S)
        await made(
            stream,
            rows_stream(self._broker.replicas, self._broker.max_bytes),
            witness_stream(self._broker.replicas),
        )
        info = await stream.stream_info(ROWS_STREAM)
        self._intake.begin(str(info.created))
        sending = asyncio.ensure_future(self._send_newest(stream))
        try:
            await self._hear(client, stream)
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def _send_newest(self, stream: JetStreamContext) -> None:
        """Give every table its newest head, beside hearing them: there may be a thousand."""
        while True:
            try:
                return await self._send_back(stream, self._intake.newest())
            except UNANSWERED:
                await asyncio.sleep(SOON_S)

    async def _hear(self, client: Client, stream: JetStreamContext) -> None:
        config = ConsumerConfig(
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=self._intake.position + 1,
            ack_policy=AckPolicy.NONE, inactive_threshold=60.0,
        )  # fmt: skip
        puller = await stream.pull_subscribe(ROWS_SUBJECTS, stream=ROWS_STREAM, config=config)
        self.trouble = ""
        try:
            await self._pull(client, stream, puller)
        finally:
            with contextlib.suppress(*TROUBLES):
                await puller.unsubscribe()

    async def _pull(
        self, client: Client, stream: JetStreamContext, puller: JetStreamContext.PullSubscription
    ) -> None:  # fmt: skip
        delivered, heard = 0, time.monotonic()
        while not client.is_closed:
            try:
                messages = await puller.fetch(AT_ONCE, timeout=HEAR_S)
            except TimeoutError:
                heard = await _still_known(puller, heard)
                continue
            heard = time.monotonic()
            delivered = _all_came(messages, delivered)
            back = await self._aside(self._intake.take, [_heard(one) for one in messages])
            self._presence.rows(Address.on(one.subject).origin for one in messages)
            self.changed()
            await self._send_back(stream, back)
        raise nats.errors.ConnectionClosedError

    async def _send_back(self, stream: JetStreamContext, back: list[Countersigned]) -> None:
        for first in range(0, len(back), AT_A_TIME):
            some = back[first : first + AT_A_TIME]
            await asyncio.gather(*(stream.publish(one.address.witness, one.text.encode()) for one in some))

    async def _beat(self, message: Msg) -> None:
        try:
            address, beat = Address.on(message.subject), decode(message.data, Beat)
        except (BadMessage, ValueError) as bad:
            log.warning("beat_unreadable", subject=message.subject, why=str(bad))
            return
        if await self._aside(self._intake.beaten, address, beat, int(time.time() * 1000)):
            self._presence.beat(address.origin, beat.last)

    async def _send_orders(self, at: int) -> None:
        """Take every order that waits to its table, if it is there; who has it is not sent it again."""
        client = self._client
        if client is None or client.is_closed:
            return
        silent: set[str] = set()
        for one in await self._aside(waiting, self._engine, at):
            if one.origin in silent or not self._presence.here(one.origin):
                continue
            try:
                await client.request(Address.of(one.origin).order, one.message, timeout=WAIT_S)
                await self._aside(heard, self._engine, one.id, at)
            except TROUBLES:  # nobody listens there now: it is tried again, and what was ordered after it waits too
                silent.add(one.origin)

    async def _aside(self, do: Callable[..., T], *given: object) -> T:
        """Have the store do this on its own thread, one thing after the other."""
        return await asyncio.get_running_loop().run_in_executor(self._store, do, *given)

    def ordered(self) -> None:
        """An order waits to be sent, whichever thread says so: it goes now, and not with the next look."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._ordered.set)

    async def look(self) -> None:
        """Tell who has fallen silent, who is there again, and which two bear one name; until it is cancelled."""
        self._loop = asyncio.get_running_loop()
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ordered.wait(), WAIT_S)
            self._ordered.clear()
            at = int(time.time() * 1000)
            await self._aside(self.looked)
            with contextlib.suppress(SQLAlchemyError):  # the listener tells what is wrong with the store
                for origin, quiet in self._presence.turned():
                    await self._aside(self._intake.silent, origin, quiet, at)
                for one, other in self._presence.at_once():
                    await self._aside(self._intake.two, one, other, at)
                await self._send_orders(at)
            self.changed()


async def _still_known(puller: JetStreamContext.PullSubscription, heard: float) -> float:
    """Where nothing has come for a while, make sure that the broker knows who listens: its node may be gone."""
    if time.monotonic() - heard >= WAIT_S:
        await asyncio.wait_for(puller.consumer_info(), ANSWER_S)
        return time.monotonic()
    return heard


def _all_came(messages: list[Msg], delivered: int) -> int:
    """The broker numbers what it delivers; a number left out was lost between it and us."""
    for one in messages:
        number = one.metadata.sequence.consumer
        if number != delivered + 1:
            raise Missed(f"after delivery {delivered} came {number}")
        delivered = number
    return delivered


def _heard(message: Msg) -> Heard:
    said = message.metadata
    return Heard(said.sequence.stream, message.subject, message.data, int(said.timestamp.timestamp() * 1000))
