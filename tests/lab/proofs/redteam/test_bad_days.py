"""Days on a bad machine in short: nothing is lost and no page lies; and a page that did would be found."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.web.board import Board
from lab.proofs.redteam import bad_days
from lab.proofs.redteam.bad_days import BadDay

HOURS = 0.3
OFTEN_S = 60.0


def day(table: str, folder: Path, seed: int, *ways: str) -> BadDay:
    made = BadDay(table, folder / "table.sqlite", seed)
    made._trouble_s = OFTEN_S
    if ways:
        made.ways = tuple(getattr(made, way) for way in ways)
    return made


@pytest.mark.parametrize("table", ["wheel", "perth-war", "poker"])
def test_a_slow_or_full_disk_a_clock_that_jumps_and_no_descriptors_lose_nothing_and_show_no_lie(
    table: str, tmp_path: Path
) -> None:
    bad = day(table, tmp_path, 1)
    told = bad.play(HOURS)
    assert told.problems == []
    assert told.rounds > 0
    assert len(bad.struck) >= 2
    assert bad.looked > 50


def test_a_page_says_what_is_played_when_no_file_can_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bad_days, "BAD", 1.0)
    bad = day("wheel", tmp_path, 2, "_exhaust")
    told = bad.play(HOURS)
    assert bad.struck["descriptors exhausted"] >= 3
    assert told.problems == []


def test_a_page_that_shows_memory_before_the_disk_has_it_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bad_days, "BAD", 1.0)
    monkeypatch.setattr(Board, "_behind", lambda self: False)
    told = day("wheel", tmp_path, 1, "_slow").play(HOURS)
    assert any("a page under event" in problem for problem in told.problems)


def test_people_wait_for_a_page_that_does_not_show_yet_what_they_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who burns a card each time an old page asks for one runs out of cards."""
    monkeypatch.setattr(bad_days, "BAD", 1.0)
    bad = day("poker", tmp_path, 3, "_fill")
    bad._trouble_s = 30.0
    told = bad.play(HOURS / 2)
    assert told.problems == []
    assert told.rounds > 0
