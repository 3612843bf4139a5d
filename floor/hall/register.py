"""The hall's register of names: kept apart from every journal, which knows numbers only (n.4.8(e))."""

from __future__ import annotations

import json
from pathlib import Path

from controller import kept_file
from controller.config.tomlread import ConfigError


class Register:
    """Number and name of each entrant, in one file that only its owner reads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.names: dict[str, str] = {}
        if path.exists():
            try:
                self.names = {str(number): str(name) for number, name in json.loads(path.read_text("utf-8")).items()}
            except (ValueError, AttributeError) as wrong:
                raise ConfigError(f"{path}: no register of names ({wrong}); restore its backup") from wrong

    def put(self, number: str, name: str) -> None:
        self.names[number] = name
        kept_file.replace(self._path, json.dumps(self.names, ensure_ascii=False).encode())
