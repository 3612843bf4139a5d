"""The heads of a journal on their way out of the machine: signed, shown on the screens, kept on another medium.

Whoever owns this machine can rewrite all that is on it and sign it again. What proves the night is the newest head that
was out of reach by then; rows after it are unproved.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections.abc import Callable
from pathlib import Path

import structlog

from controller.config.types import TableConfig
from controller.journal.anew import sync_folder
from controller.journal.file import JournalFile, JournalTrouble
from controller.journal.head import Head, HeadTrouble, Note, TableKey, read_head, read_key, slug

STOP_WAIT_S = 5.0
Twin = Callable[[str], object]

log = structlog.get_logger()


def kept_at(config: TableConfig) -> Path | None:
    """Where this table's newest head is kept outside its data folder, if anywhere."""
    return Path(config.table.heads) / f"{slug(config.table.name)}.head" if config.table.heads else None


def key_of(config: TableConfig) -> TableKey | None:
    """The table's key, if it has one; a spare machine plays on without, and its heads say that they are unsigned."""
    if not config.table.signing_key:
        return None
    path = Path(config.table.signing_key)
    if not path.exists():
        log.error("no_signing_key", path=str(path), remedy="make one: tablectl evidence key")
        return None
    try:
        return read_key(path)
    except HeadTrouble as trouble:
        log.error("signing_key_not_usable", why=str(trouble), remedy="heads are unsigned until it is")
        return None


def against_kept(journal: JournalFile, config: TableConfig) -> str:
    """How the journal differs from the head that was kept outside; empty when it does not, or none was kept."""
    path = kept_at(config)
    if path is None or not path.exists():
        return ""
    try:
        journal.prove(read_head(path).head)
    except (HeadTrouble, JournalTrouble) as trouble:
        return f"{trouble} (compared with {path})"
    return ""


class HeadKeeper:
    """Takes heads as they are made, on a thread of its own: neither the disk nor the table waits for another medium."""

    def __init__(
        self, key: TableKey | None, path: Path | None, differs: Callable[[], str] = str, twin: Twin | None = None
    ) -> None:
        self._key, self._path = key, path
        self._differs, self._twin = differs, twin
        self._there = _lying(path) if path is not None else ""
        self.newest: Note | None = None
        self.failed = ""
        self._queue: queue.SimpleQueue[Head | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._keep_all, name="heads", daemon=True)
        self._thread.start()

    def take(self, head: Head) -> None:
        """A head whose rows are on disk."""
        self._queue.put(head)

    def _keep_all(self) -> None:
        going_on = True
        while going_on:
            heads = [self._queue.get()]  # without deadline: close() always puts the None that ends it
            while not self._queue.empty():
                heads.append(self._queue.get_nowait())
            going_on = None not in heads
            newest = next((head for head in reversed(heads) if head is not None), None)
            if newest is not None:
                self._keep(newest)

    def _keep(self, head: Head) -> None:
        note = self._key.sign(head) if self._key is not None else Note(head)
        self.newest = note
        if self._path is None or self._somebody_elses(self._path):
            return
        try:
            put(note, self._path)
            self._there = note.text()
        except OSError as error:
            why = f"{self._path}: the journal's head cannot be kept there ({error.strerror})"
            if why != self.failed:
                log.error("head_not_kept", why=why)
            self.failed = why
        else:
            self.failed = ""

    def _somebody_elses(self, path: Path) -> bool:
        """Whether a head that we did not put there is not of this journal; it is evidence, and left alone for good."""
        found = _lying(path)
        if found in ("", self._there) or not (why := self._differs()):
            return False
        log.critical("head_of_a_twin", why=why)
        self._path = None
        if self._twin is not None:
            self._twin(why)
        return True

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join(STOP_WAIT_S)


def _lying(path: Path) -> str:
    """What lies there; nothing, where it cannot be read: then it cannot be kept there either, which is told."""
    try:
        return path.read_text()
    except (OSError, ValueError):
        return ""


def put(note: Note, path: Path) -> None:
    """Keep this head in place of the one before; a power cut leaves one of the two."""
    part = path.with_name(path.name + ".part")
    with contextlib.suppress(FileNotFoundError):
        part.unlink()
    opened = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
    with open(opened, "w") as file:
        file.write(note.text())
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
    sync_folder(path.parent)


def kept(journal: JournalFile, config: TableConfig, differs: bool = False, twin: Twin | None = None) -> HeadKeeper:
    """A keeper of this journal's heads, beginning now; a head kept before that differs is evidence and left alone.

    `twin` hears, on the keeper's own thread, of a head that another machine has kept under this table's name.
    """

    def differ() -> str:
        with contextlib.closing(JournalFile.read_only(journal.path)) as beside:
            return against_kept(beside, config)

    keeper = HeadKeeper(key_of(config), None if differs else kept_at(config), differ, twin)
    journal.took = keeper.take
    keeper.take(journal.head())
    return keeper
