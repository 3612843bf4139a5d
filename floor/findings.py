"""What the floor itself finds about a table, for people: said once while it stands, counted when it comes again."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, select, update

from floor.store.schema import FINDINGS


class Finding(NamedTuple):
    """One thing found: whose journal, which kind, in words, and what to do."""

    origin: str
    code: str
    text: str
    remedy: str

    @property
    def slug(self) -> str:
        return self.origin.split("/")[1]


def tell(connection: Connection, finding: Finding, at: int) -> None:
    """Put it where people see it; the same one again is counted."""
    where = (FINDINGS.c.origin == finding.origin) & (FINDINGS.c.code == finding.code) & FINDINGS.c.open
    told = connection.execute(select(FINDINGS.c.id).where(where)).first()
    if told is not None:
        change = {"count": FINDINGS.c.count + 1, "text": finding.text}
        connection.execute(update(FINDINGS).where(FINDINGS.c.id == told.id).values(**change))
        return
    connection.execute(FINDINGS.insert().values(slug=finding.slug, **finding._asdict(), at=at, count=1, open=True))


def over(connection: Connection, origin: str, code: str) -> None:
    """It holds no more."""
    where = (FINDINGS.c.origin == origin) & (FINDINGS.c.code == code) & FINDINGS.c.open
    connection.execute(update(FINDINGS).where(where).values(open=False))
