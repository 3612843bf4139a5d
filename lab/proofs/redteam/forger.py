"""Whoever owns the machine and its key: rewrites a journal and computes every hash, seal and subtree again."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from controller.journal.packed import unpack

Fact = dict[str, Any]


class Forger:
    """A journal in the hands of somebody who knows how it is made; what is changed is whole again after `write`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with sqlite3.connect(path) as connection:
            connection.create_function("unpack", 1, unpack)
            rows = connection.execute("SELECT at, unpack(body) FROM entries ORDER BY seq").fetchall()
            self.rows: list[tuple[int, Fact]] = [(at, json.loads(body)) for at, body in rows]
            self._bodies = {json.dumps(json.loads(body)): body for _, body in rows}
            self.snapshots: dict[int, bytes] = dict(connection.execute("SELECT seq, unpack(body) FROM snapshots"))
            self.meta: dict[str, str] = dict(connection.execute("SELECT key, value FROM meta"))
        connection.close()

    def find(self, kind: str, where: Callable[[Fact], bool] = lambda fact: True) -> Fact:
        """The first event or conclusion of a kind, to be changed in place."""
        for _, row in self.rows:
            facts: list[Fact] = [row["event"], *row.get("effects", ())]
            for fact in facts:
                if fact["type"] == kind and where(fact):
                    return fact
        raise AssertionError(f"nothing of the kind {kind} is in this journal")

    def write(self, tree: bool = True, first: int = 1, before: bytes = bytes(32)) -> None:
        """Put it back, with all that depends on it made new; without `tree`, that is left as it was."""
        last = first - 1 + len(self.rows)
        self.snapshots = {seq: body for seq, body in self.snapshots.items() if first <= seq <= last}
        leaves, previous = [], before
        with sqlite3.connect(self.path) as connection:
            connection.execute("DELETE FROM entries")
            connection.execute("DELETE FROM snapshots")
            for seq, (at, row) in enumerate(self.rows, first):
                if seq in self.snapshots and row.get("form", 1) >= 3:
                    row["stood"] = hashlib.sha256(self.snapshots[seq]).hexdigest()
                body = self._body(row)
                previous = hashlib.sha256(b"%b%d|%d|%b" % (previous, seq, at, body)).digest()
                leaves.append(hashlib.sha256(b"\x00%d|%d|%b" % (seq, at, body)).digest())
                connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", (seq, at, body, previous))
                if seq in self.snapshots:
                    kept = self.snapshots[seq]
                    seal = hashlib.sha256(b"snapshot%b%d|%b" % (previous, seq, kept)).digest()
                    connection.execute("INSERT INTO snapshots VALUES (?, ?, ?)", (seq, kept, seal))
            if tree:
                connection.execute("DELETE FROM tree")
                for place in range(len(leaves) // 256):
                    hash = subtree(leaves[place * 256 : place * 256 + 256])
                    connection.execute("INSERT INTO tree VALUES (8, ?, ?)", (place, hash))
            connection.execute("DELETE FROM meta")
            connection.executemany("INSERT INTO meta VALUES (?, ?)", self.meta.items())
        connection.close()

    def _body(self, row: Fact) -> bytes:
        """A row's bytes; the very ones that were there where nothing was changed."""
        known = self._bodies.get(json.dumps(row))
        return known if known is not None else json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()

    def stand_for(self, last: int, exports: list[list[Any]]) -> None:
        """Take the first rows away and leave a stub in their place whose tree is the one over them."""
        with sqlite3.connect(self.path) as connection:
            connection.create_function("unpack", 1, unpack)
            gone = "SELECT seq, at, unpack(body), hash FROM entries WHERE seq <= ? ORDER BY seq"
            rows = connection.execute(gone, (last,)).fetchall()
            leaves = [hashlib.sha256(b"\x00%d|%d|%b" % (seq, at, body)).digest() for seq, at, body, _ in rows]
            peaks, begin = [], 0
            for height in (height for height in range(last.bit_length() - 1, -1, -1) if last >> height & 1):
                peaks.append((height, subtree(leaves[begin : begin + (1 << height)]).hex()))
                begin += 1 << height
            stub = {"last": last, "hash": rows[-1][3].hex(), "exports": exports, "peaks": peaks}
            connection.execute("DELETE FROM entries WHERE seq <= ?", (last,))
            connection.execute("INSERT INTO meta VALUES ('removed', ?)", (json.dumps(stub),))
        connection.close()

    def run(self, sql: str) -> None:
        """Do something to the database itself."""
        with sqlite3.connect(self.path) as connection:
            connection.executescript(sql)
        connection.close()


def subtree(hashes: list[bytes]) -> bytes:
    while len(hashes) > 1:
        hashes = [
            hashlib.sha256(b"\x01" + left + right).digest()
            for left, right in zip(hashes[::2], hashes[1::2], strict=True)
        ]
    return hashes[0]
