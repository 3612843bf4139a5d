"""The command line as a person or a program uses it: exit status, one message, nothing half-written."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.commands import main

EXAMPLE = Path("controller/examples/table.toml")


def tablectl(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shift") / "table.sqlite"
    result = tablectl("sim", "--rounds", "4", "--seed", "7", "--journal", path)
    assert result.exit_code == 0, result.output
    return path


@pytest.mark.parametrize(
    "command",
    ["", "sim", "run", "check", "devices", "simulate", "scenario", "journal", "journal show", "journal verify",
     "journal replay", "journal export", "rules", "rules list", "rules show", "rules diagram", "rules trace",
     "rules edge", "wheel", "wheel calibrate", "wheel calibrate-simulated", "wheel spins", "bench", "bench wheel"],
)  # fmt: skip
def test_every_command_explains_itself(command: str) -> None:
    result = tablectl(*command.split(), "--help")
    assert result.exit_code == 0
    assert "Usage:" in result.output


def test_the_overview_tells_every_command_in_a_sentence() -> None:
    from controller.commands import _WHERE

    overview = tablectl("--help").output
    for name in _WHERE:
        (line,) = [line for line in overview.splitlines() if line.split()[:1] == [name]]
        assert len(line.split()) > 3, line


def test_a_journal_can_be_played_on(tmp_path: Path) -> None:
    path = tmp_path / "shift.sqlite"
    for _ in range(2):
        result = tablectl("sim", "--rounds", "3", "--journal", path, "--json")
        assert result.exit_code == 0, result.output
    assert tablectl("journal", "replay", path).exit_code == 0


@pytest.mark.parametrize("option", ["1", "2", "3", "4"])
def test_a_simulated_shift_ends_by_itself_with_a_summary(option: str) -> None:
    result = tablectl("sim", "--option", option, "--rounds", "5", "--seed", "3", "--json")
    assert result.exit_code == 0, result.output
    summary = json.loads(result.output)
    assert summary["rounds"] == 5
    assert sum(summary["results"].values()) == 5
    assert summary["hold"] == sum(bet["gain"] for bet in summary["bets"].values())


def test_the_same_seed_plays_the_same_shift() -> None:
    shifts = [tablectl("sim", "--rounds", "6", "--seed", "11", "--json").output for _ in range(2)]
    assert shifts[0] == shifts[1]
    assert shifts[0] != tablectl("sim", "--rounds", "6", "--seed", "12", "--json").output


@pytest.mark.parametrize(
    "arguments",
    [
        ["sim", "--option", "9", "--rounds", "1"],
        ["sim", "--speed", "max"],
        ["sim", "--rounds", "0"],
        ["sim", "--speed", "3"],
        ["run"],
        ["check", "--config", "nowhere.toml"],
        ["scenario"],
        ["scenario", "nowhere.json"],
        ["simulate", "toaster", "--port", "pty"],
        ["rules", "show", "melbourne-weel"],
        ["journal", "show", "nowhere.sqlite"],
        ["nonsense"],
    ],
)
def test_misuse_is_told_in_one_message_with_exit_2(arguments: list[str]) -> None:
    result = tablectl(*arguments)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output


def test_a_configuration_is_checked_without_writing_anything(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(EXAMPLE.read_text())
    assert tablectl("check", "--config", path).exit_code == 0
    path.write_text(EXAMPLE.read_text().replace("option =", "optoin ="))
    result = tablectl("check", "--config", path)
    assert result.exit_code == 2
    assert "table.toml:" in result.output
    assert "did you mean 'option'" in result.output
    assert [file.name for file in tmp_path.iterdir()] == ["table.toml"]


def test_a_journal_is_shown_verified_replayed_and_exported(journal: Path, tmp_path: Path) -> None:
    shown = tablectl("journal", "show", journal, "--json")
    assert json.loads(shown.output.splitlines()[0])["event"]["type"] == "Started"
    assert json.loads(tablectl("journal", "verify", journal, "--json").output)["ok"] is True
    assert json.loads(tablectl("journal", "replay", journal, "--json").output)["ok"] is True
    csv = tmp_path / "out.csv"
    assert tablectl("journal", "export", journal, "--format", "csv", "--output", csv).exit_code == 0
    assert csv.read_text().splitlines()[0].startswith("event,time,round,outcome,wager")
    lines = tablectl("journal", "export", journal).output.splitlines()
    assert {"seq", "hash", "event"} <= json.loads(lines[-1]).keys()


def test_a_tampered_journal_is_found(journal: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    with sqlite3.connect(journal) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    with sqlite3.connect(copy) as connection:
        sql = "UPDATE entries SET body = CAST(replace(CAST(body AS TEXT), 'win', 'lse') AS BLOB)"
        connection.execute(sql + " WHERE CAST(body AS TEXT) LIKE '%win%'")
    result = tablectl("journal", "verify", copy)
    assert result.exit_code == 1
    assert "altered" in result.output


def test_kept_spins_are_decided_again_with_the_same_result(journal: Path) -> None:
    result = tablectl("wheel", "spins", journal, "--json")
    assert result.exit_code == 0
    assert all(json.loads(line)["same_again"] for line in result.output.splitlines())
    speeds = tablectl("wheel", "spins", journal, "--speeds").output.splitlines()
    assert len(speeds) > 150


def test_the_rulebooks_are_listed_shown_and_drawn() -> None:
    assert "melbourne-wheel" in tablectl("rules", "list").output
    assert len(json.loads(tablectl("rules", "list", "--json").output)) == 5
    assert "7.1.1" in tablectl("rules", "show", "melbourne-wheel").output
    diagram = tablectl("rules", "diagram", "wheel").output
    assert "stateDiagram" in diagram
    assert "spin_open --> spin_closed: no_more_bets" in diagram


def test_the_edge_of_every_wheel_bet_is_a_thirteenth() -> None:
    lines = tablectl("rules", "edge", "melbourne-wheel", "--json").output.splitlines()
    assert {(edge["numerator"], edge["denominator"]) for edge in map(json.loads, lines)} == {(-1, 13)}


def test_the_simulated_wheel_is_calibrated_into_a_profile(tmp_path: Path) -> None:
    output = tmp_path / "wheel.json"
    result = tablectl("wheel", "calibrate-simulated", "--output", output)
    assert result.exit_code == 0, result.output
    assert json.loads(output.read_text())["learnt"]


def test_a_scenario_that_is_not_met_exits_1(tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    case = {"id": "x", "rulebook": "melbourne-wheel", "spin": {"rest_symbol": "A"}, "expected": {"outcome": "B"}}
    path.write_text(json.dumps(case))
    result = tablectl("scenario", path)
    assert result.exit_code == 1
    assert json.loads(result.stdout)["errors"] == ["outcome is A, expected B"]
