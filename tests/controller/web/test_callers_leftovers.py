"""What connections leave behind is gone soon, however many come; and what stands is not looked through for it."""

from __future__ import annotations

import asyncio
import gc
import weakref
from asyncio.sslproto import SSLProtocol
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.web import callers
from controller.web.callers import Leftovers, keep_what_stands
from controller.web.waiting import within
from lab.certificates import certificate
from tests.controller.web.client import Client, Served, served
from tests.controller.web.strangers import SOON_S, at_dealers, call, open_among


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        b"GET /api/me HTTP/1.1\r\nHost: {host}\r\n\r\n",
        b"POST /api/command HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n"
        b"Content-Length: 50\r\n\r\n{",
    ],
    ids=["nothing", "half a head", "a request", "half a body"],
)
def test_who_has_gone_leaves_nothing_that_waits_for_a_sweep(
    tmp_path: Path, said: bytes, no_sweeps: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Garbage is swept all at once: 30 MB under a hundred strangers a second, and a key waits for it."""
    made: list[weakref.ref[callers.Connection]] = []
    connection = callers.Callers.connection

    def remembered(self: callers.Callers, **parts: Any) -> callers.Connection:
        one = connection(self, **parts)
        made.append(weakref.ref(one))
        return one

    monkeypatch.setattr(callers.Callers, "connection", remembered)
    monkeypatch.setattr(Leftovers, "look", lambda self: None)

    async def act(table: Served, client: Client) -> None:
        made.clear()
        for _ in range(10):
            reader, writer = await call(table, said.replace(b"{host}", client.host.encode()))
            if said.endswith(b"\r\n\r\n"):
                await within(SOON_S, reader.read(12))
            writer.transport.abort()
        await table.until(lambda: len(made) == 10 and open_among(table) == 0)
        await table.until(lambda: not any(one() for one in made))

    at_dealers(tmp_path, act)


@pytest.fixture
def no_sweeps() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("hurried")
def test_what_failed_handshakes_leave_behind_is_given_back_while_strangers_come(
    tmp_path: Path, no_sweeps: None
) -> None:
    paths = certificate(tmp_path)

    async def run() -> None:
        async with served(tmp_path, certificate=paths) as table:
            before = _handshakes()
            for _ in range(20):
                _, writer = await call(table, b"no handshake")
                writer.transport.abort()
            await table.until(lambda: _handshakes() <= before)

    asyncio.run(run())


def _handshakes() -> int:
    return sum(isinstance(one, SSLProtocol) for one in gc.get_objects())


def test_what_stands_from_start_to_end_is_not_looked_through_again() -> None:
    try:
        keep_what_stands()
        assert gc.get_freeze_count() > 10_000
        assert not gc.collect()
    finally:
        gc.unfreeze()
