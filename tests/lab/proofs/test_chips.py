"""Nothing that hands do wrong at a simulated table goes unseen, unless chips alone cannot show it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from pytest_mock import MockerFixture

from controller.commands import main
from lab.proofs.chip_signs import SIGNS
from lab.proofs.chips import CANNOT_BE_SEEN, prove
from simulators.people.mischief import UNSEEN, WRONGS


@pytest.mark.parametrize(("seed", "misses"), [(11, 0.0), (12, 30.0)])
def test_every_wrong_is_found_and_nothing_is_said_without_cause(seed: int, misses: float) -> None:
    proof = prove(90, seed, misses_per_minute=misses)
    assert proof.ok, proof.text()
    assert sum(line.done for line in proof.lines) > 25
    assert all(line.found == 0 for line in proof.lines if line.why_not)


@pytest.mark.parametrize("rulebook", ["melbourne-war", "perth-war", "star-war"])
def test_every_wrong_at_casino_war_is_found_in_the_time_stated(rulebook: str) -> None:
    proof = prove(90, 11, game="war", rulebook=rulebook)
    assert proof.ok, proof.text()
    assert sum(line.done for line in proof.lines) > 25


def test_honest_people_give_no_cause_for_anything() -> None:
    proof = prove(40, 5, often=0.0)
    assert proof.ok, proof.text()
    assert sum(line.done for line in proof.lines) == 0


def test_every_wrong_has_its_sign_or_a_reason_why_it_has_none() -> None:
    assert all(set(signs) == set(WRONGS) for signs in SIGNS.values())
    assert set(UNSEEN) <= set(CANNOT_BE_SEEN)
    assert all(len(reason) > 20 for reason in CANNOT_BE_SEEN.values())


def test_a_table_that_does_not_look_is_found_out(mocker: MockerFixture) -> None:
    mocker.patch("controller.money.payment.verify", return_value=())
    proof = prove(60, 11)
    assert not proof.ok
    assert any(line.found < line.done for line in proof.lines if not line.why_not)


def test_the_command_prints_the_table_and_says_by_its_status_whether_all_was_found() -> None:
    done = CliRunner().invoke(main, ["chips", "prove", "--game", "wheel", "--rounds", "12", "--seed", "3", "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["ok"] is True
    assert "not detectable" in CliRunner().invoke(main, ["chips", "prove", "--game", "wheel", "--rounds", "3"]).stdout
