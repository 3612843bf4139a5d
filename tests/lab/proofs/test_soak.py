"""Long days at a table, cut short: errors, faults and restarts, and nothing that grows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from controller.commands import main
from controller.core.effects import Settled, WagerResult
from lab.measurements.memory import TABLES
from lab.proofs.faultmatrix import FAULTS
from lab.proofs.sloppy import nobody_accused
from lab.proofs.soak import Day, Sample, Soaked
from lab.proofs.soak_growth import as_text, fine, growth
from lab.proofs.war_judge import WarJudge
from simulators.faults import Fault


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_short_day_of_errors_faults_and_restarts_ends_with_every_account_right(table: str, tmp_path: Path) -> None:
    day = Day(table, tmp_path / "table.sqlite", seed=3, trouble_s=40.0).play(0.15)
    assert day.problems == []
    assert day.rounds > 5
    assert day.faults
    assert bool(day.judged) == table.endswith("-war")
    assert day.stopped + day.killed
    assert len(day.samples) == 8


@pytest.mark.parametrize("table", ["wheel", "melbourne-war", "poker"])
def test_sloppy_hands_are_told_from_what_broke_and_nobody_is_accused(table: str, tmp_path: Path) -> None:
    day = Day(table, tmp_path / "table.sqlite", seed=2, trouble_s=300.0, honest=True).play(0.5)
    assert day.problems == []
    assert nobody_accused(day.hands), as_text(day)
    assert sum(line.rounds for line in day.hands) > 5
    assert "stack toppled" in as_text(day)


def test_a_round_in_which_something_broke_counts_for_no_kind(tmp_path: Path) -> None:
    day = Day("poker", tmp_path / "table.sqlite", seed=2, trouble_s=30.0, honest=True).play(0.3)
    assert day.faults + day.killed + day.stopped > 20
    assert sum(line.rounds for line in day.hands) < day.rounds / 4


def test_an_accusation_of_sloppy_hands_fails_a_day(tmp_path: Path) -> None:
    day = Day("poker", tmp_path / "table.sqlite", seed=2, honest=True).play(0.1)
    assert fine(day), as_text(day)
    day.hands[0].accused += 1
    assert not fine(day)


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


ROUND: dict[str, Any] = {
    "round": 7,
    "valid": True,
    "cards": ["KS", "3D", "8C", "AH", "8H", "2C", "QH", "QS"],
    "to": ["box1", "box2", "box3", "box4", "dealer", "war-burn", "box3", "dealer"],
    "stakes": [
        ["main 1", "P1", 1, "main", "first", 500, 500, "live"],
        ["main 2", "P1", 2, "main", "first", 60_000, 50_000, "live"],
        ["main 3", "P2", 3, "main", "first", 1000, 1000, "live"],
        ["tie 3", "P2", 3, "tie", "first", 500, 500, "live"],
        ["perfect_pairs 3", "P2", 3, "perfect_pairs", "first", 500, 500, "live"],
        ["a_bomb 4", "P3", 4, "a_bomb", "first", 500, 500, "live"],
        ["war 3", "P2", 3, "war", "war", 1000, 1000, "live"],
    ],
    "choices": [[3, "P2", "war"]],
    "results": [
        ["main 1", "win", 500, 0, 500],
        ["main 2", "lose", 0, 50_000, 10_000],
        ["main 3", "win", 1000, 0, 1000],
        ["tie 3", "win", 5000, 0, 500],
        ["perfect_pairs 3", "win", 2500, 0, 500],
        ["a_bomb 4", "win", 5000, 0, 500],
        ["war 3", "win", 1000, 0, 1000],
    ],
}  # fmt: skip
"""A round at Perth under column 2: box 3 ties, pairs in mixed colours, goes to war and ties again."""


def decided(*results: list[Any], **other: Any) -> list[str]:
    """What the second judge says of the round with some results changed."""
    changed = {one[0]: one for one in results}
    facts = {**ROUND, "results": [changed.get(one[0], one) for one in ROUND["results"]], **other}
    return WarJudge("perth-war", 2, 250).problems(facts)


@pytest.mark.parametrize(("taken", "back", "wrong"), [(5_000, 250, 0), (5_000, 500, 1), (4_750, 250, 1), (250, 250, 1)])
def test_of_a_lost_stake_no_more_goes_back_than_is_no_whole_step_above_the_minimum(
    tmp_path: Path, taken: int, back: int, wrong: int
) -> None:
    day = Day("perth-war", tmp_path / "day.sqlite", 1)
    assert (day.config.limits.min, day.config.limits.unit) == (500, 500)
    lost = WagerResult("main 1 P1", "P1", "main 1", "lose", 0, taken, back, ())
    assert len(day._money_problems(Settled(1, "final", (lost,)))) == wrong


def test_the_second_judge_agrees_with_a_round_settled_as_the_documents_say() -> None:
    assert decided() == []
    surrendered = {"choices": [[3, "P2", "surrender"]], "stakes": ROUND["stakes"][:-1]}
    assert decided(["main 3", "surrender", 0, 500, 500], **surrendered) == []
    equal_at_the_star = [["main 3", "standoff", 0, 0, 1000], ["war 3", "win", 2000, 0, 1000]]
    stakes = [one for one in ROUND["stakes"] if one[0] in ("main 3", "war 3")]
    star = WarJudge("star-war", None, 250)
    assert star.problems({**ROUND, "stakes": stakes, "results": equal_at_the_star}) == []


@pytest.mark.parametrize(
    "wrong",
    [
        ["main 1", "win", 750, 0, 500],
        ["main 1", "lose", 0, 500, 0],
        ["main 1", "standoff", 0, 0, 500],
        ["main 2", "lose", 0, 60_000, 0],
        ["main 2", "win", 50_000, 0, 60_000],
        ["main 3", "standoff", 0, 0, 1000],
        ["main 3", "surrender", 0, 500, 500],
        ["tie 3", "win", 4500, 0, 500],
        ["perfect_pairs 3", "win", 6000, 0, 500],
        ["perfect_pairs 3", "lose", 0, 500, 0],
        ["a_bomb 4", "lose", 0, 500, 0],
        ["war 3", "win", 2000, 0, 1000],
        ["main 1", "win", 500, 0, 250],
    ],
)
def test_the_second_judge_sees_every_wager_settled_otherwise(wrong: list[Any]) -> None:
    (problem,) = decided(wrong)
    assert problem.startswith(wrong[0])


def test_the_second_judge_sees_a_stake_forgotten_and_one_settled_without_cards() -> None:
    assert decided(results=ROUND["results"][1:]) == ["main 1 was never settled"]
    assert decided(cards=ROUND["cards"][:5], to=ROUND["to"][:5]) == [
        "main 3 is settled win without its cards",
        "war 3 is settled win without its cards",
    ]


def test_a_soaked_round_decided_on_cards_that_never_came_is_found(tmp_path: Path) -> None:
    day = Day("perth-war", tmp_path / "table.sqlite", seed=1)
    assert day._judge is not None
    day.devices.sources["shoe"].drawn += ROUND["cards"]
    day._judge_again(day._judge, ROUND)
    assert (day.told.problems, day.told.judged) == ([], 1)
    day.devices.sources["shoe"].drawn[-8] = "2S"
    day._judge_again(day._judge, ROUND)
    assert "the table took" in day.told.problems[0]


@pytest.mark.parametrize("table", ["melbourne-war", "perth-war", "star-war"])
def test_a_card_that_leaves_while_the_shoe_cannot_see_is_told_by_the_people(table: str, tmp_path: Path) -> None:
    day = Day(table, tmp_path / "table.sqlite", seed=1, trouble_s=1e9)
    shoe = day.devices.sources["shoe"]

    def strike() -> None:
        dealing = day.runtime is not None and day.runtime.table.game.machine.state == "dealing"
        if dealing and shoe._pulling:
            day.devices.plan(Fault.of({"device": "shoe", **FAULTS["reboot without memory"]}))
        else:
            day.clock.call_later(0.1, strike)

    day.clock.call_later(120.0, strike)
    assert day.play(0.1).problems == []
    assert day.shift.rulings["unseen: enter"] == 1


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
                2_000 + round(steps.get("remembered", 0)),
            )
        )
    return Soaked("wheel", 1, 10.0, samples=samples)


def test_a_day_without_growth_is_flat() -> None:
    assert [one.what for one in growth(a_day()) if not one.flat] == []


def test_lists_of_the_table_that_fill_up_are_not_taken_for_a_leak() -> None:
    day = a_day(blocks=3.0, remembered=3.0)
    assert [one.what for one in growth(day) if not one.flat] == []


@pytest.mark.parametrize(
    ("what", "rate", "named"),
    [
        ("memory", 3.0, "memory"),
        ("blocks", 4.0, "pieces of memory"),
        ("remembered", 8.0, "remembered by the table"),
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
