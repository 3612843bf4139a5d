"""A disk that is full, read-only or damaged, a clock that was set back: play stops with a remedy, or goes on right."""

from __future__ import annotations

import errno
import itertools
import json
import os
import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from pytest_mock import MockerFixture

from controller.commands import main
from controller.core import guarded
from controller.core.events import JournalChecked
from controller.core.guarded import GuardedTable
from controller.core.runtime import Runtime, Told, recover
from controller.journal.chain_check import ChainCheck
from controller.journal.committer import InlineCommitter
from controller.journal.file import Entry, JournalFile, JournalTrouble
from lab.proofs.redteam.deaths import DeadlyCommitter, Run, uninterrupted
from lab.proofs.redteam.power import run_with_shim
from lab.proofs.stage import Host

SEED = 3
ROUNDS = 2
HOUR_MS = 3_600_000


class BrokenDisk(InlineCommitter):
    """Commits until the n-th write, and from then on the disk refuses."""

    def __init__(self, runtime: Runtime, write: int, error: Exception) -> None:
        super().__init__(runtime.journal, runtime.clock, runtime.journal_failed)
        append = runtime.journal.append
        left = write

        def refuse(entries: list[Entry]) -> None:
            nonlocal left
            left -= 1
            if left <= 0:
                raise error
            append(entries)

        runtime.journal.append = refuse  # type: ignore[method-assign, assignment]


@pytest.mark.parametrize(
    "error",
    [
        sqlite3.OperationalError("database or disk is full"),
        sqlite3.OperationalError("attempt to write a readonly database"),
        sqlite3.OperationalError("disk I/O error"),
        OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
    ],
    ids=["full", "read-only", "failing", "no space"],
)
@pytest.mark.parametrize("write", [1, 2, 9, 17, 25, 33, 41])
def test_a_disk_that_refuses_stops_play_and_a_mended_one_goes_on(tmp_path: Path, write: int, error: Exception) -> None:
    path = tmp_path / "table.sqlite"
    run = Run("wheel", path, SEED, ROUNDS)
    told: list[int] = []
    host = Host(run.world, path, committer=lambda runtime: BrokenDisk(runtime, write, error))
    host.runtime.watchers.append(lambda one: told.append(one.seq))
    host.start()
    run.clock.run_until(lambda: bool(host.runtime.broken), 600.0)
    assert str(path) in host.runtime.broken
    assert "Free space or replace the card, then restart" in host.runtime.broken
    kept = host.runtime.journal.last_seq
    run.clock.run_for(60.0)
    assert host.runtime.journal.last_seq == kept
    assert max(told, default=0) <= kept
    run._nothing_forgotten_too_early()
    host.stop()
    assert run.live()
    outcome = run.finish()
    assert outcome.problems == []
    assert outcome.settlements == uninterrupted("wheel", tmp_path / "whole.sqlite", SEED, ROUNDS).settlements


@pytest.mark.parametrize("space", [1_000, 6_000, 15_000, 30_000, 45_001])
def test_a_disk_that_is_really_full_leaves_nothing_half_written(shim: Path, tmp_path: Path, space: int) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    done = run_with_shim(shim, "full_disk_writer", folder, tmp_path / "account", str(ROUNDS), space=space)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout.splitlines()[-1])
    assert "full" in report["broken"] or "No space left" in report["broken"]
    assert report["told"] <= report["kept"]
    assert report["problems"] == []
    assert report["settled"] == [
        one.outcome for one in uninterrupted("wheel", tmp_path / "whole.sqlite", SEED, ROUNDS).settlements
    ]


def test_play_stops_before_the_disk_is_full_and_resumes_when_there_is_room(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    class Usage(NamedTuple):
        free: int

    usage = mocker.patch("controller.core.runtime.shutil.disk_usage", return_value=Usage(10_000_000_000))
    run = Run("wheel", tmp_path / "table.sqlite", SEED, ROUNDS)
    host = Host(run.world, run.path)
    host.start()
    state = host.runtime.table.state
    run.clock.run_until(lambda: run.crew.rounds == 1, 600.0)
    usage.return_value = Usage(5_000_000)
    run.clock.run_until(lambda: state.life == "suspended", 60.0)
    assert "Only 5 MB are left" in state.faults["disk"].text
    assert "gaming days" in state.faults["disk"].remedy
    usage.return_value = Usage(10_000_000_000)
    run.clock.run_until(lambda: run.crew.rounds == ROUNDS, 600.0)
    assert "disk" not in state.faults
    host.stop()


def test_a_read_only_disk_is_told_before_anything_starts(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch("builtins.open", side_effect=OSError(errno.EROFS, os.strerror(errno.EROFS)))
    with pytest.raises(JournalTrouble, match=r"cannot be written \(Read-only file system\); check the directory"):
        JournalFile.open(tmp_path / "table.sqlite", "T1")


def test_a_disk_without_write_ahead_log_is_refused(tmp_path: Path, mocker: MockerFixture) -> None:
    class OldFileSystem(sqlite3.Connection):
        def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
            return super().execute("PRAGMA journal_mode=DELETE" if "WAL" in sql else sql, *args)

    connect = sqlite3.connect
    mocker.patch("controller.journal.file.sqlite3.connect", lambda *a, **k: connect(*a, **k, factory=OldFileSystem))
    with pytest.raises(JournalTrouble, match="cannot keep a write-ahead log"):
        JournalFile.open(tmp_path / "table.sqlite", "T1")


# -- damage --------------------------------------------------------------------------------------------------------


class Whole(NamedTuple):
    """A journal of a few rounds with snapshots in it, and what it says."""

    path: Path
    run: Run
    rows: list[Any]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    before, guarded.SNAPSHOT_EVERY = guarded.SNAPSHOT_EVERY, 20
    try:
        run = Run("wheel", tmp_path_factory.mktemp("whole") / "table.sqlite", SEED, 4)
        assert run.live()
    finally:
        guarded.SNAPSHOT_EVERY = before
    journal = JournalFile.read_only(run.path)
    yield Whole(run.path, run, list(journal.rows()))
    journal.close()


def zeroed(page: bytes, draw: random.Random) -> bytes:
    return bytes(len(page))


def scrambled(page: bytes, draw: random.Random) -> bytes:
    return draw.randbytes(len(page))


def one_bit_wrong(page: bytes, draw: random.Random) -> bytes:
    spoilt = bytearray(page)
    spoilt[draw.randrange(len(page))] ^= 1 << draw.randrange(8)
    return bytes(spoilt)


@pytest.mark.parametrize("damage", [zeroed, scrambled, one_bit_wrong])
def test_a_damaged_page_is_told_or_harmless_and_never_believed(
    whole: Whole, tmp_path: Path, damage: Callable[[bytes, random.Random], bytes]
) -> None:
    octets = whole.path.read_bytes()
    size = 4096
    draw = random.Random(5)
    told: list[str] = []
    for page in range(len(octets) // size):
        path = tmp_path / f"{page}.sqlite"
        spoilt = damage(octets[page * size : (page + 1) * size], draw)
        path.write_bytes(octets[: page * size] + spoilt + octets[(page + 1) * size :])
        try:
            journal = JournalFile.open(path, whole.run.game.config.table.name, durable=False)
            try:
                recover(GuardedTable(whole.run.game.config), journal)
                assert journal.verify() == len(whole.rows)
                assert list(journal.rows()) == whole.rows
            finally:
                journal.close()
        except JournalTrouble as trouble:
            told.append(str(trouble))
    assert told
    assert all(str(tmp_path) in one and "evidence" in one for one in told)


def test_the_command_tells_a_damaged_journal_in_one_line_and_leaves_it_alone(whole: Whole, tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    octets = bytearray(whole.path.read_bytes())
    octets[8192:12288] = bytes(4096)
    path.write_bytes(octets)
    for command in ("verify", "replay", "show", "export"):
        result = CliRunner().invoke(main, ["journal", command, str(path)])
        assert result.exit_code in (1, 2), (command, result.output[-300:])
        assert str(path) in result.output
        assert "as evidence" in result.output
        assert "Traceback" not in result.output
    assert path.read_bytes() == octets


# -- the clock -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("write", [5, 15, 25, 35, 45])
@pytest.mark.parametrize("hours", [-1, 1])
def test_a_clock_that_was_moved_between_restarts_changes_no_settlement(tmp_path: Path, write: int, hours: int) -> None:
    run = Run("wheel", tmp_path / "table.sqlite", SEED, ROUNDS)
    assert not run.live(lambda runtime: DeadlyCommitter(runtime, write, "after the write"))
    run.clock.run_for(2.0)
    assert run.live(wall_offset_ms=hours * HOUR_MS)
    outcome = run.finish()
    assert outcome.problems == []
    assert outcome.settlements == uninterrupted("wheel", tmp_path / "whole.sqlite", SEED, ROUNDS).settlements


@pytest.mark.clause("melbourne-wheel", "footnote 1 s 66(2)")
def test_a_notice_runs_its_time_and_no_hour_longer_when_the_clock_is_set_back(tmp_path: Path) -> None:
    run = Run("wheel", tmp_path / "table.sqlite", SEED, 1)
    first = Host(run.world, run.path)
    first.start()
    run.clock.run_until(lambda: first.runtime.table.state.life == "open", 60.0)
    run.crew.resting = True
    run.world.press("limits", 5, {"least": 1_000, "most": 50_000})
    run.clock.run_for(5 * 60)
    run.world.press("open", 1)  # refused, and in the journal: the last that is known of the time
    run.clock.run_for(1)
    first.die()
    second = Host(run.world, run.path, wall_offset_ms=-HOUR_MS)
    changed: list[float] = []

    def watch(told: Told) -> None:
        if second.runtime.table.state.limits.least == 1_000:
            changed.append(run.clock.now())

    second.runtime.watchers.append(watch)
    began = run.clock.now()
    second.start()
    run.clock.run_for(14 * 60)
    assert not changed
    run.clock.run_for(3 * 60)
    assert changed
    assert 14 * 60 < changed[0] - began < 16 * 60
    second.stop()
    journal = JournalFile.read_only(run.path)
    assert journal.verify() == journal.last_seq
    times = [row.at for row in journal.rows()]
    assert any(later < earlier for earlier, later in itertools.pairwise(times))


@pytest.mark.clause("perth-war", "6.7")
@pytest.mark.parametrize("restarted", [False, True])
def test_a_closing_notice_runs_its_minutes_when_the_clock_is_set_back_meanwhile(
    tmp_path: Path, restarted: bool
) -> None:
    run = Run("war", tmp_path / "table.sqlite", SEED, 1)
    host = Host(run.world, run.path)
    host.start()
    run.clock.run_until(lambda: bool(run.world.host) and host.runtime.table.game.players_present(), 300.0)
    run.clock.run_until(lambda: run.crew.rounds >= 1 and host.runtime.table.game.idle(), 600.0)
    run.crew.resting = True
    run.clock.run_for(20)
    assert host.runtime.table.game.players_present()
    run.world.press("close", 6)
    run.clock.run_for(4 * 60)
    assert host.runtime.table.state.life == "closing"
    if restarted:
        run.world.press("open", 1)  # refused, and in the journal: the last that is known of the time
        run.clock.run_for(1)
        host.die()
        run.clock.run_for(1)
        host = Host(run.world, run.path, wall_offset_ms=-HOUR_MS)
        host.start()
    else:
        host.clock._offset = -HOUR_MS
    run.clock.run_for(5 * 60)
    run.world.press("close", 6)
    run.clock.run_for(1)
    assert host.runtime.table.state.life == "closing"
    run.clock.run_for(75)
    run.world.press("close", 6)
    run.clock.run_for(1)
    assert host.runtime.table.state.life == "closed"
    host.stop()
    journal = JournalFile.read_only(run.path)
    times = [row.at for row in journal.rows()]
    assert any(later < earlier - HOUR_MS // 2 for earlier, later in itertools.pairwise(times))
    assert recover(GuardedTable(run.world.config), journal, from_snapshot=False) == journal.last_seq
    journal.close()


# -- the chain check --------------------------------------------------------------------------------------------------


def chain_checked(run: Run) -> tuple[Host, ChainCheck]:
    host = Host(run.world, run.path)
    host.start()
    chain_check = ChainCheck(host.clock, run.path, host.runtime.submit)
    chain_check.start()
    return host, chain_check


def test_a_row_that_went_bad_behind_the_newest_snapshot_suspends_the_table_before_anybody_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarded, "SNAPSHOT_EVERY", 20)
    monkeypatch.setattr("controller.journal.chain_check.ROWS", 25)
    run = Run("wheel", tmp_path / "table.sqlite", SEED, 3)
    assert run.live()
    run.crew.resting = False
    run.rounds = 5
    with sqlite3.connect(run.path) as connection:
        connection.execute("UPDATE entries SET body = cast('{}' as blob) WHERE seq = 30")
    connection.close()
    host, chain_check = chain_checked(run)  # the start itself looks no further back than the snapshot
    state = host.runtime.table.state
    run.clock.run_until(lambda: "journal" in state.faults, 60.0)
    assert "event 30 was altered" in state.faults["journal"].text
    assert "evidence" in state.faults["journal"].remedy
    assert state.life in ("closed", "suspended")
    chain_check.stop()
    run.clock.run_for(1)
    host.die()
    again = Host(run.world, run.path)
    again.start()
    assert "journal" in again.runtime.table.state.faults, "it does not clear itself"
    run.world.press("clear_fault", 6, {"fault": "journal", "reason": "copied and kept"})
    run.clock.run_for(1)
    assert "journal" not in again.runtime.table.state.faults
    again.stop()


def test_a_sound_journal_is_followed_to_its_end_and_again_hours_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.journal.chain_check.ROWS", 7)
    monkeypatch.setattr("controller.journal.chain_check.AGAIN_S", 100.0)
    run = Run("wheel", tmp_path / "table.sqlite", SEED, 2)
    host, chain_check = chain_checked(run)
    checked: list[int] = []

    def watch(told: Told) -> None:
        if isinstance(told.event, JournalChecked):
            checked.append(told.event.rows)

    host.runtime.watchers.append(watch)
    run.clock.run_until(lambda: len(checked) == 2, 1_000.0)
    assert 0 < checked[0] < checked[1]
    assert not host.runtime.table.state.faults
    chain_check.stop()
    host.stop()
    journal = JournalFile.read_only(run.path)
    assert recover(GuardedTable(run.world.config), journal, from_snapshot=False) == journal.last_seq
    journal.close()


def test_a_journal_that_somebody_makes_room_in_is_no_damage(tmp_path: Path, mocker: MockerFixture) -> None:
    run = Run("wheel", tmp_path / "table.sqlite", SEED, 1)
    host, chain_check = chain_checked(run)
    busy = mocker.patch.object(JournalFile, "verify", side_effect=sqlite3.OperationalError("database is locked"))
    run.clock.run_for(5)
    assert busy.call_count > 2
    assert "journal" not in host.runtime.table.state.faults
    chain_check.stop()
    host.stop()
