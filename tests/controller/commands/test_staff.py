"""`tablectl staff` keeps numbers and PINs to itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.commands.staff import staff as command
from controller.config.tomlread import ConfigError
from controller.people.staff import pin_fits, read_staff
from tests.controller.people.crew import PIN


def test_the_command_line_keeps_numbers_and_pins_to_itself(tmp_path: Path) -> None:
    path = tmp_path / "staff.json"

    def run(*words: str, typed: str = "") -> str:
        done = CliRunner().invoke(command, ["--file", str(path), *words], input=typed)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done.output

    number = "6007012345678901"
    out = run("add", "S3", "--name", "Casey", "--rank", "melbourne-wheel=AM", "--card", typed=f"{number}\n")
    out += run("set-pin", "S3", typed=f"{PIN}\n{PIN}\n")
    out += run("add", "S3", "--name", "Casey", "--rank", "star-war=GS")
    listed = run("list")
    assert "AM (melbourne-wheel, level 3), GS (star-war, level 2); card and pin" in listed
    out += listed + run("list", "--json")
    kept = path.read_text() + (tmp_path / "staff.key").read_text()
    assert number not in out + kept
    assert PIN not in out + kept
    member = read_staff(path).members["S3"]
    assert pin_fits(PIN, member.pin)
    with pytest.raises(ConfigError, match="PIN"):
        run("set-pin", "S3", typed="1234\n1234\n")
