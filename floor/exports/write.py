"""Writes exports into a folder: sheets as Parquet or CSV, poker hands as PHH with a count of what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, select

from controller.journal.file import JournalTrouble
from floor.exports.hands import CannotBePlayed, Hands, PokerHand
from floor.exports.phh import Unsaid, phh
from floor.exports.sheets import SHEETS, Part, write
from floor.journals import kept_rows
from floor.store.schema import JOURNALS

HANDS = "hands"
WHAT = (HANDS, *SHEETS)


class Written(NamedTuple):
    """One file: how many lines, or hands, it has, and how many hands are not in it, by reason."""

    file: str
    lines: int
    left_out: dict[str, int]


def export(connection: Connection, folder: Path, what: str, wanted: Part, form: str, venue: str) -> Iterator[Written]:
    """Write one kind of export; a file of the same name is replaced once the new one is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    if what == HANDS:
        for journal, slug, name in _poker(connection, wanted.table):
            text = HandsText(connection, journal, wanted, venue)
            file = folder / f"hands-{slug}-{name}.phhs"
            with _beside(file).open("w", encoding="utf-8") as to:
                to.writelines(text)
            _beside(file).replace(file)
            yield Written(str(file), text.count, dict(text.left_out))
        return
    file = folder / f"{what}.{form}"
    count = write(connection, what, wanted, form, _beside(file))
    _beside(file).replace(file)
    yield Written(str(file), count, {})


def _beside(file: Path) -> Path:
    return file.with_name(f".{file.name}.part")


def _poker(connection: Connection, table: str) -> list[tuple[int, str, str]]:
    """The journals of poker tables: their number here, the table, and the journal's own id."""
    asked = select(JOURNALS.c.id, JOURNALS.c.slug, JOURNALS.c.origin).where(JOURNALS.c.game == "poker")
    if table:
        asked = asked.where(JOURNALS.c.slug == table)
    found = connection.execute(asked.order_by(JOURNALS.c.slug, JOURNALS.c.id)).all()
    return [(one.id, one.slug, one.origin.rpartition("/")[2]) for one in found]


class HandsText:
    """The hands of one journal as a `.phhs` file, hand by hand; what was left out is counted meanwhile."""

    def __init__(self, connection: Connection, journal: int, wanted: Part, venue: str) -> None:
        self._connection, self._journal, self._wanted, self._venue = connection, journal, wanted, venue
        self.count = 0
        self.left_out: Counter[str] = Counter()

    def __iter__(self) -> Iterator[str]:
        try:
            yield from self._hands()
        except (CannotBePlayed, JournalTrouble) as trouble:
            self.left_out[f"and all that follow: {trouble}"] += 1

    def _hands(self) -> Iterator[str]:
        for one in Hands().follow(kept_rows(self._connection, self._journal, 0)):
            if isinstance(one, PokerHand):
                if not self._asked_for(one):
                    continue
                try:
                    text = phh(one, self._venue)
                except Unsaid as unsaid:
                    self.left_out[str(unsaid)] += 1
                    continue
                self.count += 1
                yield f"[{self.count}]\n{text}\n"
            else:
                self.left_out[one.why] += 1

    def _asked_for(self, hand: PokerHand) -> bool:
        since, until = self._wanted.since, self._wanted.until
        return since <= hand.ended and (not until or hand.ended < until)
