"""Each mended defect, planted again, is found by a walk that shows nothing while the mend is in place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from lab.commands.explore import explore
from lab.explore import planted
from lab.explore.campaign import played
from lab.explore.coverage import IN_VAIN
from lab.explore.planted import PLANTED, Planted, caught
from lab.explore.steps import Walk, read

WALKS = Path(__file__).parent / "planted"


def walk_of(one: Planted) -> Walk:
    name = re.sub(r"[^a-z0-9]+", "-", one.name.lower()).strip("-")
    return read((WALKS / f"{name}.json").read_bytes())


IN_ONE_WALK = tuple(one for one in PLANTED if not one.finding.startswith(IN_VAIN))


@pytest.mark.parametrize("one", IN_ONE_WALK, ids=lambda one: one.name)
def test_a_defect_that_is_planted_again_is_found_again(one: Planted) -> None:
    walk = walk_of(one)
    assert (walk.rulebook, walk.finding[: len(one.finding)]) == (one.rulebook, one.finding)
    assert walk.finding not in {found.name for found in played(walk)[1].found}
    with one.planted():
        assert walk.finding in {found.name for found in played(walk)[1].found}


def test_no_walk_is_kept_of_a_defect_that_nobody_plants() -> None:
    assert len(list(WALKS.glob("*.json"))) == len(IN_ONE_WALK)


@pytest.mark.parametrize("one", [one for one in PLANTED if one not in IN_ONE_WALK], ids=lambda one: one.name)
def test_a_key_that_is_offered_again_where_it_is_always_refused_is_found_again(
    one: Planted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lab.explore.coverage.SURELY_REFUSED", 8)
    assert caught(one, walks=60) is not None


def test_random_walks_find_what_is_planted_and_the_command_tells_after_how_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = next(one for one in PLANTED if one.name.startswith("chips laid while the cards are unchecked"))
    assert caught(one, walks=1) is None
    monkeypatch.setattr(planted, "PLANTED", (one,))
    said = CliRunner().invoke(explore, ["war", "--planted", "--walks", "200"])
    assert said.exit_code == 0, said.output
    assert re.search(rf"{one.name}: found in walk \d+ as “{one.finding}”", said.output)
    few = CliRunner().invoke(explore, ["war", "--planted", "--walks", "1"])
    assert few.exit_code == 1
    assert "1 of 1 planted defects not found" in few.output
