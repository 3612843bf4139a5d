"""A floor as a process of its own, which tests may kill, and one on a thread, which they may look into."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import create_engine, func, select

from controller.journal.cosignature import make_witness_key
from floor.config import read_floor
from floor.run import Floor
from floor.store.schema import JOURNALS, ROWS
from lab.floor.server import NatsServer
from tests.uplinks import Writer

TOML = """
[floor]
name = "Test"
web = "127.0.0.1:0"

[broker]
servers = ["{url}"]
"""


def floor_file(folder: Path, server: NatsServer, *tables: Writer) -> Path:
    """The file of a floor that knows these tables; its own key beside it."""
    path = folder / "floor.toml"
    path.write_text(TOML.format(url=server.url), "utf-8")
    keys = [one.key.public(one.journal.origin).text() for one in tables]
    (folder / "tables.keys").write_text("\n".join(["# the tables of this test", "", *keys]) + "\n", "utf-8")
    if not (folder / "floor.key").exists():
        make_witness_key(folder / "floor.key", "tablectl-floor/test", bytes(32))
    return path


class FloorProcess:
    """`tablectl floor run`, killed as a power cut would."""

    def __init__(self, path: Path) -> None:
        command = [sys.executable, "-c", "from controller.commands import main; main()", "floor", "run", "--config"]
        self._said = (path.parent / "floor.log").open("ab")
        self._process = subprocess.Popen([*command, str(path)], stderr=self._said, stdout=self._said)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(10)
        self._said.close()

    def stop(self) -> int:
        self._process.terminate()
        code = self._process.wait(20)
        self._said.close()
        return code


@contextlib.contextmanager
def listening(path: Path) -> Iterator[Floor]:
    """A floor on a loop of its own."""
    floor, over, ready = Floor(read_floor(path)), asyncio.Event(), threading.Event()
    loop = asyncio.new_event_loop()

    async def run() -> None:
        async with floor.listening():
            ready.set()
            await over.wait()
        floor.close()

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield floor
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(10)


def sizes(folder: Path) -> dict[str, int]:
    """How many rows of each journal are in the store."""
    if not (folder / "floor.db").exists():
        return {}
    engine = create_engine(f"sqlite:///{folder / 'floor.db'}")
    wanted = select(JOURNALS.c.origin, func.count(ROWS.c.seq)).join(ROWS).group_by(JOURNALS.c.origin)
    try:
        with engine.connect() as connection:
            return {one[0]: one[1] for one in connection.execute(wanted)}
    except Exception:  # the floor is making its tables just now
        return {}
    finally:
        engine.dispose()
