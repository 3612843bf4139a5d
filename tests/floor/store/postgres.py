"""A real PostgreSQL server as a child of the tests, with a database of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from lab.floor.server import free_port
from lab.needs import POSTGRESQL
from tests.needed import needed

READY_S = 30.0


class Postgres:
    """One server in one folder, which it has again when it is started again; as root it would refuse to run."""

    def __init__(self) -> None:
        self._programs = Path(needed(POSTGRESQL, "no store was kept in PostgreSQL")).parent
        # Not among the folders of pytest, which are closed to everybody but whoever runs it.
        self._folder, self.port = Path(tempfile.mkdtemp(prefix="tablectl-postgres-")), free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user is not None:
            shutil.chown(self._folder, self._user)
        self._run("initdb", "-D", str(self._folder / "data"), "-U", "floor", "-A", "trust", "-E", "UTF8", "--no-sync")

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://floor@127.0.0.1:{self.port}/postgres"

    def _run(self, name: str, *words: str) -> None:
        subprocess.run([self._programs / name, *words], check=True, capture_output=True, user=self._user, timeout=120)

    def start(self) -> None:
        """Start it; after a kill it refuses as long as a child of the one before is alive, and is started again."""
        until, pause = time.monotonic() + READY_S, threading.Event()
        while not self._answers():
            assert time.monotonic() < until, (self._folder / "log").read_text("utf-8", "replace")
            if self._process is None or self._process.poll() is not None:
                self._process = self._started()
            pause.wait(0.1)

    def _started(self) -> subprocess.Popen[bytes]:
        words = ["-D", str(self._folder / "data"), "-p", str(self.port), "-c", "listen_addresses=127.0.0.1"]
        words += ["-c", f"unix_socket_directories={self._folder}"]
        with (self._folder / "log").open("ab") as said:
            return subprocess.Popen([self._programs / "postgres", *words], stdout=said, stderr=said, user=self._user)

    def _answers(self) -> bool:
        asked = [str(self._programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(asked, check=False, timeout=10).returncode == 0

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(10)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(30)
        shutil.rmtree(self._folder, ignore_errors=True)
