"""The uplink against a model of the broker, in which everything that is not promised goes wrong, at every point."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.config.types import UplinkSection
from controller.journal.chain import GENESIS
from controller.uplink import link
from controller.uplink.broker import Away, Broker, Overtaken, Unready
from controller.uplink.link import Uplink
from controller.uplink.messages import Address, Rows, Stands, decode
from tests.uplinks import Writer, moment, rows_of


class Stream:
    """What is acknowledged stays and keeps its number; a message that names another than the last one is refused."""

    def __init__(self, luck: random.Random) -> None:
        self.kept: list[tuple[int, Rows]] = []
        self.luck, self.bad, self.number = luck, True, 0
        self.mishaps: set[str] = set()

    def unlucky(self, what: str, one_in: int) -> bool:
        if not self.bad or self.luck.randrange(one_in):
            return False
        self.mishaps.add(what)
        return True

    def put(self, data: bytes, follows: int) -> int:
        if follows != (self.kept[-1][0] if self.kept else 0):
            raise Overtaken("somebody else has written")
        self.number += self.luck.randrange(1, 4)  # other tables write, too
        self.kept.append((self.number, decode(data, Rows)))
        return self.number


class Line:
    """A connection, as the uplink uses one."""

    refused = ""

    def __init__(self, stream: Stream) -> None:
        self._stream, self.lost = stream, asyncio.Event()
        self._rung: asyncio.Event | None = None

    def tell_when_lost(self, waiting: asyncio.Event) -> None:
        self._rung = waiting
        if self._stream.unlucky("cut while nothing is sent", 20):
            self._cut()

    def _cut(self) -> None:
        self.lost.set()
        if self._rung is not None:
            self._rung.set()

    async def _goes_wrong(self) -> None:
        await moment()
        stream = self._stream
        if stream.unlucky("cut", 25):
            self._cut()
            raise Away("the connection to the broker was lost")
        if stream.unlucky("no leader", 20):
            raise Unready("its nodes elect a leader")
        if stream.unlucky("an answer that nobody can read", 25):
            raise KeyError("seq")

    async def stands(self, _: Address) -> Stands:
        await self._goes_wrong()
        kept = self._stream.kept
        if kept and self._stream.unlucky("a node that lags behind", 5):
            kept = kept[: self._stream.luck.randrange(len(kept))]
        return Stands(kept[-1][0], kept[-1][1].upto, kept[-1][1].hash) if kept else Stands()

    async def publish(self, _: Address, data: bytes, follows: int) -> int:
        await self._goes_wrong()
        number = self._stream.put(data, follows)
        if self._stream.unlucky("taken, and the answer lost", 8):
            raise Away("nothing was answered in time")
        return number

    async def beat(self, *_: object) -> None:
        await self._goes_wrong()

    async def witnessed(self, *_: object) -> None:
        await self._goes_wrong()

    ordered = newest_witnessed = witnessed

    async def close(self) -> None: ...


@pytest.mark.parametrize("seed", range(8))
def test_whatever_the_broker_does_every_row_comes_once_in_order_soon_after_it_behaves(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    luck = random.Random(seed)
    stream, writer = Stream(luck), Writer(tmp_path, "nats://model")
    for name, much in {"AGAIN_S": (0.0, 0.001), "UNREADY_S": (0.0, 20.0, 0.0), "LINGER_S": 0.0}.items():
        monkeypatch.setattr(link, name, much)

    async def reach(_: UplinkSection, __: str) -> Line:
        if stream.unlucky("nobody there", 4):
            raise Away("connection refused")
        return Line(stream)

    monkeypatch.setattr(Broker, "reach", reach)

    def all_there() -> bool:
        return bool(stream.kept) and stream.kept[-1][1].upto == writer.journal.last_seq

    async def until(condition: Callable[[], bool], running: asyncio.Task[None]) -> None:
        async with asyncio.timeout(20):
            while not condition():
                assert not running.done(), "the uplink ended, and nothing will ever be sent again"
                await moment(0.001)

    async def played() -> None:
        uplink = Uplink(writer.path, writer.section, lambda: writer.note, writer.key)
        running = asyncio.ensure_future(uplink.run())
        for _ in range(60):
            writer.write(luck.randrange(1, 6))
            uplink.wake()
            if luck.randrange(2):
                await until(all_there, running)
        stream.bad = False
        writer.write(1)
        uplink.wake()
        await until(all_there, running)
        uplink.stop()
        async with asyncio.timeout(5):
            await running

    asyncio.run(played())
    assert rows_of([rows for _, rows in stream.kept]) == writer.rows()
    before = GENESIS
    for _, rows in stream.kept:
        assert rows.before == before
        before = rows.hash
    assert len(stream.mishaps) >= 5, stream.mishaps
    writer.close()
