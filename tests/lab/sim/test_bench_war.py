"""The bench and the screens of Casino War: hands on cards, shoe and shuffler, and what the table makes of it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from lab.sim.bench import BadPull
from lab.sim.config import default_config
from tests.controller.web.client import Client, Served, served

Act = Callable[[Served, Client], Awaitable[None]]


def at_war(folder: Path, act: Act, source: Any = "shoe", play: bool = False, rulebook: str | None = None) -> None:
    async def run() -> None:
        config = default_config("war", rulebook=rulebook, source=source)
        async with served(folder, play=play, config=config) as table:
            await act(table, table.client())

    asyncio.run(run())


def state(table: Served) -> str:
    return table.table.runtime.table.game.machine.state


def view(table: Served) -> dict[str, Any]:
    return table.table.runtime.table.game.view()


def prompts(table: Served) -> dict[str, Any]:
    return {asked.subject.partition(":")[0]: asked for asked in table.table.runtime.table.state.desk.prompts.values()}


async def answer(client: Client, asked: Any, wanted: str, **args: Any) -> None:
    """Somebody of the rank that is needed answers."""
    rank = next(option.rank for option in asked.options if option.answer == wanted)
    body = {
        "name": "answer",
        "place": "dealer",
        "args": {"prompt": asked.prompt, "answer": wanted, "reason": "seen", **args},
        "sign": {"staff": f"S{max(rank, 1)}", "pin": ""},
    }
    told = await client.post("/api/command", body)
    assert told.status == 200, told.body


def can_draw(table: Served) -> bool:
    source = table.levers.source  # type: ignore[attr-defined]
    return not source.locked and bool(getattr(source, "mouth", True))


async def deal(table: Served, until: Callable[[], bool]) -> None:
    """Pull one card after the other, each once the gate lets it out."""
    while not until():
        drawn = len(view(table)["cards"])
        await table.until(lambda: until() or can_draw(table))
        if until():
            return
        table.levers.pull("draw", {})
        await table.until(lambda: len(view(table)["cards"]) > drawn or until())  # noqa: B023


async def bets(table: Served, client: Client, boxes: int = 2) -> None:
    """Bring the table from closed to stakes on the first boxes, all by keys and hands."""
    await table.until(lambda: not table.table.runtime.table.state.faults)
    await client.sign_in("S1")
    await client.press("open")
    await table.until(lambda: state(table) == "unchecked" and table.table.runtime.table.state.life == "open")
    await client.press("check_cards")
    table.levers.pull("load", {})
    await table.until(lambda: not table.table.runtime.table.state.faults)
    await client.press("shuffled")
    if "cut" in prompts(table):
        await answer(client, prompts(table)["cut"], "cut")
    await deal(table, lambda: state(table) == "betting")
    for box in range(1, boxes + 1):
        table.levers.pull("place", {"area": f"box {box} main", "dollars": 20, "player": f"P{box}"})
    await table.until(lambda: len(view(table)["stakes"]) == boxes)


def test_a_card_can_be_chosen_before_it_is_drawn(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        await bets(table, client)
        await client.press("no_more_bets")
        for face in ("KS", "2H", "9D"):
            table.levers.pull("swap", {"face": face})
            count = len(view(table)["cards"])
            await deal(table, lambda: len(view(table)["cards"]) > count)  # noqa: B023
        assert [(one["face"], one["to"]) for one in view(table)["cards"]][-3:] == [
            ("KS", "box1"),
            ("2H", "box2"),
            ("9D", "dealer"),
        ]
        results = {one["wager"]: one["result"] for one in view(table)["results"]}
        assert results == {"main 1 P1": "win", "main 2 P2": "lose"}

    at_war(tmp_path, act)


def test_an_unreadable_card_is_named_by_a_person_on_the_screen(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        await bets(table, client)
        await client.press("no_more_bets")
        table.levers.pull("swap", {"face": "KS"})
        table.levers.pull("spoil", {"kind": "unreadable"})
        await deal(table, lambda: "unknown" in prompts(table))
        await answer(client, prompts(table)["unknown"], "enter", face="KS")
        assert view(table)["cards"][-1] == {"face": "KS", "to": "box1"}

    at_war(tmp_path, act)


def test_two_at_once_an_open_lid_and_a_forced_gate_are_noticed(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        await bets(table, client)
        await client.press("no_more_bets")
        table.levers.pull("spoil", {"kind": "two", "order_known": False})
        await deal(table, lambda: "double" in prompts(table))
        asked = prompts(table)["double"]
        faces = list(reversed(asked.evidence["faces"]))
        await answer(client, asked, "order", faces=faces)
        assert [one["face"] for one in view(table)["cards"]][-2:] == faces
        table.levers.pull("lid", {"open": True})
        await table.until(lambda: "shoe:lid_open" in table.table.runtime.table.state.desk.alarms)
        table.levers.pull("lid", {"open": False})
        await table.until(lambda: "shoe:lid_open" not in table.table.runtime.table.state.desk.alarms)
        await deal(table, lambda: state(table) == "interim")
        with pytest.raises(BadPull, match="locked"):
            table.levers.pull("draw", {})
        table.levers.pull("draw", {"force": True})
        await table.until(lambda: "surplus" in prompts(table) or "gate_forced" in table.table.shift.alarms)

    at_war(tmp_path, act)


def test_a_jammed_shuffler_stops_the_table_until_it_is_freed(tmp_path: Path) -> None:
    async def act(table: Served, client: Client) -> None:
        await bets(table, client)
        await client.press("no_more_bets")
        table.levers.pull("jam", {"place": "mouth"})
        await deal(table, lambda: "shuffler:jam" in table.table.runtime.table.state.faults)
        table.levers.pull("clear_jam", {})
        await table.until(lambda: "shuffler:jam" not in table.table.runtime.table.state.faults)
        with pytest.raises(BadPull, match="othing is stuck"):
            table.levers.pull("clear_jam", {})

    at_war(tmp_path, act, source="shuffler")


@pytest.mark.parametrize("rulebook", ["melbourne-war", "perth-war", "star-war"])
def test_rounds_of_war_played_at_the_bench_play_again_as_scenarios(tmp_path: Path, rulebook: str) -> None:
    async def act(table: Served, client: Client) -> None:
        table.levers.pull("speed", {"times": "100"})
        await table.until(lambda: len(table.levers.scenario()["cases"]) >= 8, 60)
        (tmp_path / "played.json").write_text(json.dumps((await client.get("/api/bench/scenario")).body))

    at_war(tmp_path, act, play=True, rulebook=rulebook)
    command = "from controller.commands import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", command, "scenario", str(tmp_path / "played.json")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
