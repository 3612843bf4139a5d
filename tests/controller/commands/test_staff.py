"""`tablectl staff` keeps numbers and PINs to itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.commands.staff import staff as command
from controller.config.tomlread import ConfigError
from controller.people.staff import pin_fits, read_key, read_staff
from tests import ROOT
from tests.controller.people.crew import PIN

EXAMPLE = ROOT / "controller" / "examples" / "table.toml"


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


def test_a_new_key_makes_every_pseudonym_of_before_lead_to_nobody(tmp_path: Path) -> None:
    path = tmp_path / "staff.json"

    def run(*words: str, typed: str = "") -> str:
        done = CliRunner().invoke(command, ["--file", str(path), *words], input=typed)
        assert done.exit_code == 0, done.output
        return done.output

    run("add", "S3", "--name", "Casey", "--rank", "melbourne-wheel=AM", "--card", typed="6007012345678901\n")
    run("set-pin", "S3", typed=f"{PIN}\n{PIN}\n")
    run("new-key", "--players")
    before, first, players = read_staff(path), read_key(tmp_path / "staff.key"), read_key(tmp_path / "players.key")
    assert first != players
    asked = CliRunner().invoke(command, ["--file", str(path), "new-key"], input="n\n")
    assert (asked.exit_code, read_staff(path)) == (1, before)
    assert "1 cards must be read anew" in run("new-key", "--yes")
    member = read_staff(path).members["S3"]
    assert (member.card, pin_fits(PIN, member.pin)) == ("", True)
    assert read_key(tmp_path / "staff.key") != first
    assert read_key(tmp_path / "players.key") == players
    run("new-key", "--players", "--yes")
    assert read_key(tmp_path / "players.key") != players
    assert (tmp_path / "players.key").stat().st_mode & 0o077 == 0


def test_keys_are_made_where_the_table_has_them(tmp_path: Path) -> None:
    text = EXAMPLE.read_text("utf-8").replace("# [people]", '[people]\nkey = "a.key"\nplayer_key = "b.key"')
    (tmp_path / "table.toml").write_text(text, "utf-8")
    for words in (["new-key"], ["new-key", "--players"]):
        done = CliRunner().invoke(command, ["--config", str(tmp_path / "table.toml"), *words])
        assert done.exit_code == 0, done.output
    assert read_key(tmp_path / "a.key") != read_key(tmp_path / "b.key")


def test_a_role_is_given_for_a_shift_shown_and_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "staff.json"

    def run(*words: str) -> str:
        done = CliRunner().invoke(command, ["--file", str(path), *words])
        assert done.exit_code == 0, done.output
        return done.output

    run("add", "R1", "--name", "Robin")
    assert "R1 is chip runner until 2026-11-28 23:00" in run("give", "R1", "chip_runner", "--until", "2026-11-28T23:00")
    run("give", "R1", "director")
    assert "no rank, chip runner until 2026-11-28 23:00, Tournament Director;" in run("list")
    run("add", "R1", "--name", "Robin Ray")
    assert "director" in read_staff(path).members["R1"].roles
    run("take", "R1", "director")
    assert list(read_staff(path).members["R1"].roles) == ["chip_runner"]
    unknown = CliRunner().invoke(command, ["--file", str(path), "give", "R1", "runner"])
    assert unknown.exit_code == 2


def test_an_empty_register_says_so_and_nobody_types_a_pin_for_who_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "staff.json"
    told = CliRunner().invoke(command, ["--file", str(path), "list", "--json"])
    assert (told.stdout, told.exit_code) == ("", 0)
    assert "nobody is on this register; tablectl staff add NUMBER" in told.stderr
    refused = CliRunner().invoke(command, ["--file", str(path), "set-pin", "S9"], input=f"{PIN}\n{PIN}\n")
    assert isinstance(refused.exception, ConfigError)
    assert "PIN" not in refused.output
