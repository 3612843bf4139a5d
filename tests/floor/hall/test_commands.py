"""What `tablectl hall` says to a person who prepares an event."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from floor.hall.commands import hall
from tests.controller.tournament.stated import changed, text


def check(tmp_path, said, *options):
    file = tmp_path / "cup.toml"
    file.write_text(said, "utf-8")
    return CliRunner().invoke(hall, ["check", str(file), *options])


@pytest.mark.parametrize("game", ["war", "wheel", "poker"])
def test_the_terms_it_prints_to_begin_from_pass_its_own_check(tmp_path, game) -> None:
    printed = CliRunner().invoke(hall, ["terms", game])
    assert printed.output == text(game)
    assert check(tmp_path, printed.output).exit_code == 0


def test_terms_with_gaps_are_told_line_by_line_and_end_in_failure(tmp_path) -> None:
    found = check(tmp_path, changed("war", ('place = "Pit 4"\n', ""), ("privacy = true\n", "")))
    assert found.exit_code == 2
    assert "tournament.place: not stated: the place (10.4.1(a)(iv))" in found.output
    assert "statements.privacy" in found.output


def test_a_machine_reads_the_same(tmp_path) -> None:
    found = check(tmp_path, changed("war", ('place = "Pit 4"\n', "")), "--json")
    assert json.loads(found.stdout.splitlines()[0])["findings"][0]["clauses"] == ["10.4.1(a)(iv)"]


def test_what_is_no_file_is_not_read_without_end() -> None:
    assert "not a file" in str(CliRunner().invoke(hall, ["check", "/dev/zero"]).exception)
