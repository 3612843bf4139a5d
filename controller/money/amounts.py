"""Amounts as people at a table read them."""

from __future__ import annotations


def dollars(cents: int) -> str:
    """$5, $2.50; below nothing with a minus in front."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${whole:,}" + (f".{rest:02d}" if rest else "")
