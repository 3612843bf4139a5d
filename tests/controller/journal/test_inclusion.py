"""Audit paths as an independent library reads them, also where the beginning of a journal is gone."""

from __future__ import annotations

import hashlib

import pytest
from pymerkle import InmemoryTree, verify_inclusion

from controller.journal.inclusion import Leaves
from controller.journal.tree import Tree

SIZES = [1, 2, 3, 5, 8, 13, 64, 100, 257]


def leaf_of(number: int) -> bytes:
    return hashlib.sha256(b"\x00row %d" % number).digest()


@pytest.mark.parametrize("size", SIZES)
def test_the_root_and_every_path_are_those_of_an_independent_library(size: int) -> None:
    judge = InmemoryTree(algorithm="sha256")
    for number in range(size):
        judge.append_entry(b"row %d" % number)
    leaves = Leaves(Tree(), [leaf_of(number) for number in range(size)])
    assert leaves.root() == judge.get_root()
    for number in range(size):
        judged = judge.prove_inclusion(number + 1, size)
        verify_inclusion(leaf_of(number), leaves.root(), judged)
        assert leaves.path(number) == [bytes.fromhex(one) for one in judged.serialize()["path"][1:]]


@pytest.mark.parametrize("gone", [1, 5, 64, 99])
def test_what_was_removed_is_stood_for_by_its_peaks(gone: int) -> None:
    whole = Leaves(Tree(), [leaf_of(number) for number in range(100)])
    removed = Tree()
    for number in range(gone):
        removed.add(leaf_of(number))
    rest = Leaves(removed, [leaf_of(number) for number in range(gone, 100)])
    assert rest.root() == whole.root()
    assert [rest.path(number) for number in range(gone, 100)] == [whole.path(number) for number in range(gone, 100)]
