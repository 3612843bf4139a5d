"""A night that was rewritten by whoever owns disk and key is found by the head that was kept outside."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from controller.commands import main
from controller.config.types import TableConfig
from controller.core import guarded
from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.journal.file import JournalFile, JournalTrouble
from controller.journal.head import make_key, read_head
from controller.journal.heads import against_kept, put
from lab.sim.config import default_config
from lab.sim.table import play_rounds, shift_for
from tests.whole.recovery.forger import Forger

ORIGINAL = "table.sqlite"


class Night(NamedTuple):
    """A table's journal, the folder outside with its head of some time ago, and what it takes to check them."""

    folder: Path
    config: TableConfig
    size: int
    key: str


def played(path: Path, seed: int, rounds: int, table: str = "") -> TableConfig:
    config = default_config("wheel")
    config = _with(config, name=table) if table else config
    play_rounds(config, path, seed, rounds, shift_for(config))
    return config


def _with(config: TableConfig, **changes: Any) -> TableConfig:
    import msgspec

    return msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, **changes))


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Night:
    """Some hundred events, the head of which is outside, and a round after it."""
    before, guarded.SNAPSHOT_EVERY = guarded.SNAPSHOT_EVERY, 60
    folder = tmp_path_factory.mktemp("night")
    try:
        played(folder / "other.sqlite", 8, 10, "Big Wheel 2")
        played(folder / "again.sqlite", 9, 12)
        config = played(folder / ORIGINAL, 5, 10)
        (folder / "outside").mkdir()
        config = _with(config, heads=str(folder / "outside"), journal=str(folder / ORIGINAL))
        journal = JournalFile.open(folder / ORIGINAL, config.table.name, durable=False)
        key = make_key(folder / "table.key", journal.origin, bytes(range(32)))
        head, public = journal.head(), key.public(journal.origin).text()
        journal.close()
        assert head.size > 300
        put(key.sign(head), outside(config))
        played(folder / ORIGINAL, 6, 1)
    finally:
        guarded.SNAPSHOT_EVERY = before
    return Night(folder, config, head.size, public)


def outside(config: TableConfig) -> Path:
    from controller.journal.heads import kept_at

    path = kept_at(config)
    assert path is not None
    return path


@pytest.fixture
def stolen(night: Night, tmp_path: Path) -> Forger:
    """A copy in the hands of the forger, with the other journals beside it."""
    for path in night.folder.glob("*.sqlite"):
        shutil.copyfile(path, tmp_path / path.name)
    return Forger(tmp_path / ORIGINAL)


# -- what may be done to it ----------------------------------------------------------------------------------------


def staff_changed(forger: Forger, size: int) -> None:
    for _, row in forger.rows:
        if row["event"]["type"] == "Command":
            row["event"]["by"]["id"] = "S999"
    forger.write()


def rank_changed(forger: Forger, size: int) -> None:
    forger.find("Command")["by"]["rank"] = 9
    forger.write()


def last_rounds_dropped(forger: Forger, size: int) -> None:
    del forger.rows[size - 40 :]
    forger.write()


def cut_back_to_a_snapshot(forger: Forger, size: int) -> None:
    seqs = [seq for seq in forger.snapshots if seq < size]
    del forger.rows[max(seqs) :]
    forger.write()


def one_row_short_of_the_head(forger: Forger, size: int) -> None:
    del forger.rows[size - 1 :]
    forger.write()


def snapshot_with_other_limits(forger: Forger, size: int) -> None:
    for seq, body in forger.snapshots.items():
        changed = body.replace(b'"most":', b'"most":9')
        assert changed != body
        forger.snapshots[seq] = changed
    forger.write()


def another_tables_journal(forger: Forger, size: int) -> None:
    shutil.copyfile(forger.path.with_name("other.sqlite"), forger.path)


def another_tables_journal_under_this_name(forger: Forger, size: int) -> None:
    mine = forger.meta
    another_tables_journal(forger, size)
    other = Forger(forger.path)
    other.meta = mine
    other.write()


def another_night(forger: Forger, size: int) -> None:
    other = Forger(forger.path.with_name("again.sqlite"))
    assert len(other.rows) > size
    forger.rows, forger.snapshots = other.rows, other.snapshots
    forger.write()


def trigger_that_swallows_rows(forger: Forger, size: int) -> None:
    forger.run("CREATE TRIGGER quiet BEFORE INSERT ON entries BEGIN SELECT RAISE(IGNORE); END;")


def trigger_that_takes_rows_away_again(forger: Forger, size: int) -> None:
    forger.run("CREATE TRIGGER quiet AFTER INSERT ON entries BEGIN DELETE FROM entries WHERE seq = NEW.seq; END;")


def rows_behind_a_view(forger: Forger, size: int) -> None:
    forger.run("ALTER TABLE entries RENAME TO kept; CREATE VIEW entries AS SELECT * FROM kept;")


def a_time_changed(forger: Forger, size: int) -> None:
    at, row = forger.rows[size // 2]
    forger.rows[size // 2] = (at + 1, row)
    forger.write()


def a_payment_changed(forger: Forger, size: int) -> None:
    settled = forger.find("Settled", lambda fact: any(result["pays"] for result in fact["results"]))
    next(result for result in settled["results"] if result["pays"])["pays"] += 100
    forger.write()


def an_outcome_changed(forger: Forger, size: int) -> None:
    forger.find("Settled")["outcome"] += "x"
    forger.write()


def a_spin_changed(forger: Forger, size: int) -> None:
    forger.find("WheelRested")["device"] = "elsewhere"
    forger.write()


def two_rows_swapped(forger: Forger, size: int) -> None:
    half = size // 2
    forger.rows[half], forger.rows[half + 1] = forger.rows[half + 1], forger.rows[half]
    forger.write()


def a_row_removed(forger: Forger, size: int) -> None:
    del forger.rows[size // 2]
    forger.write()


def a_row_put_in(forger: Forger, size: int) -> None:
    forger.rows.insert(size // 2, forger.rows[size // 2])
    forger.write()


def a_row_replaced_by_its_neighbour(forger: Forger, size: int) -> None:
    forger.rows[size // 2] = forger.rows[size // 2 + 1]
    forger.write()


def the_configuration_changed(forger: Forger, size: int) -> None:
    forger.find("Started")["config"]["limits"]["max"] *= 10
    forger.write()


def a_device_forgotten(forger: Forger, size: int) -> None:
    row = next(row for _, row in forger.rows if row.get("mark"))
    del row["mark"]
    forger.write()


def conclusions_removed(forger: Forger, size: int) -> None:
    row = next(row for _, row in forger.rows[size // 2 :] if row.get("effects"))
    del row["effects"]
    forger.write()


def forms_lowered(forger: Forger, size: int) -> None:
    for _, row in forger.rows:
        row["form"] = 2
    forger.write()


def another_start_chosen(forger: Forger, size: int) -> None:
    row = next(row for _, row in forger.rows if row["event"]["type"] == "Started")
    row["resumed"] = {"seq": 4, "stood": "0" * 64}
    forger.write()


def a_stub_for_what_nobody_exported(forger: Forger, size: int) -> None:
    forger.meta["removed"] = json.dumps({"last": 60, "hash": "00" * 32, "exports": []})
    del forger.rows[:60]
    forger.write(tree=False, first=61)
    forger.run("DELETE FROM tree")


def the_tree_left_as_it_was(forger: Forger, size: int) -> None:
    forger.find("Command")["by"]["id"] = "S999"
    forger.write(tree=False)


def an_empty_journal(forger: Forger, size: int) -> None:
    forger.rows.clear()
    forger.write()


def another_name(forger: Forger, size: int) -> None:
    forger.meta["id"] = "0" * 16
    forger.write()


TAMPERS: list[Callable[[Forger, int], None]] = [
    staff_changed,
    rank_changed,
    last_rounds_dropped,
    cut_back_to_a_snapshot,
    one_row_short_of_the_head,
    snapshot_with_other_limits,
    another_tables_journal,
    another_tables_journal_under_this_name,
    another_night,
    trigger_that_swallows_rows,
    trigger_that_takes_rows_away_again,
    rows_behind_a_view,
    a_time_changed,
    a_payment_changed,
    an_outcome_changed,
    a_spin_changed,
    two_rows_swapped,
    a_row_removed,
    a_row_put_in,
    a_row_replaced_by_its_neighbour,
    the_configuration_changed,
    a_device_forgotten,
    conclusions_removed,
    forms_lowered,
    another_start_chosen,
    a_stub_for_what_nobody_exported,
    the_tree_left_as_it_was,
    an_empty_journal,
    another_name,
]
ONLY_ON_THE_WAY = {the_tree_left_as_it_was}
"""What no start sees, because it reads no old row; whoever follows the rows does, as the chain check does every day."""


def verify(path: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["journal", "verify", str(path), *words])


@pytest.mark.parametrize("tamper", TAMPERS, ids=lambda tamper: tamper.__name__)
def test_a_journal_rewritten_with_everything_computed_again_is_found_by_the_head_outside(
    night: Night, stolen: Forger, tamper: Callable[[Forger, int], None]
) -> None:
    tamper(stolen, night.size)
    found = verify(stolen.path, "--head", str(outside(night.config)), "--key", night.key)
    assert found.exit_code == 1, found.output
    assert str(stolen.path) in found.output
    assert "Traceback" not in found.output


def told_at_start(path: Path, config: TableConfig) -> str:
    """What a start says of this journal."""
    try:
        journal = JournalFile.open(path, config.table.name, durable=False)
    except JournalTrouble as trouble:
        return str(trouble)
    try:
        return against_kept(journal, config)
    finally:
        journal.close()


@pytest.mark.parametrize("tamper", TAMPERS, ids=lambda tamper: tamper.__name__)
def test_a_start_tells_of_it_or_the_patrol_soon_after(
    night: Night, stolen: Forger, tamper: Callable[[Forger, int], None]
) -> None:
    tamper(stolen, night.size)
    told = told_at_start(stolen.path, night.config)
    if tamper in ONLY_ON_THE_WAY:
        assert told == ""
        with pytest.raises(JournalTrouble, match="not the one in the tree"):
            JournalFile.read_only(stolen.path).verify(1, 256)
    else:
        assert "evidence" in told or "start a new one" in told


def test_what_is_as_it_was_is_proved_up_to_the_head_and_what_came_later_is_named_unproved(night: Night) -> None:
    path = night.folder / ORIGINAL
    last = JournalFile.read_only(path).last_seq
    found = verify(path, "--head", str(outside(night.config)), "--key", night.key)
    assert found.exit_code == 0, found.output
    assert f"events up to {night.size} are those of the head kept outside" in found.output
    assert f"events {night.size + 1} to {last} are unproved" in found.output
    assert told_at_start(path, night.config) == ""
    assert f"events 1 to {last} are unproved" in verify(path).output


def test_what_is_changed_after_the_head_stays_among_the_unproved(night: Night, stolen: Forger) -> None:
    at, row = stolen.rows[-1]
    stolen.rows[-1] = (at + 1, row)
    stolen.write()
    found = verify(stolen.path, "--head", str(outside(night.config)))
    assert found.exit_code == 0, found.output
    assert f"events {night.size + 1} to {len(stolen.rows)} are unproved" in found.output


def test_a_forger_who_changes_nothing_is_not_found(night: Night, stolen: Forger) -> None:
    """Else the forger of these tests would be found for its own mistakes."""
    stolen.write()
    assert verify(stolen.path, "--head", str(outside(night.config))).exit_code == 0
    assert recover(GuardedTable(night.config), JournalFile.read_only(stolen.path), from_snapshot=False)


def test_a_head_that_the_table_did_not_sign_is_not_rested_on(night: Night, tmp_path: Path) -> None:
    forged = tmp_path / "forged.head"
    note = read_head(outside(night.config))
    other = make_key(tmp_path / "other.key", note.head.origin, bytes(32))
    put(other.sign(note.head), forged)
    found = verify(night.folder / ORIGINAL, "--head", str(forged), "--key", night.key)
    assert found.exit_code == 1
    assert "not signed with this table's key" in found.output
