"""Heads of a journal signed, kept on other media, compared, printed and checked."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import msgspec
from click.testing import CliRunner
from pytest_mock import MockerFixture

from controller.commands import main
from controller.config.types import TableConfig
from controller.journal.file import JournalFile
from controller.journal.head import Head, Note, make_key, read_head, read_note
from controller.journal.heads import HeadKeeper, against_kept, kept, kept_at, put
from lab.sim.config import default_config
from tests.controller.journal.grown import entry

# -- heads as text -------------------------------------------------------------------------------------------------

HEAD = Head("tablectl/t1/0011223344556677", 12, bytes(range(32)))
SEED = bytes(range(32))


# -- heads on their way out ----------------------------------------------------------------------------------------


def table(tmp_path: Path) -> TableConfig:
    config = default_config("wheel")
    (tmp_path / "stick").mkdir()
    section = msgspec.structs.replace(
        config.table, heads=str(tmp_path / "stick"), signing_key=str(tmp_path / "table.key"), name="T1"
    )
    return msgspec.structs.replace(config, table=section)


def test_the_newest_head_is_signed_shown_and_kept_on_another_medium(tmp_path: Path) -> None:
    config = table(tmp_path)
    journal = JournalFile.open(tmp_path / "table.sqlite", "T1")
    key = make_key(tmp_path / "table.key", journal.origin, SEED)
    keeper = kept(journal, config)
    for seq in range(1, 100):
        journal.append([entry(seq)])
    journal.append([entry(100)._replace(snapshot=b"the end")])
    keeper.close()
    path = kept_at(config)
    assert path is not None
    note = read_head(path)
    assert note.head == journal.head()
    assert note.head.size == 100
    assert keeper.newest == note
    assert key.public(journal.origin).signed(note)
    assert against_kept(journal, config) == ""
    journal.close()


def test_a_medium_that_is_not_there_keeps_nobody_waiting_and_is_told_once(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    logged = mocker.patch("controller.journal.heads.log.error")
    keeper = HeadKeeper(None, tmp_path / "gone" / "t1.head")
    keeper._keep(HEAD)
    keeper._keep(HEAD._replace(size=13))
    keeper.close()
    assert logged.call_count == 1
    assert "cannot be kept there" in keeper.failed
    assert keeper.newest == Note(HEAD._replace(size=13))


def test_a_kept_head_that_differs_is_told_and_never_overwritten(tmp_path: Path) -> None:
    config = table(tmp_path)
    journal = JournalFile.open(tmp_path / "table.sqlite", "T1")
    make_key(tmp_path / "table.key", journal.origin, SEED)
    path = kept_at(config)
    assert path is not None
    put(Note(Head(journal.origin, 5, hashlib.sha256(b"other").digest())), path)
    before = path.read_bytes()
    journal.append([entry(seq) for seq in range(1, 8)])
    told = against_kept(journal, config)
    assert "event 5 or an earlier one is not what it was" in told
    assert str(path) in told
    keeper = kept(journal, config, differs=True)
    journal.append([entry(8)._replace(snapshot=b"x")])
    keeper.close()
    assert path.read_bytes() == before
    journal.close()


def test_a_second_machine_under_one_name_is_told_while_both_play(tmp_path: Path) -> None:
    config = table(tmp_path)
    journal = JournalFile.open(tmp_path / "table.sqlite", "T1")
    make_key(tmp_path / "table.key", journal.origin, SEED)
    journal.append([entry(seq) for seq in range(1, 8)])
    journal.close()
    shutil.copy(tmp_path / "table.sqlite", tmp_path / "copied.sqlite")  # a card that was copied
    ours, theirs = (JournalFile.open(tmp_path / f"{name}.sqlite", "T1") for name in ("table", "copied"))
    told: list[str] = []
    keeper, other = kept(ours, config, twin=told.append), kept(theirs, config, twin=told.append)
    keeper.close()
    other.close()
    ours.append([entry(8)._replace(snapshot=b"x")])
    keeper._keep(ours.head())
    path = kept_at(config)
    assert path is not None
    theirs.append([entry(9)._replace(snapshot=b"y")])
    other._keep(theirs.head())
    assert len(told) == 1
    assert "event 8 or an earlier one is not what it was" in told[0]
    assert read_head(path).head == ours.head()


def test_a_medium_with_an_older_head_of_this_table_is_kept_on(tmp_path: Path) -> None:
    config = table(tmp_path)
    journal = JournalFile.open(tmp_path / "table.sqlite", "T1")
    make_key(tmp_path / "table.key", journal.origin, SEED)
    journal.append([entry(1)])
    older = Note(journal.head())
    told: list[str] = []
    kept(journal, config, twin=told.append).close()
    path = kept_at(config)
    assert path is not None
    keeper = kept(journal, config, twin=told.append)
    keeper.close()
    put(older, path)  # yesterday's stick
    journal.append([entry(2)._replace(snapshot=b"y")])
    keeper._keep(journal.head())
    assert told == []
    assert read_head(path).head == journal.head()


def test_a_table_whose_key_stayed_on_another_machine_plays_on_with_unsigned_heads(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    logged = mocker.patch("controller.journal.heads.log.error")
    config = table(tmp_path)
    journal = JournalFile.open(tmp_path / "table.sqlite", "T1")
    keeper = kept(journal, config)
    journal.append([entry(1)._replace(snapshot=b"x")])
    keeper.close()
    assert keeper.newest == Note(journal.head())
    assert logged.call_args.args == ("no_signing_key",)
    journal.close()


def test_a_head_is_printed_and_checked_from_the_command_line(long: Path, tmp_path: Path) -> None:
    key = make_key(tmp_path / "table.key", JournalFile.read_only(long).origin, SEED)
    printed = CliRunner().invoke(main, ["journal", "head", str(long), "--key", str(tmp_path / "table.key")])
    assert printed.exit_code == 0, printed.output
    (tmp_path / "kept.head").write_text(printed.output)
    assert key.public(read_note(printed.output).head.origin).signed(read_note(printed.output))
    words = ["journal", "verify", str(long), "--head", str(tmp_path / "kept.head")]
    checked = CliRunner().invoke(main, words)
    assert checked.exit_code == 0, checked.output
    assert "events up to 700 are those of the head kept outside" in checked.output
    assert "unproved" not in checked.output
