"""A dealer's table at whose door strangers come, and how they come."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

from controller.people.staff import Member, Staff, with_pin, write_staff
from controller.web.access import PairingFile
from controller.web.waiting import within
from tests.controller.web.client import Client, Served, served

SOON_S = 2.0
"""A key answers in milliseconds; this is for a machine with much else to do, and far from any limit here."""


@contextlib.asynccontextmanager
async def dealers_table(folder: Path, place: str = "dealer") -> AsyncIterator[tuple[Served, Client]]:
    """A real table in the eyes of its screens, with a dealer signed in."""
    token = PairingFile(folder / "screens.json").pair(place)
    dealer = Member("S1", "Sam", {"melbourne-wheel": "dealer"})
    write_staff(folder / "staff.json", with_pin(Staff({"S1": dealer}), "S1", "2468", bytes(16)))
    async with served(folder, real=True) as table:
        client = table.client()
        assert (await client.post("/api/pair", {"token": token})).status == 200
        if place == "dealer":
            assert (await client.sign_in("S1", pin="2468")).status == 200
        yield table, client


def at_dealers(folder: Path, act: Callable[[Served, Client], Awaitable[None]], place: str = "dealer") -> None:
    async def run() -> None:
        async with dealers_table(folder, place) as (table, client):
            await act(table, client)

    asyncio.run(run())


async def press(client: Client) -> int:
    return (await within(SOON_S, client.press("open"))).status


def where(table: Served) -> tuple[str, int]:
    host, _, port = table.client().host.rpartition(":")
    return host, int(port)


Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def call(table: Served, said: bytes = b"") -> Line:
    reader, writer = await asyncio.open_connection(*where(table))
    writer.write(said)
    return reader, writer


def open_among(table: Served) -> int:
    assert table.server._server is not None
    return len(table.server._server.server_state.connections)
