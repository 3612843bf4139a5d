"""`tablectl sim` on the command line: which game is meant, a port that is taken, and what the terminal tells."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path

import pytest

from tests.standing import tablectl


@pytest.mark.parametrize(("rulebook", "result"), [("star-war", "main"), ("melbourne-wheel", "A")])
def test_the_rulebook_decides_the_game_where_only_it_is_given(rulebook: str, result: str) -> None:
    told = tablectl("sim", "--rulebook", rulebook, "--rounds", "4", "--json")
    assert told.exit_code == 0, told.output
    assert result in json.loads(told.output)["bets"]


def test_a_rulebook_of_another_game_is_refused_with_the_game_it_is_of() -> None:
    told = tablectl("sim", "--game", "poker", "--rulebook", "star-war", "--rounds", "1")
    assert told.exit_code == 2
    assert "star-war is a rulebook of war, not of poker; leave --game out." in told.output


@pytest.mark.parametrize(
    ("game", "choice"), [("poker", "--option=2"), ("war", "--option=2"), ("wheel", "--source=shoe")]
)
def test_a_choice_of_another_game_is_refused(game: str, choice: str) -> None:
    told = tablectl("sim", "--game", game, choice, "--rounds", "1")
    assert told.exit_code == 2
    assert f"{choice.partition('=')[0]} means nothing at " in told.output


def test_a_journal_of_another_rulebook_is_refused_without_a_trace(tmp_path: Path) -> None:
    journal = tmp_path / "shift.sqlite"
    tablectl("sim", "--rulebook", "star-war", "--rounds", "1", "--journal", journal)
    told = tablectl("sim", "--rulebook", "melbourne-war", "--rounds", "1", "--journal", journal)
    assert told.exit_code == 2
    assert told.output.splitlines()[1:] == [
        "tablectl: this journal is of a table under star-war; give the table under melbourne-war a journal of its own"
    ]


def test_a_journal_that_is_gone_on_with_is_told_that_its_world_begins_anew(tmp_path: Path) -> None:
    journal = tmp_path / "shift.sqlite"
    for told_before in (False, True):
        told = tablectl("sim", "--rounds", "1", "--journal", journal)
        assert told.exit_code == 0, told.output
        assert (f"{journal} is gone on with." in told.output) is told_before


def test_a_port_that_is_taken_is_told_with_the_option_for_another() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        told = tablectl("sim", "--no-browser", "--port", str(port))
    assert told.exit_code == 1
    assert f"--port {port + 1}" in told.output


def test_a_watched_shift_tells_each_event_in_a_line_and_the_details_in_its_log(tmp_path: Path) -> None:
    journal = tmp_path / "shift.sqlite"
    told = tablectl("sim", "--no-browser", "--port", "0", "--speed", "20", "--rounds", "1", "--journal", journal)
    assert told.exit_code == 0, told.output
    lines = told.output.splitlines()
    assert sum("/bench" in line for line in lines) == 1
    events = [line for line in lines if re.match(r"\d\d:\d\d:\d\d  (spin|round) 1 ", line)]
    words = [line.split(maxsplit=3)[3] for line in events]
    assert "Place your bets." in words
    assert any(word.startswith("Settled, ") for word in words)
    assert len(words) == len(set(words)), "nothing is told twice"
    assert not any("ALARM" in word or "No device has identified itself" in word for word in words)
    assert max(map(len, events)) < 160
    log = journal.with_suffix(".log").read_text(encoding="utf-8")
    assert "event_number" in log
    assert "event_number" not in told.output
