"""`tablectl chips` imports, shows and exports."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from controller.commands.chips import chips
from tests.controller.money.listed import LIST, written


def test_the_command_line_imports_shows_and_exports(tmp_path: Path) -> None:
    path, register = written(tmp_path, LIST), tmp_path / "chips.reg"
    run = CliRunner().invoke
    done = run(chips, ["import", str(register), str(path)])
    assert (done.exit_code, done.output) == (0, f"{register}: 10 tags\n")
    shown = run(chips, ["show", str(register)]).output
    assert "cash $2.50" in shown
    assert "colour BW1/pink of Big Wheel 1, retired" in shown
    assert "cash $5, live" in run(chips, ["show", str(register), "a1"]).output
    assert run(chips, ["show", str(register), "99"]).exit_code == 1
    assert run(chips, ["export", str(register)]).output.startswith("tag,kind,value,set,colour,table,state\n")
    own = written(tmp_path, "tag,kind,value\n1,cash,7.50\n", "own.csv")
    assert run(chips, ["import", str(tmp_path / "own.reg"), str(own), "--denominations", "7.50,5"]).exit_code == 0
    assert run(chips, ["import", str(tmp_path / "own.reg"), str(own), "--denominations", "x"]).exit_code == 2
