"""An upgrade is measured with the real installer: how long the table stands still, and what a card has to take."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lab.measurements.upgrade import OUT_OF_PLAY_S, READY_CPU_S, run
from tests.bundles import borrowed_wheel, bundle, own_wheel


def test_a_table_in_mid_round_is_upgraded_and_soon_in_play_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = bundle(tmp_path, "1.0", own_wheel(tmp_path, "1.0"), borrowed_wheel(tmp_path))
    subprocess.run(["tar", "-czf", tmp_path / "made.tar.gz", "-C", tmp_path, made.name], check=True, timeout=60)
    monkeypatch.chdir(tmp_path)
    ready, upgraded = run(tmp_path / "made.tar.gz", 2000)
    assert ready["replayed"] > 100, "it was left in the middle of play"
    assert 0 < ready["value"] < READY_CPU_S
    assert upgraded["stop_s"] + upgraded["look_s"] + upgraded["start_s"] == pytest.approx(upgraded["value"], abs=0.01)
    assert 0 < upgraded["out_of_play_cpu_s"] < OUT_OF_PLAY_S
    assert upgraded["files"] > 200
    assert upgraded["syncs"] >= 4, "before and after what is put in place, and around the switch"
