"""What a table tells of itself, read when it is asked and counted nowhere else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

import msgspec
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.core import Metric as Family
from starlette.routing import Route

from controller import VERSION
from controller.config.types import TableConfig
from controller.core.runtime import Runtime
from controller.core.state import LIFE
from controller.journal.committer import TIMES_S, Timed
from controller.metrics import names
from controller.metrics.machine import MachineNumbers
from controller.metrics.served import Served, family, single


class TableNumbers:
    """Reads them from the running table, on its own loop."""

    def __init__(self, runtime: Runtime, config: TableConfig) -> None:
        self._runtime, self._config = runtime, config

    def collect(self) -> Iterator[Family]:
        yield from self._table()
        yield from self._journal()
        yield from self._devices()
        yield from self._uplink()

    def _table(self) -> Iterator[Family]:
        table, state = self._config.table, self._runtime.table.state
        yield family(names.INFO, (((table.name, table.game, table.rulebook, VERSION), 1),))
        yield family(names.LIFE, (((life,), life == state.life) for life in LIFE))
        yield single(names.ROUNDS, state.round - 1)
        kinds = Counter(state.desk.kinds.get(code, code) for code in state.desk.alarms)
        yield family(names.ALARMS, (((kind,), count) for kind, count in sorted(kinds.items())))
        yield single(names.SUSPENDING, len(state.faults))
        yield single(names.QUESTIONS, len(state.desk.prompts))

    def _journal(self) -> Iterator[Family]:
        runtime = self._runtime
        yield single(names.EVENTS, runtime.journal.last_seq)
        yield single(names.BROKEN, bool(runtime.broken))
        yield single(names.UNCLEAN, runtime.unclean)
        timed = runtime.committer
        if isinstance(timed, Timed):
            bounds = [*(str(each) for each in TIMES_S), "+Inf"]
            buckets = list(zip(bounds, accumulate(timed.counts), strict=True))
            made = HistogramMetricFamily(names.TO_DISK.name, names.TO_DISK.says)
            made.add_metric((), buckets, timed.seconds)
            yield made

    def _devices(self) -> Iterator[Family]:
        known = self._runtime.table.state.devices
        yield family(names.DEVICE_UP, (((place,), state == "up") for place, state in sorted(known.items())))
        drivers = sorted(self._runtime.drivers.items())
        counters = [(place, driver.health().counters) for place, driver in drivers]
        told = (((place, what), count) for place, counts in counters for what, count in sorted(counts.items()))
        yield family(names.DEVICE_LINK, told)

    def _uplink(self) -> Iterator[Family]:
        sign = self._runtime.uplink_sign()
        if sign is not None:
            said = msgspec.structs.asdict(sign)
            yield single(names.UPLINK_UP, said["state"] == "up")
            yield single(names.UPLINK_BEHIND, said["behind"])
            yield single(names.UPLINK_WITNESSED, said["witnessed"])


def route(runtime: Runtime, config: TableConfig) -> Route:
    """Where a table with [metrics] is asked."""
    assert config.metrics is not None
    machine = MachineNumbers(runtime.journal.path.parent)
    return Route("/metrics", Served(config.metrics.token, TableNumbers(runtime, config), machine).show)
