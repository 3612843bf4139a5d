"""Tournament play is on the road: a table asked to open for one says so, with the chapter, and stays closed."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.config.file import check_config, require_right
from controller.config.tomlread import ConfigError
from controller.rules import clauses
from lab.sim.config import default_config

CHAPTER = {"wheel": "8.1", "war": "10.1", "poker": "12.1"}


@pytest.mark.parametrize("game", ["wheel", "war", "poker"])
@pytest.mark.parametrize("key", ["table", "section"])
def test_a_table_cannot_be_opened_for_a_tournament_and_says_which_chapter_that_is(game: Any, key: str) -> None:
    config = default_config(game)
    assert config.tournament is None
    if key == "table":
        asked = msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, tournament=True))
    else:
        asked = msgspec.structs.replace(config, tournament={"entry_fee": 50})
    chapter = CHAPTER[game].replace(".", r"\.")
    with pytest.raises(ConfigError, match=rf"tournament play is not offered by this version \({chapter}\)"):
        require_right(asked, "table.toml")


def test_casino_war_refuses_its_own_key_too() -> None:
    config = default_config("war")
    asked = msgspec.structs.replace(config, play=msgspec.structs.replace(config.play, tournament=True))
    with pytest.raises(ConfigError, match=r"not offered by this version \(10\.1\)"):
        require_right(asked, "table.toml")


def test_a_house_whose_document_has_no_such_chapter_says_that_instead() -> None:
    config = default_config("war", rulebook="star-war")
    asked = msgspec.structs.replace(config, tournament={})
    with pytest.raises(ConfigError, match=r"this rulebook has no tournament play \(13\.13\)"):
        require_right(asked, "table.toml")


def test_the_line_of_the_file_and_the_way_out_are_told(tmp_path: Path) -> None:
    example = resources.files("controller").joinpath("examples/table.toml").read_text(encoding="utf-8")
    file = tmp_path / "table.toml"
    file.write_text(f"{example}\n[tournament]\nentry_fee = 50\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="leave it out; the table then plays for cash") as told:
        check_config(file)
    assert f"table.toml:{len(example.splitlines()) + 2}: " in told.value.text


@pytest.mark.parametrize("rulebook", [f"melbourne-{game}" for game in CHAPTER])
def test_no_clause_of_the_tournament_chapter_counts_as_kept(rulebook: str) -> None:
    chapter = next(one for one in clauses.later(rulebook) if one.about == "tournament")
    held = [clause for clause in clauses.clauses(rulebook) if chapter.holds(clause.clause)]
    assert len(held) > 40
    assert {clause.role for clause in held} == {"later", "none"}
    assert not any(clause.code for clause in held)


def test_showing_the_rulebook_tells_what_is_not_kept_yet() -> None:
    told = CliRunner().invoke(main, ["rules", "show", "melbourne-poker"]).output
    assert "Not kept by this version, from 12.1 (tournament): Tournament play is not offered" in told
    assert "from 1.1 'Chip Runner' (chip runner): Chip runners have no card" in told
