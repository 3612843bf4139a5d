"""Honest people with sloppy hands are accused at no table, and a table that goes by arrival accuses them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from pytest_mock import MockerFixture

from controller.commands import main
from controller.games.war.play import War
from controller.games.war.round import Consequences
from lab.proofs.sloppy import play
from lab.sim.config import simulated_tables
from simulators.people.sloppy import AT_THE_CLOSE, CHANGED, KINDS, MISSED, STRAIGHTENED


@pytest.mark.parametrize("name", simulated_tables())
def test_honest_hands_are_not_accused_and_lose_no_wager(name: str) -> None:
    game, rulebook = simulated_tables()[name]
    found = play(game, rulebook, 80, seed=7)
    assert found.ok, found.text()
    assert {line.kind for line in found.lines} == set(KINDS[game])
    assert found.rounds > 50


@pytest.mark.parametrize("rulebook", ["melbourne-war", "perth-war"])
def test_a_table_that_goes_by_arrival_accuses_a_hand_at_the_close(rulebook: str, mocker: MockerFixture) -> None:
    mocker.patch("controller.games.war.hands.in_time", return_value=False)
    found = play("war", rulebook, 40, seed=7, kinds=(AT_THE_CLOSE,))
    assert found.accused > 5, found.text()


def test_a_wheel_that_goes_by_arrival_loses_the_wager_at_the_close(mocker: MockerFixture) -> None:
    mocker.patch("drivers.chips.Chips._reading_time", return_value=0)
    found = play("wheel", "melbourne-wheel", 40, seed=7, kinds=(AT_THE_CLOSE,))
    assert found.accused > 5, found.text()
    assert found.lost > 5


@pytest.mark.parametrize("rulebook", ["melbourne-war", "perth-war", "star-war"])
@pytest.mark.parametrize(("step", "kept"), [("freeze_stakes", slice(-1)), ("settle_interim", slice(0))])
def test_a_war_that_forgets_a_stake_or_all_of_them_loses_wagers(
    rulebook: str, step: str, kept: slice, mocker: MockerFixture
) -> None:
    done = getattr(Consequences, step)

    def forgetful(game: War) -> None:
        game.state.round.stakes[:] = game.state.round.stakes[kept]
        done(game)

    mocker.patch.object(Consequences, step, forgetful)
    found = play("war", rulebook, 12, seed=7, kinds=(CHANGED,))
    assert found.lost > 5, found.text()


@pytest.mark.parametrize(("game", "rulebook"), [("wheel", "melbourne-wheel"), ("poker", "melbourne-poker")])
def test_a_driver_that_waits_for_no_chip_accuses(game: str, rulebook: str, mocker: MockerFixture) -> None:
    mocker.patch("drivers.unread.UNREAD_S", 0.0)
    found = play(game, rulebook, 40, seed=7, kinds=(MISSED, STRAIGHTENED))
    assert found.accused > 5, found.text()


def test_the_command_tells_table_by_table() -> None:
    done = CliRunner().invoke(main, ["chips", "prove", "--sloppy", "--game", "wheel", "--rounds", "15", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["table"] == "wheel"
    assert (
        "honest, sloppy hands"
        in CliRunner().invoke(main, ["chips", "prove", "--sloppy", "--game", "perth-war", "--rounds", "5"]).stdout
    )
