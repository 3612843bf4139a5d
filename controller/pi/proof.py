"""One round, proved by itself: its rows, the hashes that tie each to a head, the head with its signatures, the clauses.

Anybody checks it with the few lines in docs/floor.md; neither this program nor the rest of the night is needed for it.
"""

from __future__ import annotations

import base64
from typing import Any

import msgspec

from controller.config.kept import of_start
from controller.core.events import Started
from controller.journal.chain import Row
from controller.journal.file import JournalFile, JournalTrouble
from controller.journal.head import Note
from controller.journal.inclusion import Leaves
from controller.journal.rounds import Recall, Recalled
from controller.journal.row import Record, read
from controller.journal.tree import Tree, leaf
from controller.rules import clauses

FORM = 1


def proof(journal: JournalFile, number: int, note: Note) -> dict[str, Any]:
    """What proves this round under this head; JournalTrouble when the round is not there, or the head is of another."""
    journal.prove(note.head)
    stub = journal.removed
    removed = stub.tree() if stub is not None else Tree()
    rows = list(journal.rows(removed.size + 1, note.head.size))
    found, rulebook = _found(journal, rows, number)
    leaves = Leaves(removed, [leaf(row.seq, row.at, row.body) for row in rows])
    own = [row for row in rows if found.first <= row.seq <= found.last]
    return {
        "form": FORM,
        "round": found.round,
        "outcome": found.outcome,
        "head": note.text(),
        "rows": [_row(row, leaves) for row in own],
        "rulebook": rulebook,
        "edition": found.rulebook,
        "clauses": _texts(rulebook, found),
    }


def _row(row: Row, leaves: Leaves) -> dict[str, Any]:
    path = [base64.b64encode(hash).decode() for hash in leaves.path(row.seq - 1)]
    return {"seq": row.seq, "at": row.at, "body": row.body.decode(), "path": path}


def _found(journal: JournalFile, rows: list[Row], number: int) -> tuple[Recalled, str]:
    game, rulebook, recall = "", "", None
    for row in rows:
        kept: Record[msgspec.Struct] = read(row, journal.path)
        if isinstance(kept.event, Started):
            table = of_start(kept.event).table
            rulebook = table.rulebook
            if recall is None or game != table.game:
                game = table.game
                recall = Recall(game)
        if recall is not None:
            recall.follow(((row.seq, row.at, kept),))
    found = [one for one in recall.rounds if one.round == number] if recall is not None else []
    if not found:
        raise JournalTrouble(
            f"{journal.path}: round {number} is not among the events that the head proves; give the number as "
            "`tablectl journal show` prints it, or a newer head"
        )
    return found[-1], rulebook


def _texts(rulebook: str, found: Recalled) -> dict[str, str]:
    """What each clause that the round cites asks, in our own words."""
    cited = {clause for wager in found.wagers for clause in wager["clauses"]}
    cited |= {clause for line in found.lines for clause in line.clauses}
    return {clause: clauses.find(rulebook, clause).does for clause in sorted(cited) if clauses.exists(rulebook, clause)}
