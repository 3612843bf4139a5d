"""A steward over a real broker: it believes the floor alone, fetches what was signed, and goes on after a cut."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from nats.aio.client import Client

from controller.config.types import UplinkSection
from controller.fleet import line as at_work
from controller.fleet.line import FleetLine
from controller.fleet.messages import (
    PIECE,
    PIECES_STREAM,
    STREAM,
    Has,
    Want,
    has_subject,
    piece_subject,
    read_has,
    signed_want,
    want_subject,
)
from controller.fleet.steward import Steward
from controller.journal.cosignature import WitnessKey
from controller.journal.head import TableKey
from floor.fleet.line import fleet_stream, pieces_stream
from floor.known import Known
from floor.streams import made
from lab.floor.server import NatsServer
from lab.needs import NATS_SERVER
from tests.controller.fleet.pretended import Pretended
from tests.needed import needed
from tests.uplinks import ask

FLOOR, OTHER = (WitnessKey("tablectl-floor/test", bytes([n]) * 32) for n in (1, 2))
KEY = TableKey(bytes([7]) * 32)
FILE = bytes(range(256)) * 5000


class Bench:
    """A broker with what the floor laid into it, and one machine."""

    def __init__(self, server: NatsServer, machine: Pretended) -> None:
        self.server, self.machine = server, machine
        self.steward = Steward(machine, machine.root / "fleet", "t1", lambda: 5)
        self.looked = 0

    def broker(self, do: Callable[[Client], Awaitable[object]]) -> None:
        ask(self.server.url, do)

    def lay(self, octets: bytes, digest: str, pieces: range | None = None) -> None:
        async def laid(client: Client) -> None:
            count = -(-len(octets) // PIECE)
            for number in pieces if pieces is not None else range(count):
                part = octets[number * PIECE : (number + 1) * PIECE]
                await client.jetstream().publish(piece_subject(digest, number), part, stream=PIECES_STREAM)

        self.broker(laid)

    def want(self, key: WitnessKey, number: int, digest: str, table: str = "t1") -> None:
        want = Want(table, "program", number, "aa", 5, ("F2", "F3"), "2.0", digest, len(FILE))
        self.broker(
            lambda client: client.jetstream().publish(
                want_subject("t1", "program"), signed_want(want, key), stream=STREAM
            )
        )

    def has(self) -> Has:
        self.looked += 1
        return Has("t1", "m", 5, "1.0", doing=self.steward.doing())

    def run(self, until: Callable[[], bool], seconds: float = 20.0) -> None:
        section = UplinkSection((self.server.url,), witness=FLOOR.public.text())

        async def lives() -> None:
            line = FleetLine(self.steward, section, KEY, self.has)
            running = asyncio.ensure_future(line.run())
            async with asyncio.timeout(seconds):
                while not until() and not running.done():
                    await asyncio.wait([running], timeout=0.02)
            line.stop()
            await running

        asyncio.run(lives())

    def said(self) -> bytes:
        found: list[bytes] = []

        async def last(client: Client) -> None:
            found.append((await client.jetstream().get_last_msg(STREAM, has_subject("t1"))).data or b"")

        self.broker(last)
        return found[0]


@pytest.fixture
def bench(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Bench:
    needed(NATS_SERVER, "no steward heard anything")
    monkeypatch.setattr(at_work, "LOOK_S", 0.05)
    monkeypatch.setattr(at_work, "AGAIN_S", (0.05, 0.2))
    server = NatsServer(tmp_path_factory.mktemp("broker"))
    server.start()
    ask(server.url, lambda client: made(client.jetstream(), fleet_stream(1), pieces_stream(1)))
    return Bench(server, Pretended(tmp_path))


@pytest.fixture(autouse=True)
def _ended(bench: Bench) -> object:
    yield
    bench.server.stop()


DIGEST = hashlib.sha256(FILE).hexdigest()


def test_what_the_floor_signed_comes_in_pieces_and_is_told_by_the_tables_key(bench: Bench) -> None:
    bench.lay(FILE, DIGEST)
    bench.want(FLOOR, 1, DIGEST)
    bench.run(lambda: False)  # a successor is to go on: it ends by itself
    assert bench.machine.given == [FILE]
    has, message = read_has(bench.said())
    assert [one.state for one in has.doing] == ["done"]
    assert Known({"t1": (KEY.public("").octets,)}).machine("t1", message.order, message.signature, 5)
    assert not Known({"t1": (bytes(32),)}).machine("t1", message.order, message.signature, 5)
    assert not Known({}).machine("t1", message.order, message.signature, 5)


def test_another_floors_word_and_another_tables_are_not_believed(bench: Bench) -> None:
    bench.lay(FILE, DIGEST)
    bench.want(OTHER, 9, DIGEST)
    bench.run(lambda: bench.looked > 0)  # which it is after it has heard what is wanted
    assert bench.steward.doing() == ()
    bench.want(FLOOR, 10, DIGEST, table="t2")
    bench.run(lambda: bench.looked > 1)
    assert bench.steward.doing() == ()


def test_pieces_that_somebody_changed_are_thrown_away_and_told(bench: Bench) -> None:
    bench.lay(FILE[:-1] + b"?", DIGEST)
    bench.want(FLOOR, 1, DIGEST)
    bench.run(lambda: any(one.state == "refused" for one in bench.steward.doing()))
    assert bench.machine.given == []
    assert "not what the floor signed" in bench.steward.doing()[0].text


def test_a_fetch_goes_on_where_the_broker_died(bench: Bench) -> None:
    bench.lay(FILE, DIGEST, range(2))
    bench.want(FLOOR, 1, DIGEST)
    bench.run(lambda: _size(bench) == 2 * PIECE)
    bench.server.kill()
    bench.server.start()
    bench.lay(b"\0" * len(FILE), DIGEST, range(2))  # what was fetched is not fetched again
    bench.lay(FILE, DIGEST, range(2, 3))
    bench.run(lambda: bench.steward.renewed)
    assert bench.machine.given == [FILE]


def _size(bench: Bench) -> int:
    parts = list((bench.machine.root / "fleet").glob("*.part"))
    return parts[0].stat().st_size if parts else 0
