"""A table's whole state as a folder, taken while play goes on, and put in place on a spare machine."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from controller import games
from controller.config.file import check_config, read_config
from controller.config.types import TableConfig
from controller.journal.anew import sync, sync_folder
from controller.journal.file import JournalFile, JournalTrouble
from controller.journal.head import slug
from controller.pi.evidence import EvidenceTrouble, must_be_there

SUMS = "SHA256SUMS"
JOURNAL = "journal.db"
CONFIG = "table.toml"
PAGES = 2048  # copied at a time, so that the card also has time for play
PAUSE_S = 0.02


class Backup(msgspec.Struct, frozen=True):
    """What a backup holds."""

    folder: str
    table: str
    events: int
    head: str


def belongings(config: TableConfig) -> dict[str, Path]:
    """Everything besides the journal that a table cannot play on without: its name in a backup, and where it lies."""
    data = Path(config.table.journal).parent
    found = {"staff.json": config.staff_file(), "staff.key": config.key_file(), "screens.json": data / "screens.json"}
    named = {
        "chips.register": config.chips.register,
        "players.csv": config.people.players,
        "web.crt": config.table.certificate,
        "web.key": config.table.certificate_key,
        **{name: getattr(config.play, field) for field, name in games.find(config.table.game).files.items()},
    }
    return found | {name: Path(path) for name, path in named.items() if path}


def secret(name: str) -> bool:
    """Whether only the table's own user may read this."""
    return name.startswith("keys/") or name.endswith((".key", ".json"))


def backup(config_path: Path, to: Path, now: int) -> Backup:
    """Copy the table into a new folder below `to`; the journal as it stands at this moment, checked."""
    config = check_config(config_path)
    journal = Path(config.table.journal)
    stamp = datetime.fromtimestamp(now / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
    folder = to / f"{slug(config.table.name)}-{stamp}"
    part = folder.with_name(folder.name + ".part")
    if folder.exists():
        raise EvidenceTrouble(f"{folder}: is there already; wait a second, or choose another folder")
    must_be_there(to)
    try:
        part.mkdir(mode=0o700)
        (part / "keys").mkdir(mode=0o700)
        copy_journal(journal, part / JOURNAL)
        copied = JournalFile.read_only(part / JOURNAL)
        copied.verify()
        done = Backup(str(folder), config.table.name, copied.last_seq, copied.hash_at(copied.last_seq).hex())
        copied.close()
        shutil.copyfile(config_path, part / CONFIG)
        for name, path in belongings(config).items():
            if path.is_file():
                shutil.copy2(path, part / name)
        for path in sorted((journal.parent / "keys").glob("*")):
            if path.is_file():
                shutil.copy2(path, part / "keys" / path.name)
        facts = {"table": done.table, "events": done.events, "head": done.head, "journal": journal.name, "at": now}
        (part / "backup.json").write_text(json.dumps(facts) + "\n")
        _write_sums(part)
        os.replace(part, folder)
        os.sync()  # a stick is pulled out as soon as this is done
    except OSError as error:
        where = error.filename or folder
        raise EvidenceTrouble(f"{where}: cannot be copied ({error.strerror}); check space and rights") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return done


def copy_journal(source: Path, to: Path) -> None:
    """A consistent copy of a journal that is being written; its writer never waits for this."""
    if not source.exists():
        raise JournalTrouble(f"{source}: no such journal; nothing to back up")
    reading = sqlite3.connect(f"file:{source}?mode=ro", uri=True, isolation_level=None)
    writing = sqlite3.connect(to, isolation_level=None)
    try:
        reading.execute("BEGIN")
        reading.execute("SELECT max(seq) FROM entries").fetchone()  # from here on this connection sees one moment
        reading.backup(writing, pages=PAGES, sleep=PAUSE_S)
        reading.execute("ROLLBACK")
        writing.execute("PRAGMA journal_mode=DELETE")  # one file, whole in itself
    except sqlite3.Error as error:
        raise EvidenceTrouble(f"{source}: cannot be copied ({error}); check space and rights at {to.parent}") from error
    finally:
        writing.close()
        reading.close()
    with to.open("rb") as file:
        os.fsync(file.fileno())


def check_backup(folder: Path) -> Backup:
    """Check sums and chain of a backup."""
    try:
        lines = (folder / SUMS).read_text("utf-8").splitlines()
        expected = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
        if set(expected) != set(_names(folder)):
            odd = sorted(set(expected) ^ set(_names(folder)))
            raise EvidenceTrouble(f"{folder}: {odd[0]} is missing or was added; take another backup")
        for name, digest in expected.items():
            if _digest(folder / name) != digest:
                raise EvidenceTrouble(f"{folder / name}: does not fit its check sum; take another backup")
        facts = json.loads((folder / "backup.json").read_text())
    except (OSError, ValueError) as error:
        raise EvidenceTrouble(f"{folder}: not a whole backup ({error}); take another one") from error
    journal = JournalFile.read_only(folder / JOURNAL)
    journal.verify()
    head = journal.hash_at(journal.last_seq).hex()
    journal.close()
    if (journal.last_seq, head) != (facts["events"], facts["head"]):
        raise EvidenceTrouble(f"{folder}: the journal ends elsewhere than the backup says; take another backup")
    return Backup(str(folder), facts["table"], facts["events"], head)


def restore(folder: Path, config_path: Path) -> Backup:
    """Make this machine the table of a checked backup; refuses to touch a journal that is already there."""
    found = check_backup(folder)
    data = Path(read_config(folder / CONFIG, config_path.parent).table.journal).parent
    if not data.is_dir():
        raise EvidenceTrouble(f"{data}: the data directory is not there; install the program first, or mount it")
    config = read_config(folder / CONFIG, config_path.parent)
    journal = Path(config.table.journal)
    for path in (journal, data / "keys", config.staff_file(), config.key_file()):
        if path.exists():
            raise EvidenceTrouble(f"{path}: is there already; move it aside and keep it, then restore again")
    try:
        _place(folder, data, config, config_path)
    except OSError as error:
        raise EvidenceTrouble(
            f"{error.filename}: cannot be written ({error.strerror}); run this as root, and check the space"
        ) from error
    return msgspec.structs.replace(found, folder=str(data))


def _place(folder: Path, data: Path, config: TableConfig, config_path: Path) -> None:
    owner, journal = data.stat(), Path(config.table.journal)
    part = journal.with_name(journal.name + ".part")
    shutil.copyfile(folder / JOURNAL, part)
    _count_restore(part)
    placed = [part]
    targets = belongings(config) | {
        name: data / name for name in _names(folder) if name.startswith("keys/") and name.count("/") == 1
    }
    for name, target in targets.items():
        if (folder / name).is_file():
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _aside(target, folder / name)
            shutil.copyfile(folder / name, target)
            os.chmod(target, 0o600 if secret(name) else 0o640)
            placed += [target, *([target.parent] if name.startswith("keys/") else [])]
    _aside(config_path, folder / CONFIG)
    shutil.copyfile(folder / CONFIG, config_path)
    if os.geteuid() == 0:
        for path in placed:
            if path != data:
                os.chown(path, owner.st_uid, owner.st_gid)
        parent = config_path.parent.stat()
        os.chown(config_path, parent.st_uid, owner.st_gid)
        os.chmod(config_path, 0o640)
    for path in (*placed, config_path):
        sync(path)
    os.replace(part, journal)  # last: a restore that was cut off has left no journal to play on
    for folder in {path.parent for path in (*placed, config_path)}:
        sync_folder(folder)


def _aside(path: Path, instead: Path) -> None:
    """What is there and says something else is kept beside it."""
    if path.exists() and path.read_bytes() != instead.read_bytes():
        os.replace(path, path.with_name(path.name + ".before-restore"))


def _count_restore(path: Path) -> None:
    """Orders to devices get new numbers after a restore: those of before may have been used since the backup."""
    with sqlite3.connect(path) as connection:
        found = connection.execute("SELECT value FROM meta WHERE key = 'restores'").fetchone()
        count = int(found[0]) + 1 if found else 1
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('restores', ?)", (str(count),))
    connection.close()


def _names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.name != SUMS)


def _write_sums(folder: Path) -> None:
    lines = [f"{_digest(folder / name)}  {name}\n" for name in _names(folder)]
    (folder / SUMS).write_text("".join(lines))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
