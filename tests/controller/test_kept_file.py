"""What a technician writes as root stays the table's own; which table is meant is found by itself."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from controller import kept_file
from controller.commands import options
from controller.config.file import check_config
from controller.journal.file import JournalFile, JournalTrouble
from controller.web.access import PairingFile
from tests.standing import TABLECTL, Configured, tablectl

TABLE_USER = 4711
NEEDS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can write for another user")


def owner(path: Path) -> tuple[int, int, int]:
    facts = path.stat()
    return facts.st_uid, facts.st_gid, stat.S_IMODE(facts.st_mode)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    if os.geteuid() == 0:
        os.chown(folder, TABLE_USER, TABLE_USER)
    return folder


@NEEDS_ROOT
def test_a_screen_paired_by_root_is_still_known_to_the_table(configured: Configured, data: Path) -> None:
    config = configured()
    for _ in range(2):
        assert tablectl("screens", "pair", "dealer", "--config", config).exit_code == 0
        (kept,) = [path for path in data.iterdir() if "Screen" in path.read_text() or "screens" in path.read_text()]
        assert owner(kept) == (TABLE_USER, TABLE_USER, 0o600)
    assert len(PairingFile(kept).read().screens) == 2


@NEEDS_ROOT
def test_staff_added_by_root_is_still_the_tables(configured: Configured, data: Path) -> None:
    config = configured()
    for name in ("A", "B"):
        done = tablectl("staff", "--config", config, "add", name, "--name", name, "--rank", "melbourne-wheel=AM")
        assert done.exit_code == 0, done.output
    assert owner(check_config(config).staff_file()) == (TABLE_USER, TABLE_USER, 0o600)


@NEEDS_ROOT
def test_rights_that_somebody_gave_a_file_are_kept(data: Path) -> None:
    kept = data / "profile"
    kept.write_text("old")
    kept.chmod(0o644)
    os.chown(kept, TABLE_USER + 1, TABLE_USER + 2)
    kept_file.replace(kept, b"new")
    assert owner(kept) == (TABLE_USER + 1, TABLE_USER + 2, 0o644)
    assert kept.read_text() == "new"


@NEEDS_ROOT
def test_a_journal_begun_by_root_is_the_tables(data: Path) -> None:
    journal = JournalFile.open(data / "table.db", "T1")
    found = {path.name: path.stat().st_uid for path in data.iterdir()}
    journal.close()
    assert found == dict.fromkeys(found, TABLE_USER)
    assert {"table.db", "table.db.lock"} <= set(found)


def test_somebody_else_is_told_to_use_sudo_and_nothing_changes(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = data / "pairings"
    kept.write_text("old")
    monkeypatch.setattr(os, "geteuid", lambda: kept.stat().st_uid + 5)
    with pytest.raises(PermissionError, match="run this with sudo"):
        kept_file.replace(kept, b"new")
    assert kept.read_text() == "old"


@NEEDS_ROOT
def test_a_configuration_one_may_not_read_is_told_with_its_remedy(configured: Configured, tmp_path: Path) -> None:
    config = configured()
    config.chmod(0o600)
    child = os.fork()
    if child == 0:
        os.setuid(TABLE_USER)
        done = tablectl("check", "--config", config)
        os._exit(0 if done.exit_code == 2 and "run this with sudo" in done.output else 3)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_on_a_pi_the_table_is_found_by_itself(
    configured: Configured, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = configured()
    monkeypatch.setattr(options, "INSTALLED", config)
    assert tablectl("check").exit_code == 0
    done = tablectl("screens", "pair", "pit")
    assert done.exit_code == 0, done.output
    JournalFile.open(data / "table.db", "T1").close()
    verified = tablectl("journal", "verify")
    assert verified.exit_code == 0, verified.output
    assert tablectl("staff", "list").exit_code == 0


def test_the_environment_may_name_the_table(configured: Configured) -> None:
    config = configured()
    said = subprocess.run(
        [*TABLECTL, "check"], env={**os.environ, "TABLECTL_CONFIG": str(config)}, capture_output=True, timeout=30
    )
    assert said.returncode == 0, said.stderr


def test_without_a_table_the_command_asks_for_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(options, "INSTALLED", tmp_path / "nowhere.toml")
    monkeypatch.delenv("TABLECTL_CONFIG", raising=False)
    assert "--config" in tablectl("check").output
    assert "Which journal?" in tablectl("journal", "verify").output


@pytest.mark.parametrize("end", ["", "-wal", "-shm", ".lock", ".anew"])
@pytest.mark.parametrize("lay", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_what_is_no_file_in_place_of_a_journals_is_told_before_anything_is_read_or_played(
    tmp_path: Path, end: str, lay: Callable[[str], None]
) -> None:
    journal = tmp_path / "table.db"
    if end:
        JournalFile.open(journal, "T1").close()
        Path(f"{journal}{end}").unlink(missing_ok=True)
    lay(f"{journal}{end}")
    with pytest.raises(
        JournalTrouble, match=re.escape(f"{journal}{end} is no file but a folder, pipe or device; remove")
    ):
        JournalFile.open(journal, "T1")


def test_a_pipe_in_place_of_a_kept_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "staff.json")
    with pytest.raises(OSError, match="is no file"):
        kept_file.replace(tmp_path / "staff.json", b"{}")
