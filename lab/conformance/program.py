"""A device that is a program on this machine, such as the reference in C: started, found, and ended with the bench."""

from __future__ import annotations

import contextlib
import ctypes
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

from firmware_specs.port import PortTrouble

START_S = 30
SIMULATE = [sys.executable, "-c", "from controller.commands import main; main()", "simulate"]
STOP_S = 5
SAID_LINES = 20

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def _end_with_us() -> None:
    """A bench that is killed leaves no device behind: the kernel ends the program with whoever started it."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


class Program:
    """Runs `PROGRAM KIND --port pty --memory … --control …` and tells where it is found."""

    def __init__(
        self,
        path: Path | None,
        kind: str,
        *,
        speed: float = 1.0,
        serial: str = "",
        folder: Path | None = None,
        options: Sequence[str] = (),
    ) -> None:
        """Without a path it is the simulator of this kind, in a process of its own."""
        self._path = path
        self._options = options
        self._kind = kind
        self._speed = speed
        self._serial = serial
        self._scratch = folder is None
        self._said: list[deque[str]] = []  # the last it said, for when it fails: chatter pushes out no error
        self._drains: list[threading.Thread] = []
        self._folder = folder or Path(tempfile.mkdtemp(prefix="tablectl-device-"))
        self._process: subprocess.Popen[str] | None = None
        self.port = str(self._folder / "line")
        self.control = str(self._folder / "control")
        self.memory = self._folder / "memory"

    @property
    def _name(self) -> str:
        return str(self._path) if self._path is not None else f"tablectl simulate {self._kind}"

    @property
    def pid(self) -> int | None:
        """Of the program while it runs."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start it and wait until it is there; its memory is that of the last time."""
        self.launch()
        self.come_up()

    def launch(self) -> None:
        """Start it, and do not wait: several come up beside each other."""
        start = [str(self._path.absolute())] if self._path is not None else SIMULATE
        words = [*start, self._kind, *self._options, "--port", f"pty:{self.port}", "--memory", str(self.memory)]
        words += ["--control", self.control, "--speed", f"{self._speed:g}"]
        if self._serial:
            words += ["--serial", self._serial]
        try:
            self._process = subprocess.Popen(
                words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=_end_with_us
            )
            assert self._process.stderr is not None
            self._drain(self._process.stderr)
        except OSError as error:
            raise PortTrouble(
                f"{self._name} cannot be started ({error.strerror})", "Build it: make -C firmware_specs/reference."
            ) from error

    def come_up(self) -> None:
        """Wait until it says where it is found."""
        assert self._process is not None
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], START_S)
        told = self._process.stdout.readline() if ready else ""
        self._drain(self._process.stdout)
        if not told.startswith(("port ", f"{self._kind} on ")):
            why = self._ended()
            raise PortTrouble(f"{self._name} did not come up{why}", "Run it by hand to see why.")

    def _drain(self, pipe: IO[str]) -> None:
        """Read on whatever the program says, so that a talkative one does not stop at a full pipe."""

        said: deque[str] = deque(maxlen=SAID_LINES)

        def read() -> None:
            with contextlib.suppress(ValueError, OSError):
                for line in pipe:
                    said.append(line)

        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        self._drains.append(thread)
        self._said.append(said)

    def said(self) -> list[str]:
        """The last lines of everything it says: errors first, then what it tells."""
        return [line for one in self._said for line in list(one)]

    def kill(self) -> None:
        """Take its power without a warning."""
        if self._process is not None:
            self._process.kill()
            self._ended()

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._ended()
        if self._scratch:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _ended(self) -> str:
        process, self._process = self._process, None
        assert process is not None
        try:
            process.wait(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=STOP_S)
        for thread in self._drains:
            thread.join(timeout=STOP_S)
        if not any(thread.is_alive() for thread in self._drains):  # else a child of it still holds a pipe
            for pipe in (process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
        said = "".join(self.said()).strip()
        self._drains, self._said = [], []
        return f": {said}" if said else ""

    def __enter__(self) -> Program:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
