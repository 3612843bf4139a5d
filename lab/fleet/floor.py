"""The floor over a house of machines: its file, its key, its process, and what two managers type for a roll-out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from controller.journal.cosignature import Witness, make_witness_key
from lab.floor.house import STAFF_TOML

COMMAND = [sys.executable, "-c", "from controller.commands import main; main()"]
"""`tablectl`, in a process of its own."""
TOML = """
[floor]
name = "Fleet"
web = "127.0.0.1:0"
practice = true

[broker]
servers = ["{url}"]
"""
BOTH = ("--by", "F2", "--by", "F3")
STOP_S = 20


class FleetFloor:
    """A floor that runs by itself at a broker; its tables are made once its key is known, and start after it."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.file = folder, folder / "floor.toml"
        self.public: Witness = make_witness_key(folder / "floor.key", "tablectl-floor/fleet", os.urandom(32)).public
        self.file.write_text(TOML.format(url=url) + STAFF_TOML, "utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, tables: Iterable[str]) -> None:
        """It knows these tables, each by the line of its key."""
        (self.folder / "tables.keys").write_text("".join(f"{line}\n" for line in tables), "utf-8")
        with (self.folder / "floor.log").open("ab") as said:
            words = [*COMMAND, "floor", "run", "--config", str(self.file)]
            self._process = subprocess.Popen(words, stdout=said, stderr=said)

    def words(self, *words: str) -> list[str]:
        """What somebody types after `tablectl` at the floor's machine."""
        return ["fleet", words[0], "--config", str(self.file), *words[1:]]

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(STOP_S)
