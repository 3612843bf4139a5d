"""Requests from elsewhere, out of form or too many, and what every answer forbids."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from controller.web.guard import BODY_MOST
from tests.controller.web.client import Client, Served, served

PAGES = ("/", "/dealer", "/pit", "/sign")


def at_table(folder: Path, act: Callable[[Served, Client], Awaitable[None]], real: bool = False) -> None:
    async def run() -> None:
        async with served(folder, real=real) as table:
            await act(table, table.client())

    asyncio.run(run())


def test_requests_from_elsewhere_or_out_of_form_are_turned_away(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        await client.sign_in("S1")
        body = {"name": "open", "place": "dealer"}
        assert (await client.post("/api/command", body, origin="http://evil.example")).status == 403
        assert (await client.post("/api/command", body, origin="")).status == 403
        assert (await client.post("/api/command", body, content_type="text/plain")).status == 415
        assert (await client.get("/", host="evil.example")).status == 421
        assert (await client.post("/api/command", b"x" * (BODY_MOST + 1))).status == 413
        chunked = await client.post("/api/command", b"", content_length="", transfer_encoding="chunked")
        assert chunked.status == 411
        assert (await client.post("/api/command", b"{")).status == 400
        assert (await client.post("/api/command", {**body, "rank": 4})).status == 400
        assert (await client.post("/api/command", {**body, "args": {"deep": {"er": 1}}})).status == 400
        assert (await client.get("/static/../server.py")).status == 404
        assert (await client.get("/static/%2e%2e/server.py")).status == 404

    at_table(tmp_path, act)


def test_every_answer_forbids_inline_script_and_framing(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        for path in (*PAGES, "/bench", "/api/state", "/static/dealer.js", "/nowhere"):
            headers = (await client.get(path)).headers
            assert "script-src 'self';" in headers["content-security-policy"]
            assert "unsafe" not in headers["content-security-policy"]
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["cache-control"] == "no-store" or path.startswith("/static")
        page = (await client.get("/dealer")).body.decode()
        assert "<script type=" in page
        assert "onclick" not in page
        assert "http" not in page.replace("http-equiv", "")  # nothing from outside

    at_table(tmp_path, act)


def test_a_flood_of_commands_is_slowed_down(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        statuses = [(await client.post("/api/sign-out", {"place": "dealer"})).status for _ in range(60)]
        assert 429 in statuses
        assert statuses[0] == 200

    at_table(tmp_path, act)
