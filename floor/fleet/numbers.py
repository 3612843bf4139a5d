"""What the floor tells of its tables' machines in numbers: versions, who lags behind, how roll-outs stand."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import get_args

from prometheus_client.core import Metric as Family

from controller.metrics import names
from controller.metrics.served import family
from floor.fleet.plan import Fleet, PlanState, doubled, here, lagging


class FleetNumbers:
    """Read from what the shepherd saw last."""

    def __init__(self, fleet: Callable[[], Fleet], now: Callable[[], int] = lambda: int(time.time() * 1000)) -> None:
        """`now` is in milliseconds."""
        self._fleet, self._now = fleet, now

    def collect(self) -> Iterator[Family]:
        fleet, now = self._fleet(), self._now()
        machines = sorted(fleet.machines.items())
        twice = doubled(fleet.machines, now)
        yield family(names.FLEET_VERSION, (((table, heard.has.program), 1) for table, heard in machines))
        yield family(names.FLEET_HERE, (((table,), here(heard, now)) for table, heard in machines))
        yield family(names.FLEET_DOUBLED, (((table,), table in twice) for table, _ in machines))
        levels = [(table, Counter(one.level for one in heard.has.found)) for table, heard in machines]
        found = (((table, level), counts[level]) for table, counts in levels for level in ("failed", "warning"))
        yield family(names.FLEET_FOUND, found)
        yield from self._roll_outs(fleet)

    def _roll_outs(self, fleet: Fleet) -> Iterator[Family]:
        states = (
            ((plan.kind, state), plan.state == state) for plan in fleet.plans for state in get_args(PlanState)
        )  # fmt: skip
        yield family(names.FLEET_ROLL_OUT, states)
        behind = (((plan.kind,), len(lagging(plan, fleet.machines))) for plan in fleet.plans)
        yield family(names.FLEET_LAGGING, behind)
        refused = (((table, plan.kind), 1) for plan in fleet.plans for table in plan.refused)
        yield family(names.FLEET_REFUSED, refused)
