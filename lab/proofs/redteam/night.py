"""A night at a table whose head was kept outside before its last round, and what is found of it when rewritten."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from click.testing import CliRunner, Result

from controller.commands import main
from controller.config.types import TableConfig
from controller.core import guarded
from controller.journal.file import JournalFile, JournalTrouble
from controller.journal.head import make_key
from controller.journal.heads import against_kept, kept_at, put
from lab.proofs.redteam.forger import Forger
from lab.proofs.redteam.tampers import ONLY_ON_THE_WAY, Tamper
from lab.sim.config import default_config
from lab.sim.table import play_rounds, shift_for

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
    return msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, **changes))


def night_in(folder: Path) -> Night:
    """Some hundred events, the head of which is outside, and a round after it."""
    before, guarded.SNAPSHOT_EVERY = guarded.SNAPSHOT_EVERY, 60
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
    path = kept_at(config)
    assert path is not None
    return path


def stolen_copy(night: Night, folder: Path) -> Forger:
    """A copy in the hands of the forger, with the other journals beside it."""
    for path in night.folder.glob("*.sqlite"):
        shutil.copyfile(path, folder / path.name)
    return Forger(folder / ORIGINAL)


def verify(path: Path, *words: str) -> Result:
    """What `tablectl journal verify` says."""
    return CliRunner().invoke(main, ["journal", "verify", str(path), *words])


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


def told_on_the_way(path: Path) -> str:
    """What the chain check says, which follows all rows while the table runs."""
    journal = JournalFile.read_only(path)
    try:
        journal.verify(1, 256)
    except JournalTrouble as trouble:
        return str(trouble)
    finally:
        journal.close()
    return ""


def not_found(night: Night, tamper: Tamper, folder: Path) -> list[str]:
    """Who did not find that this was done to the night."""
    forger = stolen_copy(night, folder)
    tamper(forger, night.size)
    found = verify(forger.path, "--head", str(outside(night.config)), "--key", night.key)
    blind = []
    if found.exit_code != 1 or str(forger.path) not in found.output or "Traceback" in found.output:
        blind.append(f"verify said of {tamper.__name__}: {found.output.strip()}")
    told = told_on_the_way(forger.path) if tamper in ONLY_ON_THE_WAY else told_at_start(forger.path, night.config)
    if "evidence" not in told and "start a new one" not in told:
        blind.append(f"the table said of {tamper.__name__}: {told or 'nothing'}")
    return blind
