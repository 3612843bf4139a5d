"""What whoever owns disk and key of a table may do to its journal, with everything computed again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable

from lab.proofs.redteam.forger import Forger

Tamper = Callable[[Forger, int], None]
"""Is given the journal and how many of its rows the head kept outside covers."""


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


def rows_removed_for_no_export(forger: Forger, size: int) -> None:
    """With a stub whose tree is right, so that every head still fits."""
    forger.stand_for(200, [])


def rows_removed_for_an_export_of_others(forger: Forger, size: int) -> None:
    forger.stand_for(200, [["day.jsonl.gz", "ab" * 32, 101, 200]])


def a_stub_that_is_none(forger: Forger, size: int) -> None:
    forger.meta["removed"] = json.dumps({"last": 60.5, "hash": "00" * 32, "exports": [], "peaks": []})
    forger.write()


def rows_hidden_before_the_first(forger: Forger, size: int) -> None:
    forger.run("INSERT INTO entries SELECT -seq, at, body, hash FROM entries WHERE seq < 9")


def snapshots_hidden_before_the_first(forger: Forger, size: int) -> None:
    forger.run("INSERT INTO snapshots SELECT 0, body, seal FROM snapshots LIMIT 1")


def a_subtree_of_rows_to_come(forger: Forger, size: int) -> None:
    forger.run("INSERT INTO tree SELECT 24, 0, hash FROM tree LIMIT 1")


def a_subtree_of_no_height(forger: Forger, size: int) -> None:
    forger.run("INSERT INTO tree SELECT 5, 0, hash FROM tree LIMIT 1")


def snapshots_of_rows_to_come(forger: Forger, size: int) -> None:
    """The table keeps the newest ones only, and would throw its own away for these."""
    forger.run("INSERT INTO snapshots SELECT 100000 + seq, body, seal FROM snapshots")


def a_time_that_is_no_whole_number(forger: Forger, size: int) -> None:
    forger.run("UPDATE entries SET at = at + 0.9 WHERE seq = 100")


def a_row_as_text(forger: Forger, size: int) -> None:
    forger.run("UPDATE entries SET body = CAST(body AS TEXT) WHERE seq = 100")


def a_hash_as_text(forger: Forger, size: int) -> None:
    forger.run("UPDATE entries SET hash = CAST(hash AS TEXT) WHERE seq = 100")


def a_hash_blotted_out(forger: Forger, size: int) -> None:
    forger.run("UPDATE entries SET hash = zeroblob(32) WHERE seq = 100")


def all_times_an_hour_later(forger: Forger, size: int) -> None:
    forger.rows = [(at + 3_600_000, row) for at, row in forger.rows]
    forger.write()


def forms_nobody_knows(forger: Forger, size: int) -> None:
    for _, row in forger.rows:
        row["form"] = 99
    forger.write()


def alarms_removed(forger: Forger, size: int) -> None:
    """Wherever one was told, none was."""
    for _, row in forger.rows:
        row["effects"] = [one for one in row.get("effects", ()) if not one["type"].startswith("Alarm")]
    forger.write()


def the_tree_taken_away(forger: Forger, size: int) -> None:
    forger.run("DELETE FROM tree")


def a_column_added(forger: Forger, size: int) -> None:
    forger.run("ALTER TABLE entries ADD COLUMN quiet TEXT")


def statistics_for_the_planner(forger: Forger, size: int) -> None:
    """Made-up ones make a query slow."""
    forger.run("ANALYZE")


def more_said_of_the_journal(forger: Forger, size: int) -> None:
    forger.meta["quiet"] = "1"
    forger.write()


def an_index_added(forger: Forger, size: int) -> None:
    forger.run("CREATE INDEX quiet ON entries (at)")


def rows_that_conflict_ignored(forger: Forger, size: int) -> None:
    forger.run(
        "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = replace(sql, 'PRIMARY KEY', "
        "'PRIMARY KEY ON CONFLICT IGNORE') WHERE name = 'entries';"
    )


TAMPERS: list[Tamper] = [
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
    rows_removed_for_no_export,
    rows_removed_for_an_export_of_others,
    a_stub_that_is_none,
    rows_hidden_before_the_first,
    snapshots_hidden_before_the_first,
    a_subtree_of_rows_to_come,
    a_subtree_of_no_height,
    more_said_of_the_journal,
    an_index_added,
    rows_that_conflict_ignored,
    snapshots_of_rows_to_come,
    a_time_that_is_no_whole_number,
    a_row_as_text,
    a_hash_as_text,
    a_hash_blotted_out,
    all_times_an_hour_later,
    forms_nobody_knows,
    alarms_removed,
    the_tree_taken_away,
    a_column_added,
    statistics_for_the_planner,
]
ONLY_ON_THE_WAY = {
    the_tree_left_as_it_was,
    a_time_that_is_no_whole_number,
    a_row_as_text,
    a_hash_as_text,
    a_hash_blotted_out,
}
"""What no start sees, because it reads no old row; whoever follows the rows does, as the chain check does every day."""
