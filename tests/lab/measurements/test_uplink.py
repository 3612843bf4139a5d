"""What an uplink costs is the difference of two tables, of which one has one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from lab.measurements import uplink, uplink_end
from lab.measurements.uplink_end import Task, Used

WITHOUT = Used(cpu=1.0, kb=50_000, rows=100, to_disk=(0.002, 0.002, 0.003), sent=False)


@pytest.mark.parametrize(
    ("change", "missed"),
    [
        ({}, []),
        ({"cpu": 2.0}, ["uplink_cpu"]),
        ({"cpu": 2.0, "rows": 200}, []),
        ({"kb": 59_000}, ["uplink_memory"]),
        ({"to_disk": (0.004, 0.004, 0.003)}, ["uplink_to_disk"]),
    ],
)
def test_a_goal_is_missed_by_what_the_uplink_adds(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, object], missed: list[str]
) -> None:
    monkeypatch.setattr(uplink, "busy", lambda: False)
    having = msgspec.structs.replace(WITHOUT, sent=True, cpu=1.2, **change) if "cpu" not in change else None
    having = having or msgspec.structs.replace(WITHOUT, sent=True, **change)
    assert [one["bench"] for one in uplink._compared(WITHOUT, having, 10.0) if not one["ok"]] == missed


def test_an_uplink_that_reached_nobody_is_no_measurement() -> None:
    with pytest.raises(RuntimeError, match="never reached"):
        list(uplink._compared(WITHOUT, WITHOUT, 10.0))


def test_a_table_without_an_uplink_is_measured_while_it_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uplink_end, "WARM_S", 0.3)
    task = Task("Measured", "melbourne-wheel", 3, bytes(32), str(tmp_path / "table.sqlite"), 100.0, 0.5)
    used = asyncio.run(uplink_end.played(task))
    assert used.rows > 5
    assert len(used.to_disk) > 5
    assert min(used.to_disk) > 0
    assert used.cpu > 0
    assert used.kb > 10_000
