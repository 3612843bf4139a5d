"""How a test proves is what it used: declared stakes, chips and devices, or the page."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.build import build_table
from controller.core.events import Chip, ChipsMoved, Command
from controller.games.war.events import StakeLaid
from controller.people import Person
from controller.rules import clauses
from drivers.events import DeviceUp
from drivers.shoe import ShoeEmpty
from lab import clause_trace
from lab.clause_trace import Matrix, Proof, Row
from lab.proof_kinds import Kind, Recorder, recording, stand_in_harnesses, used
from lab.sim.config import default_config
from tests import ROOT

STAKE = StakeLaid("main 1 Ann", "Ann", 1, "main", 1_000)
UP = DeviceUp("shoe", "shoe", "shoe-1", "1.0.0", False)
CHIPS = ChipsMoved("chips", 1, (Chip(1_001, "cash", 1_000),))


@pytest.fixture(autouse=True)
def _in_place() -> None:
    stand_in_harnesses()


def told(*events: Any) -> Recorder:
    table = build_table(default_config("war", rulebook="star-war"))
    with recording() as recorder:
        for seq, event in enumerate(events, 1):
            table.apply(seq, seq, event)
    return recorder


def test_a_test_that_tells_a_table_nothing_proves_by_declaration() -> None:
    assert told().kind == "declared"
    assert told(Command("open", Person("S1", 1))).kind == "declared"


def test_chips_on_the_mat_and_events_of_devices_are_chips_and_devices() -> None:
    assert told(CHIPS).kind == "chips"
    assert told(UP, ShoeEmpty("shoe")).kind == "chips"


def test_a_device_that_only_says_that_it_is_there_proves_nothing() -> None:
    assert told(UP).kind == "declared"


def test_whoever_declares_a_stake_proves_nothing_of_the_chips() -> None:
    assert told(STAKE).kind == "declared"
    assert told(CHIPS, STAKE).kind == "declared"


def test_a_finger_on_the_page_proves_most() -> None:
    browser = pytest.importorskip("lab.pictures.browser", reason="no Playwright on this machine")

    class Found:
        first = property(lambda self: self)

        def and_(self, other: object) -> Found:
            return self

        async def tap(self, timeout: float) -> None:
            pass

    page = object.__new__(browser.Page)
    page._tab = SimpleNamespace(locator=lambda selector: Found())
    with recording() as recorder:
        asyncio.run(page.touch("#open"))
    assert recorder.kind == "page"


def test_the_questions_that_are_answered_are_known_by_game_and_subject() -> None:
    table = build_table(default_config("war", rulebook="star-war"))
    table.desk.begin(1, 1)
    table.desk.ask("cut", "Who cuts?", {}, "", (), ())
    with recording() as recorder:
        table.apply(1, 1, Command("answer", Person("S1", 1), {"prompt": "p1", "answer": "cut"}))
        table.apply(2, 2, Command("answer", Person("S1", 1), {"prompt": "p9", "answer": "cut"}))
    assert recorder.answered == {"war/cut"}


def test_nothing_is_recorded_once_a_test_is_over() -> None:
    with recording() as recorder:
        pass
    used("page")
    assert recorder.used == set()


PLAYED = """
import pytest
from tests.lab.test_proof_kinds import CHIPS, STAKE, told

@pytest.mark.clause("star-war", "5.4")
def test_by_chips():
    told(CHIPS)

@pytest.mark.clause("star-war", "5.4", "5.5")
def test_by_word():
    told(STAKE)
"""


@pytest.mark.parametrize("side_by_side", [[], ["-n", "1"]])
def test_a_run_keeps_the_kind_of_each_proof_and_the_trace_names_what_no_chips_have_shown(
    tmp_path: Path, side_by_side: list[str]
) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import *\n", encoding="utf-8")
    (tmp_path / "test_kinds.py").write_text(PLAYED, encoding="utf-8")
    record = tmp_path / "record.json"
    run = [sys.executable, "-m", "pytest", "-q", f"--clause-record={record}", "--rootdir", str(tmp_path), str(tmp_path)]
    subprocess.run([*run, *side_by_side], check=True, capture_output=True, timeout=60, env={"PYTHONPATH": str(ROOT)})
    assert {proof.test.partition("::")[2]: proof.kind for proof in clause_trace.read_record(record)} == {
        "test_by_chips": "chips",
        "test_by_word": "declared",
    }
    text, _ = clause_trace.trace("star-war", record=record)
    assert "(1 declared stakes, 1 chips and devices)" in text
    assert "wrong: star-war 5.5: by declared stakes only" in text
    assert "wrong: star-war 5.4: by declared" not in text


def test_a_question_counts_only_where_a_passing_test_answered_it_through_the_page() -> None:
    proofs = [
        Proof("a.py::one", "", (), "passed", kind="page", answered=("war/cut",)),
        Proof("a.py::two", "", (), "failed", kind="page", answered=("war/late",)),
    ]
    assert clause_trace.unanswered(proofs, ["war/cut", "war/late"]) == ["war/late"]
    assert clause_trace.wrong_proofs(proofs, ("star-war",)) == []


@pytest.mark.parametrize("there", [True, False])
def test_a_question_that_nobody_answered_through_the_page_fails_the_trace_where_there_is_a_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if there else None)
    record = tmp_path / "record.json"
    clause_trace.merge_record(record, [Proof("a.py::one", "star-war", ("5.4",), "passed", kind="chips")], tmp_path)
    text, fine = clause_trace.trace("star-war", record=record, strict=True, brief=True)
    assert not fine  # its other clauses were shown by nothing
    assert ("wrong: war/cut: no test answers this question through the page" in text) is there


def proved(clause: str, *kinds: Kind) -> Row:
    index = {one.clause: one for one in clauses.clauses("melbourne-poker")}
    return Row(index[clause], tuple(f"a.py::{kind}" for kind in kinds), (), kinds)


def test_a_clause_of_the_felt_that_no_chips_have_shown_is_wrong_and_one_that_no_chip_can_show_is_listed() -> None:
    rows = (
        proved("9.7", "declared"),
        proved("8.5.2", "declared"),
        proved("12.4.1(c)", "declared"),
        proved("9.5", "chips"),
    )
    one = Matrix("melbourne-poker", rows)
    assert one.declared_only == ["melbourne-poker 9.7: by declared stakes only"]
    assert one.elsewhere == [
        "melbourne-poker 8.5.2: every game of this book is dealt with a dealer button",
        f"melbourne-poker 12.4.1(c): {clause_trace.AWAY_FROM_THE_FELT['hall']}",
    ]
    assert one.shown_after_all == []
    (told,) = Matrix("melbourne-poker", (proved("8.5.2", "declared", "chips"),)).shown_after_all
    assert told.startswith("melbourne-poker 8.5.2: chips have shown it")
