"""The example terms of a game, made to fit so many tables and entrants."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime, time
from pathlib import Path
from typing import Any

from controller import tournament

PREFIX = {"war": "CW", "wheel": "BW", "poker": "PK"}


def terms_for(game: str, tables: int, entrants: int) -> str:
    """Lawful terms; the final of a game in heats has as many tables as those who go on need."""
    text = (Path(tournament.__file__).parent / "examples" / f"{game}.toml").read_text("utf-8")
    names = [f"{PREFIX[game]}-{number}" for number in range(1, tables + 1)]
    text = re.sub(r"entrants = \[.*?\].*", f"entrants = [2, {max(entrants, 3)}]", text)
    first, *others = re.findall(r"^tables = \[.*?\].*$", text, re.MULTILINE)
    listed = ", ".join(f'"{name}"' for name in names)
    text = text.replace(first, f"tables = [{listed}]", 1)
    for other in others:
        needed = -(-2 * tables // 9)
        text = text.replace(other, "tables = [" + ", ".join(f'"{name}"' for name in names[:needed]) + "]", 1)
    if game == "poker" and entrants > 9 * tables:
        text = text.replace("seats = 9", "seats = 11")
    return text


def written(value: Any) -> str:
    """A value as a terms file writes it, on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {written(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, datetime | time):
        return value.isoformat()
    return json.dumps(value) if isinstance(value, str | bool | int) else str(value).lower()


def file_of(values: Mapping[str, Any]) -> str:
    """A terms file that says this."""
    return "\n".join(f"{key} = {written(value)}" for key, value in values.items())
