"""The fleet in numbers: versions, who lags behind, what was refused, and how roll-outs stand."""

from __future__ import annotations

from prometheus_client import CollectorRegistry

from floor.fleet.numbers import FleetNumbers
from tests.floor.fleet.machines import FLEET, NOW


def test_versions_those_behind_and_roll_outs_are_told() -> None:
    registry = CollectorRegistry()
    registry.register(FleetNumbers(lambda: FLEET, lambda: NOW))

    def told(name: str, **labels: str) -> float | None:
        return registry.get_sample_value(f"tablectl_fleet_{name}", labels)

    assert [told("version", table="t1", version="2.0"), told("version", table="t2", version="1.0")] == [1, 1]
    assert [told("here", table=table) for table in ("t1", "t2", "t3")] == [1, 1, 0]
    assert [told("doubled", table=table) for table in ("t1", "t2", "t4")] == [0, 1, 1]
    assert told("lagging", kind="program") == 2
    assert [told("roll_out", kind="program", state=state) for state in ("running", "halted", "over")] == [0, 1, 0]
    assert told("refused", table="t2", kind="program") == 1
    assert [told("found", table="t3", level=level) for level in ("failed", "warning")] == [1, 0]
