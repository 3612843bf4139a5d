"""What a log may say of an error: its kind and where it came from, and nothing that it was about.

Errors carry what they failed on: a PIN that is no number, a card that no deck has. So locals are never told, and of an
error's words what is quoted, every longer number and every playing card are left out.
"""

from __future__ import annotations

import re
import traceback

LEFT_OUT = "…"
_ABOUT = re.compile(
    r"""b?'(?:[^'\\]|\\.)*'|b?"(?:[^"\\]|\\.)*"|[0-9a-fA-F]{16,}|\d{4,}|\b(?:10|[2-9TJQKA])[cdhs]\b|[\x00-\x09\x0b-\x1f]"""
)
MOST = 2_000


def words(text: str) -> str:
    """The words of a message without what it is about."""
    return _ABOUT.sub(LEFT_OUT, text[:MOST])


def error(raised: BaseException) -> str:
    """The kind of an error and its words; of a kind whose words are what it failed on, the kind alone."""
    if isinstance(raised, LookupError | UnicodeError):
        return type(raised).__name__
    said = words(str(raised))
    return f"{type(raised).__name__}: {said}" if said else type(raised).__name__


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
