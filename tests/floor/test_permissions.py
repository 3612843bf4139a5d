"""A broker with TLS and the file that the floor writes: a table's key opens its own subjects and nothing else."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import nats.errors
import nats.js.errors
import pytest
from nats.aio.client import Client

from controller.config.types import UplinkSection
from controller.fleet.messages import PIECES_STREAM, STREAM, has_subject, piece_subject, want_subject
from controller.uplink.broker import client_with
from controller.uplink.messages import FORM, Rows, encode
from controller.uplink.nkey import BrokerKey, make_broker_key
from floor.fleet.line import fleet_stream, pieces_stream
from floor.permissions import written
from floor.streams import made
from lab.certificates import certificate
from lab.floor.server import NatsServer
from lab.needs import NATS_SERVER
from tests.floor.running import floor_file, listening
from tests.needed import needed
from tests.uplinks import Writer, until


class Guarded(NamedTuple):
    """A broker over TLS that asks who is there; the files of its certificate and of everybody's key."""

    server: NatsServer
    ca: str
    folder: Path

    @property
    def url(self) -> str:
        return self.server.url.replace("nats://", "tls://")

    def section(self, who: str, witness: str = "") -> UplinkSection:
        return UplinkSection((self.url,), nkey=str(self.folder / f"{who}.nk"), ca=self.ca, witness=witness)

    async def client(self, who: str) -> Client:
        """Somebody with this key and a mind of their own."""
        client = client_with(str(self.folder / f"{who}.nk"))
        trusted = ssl.create_default_context(cafile=self.ca)
        await client.connect(
            self.url,
            tls=trusted,
            nkeys_seed="here",
            allow_reconnect=False,
            inbox_prefix=f"_INBOX.{who}",
            error_cb=_quiet,
        )
        return client


async def _quiet(error: Exception) -> None:
    """What a broker refuses is seen by what does not happen."""


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Guarded]:
    needed(NATS_SERVER, "nobody was asked who they are")
    keys = {
        who: make_broker_key(tmp_path / f"{who}.nk", bytes([n]) * 32) for n, who in enumerate(("floor", "t1", "t2"), 1)
    }
    users = written(keys["floor"].public, {who: (keys[who].public,) for who in ("t1", "t2")})
    cert, private = certificate(tmp_path)
    server = NatsServer(tmp_path / "broker", extra=f'tls {{ cert_file: "{cert}", key_file: "{private}" }}\n{users}')
    server.start()
    yield Guarded(server, cert, tmp_path)
    server.stop()


TLS = """
nkey = "floor.nk"
ca = "{ca}"
"""


def floor_over_tls(guarded: Guarded, *tables: Writer) -> Path:
    path = floor_file(guarded.folder, guarded.server, *tables)
    text = path.read_text("utf-8").replace(guarded.server.url, guarded.url)
    path.write_text(text + TLS.format(ca=guarded.ca), "utf-8")
    return path


def test_tables_and_floor_do_their_work_over_tls_with_their_own_keys(guarded: Guarded, tmp_path: Path) -> None:
    tables = [Writer(tmp_path, guarded.url, name, key=bytes([9 + n]) * 32) for n, name in enumerate(("T1", "T2"))]
    with listening(floor_over_tls(guarded, *tables)) as floor:
        assert floor.key is not None
        until(lambda: not floor.listener.trouble)
        orders: list[bytes] = []
        for one in tables:
            one.section = guarded.section(one.path.stem.lower(), floor.key.public.text())
            one.write(70)
            one.connect()
            one.uplink.order = orders.append
        until(lambda: all(one.settled() for one in tables))
        until(lambda: all(one.uplink.witnessed is not None for one in tables))
        until(lambda: all(floor.presence.here(one.journal.origin) for one in tables))

        async def order() -> bytes:
            client = await guarded.client("floor")
            answer = await client.request(tables[0].address.order, b"something", timeout=5)
            await client.close()
            return answer.data

        assert asyncio.run(order()) == b"heard"
        until(lambda: orders == [b"something"])
    for one in tables:
        one.close()


def test_a_table_s_key_opens_its_own_subjects_and_nothing_else(guarded: Guarded, tmp_path: Path) -> None:
    own, other = Writer(tmp_path, guarded.url, "T1"), Writer(tmp_path, guarded.url, "T2", key=bytes([10]) * 32)
    with listening(floor_over_tls(guarded, own, other)) as floor:
        until(lambda: not floor.listener.trouble)
        other.section = guarded.section("t2")
        other.write(10)
        other.connect()
        until(other.settled)
        asyncio.run(_pry(guarded, other, own))
        until(lambda: len(floor.intake.journals) == 1)
        assert list(floor.intake.journals) == [other.journal.origin]
    own.close()
    other.close()


async def _pry(guarded: Guarded, other: Writer, own: Writer) -> None:
    """Try with the first table's key what only the floor or the second one may."""
    client = await guarded.client("t1")
    heard: list[bytes] = []

    async def hear(message: object) -> None:
        heard.append(getattr(message, "data", b""))

    rows = encode(Rows(FORM, 11, bytes(32), ((1, b"{}"),), bytes(32)))
    for subject in (">", "rows.>", "witness.>", "witness.t2.*", "order.t2.*", "order.>", "_INBOX.>", "_INBOX.floor.>"):
        await client.subscribe(subject, cb=hear)
    stream = client.jetstream(timeout=0.3)
    for subject in (other.address.rows, "rows.t2.00ff"):
        with pytest.raises((nats.errors.Error, TimeoutError)):
            await stream.publish(subject, rows)
    for subject in (
        other.address.beat,
        other.address.witness,
        other.address.order,
        own.address.witness,
        own.address.order,
    ):
        await client.publish(subject, b"forged")
    for act in (
        lambda: stream.get_last_msg("ROWS", other.address.rows, direct=True),
        lambda: stream.get_last_msg("ROWS", other.address.rows),
        lambda: stream.delete_stream("ROWS"),
        lambda: stream.purge_stream("ROWS"),
        lambda: stream.stream_info("ROWS"),
    ):
        with pytest.raises((nats.errors.Error, nats.js.errors.Error, TimeoutError)):
            await act()
    floor = await guarded.client("floor")
    await floor.publish(other.address.order, b"for the second table alone")
    await floor.publish(other.address.witness, b"as well")
    await floor.flush()
    await client.flush()
    assert heard == []
    info = await floor.jetstream().stream_info("ROWS")
    assert info.state.subjects is None or list(info.state.subjects) == [other.address.rows]
    await floor.close()
    await client.close()


def test_a_steward_says_what_its_own_machine_has_and_hears_what_is_wanted_of_it_alone(guarded: Guarded) -> None:
    async def steward() -> None:
        floor, client = await guarded.client("floor"), await guarded.client("t1")
        await made(floor.jetstream(), fleet_stream(1), pieces_stream(1))
        for subject in (want_subject("t1", "program"), want_subject("t2", "program")):
            await floor.jetstream().publish(subject, b"wanted")
        await floor.jetstream().publish(piece_subject("ab", 0), b"piece")
        stream = client.jetstream(timeout=0.5)
        await stream.publish(has_subject("t1"), b"mine")
        assert (await stream.get_last_msg(STREAM, want_subject("t1", "program"), direct=True)).data == b"wanted"
        assert (await stream.get_last_msg(PIECES_STREAM, piece_subject("ab", 0), direct=True)).data == b"piece"
        for act in (
            lambda: stream.publish(has_subject("t2"), b"not mine"),
            lambda: stream.publish(want_subject("t1", "program"), b"I want it myself"),
            lambda: stream.publish(piece_subject("ab", 0), b"another"),
            lambda: stream.publish("fleet.plan.program", b"my plan"),
            lambda: stream.get_last_msg(STREAM, want_subject("t2", "program"), direct=True),
        ):
            with pytest.raises((nats.errors.Error, nats.js.errors.Error, TimeoutError)):
                await act()
        await client.close()
        await floor.close()

    asyncio.run(steward())


def test_whoever_has_no_key_or_trusts_another_broker_gets_nowhere(guarded: Guarded, tmp_path: Path) -> None:
    writer = Writer(tmp_path, guarded.url, "T1")
    make_broker_key(tmp_path / "stranger.nk", bytes([77]) * 32)
    writer.section = guarded.section("stranger")
    writer.connect()
    until(lambda: "does not know this table's key" in writer.uplink.sign.text)
    writer.disconnect()
    (tmp_path / "elsewhere").mkdir()
    another, _ = certificate(tmp_path / "elsewhere", "another")
    writer.section = msgspec.structs.replace(guarded.section("t1"), ca=another)
    writer.connect()
    until(lambda: "certificate" in writer.uplink.sign.text.lower())
    writer.close()


def test_the_file_names_nobody_but_the_floor_and_the_tables() -> None:
    floor, table = BrokerKey(bytes([1]) * 32).public, BrokerKey(bytes([2]) * 32).public
    text = written(floor, {"t1": (table,)})
    assert text.count("nkey:") == 2
    assert f"{{ nkey: {floor} }}" in text
    assert ">" not in text.partition(table)[2].replace("_INBOX.t1.>", "")
