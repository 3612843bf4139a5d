"""The example terms of a game, made to fit so many tables and entrants."""

from __future__ import annotations

import re
from pathlib import Path

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
