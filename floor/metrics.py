"""What the floor tells of its tables and of itself, in numbers."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from prometheus_client.core import Metric as Family
from sqlalchemy import func, select
from starlette.routing import Route

from controller.core.state import LIFE
from controller.metrics import names
from controller.metrics.machine import MachineNumbers
from controller.metrics.served import ServedAside, family, single
from floor.intake import Intake
from floor.journals import Journal
from floor.orders import waiting
from floor.presence import Presence
from floor.store.schema import ALARMS, FINDINGS, JOURNALS


class FloorNumbers:
    """Read beside the loop: what is in memory as it stands, the rest from the store."""

    def __init__(self, intake: Intake, presence: Presence, trouble: Callable[[], str]) -> None:
        self._intake, self._presence, self._trouble = intake, presence, trouble

    def collect(self) -> Iterator[Family]:
        newest = self._newest()
        yield single(names.FLOOR_HEARS, not self._trouble())
        lives = Counter(one.reading.face.life for one in newest.values())
        yield family(names.FLOOR_TABLES, (((life,), lives[life]) for life in LIFE))
        yield family(names.FLOOR_ROWS, (((slug,), one.followed.size) for slug, one in newest.items()))
        yield family(names.FLOOR_ROUNDS, (((slug,), one.reading.face.rounds) for slug, one in newest.items()))
        yield family(names.FLOOR_BEHIND, (((slug,), self._behind(one)) for slug, one in newest.items()))
        unproved = (((slug,), one.followed.size - one.witnessed) for slug, one in newest.items())
        yield family(names.FLOOR_UNPROVED, unproved)
        here = self._presence.here
        yield family(names.FLOOR_HERE, (((slug,), here(one.address.origin)) for slug, one in newest.items()))
        yield from self._stored(newest)

    def _newest(self) -> dict[str, Journal]:
        """Each table's journal that was heard last."""
        journals = [*self._intake.journals.values()]  # at once: the store's own thread may add to them
        return {one.address.table: one for one in sorted(journals, key=lambda one: one.heard)}

    def _behind(self, one: Journal) -> int:
        seen = self._presence.seen.get(one.address.origin)
        return max(0, seen.last - one.followed.size) if seen is not None else 0

    def _stored(self, newest: dict[str, Journal]) -> Iterator[Family]:
        count = func.count().label("count")
        standing = select(JOURNALS.c.slug, count).join(ALARMS).where(ALARMS.c.over == 0).group_by(JOURNALS.c.slug)
        found = select(FINDINGS.c.code, func.count()).where(FINDINGS.c.open).group_by(FINDINGS.c.code)
        with self._intake.engine.connect() as store:
            alarms = {one[0]: one[1] for one in store.execute(standing)}
            findings = [((code,), count) for code, count in store.execute(found)]
        yield family(names.FLOOR_ALARMS, (((slug,), alarms.get(slug, 0)) for slug in newest))
        yield family(names.FLOOR_FINDINGS, findings)
        yield single(names.FLOOR_ORDERS, len(waiting(self._intake.engine, int(time.time() * 1000))))


def route(intake: Intake, presence: Presence, trouble: Callable[[], str], folder: Path, token: str) -> Route:
    """Where a floor with [metrics] is asked."""
    return Route("/metrics", ServedAside(token, FloorNumbers(intake, presence, trouble), MachineNumbers(folder)).show)
