"""A broker that asks who is there: a table has its own subjects and nothing else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.config.types import UplinkSection
from controller.uplink.broker import Away, Broker
from controller.uplink.messages import FORM, Address, Rows, Stands, encode
from controller.uplink.nkey import BrokerKey, seed_text
from floor.permissions import of_table
from floor.streams import made, rows_stream, witness_stream
from lab.floor.line import Line
from lab.floor.server import NatsServer
from lab.needs import NATS_SERVER
from tests.needed import needed
from tests.uplinks import Writer, ask, messages, until

OWN, STRANGER = bytes([1]) * 32, bytes([2]) * 32


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[NatsServer]:
    yield from asking(tmp_path, of_table("t1"))


@pytest.fixture
def older(tmp_path: Path) -> Iterator[NatsServer]:
    """A broker whose users were written before tables heard orders."""
    yield from asking(tmp_path, {**of_table("t1"), "subscribe": ["witness.t1.*", "_INBOX.t1.>"]})


def asking(folder: Path, allowed: dict[str, object]) -> Iterator[NatsServer]:
    needed(NATS_SERVER, "nobody was asked who they are")
    table = f"{{ nkey: {BrokerKey(OWN).public}, permissions: {json.dumps(allowed)} }}"
    users = f'{table}, {{ user: "floor", password: "floor" }}'
    server = NatsServer(folder / "broker", extra=f"authorization {{ users: [{users}] }}\n")
    server.start()
    yield server
    server.stop()


def section(folder: Path, server: NatsServer, seed: bytes) -> UplinkSection:
    (folder / "key.nk").write_text(seed_text(seed))
    return UplinkSection((server.url,), nkey=str(folder / "key.nk"))


def floor_url(server: NatsServer) -> str:
    return server.url.replace("//", "//floor:floor@")


def sending(server: NatsServer, folder: Path) -> Writer:
    """A table with its own key that has sent ten rows."""
    prepare(server)
    writer = Writer(folder, server.url)
    writer.section = section(folder, server, OWN)
    writer.write(10)
    writer.connect()
    until(writer.settled)
    return writer


def test_a_table_s_key_opens_its_own_subjects(guarded: NatsServer, tmp_path: Path) -> None:
    writer = sending(guarded, tmp_path)
    assert messages(floor_url(guarded), writer.address)[-1].upto == 10
    writer.close()


def test_a_table_sends_its_rows_where_the_broker_does_not_let_it_hear_orders(older: NatsServer, tmp_path: Path) -> None:
    writer = sending(older, tmp_path)
    since = writer.uplink.sign.since
    writer.write(10)
    until(lambda: writer.sent(floor_url(older)) and "order.t1" in writer.uplink.sign.text)
    assert "tablectl floor broker" in writer.uplink.sign.text
    assert writer.uplink.sign.since == since, "the connection was lost in between"
    writer.close()


def prepare(server: NatsServer) -> None:
    ask(floor_url(server), lambda client: made(client.jetstream(), rows_stream(), witness_stream()))


def test_a_table_cannot_write_in_another_s_name(
    guarded: NatsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.uplink.broker.ANSWER_S", 0.5)
    prepare(guarded)
    other = Address("t2", "00ff")

    async def forge() -> None:
        broker = await Broker.reach(section(tmp_path, guarded, OWN), "t1")
        try:
            rows = Rows(FORM, 1, bytes(32), ((1, b"{}"),), bytes(32))
            with pytest.raises(Away):
                await broker.publish(other, encode(rows), Stands().message)
        finally:
            await broker.close()

    asyncio.run(forge())
    assert messages(floor_url(guarded), other) == []


def test_a_key_that_the_broker_does_not_know_is_told(guarded: NatsServer, tmp_path: Path) -> None:
    writer = Writer(tmp_path, guarded.url)
    writer.section = section(tmp_path, guarded, STRANGER)
    writer.connect()
    until(lambda: "does not know this table's key" in writer.uplink.sign.text)
    writer.disconnect()
    writer.section = msgspec.structs.replace(writer.section, nkey=str(tmp_path / "none.nk"))
    writer.connect()
    until(lambda: "tablectl evidence broker-key" in writer.uplink.sign.text)
    writer.close()


def test_a_dead_node_among_several_costs_no_attempt(server: NatsServer) -> None:
    dead = Line(server.port)
    dead.cut()  # it takes connections and says nothing
    section = UplinkSection((dead.url, server.url))

    async def reach() -> bool:
        broker = await Broker.reach(section, "T1")
        there = not broker.lost.is_set()
        await broker.close()
        return there

    assert all(asyncio.run(reach()) for _ in range(12))
    dead.close()
