"""Journals of whole simulated tables, and how tests give them to a floor."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
from sqlalchemy import Engine, select

from controller.config.types import TableConfig
from controller.journal.chain import GENESIS
from controller.journal.cosignature import WitnessKey
from controller.journal.file import JournalFile
from controller.journal.head import TableKey
from controller.uplink.messages import FORM, Address, Rows, encode
from floor.intake import Heard, Intake
from floor.known import Known
from floor.store.database import opened
from floor.store.schema import FINDINGS
from lab.sim.config import default_config
from lab.sim.summary import Summary
from lab.sim.table import play_rounds, shift_for

WITNESS = WitnessKey("tablectl-floor/test", bytes(32))
TABLE = TableKey(bytes(range(32)))
CREATED = "2026-01-01"


def named(game: str, name: str) -> TableConfig:
    config = default_config(game)
    return msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, name=name))


@functools.cache
def played(game: str, rounds: int = 4) -> tuple[Path, Summary]:
    """The journal of a table that played so many rounds; made once, and only read."""
    path = Path(tempfile.mkdtemp(prefix="floor-")) / f"{game}.sqlite"
    config = named(game, f"The {game} 1")
    return path, play_rounds(config, path, 3, rounds, shift_for(config))


def heard(path: Path, size: int = 40, start: int = 0, signed: bool = True) -> Iterator[Heard]:
    """What an uplink sends of a journal, so many rows a message, each with the head of all rows so far."""
    journal = JournalFile.read_only(path)
    address, before = Address.of(journal.origin), GENESIS
    rows = list(journal.rows())
    for number, first in enumerate(range(0, len(rows), size), start + 1):
        part = rows[first : first + size]
        head = journal.head()._replace(size=part[-1].seq, root=journal.tree_at(part[-1].seq).root())
        note = TABLE.sign(head).text() if signed else ""
        said = Rows(FORM, part[0].seq, before, tuple((row.at, row.body) for row in part), part[-1].hash, note)
        before = part[-1].hash
        yield Heard(number, address.rows, encode(said), part[-1].at)
    journal.close()


def changed(one: Heard, **change: object) -> Heard:
    """The same message with something else in it."""
    said = msgspec.msgpack.decode(one.data, type=Rows)
    return one._replace(data=encode(msgspec.structs.replace(said, **change)))


def known(*paths: Path) -> Known:
    """A floor that knows the keys of these tables."""
    slugs = {Address.of(JournalFile.read_only(path).origin).table for path in paths}
    return Known({slug: (TABLE.public("x").octets,) for slug in slugs})


def floor_at(folder: Path, *paths: Path) -> Intake:
    """An intake on a store of its own."""
    intake = Intake(opened(f"sqlite:///{folder / 'floor.db'}"), known(*paths), WITNESS, lambda: 1_700_000_000.0)
    intake.begin(CREATED)
    return intake


def findings(engine: Engine) -> dict[str, str]:
    """What the floor tells, by kind."""
    with engine.connect() as connection:
        return {one.code: one.text for one in connection.execute(select(FINDINGS).where(FINDINGS.c.open))}
