"""A machine that a steward can be given, and that does as it is told."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from controller.fleet.machine import Machine, Refused, RoundFirst


class Pretended(Machine):
    """A machine that can be told what happens on it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "table.toml", folder)
        self.current, self.round = "1.0", ""
        self.given: list[bytes] = []
        self.refuses = self.damaged = ""
        self.again = False
        self.while_installing: Callable[[], None] = lambda: None

    def versions(self) -> tuple[str, str]:
        return self.current, ""

    def playing(self) -> str:
        return self.round

    def install(self, bundle: Path, folder: Path, wait_s: float) -> None:
        self.given.append(bundle.read_bytes())
        self.while_installing()
        if self.refuses:
            raise RoundFirst(self.refuses) if self.refuses == self.round else Refused(self.refuses)
        self.current = "2.0"

    def configuration(self) -> str:
        return hashlib.sha256(self.given[-1]).hexdigest() if self.given else ""

    def check_configuration(self, text: bytes) -> None:
        if self.refuses:
            raise Refused(self.refuses)

    def instead_of(self) -> str:
        return self.damaged

    def configure(self, text: bytes, again: bool = False) -> None:
        self.again = again
        self.given.append(text)
