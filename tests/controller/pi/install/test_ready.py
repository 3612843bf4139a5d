"""Journals and configurations that a new version could not play on are found before the switch."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from controller.config.file import check_config
from controller.config.kept import plain
from controller.core.effects import Announced
from controller.core.events import SignShown, Started, Stopped
from controller.core.guarded import GuardedTable
from controller.journal.file import SCHEMA, Entry, JournalFile
from controller.journal.row import Record, encode
from controller.pi.install.ready import why_not
from tests.standing import Configured


def journal_of(config_path: Path) -> Path:
    """The journal of a table that came up and went down."""
    config = check_config(config_path)
    path = Path(config.table.journal)
    path.parent.mkdir(parents=True)
    journal, table = JournalFile.open(path, "T1"), GuardedTable(config)
    for at, event in enumerate((Started("1", plain(config)), Stopped()), 1):
        journal.append([Entry(at, encode(Record(event, table.apply(at, event))))])
    journal.close()
    return path


def test_going_back_is_refused_when_the_journal_is_of_a_newer_schema(configured: Configured) -> None:
    config = configured()
    path = journal_of(config)
    assert why_not(config) == ""
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(SCHEMA + 1),))
    connection.close()
    newer = f"written with schema {SCHEMA + 1}, and this version knows {SCHEMA}: going back is refused"
    assert newer in why_not(config)


def test_rows_in_another_form_are_found_before_the_switch(configured: Configured) -> None:
    config = configured()
    path = journal_of(config)
    journal = JournalFile.open(path, "T1")
    journal.append([Entry(3, b'{"event":{"type":"SignShown","revised":7}}')])
    assert "the running version plays on" in why_not(config)
    journal.close()
    assert "event 3 cannot be read" in why_not(config)


def test_a_table_that_ended_in_mid_play_is_replayed_by_the_new_version_before_the_switch(
    configured: Configured,
) -> None:
    """Nobody will stop it in good order, so what it last did must be understood alike."""
    config = configured()
    path = journal_of(config)
    journal = JournalFile.open(path, "T1")
    journal.append([Entry(3, encode(Record(SignShown(1), [Announced("sign", "x", "never said")])))])
    assert why_not(config) == "", "it runs, and will be stopped in good order"
    journal.close()
    assert "event 3 gives other conclusions" in why_not(config)


def test_where_the_table_stood_in_another_form_is_found_before_the_switch(configured: Configured) -> None:
    config = configured()
    path = journal_of(config)
    journal = JournalFile.open(path, "T1")
    journal.append([Entry(3, encode(Record(Stopped())), b'{"another":"form"}')])
    assert "the running version plays on" in why_not(config)
    journal.close()
    assert "cannot be read" in why_not(config)


def test_a_broken_chain_or_a_wrong_configuration_is_found_before_the_switch(configured: Configured) -> None:
    config = configured()
    assert "data directory is not there" in why_not(config)
    path = journal_of(config)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE entries SET at = 9 WHERE seq = 2")
    connection.close()
    assert "event 2 was altered" in why_not(config)
    config.write_text("rubbish")
    assert "table.toml:1" in why_not(config)
