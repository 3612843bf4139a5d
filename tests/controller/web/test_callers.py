"""Strangers at the door of the screens: silent, slow, many and loud ones, and the dealer who works meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import logging
import os
import resource
import socket
import ssl
import sys
import threading
from asyncio.sslproto import SSLProtocol
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog

from controller.core.events import JournalChecked
from controller.core.runtime import Told
from controller.journal.chain_check import ChainCheck
from controller.web import callers, catalogue, guard
from controller.web.access import PairingFile
from controller.web.rounds import RoundLog
from controller.web.waiting import pause, within
from firmware_specs.clock import RealClock
from lab.certificates import certificate
from tests.controller.web.client import Client, Served, served
from tests.controller.web.strangers import SOON_S, Line, at_dealers, call, open_among, press, where


class Noise(msgspec.Struct):
    """A live value much larger than any."""

    words: str


@contextlib.asynccontextmanager
async def calls(table: Served, count: int, said: bytes = b"") -> AsyncIterator[list[Line]]:
    lines = [await call(table, said) for _ in range(count)]
    try:
        yield lines
    finally:
        for _, writer in lines:
            writer.transport.abort()


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_hundreds_of_strangers_who_do_not_finish_keep_no_dealer_from_a_key(tmp_path: Path, said: bytes) -> None:
    async def act(table: Served, client: Client) -> None:
        async with calls(table, 300, said):
            await table.until(lambda: open_among(table) >= callers.STRANGERS_AN_ADDRESS)
            assert await press(client) in (200, 409)
            assert open_among(table) <= callers.STRANGERS_MOST

    at_dealers(tmp_path, act)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTTP/1.1\r\n",
        b"POST /api/command HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n"
        b"Content-Length: 50\r\n\r\n{",
        b"GET /api/me HTTP/1.1\r\nHost: {host}\r\n\r\nGET /a",
    ],
    ids=["nothing", "half a head", "half a body", "half a second request"],
)
@pytest.mark.usefixtures("hurried")
def test_who_does_not_finish_a_request_is_let_go(tmp_path: Path, said: bytes) -> None:
    async def act(table: Served, client: Client) -> None:
        reader, writer = await call(table, said.replace(b"{host}", client.host.encode()))
        with contextlib.suppress(ConnectionResetError):
            await within(SOON_S, reader.read())  # ends only when the controller hangs up
        assert open_among(table) == 0
        writer.transport.abort()

    at_dealers(tmp_path, act)


@pytest.mark.usefixtures("hurried")
def test_one_who_sends_a_byte_now_and_then_is_let_go_as_well(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        reader, writer = await call(table)
        ended = asyncio.ensure_future(reader.read())
        for octet in (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 1000)[:1000]:
            writer.write(bytes([octet]))
            await pause(0.01)
            if ended.done():
                break
        assert ended.done()
        await asyncio.wait([ended], timeout=SOON_S)
        writer.transport.abort()

    at_dealers(tmp_path, act)


@pytest.mark.usefixtures("hurried")
def test_a_live_page_that_stops_reading_is_let_go_and_one_that_reads_stays(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        asked = "GET /api/live?place=pit HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n".format(
            client.host, "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        ).encode()
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(where(table))
        deaf.sendall(asked)
        reader, writer = await call(table, asked)
        read = asyncio.ensure_future(_read_on(reader))
        await table.until(lambda: table.server.board.pages == 2)
        board = table.server.board
        noise = Noise("x" * 20_000)

        async def talk() -> None:
            while board.pages == 2:
                board.live["wheel"] = noise
                for viewer in board._viewers:
                    viewer.owe_live("wheel")
                await pause(0.01)

        await within(20.0, talk())
        assert board.pages == 1
        assert not read.done()
        writer.transport.abort()
        deaf.close()
        await asyncio.wait([read], timeout=SOON_S)

    at_dealers(tmp_path, act, "pit")


async def _read_on(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reader.read(65536):  # until the test hangs up
            pass


def test_a_flood_of_a_stranger_costs_the_paired_screen_at_the_same_address_nothing(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        stranger = table.client()
        refused = 0
        while not refused:
            refused += (await stranger.get("/api/me?place=dealer")).status == 429
        while (await stranger.press("open")).status != 429:
            pass
        assert (await client.get("/api/me?place=dealer")).status == 200
        assert await press(client) in (200, 409)

    at_dealers(tmp_path, act)


def test_who_asks_too_often_waits_for_being_told_so_and_makes_room_first(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        one = f"GET /api/me?place=dealer HTTP/1.1\r\nHost: {client.host}\r\n\r\n".encode()
        stranger = table.client()
        while (await stranger.get("/api/me?place=dealer")).status != 429:
            pass
        reader, writer = await call(table, one * 200)
        await table.until(lambda: any(each.held_back for each in table.server.callers._all.values()))
        assert not any(each.busy for each in table.server.callers._all.values() if each.held_back)
        began = asyncio.get_running_loop().time()
        answered = 0
        while answered < 60:  # all that are allowed meanwhile are answered at once, and one refusal half a second after
            answered += (await within(SOON_S, reader.read(65536))).count(b"HTTP/1.1 ")
        assert asyncio.get_running_loop().time() - began >= callers.HELD_BACK_S
        writer.transport.abort()

    at_dealers(tmp_path, act)


def test_nobody_gets_another_allowance_by_naming_another_address(tmp_path: Path) -> None:
    """Asked in one breath: at less than the allowance gives back, nobody asks too often."""

    async def act(table: Served, client: Client) -> None:
        asked = f"GET /api/me?place=dealer HTTP/1.1\r\nHost: {client.host}\r\nX-Forwarded-For: 192.0.2."
        every = "".join(f"{asked}{number % 250}\r\n\r\n" for number in range(2 * int(guard.GETS_AT_ONCE)))
        reader, writer = await call(table, every.encode())
        answered = b""
        while b"HTTP/1.1 429" not in answered:
            octets = await within(SOON_S, reader.read(65536))
            assert octets
            answered = answered[-20:] + octets
        writer.transport.abort()

    at_dealers(tmp_path, act)


def test_the_words_of_a_language_are_read_once_and_beside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []
    read = catalogue.read

    def watched(po: str) -> dict[str, str]:
        threads.append(threading.current_thread().name)
        return read(po)

    monkeypatch.setattr(catalogue, "read", watched)

    async def act(table: Served, client: Client) -> None:
        (language, *_) = catalogue.languages()
        answers = [await table.client().get(f"/words/{language}") for _ in range(5)]
        assert all(answer.body == catalogue.catalogue(language) for answer in answers)
        threads.pop()
        assert len([name for name in threads if name.startswith("lookups")]) == 1

    at_dealers(tmp_path, act)


def test_a_defect_that_a_stranger_can_bring_about_is_told_once_a_minute_and_counted() -> None:
    at = 0.0
    refused = callers.Refused(lambda: at)
    counting = callers.CountedWarnings(refused, lambda: at)

    def failed() -> bool:
        try:
            raise ValueError("too many digits")
        except ValueError:
            exc_info = sys.exc_info()
        return counting.filter(logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, "failed", (), exc_info))

    assert [failed() for _ in range(5)] == [True, False, False, False, False]
    assert sum(refused._counts.values()) == 3  # and one that was told at once
    at = callers.TELL_EVERY_S + 1
    assert failed()


def test_an_address_without_a_screen_that_connects_too_often_is_ended_before_it_costs_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callers, "ARRIVALS_A_SECOND", 0.001)  # however slowly this machine connects

    async def act(table: Served, client: Client) -> None:
        most = int(callers.ARRIVALS_AT_ONCE)
        lines = [await asyncio.open_connection(*where(table), local_addr=("127.0.0.9", 0)) for _ in range(most + 40)]
        await table.until(lambda: table.server.callers.refused._counts.get("connects too often", 0) >= 1)
        for reader, writer in lines[-3:]:
            with contextlib.suppress(ConnectionResetError):
                assert await within(SOON_S, reader.read()) == b""
            writer.transport.abort()
        async with calls(table, most + 40):  # the dealer's own address is not a stranger's
            assert await press(client) in (200, 409)
        for _, writer in lines:
            writer.transport.abort()

    at_dealers(tmp_path, act)


@pytest.mark.parametrize(
    ("host", "whose"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:0:1::2", "2001:db8:0:1::/64"),
        ("2001:db8:0:1:ffff::9", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_one_machine_has_one_share_however_many_addresses_it_has(host: str, whose: str) -> None:
    assert callers.home(host) == whose


def test_an_answer_is_sent_at_once_and_does_not_wait_for_the_page_to_confirm_its_first_part(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        async with calls(table, 1):
            await table.until(lambda: any(each.connection for each in table.server.callers._all.values()))
            wires = [each.wire for each in table.server.callers._all.values()]
            assert all(wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for wire in wires)

    at_dealers(tmp_path, act)


def test_a_place_has_its_share_of_channels_and_leaves_the_other_places_theirs(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        pit = table.client()
        token = PairingFile(tmp_path / "screens.json").pair("pit")
        assert (await pit.post("/api/pair", {"token": token})).status == 200
        async with calls(table, 3 * callers.CHANNELS_A_PLACE, _live(client)):
            await table.until(lambda: table.server.board.pages >= callers.CHANNELS_A_PLACE)
            assert await press(client) in (200, 409)
            assert table.server.board.pages == callers.CHANNELS_A_PLACE
            async with calls(table, 1, _live(pit, "pit")):
                await table.until(lambda: table.server.board.pages == callers.CHANNELS_A_PLACE + 1)

    at_dealers(tmp_path, act)


def _live(client: Client, place: str = "dealer") -> bytes:
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    return f"GET /api/live?place={place} HTTP/1.1\r\nHost: {client.host}\r\nCookie: {cookie}\r\n\r\n".encode()


def test_a_request_that_is_left_in_its_middle_writes_no_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def act(table: Served, client: Client) -> None:
        head = f"POST /api/command HTTP/1.1\r\nHost: {client.host}\r\nOrigin: http://{client.host}\r\n"
        half = f"{head}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{{".encode()
        with structlog.testing.capture_logs() as lines:
            for _ in range(20):
                _, writer = await call(table, half)
                await table.until(lambda: any(each.busy for each in table.server.callers._all.values()))
                writer.transport.abort()
                await table.until(lambda: not any(each.busy for each in table.server.callers._all.values()))
        assert [record for record in caplog.records if record.levelno > logging.INFO] == []
        assert len(lines) < 3

    at_dealers(tmp_path, act)


@pytest.mark.parametrize("said", [b"\x16\x03\x01 no HTTP\r\n\r\n", b"GET / HTTP/1.1\r\nHost: {host}\r\n"
                                  b"Connection: upgrade\r\nUpgrade: websocket\r\n\r\n"])  # fmt: skip
def test_refused_strangers_are_counted_and_not_logged_one_by_one(
    tmp_path: Path, said: bytes, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "level", logging.ERROR)  # a table that logs errors only counts them, too

    async def act(table: Served, client: Client) -> None:
        with structlog.testing.capture_logs() as lines:
            for _ in range(200):
                reader, writer = await call(table, said.replace(b"{host}", client.host.encode()))
                await within(SOON_S, reader.read(12))
                writer.transport.abort()
            for _ in range(20):
                assert (await client.post("/api/pair", {"token": "none"})).status == 403
            table.server.callers.refused.tell()
        assert len(lines) + len(caplog.records) < 10, lines[:10]
        told = [line for line in lines if line["event"] == "refused_at_the_screens"]
        counted = [json.loads(json.dumps(line)) for line in told]
        assert sum(line["times"] for line in counted) >= 220

    at_dealers(tmp_path, act)


@contextlib.contextmanager
def no_more_files() -> Iterator[None]:
    """This process may open nothing more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 512), hard))
    held: list[int] = []
    try:
        with contextlib.suppress(OSError):
            while True:
                held.append(os.open(os.devnull, os.O_RDONLY))
        yield
    finally:
        for each in held:
            os.close(each)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_without_file_descriptors_a_dealer_works_on_and_no_journal_is_called_damaged(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        told: list[Told] = []
        table.table.runtime.watchers.append(told.append)
        check = ChainCheck(
            RealClock(asyncio.get_running_loop()), table.table.runtime.journal.path, table.table.runtime.submit
        )
        reader, writer = await call(table)
        with structlog.testing.capture_logs() as lines, no_more_files():
            check._go_on()
            writer.write(_press(client))
            answer = await within(SOON_S, reader.readuntil(b"\r\n\r\n"))
            assert answer.split()[1] in (b"200", b"409"), answer
        assert not [line for line in lines if line["event"] == "journal_damaged"]
        check._go_on()
        check.stop()
        await table.until(lambda: any(isinstance(one.event, JournalChecked) for one in told))
        assert [one.event.wrong for one in told if isinstance(one.event, JournalChecked)] == [""]
        writer.transport.abort()

    at_dealers(tmp_path, act)


def _press(client: Client) -> bytes:
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    body = json.dumps({"name": "open", "place": "dealer", "args": {}})
    return (
        f"POST /api/command HTTP/1.1\r\nHost: {client.host}\r\nOrigin: http://{client.host}\r\nCookie: {cookie}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


def test_a_record_is_looked_up_beside_the_loop_and_not_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up = threading.Event()

    def slow(self: RoundLog, first: int, last: int) -> list[dict[str, Any]]:
        assert looked_up.wait(20)
        return [{"seq": first}]

    monkeypatch.setattr(RoundLog, "full", slow)

    async def act(table: Served, client: Client) -> None:
        asked = asyncio.ensure_future(client.get("/api/rounds/1/2"))
        await pause(0.05)
        assert (await within(SOON_S, client.get("/api/me?place=pit"))).status == 200
        looked_up.set()
        assert (await asked).body["rows"] == [{"seq": 1}]

    at_dealers(tmp_path, act, "pit")


def test_a_connection_over_tls_begins_with_a_small_buffer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SSLProtocol, "max_size", 256 * 1024)
    paths = certificate(tmp_path)
    trusts = ssl.create_default_context(cafile=paths[0])

    async def run() -> None:
        async with served(tmp_path, certificate=paths) as table:
            _, writer = await asyncio.open_connection(*where(table), ssl=trusts)
            made = [one for one in gc.get_objects() if isinstance(one, SSLProtocol)]
            assert made
            assert all(len(one._ssl_buffer) <= callers.TLS_READ for one in made)  # type: ignore[attr-defined]
            assert (await Client(table.server, trusts).get("/api/state?place=status")).status == 200
            writer.transport.abort()

    asyncio.run(run())
