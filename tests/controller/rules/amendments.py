"""Amended editions of a rulebook, made from the one that the program carries."""

from __future__ import annotations

from pathlib import Path

from controller import games

AMENDMENT = """
[amendment]
reference = "GOV 2027/14"
approved_by = "The regulator"
approved = 2018-12-01
effective = {effective}
[amendment.clauses]
"8.1 [Table 1: Casino War Wager]" = "A higher card wins two to one."
"8.1A" = "A clause that the amendment adds."
"""
EVEN = "\nmain = 1\n"
BOOK = "melbourne-war"


def amended_text(effective: str = "2027-02-01T06:00:00+11:00", version: str = "5.1") -> str:
    """Casino War, where a higher card pays two to one."""
    text = games.rulebooks()[BOOK].read_text(encoding="utf-8")
    assert EVEN in text
    text = text.replace(EVEN, "\nmain = 2\n")
    return text.replace('version = "5.0"', f'version = "{version}"') + AMENDMENT.format(effective=effective)


def amended_file(folder: Path, effective: str = "2027-02-01T06:00:00+11:00", version: str = "5.1") -> Path:
    """Such an edition in a file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"amended-{version}.toml"
    path.write_text(amended_text(effective, version), encoding="utf-8")
    return path
