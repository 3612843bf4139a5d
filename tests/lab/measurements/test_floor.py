"""Catching up is measured beside what the same broker takes from a plain client in the same run."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.measurements import floor
from lab.needs import NATS_SERVER
from tests.needed import needed


def test_catching_up_stands_beside_the_bare_broker_of_the_same_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed(NATS_SERVER, "nothing caught up over a broker")
    monkeypatch.setattr(floor, "ROUNDS", 2)
    result = floor._caught_up(tmp_path, 1)
    bare = result["floor"]["bare_broker_rows_a_second"]
    assert result["rows"] > 50
    assert result["value"] > 0
    assert result["ratio"] == pytest.approx(bare / result["value"], rel=0.05)
