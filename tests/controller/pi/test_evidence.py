"""Evidence: a day taken out proves itself, and nothing is removed before it is safe."""

from __future__ import annotations

import errno
import gzip
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
import tracemalloc
from datetime import UTC, date
from datetime import time as clock_time
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.config.file import check_config
from controller.journal.file import Entry, JournalFile, JournalTrouble
from controller.pi.evidence import (
    EvidenceTrouble,
    GamingDay,
    export_day,
    export_missing,
    retain,
    verify_export,
    verify_exports,
)
from tests import ROOT
from tests.controller.pi.days import DAY, FIRST, HOUR, NOON
from tests.standing import tablectl


def day(number: int) -> GamingDay:
    """Gaming days from six to six, UTC."""
    return GamingDay(date.fromordinal(FIRST.toordinal() + number), clock_time(6), UTC)


@pytest.fixture(autouse=True)
def mounted(tmp_path: Path) -> None:
    """A stick and a share, as they are there when somebody has plugged them in."""
    (tmp_path / "out").mkdir()
    (tmp_path / "stick").mkdir()


LATER = NOON + 90 * DAY


def exported(journal: JournalFile, folder: Path, *numbers: int) -> list[Path]:
    return [Path(export_day(journal, day(number), folder, LATER).file) for number in numbers]


def rewritten(path: Path, change: object) -> None:
    lines = gzip.decompress(path.read_bytes()).decode().splitlines(keepends=True)
    change(lines)  # type: ignore[operator]
    path.write_bytes(gzip.compress("".join(lines).encode()))


def test_the_days_of_a_journal_follow_each_other_without_gap_or_overlap(journal: JournalFile, tmp_path: Path) -> None:
    files = exported(journal, tmp_path / "out", 0, 1, 2)
    days = verify_exports(files, journal)
    assert [(one.first, one.last) for one in days] == [(1, 10), (11, 20), (21, 30)]
    assert days[0].before == "00" * 32
    assert days[1].before == days[0].head
    assert files[0].name == "big-wheel-1-2023-11-14.jsonl.gz"


def test_a_day_that_is_not_over_is_not_exported(journal: JournalFile, tmp_path: Path) -> None:
    with pytest.raises(EvidenceTrouble, match="is not over; it ends 2023-11-15 06:00"):
        export_day(journal, day(0), tmp_path / "out", NOON + HOUR)
    assert list((tmp_path / "out").iterdir()) == []


def test_days_on_which_the_machine_was_off_in_the_morning_are_exported_with_the_next(
    journal: JournalFile, tmp_path: Path
) -> None:
    def missing(days: int) -> list[tuple[str, int, int]]:
        done = export_missing(journal, clock_time(6), tmp_path / "out", NOON + days * DAY, UTC)
        return [(each.day, each.first, each.last) for each in done]

    assert missing(1) == [(str(day(0).day), 1, 10)]
    assert missing(4) == [(str(day(1).day), 11, 20), (str(day(2).day), 21, 30), (str(day(3).day), 31, 32)]
    assert missing(9) == [], "and then there is nothing to do"
    verify_exports(sorted((tmp_path / "out").iterdir()), journal)


def test_a_day_without_events_makes_no_file(journal: JournalFile, tmp_path: Path) -> None:
    with pytest.raises(EvidenceTrouble, match="nothing happened"):
        export_day(journal, day(-5), tmp_path / "out", LATER)


def test_an_export_is_never_overwritten(journal: JournalFile, tmp_path: Path) -> None:
    exported(journal, tmp_path, 0)
    with pytest.raises(EvidenceTrouble, match="is there already"):
        exported(journal, tmp_path, 0)


def test_a_broken_chain_is_not_exported_as_if_it_were_whole(journal: JournalFile, tmp_path: Path) -> None:
    journal._connection.execute("UPDATE entries SET body = CAST('{}' AS BLOB) WHERE seq = 5")
    with pytest.raises(EvidenceTrouble, match="broken at event 5"):
        exported(journal, tmp_path / "out", 0)
    assert list((tmp_path / "out").iterdir()) == []


def drop(lines: list[str]) -> None:
    del lines[4]


def alter(lines: list[str]) -> None:
    lines[4] = lines[4].replace("Zo", "Jo")


def swap(lines: list[str]) -> None:
    lines[4], lines[5] = lines[5], lines[4]


def cut(lines: list[str]) -> None:
    del lines[8:]


def redate(lines: list[str]) -> None:
    lines[4] = re.sub(r'"at": (\d+)', lambda found: f'"at": {int(found[1]) + 1}', lines[4])


def rehead(lines: list[str]) -> None:
    lines[0] = lines[0].replace('"first": 1,', '"first": 2,')


@pytest.mark.parametrize("change", [drop, alter, swap, cut, redate, rehead])
def test_a_changed_export_is_found_by_us_and_by_the_documented_lines(
    journal: JournalFile, tmp_path: Path, change: object
) -> None:
    [path] = exported(journal, tmp_path / "out", 0)
    assert documented(path).returncode == 0
    rewritten(path, change)
    with pytest.raises(EvidenceTrouble):
        verify_export(path)
    assert documented(path).returncode != 0


def test_what_was_never_an_export_is_told_as_that(tmp_path: Path) -> None:
    there = tmp_path / "day.gz"
    there.write_text("a shopping list", "utf-8")
    with pytest.raises(EvidenceTrouble, match="no exported gaming day"):
        verify_export(there)


def documented(path: Path) -> subprocess.CompletedProcess[str]:
    """Run the procedure printed in the documentation, with nothing of ours in reach."""
    page = (ROOT / "docs" / "pi.md").read_text("utf-8")
    script = re.search(r"```python\n(.+?)```", page, re.DOTALL)
    assert script is not None
    command = [sys.executable, "-I", "-S", "-c", script[1], str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=20)


@pytest.mark.parametrize(
    "head", [{"first": -5, "last": -6}, {"first": 3, "last": 2}, {"first": 0, "last": 0}, {"before": ""}], ids=str
)
def test_an_export_that_says_it_holds_what_no_day_can_hold_is_refused(tmp_path: Path, head: dict[str, object]) -> None:
    path = tmp_path / "day.jsonl.gz"
    whole = {"gaming_day": 1, "table": "T", "day": "d", "end": 0, "first": 1, "last": 0, "before": "00" * 32} | head
    path.write_bytes(gzip.compress(json.dumps(whole).encode() + b"\n"))
    with pytest.raises(EvidenceTrouble, match="what no gaming day can hold"):
        verify_export(path)


def test_a_pipe_among_the_exports_is_told_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "day.jsonl.gz")
    with pytest.raises(EvidenceTrouble, match="no file but a folder, pipe or device"):
        verify_export(tmp_path / "day.jsonl.gz")


def test_a_missing_day_between_two_is_noticed(journal: JournalFile, tmp_path: Path) -> None:
    with pytest.raises(EvidenceTrouble, match="a day is missing"):
        verify_exports(exported(journal, tmp_path, 0, 2))


# --- retention -------------------------------------------------------------------------------


def test_what_was_not_exported_is_not_removed(journal: JournalFile, tmp_path: Path) -> None:
    kept = retain(journal, tmp_path / "out", LATER)
    assert (kept.removed, kept.first) == (0, 1)
    assert "event 1 and later are in no export" in kept.why
    assert journal.verify() == 32


def test_exported_days_are_removed_and_the_chain_is_still_followed(journal: JournalFile, tmp_path: Path) -> None:
    files = exported(journal, tmp_path / "out", 0, 1)
    head = journal.hash_at(32)
    kept = retain(journal, tmp_path / "out", LATER)
    # A day that holds a snapshot still kept stays: a restart may begin there.
    assert (kept.removed, kept.days) == (10, ("2023-11-14",))
    assert "a restart still needs" in kept.why
    assert journal.verify() == 22
    assert next(row.seq for row in journal.rows()) == 11
    assert journal.hash_at(32) == head
    assert journal.removed is not None
    assert journal.removed.exports[0][0] == files[0].name
    verify_exports(files, journal)


def test_retention_goes_on_where_it_stopped(journal: JournalFile, tmp_path: Path) -> None:
    exported(journal, tmp_path / "out", 0)
    retain(journal, tmp_path / "out", LATER)
    for number in range(3):
        journal.append([Entry(NOON + 5 * DAY + number, b"{}", b"snap")])
    exported(journal, tmp_path / "out", 1, 2)
    assert retain(journal, tmp_path / "out", LATER).days == ("2023-11-15", "2023-11-16")
    assert journal.verify() == 5
    assert [export[2:] for export in journal.removed.exports] == [(1, 10), (11, 20), (21, 30)]  # type: ignore[union-attr]


def test_young_days_stay(journal: JournalFile, tmp_path: Path) -> None:
    exported(journal, tmp_path / "out", 0, 1)
    kept = retain(journal, tmp_path / "out", day(0).end - 1)
    assert kept.removed == 0


def test_nothing_goes_that_the_floor_has_not_countersigned(journal: JournalFile, tmp_path: Path) -> None:
    exported(journal, tmp_path / "out", 0, 1)
    kept = retain(journal, tmp_path / "out", LATER, countersigned=9)
    assert kept.removed == 0
    assert "the floor has countersigned 9 events" in kept.why
    assert retain(journal, tmp_path / "out", LATER, countersigned=10).removed == 10


def test_a_dry_run_removes_nothing(journal: JournalFile, tmp_path: Path) -> None:
    exported(journal, tmp_path / "out", 0)
    assert retain(journal, tmp_path / "out", LATER, dry_run=True).removed == 10
    assert journal.verify() == 32


def test_an_export_whose_name_cannot_be_kept_is_not_left_to_be_believed(
    journal: JournalFile, tmp_path: Path, mocker: MockerFixture
) -> None:
    mocker.patch("controller.pi.evidence.sync_folder", side_effect=OSError(errno.EIO, os.strerror(errno.EIO)))
    with pytest.raises(EvidenceTrouble, match="cannot be written"):
        exported(journal, tmp_path / "out", 0)
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize("what", ["sync", "sync_folder"])
def test_nothing_is_removed_for_exports_that_cannot_be_put_on_disk(
    journal: JournalFile, tmp_path: Path, mocker: MockerFixture, what: str
) -> None:
    exported(journal, tmp_path / "out", 0, 1)
    mocker.patch(f"controller.pi.evidence.{what}", side_effect=OSError(errno.EIO, os.strerror(errno.EIO)))
    with pytest.raises(EvidenceTrouble, match="nothing was removed"):
        retain(journal, tmp_path / "out", LATER)
    assert journal.removed is None
    assert journal.verify() == 32


@pytest.mark.parametrize(
    ("wrong", "when"),
    [((5, 8), 11 * 365 * DAY), ((5, 8), -30 * DAY), ((25, 26), 3 * DAY), ((25, 26), -30 * DAY), ((19, 21), 2 * DAY)],
    ids=["a decade ahead", "a month back", "days ahead", "a month back, late", "ahead over the end of a day"],
)
def test_days_whose_clock_jumped_export_every_event_once(tmp_path: Path, wrong: tuple[int, int], when: int) -> None:
    journal = JournalFile.open(tmp_path / "jumped.db", "Big Wheel 1")
    files = []
    for number in range(40):
        at = NOON + number // 10 * DAY + number % 10 * 2 * HOUR - HOUR // 2
        at += when if wrong[0] <= number < wrong[1] else 0
        journal.append([Entry(at, json.dumps({"event": number}).encode())])
        if number % 10 == 5 and number > 10:
            files += exported(journal, tmp_path / "out", number // 10 - 1)  # in the middle of the next day
    files += exported(journal, tmp_path / "out", 3)
    days = verify_exports(files, journal)
    assert [event for one in days for event in range(one.first, one.last + 1)] == [*range(1, 41)]


def packed(tmp_path: Path, *pieces: bytes, times: int = 1) -> Path:
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as out:
        for piece in pieces:
            for _ in range(times):
                out.write(piece)
    return path


def test_an_archive_that_unpacks_to_gigabytes_is_refused_while_it_is_read(tmp_path: Path) -> None:
    path = packed(tmp_path, bytes(1 << 20), times=64)
    tracemalloc.start()
    with pytest.raises(EvidenceTrouble, match="unpacks to far more than a gaming day has"):
        verify_export(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 16 << 20


def test_an_archive_of_endless_small_events_is_refused_while_it_is_read(
    journal: JournalFile, tmp_path: Path, mocker: MockerFixture
) -> None:
    [path] = exported(journal, tmp_path / "out", 2)
    verify_export(path)
    mocker.patch("controller.pi.evidence.DAY_MOST", 900)
    with pytest.raises(EvidenceTrouble, match="unpacks to far more"):
        verify_export(path)


def test_an_export_rewritten_after_its_events_were_removed_is_found_by_the_digest_the_journal_keeps(
    journal: JournalFile, tmp_path: Path
) -> None:
    files = exported(journal, tmp_path / "out", 0, 1)
    journal.append([Entry(NOON + 4 * DAY, b"{}", b"snap")])
    retain(journal, tmp_path / "out", NOON + 4 * DAY)
    assert journal.removed is not None
    assert journal.removed.last == 20
    for path in files:
        assert verify_exports([path], journal)
    forged = files[0]

    def change(lines: list[str]) -> None:
        head, previous = json.loads(lines[0]), bytes(32)
        for number, line in enumerate(lines[1:], 1):
            row = json.loads(line)
            row["body"] = row["body"].replace("Zo", "Jo")
            previous = hashlib.sha256(previous + f"{row['seq']}|{row['at']}|{row['body']}".encode()).digest()
            lines[number] = json.dumps(row | {"hash": previous.hex()}, ensure_ascii=False) + "\n"
        assert head["before"] == "00" * 32

    rewritten(forged, change)
    verify_export(forged)  # in itself it is whole
    with pytest.raises(EvidenceTrouble, match=r"not the file for which .* let go of events 1 to 10"):
        verify_exports([forged], journal)


def test_a_damaged_export_protects_its_day(journal: JournalFile, tmp_path: Path) -> None:
    [path] = exported(journal, tmp_path / "out", 0)
    rewritten(path, alter)
    with pytest.raises(EvidenceTrouble, match="do not trust"):
        retain(journal, tmp_path / "out", LATER)
    assert journal.verify() == 32


def test_the_export_of_another_journal_protects_nothing(journal: JournalFile, tmp_path: Path) -> None:
    other = JournalFile.open(tmp_path / "other.db", "Big Wheel 1")
    other.append([Entry(NOON + number, b"{}", b"snap") for number in range(12)])
    exported(other, tmp_path / "out", 0)
    with pytest.raises(EvidenceTrouble, match="is not the one in"):
        retain(journal, tmp_path / "out", LATER)
    assert journal.verify() == 32


@pytest.mark.parametrize("what", ["hash", "last"])
def test_a_stub_that_was_tampered_with_breaks_the_chain(journal: JournalFile, tmp_path: Path, what: str) -> None:
    exported(journal, tmp_path / "out", 0)
    retain(journal, tmp_path / "out", LATER)
    stub = json.loads(journal.meta("removed") or "")
    stub[what] = "ff" * 32 if what == "hash" else 9
    journal._connection.execute("UPDATE meta SET value = ? WHERE key = 'removed'", (json.dumps(stub),))
    with pytest.raises(JournalTrouble, match="event 1"):
        journal.verify()


def test_the_room_of_removed_days_is_given_back(journal: JournalFile, tmp_path: Path) -> None:
    for number in range(200):
        journal.append(
            [Entry(NOON + 4 * DAY + number, b'"' + random.Random(number).randbytes(2500).hex().encode() + b'"')]
        )
    for number in range(3):
        journal.append([Entry(NOON + 6 * DAY + number, b"{}", b"snap")])
    size = journal.path.stat().st_size
    exported(journal, tmp_path / "out", 0, 1, 2, 3, 4)
    retain(journal, tmp_path / "out", LATER)
    assert journal.path.stat().st_size < size / 5


def test_a_day_is_exported_checked_and_removed_from_the_command_line(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    before = time.strftime("%Y-%m-%d", time.localtime(NOON / 1000))
    result = tablectl("evidence", "export", "--config", played, "--day", before, "--starts", "00:00", "--to", out)
    assert result.exit_code == 0, result.output
    [file] = out.iterdir()
    journal = check_config(played).table.journal
    checked = tablectl("evidence", "verify", file, "--journal", journal, "--json")
    assert json.loads(checked.output)[0]["first"] == 1
    kept = tablectl("evidence", "retain", "--config", played, "--exports", out, "--keep-days", "0")
    assert kept.exit_code == 0
    assert "0 events of 0 days removed" in kept.output  # the last snapshot lies in that day
    bad = tablectl("evidence", "export", "--config", played, "--day", before, "--starts", "6am", "--to", out)
    assert bad.exit_code == 2
    assert "write a time such as 06:00" in bad.output


def test_the_file_is_not_made_smaller_while_the_table_runs(played: Path, tmp_path: Path) -> None:
    checked = check_config(played)
    running = JournalFile.open(Path(checked.table.journal), checked.table.name)
    result = tablectl("evidence", "retain", "--shrink", "--config", played, "--exports", tmp_path)
    assert result.exit_code == 2
    assert "another controller" in result.output
    running.close()


def played_on(journal: JournalFile, rows: int) -> None:
    for number in range(rows):
        journal.append([Entry(NOON + 4 * DAY + number, b"{}")])
    for number in range(3):
        journal.append([Entry(NOON + 6 * DAY + number, b"{}", b"snap")])


def test_old_days_leave_while_the_table_writes_and_others_read(journal: JournalFile, tmp_path: Path) -> None:
    played_on(journal, 5000)
    exported(journal, tmp_path / "out", 0, 1, 2, 3, 4)
    stop, waits = threading.Event(), [0.0]
    wrong: list[str] = []
    removed: list[int] = []

    def read() -> None:
        while not stop.is_set():
            try:
                JournalFile.read_only(journal.path).verify()
            except JournalTrouble as trouble:
                wrong.append(str(trouble))

    def remove() -> None:
        try:
            removed.append(retain(JournalFile.beside(journal.path), tmp_path / "out", LATER).removed)
        finally:
            stop.set()

    others = [threading.Thread(target=each) for each in (read, remove)]
    for other in others:
        other.start()
    while not stop.wait(0.002):
        began = time.monotonic()
        journal.append([Entry(NOON + 7 * DAY, b"{}")])
        waits.append(time.monotonic() - began)
    for other in others:
        other.join()
    assert wrong == []
    assert max(waits) < 1.0
    assert removed == [5032]
    assert journal.verify() == journal.last_seq - 5032
    journal.append([Entry(NOON + 7 * DAY, b"{}")])
    again = JournalFile.read_only(journal.path)
    again.prove(journal.head())


def test_a_removal_cut_short_is_gone_on_with(journal: JournalFile, tmp_path: Path, mocker: MockerFixture) -> None:
    played_on(journal, 3000)
    exported(journal, tmp_path / "out", 0, 1, 2, 3, 4)
    whole = JournalFile.hash_at

    def dies(journal: JournalFile, seq: int) -> bytes:
        if seq == 2048:
            raise OSError(errno.EIO, "the power went")
        return whole(journal, seq)

    mocker.patch.object(JournalFile, "hash_at", dies)
    with pytest.raises(OSError, match="the power went"):
        retain(JournalFile.beside(journal.path), tmp_path / "out", LATER)
    mocker.stopall()
    assert journal.removed is not None
    assert journal.removed.last == 1024
    assert journal.verify() == journal.last_seq - 1024
    rewritten_day = tmp_path / "out" / "big-wheel-1-2023-11-18.jsonl.gz"
    kept = rewritten_day.read_bytes()
    rewritten_day.write_bytes(gzip.compress(gzip.decompress(kept), 1))
    with pytest.raises(EvidenceTrouble, match="not the file for which"):
        retain(JournalFile.beside(journal.path), tmp_path / "out", LATER)
    rewritten_day.write_bytes(kept)
    assert retain(JournalFile.beside(journal.path), tmp_path / "out", LATER).first == 3033
    assert len(journal.removed.exports) == 5
    assert journal.verify() == 3
    verify_exports(sorted((tmp_path / "out").glob("*.gz")), journal)
