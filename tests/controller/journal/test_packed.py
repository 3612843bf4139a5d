"""Rows lie packed in the file, come back as they were, and are covered by the chain whatever somebody packs instead."""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.journal.file import Entry, JournalFile, JournalTrouble
from controller.journal.packed import MOST_BYTES, pack, unpack
from lab.measurements.play import Shift
from lab.sim.config import default_config, simulated_tables

BEFORE = b'{"event":{"type":"CardDrawn","device":"shoe","draw":97,"card":"JH","confidence":96},"form":4}'


@given(st.binary())
def test_whatever_is_packed_comes_back(text: bytes) -> None:
    assert unpack(pack(text)) == text


def test_what_was_never_packed_stands_as_it_lies() -> None:
    for lying in (b"", BEFORE, "text", 7, None, b"\x01", b"\x01no pack", pack(BEFORE)[:-1], pack(BEFORE) + b"more"):
        assert unpack(lying) == lying


def test_what_unpacks_to_gigabytes_is_not_believed() -> None:
    packer = zlib.compressobj(9, wbits=-13)
    bomb = b"\x01" + packer.compress(bytes(MOST_BYTES + 1)) + packer.flush()
    assert unpack(bomb) == bomb


def test_a_row_packed_anew_with_another_card_is_found(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    journal = JournalFile.open(path, "T1")
    journal.append([Entry(at, BEFORE) for at in (1, 2, 3)])
    journal.close()
    with sqlite3.connect(path) as connection:
        other = pack(BEFORE.replace(b"JH", b"AH"))
        connection.execute("UPDATE entries SET body = ? WHERE seq = 2", (other,))
    connection.close()
    with pytest.raises(JournalTrouble, match="event 2 was altered"):
        JournalFile.read_only(path).verify()


@pytest.mark.parametrize("table", simulated_tables())
def test_the_rows_of_every_game_take_less_than_half_their_room(table: str, tmp_path: Path) -> None:
    game, rulebook = simulated_tables()[table]
    shift = Shift(default_config(game, rulebook=rulebook), tmp_path / "table.sqlite")
    shift.play(3)
    bodies = [row.body for row in shift.table.runtime.journal.rows()]
    shift.end()
    assert sum(len(pack(body)) for body in bodies) < 0.5 * sum(map(len, bodies))
