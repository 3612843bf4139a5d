"""The command line as a person or a program uses it: exit status, one message, nothing half-written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.commands import main
from tests.standing import tablectl

EXAMPLE = Path("controller/examples/table.toml")


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


def test_a_scenario_that_is_not_met_exits_1(tmp_path: Path) -> None:
    path = tmp_path / "case.json"
    case = {"id": "x", "rulebook": "melbourne-wheel", "spin": {"rest_symbol": "A"}, "expected": {"outcome": "B"}}
    path.write_text(json.dumps(case))
    result = tablectl("scenario", path)
    assert result.exit_code == 1
    assert json.loads(result.stdout)["errors"] == ["outcome is A, expected B"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [("smi", "sim"), ("scenarios", "scenario"), ("journal verfy", "verify"), ("rules tracce", "trace")],
)
def test_a_command_that_does_not_exist_names_the_nearest(written: str, meant: str) -> None:
    result = tablectl(*written.split())
    assert result.exit_code == 2
    assert f"did you mean '{meant}'?" in result.output


def test_a_word_that_resembles_no_command_is_answered_with_all_of_them() -> None:
    result = tablectl("zzzz")
    assert result.exit_code == 2
    assert "known here: run, check" in result.output


def test_the_shell_can_complete_commands_of_every_distribution(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_TABLECTL_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "tablectl s")
    monkeypatch.setenv("COMP_CWORD", "1")
    with pytest.raises(SystemExit):
        main(prog_name="tablectl")
    assert {"plain,sim", "plain,screens", "plain,staff"} <= set(capfd.readouterr().out.split())
