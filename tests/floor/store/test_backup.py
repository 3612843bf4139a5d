"""A floor is put back as it was from its backup, into whichever database; a backup that is none is refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.journal.cosignature import read_witness_key
from floor.config import read_floor
from floor.store.backup import backup, restore
from floor.store.database import StoreTrouble, opened
from floor.store.schema import ROWS
from lab.floor.server import NatsServer
from tests.floor.running import floor_file, listening, sizes
from tests.floor.store.filled import filled, whole
from tests.floor.store.postgres import Postgres
from tests.uplinks import Writer, until

TOML = '[floor]\nname = "T"\nstore = "{store}"\n[broker]\nservers = ["nats://127.0.0.1:1"]\n'


def floor_at(folder: Path, store: str = "sqlite:///floor.db") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "floor.toml").write_text(TOML.format(store=store), "utf-8")
    return folder / "floor.toml"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A floor of three tables with a key and staff, backed up."""
    path = floor_at(tmp_path / "one")
    done = CliRunner().invoke(main, ["floor", "key", "--config", str(path)])
    assert done.exit_code == 0, done.output
    filled(read_floor(path).floor.store)._engine.dispose()
    (path.parent / "staff.json").write_text("{}")
    done = CliRunner().invoke(main, ["floor", "backup", "--config", str(path), "--to", str(tmp_path / "backup")])
    assert done.exit_code == 0, done.output
    assert "3 journals" in done.output
    return tmp_path


@pytest.mark.parametrize("where", ["sqlite", "postgresql"])
def test_a_floor_is_put_back_as_it_was_into_either_database(kept: Path, where: str) -> None:
    server = Postgres() if where == "postgresql" else None
    if server is not None:
        server.start()
    path = floor_at(kept / "two", server.url if server is not None else "sqlite:///floor.db")
    done = CliRunner().invoke(main, ["floor", "restore", str(kept / "backup"), "--config", str(path)])
    assert done.exit_code == 0, done.output
    engines = [opened(read_floor(each / "floor.toml").floor.store) for each in (kept / "one", kept / "two")]
    assert whole(engines[0]) == whole(engines[1])
    assert (kept / "two" / "floor.key").read_bytes() == (kept / "one" / "floor.key").read_bytes()
    assert (kept / "two" / "staff.json").exists()
    for engine in engines:
        engine.dispose()
    again = CliRunner().invoke(main, ["floor", "restore", str(kept / "backup"), "--config", str(path)])
    assert "the store has journals already" in again.output
    if server is not None:
        server.stop()


def test_a_backup_that_was_changed_is_refused(kept: Path) -> None:
    config = read_floor(floor_at(kept / "two"))
    with (kept / "backup" / "tables").open("w") as file:
        file.write("another key\n")
    (kept / "backup" / "manifest.json").write_text(
        (kept / "backup" / "manifest.json").read_text().replace('"staff"', '"tables": "00", "staff"')
    )
    with pytest.raises(StoreTrouble, match="is not what was backed up"):
        restore(config, kept / "backup")
    with pytest.raises(StoreTrouble, match="no backup of a floor"):
        restore(config, kept)


def test_a_store_whose_chain_is_broken_makes_no_backup(tmp_path: Path) -> None:
    path = floor_at(tmp_path / "one")
    intake = filled(read_floor(path).floor.store)
    with intake._engine.begin() as store:
        store.execute(ROWS.update().where(ROWS.c.journal == 2, ROWS.c.seq == 9).values(body=b"{}"))
    intake._engine.dispose()
    with pytest.raises(StoreTrouble, match="event 9 was altered"):
        backup(read_floor(path), path, tmp_path / "backup")
    with pytest.raises(StoreTrouble, match="has a folder of its own"):
        backup(read_floor(path), path, tmp_path / "backup")


def test_a_restored_floor_hears_from_the_stream_what_came_since_its_backup(server: NatsServer, tmp_path: Path) -> None:
    table = Writer(tmp_path, server.url)
    path = floor_file(tmp_path, server, table)
    with listening(path):
        table.write(50)
        table.connect()
        until(lambda: sizes(tmp_path) == {table.journal.origin: 50})
        backup(read_floor(path), path, tmp_path / "backup")
        table.write(50)
        until(lambda: sizes(tmp_path) == {table.journal.origin: 100})
    for each in tmp_path.glob("floor.db*"):
        each.unlink()
    restore(read_floor(path), tmp_path / "backup")
    assert sizes(tmp_path) == {table.journal.origin: 50}
    with listening(path):
        until(lambda: sizes(tmp_path) == {table.journal.origin: 100})
    table.close()


def test_a_lost_key_is_told_and_a_new_one_is_made_only_on_purpose(kept: Path) -> None:
    path = kept / "one" / "floor.toml"
    (kept / "one" / "floor.key").unlink()
    lost = CliRunner().invoke(main, ["floor", "key", "--config", str(path)])
    assert lost.exit_code == 2
    assert "restore" in lost.output
    assert "--new" in lost.output
    assert not (kept / "one" / "floor.key").exists()
    new = CliRunner().invoke(main, ["floor", "key", "--new", "--config", str(path)])
    assert new.exit_code == 0, new.output
    assert read_witness_key(kept / "one" / "floor.key").public.text() in new.output
    shutil.rmtree(kept / "backup")
