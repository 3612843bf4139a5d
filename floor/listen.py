"""The floor's ear: hears the stream from where the store stands, and sends back what was countersigned."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import TypeVar

import nats.errors
import nats.js.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy, Header
from sqlalchemy.exc import SQLAlchemyError

from controller.uplink.broker import Away, answers, connected
from controller.uplink.messages import BEAT_SUBJECTS, ROWS_STREAM, Address, BadMessage, Beat, decode
from floor.config import BrokerSection
from floor.intake import Countersigned, Heard, Intake
from floor.orders import heard, waiting
from floor.presence import Presence
from floor.streams import made, rows_stream, witness_stream

AT_ONCE = 1_000
"""Messages in one transaction, at most."""
OCTETS_AT_ONCE = 4 << 20
"""And bytes, so that pages move on while much is caught up with."""
HEAR_S = 0.1
"""How long messages are gathered for one transaction, unless there are enough of them before."""
PULSE_S = 0.5
"""How often the broker says, where nothing comes, that it still delivers, and how much it has delivered."""
MISSING_S = 3 * PULSE_S
BEATS_S = 0.2
"""Beats are looked at together: a thousand tables send two hundred a second."""
BEATS_MOST = 2_000
"""And no more of them, whoever sends them."""
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
        self.changed: Callable[[Collection[str] | None], None] = lambda tables: None
        """What is called when something of these tables is in the store that was not, or of any."""
        self._ordered = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.looked: Callable[[], None] = lambda: None
        self._beats: list[tuple[Address, Beat, int]] = []

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
        self.changed(())

    async def _once(self) -> None:
        """One connection, which is kept while the broker's stream does not answer: tables are heard on it meanwhile."""
        client = await connected(self._broker.nkey, self._broker.servers, **self._broker.options())
        self._client = client
        try:
            await client.subscribe(BEAT_SUBJECTS, cb=self._beat)
            feeling = asyncio.ensure_future(self._feel_beats())
            try:
                while True:
                    await self._as_it_answers(client)
            finally:
                feeling.cancel()
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
        self._intake.begin(str(info.created), info.state.last_seq)
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
        """Have everything after what the store has delivered here, and told how much that was where nothing comes."""
        inbox = client.new_inbox()
        delivery = Delivery(client, inbox)
        hearing = await client.subscribe(inbox, cb=delivery.take, pending_msgs_limit=-1, pending_bytes_limit=-1)
        config = ConsumerConfig(
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=self._intake.position + 1,
            ack_policy=AckPolicy.NONE, deliver_subject=inbox, flow_control=True, idle_heartbeat=PULSE_S,
            inactive_threshold=5.0, num_replicas=1, mem_storage=True,
        )  # fmt: skip
        try:
            await stream.add_consumer(ROWS_STREAM, config)
            self.trouble = ""
            while not client.is_closed:
                messages = await delivery.next()
                back = await self._aside(self._intake.take, messages)
                addresses = {Address.on(one.subject) for one in messages}
                self._presence.rows(one.origin for one in addresses)
                self.changed({one.table for one in addresses})
                await self._send_back(stream, back)
            raise nats.errors.ConnectionClosedError
        finally:
            with contextlib.suppress(*TROUBLES):
                await hearing.unsubscribe()

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
        self._beats.append((address, beat, int(time.time() * 1000)))

    async def _feel_beats(self) -> None:
        """Look at what came since the last look; until it is cancelled."""
        while True:
            await asyncio.sleep(BEATS_S)
            beats, self._beats = self._beats[:BEATS_MOST], []
            if not beats:
                continue
            try:
                counted = await self._aside(self._intake.felt, beats)
            except SQLAlchemyError:  # the listener tells what is wrong with the store
                continue
            for address, beat in counted:
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
            self.changed(None)


class Delivery:
    """What the broker delivers on one subscription, in order: a number left out was lost between it and us.

    Where nothing comes the broker says how much it has delivered, so that also the last message is missed; and it is
    answered only when what came before was taken, so that it never sends more than there is room for.
    """

    def __init__(self, client: Client, inbox: str) -> None:
        self._client, self._inbox = client, inbox
        self._waiting: deque[Msg] = deque()
        self._came = asyncio.Event()
        self._delivered = 0

    async def take(self, message: Msg) -> None:
        """One more, or a word of the broker's own."""
        self._waiting.append(message)
        self._came.set()

    async def next(self) -> list[Heard]:
        """What came by now, a little gathered; Missed where a message did not, TimeoutError where all is silent."""
        found: list[Heard] = []
        while not found:
            if not self._waiting:
                self._came.clear()
                await asyncio.wait_for(self._came.wait(), MISSING_S)
            if len(self._waiting) < AT_ONCE:
                await asyncio.sleep(HEAR_S)
            found = await self._some()
        return found

    async def _some(self) -> list[Heard]:
        found: list[Heard] = []
        octets = 0
        while self._waiting and len(found) < AT_ONCE and octets < OCTETS_AT_ONCE:
            message = self._waiting.popleft()
            if message.subject == self._inbox:  # and not by a header, which whoever sends rows could write
                await self._word(message)
                continue
            said = message.metadata
            self._follows(said.sequence.consumer - 1)
            self._delivered += 1
            octets += len(message.data)
            found.append(Heard(said.sequence.stream, message.subject, message.data, _ms(said.timestamp)))
        return found

    async def _word(self, message: Msg) -> None:
        """The broker's pulse, or its question whether what it sent was taken."""
        headers = message.headers or {}
        if (last := headers.get(Header.LAST_CONSUMER)) is not None:
            self._follows(int(last))
        if to := message.reply or headers.get(Header.CONSUMER_STALLED):
            await self._client.publish(to)

    def _follows(self, delivered: int) -> None:
        if delivered != self._delivered:
            raise Missed(f"the broker has delivered {delivered} messages, and {self._delivered} came")


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)
