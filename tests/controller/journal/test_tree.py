"""The tree over a journal, held against others who know the same form."""

from __future__ import annotations

import pytest

from controller.journal.tree import Tree, leaf
from tests.controller.journal.grown import SIZES, entry, judged


@pytest.mark.parametrize("size", SIZES)
def test_the_root_is_that_of_rfc_6962(size: int) -> None:
    tree = Tree()
    for seq in range(1, size + 1):
        tree.add(leaf(seq, 1000 + seq, entry(seq).body))
    assert tree.root() == judged(size)
