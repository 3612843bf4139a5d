"""The commented example of a configuration, changed by tests."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from controller.config.file import check_config
from controller.config.tomlread import ConfigError

EXAMPLE = resources.files("controller").joinpath("examples/table.toml").read_text(encoding="utf-8")


def told(tmp_path: Path, *changes: tuple[str, str]) -> str:
    """What a technician is told about the example after these changes, without the folder's name."""
    text = EXAMPLE
    for old, new in changes:
        assert old in text, f"the example no longer says {old!r}"
        text = text.replace(old, new, 1)
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        check_config(path)
    return caught.value.text.replace(f"{tmp_path}/", "")


def line_of(text: str) -> int:
    """The line of the example that begins with this text."""
    return next(n for n, row in enumerate(EXAMPLE.splitlines(), 1) if row.startswith(text))
