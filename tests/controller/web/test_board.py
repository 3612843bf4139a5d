"""What the screens are told, and that a slow one never slows the table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from controller.config.types import UplinkSection
from controller.core.events import FloorOrder, NotSignedIn, Order
from controller.journal.committer import InlineCommitter
from controller.people import Person
from controller.uplink import following
from controller.web.board import SECTIONS, Viewer
from controller.web.callers import CHANNELS_A_PLACE
from controller.web.waiting import within
from firmware_specs.messages.wheel import Turning
from tests.controller.web.client import Served, served

DEALER = Person("S1", 1)


def at_table(folder: Path, act: Callable[[Served], Awaitable[None]], play: bool = False, speed: float = 20.0) -> None:
    async def run() -> None:
        async with served(folder, play=play, speed=speed) as table:
            await act(table)

    asyncio.run(run())


async def frame(viewer: Viewer) -> tuple[str, Any]:
    """The next frame's kind and content."""
    octets = await within(5.0, viewer.frame())
    assert octets is not None
    kind, data = octets.decode().split("\n")[:2]
    return kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))


async def change_with(viewer: Viewer, section: str, wanted: Callable[[Any], bool]) -> Any:
    """Read on until a section is as wanted."""
    while True:
        kind, data = await frame(viewer)
        if kind in ("whole", "change") and section in data["set"] and wanted(data["set"][section]):
            return data


def test_a_page_gets_the_whole_true_state_first_and_then_only_what_changes(tmp_path: Path) -> None:
    async def act(table: Served) -> None:
        await table.until(lambda: not table.table.runtime.table.state.faults)
        viewer = table.server.board.open(SECTIONS, live=False)
        kind, data = await frame(viewer)
        assert kind == "whole"
        assert set(data["set"]) == set(SECTIONS)
        assert data["set"]["life"]["life"] == "closed"
        table.table.runtime.command("open", DEALER)
        data = await change_with(viewer, "life", lambda life: life["life"] in ("opening", "open"))
        assert "table" not in data["set"]
        assert "rounds" not in data["set"]

    at_table(tmp_path, act)


def test_nothing_is_shown_before_it_is_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(table: Served) -> None:
        await table.until(lambda: not table.table.runtime.table.state.faults)
        board, runtime = table.server.board, table.table.runtime
        board.open(SECTIONS, live=False)
        await table.until(lambda: b'"life":"closed"' in board.body(("life",)))
        held: list[tuple[InlineCommitter, Any, Callable[[], None]]] = []
        with monkeypatch.context() as patch:
            patch.setattr(InlineCommitter, "add", lambda self, entry, release: held.append((self, entry, release)))
            runtime.command("open", DEALER)
            assert runtime.table.state.life in ("opening", "open")  # decided in memory
            board.open(SECTIONS, live=False)  # a page that opens now, too
            assert b'"life":"closed"' in board.body(("life",))
        for committer, entry, release in held:
            committer.add(entry, release)
        await table.until(lambda: b'"life":"closed"' not in board.body(("life",)))

    at_table(tmp_path, act)


def test_a_view_and_its_number_belong_together_and_an_old_one_says_that_the_disk_is_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.web.board.BEAT_S", 0.01)
    monkeypatch.setattr("controller.web.board.SLOW_S", 0.05)

    async def act(table: Served) -> None:
        await table.until(lambda: not table.table.runtime.table.state.faults)
        board, runtime = table.server.board, table.table.runtime
        viewer = board.open(SECTIONS, live=False)
        await table.until(lambda: b'"life":"closed"' in board.body(("life",)))
        shown = json.loads(board.body(("life", "journal")))
        assert shown["set"]["journal"]["slow"] is False
        held: list[Any] = []
        with monkeypatch.context() as patch:
            patch.setattr(InlineCommitter, "add", lambda self, entry, release: held.append((self, entry, release)))
            runtime.command("open", DEALER)
            runtime.command("open", DEALER)
            held[0][0]._journal.append([held[0][1]])
            held[0][2]()  # the first is on disk and told; the second waits for a slow disk
            assert runtime.journal.last_seq > shown["seq"]
            now = await change_with(viewer, "journal", lambda journal: journal["slow"])
            assert now["seq"] == shown["seq"], "an old view keeps its number"
            assert json.loads(board.body(("life",)))["set"]["life"]["life"] == "closed", "and shows nothing of memory"
        for committer, entry, release in held[1:]:
            committer.add(entry, release)
        now = await change_with(viewer, "journal", lambda journal: not journal["slow"])
        assert now["seq"] >= shown["seq"] + 2
        await table.until(lambda: b'"life":"closed"' not in board.body(("life",)))

    at_table(tmp_path, act)


def test_a_page_that_does_not_read_is_owed_no_more_than_one_of_each_thing(tmp_path: Path) -> None:
    async def act(table: Served) -> None:
        slow = table.server.board.open(SECTIONS, live=True)
        quick = table.server.board.open(SECTIONS, live=True)
        await frame(slow)
        for number in range(10_000):
            table.server.board.glimpse("wheel", Turning(1, number % 8320, 900))
        await table.until(lambda: len(table.server.board.rounds.summaries()) >= 1, 60)
        assert len(slow._owed) <= len(SECTIONS)
        assert slow._live <= {"wheel", "chips"}
        newest = json.loads(table.server.board.body(SECTIONS))
        kind, data = await frame(slow)
        assert kind == "change"
        assert data["seq"] >= newest["seq"] > 30  # the newest view, not the oldest it missed
        await table.until(lambda: json.loads(table.server.board.body(()))["seq"] > newest["seq"])
        assert (await frame(quick))[0] == "whole"

    at_table(tmp_path, act, play=True, speed=100.0)


def test_a_closed_page_is_forgotten_and_too_many_are_turned_away(tmp_path: Path) -> None:
    async def act(table: Served) -> None:
        client = table.client()
        writers = []
        for _ in range(CHANNELS_A_PLACE):
            reader, writer = await asyncio.open_connection(*client.host.rsplit(":", 1))
            writer.write(f"GET /api/live?place=pit HTTP/1.1\r\nhost: {client.host}\r\n\r\n".encode())
            assert b"200 OK" in await within(5.0, reader.readline())
            writers.append(writer)
        await table.until(lambda: table.server.board.pages == CHANNELS_A_PLACE)
        assert (await client.get("/api/live?place=pit")).status == 503
        for writer in writers:
            writer.close()
        await table.until(lambda: table.server.board.pages == 0)

    at_table(tmp_path, act)


def test_a_page_that_opens_late_is_told_the_last_live_value(tmp_path: Path) -> None:
    async def act(table: Served) -> None:
        board = table.server.board
        board.glimpse("wheel", Turning(1, 4711, 0))  # nobody looks
        viewer = board.open(("life",), live=True)
        assert b'"angle":4711' in (await viewer.frame() or b"")

    at_table(tmp_path, act)


def test_the_newest_live_value_wins(tmp_path: Path) -> None:
    async def act(table: Served) -> None:
        viewer = table.server.board.open(("life",), live=True)
        await frame(viewer)
        for angle in (100, 200, 300):
            table.server.board.glimpse("wheel", Turning(1, angle, 900))
        while True:
            kind, data = await frame(viewer)
            if kind == "live" and "wheel" in data:
                break
        assert data["wheel"]["angle"] == 300

    at_table(tmp_path, act)


def test_an_idle_channel_beats_so_that_a_page_knows_it_lives(tmp_path: Path) -> None:
    async def act(table: Served) -> None:
        viewer = table.server.board.open((), live=False)
        await frame(viewer)
        kind, now = await frame(viewer)
        assert kind == "beat"
        assert abs(now - table.table.clock.wall()) < 60_000

    at_table(tmp_path, act)


def test_a_page_is_told_when_the_controller_goes_down(tmp_path: Path) -> None:
    async def act(table: Served) -> None:
        viewer = table.server.board.open(SECTIONS, live=False)
        await frame(viewer)
        table.server.board.close()
        assert await within(5.0, viewer.frame()) is None
        table.server.board.runtime.watchers.append(table.server.board.told)  # so that stop() can close again
        table.server.board.runtime.glimpses.append(table.server.board.glimpse)

    at_table(tmp_path, act)


def test_a_journal_that_cannot_be_written_is_told_on_every_screen(tmp_path: Path) -> None:
    async def act(table: Served) -> None:
        viewer = table.server.board.open(SECTIONS, live=False)
        await frame(viewer)
        table.table.runtime.journal_failed(OSError("disk on fire"))
        data = await change_with(viewer, "life", lambda life: bool(life["broken"]))
        assert "disk on fire" in data["set"]["life"]["broken"]
        client = table.client()
        await client.sign_in("S1")
        assert (await client.press("open")).status == 503

    at_table(tmp_path, act)


def test_what_never_reached_the_disk_is_shown_by_no_page_after_the_journal_broke(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.web.board.BEAT_S", 0.01)

    async def act(table: Served) -> None:
        await table.until(lambda: not table.table.runtime.table.state.faults)
        board, runtime = table.server.board, table.table.runtime
        viewer = board.open(SECTIONS, live=False)
        await table.until(lambda: b'"life":"closed"' in board.body(("life",)))
        shown = json.loads(board.body(SECTIONS))
        monkeypatch.setattr(InlineCommitter, "add", lambda self, entry, release: None)
        runtime.command("open", DEALER)
        runtime.journal_failed(OSError("disk on fire"))
        data = await change_with(viewer, "life", lambda life: bool(life["broken"]))
        assert data["seq"] == shown["seq"]
        board._stale = True  # as after an event that was told while others waited
        board.open(SECTIONS, live=False)  # a page that opens now
        found = json.loads(board.body(SECTIONS))
        assert found["seq"] == shown["seq"]
        assert {**found["set"]["life"], "broken": ""} == shown["set"]["life"]
        assert found["set"]["keys"] == shown["set"]["keys"]
        assert found["set"]["journal"]["slow"] is False, "it is not slow, it is broken"

    at_table(tmp_path, act)


def test_a_floor_that_hears_nothing_is_a_sign_on_the_pit_s_page_and_no_event(tmp_path: Path) -> None:
    async def act(table: Served) -> None:
        runtime = table.table.runtime
        viewer = table.server.board.open(SECTIONS, live=False)
        _, whole = await frame(viewer)
        assert whole["set"]["uplink"] is None
        uplink = following(runtime, UplinkSection(("nats://127.0.0.1:1",)))
        running = asyncio.ensure_future(uplink.run())
        data = await change_with(viewer, "uplink", lambda uplink: uplink and "no servers" in uplink["text"])
        assert data["set"]["uplink"]["state"] == "away"
        await table.until(lambda: runtime.table.state.round > 1)  # it plays on
        uplink.stop()
        await within(5.0, running)

    at_table(tmp_path, act, play=True)


def test_an_alarm_is_shown_with_how_often_it_happened_and_who_may_see_to_it_until_somebody_has(tmp_path: Path) -> None:
    async def act(table: Served) -> None:
        runtime = table.table.runtime
        await table.until(lambda: not runtime.table.state.faults)
        viewer = table.server.board.open(SECTIONS, live=False)
        for _ in range(2):
            runtime.submit(NotSignedIn("dealer", "locked", "Too many wrong PINs.", "D7", 3, 1))
        data = await change_with(viewer, "alarms", lambda alarms: alarms and alarms[0]["count"] == 2)
        (alarm,) = data["set"]["alarms"]
        assert (alarm["code"], alarm["rank"], alarm["suspends"]) == ("locked:D7", 2, False)
        runtime.command("seen_to", Person("S2", 2), {"alarm": "locked:D7"})
        await change_with(viewer, "alarms", lambda alarms: alarms == [])

    at_table(tmp_path, act)


def test_the_pit_is_told_what_the_floor_ordered_or_why_it_was_refused(tmp_path: Path) -> None:
    async def act(table: Served) -> None:
        runtime = table.table.runtime
        at, here = runtime.clock.wall(), runtime.journal.origin

        def order(id_: str, kind: str, rank: str, **args: object) -> None:
            runtime.submit(FloorOrder(Order(id_, here, kind, "F3", rank, at, args), here, ""))

        order("o1", "message", "HDD", text="Mr Lee waits at the desk")
        order("o2", "limits", "HDD", least=500, most=60_000)
        order("o3", "limits", "AM", least=500, most=60_000)
        await table.until(lambda: runtime.journal.last_seq == runtime.guarded.position.seq)
        viewer = table.server.board.open(SECTIONS, live=False)
        _, data = await frame(viewer)
        lines = [line["text"] for line in data["set"]["lines"]]
        assert "F3 of the floor ordered: Message for the pit." in lines
        why = "“Change the limits” needs TG Area Manager or above; F3 is TG Higher Duties Dealer."
        assert f"F3 of the floor: {why}" in lines
        assert "F3 of the floor ordered: Change the limits." in lines
        assert "F3 of the floor: Mr Lee waits at the desk" in [alarm["text"] for alarm in data["set"]["alarms"]]
        assert data["set"]["limits"]["now"]["most"] == 60_000

    at_table(tmp_path, act)
