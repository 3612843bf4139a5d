"""What a steward does next, one step at a time; what was wanted and how far it came is kept over power cuts."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import structlog

from controller import kept_file
from controller.config.tomlread import ConfigError
from controller.fleet.machine import Machine, Refused, RoundFirst
from controller.fleet.messages import KINDS, Doing, Kind, State, Want

WAIT_S = 300.0
"""So long the end of a round is waited for once something was begun; then all of it is begun anew."""
LOOK_S = 0.5
"""How often it is looked for: the time between two rounds may be short."""
TRIES_MOST = 3
"""So often is something begun anew that a power cut ended."""
HELD_MOST = 20
"""So often may a round begin while something is being installed before people are asked to close the table."""
OPEN: tuple[State, ...] = ("fetching", "waiting", "switching")

log = structlog.get_logger()


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was wanted last of a kind, and how far it came.

    `before` is the version that ran when it was begun, `tries` how often it was, `held` how often a round held it up.
    """

    want: Want
    doing: Doing
    tries: int = 0
    before: str = ""
    held: int = 0


class Steward:
    """Of one machine: takes what is wanted, and brings it about when `step` is called."""

    def __init__(
        self, machine: Machine, folder: Path, table: str, now: Callable[[], int], wait_s: float = WAIT_S
    ) -> None:
        """`folder` is the steward's own; `now` is in milliseconds; `wait_s` is how long a round is waited for."""
        self.machine, self.table = machine, table
        self._folder, self._now = folder, now
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._kept: dict[Kind, Kept] = _read(self._file)
        self._lock = threading.RLock()  # wanted on one thread, done on another
        self.renewed = False
        self._begun = 0
        self._wait_s, self._stopped = wait_s, threading.Event()

    @property
    def _file(self) -> Path:
        return self._folder / "kept.json"

    def stop(self) -> None:
        """Wait for no round any more; what was not begun is begun by the next steward."""
        self._stopped.set()

    def doing(self) -> tuple[Doing, ...]:
        return tuple(self._kept[kind].doing for kind in KINDS if kind in self._kept)

    def take(self, want: Want) -> bool:
        """Something is wanted, or nothing any more; whether that is new. An older word changes nothing."""
        if want.table != self.table:
            log.error("fleet_other_table", wanted=want.table, table=self.table)
            return False
        with self._lock:
            before = self._kept.get(want.kind)
            if before is not None and want.number <= before.want.number:
                return False
            state: State = "fetching" if want.digest else "withdrawn"
            self._keep(Kept(want, Doing(want.kind, want.number, want.roll_out, state, self._now(), want.name)))
        return True

    def missing(self) -> Want | None:
        """What must be fetched first."""
        for kept in self._kept.values():
            if kept.doing.state == "fetching" and not self._at(kept.want).exists():
                return kept.want
        return None

    def part(self, want: Want) -> Path:
        """Where the pieces of a file are gathered."""
        return self._at(want).with_suffix(".part")

    def fetched(self, want: Want) -> None:
        """All pieces are there; what is not what was signed is thrown away, and told."""
        part = self.part(want)
        with part.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if (digest, part.stat().st_size) != (want.digest, want.size):
            part.unlink()
            self._refuse(want, "what the broker holds is not what the floor signed; have the floor send it anew")
            return
        part.replace(self._at(want))

    def step(self) -> bool:
        """Do the next thing that can be done now; whether anything changed."""
        for kind in KINDS:
            kept = self._kept.get(kind)
            if kept is not None and kept.doing.state in OPEN and self._at(kept.want).exists():
                self._advance(kept)
                if self._kept[kind].doing != kept.doing:
                    return True
        return False

    def _advance(self, kept: Kept) -> None:
        want = kept.want
        try:
            if want.kind == "program":
                self._program(kept)
            elif want.kind == "configuration":
                self._configuration(kept)
            else:
                self._done(want, self.machine.amend(self._at(want).read_bytes(), self._folder))
        except Refused as refused:
            self._refuse(want, str(refused))
        except (OSError, ConfigError) as error:
            self._refuse(want, f"{error}; look at the disk and at the table's file: tablectl doctor")

    def _program(self, kept: Kept) -> None:
        want, (current, _) = kept.want, self.machine.versions()
        if _is(current, want.name) and not self.machine.instead_of():
            self._done(want, "")
            self.renewed = current != kept.before and bool(kept.before)
            return
        self._check_tries(kept)
        if not self._said_so(want) and self._waits(want):
            return
        if self._announced(kept, current):
            return
        with tempfile.TemporaryDirectory(dir=self._folder) as scratch:
            self._install(want, Path(scratch))

    def _check_tries(self, kept: Kept) -> None:
        if kept.tries > TRIES_MOST:
            raise Refused(f"it was cut short {TRIES_MOST} times; look at the machine's power and card")
        if kept.held > HELD_MOST:
            raise Refused(f"a round began while it was being installed, {HELD_MOST} times; close the table for it")

    def _announced(self, kept: Kept, before: str = "") -> bool:
        """Say that it begins, and begin with the next step: whoever is not heard again is known to have begun.

        A power cut leaves it announced; then it is begun anew, and counted.
        """
        if kept.doing.state == "switching" and self._said_so(kept.want):
            self._begun = 0
            return False
        self._begun = kept.want.number
        self._say(kept.want, "switching", "", tries=kept.tries + 1, before=before or kept.before)
        return True

    def _said_so(self, want: Want) -> bool:
        """Whether it was announced by this steward, and not begun yet."""
        return self._begun == want.number

    def _install(self, want: Want, scratch: Path) -> None:
        try:
            self.machine.install(self._at(want), scratch, self._wait_s)
        except RoundFirst:
            self._held(want, "a round began while it was being installed")
            return
        self._done(want, "")
        self.renewed = True

    def _configuration(self, kept: Kept) -> None:
        want, text = kept.want, self._at(kept.want).read_bytes()
        switching = kept.doing.state == "switching"
        if self.machine.configuration() == want.digest and not switching:
            self._done(want, "")
            return
        self._check_tries(kept)
        if not switching:
            self.machine.check_configuration(text)
        if self._said_so(want):
            if playing := self._played_on():
                self._begun = 0
                self._held(want, playing)
                return
        elif self._waits(want):
            return
        if self._announced(kept):
            return
        self.machine.configure(text, again=kept.tries > 1)
        self._done(want, "")

    def _played_on(self) -> str:
        """What is still being played after as long as a round is waited for; empty as soon as it is over."""
        ends = time.monotonic() + self._wait_s
        while playing := self.machine.playing():
            if time.monotonic() >= ends or self._stopped.wait(LOOK_S):
                break
        return playing

    def _held(self, want: Want, text: str) -> None:
        """A round came first: that is nobody's fault, and no power cut."""
        now = self._kept[want.kind]
        self._say(want, "waiting", text, tries=max(0, now.tries - 1), held=now.held + 1)

    def _waits(self, want: Want) -> bool:
        """Whether a round is being played, which nothing interrupts."""
        if playing := self.machine.playing():
            self._say(want, "waiting", playing)
        return bool(playing)

    def _done(self, want: Want, text: str) -> None:
        self._say(want, "done", text)
        self._tidy(want)

    def _refuse(self, want: Want, why: str) -> None:
        log.error("fleet_refused", kind=want.kind, name=want.name, why=why)
        self._say(want, "refused", why)
        self._tidy(want)

    def _tidy(self, want: Want) -> None:
        self._at(want).unlink(missing_ok=True)
        for left in self._folder.glob("tmp*"):
            shutil.rmtree(left, ignore_errors=True)

    def _at(self, want: Want) -> Path:
        return self._folder / f"{want.digest}.file"

    def _say(self, want: Want, state: State, text: str, **more: Any) -> None:
        """How far it came, unless something else is wanted by now."""
        with self._lock:
            kept = self._kept[want.kind]
            if kept.want != want or ((kept.doing.state, kept.doing.text) == (state, text) and not more):
                return
            doing = msgspec.structs.replace(kept.doing, state=state, text=text, at=self._now())
            log.info("fleet", kind=want.kind, name=want.name, state=state, why=text)
            self._keep(msgspec.structs.replace(kept, doing=doing, **more))

    def _keep(self, kept: Kept) -> None:
        self._kept = {**self._kept, kept.want.kind: kept}
        kept_file.replace(self._file, msgspec.json.encode(self._kept))


def _is(installed: str, version: str) -> bool:
    """Whether a version is installed; one that is installed again gets a number behind it."""
    rest = installed.removeprefix(version)
    return installed.startswith(version) and (not rest or (rest[0] == "." and rest[1:].isdigit()))


def _read(path: Path) -> dict[Kind, Kept]:
    if not path.exists():
        return {}
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[Kind, Kept])
    except (OSError, msgspec.MsgspecError) as error:
        log.error("fleet_forgotten", path=str(path), why=str(error))
        return {}
