"""The numbered sentences of the link's page and the notes of the devices': what each says, and which no step tries."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import firmware_specs
from firmware_specs.declaration import load

_SENTENCE = re.compile(r"^- \*\*([A-Z]\d+)\*\* (.+?)(?=^- |^\S|^\s*$)", re.MULTILINE | re.DOTALL)

UNTRIED = {
    "F8": "a line of another speed is not understood at all",
    "P5": "needs the inside of the case",
    "L4": "needs four thousand million frames in one session; both ends are tried with a count put near its end",
    "L5": "nothing that is declared is longer",
    "C5": "allows any order, so none is wrong",
    "shoe N1": "needs the inside of the case: parts that do nothing of their own; what they tell is N2 and N4",
    "shuffler N1": "needs the inside of the case: parts that do nothing of their own; what they tell is N2, N3 and N5",
    "wheel N1": "needs the inside of the case: parts that do nothing of their own; what they tell is N2 and N5",
}
"""Why there is no step of its own for these."""


@cache
def sentences() -> dict[str, str]:
    """Every numbered sentence by its number, as plain text."""
    page = (Path(firmware_specs.__file__).parent / "README.md").read_text("utf-8")
    found = {}
    for number, text in _SENTENCE.findall(page):
        assert number not in found, f"{number} stands twice"
        found[number] = " ".join(text.replace("**", "").split())
    return found


@cache
def notes(kind: str) -> dict[str, str]:
    """What the page of this device says beyond its messages, by the device and the number of the note."""
    declared = load(Path(firmware_specs.__file__).parent / f"{kind}.toml")
    return {f"{kind} N{number}": " ".join(note.split()) for number, note in enumerate(declared.notes, start=1)}
