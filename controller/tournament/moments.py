"""Times as terms state them, and as journals count them."""

from __future__ import annotations

from datetime import datetime


def moment(text: str) -> int:
    """A stated time in milliseconds of the common time; ValueError where it is none or lacks its zone."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(f"'{text}' lacks its time zone")
    return round(found.timestamp() * 1000)
