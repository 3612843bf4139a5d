"""The floor over a real broker: whoever owns it, and whenever the floor dies, nothing wrong is wanted of a machine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from controller.fleet.messages import (
    PIECES_STREAM,
    STREAM,
    Doing,
    Has,
    Want,
    has_subject,
    piece_subject,
    read_want,
    signed_has,
    want_subject,
)
from controller.journal.cosignature import WitnessKey
from controller.journal.head import TableKey
from floor.acts import Person
from floor.config import BrokerSection
from floor.fleet import shepherd as at_work
from floor.fleet.give import Order, begin
from floor.fleet.line import FleetLine
from floor.fleet.plan import ALL, Plan
from floor.fleet.shepherd import Shepherd
from floor.known import Known
from lab.floor.server import NatsServer

KEY = WitnessKey("tablectl-floor/test", bytes([1]) * 32)
TABLES = {name: TableKey(bytes([10 + number]) * 32) for number, name in enumerate(("t1", "t2"))}
KNOWN = Known({name: (key.public("").octets,) for name, key in TABLES.items()})
BY = (Person("F2", 2), Person("F3", 3))


def order(text: bytes) -> Order:
    return Order("configuration", dict.fromkeys(TABLES, ("t.toml", text)), BY, "a test", (ALL,), 0)


class Bench:
    """A broker, and a floor that may be started and killed on it."""

    def __init__(self, server: NatsServer, folder: Path) -> None:
        self.section, self.kept = BrokerSection((server.url,)), folder / "fleet.revisions"

    def do(self, what: Callable[[FleetLine], Awaitable[None]]) -> None:
        async def done() -> None:
            line = await FleetLine.reach(self.section, KEY.public, self.kept)
            try:
                await what(line)
            finally:
                await line.close()

        asyncio.run(done())

    async def until(self, holds: Callable[[Shepherd], Awaitable[bool]]) -> None:
        """Have a floor at work until this holds."""
        shepherd = Shepherd(self.section, KEY, lambda: KNOWN, self.kept)
        running = asyncio.ensure_future(shepherd.run())
        try:
            async with asyncio.timeout(30):
                while not await holds(shepherd):
                    await asyncio.wait([running], timeout=0.05)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


@pytest.fixture
def bench(server: NatsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(at_work, "LOOK_S", 0.1)
    monkeypatch.setattr(at_work, "AGAIN_S", 0.2)
    return Bench(server, tmp_path)


async def say(line: FleetLine, table: str, *doing: Doing) -> None:
    has = Has(table, f"m-{table}", int(time.time() * 1000), "1.0", running=True, doing=doing)
    await line._stream.publish(has_subject(table), signed_has(has, TABLES[table]), stream=STREAM)


async def wanted(line: FleetLine, table: str) -> Want | None:
    last = await line._last(STREAM, want_subject(table, "configuration"))
    return read_want(last[0], KEY.public) if last is not None else None


async def begun(line: FleetLine, text: bytes = b"a file") -> Plan:
    for table in TABLES:
        await say(line, table)
    return await begin(line, KEY, KNOWN, order(text))


def test_who_was_not_told_any_more_that_it_is_over_is_told_by_the_next_floor(bench: Bench) -> None:
    async def killed(line: FleetLine) -> None:
        await begun(line)

        async def asked(_: Shepherd) -> bool:
            return await wanted(line, "t1") is not None and await wanted(line, "t2") is not None

        await bench.until(asked)
        plan, number = await line.plan("configuration")
        assert plan is not None
        halted = Plan(**{**{name: getattr(plan, name) for name in plan.__struct_fields__}, "state": "halted"})
        await line.keep(halted, number, KEY)  # and then the floor died, before it could withdraw

        async def withdrawn(_: Shepherd) -> bool:
            words = [await wanted(line, table) for table in TABLES]
            return all(word is not None and not word.digest for word in words)

        await bench.until(withdrawn)

    bench.do(killed)


def test_an_older_word_that_the_broker_puts_back_is_not_believed(bench: Bench) -> None:
    async def replayed(line: FleetLine) -> None:
        await begun(line)
        old = await line._last(STREAM, "fleet.plan.configuration")
        assert old is not None
        plan, number = await line.plan("configuration")
        assert plan is not None
        await line.keep(plan, number, KEY)
        await line._stream.publish("fleet.plan.configuration", old[0], stream=STREAM)

        async def told(shepherd: Shepherd) -> bool:
            return "an older word of the roll-out than this floor gave" in shepherd.trouble

        await bench.until(told)
        assert await wanted(line, "t1") is None
        await begun(line, b"another")  # people are not shut out
        assert (await line.plan("configuration"))[0] is not None

    bench.do(replayed)


def test_rubbish_on_one_subject_stops_neither_the_page_nor_the_other_kinds(bench: Bench) -> None:
    async def rubbish(line: FleetLine) -> None:
        await begun(line)
        await line._stream.publish("fleet.plan.program", b"rubbish", stream=STREAM)
        await line._stream.publish(want_subject("t1", "configuration"), b"rubbish", stream=STREAM)

        async def asked(shepherd: Shepherd) -> bool:
            word = await line._last(STREAM, want_subject("t1", "configuration"))
            right = word is not None and word[0] != b"rubbish"
            return right and len(shepherd.fleet.machines) == 2 and "begin a new roll-out" in shepherd.trouble

        await bench.until(asked)

    bench.do(rubbish)


def test_a_piece_that_somebody_spoilt_is_laid_anew(bench: Bench) -> None:
    async def spoilt(line: FleetLine) -> None:
        laid = await line.lay(b"a file", "t.toml")
        await line._stream.publish(piece_subject(laid.digest, 0), b"another", stream=PIECES_STREAM)
        await line.lay(b"a file", "t.toml")
        last = await line._last(PIECES_STREAM, piece_subject(laid.digest, 0))
        assert last is not None
        assert last[0] == b"a file"

    bench.do(spoilt)
