"""The game of docs/adding-a-game.md, taken out of the document and played: by itself, as scenarios, on the page."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lab.needs import CHROMIUM, PLAYWRIGHT
from tests.needed import needed
from tests.whole.new_game.document import files, lay

GAME = "controller/games/highcard/"
PLACES = (GAME, "simulators/people/highcard.py", "lab/scenarios/highcard/", "tests/controller/games/highcard/")
ALWAYS_THERE = (
    *("__init__.py", "rules.py", "config.py", "state.py", "round.py", "seen.py", "settle.py", "keys.py"),
    *("questions.py", "view.py", "page.js", "rulebooks/house-highcard.toml", "clauses/house-highcard.csv"),
)
CASES = "lab/scenarios/highcard/cases.json"
TABLECTL = ("-c", "from controller.commands import main; main()")
SOAK = """
import json, pathlib, sys
from controller import log
from lab.proofs.soak import Day

log.setup(level="error")
day = Day("highcard", pathlib.Path(sys.argv[1]), 1).play(1.0)
print(json.dumps({"problems": day.problems, "rounds": day.rounds, "killed": day.killed}))
"""
"""An hour with faults, restarts and kills, without the verdict on growth, which wants a quiet machine and a day."""
LONGEST_S = 300


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with the game in it."""
    folder = tmp_path_factory.mktemp("tree")
    lay(folder)
    return folder


def run(tree: Path, *words: object, status: int = 0) -> str:
    """Run Python in this tree, with nothing of ours but what lies there; what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, *map(str, words)], cwd=tree, env=environment, capture_output=True, text=True, timeout=LONGEST_S
    )
    assert done.returncode == status, f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout + done.stderr


def objects(printed: str) -> list[dict[str, Any]]:
    """The JSON objects among what was printed, one a line."""
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


def test_the_document_has_every_file_of_a_game_and_touches_nothing_else() -> None:
    shown = files()
    assert {f"{GAME}{name}" for name in ALWAYS_THERE} <= shown.keys()
    assert [path for path in shown if not path.startswith(PLACES)] == []


def test_what_runs_is_the_tree_with_the_game_in_it(tree: Path) -> None:
    assert run(tree, "-c", "import controller.games; print(controller.games.__file__)").startswith(str(tree))


def test_people_play_it_by_themselves_and_its_journal_holds(tree: Path, tmp_path: Path) -> None:
    journal = tmp_path / "table.db"
    told = run(tree, *TABLECTL, "sim", "--game", "highcard", "--rounds", 200, "--json", "--journal", journal)
    (shift,) = objects(told)
    assert shift["rounds"] == sum(shift["results"].values()) == 200
    assert set(shift["results"]) == {"win", "lose", "standoff"}
    assert shift["refusals"] == shift["rulings"] == {}
    assert shift["staked"] > abs(shift["hold"])
    run(tree, *TABLECTL, "journal", "verify", journal)
    run(tree, *TABLECTL, "journal", "replay", journal)
    assert "main" in run(tree, *TABLECTL, "report", journal)


def test_its_cases_end_as_they_say_and_a_wrong_one_does_not(tree: Path, tmp_path: Path) -> None:
    played = objects(run(tree, *TABLECTL, "scenario", CASES))
    assert [(case["id"], case["ok"]) for case in played] == [("win-lose-tie", True), ("unread-and-void", True)]
    (first, second), wrong = json.loads((tree / CASES).read_text()), tmp_path / "wrong.json"
    first["expected"]["wagers"][0]["pays"] = 30
    wrong.write_text(json.dumps(first))
    assert "pays is 25, expected 30" in run(tree, *TABLECTL, "scenario", wrong, status=1)
    second["steps"][1]["do"] = "laod"
    wrong.write_text(json.dumps(second))
    assert "load" in run(tree, *TABLECTL, "scenario", wrong, status=2)


def test_its_own_tests_prove_every_clause(tree: Path, tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    run(tree, "-m", "pytest", "-q", "tests/controller/games/highcard", "--clause-record", record)
    told = run(tree, *TABLECTL, "rules", "trace", "house-highcard", "--brief", "--tests", record, status=1)
    assert "20 clauses, 19 to keep, 19 with code, 19 with a passing test, 19 with both" in told
    wrong = [line for line in told.splitlines() if line.startswith("wrong: ")]
    of_a_table = ("by declared stakes only", "no test answers this question through the page")
    assert all(line.endswith(of_a_table) for line in wrong), "its scenario and its page show these"


def test_it_is_written_as_the_rest_of_the_house(tree: Path) -> None:
    own = [tree / path for path in files() if path.endswith(".py")]
    run(tree, "-m", "ruff", "check", *own)
    run(tree, "-m", "ruff", "format", "--check", *own)
    run(tree, "-m", "mypy", "-p", "controller.games.highcard", "-p", "lab.scenarios.highcard")
    run(tree, "-m", "pytest", "-q", "tests/architecture/test_architecture.py", "-p", "no:cacheprovider")


def test_the_proofs_find_it_by_themselves(tree: Path, tmp_path: Path) -> None:
    run(tree, *TABLECTL, "fuzz", "table-highcard", "--inputs", 40)
    (found,) = objects(run(tree, "-c", SOAK, tmp_path / "table.sqlite"))
    assert found["problems"] == []
    assert found["rounds"] > 200
    assert found["killed"] > 0


def test_the_dealer_plays_it_on_the_page(tree: Path, tmp_path: Path) -> None:
    so = "THE PAGE OF THE NEW GAME WAS NOT TRIED"
    needed(PLAYWRIGHT, so)
    run(tree, "-m", "tests.whole.new_game.page", tmp_path, needed(CHROMIUM, so))
