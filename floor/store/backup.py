"""A copy of the floor that can be put back: its store as one file, whatever database it lies in, its keys and files."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import msgspec
from sqlalchemy import Connection, Engine, create_engine, func, select

from floor.config import FloorConfig
from floor.store.check import checked
from floor.store.database import StoreTrouble, opened
from floor.store.schema import JOURNALS, METADATA, ROWS

STORE, MANIFEST = "store.db", "manifest.json"
FILES = ("key", "tables", "staff", "certificate", "certificate_key")
"""What `floor.toml` names in [floor] and a floor cannot go on without."""
AT_ONCE = 5_000


class Manifest(msgspec.Struct, frozen=True):
    """What a backup holds: rows and journals, and the hash of every file in it."""

    rows: int
    journals: int
    files: dict[str, str]


def backup(config: FloorConfig, toml: Path, to: Path) -> Manifest:
    """Copy the floor into a new folder while it runs; the chains of the copy are followed before it is called one."""
    try:
        to.mkdir(parents=True)
    except FileExistsError as error:
        raise StoreTrouble(f"{to}: is there already; every backup has a folder of its own") from error
    to.chmod(0o700)
    source, target = opened(config.floor.store), opened(f"sqlite:///{(to / STORE).absolute()}")
    with source.connect() as here:
        if here.dialect.name == "postgresql":
            here = here.execution_options(isolation_level="REPEATABLE READ")  # one moment for all tables
        _copy(here, target)
    source.dispose()
    rows, journals = _sound(target, to)
    target.dispose()
    shutil.copy2(toml, to / "floor.toml")
    for name in FILES:
        if (path := Path(getattr(config.floor, name) or "none")).is_file():
            shutil.copy2(path, to / name)
    manifest = Manifest(rows, journals, {each.name: _digest(each) for each in sorted(to.iterdir())})
    (to / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)))
    for each in to.iterdir():
        _on_disk(each)
    return manifest


def restore(config: FloorConfig, backup: Path) -> Manifest:
    """Put a backup back: into an empty store, and its files where none are. The stream tells what came since."""
    manifest = _read(backup)
    kept = {name: Path(getattr(config.floor, name)) for name in FILES if (backup / name).is_file()}
    if there := [path for name, path in kept.items() if path.is_file() and _digest(path) != manifest.files[name]]:
        raise StoreTrouble(f"{there[0]}: is there already, and another than in the backup; move it away first")
    source, target = create_engine(f"sqlite:///{(backup / STORE).absolute()}"), opened(config.floor.store)
    try:
        with target.connect() as store:
            if store.execute(select(func.count()).select_from(JOURNALS)).scalar():
                raise StoreTrouble("the store has journals already; a backup goes into an empty one: name a new store")
        with source.connect() as here:
            _copy(here, target)
        _sound(target, backup)
    finally:
        source.dispose()
        target.dispose()
    for name, path in kept.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(backup / name, path)
    return manifest


def _read(backup: Path) -> Manifest:
    try:
        manifest = msgspec.json.decode((backup / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError) as error:
        raise StoreTrouble(f"{backup}: no backup of a floor, or not the whole of it ({error})") from error
    for name, digest in manifest.files.items():
        if not (backup / name).is_file() or _digest(backup / name) != digest:
            raise StoreTrouble(f"{backup / name}: is not what was backed up; take another backup")
    return manifest


def _copy(here: Connection, target: Engine) -> None:
    """Every table, in an order in which each finds what it refers to."""
    with here.begin(), target.begin() as there:
        for table in METADATA.sorted_tables:
            found = here.execution_options(yield_per=AT_ONCE).execute(select(table)).mappings()
            for part in found.partitions():
                there.execute(table.insert(), [dict(one) for one in part])


def _sound(engine: Engine, where: Path) -> tuple[int, int]:
    """How many rows of how many journals the copy has; StoreTrouble when a chain in it is broken."""
    wrong = [one for one in checked(engine) if one.wrong]
    if wrong:
        raise StoreTrouble(f"{where}: {wrong[0].origin}: {wrong[0].wrong}; look at the store: tablectl floor check")
    with engine.connect() as store:
        rows = store.execute(select(func.count()).select_from(ROWS)).scalar() or 0
        return rows, store.execute(select(func.count()).select_from(JOURNALS)).scalar() or 0


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _on_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
