"""A whole house on this machine: how late the floor shows what tables wrote, and how fast it catches up.

Catching up stands beside what the same broker takes from a plain client in the same run.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import sqlite3
import threading
import time
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nats
from nats.js.api import StreamConfig

from controller.config.types import UplinkSection
from controller.journal.file import JournalFile
from controller.journal.head import TableKey
from controller.uplink.link import Uplink
from controller.uplink.messages import ROWS_STREAM
from lab.floor.house import House
from lab.floor.server import free_port
from lab.floor.tables import config_of, journal_of
from lab.measurements.measure import Line, line, resident_kb, scratch, stopwatch
from lab.sim.table import play_rounds, shift_for

LAG_MOST_S = 1.0
CATCH_UP_LEAST = 10_000
OPEN_S = 900.0
SETTLE_S = 20.0
"""After every table has opened, until all play at their pace."""
ROUNDS = 250
PIPELINED = 256
"""Messages that a plain client lets lie unanswered."""


class Watched:
    """A page of the floor, open: when each table's line first said how many events it has."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.seen: dict[str, list[tuple[int, float]]] = {}
        self.over = False
        self._thread = threading.Thread(target=self._look, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _look(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        origin = {"origin": f"http://127.0.0.1:{self._port}", "content-type": "application/json"}
        connection.request("POST", "/api/sign-in", '{"staff":"F1"}', origin)
        answer = connection.getresponse()
        cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
        answer.read()
        connection.request("GET", "/api/live", headers={"cookie": cookie})
        channel = connection.getresponse()
        while not self.over:
            said = channel.readline()
            if said.startswith(b"data: {"):
                self._take(json.loads(said[6:]), time.time())

    def _take(self, frame: dict[str, list[dict[str, object]]], at: float) -> None:
        for one in frame["lines"]:
            self.seen.setdefault(str(one["slug"]), []).append((int(str(one["size"])), at))


def run(quick: bool, tables: int = 0, seconds: float = 0.0) -> Iterator[Line]:
    """The lag of a house at its real pace, then catching up."""
    count, lasts = tables or (60 if quick else 1000), seconds or (15.0 if quick else 60.0)
    with scratch() as folder:
        yield from _lag(folder, count, lasts)
    with scratch() as folder:
        yield _caught_up(folder, 2 if quick else 8)


def _lag(folder: Path, count: int, seconds: float) -> Iterator[Line]:
    port = free_port()
    house = House(folder, count, port)
    house.start()
    try:
        _until_open(folder, count)
        time.sleep(SETTLE_S)
        watched, begin = Watched(port), time.time()
        watched.start()
        cpu, rows = _cpu(house), _stored(folder)
        time.sleep(seconds)
        spent = {part: now - cpu[part] for part, now in _cpu(house).items()}
        rows, memory = _stored(folder) - rows, _memory(house)
        ended = time.time()
        watched.over = True
        lags = _lags(folder, watched, begin + 2.0, ended - 2.0)
        why = house.dead()
    finally:
        house.stop()
    rate = len(lags) / (seconds - 4.0)
    p50, p99 = (lags[int(len(lags) * part)] if lags else float("nan") for part in (0.5, 0.99))
    facts: dict[str, Any] = {
        "tables": count,
        "rows_a_second": round(rate, 1),
        "cores_busy": round(sum(spent.values()) / seconds, 2),
        "cpu_s_a_1000_rows": {part: round(each / max(1, rows) * 1000, 3) for part, each in spent.items()},
        "memory_mb": memory,
    }
    facts["unseen"] = lags.count(float("inf"))
    yield line("floor_lag_p99", round(p99, 3), "s from the row to the page", f"under {LAG_MOST_S} s",
               bool(lags) and p99 < LAG_MOST_S and not why, p50=round(p50, 3), **facts)  # fmt: skip


def _until_open(folder: Path, count: int) -> None:
    """Wait for every table; many are built in one process one after the other."""
    until = stopwatch() + OPEN_S
    while _asked(folder, "SELECT count(*) FROM journals WHERE life = 'open'") < count:
        if stopwatch() > until:
            raise RuntimeError(f"not all of {count} tables have opened; see {folder}")
        time.sleep(0.5)


def _lags(folder: Path, watched: Watched, begin: float, ended: float) -> list[float]:
    """For every row written in this time, how long until the page said so; endless where it never did."""
    found = []
    with sqlite3.connect(folder / "floor.db") as store:
        wanted = "SELECT slug, seq, at FROM rows JOIN journals ON journals.id = rows.journal WHERE at BETWEEN ? AND ?"
        for slug, seq, at in store.execute(wanted, (begin * 1000, ended * 1000)):
            frames = watched.seen.get(slug, [])
            place = bisect_left(frames, (seq, 0.0))
            found.append(frames[place][1] - at / 1000 if place < len(frames) else float("inf"))
    return sorted(found)


def _cpu(house: House) -> dict[str, float]:
    """Seconds of processor that broker, floor and tables have had, each by itself: the machine may have others."""
    floor = [house.floor.pid] if house.floor is not None else []
    parts = {"broker": [one.pid for one in house.servers], "floor": floor, "tables": [one.pid for one in house.players]}
    return {part: sum(map(_cpu_of, pids)) for part, pids in parts.items()}


def _cpu_of(pid: int) -> float:
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / 100


def _memory(house: House) -> dict[str, int]:
    floor = house.floor.pid if house.floor is not None else 0
    return {"broker": resident_kb(house.server.pid) // 1000, "floor": resident_kb(floor) // 1000}


def _caught_up(folder: Path, tables: int) -> Line:
    """Tables that played an evening without a network, each sent by its real uplink at once."""
    house = House(folder, tables, free_port())
    house.server.start()
    for one in house.tables:
        config = config_of(one)
        play_rounds(config, journal_of(folder / "journals", one), one.seed, ROUNDS, shift_for(config))
    house._write()
    uplinks = [_uplink(house, number) for number in range(tables)]
    house.start_floor()
    rows = sum(_rows(journal_of(folder / "journals", one)) for one in house.tables)
    try:
        _until_listening(folder)
        begin = stopwatch()
        threads = [threading.Thread(target=_run, args=(one,), daemon=True) for one in uplinks]
        for thread in threads:
            thread.start()
        while (stored := _stored(folder)) < rows and stopwatch() - begin < 120:
            time.sleep(0.02)
        took = stopwatch() - begin
        bare = asyncio.run(_bare(house.server.url)) if stored else took
    finally:
        for uplink in uplinks:
            uplink.stop()
        house.stop()
    return line("floor_catch_up", round(stored / took), "rows/s into the store", f"over {CATCH_UP_LEAST}",
                stored == rows and stored / took > CATCH_UP_LEAST, better="more", rows=rows, tables=tables,
                ratio=took / bare, floor={"bare_broker_rows_a_second": round(rows / bare)})  # fmt: skip


async def _bare(url: str) -> float:
    """Seconds in which the same broker takes as many messages of the same size from one plain client: its own limit."""
    client = await nats.connect(url)
    try:
        stream = client.jetstream(timeout=30)
        sent = (await stream.stream_info(ROWS_STREAM)).state
        await stream.add_stream(StreamConfig(name="bare", subjects=["bare"]))
        body, left = bytes(max(1, sent.bytes // max(1, sent.messages))), sent.messages
        begin = stopwatch()
        while left:
            burst = min(left, PIPELINED)
            await asyncio.gather(*(stream.publish("bare", body) for _ in range(burst)))
            left -= burst
        return stopwatch() - begin
    finally:
        await client.close()


def _uplink(house: House, number: int) -> Uplink:
    one = house.tables[number]
    key, path = TableKey(one.key), journal_of(house.folder / "journals", one)
    journal = JournalFile.read_only(path)
    head = journal.head()._replace(root=journal.tree_at(journal.last_seq).root())
    note = key.sign(head)
    journal.close()
    return Uplink(path, UplinkSection((house.server.url,)), lambda: note)


def _run(uplink: Uplink) -> None:
    asyncio.run(uplink.run())


def _rows(path: Path) -> int:
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as journal:
        return int(journal.execute("SELECT max(seq) FROM entries").fetchone()[0])


def _stored(folder: Path) -> int:
    return _asked(folder, "SELECT coalesce(sum(size), 0) FROM journals")


def _asked(folder: Path, question: str) -> int:
    """What the floor's store says; 0 before there is one."""
    try:
        with sqlite3.connect(f"file:{folder / 'floor.db'}?mode=ro", uri=True) as store:
            return int(store.execute(question).fetchone()[0])
    except sqlite3.Error:
        return 0


def _until_listening(folder: Path) -> None:
    until = stopwatch() + 30
    while "pages at" not in (folder / "floor.log").read_text("utf-8", "replace"):
        if stopwatch() > until:
            raise RuntimeError("the floor does not come up")
        time.sleep(0.05)
    time.sleep(1.0)
