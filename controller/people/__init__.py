"""Who did something at the table, and what they may do."""

from __future__ import annotations

import msgspec


class Person(msgspec.Struct, frozen=True):
    """Somebody at the table: staff with the rank the rulebook's ladder gives them, or nobody in particular (0)."""

    id: str
    rank: int = 0


TABLE = Person("table")
