"""Amounts as people at a table read and write them."""

from __future__ import annotations


def dollars(cents: int) -> str:
    """$5, $2.50; below nothing with a minus in front."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${whole:,}" + (f".{rest:02d}" if rest else "")


def cents(dollars: str) -> int:
    """What $5, 5 or 2.50 is in cents; ValueError or OverflowError where it is no amount."""
    return round(100 * float(dollars.lstrip("$")))


def read_dollars(text: str) -> tuple[int, ...] | None:
    """Several amounts in cents, written in dollars with spaces between them; None where one of them is none."""
    try:
        return tuple(cents(word) for word in text.replace(",", " ").replace("/", " ").split())
    except (ValueError, OverflowError):
        return None
