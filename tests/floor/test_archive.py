"""Archived days: whole, verified files from which a store is made again as it was; what is not whole is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.journal.file import Entry
from controller.report.days import HouseDays
from floor import archive
from floor.archive import SCHEMA, ArchiveTrouble, messages, read, rows, says
from floor.intake import Intake
from floor.store.check import checked
from floor.store.database import opened
from floor.store.rebuild import forget, from_archive
from floor.store.schema import ROWS
from tests.floor.store.filled import filled, whole
from tests.floor.tables import CREATED, WITNESS, floor_at, heard, known, played
from tests.uplinks import Writer

BEGAN = 1_767_225_600_000
DAY_MS = 86_400_000
UTC_DAYS = HouseDays()
LATER = BEGAN + 10 * DAY_MS


def days(folder: Path) -> Path:
    """A journal of three days, fifty rows each."""
    table = Writer(folder, "nats://127.0.0.1:1", "The wheel 1")
    for day in range(3):
        table.write(50, rows=lambda seq, day=day: Entry(BEGAN + day * DAY_MS + seq, b'{"event":{"type":"Stopped"}}'))  # type: ignore[misc]
    table.close()
    return table.path


def without(store: dict[str, list[tuple[Any, ...]]], *names: str) -> dict[str, list[tuple[Any, ...]]]:
    return {name: lines for name, lines in store.items() if name not in names}


def test_a_store_is_made_again_from_archived_days_alone(tmp_path: Path) -> None:
    intake = filled(f"sqlite:///{tmp_path / 'floor.db'}")
    written = archive.archive(intake.engine, tmp_path / "archive", LATER, UTC_DAYS)
    assert {one.origin.split("/")[1] for one in written} == {"the-wheel-1", "the-war-1", "the-poker-1"}
    before = whole(intake.engine)
    paths = [played(game)[0] for game in ("wheel", "war", "poker")]
    empty = opened(f"sqlite:///{tmp_path / 'empty.db'}")
    _, again = from_archive(empty, known(*paths), WITNESS, str(tmp_path / "archive"))
    assert again == len(before["rows"])
    made = whole(empty)
    left = ("heads", "position", "journals")  # journals are numbered anew, in the order of their names
    assert len(without(made, *left)["rounds"]) == len(before["rounds"])
    assert {one.wrong for one in checked(empty)} == {""}
    with empty.connect() as store:
        notes = {tuple(one) for one in store.exec_driver_sql("SELECT origin, note, witnessed FROM journals")}
    with intake.engine.connect() as store:
        assert notes == {tuple(one) for one in store.exec_driver_sql("SELECT origin, note, witnessed FROM journals")}
    empty.dispose()
    intake.engine.dispose()


@pytest.mark.parametrize("size", [17, 60])
def test_archive_and_stream_together_make_the_store_as_it_was(tmp_path: Path, size: int) -> None:
    path = days(tmp_path)
    intake = floor_at(tmp_path, path)
    stream = list(heard(path, size))
    intake.take(stream)
    before = whole(intake.engine)
    folder = tmp_path / "archive"
    written = archive.archive(intake.engine, folder, BEGAN + 2 * DAY_MS + DAY_MS // 2, UTC_DAYS)
    assert [(one.first, one.last) for one in written] == [(1, 50), (51, 100)]
    assert archive.archive(intake.engine, folder, BEGAN + 2 * DAY_MS + DAY_MS // 2, UTC_DAYS) == []
    assert from_archive(intake.engine, known(path), WITNESS, str(folder)) == (150, 100)
    again = floor_at(tmp_path, path)
    again.take(stream)
    assert without(whole(again.engine), "heads") == without(before, "heads")
    assert [one.wrong for one in checked(again.engine)] == [""]
    for each in (intake, again):
        each.engine.dispose()


def test_only_what_is_countersigned_is_archived(tmp_path: Path) -> None:
    path = days(tmp_path)
    intake = floor_at(tmp_path, path)
    intake.take(heard(path, 25, signed=False))
    assert archive.archive(intake.engine, tmp_path / "archive", LATER, UTC_DAYS) == []
    intake.engine.dispose()


def archived(tmp_path: Path) -> tuple[Intake, Path]:
    path = days(tmp_path)
    intake = floor_at(tmp_path, path)
    intake.take(heard(path, 25))
    archive.archive(intake.engine, tmp_path / "archive", LATER, UTC_DAYS)
    return intake, path


def changed(file: Path, **change: Any) -> None:
    """The same file with another body or number in its tenth row."""
    said = {archive.SAYS: (pq.read_metadata(file).metadata or {})[archive.SAYS]}
    lines = pq.read_table(file).to_pylist()
    lines[9] |= change
    pq.write_table(pa.Table.from_pylist(lines, SCHEMA.with_metadata(said)), file)


def test_a_file_that_was_changed_is_found(tmp_path: Path) -> None:
    intake, _ = archived(tmp_path)
    first, second, third = sorted((tmp_path / "archive").rglob("*.parquet"))
    assert [says(each).day for each in (first, second, third)] == ["2026-01-01", "2026-01-02", "2026-01-03"]
    assert read(second).last == 100
    changed(second, body=b"{}")
    with pytest.raises(ArchiveTrouble, match="event 60 was altered"):
        read(second)
    changed(first, seq=11)
    with pytest.raises(ArchiveTrouble, match="event 10 is missing"):
        list(rows(first))
    third.write_bytes(b"nothing")
    with pytest.raises(ArchiveTrouble, match="cannot be read"):
        read(third)
    second.unlink()
    third.unlink()
    intake.engine.dispose()


def test_a_day_that_is_gone_is_named(tmp_path: Path) -> None:
    intake, _ = archived(tmp_path)
    sorted((tmp_path / "archive").rglob("*.parquet"))[1].unlink()
    with pytest.raises(ArchiveTrouble, match="event 51 and later lie in no file"):
        list(messages(tmp_path / "archive"))
    intake.engine.dispose()


def test_a_store_that_was_altered_makes_no_archive(tmp_path: Path) -> None:
    path = days(tmp_path)
    intake = floor_at(tmp_path, path)
    intake.take(heard(path, 25))
    with intake.engine.begin() as store:
        store.execute(ROWS.update().where(ROWS.c.seq == 20).values(body=b"{}"))
    with pytest.raises(ArchiveTrouble, match="event 20 was altered"):
        archive.archive(intake.engine, tmp_path / "archive", LATER, UTC_DAYS)
    intake.engine.dispose()


def test_another_past_in_the_archive_is_refused_by_a_store_that_countersigned(tmp_path: Path) -> None:
    intake, path = archived(tmp_path)
    address, said = next(iter(messages(tmp_path / "archive")))
    forget(intake.engine)
    fresh = Intake(intake.engine, known(path), WITNESS, lambda: 1.0)
    fresh.begin(CREATED)
    import msgspec

    from controller.journal.chain import GENESIS, chained
    from floor.follow import Broken

    others = tuple((at + 1, body) for at, body in said.rows)
    last = GENESIS
    for seq, (at, body) in enumerate(others, 1):
        last = chained(last, seq, at, body)
    forged = msgspec.structs.replace(said, rows=others, hash=last)
    with pytest.raises(Broken, match="another now than when the floor heard it"):
        fresh.take_archived(address, forged)
    intake.engine.dispose()


def test_the_commands_archive_and_rebuild(tmp_path: Path) -> None:
    path = tmp_path / "floor.toml"
    path.write_text('[floor]\nname = "T"\n[broker]\nservers = ["nats://127.0.0.1:1"]\n', "utf-8")
    filled(f"sqlite:///{tmp_path / 'floor.db'}").engine.dispose()
    done = CliRunner().invoke(main, ["floor", "archive", "--config", str(path)])
    assert done.exit_code == 0, done.output
    assert done.output.count("events 1 to") == 3
    done = CliRunner().invoke(main, ["floor", "rebuild", "--config", str(path)])
    assert done.exit_code == 0, done.output
    assert "0 taken" not in done.output
    for each in (tmp_path / "archive").rglob("*.parquet"):
        each.write_bytes(b"nothing")
    done = CliRunner().invoke(main, ["floor", "rebuild", "--config", str(path)])
    assert done.exit_code == 1
    assert "cannot be read" in done.output


def test_days_are_the_gaming_days_of_the_house_and_one_is_an_hour_short(tmp_path: Path) -> None:
    """In Melbourne the day of 3 October 2026 begins at six and ends, after 23 hours, at six."""
    begins = 1_790_971_200_000  # 2026-10-03 06:00 there
    moments = [begins - 1, begins, begins + 22 * 3_600_000, begins + 23 * 3_600_000 - 1, begins + 23 * 3_600_000]
    table = Writer(tmp_path, "nats://127.0.0.1:1", "The wheel 1")
    for at in moments:
        table.write(1, rows=lambda seq, at=at: Entry(at, b'{"event":{"type":"Stopped"}}'))  # type: ignore[misc]
    table.close()
    intake = floor_at(tmp_path, table.path)
    for one in heard(table.path, 7):
        intake.take([one])
    house = HouseDays.of("06:00", "Australia/Melbourne")
    written = archive.archive(intake.engine, tmp_path / "archive", begins + 23 * 3_600_000 + 1, house)
    assert [(one.day, one.first, one.last) for one in written] == [("2026-10-02", 1, 1), ("2026-10-03", 2, 4)]
    assert sum(len(message.rows) for _, message in messages(tmp_path / "archive")) == 4
    intake.engine.dispose()
