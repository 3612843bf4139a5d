"""What the house wins in the long run is counted by the edition of the rulebook that each table played by."""

from __future__ import annotations

import msgspec
import pytest
from pytest_mock import MockerFixture

from controller import rules
from controller.config.kept import edition, plain
from controller.core.events import Started
from floor.counting import OF_A_CENT, Counting
from lab.sim.config import default_config
from tests.controller.rules.amendments import BOOK, amended_text

WON = {"bet": "main", "result": "win", "stake_taken": 0, "stake_returned": 100_000}


def began(rulebook: str) -> Started:
    config = default_config("war", rulebook=BOOK)
    config = msgspec.structs.replace(config, table=msgspec.structs.replace(config.table, rulebook=rulebook))
    return Started("1", plain(config), edition(rulebook))


def test_an_amended_edition_counts_by_its_own_edges_also_where_the_floor_has_just_started(
    mocker: MockerFixture,
) -> None:
    carried, amended = Counting(1), Counting(2)
    carried.started(began(BOOK))
    event = began(rules.hold(BOOK, amended_text()))
    mocker.patch.dict(rules._held, clear=True)
    amended.started(event)
    assert carried.theoretical([WON]) / OF_A_CENT == pytest.approx(2_330, abs=30)  # 2.33 % of a thousand dollars
    assert amended.theoretical([WON]) < -40_000 * OF_A_CENT  # twice paid, the house loses


def test_nothing_is_worked_out_before_a_wager_is_decided(mocker: MockerFixture) -> None:
    worked_out = mocker.spy(rules, "hold")
    event = began(rules.hold(BOOK, amended_text(version="5.2")))
    worked_out.reset_mock()
    counting = Counting(1)
    counting.resume(event, ())
    assert not worked_out.called
    counting.theoretical([WON])
    assert worked_out.called
