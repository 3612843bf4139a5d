"""Checks the store by itself: every chain from its first row, every countersigned head against the tree."""

from __future__ import annotations

from itertools import takewhile
from typing import NamedTuple

from sqlalchemy import Connection, Engine, select

from controller.journal.chain import GENESIS, chained
from controller.journal.head import Head, read_note
from controller.journal.tree import Tree, leaf
from floor.journals import kept_rows
from floor.store.schema import HEADS, JOURNALS


class Checked(NamedTuple):
    """One journal in the store: its rows and heads, and what is wrong with it, if anything."""

    origin: str
    rows: int
    heads: int
    wrong: str


def checked(engine: Engine) -> list[Checked]:
    """Every journal in the store."""
    columns = (JOURNALS.c.id, JOURNALS.c.origin, JOURNALS.c.removed, JOURNALS.c.size)
    with engine.connect() as connection:
        return [_checked(connection, *one) for one in connection.execute(select(*columns)).all()]


def _checked(connection: Connection, journal: int, origin: str, removed: int, size: int) -> Checked:
    heads = _heads(connection, journal)
    last, previous, tree = removed, GENESIS, None if removed else Tree()
    for row in takewhile(lambda each: each.seq <= size, kept_rows(connection, journal, 0)):  # a floor may be running
        begins = removed and row.seq == removed + 1  # what came before it is not here, so it is believed
        if row.seq != last + 1 or (not begins and chained(previous, row.seq, row.at, row.body) != row.hash):
            return Checked(
                origin, last - removed, len(heads), f"event {last + 1} was altered or removed, or one put in"
            )
        last, previous = row.seq, row.hash
        if tree is not None:
            tree.add(leaf(row.seq, row.at, row.body))
            if last in heads and heads[last].root != tree.root():
                return Checked(
                    origin, last, len(heads), f"event {last} or an earlier one is not what was countersigned"
                )
    wrong = f"event {last + 1} is missing" if last != size else ""
    return Checked(origin, last - removed, len(heads), wrong)


def _heads(connection: Connection, journal: int) -> dict[int, Head]:
    wanted = select(HEADS.c.size, HEADS.c.note).where(HEADS.c.journal == journal)
    return {one.size: read_note(one.note).head for one in connection.execute(wanted)}
