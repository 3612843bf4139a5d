"""`tablectl rules` as whoever asks at the table sees it."""

from __future__ import annotations

import json

import pytest

from tests.standing import tablectl


@pytest.mark.clause("melbourne-wheel", "9.13")
def test_the_rules_of_the_wheel_can_be_shown_to_whoever_asks_with_their_version() -> None:
    told = tablectl("rules", "show", "melbourne-wheel")
    assert told.exit_code == 0
    assert "Big Wheel, Crown Melbourne" in told.output
    assert "version 4.0" in told.output
    assert "\n  9.13 " in told.output


def test_the_rulebooks_are_listed_shown_and_drawn() -> None:
    assert "melbourne-wheel" in tablectl("rules", "list").output
    assert len(json.loads(tablectl("rules", "list", "--json").output)) == 5
    assert "7.1.1" in tablectl("rules", "show", "melbourne-wheel").output
    diagram = tablectl("rules", "diagram", "wheel").output
    assert "stateDiagram" in diagram
    assert "spin_open --> spin_closed: no_more_bets" in diagram


def test_the_edge_of_every_wheel_bet_is_a_thirteenth() -> None:
    lines = tablectl("rules", "edge", "melbourne-wheel", "--json").output.splitlines()
    assert {(edge["numerator"], edge["denominator"]) for edge in map(json.loads, lines)} == {(-1, 13)}
