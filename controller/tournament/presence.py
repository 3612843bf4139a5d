"""Whether a Director is there: a fact with proofs and an end, and no session of a screen (T-5)."""

from __future__ import annotations

import msgspec

LEFT = ("signed out by card", "card gone", "signed out")
"""What a sign-in ends by when its owner goes; that a screen was idle says nothing of the room."""


class Proof(msgspec.Struct, frozen=True):
    """The last thing that showed somebody to be there."""

    at: int
    how: str


class Presence(msgspec.Struct):
    """Director and deputies of an event, and when each was last shown to be there."""

    director: str = ""
    deputies: tuple[str, ...] = ()
    deputy_counts: bool = False
    minutes: int = 30
    proofs: dict[str, Proof] = {}

    def decides(self, who: str) -> bool:
        """Whether somebody decides as Director, or as the Director's designee."""
        return bool(who) and (who == self.director or who in self.deputies)

    def counts(self, who: str) -> bool:
        """Whether their being there is enough: a deputy's only where the document says so (T-4)."""
        return bool(who) and (who == self.director or (self.deputy_counts and who in self.deputies))

    def shown(self, who: str, at: int, how: str) -> None:
        if self.decides(who):
            self.proofs[who] = Proof(at, how)

    def gone(self, who: str) -> None:
        self.proofs.pop(who, None)

    def until(self) -> int:
        """When nobody counts as present any more, unless shown anew; 0 where nobody does now."""
        return max(
            (proof.at + 60_000 * self.minutes for who, proof in self.proofs.items() if self.counts(who)), default=0
        )

    def present(self, at: int) -> bool:
        return at < self.until()
