"""What `bench wheel` kept: gone on with for the same analysis, and added up over several files into one statement."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lab.commands.bench import bench
from lab.wheels import counted
from lab.wheels.counted import Counted
from lab.wheels.evening import Tally

SPIN = "false alarm: truly {}.310 after 254.764 compartments, judged 18 clear. Touched."


def told(*arguments: object) -> Result:
    return CliRunner().invoke(bench, ["wheel", *map(str, arguments)])


def plastic(spins: int, nth: int, false_alarms: int = 0) -> dict[str, Tally]:
    hands = {"brake 0.3": {"spins": 10, "noticed": 10, "ideal": 1000}}
    examples = [SPIN.format(nth)]
    tally = Tally(wheels=2, spins=spins, clean=100, false_alarms=false_alarms, hands=hands, examples=examples)
    return {"thin plastic": tally}


def kept(path: Path, of: Counted, analysis: str = "") -> Path:
    counted.save(path, of)
    if analysis:
        path.write_text(path.read_text(encoding="utf-8").replace(counted.program(), analysis), encoding="utf-8")
    return path


@pytest.fixture
def halves(tmp_path: Path) -> tuple[Path, Path]:
    felt = {"felt tongue": Tally(wheels=1, spins=5000, clean=200, false_alarms=9)}
    return (
        kept(tmp_path / "a.json", Counted(2, plastic(400_000, 1, false_alarms=1), ["a 0", "a 1"])),
        kept(tmp_path / "b.json", Counted(3, plastic(595_000, 2) | felt, ["b 0", "b 1", "b 2"])),
    )


def test_a_long_run_goes_on_where_it_stopped_and_only_for_the_same_analysis(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    tally = Tally(wheels=1, spins=300, clean=200, false_alarms=1, causes={"push": 1})
    counted.save(path, Counted(4, {"thin plastic": tally}))
    found = counted.load(path)
    assert found.evenings == 4
    found.tallies["thin plastic"].add(Tally(spins=100))
    assert (found.tallies["thin plastic"].spins, found.tallies["thin plastic"].causes["push"]) == (400, 1)
    kept(path, found, "another")
    assert counted.load(path) == Counted()
    counted.save(path, Counted(1, {"thin plastic": Tally(spins=7)}))
    assert counted.load(path).evenings == 1
    held = json.loads(path.read_text(encoding="utf-8"))["analyses"]
    assert {name: one["evenings"] for name, one in held.items()} == {"another": 4, counted.program(): 1}


def test_played_evenings_are_kept_with_what_they_were_drawn_from_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    played = ("--kind", "thin plastic", "--spins", 60, "--seed", "s", "--kept", path)
    told(*played, "--evenings", 1)
    assert "2 evenings, 2 wheels of 1 kinds, 120 spins" in told(*played).stdout
    assert counted.load(path).drawn == ["s 0", "s 1"]


def test_several_kept_files_are_added_up_into_one_statement_and_not_written_to(halves: tuple[Path, Path]) -> None:
    before = [path.read_bytes() for path in halves]
    result = told("--kept", halves[0], "--kept", halves[1])
    assert "5 evenings, 5 wheels of 2 kinds, 1000000 spins, analysis" in result.stdout
    assert "wrong winners 0, missed short spins 0 (below 3.00e-06 and 3.00e-06 a spin" in result.stdout
    assert "10 of 400" in result.stdout
    lines = result.stdout.splitlines()
    assert lines[1].strip().startswith("felt tongue")  # the worst first
    alone = lines[lines.index("Wheels that miss a goal by themselves") + 1]
    assert alone.startswith("  felt tongue         natural spins called touched:     9 of 200")
    assert [path.read_bytes() for path in halves] == before


def test_what_was_added_up_is_told_as_json_with_its_limits(halves: tuple[Path, Path]) -> None:
    found = json.loads(told("--kept", halves[0], "--kept", halves[1], "--json").stdout)
    assert (found["spins"], found["wheels_played"], found["wrong"]) == (1_000_000, 5, 0)
    assert found["missed_short_below"] == pytest.approx(3e-6, rel=0.01)
    assert found["wheels"]["thin plastic"]["hands"]["brake 0.3"] == {"spins": 20, "noticed": 20, "ideal": 2000}


def test_a_wrong_winner_in_any_of_the_files_fails_the_statement(halves: tuple[Path, Path], tmp_path: Path) -> None:
    third = kept(tmp_path / "c.json", Counted(1, {"felt tongue": Tally(spins=1000, wrong=1)}, ["c 0"]))
    result = told("--kept", halves[0], "--kept", third)
    assert result.exit_code == 1
    assert "wrong winners 1, missed short spins 0 (below 1.18e-05 and 7.47e-06 a spin" in result.stdout
    assert "missed: 1 wrong winners" in result.stderr


def test_files_of_different_analyses_are_refused_with_what_each_holds(halves: tuple[Path, Path]) -> None:
    halves[1].write_text('{"analyses": {"older": {"evenings": 1, "tallies": {}}}}', encoding="utf-8")
    result = told("--kept", halves[0], "--kept", halves[1])
    assert result.exit_code == 1
    assert "not of one analysis" in result.stderr
    assert f"b.json holds older. Name files of one analysis (this program's is {counted.program()})" in result.stderr


def test_files_of_one_older_analysis_are_added_up_and_named_as_that(tmp_path: Path) -> None:
    first = kept(tmp_path / "a.json", Counted(1, plastic(10, 1)), "older")
    second = kept(tmp_path / "b.json", Counted(1, plastic(20, 2)), "older")
    result = told("--kept", first, "--kept", second)
    assert f"30 spins, analysis older, not this program's, which is {counted.program()}" in result.stdout
    assert "of 2 evenings it was not kept which wheels were drawn" in result.stdout


@pytest.mark.parametrize(("drawn", "nth"), [("a 1", 7), ("c 0", 1)], ids=["an evening drawn alike", "the same spin"])
def test_the_same_spins_never_count_twice(halves: tuple[Path, Path], tmp_path: Path, drawn: str, nth: int) -> None:
    copy = kept(tmp_path / "copy.json", Counted(1, plastic(10, nth), [drawn]))
    result = told("--kept", halves[0], "--kept", copy)
    assert result.exit_code == 1
    assert "a.json and " in result.stderr
    assert "hold the same spins" in result.stderr
    assert "named twice" in told("--kept", copy, "--kept", copy).stderr


@pytest.mark.parametrize(
    ("written", "words"),
    [(None, "there is no such file"), ("[]", "not kept by 'bench wheel'"), ("{}", "missing required field")],
)
def test_a_file_that_cannot_be_added_up_is_named_with_why(
    halves: tuple[Path, Path], tmp_path: Path, written: str | None, words: str
) -> None:
    strange = tmp_path / "strange.json"
    if written is not None:
        strange.write_text(written, encoding="utf-8")
    for others in ((), ("--kept", halves[0])):
        result = told("--kept", strange, "--evenings", 0, *others)
        assert result.exit_code == 1
        assert f"{strange}: " in result.stderr
        assert words in result.stderr


def test_nothing_is_played_on_with_several_files(halves: tuple[Path, Path]) -> None:
    result = told("--kept", halves[0], "--kept", halves[1], "--evenings", 2)
    assert result.exit_code == 2
    assert "play on with one of them at a time" in result.stderr
