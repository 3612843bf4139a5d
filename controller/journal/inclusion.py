"""Proof that a row is in the tree of a head: the hashes beside its way up to the root (RFC 6962, audit path). Pure."""

from __future__ import annotations

from collections.abc import Sequence

from controller.journal.tree import Tree, node


class Leaves:
    """The leaves of a tree, the beginning of which may be known by its peaks alone."""

    def __init__(self, removed: Tree, leaves: Sequence[bytes]) -> None:
        self._first, self._leaves = removed.size, leaves
        self.size = removed.size + len(leaves)
        self._known: dict[tuple[int, int], bytes] = {}
        begin = 0
        for height, hash in removed.peaks:
            self._known[begin, begin + (1 << height)] = hash
            begin += 1 << height

    def root(self, begin: int = 0, end: int | None = None) -> bytes:
        """The hash of the leaves from `begin` to before `end`."""
        end = self.size if end is None else end
        if (begin, end) not in self._known:
            if end - begin == 1:
                return self._leaves[begin - self._first]
            middle = begin + _split(end - begin)
            self._known[begin, end] = node(self.root(begin, middle), self.root(middle, end))
        return self._known[begin, end]

    def path(self, place: int) -> list[bytes]:
        """The hashes beside the way from this leaf to the root, the lowest first."""
        begin, end, found = 0, self.size, []
        while end - begin > 1:
            middle = begin + _split(end - begin)
            if place < middle:
                found.append(self.root(middle, end))
                end = middle
            else:
                found.append(self.root(begin, middle))
                begin = middle
        return found[::-1]


def _split(count: int) -> int:
    """The greatest power of two below this number."""
    return 1 << (count - 1).bit_length() - 1
