"""What `tablectl hall sim` says to whoever asks for an event that cannot be."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from controller.commands import Misuse
from lab.commands.hall import hall_sim
from tests.controller.tournament.stated import changed, text


def asked(*options: str) -> str:
    found = CliRunner().invoke(hall_sim, [*options], standalone_mode=False)
    assert isinstance(found.exception, Misuse), found.exception
    return str(found.exception)


@pytest.mark.parametrize("how", [(), ("--quick",), ("--live",)])
def test_more_entrants_than_the_tables_seat_are_refused_in_words(how) -> None:
    said = asked("--game", "war", "--tables", "1", "--entrants", "10", *how)
    assert said == (
        "these numbers: tournament.entrants: the first session seats 9, and up to 10 may enter (10.4.3(a)(ii)); "
        "name more tables or fewer entrants"
    )


@pytest.mark.parametrize("entrants", ["5", "28"])
def test_a_number_of_entrants_that_the_terms_do_not_take_is_refused(tmp_path, entrants) -> None:
    (tmp_path / "cup.toml").write_text(text("war"), "utf-8")
    said = asked("--terms", str(tmp_path / "cup.toml"), "--entrants", entrants)
    assert said == f"cup.toml: from 6 to 27 may enter, and --entrants says {entrants}"


def test_terms_that_are_unlawful_are_told_line_by_line(tmp_path) -> None:
    said = changed("war", ("pool = 10000", "pool = 0"), ('id = "cup-2026-11"', 'id = "../../x"'))
    (tmp_path / "cup.toml").write_text(said, "utf-8")
    lines = asked("--terms", str(tmp_path / "cup.toml")).splitlines()
    assert [line.split(": ")[1] for line in lines] == ["tournament.id", "result.prizes.pool"]


@pytest.mark.parametrize("entrants", ["0", "1"])
def test_an_event_of_nobody_or_one_is_none(entrants) -> None:
    found = CliRunner().invoke(hall_sim, ["--entrants", entrants])
    assert found.exit_code == 2
    assert "is not in the range" in found.output


def test_a_folder_that_cannot_be_had_or_holds_an_event_is_refused_and_left_as_it_is(tmp_path) -> None:
    assert "it cannot be had (" in asked("--quick", "--folder", "/proc/nowhere")
    (tmp_path / "hall.journal").write_text("kept", "utf-8")
    assert asked("--quick", "--folder", str(tmp_path)) == (
        f"--folder {tmp_path}: it holds something already; name a new folder"
    )
    assert [one.read_text("utf-8") for one in tmp_path.iterdir()] == ["kept"]


def test_terms_of_ones_own_say_game_and_tables_themselves(tmp_path) -> None:
    (tmp_path / "cup.toml").write_text(text("war"), "utf-8")
    said = asked("--terms", str(tmp_path / "cup.toml"), "--game", "poker")
    assert said == "cup.toml says which game and which tables; leave out --game and --tables"


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (("28T14:00", "28T25:99"), "tournament.starts"),
        (('"draw"', '"25:99"'), "tournament.withdraw.substitute_until"),
    ],
)
def test_a_time_that_is_none_is_refused_with_its_place(tmp_path, change, where) -> None:
    (tmp_path / "cup.toml").write_text(changed("war", change), "utf-8")
    assert f"cup.toml: {where}: " in asked("--quick", "--terms", str(tmp_path / "cup.toml"))
