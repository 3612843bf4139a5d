"""What a log may say of an error: its kind and where it came from, and nothing that it was about.

Errors carry what they failed on: a PIN that is no number, a card that no deck has, a name that nobody quoted. So locals
are never told, and of an error's words only those that the system itself has for it, beside the line that raised it. Of
what libraries say, the words they were written with are told, and nothing that was put into them.
"""

from __future__ import annotations

import logging
import os
import re
import sqlite3
import traceback

LEFT_OUT = "…"
_ABOUT = re.compile(
    r"""b?'(?:[^'\\]|\\.)*'|b?"(?:[^"\\]|\\.)*"|[0-9a-fA-F]{16,}|\d{4,}|\b(?:10|[2-9TJQKA])[cdhs]\b|[\x00-\x09\x0b-\x1f]"""
)
_PUT_IN = re.compile(r"%(?:\([^)]*\))?[-#0 +]*[\d*]*(?:\.[\d*]+)?[diouxXeEfFgGcrsa]")
MOST = 2_000


def words(text: str) -> str:
    """The words of a message without what it is about."""
    return _ABOUT.sub(LEFT_OUT, text[:MOST])


def error(raised: BaseException) -> str:
    """The kind of an error, and its words where they can be about nothing: those of system and database."""
    said = ""
    if isinstance(raised, OSError) and raised.errno is not None:
        said = os.strerror(raised.errno)
    elif isinstance(raised, sqlite3.Error):
        said = words(str(raised))
    return f"{type(raised).__name__}: {said}" if said else type(raised).__name__


def said_by(record: logging.LogRecord) -> str:
    """What a library says, without what it says it of."""
    text = str(record.msg)
    return words(_PUT_IN.sub(LEFT_OUT, text) if record.args else text)


def trace(raised: BaseException) -> str:
    """Where an error came from, and what it came of."""
    parts = []
    seen: set[int] = set()
    one: BaseException | None = raised
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        parts.append(f"{''.join(traceback.format_tb(one.__traceback__))}{error(one)}\n")
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return "\nwhich led to:\n\n".join(reversed(parts))
