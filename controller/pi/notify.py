"""Tells the service manager how the table stands: ready, alive, stopping; nobody is told where there is none.

The watchdog is fed only while the loop turns and the journal answers from the thread that commits it.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

import structlog

from controller.journal.committer import Committer
from firmware_specs.clock import Clock, Timer

log = structlog.get_logger()


class Told(Protocol):
    """What the watchdog must know of a runtime."""

    broken: str
    committer: Committer


class ServiceLine:
    """The other end of NOTIFY_SOCKET; silent when the table was started by hand."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog_s = int(environment.get("WATCHDOG_USEC", "0")) / 1_000_000 if self._address and ours else 0.0

    def ready(self, status: str) -> None:
        """Play may begin."""
        self._say(f"READY=1\nSTATUS={_line(status)}")

    def status(self, status: str) -> None:
        self._say(f"STATUS={_line(status)}")

    def alive(self) -> None:
        """Feed the watchdog."""
        self._say("WATCHDOG=1")

    def stopping(self) -> None:
        self._say("STOPPING=1")

    def _say(self, text: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK) as line:
                line.sendto(text.encode(), self._address)
        except OSError as error:
            # The manager decides what a missing word means; a table must not stop for it.
            log.warning("service_manager_not_told", error=str(error), said=text.split("\n")[0])


def _line(text: str) -> str:
    return " ".join(text.split())


class Watchdog:
    """Feeds the service manager's watchdog three times an interval, each time only after the journal has answered."""

    def __init__(self, clock: Clock, manager: ServiceLine, runtime: Told, folder: Path) -> None:
        self._clock = clock
        self._manager = manager
        self._runtime = runtime
        self._folder = folder
        self._every = manager.watchdog_s / 3
        self._timer: Timer | None = None
        self._waiting = False
        self._said = ""

    def start(self) -> None:
        if self._every:
            self._look()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _look(self) -> None:
        self._timer = self._clock.call_later(self._every, self._look)
        trouble = self._runtime.broken or why_not_writable(self._folder)
        if trouble:
            self._tell(f"not fed: {trouble}")
        elif self._waiting:
            self._tell("not fed: the journal does not answer; the disk may hang")
        else:
            self._waiting = True
            self._runtime.committer.probe(self._answered)

    def _answered(self) -> None:
        self._waiting = False
        if self._timer is not None and not self._runtime.broken:
            self._manager.alive()
            if self._said:
                self._tell("alive again")
                self._said = ""

    def _tell(self, status: str) -> None:
        if self._said != status:
            self._said = status
            log.error("watchdog", status=status)
            self._manager.status(status)


def why_not_writable(folder: Path, statvfs: Callable[[Path], os.statvfs_result] = os.statvfs) -> str:
    """A card that fails is mounted read-only by the kernel; empty when the folder can be written."""
    try:
        flags = statvfs(folder).f_flag
    except OSError as error:
        return f"{folder} cannot be looked at ({error.strerror})"
    return f"{folder} is mounted read-only; the card may be failing" if flags & os.ST_RDONLY else ""
