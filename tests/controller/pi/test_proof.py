"""One round is proved by one small file, which anybody checks with the lines in the documentation."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.journal.cosignature import kept_beside
from controller.journal.file import JournalFile, JournalTrouble
from controller.journal.head import Head, Note, TableKey
from controller.journal.heads import put
from controller.pi.proof import proof
from tests import ROOT
from tests.controller.config.example import EXAMPLE
from tests.floor.tables import played

KEY = TableKey(bytes(32))


def head_of(journal: JournalFile, size: int) -> Note:
    return KEY.sign(Head(journal.origin, size, journal.tree_at(size).root()))


def documented(path: Path) -> subprocess.CompletedProcess[str]:
    """Run the lines printed in the documentation, with nothing of ours in reach."""
    script = re.search(r"```python\n(.+?)```", (ROOT / "docs" / "floor.md").read_text("utf-8"), re.DOTALL)
    assert script is not None
    command = [sys.executable, "-I", "-S", "-c", script[1], str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=20)


@pytest.mark.parametrize("game", ["wheel", "war", "poker"])
def test_a_round_is_proved_by_the_lines_of_the_documentation(tmp_path: Path, game: str) -> None:
    journal = JournalFile.read_only(played(game)[0])
    made = proof(journal, 2, head_of(journal, journal.last_seq))
    (tmp_path / "round.json").write_text(json.dumps(made), "utf-8")
    checked = documented(tmp_path / "round.json")
    assert checked.returncode == 0, checked.stderr
    assert f"round 2, {len(made['rows'])} events as they were signed" in checked.stdout
    assert made["rows"]
    assert made["clauses"]
    journal.close()


def test_under_heads_of_any_size_every_row_is_tied_to_the_root(tmp_path: Path) -> None:
    journal = JournalFile.read_only(played("wheel")[0])
    last = proof(journal, 1, head_of(journal, journal.last_seq))["rows"][-1]["seq"]
    for size in range(last, last + 40):
        (tmp_path / "round.json").write_text(json.dumps(proof(journal, 1, head_of(journal, size))), "utf-8")
        checked = documented(tmp_path / "round.json")
        assert checked.returncode == 0, f"{size}: {checked.stderr}"
    journal.close()


@pytest.mark.parametrize("change", ["body", "at", "seq", "head"])
def test_a_proof_that_was_changed_is_found(tmp_path: Path, change: str) -> None:
    journal = JournalFile.read_only(played("wheel")[0])
    made = proof(journal, 2, head_of(journal, journal.last_seq))
    row = made["rows"][3]
    if change == "head":
        made["head"] = head_of(journal, journal.last_seq - 1).text()
    else:
        row[change] = row[change] + " " if change == "body" else row[change] + 1
    (tmp_path / "round.json").write_text(json.dumps(made), "utf-8")
    assert documented(tmp_path / "round.json").returncode != 0
    journal.close()


def test_a_round_that_is_not_there_and_a_head_of_another_journal_are_told() -> None:
    journal = JournalFile.read_only(played("wheel")[0])
    with pytest.raises(JournalTrouble, match="round 99 is not among"):
        proof(journal, 99, head_of(journal, journal.last_seq))
    with pytest.raises(JournalTrouble, match="the head is of tablectl/other/00"):
        proof(journal, 1, KEY.sign(Head("tablectl/other/00", 5, bytes(32))))
    journal.close()


def test_the_command_takes_the_head_that_the_floor_countersigned(tmp_path: Path) -> None:
    shutil.copy(played("wheel")[0], tmp_path / "table.db")
    example = re.sub(r'^journal = ".*"', 'journal = "table.db"', EXAMPLE, flags=re.MULTILINE)
    (tmp_path / "table.toml").write_text(example, "utf-8")
    words = ["evidence", "prove", "2", "--config", str(tmp_path / "table.toml"), "--to", str(tmp_path / "round.json")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert "give one with --head" in result.output
    journal = JournalFile.read_only(tmp_path / "table.db")
    put(head_of(journal, journal.last_seq), kept_beside(journal.path))
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert "round 2" in documented(tmp_path / "round.json").stdout
    journal.close()
