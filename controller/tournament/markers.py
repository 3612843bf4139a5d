"""What an entrant holds for a session besides chips: All-In, Pass and Re-Buy markers, and secret wagers; and a round's
use of them, which counts once the round is dealt."""

from __future__ import annotations

from typing import Literal

import msgspec

from controller.tournament.terms import Terms

Marker = Literal["all_in", "pass", "rebuy", "secret"]
WORDS: dict[str, str] = {
    "all_in": "All-In marker",
    "pass": "Pass marker",
    "rebuy": "Re-Buy marker",
    "secret": "secret wager",
}
CLAUSES: dict[str, str] = {"secret": "4.4(c)", "all_in": "4.4(d)", "pass": "4.4(e)", "rebuy": "4.4(f)"}
"""Where the chapter speaks of each."""


def held_by(terms: Terms) -> dict[str, int]:
    """What every entrant holds when a session begins (T-24)."""
    markers, secret = terms.wagers.markers, terms.wagers.secret
    held = {"secret": secret.each if secret is not None else 0}
    if markers is not None:
        rebuy = markers.rebuy.each if markers.rebuy is not None else 0
        held |= {"all_in": markers.all_in, "pass": markers.pass_, "rebuy": rebuy}
    return held


class Secret(msgspec.Struct):
    """A sealed slip on a box; `units` once it was opened."""

    zone: str = ""
    units: int = 0
    opened: bool = False


class Laid(msgspec.Struct):
    """The markers that lie on the table for one round."""

    passes: list[str] = []
    all_in: dict[str, str] = {}  # the zone each stands for
    secrets: dict[str, Secret] = {}

    def used(self) -> list[tuple[str, Marker]]:
        """What is used up once the round is dealt."""
        found: list[tuple[str, Marker]] = [(who, "pass") for who in self.passes]
        found += [(who, "all_in") for who in self.all_in]
        return [*found, *((who, "secret") for who in self.secrets)]

    def sealed(self) -> list[str]:
        """Whose slips are still closed."""
        return [who for who, secret in self.secrets.items() if not secret.opened]

    def lifted(self, who: str) -> None:
        """Nothing of this entrant's lies there any more."""
        self.passes = [one for one in self.passes if one != who]
        self.all_in.pop(who, None)
        self.secrets.pop(who, None)
