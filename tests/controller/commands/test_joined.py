"""Commands of floor and lab join `tablectl` where they are installed; a table without says how to get them."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint

import pytest
from click.testing import CliRunner
from pytest_mock import MockerFixture

from controller import VERSION, games
from controller.commands import joined, main
from controller.config.kept import plain
from lab.sim.config import default_config
from tests import ROOT

OTHERS = [
    tomllib.loads((ROOT / "distributions" / name / "pyproject.toml").read_text("utf-8"))["project"]
    for name in ("floor", "lab")
]


def test_what_is_said_to_come_with_another_distribution_is_what_it_brings() -> None:
    brought = {
        (group.removeprefix(joined.GROUP).removeprefix("."), name): other["name"]
        for other in OTHERS
        for group, points in other["entry-points"].items()
        if group.startswith(joined.GROUP)
        for name in points
    }
    said = {(parent, name): where for parent, names in joined.ELSEWHERE.items() for name, where in names.items()}
    assert brought == said
    assert {*said.values()} == {other["name"] for other in OTHERS}


def test_the_others_belong_to_this_very_version() -> None:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    floor, lab = OTHERS
    assert floor["version"] == lab["version"] == table["version"] == VERSION
    assert floor["dependencies"][0] == f"tablectl=={table['version']}"
    assert lab["dependencies"][:2] == [f"tablectl=={table['version']}", f"tablectl-floor=={table['version']}"]


@pytest.mark.parametrize(
    ("words", "brings"),
    [
        (["sim", "--rounds", "3"], "tablectl-lab"),
        (["rules", "trace"], "tablectl-lab"),
        (["chips", "prove", "--help"], "tablectl-lab"),
        (["floor", "run", "--config", "floor.toml"], "tablectl-floor"),
    ],
)
def test_without_it_its_commands_say_how_to_get_it(mocker: MockerFixture, words: list[str], brings: str) -> None:
    mocker.patch.object(joined, "others", return_value=dict[str, EntryPoint]())
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert f"belongs to {brings}" in result.output
    assert f"pip install {brings}" in result.output


@pytest.mark.parametrize("game", games.names())
def test_a_table_loads_the_game_it_plays_and_no_other(game: str) -> None:
    """The table of a configuration is built in a program of its own, from a configuration kept as plain values."""
    kept = json.dumps(plain(default_config(game)))
    build = (
        "import sys, json; import controller.commands.run, controller.app;"
        "from controller.config.kept import from_plain;"
        "from controller.core.guarded import GuardedTable; GuardedTable(from_plain(json.load(sys.stdin)));"
        "print(*sorted(sys.modules))"
    )
    made = subprocess.run([sys.executable, "-c", build], input=kept, capture_output=True, text=True, timeout=60)
    assert made.returncode == 0, made.stderr
    loaded = {name.split(".")[2] for name in made.stdout.split() if name.startswith("controller.games.")}
    assert loaded & set(games.names()) == {game}


def test_what_a_table_runs_loads_no_simulator_and_no_tool() -> None:
    """Everything `tablectl run` needs is imported in a program of its own, and looked through."""
    seen = "import controller.commands.run, controller.app, sys; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True, timeout=60)
    tops = {name.partition(".")[0] for name in loaded.stdout.split()}
    assert "controller" in tops
    assert not tops & {"simulators", "lab", "floor", "tests", "pytest"}
