"""Amounts as people at a table read and write them: in dollars, or in the units of a tournament's own chips."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

Currency = Literal["dollars", "units"]
_SPOKEN: ContextVar[Currency] = ContextVar("spoken", default="dollars")
UNIT = 100
"""One unit of a tournament is counted like a dollar, so that nothing but words differs."""


@contextmanager
def spoken_in(currency: Currency) -> Iterator[None]:
    """Within this, amounts are told in this currency."""
    before = _SPOKEN.set(currency)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def currency() -> Currency:
    """What amounts are told in now."""
    return _SPOKEN.get("dollars")


def dollars(cents: int) -> str:
    """$5, $2.50; below nothing with a minus in front; 1,000 units where a tournament is played."""
    whole, rest = divmod(abs(cents), 100)
    number = f"{whole:,}" + (f".{rest:02d}" if rest else "")
    minus = "-" if cents < 0 else ""
    return f"{minus}${number}" if currency() == "dollars" else f"{minus}{number} units"


def cents(dollars: str) -> int:
    """What $5, 5 or 2.50 is in cents; ValueError or OverflowError where it is no amount."""
    return round(100 * float(dollars.lstrip("$")))


def read_dollars(text: str) -> tuple[int, ...] | None:
    """Several amounts in cents, written in dollars with spaces between them; None where one of them is none."""
    try:
        return tuple(cents(word) for word in text.replace(",", " ").replace("/", " ").split())
    except (ValueError, OverflowError):
        return None
