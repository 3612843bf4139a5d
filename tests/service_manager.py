"""A service manager's end of the notify socket."""

from __future__ import annotations

import socket
from pathlib import Path

DEADLINE_S = 30


class Manager:
    """A service manager's end of the notify socket."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "notify"
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(str(self.path))
        self._line.settimeout(DEADLINE_S)

    def hear(self) -> str:
        return self._line.recv(4096).decode()

    def hear_until(self, word: str) -> list[str]:
        heard = [self.hear()]
        while word not in heard[-1]:
            heard.append(self.hear())
        return heard

    def close(self) -> None:
        self._line.close()
