"""The bench: levers that do what they say, a clock that can be held, and scenarios that play again."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from controller.web.waiting import pause
from lab.sim.bench import BadPull
from lab.sim.paced import PacedClock
from tests.controller.web.client import Client, Served, served


def at_bench(folder: Path, act: Callable[[Served, Client], Awaitable[None]], play: bool = False) -> None:
    async def run() -> None:
        async with served(folder, play=play) as table:
            await act(table, table.client())

    asyncio.run(run())


async def pull(client: Client, name: str, **args: object) -> str:
    answer = await client.post("/api/bench/pull", {"name": name, "args": args})
    assert answer.status == 200, answer.body
    return str(answer.body["said"])


async def open_table(table: Served, client: Client) -> None:
    await table.until(lambda: not table.table.runtime.table.state.faults)
    await client.sign_in("S1")
    await client.press("open")
    await table.until(lambda: table.table.runtime.table.state.life == "open")
    await client.press("place_bets")


def test_chips_laid_at_the_bench_lie_on_the_layout(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        await open_table(table, client)
        areas = lambda: table.table.runtime.table.game.view()["areas"]  # noqa: E731
        await pull(client, "place", area="C", dollars=35, player="P9")
        await table.until(lambda: areas() == {"C": 3500})
        await pull(client, "move", source="C", target="A")
        await table.until(lambda: areas() == {"A": 3500})
        await pull(client, "clear", area="A")
        await table.until(lambda: areas() == {})
        await pull(client, "edge", source="A", target="B")
        await table.until(lambda: bool(table.table.runtime.table.state.desk.prompts))

    at_bench(tmp_path, act)


def test_a_push_turns_the_wheel_and_a_hand_on_it_is_noticed(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        await open_table(table, client)
        game = table.table.runtime.table.game
        await pull(client, "speed", times="5")  # slow enough to lay a hand on it on a busy machine
        await pull(client, "spin", speed=1.4, sense="anticlockwise")
        await table.until(lambda: game.machine.state == "spin_open")
        await client.press("no_more_bets")
        await table.until(lambda: (game.view()["spin"] or {}).get("turns", 0) >= 4)
        await pull(client, "touch", kind="hold", strength=1.0)
        await table.until(lambda: game.machine.state == "ruling", 30)
        asked = next(iter(table.table.runtime.table.state.desk.prompts.values()))
        assert "interference" in asked.evidence["reasons"]

    at_bench(tmp_path, act)


def test_an_unplugged_device_suspends_the_table_until_it_is_back(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        await open_table(table, client)
        await pull(client, "line", device="chips", fault="unplug", seconds=8)
        await table.until(lambda: table.table.runtime.table.state.life == "suspended")
        await table.until(lambda: table.table.runtime.table.state.life == "open", 30)

    at_bench(tmp_path, act)


def test_every_lever_is_listed_with_what_it_takes_and_refuses_the_rest(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        listed = (await client.get("/api/bench")).body
        names = {lever["name"] for lever in listed["levers"]}
        assert {"spin", "touch", "place", "move", "line", "speed", "pause", "step", "people"} <= names
        assert listed["bench"]["seed"] == 1
        for name, args in (
            ("jump", {}),
            ("spin", {"speed": 99}),
            ("spin", {"speed": "fast"}),
            ("spin", {"sense": "up"}),
            ("spin", {"colour": "red"}),
            ("people", {"play": 1}),
            ("clear", {"area": "A"}),
            ("touch", {}),
        ):
            answer = await client.post("/api/bench/pull", {"name": name, "args": args})
            assert answer.status == 400, (name, args)
        with pytest.raises(BadPull, match="Between"):
            table.levers.pull("edge", {"source": "Z"})

    at_bench(tmp_path, act)


def test_time_can_be_held_and_stepped(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        clock = table.table.clock
        assert isinstance(clock, PacedClock)
        await pull(client, "pause")
        held = clock.now()
        await pause(0.05)
        assert clock.now() == held
        await pull(client, "step", seconds=2.0)
        assert clock.now() == pytest.approx(held + 2.0)
        await pull(client, "speed", times="100")
        await pull(client, "go_on")
        await table.until(lambda: clock.now() > held + 4.0)

    at_bench(tmp_path, act)


def test_what_was_played_plays_again_as_a_scenario(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        await pull(client, "speed", times="100")
        await table.until(lambda: len(table.levers.scenario()["cases"]) >= 3, 60)
        answer = await client.get("/api/bench/scenario")
        (tmp_path / "played.json").write_text(json.dumps(answer.body))

    at_bench(tmp_path, act, play=True)
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from controller.commands import main; main()",
            "scenario",
            str(tmp_path / "played.json"),
        ],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_paced_time_runs_actions_in_order_and_never_back(tmp_path: Path) -> None:
    async def run() -> None:
        clock = PacedClock(asyncio.get_running_loop(), 1000.0)
        told: list[tuple[str, float]] = []
        clock.call_at(3.0, lambda: told.append(("c", clock.now())))
        clock.call_at(1.0, lambda: told.append(("a", clock.now())))
        clock.call_at(1.0, lambda: told.append(("b", clock.now())))
        clock.call_at(2.0, lambda: told.append(("gone", clock.now()))).cancel()
        for _ in range(1000):
            if len(told) == 3:
                break
            await pause(0.001)
        assert told == [("a", 1.0), ("b", 1.0), ("c", 3.0)]
        before = clock.now()
        clock.speed = 0.25
        assert clock.now() >= before

    asyncio.run(run())
