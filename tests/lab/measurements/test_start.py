"""A real table loads what it plays, before it is ready, and nothing afterwards."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from controller import games
from controller.config.kept import plain
from controller.config.types import TableConfig
from controller.core.events import Started
from controller.journal import row as record
from drivers.shoe import ShoeLoaded
from firmware_specs.clock import VirtualClock
from lab.measurements.start import OWN, Loaded, started
from lab.sim.config import default_config
from lab.sim.table import ROUND_DEADLINE_S, SimulatedTable

ROUNDS = 3
COMMON_MOST = 122
"""Modules of ours that any table loads, its game aside."""
LIBRARIES_MOST = 360
"""Modules of Python and of the libraries; cryptography's, which only sealed cards need, come on top."""
DEVICES = {
    "wheel": {"wheel", "chips"},
    "war": {"shoe", "shuffler", "chips"},  # cards may come from either, and the game knows both
    "poker": {"cards", "chips", "shuffler"},
}
DRIVERS = {"wheel": "wheel", "chips": "chips", "shoe": "shoe", "shuffler": "shuffler", "cards": "card_antennas"}
ELSEWHERE = (
    *("simulators", "lab", "floor", "tests", "pytest", "usb", "importlib.metadata"),
    *("nats", "controller.uplink", "sqlalchemy"),
)


def within(modules: tuple[str, ...], *packages: str) -> list[str]:
    return [name for name in modules if any(name == each or name.startswith(f"{each}.") for each in packages)]


@pytest.fixture(scope="module", params=games.names())
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def loaded(game: str, tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    return started(game, tmp_path_factory.mktemp(game))


def test_it_loads_no_simulator_no_tool_and_no_other_game(loaded: Loaded, game: str) -> None:
    assert within(loaded.modules, *ELSEWHERE) == []
    played = {name.split(".")[2] for name in within(loaded.modules, "controller.games") if name.count(".") > 1}
    assert played & set(games.names()) == {game}


def test_it_loads_the_drivers_of_its_devices_and_no_others(loaded: Loaded, game: str) -> None:
    drivers = {kind for kind, module in DRIVERS.items() if f"drivers.{module}" in loaded.modules}
    assert drivers == DEVICES[game]
    assert bool(within(loaded.modules, "drivers.motion")) == (game == "wheel")
    assert bool(within(loaded.modules, "cryptography")) == (game == "poker")


def test_it_loads_few_modules(loaded: Loaded, game: str) -> None:
    common = set(loaded.own) - set(within(loaded.modules, f"controller.games.{game}", "drivers.motion"))
    libraries = set(loaded.modules) - set(loaded.own) - set(within(loaded.modules, "cryptography", "_openssl"))
    assert len(common) <= COMMON_MOST, sorted(common)
    assert len(libraries) <= LIBRARIES_MOST, sorted(libraries)


def test_nothing_more_is_loaded_when_its_pages_are_opened(loaded: Loaded) -> None:
    assert set(loaded.with_pages) - set(loaded.modules) == set()


def test_nothing_of_ours_is_loaded_by_play(loaded: Loaded, game: str, tmp_path: Path) -> None:
    """Rounds that were played here are gone through once more by a program of its own, as after a power cut."""
    config = default_config(game)
    play(config, tmp_path / "played.sqlite")
    again = subprocess.run(
        [sys.executable, "-c", REPLAY, str(tmp_path / "played.sqlite")],
        input=json.dumps(plain(config)), capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    replayed, *modules = again.stdout.split()
    assert int(replayed) > 10 * ROUNDS
    assert set(within(tuple(modules), *OWN)) - set(loaded.own) == set()


def play(config: TableConfig, journal: Path) -> None:
    """Some rounds, left in mid-play."""
    clock = VirtualClock()
    table = SimulatedTable(config, journal, clock, 3)
    table.start()
    clock.run_until(lambda: table.shift.rounds >= ROUNDS, ROUNDS * ROUND_DEADLINE_S)
    table.runtime.journal.close()


REPLAY = """
import json, sys
from pathlib import Path
import controller.commands.run, controller.app
from controller.config.kept import from_plain
from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.journal import row
from controller.journal.file import JournalFile
config = from_plain(json.load(sys.stdin))
row.expect(device.kind for device in config.devices.values())
journal = JournalFile.open(Path(sys.argv[1]), config.table.name)
print(recover(GuardedTable(config), journal, from_snapshot=False), *sys.modules)
"""


def test_a_row_of_a_device_that_is_no_longer_there_is_read_all_the_same() -> None:
    reader = record._Reader()
    body = record.encode(record.Record(ShoeLoaded("shoe"), form=record.FORM))
    assert reader.record(body).event == ShoeLoaded("shoe")
    assert reader.event(msgspec.json.encode(ShoeLoaded("shoe"))) == ShoeLoaded("shoe")


def test_a_row_of_something_unknown_is_refused_by_whoever_knows_every_device() -> None:
    reader = record._Reader()
    body = record.encode(record.Record(Started("1", {}), form=record.FORM)).replace(b"Started", b"Startled")
    for _ in range(2):
        with pytest.raises(msgspec.ValidationError, match="Startled"):
            reader.record(body)
