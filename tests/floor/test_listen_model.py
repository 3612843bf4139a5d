"""The floor's ear against a broker that drops, tells late, forgets who listens and falls over, at every point.

The broker here is a model of what NATS promises and of what it may do besides: what was acknowledged keeps its number
and its place, and anything else may happen to a delivery, to a pulse, to an answer and to a connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nats.errors
import nats.js.errors
import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from controller.journal.file import JournalFile
from controller.uplink.messages import Address
from floor import listen
from floor.config import BrokerSection
from floor.intake import Heard
from floor.listen import Delivery, Listener, Missed
from floor.presence import Presence
from floor.store.check import checked
from floor.store.schema import JOURNALS
from tests.floor.tables import CREATED, findings, floor_at, heard, played
from tests.uplinks import moment

Take = Callable[[Any], Awaitable[None]]


class Broker:
    """One stream that grows, and the connections to it; `luck` decides what goes wrong until it is over."""

    def __init__(self, messages: list[Heard], luck: random.Random) -> None:
        self.messages, self.luck = messages, luck
        self.there = 0
        self.bad, self.lost_last = True, False
        self.mishaps: dict[str, int] = {}

    def unlucky(self, what: str, one_in: int) -> bool:
        if not self.bad or self.luck.randrange(one_in):
            return False
        self.mishaps[what] = self.mishaps.get(what, 0) + 1
        return True

    def lose_last(self, one: Heard) -> bool:
        """The very last one is lost once: nothing comes after it by which that would be noticed."""
        if one.message < len(self.messages) or self.lost_last:
            return False
        self.lost_last = True
        return True

    async def connected(self, *_: object, **__: object) -> Connection:
        if self.unlucky("nobody there", 8):
            raise OSError("connection refused")
        return Connection(self)


class Connection:
    """What the listener uses of a client and its stream."""

    def __init__(self, broker: Broker) -> None:
        self._broker, self.is_closed = broker, False
        self._inbox: Take | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def subscribe(self, subject: str, cb: Take, **_: object) -> Any:
        if subject == "inbox":
            self._inbox = cb
        return SimpleNamespace(unsubscribe=self._unsubscribed)

    async def _unsubscribed(self) -> None:
        self._inbox = None
        self._over()

    def _over(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._tasks = []

    def new_inbox(self) -> str:
        return "inbox"

    def jetstream(self, timeout: float) -> Connection:
        return self

    async def flush(self, _: float) -> None:
        if self.is_closed:
            raise nats.errors.ConnectionClosedError

    async def close(self) -> None:
        self.is_closed = True
        self._over()

    async def publish(self, *_: object) -> None:
        if self._broker.unlucky("a head not taken", 6):
            raise nats.js.errors.ServiceUnavailableError

    async def stream_info(self, _: str) -> Any:
        if self._broker.unlucky("no leader", 5):
            raise nats.errors.TimeoutError
        return SimpleNamespace(created=CREATED, state=SimpleNamespace(last_seq=self._broker.there))

    async def add_consumer(self, _: str, config: Any) -> None:
        if self._broker.unlucky("no consumer", 5):
            raise nats.js.errors.ServiceUnavailableError
        self._tasks.append(asyncio.ensure_future(self._deliver(config.opt_start_seq)))

    async def _deliver(self, after: int) -> None:
        broker, inbox, number, delivered = self._broker, self._inbox, after, 0
        assert inbox is not None
        if broker.unlucky("a node that lags behind delivers what was heard before", 4):
            number = max(1, number - broker.luck.randrange(5))
        while True:
            await moment()
            if broker.unlucky("who listens is forgotten", 60):
                return
            if broker.unlucky("the line is cut", 60):
                self.is_closed = True
                return
            if number <= broker.there:
                one, number, delivered = broker.messages[number - 1], number + 1, delivered + 1
                if not broker.unlucky("a delivery is lost", 25) and not broker.lose_last(one):
                    await inbox(_delivered(one, delivered))
            elif not broker.unlucky("a pulse is lost", 5):
                await inbox(SimpleNamespace(subject="inbox", headers={"Nats-Last-Consumer": str(delivered)}, reply=""))
                await moment(0.001)


def _delivered(one: Heard, number: int) -> Any:
    sequence = SimpleNamespace(stream=one.message, consumer=number)
    at = datetime.fromtimestamp(one.at / 1000, UTC)
    return SimpleNamespace(
        subject=one.subject, data=one.data, metadata=SimpleNamespace(sequence=sequence, timestamp=at)
    )


def stream_of(luck: random.Random) -> list[Heard]:
    """What three tables sent, mixed as it came in, each in its own order."""
    left = [list(heard(played(game)[0], luck.choice((7, 15)))) for game in ("wheel", "war", "poker")]
    found: list[Heard] = []
    while any(left):
        found.append(luck.choice([one for one in left if one]).pop(0)._replace(message=len(found) + 1))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_whatever_the_broker_does_the_store_has_every_row_once_soon_after_it_behaves(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    luck = random.Random(seed)
    paths = [played(game)[0] for game in ("wheel", "war", "poker")]
    broker = Broker(stream_of(luck), luck)
    intake = floor_at(tmp_path, *paths)
    for name, much in {"AGAIN_S": 0.0, "SOON_S": 0.0, "HEAR_S": 0.0, "MISSING_S": 0.1, "AT_ONCE": 9}.items():
        monkeypatch.setattr(listen, name, much)
    monkeypatch.setattr(listen, "connected", broker.connected)
    write = intake._take

    def take(messages: list[Heard]) -> Any:
        """The store fails before it has anything, or after all of it is there and nobody hears of that."""
        if broker.unlucky("the store is away", 12):
            raise OperationalError("INSERT", {}, Exception("away"))
        back = write(messages)
        if broker.unlucky("killed between store and answer", 12):
            raise OperationalError("COMMIT", {}, Exception("was it?"))
        return back

    monkeypatch.setattr(intake, "_take", take)
    expected = {Address.of(JournalFile.read_only(path).origin): JournalFile.read_only(path).last_seq for path in paths}

    def sizes() -> dict[Address, int]:
        with intake.engine.connect() as connection:
            found = connection.execute(select(JOURNALS.c.origin, JOURNALS.c.size))
            return {Address.of(one.origin): one.size for one in found}

    async def heard_out() -> None:
        listener = Listener(intake, BrokerSection(("nats://model",)), Presence())
        hearing = asyncio.ensure_future(listener.run())
        while broker.there < len(broker.messages):
            broker.there = min(len(broker.messages), broker.there + luck.randrange(1, 12))
            await moment(0.002)
        broker.bad = False
        async with asyncio.timeout(20):
            while sizes() != expected:
                assert not hearing.done(), "the floor hears nothing any more, and nobody was told"
                await moment(0.002)
        hearing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await hearing

    asyncio.run(heard_out())
    assert {one.origin: (one.rows, one.wrong) for one in checked(intake.engine)} == {
        address.origin: (last, "") for address, last in expected.items()
    }
    assert findings(intake.engine) == {}
    assert broker.mishaps, "nothing went wrong, so nothing was shown"


def test_a_last_message_that_was_lost_is_missed_by_what_the_broker_says_it_delivered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing comes after it, so no number is left out."""
    monkeypatch.setattr(listen, "HEAR_S", 0.0)
    first, *_ = heard(played("wheel")[0])

    async def told(delivered: int) -> list[Heard]:
        delivery = Delivery(Connection(Broker([], random.Random(1))), "inbox")  # type: ignore[arg-type]
        await delivery.take(_delivered(first, 1))
        found = await delivery.next()
        await delivery.take(SimpleNamespace(subject="inbox", headers={"Nats-Last-Consumer": str(delivered)}, reply=""))  # type: ignore[arg-type]
        await delivery.take(_delivered(first, 2))
        return found + await delivery.next()

    assert len(asyncio.run(told(1))) == 2
    with pytest.raises(Missed, match="has delivered 2 messages, and 1 came"):
        asyncio.run(told(2))


def test_a_table_cannot_pass_its_rows_off_as_the_broker_s_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listen, "HEAR_S", 0.0)
    first, *_ = heard(played("wheel")[0])

    async def told() -> list[Heard]:
        delivery = Delivery(Connection(Broker([], random.Random(1))), "inbox")  # type: ignore[arg-type]
        posing = _delivered(first, 1)
        posing.headers = {"Status": "100", "Nats-Last-Consumer": "77"}
        await delivery.take(posing)
        return await delivery.next()

    assert [one.data for one in asyncio.run(told())] == [first.data]
