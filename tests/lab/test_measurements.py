"""The benchmarks' own shape: what a result holds, how it is compared, and that the cheap ones run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.commands import main
from lab import measurements as benchmarks
from lab.measurements import seats, shown
from lab.measurements.history import History
from lab.measurements.measure import exponent, line, percentile, skipped, slope
from tests import ROOT


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


def test_a_result_that_has_a_ratio_now_is_not_held_against_plain_values_of_before(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    plain = line("speed", 1000, "x", "", True, better="more")
    History(path, quick=True).add(plain)
    assert "usual" not in History(path, quick=True).add({**plain, "ratio": 3.0})
    assert History(path, quick=True).add({**plain, "ratio": 4.0})["regressed"] is True


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

    monkeypatch.setattr("lab.commands.bench.run_all", measured)
    ran = CliRunner().invoke(main, ["bench", "all", "--history", str(tmp_path / "history.jsonl")])
    assert ran.exit_code == 1
    assert "missed: latency" in ran.output
    assert '"skipped": "not yet"' in ran.output


def test_a_benchmark_that_breaks_is_told_and_the_next_still_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(quick: bool) -> list[dict[str, object]]:
        raise RuntimeError("no pty left")

    monkeypatch.setattr("lab.measurements.latency.run", broken)
    first, *others = benchmarks.run_all(quick=True, only=("latency", "scaling"))
    assert not first["ok"]
    assert "no pty left" in first["failed"]
    assert [other["bench"] for other in others] == ["growth_tags"]


def _latency(ratio: float) -> dict[str, object]:
    return line("latency", ratio * 0.5, "ms", "at most 2", ratio <= 2, ratio=ratio)


def test_a_long_shift_keeps_its_result_and_an_unknown_table_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = CliRunner().invoke(main, ["bench", "memory", "--game", "whist"])
    assert told.exit_code == 2
    assert "there is no table 'whist'" in told.output
    monkeypatch.setattr("lab.measurements.memory.growth", lambda rounds, table: line(table, rounds, "", "", False))
    kept = tmp_path / "history.jsonl"
    told = CliRunner().invoke(main, ["bench", "memory", "--game", "poker", "--rounds", "100", "--history", str(kept)])
    assert told.exit_code == 1
    assert json.loads(kept.read_text())["bench"] == "poker"


# -- the README's numbers ------------------------------------------------------------------------------------------

PEER = {"bench": "peer_mpf", "version": "0.8", "theirs": 100.0, "ours": 250.0, "times": 2.5, "at": 1_767_225_600}


def test_the_readme_shows_what_was_measured_and_no_number_typed_by_hand() -> None:
    found = shown.read(ROOT / "lab" / "measurements" / "measured.jsonl")
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    assert shown.rendered(found) in page
    assert {name for name in found if name in shown.PEERS} == set(shown.PEERS), "every peer stands in the README"


def test_the_newest_full_run_is_shown_and_a_quick_or_broken_one_is_not() -> None:
    rows = [PEER, {**PEER, "times": 9.0, "quick": True}, {"bench": "peer_mpf", "value": None}, {**PEER, "bench": "odd"}]
    assert shown.newest([*map(json.dumps, rows), '{"cut off']) == {"peer_mpf": PEER}
    again = {**PEER, "times": 3.0}
    assert shown.newest(map(json.dumps, [PEER, again])) == {"peer_mpf": again}


def test_the_command_writes_the_tables_between_their_marks(tmp_path: Path) -> None:
    page, history, measured = tmp_path / "page.md", tmp_path / "history.jsonl", tmp_path / "kept" / "measured.jsonl"
    page.write_text(f"before\n{shown.BEGIN}\n7 typed by hand\n{shown.END}\nafter\n")
    history.write_text(json.dumps(PEER) + "\n" + json.dumps({**_latency(1.5), "ok": False}) + "\n")
    args = ["bench", "readme", "--history", str(history), "--measured", str(measured), "--page", str(page)]
    assert CliRunner().invoke(main, args).exit_code == 0
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "typed" not in text
    assert "| 100 | 250 | 2.5 |" in text
    assert "1 January 2026" in text
    history.unlink()
    assert CliRunner().invoke(main, args).exit_code == 0
    assert page.read_text() == text, "what was kept gives the same page"


def test_a_page_without_marks_and_a_machine_that_measured_nothing_are_told(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("nothing\n")
    args = [
        "bench",
        "readme",
        "--history",
        str(tmp_path / "none"),
        "--measured",
        str(tmp_path / "kept"),
        "--page",
        str(page),
    ]
    told = CliRunner().invoke(main, args)
    assert told.exit_code == 1
    assert "nothing was measured yet" in told.output
    (tmp_path / "none").write_text(json.dumps(PEER))
    told = CliRunner().invoke(main, args)
    assert told.exit_code == 1
    assert "no place for the tables" in told.output


def test_seats_and_devices_are_measured_on_play_that_goes_on() -> None:
    assert seats.one_event(3, 5) > 0
    assert seats.war_round(2, 2) > 0
    assert seats.poker_hand(3, 2) > 0
