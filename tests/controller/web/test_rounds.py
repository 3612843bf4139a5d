"""Rounds on the screen: opened into their record, stepped through, and still there after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from controller.web.rounds import NoSuchRound
from tests.controller.web.client import Served, served


def at_table(folder: Path, act: Callable[[Served], Awaitable[None]], play: bool = False, speed: float = 20.0) -> None:
    async def run() -> None:
        async with served(folder, play=play, speed=speed) as table:
            await act(table)

    asyncio.run(run())


def test_a_round_opens_into_its_record_and_can_be_stepped_through(tmp_path: Path) -> None:
    async def act(table: Served) -> None:
        rounds = table.server.board.rounds
        await table.until(lambda: len(rounds.summaries()) >= 2, 60)
        line = rounds.summaries()[0]
        client = table.client()
        answer = await client.get(f"/api/rounds/{line.first}/{line.last}?place=pit")
        rows = answer.body["rows"]
        assert [row["seq"] for row in rows] == list(range(line.first, line.last + 1))
        assert rows[0]["view"]["state"] == "betting_open"
        assert rows[-1]["view"]["state"] == "idle"
        assert any(row.get("speeds") for row in rows)
        settled = [e for row in rows for e in row["effects"] if e["type"] == "Settled"]
        assert settled[0]["outcome"] == line.outcome
        assert sum(result["pays"] for result in settled[0]["results"]) == line.paid
        assert (await client.get("/api/rounds/1/999999?place=pit")).status == 404
        assert (await client.get(f"/api/rounds/{line.first}/{line.last}?place=dealer")).status == 403
        with pytest.raises(NoSuchRound):
            rounds.full(5, 4)

    at_table(tmp_path, act, play=True, speed=100.0)


def test_after_a_restart_the_last_rounds_are_still_there_and_replay_the_same(tmp_path: Path) -> None:
    seen: list[Any] = []

    async def first(table: Served) -> None:
        rounds = table.server.board.rounds
        await table.until(lambda: len(rounds.summaries()) >= 2, 60)
        line = rounds.summaries()[-1]
        seen.extend([line, rounds.full(line.first, line.last)])

    async def second(table: Served) -> None:
        rounds = table.server.board.rounds
        assert rounds.summaries()[-1] == seen[0]
        assert rounds.full(seen[0].first, seen[0].last) == seen[1]

    at_table(tmp_path, first, play=True, speed=100.0)
    at_table(tmp_path, second)
