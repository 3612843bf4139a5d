"""`tablectl journal` and what follows from a journal: shown, verified, replayed, exported, tampered with."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from controller.journal.packed import unpack
from tests.standing import tablectl


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shift") / "table.sqlite"
    result = tablectl("sim", "--rounds", "4", "--seed", "7", "--journal", path)
    assert result.exit_code == 0, result.output
    return path


def test_a_journal_is_shown_verified_replayed_and_exported(journal: Path, tmp_path: Path) -> None:
    shown = tablectl("journal", "show", journal, "--json")
    assert json.loads(shown.output.splitlines()[0])["event"]["type"] == "Started"
    assert json.loads(tablectl("journal", "verify", journal, "--json").output)["ok"] is True
    assert json.loads(tablectl("journal", "replay", journal, "--json").output)["ok"] is True
    csv = tmp_path / "out.csv"
    assert tablectl("journal", "export", journal, "--format", "csv", "--output", csv).exit_code == 0
    assert csv.read_text().splitlines()[0].startswith("event,time,round,outcome,wager")
    lines = tablectl("journal", "export", journal).output.splitlines()
    assert {"seq", "hash", "event"} <= json.loads(lines[-1]).keys()


@pytest.fixture
def altered(journal: Path, tmp_path: Path) -> Path:
    """A copy in which who lost has won."""
    copy = tmp_path / "copy.sqlite"
    with sqlite3.connect(journal) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    with sqlite3.connect(copy) as connection:
        connection.create_function("text", 1, lambda body: unpack(body).decode())
        sql = "UPDATE entries SET body = CAST(replace(text(body), 'win', 'lse') AS BLOB)"
        connection.execute(sql + " WHERE text(body) LIKE '%win%'")
    return copy


def test_a_tampered_journal_is_found(altered: Path) -> None:
    result = tablectl("journal", "verify", altered)
    assert result.exit_code == 1
    assert "altered" in result.output


@pytest.mark.parametrize("look", ["rounds", "rounds --round 2", "rounds --json", "show", "rulebook"])
def test_what_is_shown_of_a_tampered_journal_says_so_and_where(journal: Path, altered: Path, look: str) -> None:
    assert tablectl("journal", *look.split(), journal).exit_code == 0
    result = tablectl("journal", *look.split(), altered)
    assert result.exit_code == 2
    assert result.stdout
    where = tablectl("journal", "verify", altered).stderr.removeprefix("Error: ").strip()
    assert f"NOT WHOLE, rest on nothing of this: {where}" in result.stderr
    assert where in result.stderr.splitlines()[-1]


def test_kept_spins_are_decided_again_with_the_same_result(journal: Path) -> None:
    result = tablectl("wheel", "spins", journal, "--json")
    assert result.exit_code == 0
    assert all(json.loads(line)["same_again"] for line in result.output.splitlines())
    speeds = tablectl("wheel", "spins", journal, "--speeds").output.splitlines()
    assert len(speeds) > 150
