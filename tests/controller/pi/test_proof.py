"""One round is proved by one small file, which anybody checks with the lines in the documentation."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.journal.cosignature import WitnessKey, kept_beside
from controller.journal.file import JournalFile, JournalTrouble
from controller.journal.head import Head, Note, Signature, TableKey
from controller.journal.heads import put
from controller.pi.proof import proof
from lab.needs import GO, GOPATH
from tests import ROOT
from tests.controller.config.example import EXAMPLE
from tests.floor.tables import played
from tests.needed import needed

KEY, OTHER = TableKey(bytes(32)), TableKey(bytes([1]) * 32)
FLOOR, STRANGER = WitnessKey("tablectl-floor/test", bytes([2]) * 32), WitnessKey("tablectl-floor/test", bytes([3]) * 32)
SIGNED_AT = 1_700_000_000


def head_of(journal: JournalFile, size: int) -> Note:
    """A head that table and floor have signed."""
    return FLOOR.sign(KEY.sign(Head(journal.origin, size, journal.tree_at(size).root())), SIGNED_AT)


def keys(path: Path, table: TableKey = KEY, floor: WitnessKey = FLOOR) -> list[str]:
    """The two keys as they are written down elsewhere."""
    origin = json.loads(path.read_text("utf-8"))["head"].partition("\n")[0]
    return [table.public(origin).text(), floor.public.text()]


def documented(path: Path, *given: str) -> subprocess.CompletedProcess[str]:
    """Run the lines printed in the documentation, with nothing of ours in reach."""
    script = re.search(r"```python\n(.+?)```", (ROOT / "docs" / "floor.md").read_text("utf-8"), re.DOTALL)
    assert script is not None
    command = [sys.executable, "-I", "-S", "-c", script[1], str(path), *(given or keys(path))]
    return subprocess.run(command, capture_output=True, text=True, timeout=20)


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Go's own packages for notes and logs, built into a judge that shares no code with us."""
    go, built = needed(GO, "no foreign judge looked at a proof"), tmp_path_factory.mktemp("judge")
    surroundings = {**os.environ, "GO111MODULE": "off", "GOPATH": GOPATH, "GOCACHE": str(built / "cache")}
    command = [go, "build", "-o", str(built / "judge"), str(Path(__file__).with_name("foreign") / "judge.go")]
    subprocess.run(command, env=surroundings, check=True, timeout=300)
    return str(built / "judge")


def judged(judge: str, path: Path, *given: str) -> subprocess.CompletedProcess[str]:
    command = [judge, *(given or keys(path))]
    return subprocess.run(command, input=path.read_text("utf-8"), capture_output=True, text=True, timeout=20)


@pytest.mark.parametrize("game", ["wheel", "war", "poker"])
def test_go_s_own_packages_find_the_same(tmp_path: Path, judge: str, game: str) -> None:
    journal = JournalFile.read_only(played(game)[0])
    made = proof(journal, 2, head_of(journal, journal.last_seq))
    (tmp_path / "round.json").write_text(json.dumps(made), "utf-8")
    done = judged(judge, tmp_path / "round.json")
    assert done.returncode == 0, done.stderr
    among = f"{len(made['rows'])} rows among {journal.last_seq}"
    assert f"{journal.origin}: {among}, signed by {journal.origin} and at {SIGNED_AT} by" in done.stdout
    journal.close()


CHANGES = ["body", "at", "seq", "head", "unsigned", "one signature", "another table", "another floor", "another time"]


@pytest.mark.parametrize("change", CHANGES)
def test_both_judges_find_whatever_was_changed(tmp_path: Path, judge: str, change: str) -> None:
    journal = JournalFile.read_only(played("wheel")[0])
    path, note = tmp_path / "round.json", head_of(journal, journal.last_seq)
    made = proof(journal, 2, note)
    text = note.text()
    heads = {
        "head": head_of(journal, journal.last_seq - 1).text(),
        "unsigned": text.partition("\n\n")[0] + "\n\n",
        "one signature": Note(note.head, note.signatures[:1]).text(),
        "another table": FLOOR.sign(OTHER.sign(note.head), SIGNED_AT).text(),
        "another floor": STRANGER.sign(KEY.sign(note.head), SIGNED_AT).text(),
        "another time": Note(note.head, (note.signatures[0], _later(note.signatures[1]))).text(),
    }
    made["head"] = heads.get(change, text)
    if change in ("body", "at", "seq"):
        row = made["rows"][3]
        row[change] = row[change] + " " if change == "body" else row[change] + 1
    path.write_text(json.dumps(made), "utf-8")
    assert documented(path).returncode != 0
    assert judged(judge, path).returncode != 0
    path.write_text(json.dumps({**proof(journal, 2, note)}), "utf-8")
    assert documented(path, *keys(path, OTHER)).returncode != 0
    assert judged(judge, path, *keys(path, KEY, STRANGER)).returncode != 0
    journal.close()


def _later(signature: Signature) -> Signature:
    """The same signature as if it had been given a second later."""
    when = int.from_bytes(signature.signature[:8], "big") + 1
    return signature._replace(signature=when.to_bytes(8, "big") + signature.signature[8:])


def test_without_keys_nothing_is_called_proved(tmp_path: Path) -> None:
    journal = JournalFile.read_only(played("wheel")[0])
    path = tmp_path / "round.json"
    path.write_text(json.dumps(proof(journal, 2, head_of(journal, journal.last_seq))), "utf-8")
    done = documented(path, keys(path)[0])
    assert (done.returncode != 0, "give the table's key and the floor's" in done.stderr) == (True, True)
    journal.close()


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
