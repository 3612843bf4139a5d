"""Catalogues of translated words, one a language, as gettext's tools write them; read when a screen asks for one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "languages"
_LINE = re.compile(r'(?:(msgid|msgstr)\s+)?(".*")\s*$')


def languages() -> list[str]:
    """Every language besides English that a screen may be set to."""
    return sorted(path.stem for path in FOLDER.glob("*.po"))


def catalogue(language: str) -> dict[str, str]:
    """The translated texts by the English ones; KeyError where there is no such language."""
    if language not in languages():
        raise KeyError(language)
    return read((FOLDER / f"{language}.po").read_text(encoding="utf-8"))


def read(po: str) -> dict[str, str]:
    """What a PO file says; its header and what is not translated are left out."""
    found: dict[str, str] = {}
    parts = {"msgid": "", "msgstr": ""}
    field = ""
    for line in [*po.splitlines(), 'msgid ""']:
        match = _LINE.match(line)
        if match is None:
            continue
        if match[1] == "msgid":
            if parts["msgid"] and parts["msgstr"]:
                found[parts["msgid"]] = parts["msgstr"]
            parts = {"msgid": "", "msgstr": ""}
        field = match[1] or field
        parts[field] += ast.literal_eval(match[2])
    return found
