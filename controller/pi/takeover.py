"""One machine takes the table of another that is dead: from its backup, the newest of a folder of them, or its card."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from controller.config.file import read_config
from controller.journal.file import JournalFile
from controller.journal.head import PublicKey, read_key
from controller.pi import spare
from controller.pi.evidence import EvidenceTrouble, must_be_there

ASIDE = ".replace-"
"""How the folder begins in which a card is looked at before anything of it is put in place."""


def take_over(
    source: Path, config_path: Path, now: int, *, also: tuple[Path, ...] = (), key: PublicKey | None = None
) -> spare.Backup:
    """Make this machine the table that lies at `source`; with a key, only the table whose key it is."""
    must_be_there(source)
    config_path = config_path.absolute()
    data = spare.data_folder(config_path)
    also = (config_path.parent, *also)  # keys that table.toml names beside itself
    if (folder := newest_backup(source)) is not None:
        return spare.restore(folder, config_path, data=data, also=also, key=key)
    with _aside(data) as room:
        taken = Path(spare.backup_of_card(source, config_path, room, now).folder)
        if key is not None:
            _check_card(taken, config_path, key)
        return spare.restore(taken, config_path, data=data, also=also)


def newest_backup(source: Path) -> Path | None:
    """The backup that lies there, or the newest of them; nothing where it is no backup at all."""
    if (source / spare.SUMS).is_file():
        return source
    found = sorted(_backups(source))
    tables = sorted({table for _, table, _ in found})
    if len(tables) > 1:
        names = ", ".join(folder.name for _, _, folder in found)
        raise EvidenceTrouble(f"{source}: holds backups of {' and '.join(tables)}; name the folder of yours: {names}")
    return found[-1][2] if found else None


def _backups(source: Path) -> Iterator[tuple[int, str, Path]]:
    """When each was taken, of which table, and where it lies."""
    for path in sorted(source.glob("*/backup.json")):
        if path.parent.suffix == ".part":
            continue
        try:
            facts = json.loads(path.read_text())
            yield int(facts["at"]), str(facts["table"]), path.parent
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise EvidenceTrouble(f"{path}: not as a backup writes it ({error}); name the folder to take") from error


@contextlib.contextmanager
def _aside(data: Path) -> Iterator[Path]:
    """Room on the table's own disk; what a power cut left of an earlier try goes first."""
    if not data.is_dir():
        raise EvidenceTrouble(f"{data}: the data directory is not there; install the program first, or mount it")
    for left in data.glob(f"{ASIDE}*"):
        shutil.rmtree(left, ignore_errors=True)
    try:
        made = tempfile.mkdtemp(prefix=ASIDE, dir=data)
    except OSError as error:
        raise EvidenceTrouble(f"{data}: cannot be written ({error.strerror}); run this with sudo") from error
    try:
        yield Path(made)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _check_card(taken: Path, config_path: Path, key: PublicKey) -> None:
    """Whoever has the table's own key on the card has the table's card."""
    config = read_config(taken / spare.CONFIG, config_path.parent)
    journal = JournalFile.read_only(taken / spare.JOURNAL)
    origin = journal.origin
    journal.close()
    if not config.table.signing_key or not (taken / "table.key").is_file():
        raise EvidenceTrouble(
            "the card holds no key of its table, so nothing proves whose it is; --unproved takes it as it is"
        )
    if read_key(taken / "table.key").public(origin) != key:
        raise EvidenceTrouble("the card is not of the table of this key; do not use it")
