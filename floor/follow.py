"""One journal followed from afar: every row held against the chain, every head against the tree, as they come. Pure."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from controller.journal.chain import GENESIS, Row, chained
from controller.journal.head import Head
from controller.journal.tree import Tree, leaf
from controller.uplink.messages import Rows

KEEP = "keep both journals as evidence and call the supervisor; the table's own: tablectl journal verify"


class Broken(Exception):
    """What a table sent does not belong to what it sent before: which kind of break, what, and what to do."""

    def __init__(self, code: str, text: str, remedy: str = KEEP) -> None:
        super().__init__(text)
        self.code, self.text, self.remedy = code, text, remedy


class Followed(msgspec.Struct):
    """Where a journal stands at the floor: rows and the last one's hash; the tree at the newest head, leaves since."""

    size: int = 0
    hash: bytes = GENESIS
    head: int = 0
    peaks: tuple[tuple[int, bytes], ...] = ()
    since: list[bytes] = []
    gap: tuple[int, int] | None = None
    """Rows that were removed at the table before the floor heard any of them."""

    def take(self, rows: Rows, hash_at: Callable[[int], bytes | None]) -> list[Row]:
        """The rows of a message that are new here; Broken when they do not follow what is known."""
        if rows.first > self.size + 1:
            self._begin_later(rows)
        if rows.first <= self.size:
            known = hash_at(rows.first - 1) if rows.first > 1 else GENESIS
            if known is not None and known != rows.before:
                raise self._other(rows.first - 1)
        elif rows.before != self.hash:
            raise self._other(self.size)
        return self._new(rows)

    def _new(self, rows: Rows) -> list[Row]:
        found, previous, fresh = [], rows.before, []
        for seq, (at, body) in enumerate(rows.rows, rows.first):
            previous = chained(previous, seq, at, body)
            if seq == self.size and previous != self.hash:
                raise self._other(seq)
            if seq > self.size:
                found.append(Row(seq, at, body, previous))
                fresh.append(leaf(seq, at, body))
        if previous != rows.hash:
            raise Broken("forged", f"event {rows.upto} or one before it was changed on its way here")
        if found:
            self.size, self.hash = found[-1].seq, found[-1].hash
            self.since += fresh
        return found

    def _begin_later(self, rows: Rows) -> None:
        """The first rows of a journal whose beginning was removed; without what stands for it there is a hole."""
        if not rows.peaks:
            raise Broken(
                "hole", f"events {self.size + 1} to {rows.first - 1} never came",
                "restore the floor's store from its backup, or the broker's, and start the floor again",
            )  # fmt: skip
        self.gap = (self.size + 1, rows.first - 1)
        self.size, self.hash = rows.first - 1, rows.before
        self.head, self.peaks, self.since = self.size, rows.peaks, []

    def check(self, head: Head) -> bool:
        """Hold a head against the rows; Broken when it stands for another past. False when a newer one is known."""
        if head.size < self.head:
            return False
        if head.size > self.size:
            raise Broken("ahead", f"a head stands for {head.size} events, and {self.size} have come")
        tree = Tree(self.head, self.peaks)
        for each in self.since[: head.size - self.head]:
            tree.add(each)
        if tree.root() != head.root:
            raise self._other(head.size)
        self.since = self.since[head.size - self.head :]
        self.head, self.peaks = head.size, tuple(tree.peaks)
        return True

    def _other(self, seq: int) -> Broken:
        return Broken("rewritten", f"event {seq} or an earlier one is another now than when the floor heard it")
