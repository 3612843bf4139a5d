"""Who did something at the table, and what they may do."""

from __future__ import annotations

import msgspec


class Person(msgspec.Struct, frozen=True):
    """Somebody at the table: staff with the rank the rulebook's ladder gives them, or nobody in particular (0).

    `roles` are what they do beside the ladder, such as a chip runner; who has none is written down without.
    """

    id: str
    rank: int = 0
    roles: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET

    def has(self, role: str) -> bool:
        """Whether they do this beside their rank."""
        return bool(role) and self.roles is not msgspec.UNSET and role in self.roles


TABLE = Person("table")
