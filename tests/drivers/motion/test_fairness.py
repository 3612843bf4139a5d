"""Landings over many spins: an even wheel is left alone however often one looks, an uneven one and an aim are found."""

from __future__ import annotations

import json
from math import exp, log
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from controller.commands import main
from drivers.motion.fairness import Landing, fairness, staked


def even(rng: Random, spins: int, dealer: str = "") -> list[Landing]:
    return [
        Landing(rng.uniform(0, 52), rng.uniform(0, 52), rng.choice((1, -1)), rng.uniform(0.9, 1.9), dealer)
        for _ in range(spins)
    ]


def test_the_bank_on_an_even_wheel_is_a_fair_game() -> None:
    counts = [3, 1, 4, 1, 5]
    now = exp(staked(counts))
    later = [exp(staked([count + (n == cell) for n, count in enumerate(counts)])) for cell in range(5)]
    assert sum(later) / 5 == pytest.approx(now)
    assert staked([0] * 52) == pytest.approx(0.0)


def test_an_even_wheel_is_left_alone_however_often_one_looks() -> None:
    cried = 0
    for seed in range(60):
        landings = even(Random(seed), 300, "ann")
        cried += any(fairness(landings[:spins], 0.05).uneven for spins in range(20, 301, 40))
    assert cried <= 6


def test_a_compartment_that_comes_twice_as_often_is_found_within_a_week() -> None:
    rng = Random(4)
    landings = [
        Landing(rng.uniform(0, 52), 7.5 if rng.random() < 1 / 13 else rng.uniform(0, 52), 1) for _ in range(2500)
    ]
    found = fairness(landings)
    assert found.uneven
    assert found.tests[0].name.startswith(("compartments", "sectors"))
    assert found.counts[7] == max(found.counts)
    assert "not even" in found.text()


def test_a_dealer_who_aims_is_found_and_named_by_where_the_wheel_comes_to_rest_from_its_start() -> None:
    rng = Random(5)
    landings = even(rng, 250, "ann")
    for _ in range(250):  # 116 of 250 in one sector went unnoticed once
        start = rng.uniform(0, 52)
        aimed = rng.random() < 0.44
        rest = (start + rng.gauss(20, 1.2)) % 52 if aimed else rng.uniform(0, 52)
        landings.append(Landing(start, rest, 1, 1.2, "bob"))
    found = fairness(landings)
    assert found.uneven
    assert found.tests[0].name == "distance from the start, dealer bob"
    assert not fairness([landing for landing in landings if landing.dealer == "ann"]).uneven


def test_a_rigged_sector_is_found_after_a_few_hundred_spins_and_the_chance_is_a_setting() -> None:
    rng = Random(6)
    rests = [rng.uniform(10, 14) if rng.random() < 0.2 else rng.uniform(0, 52) for _ in range(400)]
    found = fairness([Landing(rng.uniform(0, 52), rest, 1) for rest in rests])
    assert found.uneven
    slight = found.__class__(found.spins, exp(-found.log_bank - 1), found.tests, found.counts)
    assert not slight.uneven
    assert found.log_bank > log(1000)


def test_no_spin_yet_says_nothing() -> None:
    assert fairness([]).text() == "No valid spin yet."
    assert not fairness([]).uneven


def test_the_command_reads_journals_across_days(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"day{n}.journal") for n in (1, 2)]
    for seed, path in enumerate(paths):
        played = CliRunner().invoke(main, ["sim", "--rounds", "6", "--seed", str(seed), "--journal", path])
        assert played.exit_code == 0, played.output
    told = CliRunner().invoke(main, ["wheel", "fairness", *paths, "--json"])
    assert told.exit_code == 0, told.output
    found = json.loads(told.output)
    assert found["spins"] >= 6
    assert sum(found["counts"]) == found["spins"]
    assert not found["uneven"]
    assert "valid spins" in CliRunner().invoke(main, ["wheel", "fairness", paths[0]]).output
