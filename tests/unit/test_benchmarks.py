"""The benchmarks' own shape: what a result holds, how it is compared, and that the cheap ones run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller import benchmarks
from controller.benchmarks.history import History
from controller.benchmarks.measure import exponent, line, percentile, skipped, slope
from controller.commands import main


def test_a_cost_that_grows_with_size_shows_in_its_exponent() -> None:
    sizes = [10, 100, 1000]
    assert exponent(sizes, [5.0, 5.0, 5.0]) == pytest.approx(0.0)
    assert exponent(sizes, [2.0 * size for size in sizes]) == pytest.approx(1.0)
    assert slope([0, 10, 20], [1.0, 6.0, 11.0]) == pytest.approx(0.5)


def test_a_percentile_is_a_value_that_was_measured() -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], 0.5) == 2.0
    assert percentile(list(range(1, 101)), 0.99) == 99


def test_a_number_that_got_worse_is_told(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    for ratio in (1.0, 1.1, 1.2):
        assert not History(path, quick=True).add(_latency(ratio)).get("regressed")
    assert History(path, quick=True).add(_latency(1.5))["regressed"]
    assert "regressed" not in History(path, quick=False).add(_latency(9.0)), "a long run has a history of its own"


def test_speed_is_worse_when_it_falls(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    fast = line("speed", 1000, "x", "", True, better="more")
    History(path, quick=True).add(fast)
    assert History(path, quick=True).add({**fast, "value": 2000})["regressed"] is False
    assert History(path, quick=True).add({**fast, "value": 500})["regressed"] is True


def test_a_damaged_history_is_no_reason_to_stop(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_text('{"bench": "lat\nnot json\n[]\n')
    assert "usual" not in History(path, quick=True).add(_latency(1.0))


@pytest.mark.parametrize("name", ["scaling", "startup"])
def test_every_result_says_what_where_and_whether_it_is_good_enough(name: str) -> None:
    for result in benchmarks.run_all(quick=True, only=(name,)):
        assert {"bench", "value", "unit", "goal", "ok"} <= result.keys()
        assert json.loads(json.dumps(result)) == result


def test_a_missed_goal_fails_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(quick: bool, only: tuple[str, ...]) -> list[dict[str, object]]:
        return [skipped("war", "not yet"), {**_latency(3.0), "ok": False}]

    monkeypatch.setattr("controller.commands.bench.run_all", measured)
    ran = CliRunner().invoke(main, ["bench", "all", "--history", str(tmp_path / "history.jsonl")])
    assert ran.exit_code == 1
    assert "missed: latency" in ran.output
    assert '"skipped": "not yet"' in ran.output


def test_a_benchmark_that_breaks_is_told_and_the_next_still_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(quick: bool) -> list[dict[str, object]]:
        raise RuntimeError("no pty left")

    monkeypatch.setattr("controller.benchmarks.latency.run", broken)
    first, *others = benchmarks.run_all(quick=True, only=("latency", "scaling"))
    assert not first["ok"]
    assert "no pty left" in first["failed"]
    assert [other["bench"] for other in others] == ["growth_tags"]


def _latency(ratio: float) -> dict[str, object]:
    return line("latency", ratio * 0.5, "ms", "at most 2", ratio <= 2, ratio=ratio)
