"""Long days at a table, cut short: errors, faults and restarts, and nothing that grows."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from controller.benchmarks.memory import TABLES
from controller.commands import main
from controller.effects import Settled, WagerResult
from controller.proving.soak import Day, Sample, Soaked
from controller.proving.soak_growth import as_text, fine, growth


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_short_day_of_errors_faults_and_restarts_ends_with_every_account_right(table: str, tmp_path: Path) -> None:
    day = Day(table, tmp_path / "table.sqlite", seed=3, trouble_s=40.0).play(0.15)
    assert day.problems == []
    assert day.rounds > 5
    assert day.faults
    assert day.stopped + day.killed
    assert len(day.samples) == 8


@pytest.mark.slow
@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_whole_day_is_flat(table: str, tmp_path: Path) -> None:
    day = Day(table, tmp_path / "table.sqlite", seed=1).play(24.0)
    assert fine(day), as_text(day)


def test_a_table_that_pays_what_no_wheel_says_is_found(tmp_path: Path) -> None:
    day = Day("wheel", tmp_path / "table.sqlite", seed=1)
    winner = day._ring[int(day.devices.wheel.place)]
    other = next(symbol for symbol in day._ring if symbol != winner)
    result = WagerResult("w", "P1", other, "win", 500, 0, 500, ())
    assert day._money_problems(Settled(1, other, (result,)))
    lost = msgspec.structs.replace(result, result="lose", pays=0, stake_taken=250, stake_returned=250)
    assert day._money_problems(Settled(1, "nothing", (lost,)))
    day._settled_once([Settled(1, winner, (result,))])
    assert day.told.problems == []
    day._settled_once([Settled(1, winner, (result,))])
    assert "twice" in day.told.problems[0]


def a_day(**grows: float) -> Soaked:
    """A day whose numbers grow by so much a round."""
    samples = []
    for number in range(1, 41):
        rounds = 50 * number
        steps = {name: rate * rounds for name, rate in grows.items()}
        samples.append(
            Sample(
                900.0 * number,
                rounds,
                43_000 + number % 3 * 40 + round(steps.get("memory", 0)),
                10 + number % 2 + round(steps.get("files", 0)),
                1 + round(steps.get("threads", 0)),
                24_000 * rounds + round(steps.get("journal", 0) * rounds),
                190_000 + number % 5 * 500 + round(steps.get("blocks", 0)),
                0.012,
                20 + number % 4 + steps.get("cpu", 0.0),
            )
        )
    return Soaked("wheel", 1, 10.0, samples=samples)


def test_a_day_without_growth_is_flat() -> None:
    assert [one.what for one in growth(a_day()) if not one.flat] == []


@pytest.mark.parametrize(
    ("what", "rate", "named"),
    [
        ("memory", 3.0, "memory"),
        ("blocks", 4.0, "pieces of memory"),
        ("files", 0.01, "open files"),
        ("threads", 0.01, "threads"),
        ("journal", 6.0, "journal"),
        ("cpu", 5e-3, "processor time"),
    ],
)
def test_each_growth_is_told_apart(what: str, rate: float, named: str) -> None:
    day = a_day(**{what: rate})
    assert [one.what for one in growth(day) if not one.flat] == [named]
    assert not fine(day)
    assert "NOT FLAT" in as_text(day)


def test_the_command_plays_a_moment_and_refuses_an_unknown_table() -> None:
    told = CliRunner().invoke(main, ["soak", "--game", "wheel", "--hours", "0.05"])
    assert "wheel: 0.05 h" in told.output
    assert "processor time" in told.output
    wrong = CliRunner().invoke(main, ["soak", "--game", "whist"])
    assert wrong.exit_code == 2
    assert "there is no table 'whist'" in wrong.output
