"""A table's whole state as a folder, taken while play goes on, and put in place on a spare machine."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from controller import games, kept_file
from controller.config.file import check_config, read_config
from controller.config.types import TableConfig
from controller.journal.anew import sync, sync_folder
from controller.journal.file import JournalFile, JournalTrouble
from controller.journal.head import Head, PublicKey, read_head, slug
from controller.journal.heads import key_of
from controller.pi.evidence import EvidenceTrouble, must_be_there
from controller.rules import FOLDER

SUMS = "SHA256SUMS"
JOURNAL = "journal.db"
CONFIG = "table.toml"
SIGNATURE = "SHA256SUMS.signed"
INSTALLED, DATA = Path("/etc/tablectl"), Path("/var/lib/tablectl")
PAGES = 2048  # copied at a time, so that the card also has time for play
PAUSE_S = 0.02


class Backup(msgspec.Struct, frozen=True):
    """What a backup holds."""

    folder: str
    table: str
    events: int
    head: str


FOLDERS = ("keys", FOLDER)
"""Folders beside the journal of which every file goes with the table: keys of its devices, amended rulebooks."""


BY_ROOT = ("upkeep.conf",)
"""What root's own work reads: no stick has it written, whatever its table.toml names so."""


def belongings(config: TableConfig) -> dict[str, Path]:
    """Everything besides the journal that a table cannot play on without: its name in a backup, and where it lies."""
    data = Path(config.table.journal).parent
    found = {"staff.json": config.staff_file(), "staff.key": config.key_file(), "screens.json": data / "screens.json"}
    found["players.key"] = config.player_key_file()
    named = {
        "chips.register": config.chips.register,
        "players.csv": config.people.players,
        "web.crt": config.table.certificate,
        "web.key": config.table.certificate_key,
        "uplink.key": config.uplink.nkey if config.uplink is not None else "",
        "uplink.crt": config.uplink.ca if config.uplink is not None else "",
        "metrics.key": config.metrics.token if config.metrics is not None else "",
        **{name: getattr(config.play, field) for field, name in games.find(config.table.game).files.items()},
    }
    return found | {name: Path(path) for name, path in named.items() if path}


def belongings_of_card(config: TableConfig) -> dict[str, Path]:
    """The same and the key that the table signs with, which is in no backup: it moves with the card it lay on."""
    key = config.table.signing_key
    return belongings(config) | ({"table.key": Path(key)} if key else {})


def secret(name: str) -> bool:
    """Whether only the table's own user may read this."""
    return name.startswith("keys/") or name.endswith((".key", ".json")) or name == "players.csv"


def backup(config_path: Path, to: Path, now: int) -> Backup:
    """Copy the table into a new folder below `to`; the journal as it stands at this moment, checked."""
    return _taken(check_config(config_path), config_path, Path("/"), to, now)


def backup_of_card(card: Path, config_path: Path, to: Path, now: int) -> Backup:
    """The same of the card of a dead machine, mounted at `card`, with the key that its table signs with."""
    file = _under(card, config_path)
    if not file.is_file():
        raise EvidenceTrouble(f"{card}: no backup, and no card of a table, which has {file}; mount the right one")
    return _taken(read_config(file, config_path.parent), file, card, to, now)


def _under(root: Path, path: Path) -> Path:
    """Where a path of the machine lies whose disk is mounted at `root`; a link there would lead to this machine."""
    if root == Path("/"):
        return path
    found = root / path.relative_to("/")
    links = [each for each in (found, *found.parents) if root in each.parents and each.is_symlink()]
    if links:
        raise EvidenceTrouble(f"{links[0]}: a link, and no table's card has one there; do not trust it")
    return found


def _no_way_out(root: Path, path: Path) -> Path:
    return path if root == Path("/") else _under(root, Path("/") / path.relative_to(root))


def _taken(config: TableConfig, config_path: Path, root: Path, to: Path, now: int) -> Backup:
    journal = _under(root, Path(config.table.journal))
    stamp = datetime.fromtimestamp(now / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
    folder = to / f"{slug(config.table.name)}-{stamp}"
    part = folder.with_name(folder.name + ".part")
    if folder.exists():
        raise EvidenceTrouble(f"{folder}: is there already; wait a second, or choose another folder")
    must_be_there(to)
    try:
        part.mkdir(mode=0o700)
        for whole in FOLDERS:
            (part / whole).mkdir(mode=0o700)
        if root == Path("/"):
            copy_journal(journal, part / JOURNAL)
        else:
            _copy_still_journal(journal, part / JOURNAL)
        copied = JournalFile.read_only(part / JOURNAL)
        copied.verify()
        done = Backup(str(folder), config.table.name, copied.last_seq, copied.hash_at(copied.last_seq).hex())
        copied.close()
        _copy(config_path, part / CONFIG)
        for name, path in (belongings(config) if root == Path("/") else belongings_of_card(config)).items():
            if _under(root, path).is_file():
                _copy(_under(root, path), part / name)
        for path in (path for whole in FOLDERS for path in sorted((journal.parent / whole).glob("*"))):
            if path.is_file():
                _copy(_no_way_out(root, path), part / path.parent.name / path.name)
        facts = {"table": done.table, "events": done.events, "head": done.head, "journal": journal.name, "at": now}
        _write(part / "backup.json", json.dumps(facts) + "\n")
        _write(part / SUMS, "".join(f"{_digest(part / name)}  {name}\n" for name in _names(part)))
        if root == Path("/") and (key := key_of(config)) is not None:
            _write(part / SIGNATURE, key.sign(_head_of(part, copied.origin, done.events)).text())
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
    os.close(kept_file.create(to))
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


def _copy_still_journal(source: Path, to: Path) -> None:
    """A journal that nobody writes any more, with what its log still holds; the card it lies on may be read-only."""
    if not source.is_file():
        raise JournalTrouble(f"{source}: no such journal; the card holds no night to go on with")
    aside = to.with_name("still.db")
    for end in ("", "-wal"):
        if (log := source.with_name(source.name + end)).is_file():
            kept_file.no_link(log)
            with open(kept_file.create(aside.with_name(aside.name + end)), "wb") as copy, log.open("rb") as reading:
                shutil.copyfileobj(reading, copy)
    sqlite3.connect(aside).execute("SELECT count(*) FROM meta").connection.close()  # takes over what the log holds
    copy_journal(aside, to)
    for path in to.parent.glob("still.db*"):
        path.unlink()


def _copy(source: Path, to: Path) -> None:
    _write(to, source.read_bytes())


def _write(path: Path, octets: str | bytes) -> None:
    with open(kept_file.create(path), "wb") as file:
        file.write(octets.encode() if isinstance(octets, str) else octets)


def _head_of(folder: Path, origin: str, events: int) -> Head:
    """What is signed of a backup: the digest of its list of digests."""
    return Head(f"{origin}/backup", events, hashlib.sha256((folder / SUMS).read_bytes()).digest())


def check_backup(folder: Path, key: PublicKey | None = None) -> Backup:
    """Check sums and chain of a backup, and with a key that this table made it."""
    links = [path for path in folder.rglob("*") if path.is_symlink()]
    if links:
        raise EvidenceTrouble(f"{links[0]}: a link, and no backup has one; do not trust this folder")
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
    if key is not None:
        _check_signed(folder, key, _head_of(folder, journal.origin, journal.last_seq))
    return Backup(str(folder), facts["table"], facts["events"], head)


def _check_signed(folder: Path, key: PublicKey, head: Head) -> None:
    if not (folder / SIGNATURE).is_file():
        raise EvidenceTrouble(f"{folder}: not signed; set signing_key at the table and take another backup")
    note = read_head(folder / SIGNATURE)
    if note.head != head or not PublicKey(f"{key.name}/backup", key.octets).signed(note):
        raise EvidenceTrouble(f"{folder}: not signed by the table of this key; do not trust this folder")


def data_folder(config_path: Path) -> Path:
    """Where the table of this configuration keeps its data on this machine, whatever a backup says."""
    return DATA if config_path.parent == INSTALLED else config_path.parent / "data"


def restore(
    folder: Path,
    config_path: Path,
    *,
    data: Path | None = None,
    also: tuple[Path, ...] = (),
    key: PublicKey | None = None,
) -> Backup:
    """Make this machine the table of a checked backup; refuses to touch a journal that is already there.

    Nothing is written but the configuration and what lies in the data folder, and in the folders of `also`.
    """
    found = check_backup(folder, key)
    data = data or data_folder(config_path)
    if not data.is_dir():
        raise EvidenceTrouble(f"{data}: the data directory is not there; install the program first, or mount it")
    config = read_config(folder / CONFIG, config_path.parent)
    journal = Path(config.table.journal)
    if journal.parent.resolve() != data.resolve():
        raise EvidenceTrouble(
            f"{journal}: the backup wants its journal there, and this machine keeps data in {data}; give the folder "
            "with --data if it is right"
        )
    targets = _targets(folder, data, config)
    for target in (journal, config_path, *targets.values()):
        _inside(target, (data, *also) if target != config_path else (config_path.parent,))
    for path in (journal, *_others(folder, data, config, targets)):
        if path.exists():
            raise EvidenceTrouble(f"{path}: is there already; move it aside and keep it, then restore again")
    try:
        _place(folder, data, journal, targets, config_path)
    except OSError as error:
        raise EvidenceTrouble(
            f"{error.filename}: cannot be written ({error.strerror}); run this as root, and check the space"
        ) from error
    return msgspec.structs.replace(found, folder=str(data))


def _targets(folder: Path, data: Path, config: TableConfig) -> dict[str, Path]:
    """Where each file of the backup belongs, besides journal and configuration."""
    whole = {name: data / name for name in _names(folder) if str(Path(name).parent) in FOLDERS}
    return {name: path for name, path in (belongings_of_card(config) | whole).items() if (folder / name).is_file()}


def _others(folder: Path, data: Path, config: TableConfig, targets: dict[str, Path]) -> Iterator[Path]:
    """People and keys of somebody else; what a restore placed that was cut short is this table's own."""
    ours = {path: folder / name for name, path in targets.items()}
    kept = [path for whole in FOLDERS for path in sorted((data / whole).glob("*"))]
    for path in (*kept, config.staff_file(), config.key_file()):
        fresh = path.suffix == ".new" and path.with_suffix("") in ours  # cut short while it was written
        if path.is_file() and not fresh and (path not in ours or path.read_bytes() != ours[path].read_bytes()):
            yield path


def _inside(target: Path, allowed: tuple[Path, ...]) -> None:
    """Refuse to write anywhere else, or through a link."""
    root = next((each for each in allowed if _below(target, each)), None)
    if root is None or target.name in BY_ROOT:
        raise EvidenceTrouble(
            f"{target}: the backup wants to write there, outside the table's data; nothing was restored: allow the "
            f"folder with --also {target.parent} if it is right"
        )
    for path in (target, *target.parents):
        if path == root:
            return
        if path.is_symlink():
            raise EvidenceTrouble(f"{path}: is a link; nothing was restored: remove it, and find out who laid it there")


def _below(target: Path, root: Path) -> bool:
    return ".." not in target.parts and root in target.parents


def _place(folder: Path, data: Path, journal: Path, targets: dict[str, Path], config_path: Path) -> None:
    owner, parent = data.stat(), config_path.parent.stat()
    part = journal.with_name(journal.name + ".part")
    part.unlink(missing_ok=True)
    with open(kept_file.create(part), "wb") as copy, (folder / JOURNAL).open("rb") as source:
        shutil.copyfileobj(source, copy)
        if os.geteuid() == 0:
            os.fchown(copy.fileno(), owner.st_uid, owner.st_gid)
    _count_restore(part)
    for name, target in targets.items():
        _make_folder(target.parent, owner)
        _aside(target, folder / name)
        kept_file.put(target, (folder / name).read_bytes(), 0o600 if secret(name) else 0o640, owner)
    _aside(config_path, folder / CONFIG)
    group = os.stat_result((*parent[:5], owner.st_gid, *parent[6:10]))
    kept_file.put(config_path, (folder / CONFIG).read_bytes(), 0o640, group)
    sync(part)
    os.replace(part, journal)  # last: a restore that was cut off has left no journal to play on
    for one in {path.parent for path in (journal, config_path, *targets.values())}:
        sync_folder(one)


def _make_folder(folder: Path, owner: os.stat_result) -> None:
    if folder.is_dir():
        return
    folder.mkdir(mode=0o700, parents=True)
    if os.geteuid() == 0:
        os.chown(folder, owner.st_uid, owner.st_gid, follow_symlinks=False)


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
    found = (path for path in folder.rglob("*") if path.is_file() and path.name not in (SUMS, SIGNATURE))
    return sorted(str(path.relative_to(folder)) for path in found)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
