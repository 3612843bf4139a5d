"""What a table's file says of tournaments, and what the index says of the chapters on them."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.config.file import check_config, require_right
from controller.config.tomlread import ConfigError
from controller.config.types import TournamentSection
from controller.rules import clauses
from lab.sim.config import default_config

CHAPTER = {"wheel": "8.1", "war": "10.1", "poker": "12.1"}


def test_a_table_says_that_a_hall_may_designate_it_by_a_section_of_its_own() -> None:
    config = default_config("war", rulebook="melbourne-war")
    assert config.tournament is None
    require_right(msgspec.structs.replace(config, tournament=TournamentSection("hall-1")), "table.toml")


@pytest.mark.parametrize("where", ["table", "war"])
def test_the_keys_of_before_are_refused_with_the_section_that_says_it(where: str) -> None:
    config = default_config("war", rulebook="melbourne-war")
    own = {"table": config.table, "play": config.play}["play" if where == "war" else where]
    changed = msgspec.structs.replace(own, tournament=True)
    asked = msgspec.structs.replace(config, **{"play" if where == "war" else where: changed})
    with pytest.raises(ConfigError, match=rf"{where}.tournament: .*section \[tournament\]"):
        require_right(asked, "table.toml")


@pytest.mark.parametrize("rulebook", ["star-war", "perth-war"])
def test_a_house_whose_document_has_no_such_chapter_says_that_and_names_no_clause(rulebook: str) -> None:
    config = default_config("war", rulebook=rulebook)
    asked = msgspec.structs.replace(config, tournament=TournamentSection())
    with pytest.raises(ConfigError, match=r"tournament: this rulebook has no tournament play; leave it out"):
        require_right(asked, "table.toml")


def test_the_line_of_the_file_and_the_way_out_are_told(tmp_path: Path) -> None:
    example = resources.files("controller").joinpath("examples/table.toml").read_text(encoding="utf-8")
    file = tmp_path / "table.toml"
    file.write_text(f"{example}\n[tournament]\nentry_fee = 50\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="unknown key 'entry_fee'") as told:
        check_config(file)
    assert f"table.toml:{len(example.splitlines()) + 3}: " in told.value.text


@pytest.mark.parametrize("rulebook", [f"melbourne-{game}" for game in CHAPTER])
def test_what_is_for_later_is_of_the_tournament_chapter_and_names_no_code(rulebook: str) -> None:
    for chapter in clauses.later(rulebook):
        held = [clause for clause in clauses.clauses(rulebook) if chapter.holds(clause.clause)]
        assert {clause.role for clause in held} <= {"later", "none"}
        assert not any(clause.code for clause in held)


def test_showing_the_rulebook_tells_what_is_not_kept_yet() -> None:
    told = CliRunner().invoke(main, ["rules", "show", "melbourne-poker"]).output
    assert "Not kept by this version, from 12.2.1 (tournament)" in told
    assert "Chip runners" not in told
