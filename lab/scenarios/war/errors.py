"""What is wrong with a written case."""

from __future__ import annotations


class BadCase(Exception):
    """A case that cannot be played as it is written; the text names the place."""
