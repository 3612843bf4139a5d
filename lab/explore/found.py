"""What a walk can show, by a name that is the same for all of its kind."""

from __future__ import annotations

import msgspec


class Found(msgspec.Struct, frozen=True):
    """One finding: its name, the same for all of its kind, and what happened in this walk."""

    name: str
    text: str
