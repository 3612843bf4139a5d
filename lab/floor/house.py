"""A whole house on this machine: a broker, a floor, and simulated tables of all games in a few processes."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from itertools import cycle, islice
from pathlib import Path

import msgspec

from controller.config.types import UplinkSection
from controller.journal.cosignature import make_witness_key, read_witness_key
from controller.journal.file import JournalFile
from controller.journal.head import TableKey
from lab.floor.server import cluster
from lab.floor.tables import Plan, Planned, journal_of
from lab.sim.config import simulated_tables

A_PROCESS = 250
"""Tables in one process, at most."""
STOP_S = 15.0
TITLES = {"wheel": "Big Wheel", "war": "Casino War", "poker": "Crown Poker"}
STAFF_TOML = """
[[staff]]
id = "F1"
name = "Avery"
rank = "inspector"

[[staff]]
id = "F2"
name = "Blake"
rank = "supervisor"

[[staff]]
id = "F3"
name = "Corin"
rank = "manager"
"""
"""Who works on every simulated floor, one of each rank."""
FLOOR_TOML = """# Made for a simulated house; tablectl floor run --config floor.toml
[floor]
name = "{name}"
web = "127.0.0.1:{port}"
practice = true

[broker]
servers = {urls}
replicas = {replicas}
"""


def planned(count: int) -> list[Planned]:
    """So many tables, the games and their rulebooks in turn; the same keys each time, which are no secret."""
    turns = islice(cycle(simulated_tables().values()), count)
    return [
        Planned(f"{TITLES.get(game, game)} {number}", game, rulebook, number, _seed(number))
        for number, (game, rulebook) in enumerate(turns, 1)
    ]


def _seed(number: int) -> bytes:
    return hashlib.sha256(b"a simulated table's key %d" % number).digest()


def end_in_order() -> None:
    """Let a signal end the program like Ctrl-C, also where it was started in the background, so that no child stays."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)


class House:
    """The broker, of one node or several, and the processes of one simulated house, in one folder."""

    def __init__(self, folder: Path, tables: int, port: int = 8700, speed: float = 1.0, nodes: int = 1) -> None:
        self.folder, self._speed = folder, speed
        self.tables = planned(tables)
        self.servers = cluster(folder / "broker", nodes)
        self.server = self.servers[0]
        self.floor_urls = self.table_urls = [one.url for one in self.servers]
        self.a_process = A_PROCESS
        self.config = folder / "floor.toml"
        self._port = port
        self.floor: subprocess.Popen[bytes] | None = None
        self.players: list[subprocess.Popen[bytes]] = []
        (folder / "journals").mkdir(parents=True, exist_ok=True)

    @property
    def url(self) -> str:
        """Where the floor's pages are."""
        return f"http://127.0.0.1:{self._port}/"

    def start(self) -> None:
        """Everything, one after the other."""
        for one in self.servers:
            one.start()
        self._write()
        self.start_floor()
        self.start_tables()

    def _write(self) -> None:
        urls, replicas = json.dumps(self.floor_urls), len(self.servers)
        said = FLOOR_TOML.format(name="Simulated", port=self._port, urls=urls, replicas=replicas) + STAFF_TOML
        self.config.write_text(said, "utf-8")
        key = self.folder / "floor.key"
        if not key.exists():
            make_witness_key(key, "tablectl-floor/simulated", os.urandom(32))
        lines = [TableKey(one.key).public(self._origin(one)).text() for one in self.tables]
        (self.folder / "tables.keys").write_text("\n".join(lines) + "\n", "utf-8")

    def _origin(self, one: Planned) -> str:
        """The name of a table's journal, which is made with it."""
        journal = JournalFile.open(journal_of(self.folder / "journals", one), one.name, durable=False)
        origin = journal.origin
        journal.close()
        return origin

    def start_floor(self) -> None:
        words = ["-c", "from controller.commands import main; main()", "floor", "run", "--config", str(self.config)]
        self.floor = self._child(words, "floor.log")

    def start_tables(self) -> None:
        witness = read_witness_key(self.folder / "floor.key").public.text()
        uplink = UplinkSection(tuple(self.table_urls), witness=witness)
        for number, first in enumerate(range(0, len(self.tables), self.a_process)):
            some = tuple(self.tables[first : first + self.a_process])
            plan = Plan(str(self.folder / "journals"), uplink, self._speed, some)
            (self.folder / f"plan-{number}.json").write_bytes(msgspec.json.encode(plan))
            self.players.append(self.player(number))

    def player(self, number: int) -> subprocess.Popen[bytes]:
        """A process that plays the tables of this plan, from where their journals stand."""
        words = ["-m", "lab.floor.tables", str(self.folder / f"plan-{number}.json")]
        return self._child(words, f"tables-{number}.log")

    def _child(self, words: list[str], log: str) -> subprocess.Popen[bytes]:
        with (self.folder / log).open("ab") as said:
            return subprocess.Popen([sys.executable, *words], stdout=said, stderr=said)

    def dead(self) -> str:
        """Which of them has ended by itself, with where to look."""
        children = {"the floor (floor.log)": self.floor}
        children |= {f"tables (tables-{number}.log)": one for number, one in enumerate(self.players)}
        gone = [name for name, child in children.items() if child is not None and child.poll() is not None]
        return f"{', '.join(gone)} ended; see {self.folder}" if gone else ""

    def stop(self) -> None:
        """Tables first, so that the floor hears the last of them."""
        players, self.players = self.players, []
        self._end(players)
        floor, self.floor = self.floor, None
        self._end([floor] if floor is not None else [])
        for one in self.servers:
            one.stop()

    def _end(self, children: list[subprocess.Popen[bytes]]) -> None:
        for child in children:
            child.send_signal(signal.SIGTERM)
        for child in children:
            try:
                child.wait(STOP_S)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait(STOP_S)
