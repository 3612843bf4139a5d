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


WARS = ("melbourne-war", "perth-war", "star-war")


def test_a_reading_is_listed_with_its_clause_its_option_and_the_houses_that_read_otherwise() -> None:
    lines = tablectl("rules", "show", "perth-war").output.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("  5.5  "))
    assert lines[at + 1].split("read", 1)[1].strip() == (
        "X8: Are cards burned after a reshuffle inside a round? Yes, after each shuffle and cut; "
        "an inspector may skip it. (option shoe.burn_after_reshuffle = true; melbourne-war: false)"
    )


@pytest.mark.parametrize("rulebook", WARS)
def test_every_reading_of_a_book_stands_with_its_clause(rulebook: str) -> None:
    said = json.loads(tablectl("rules", "show", rulebook, "--json").output)
    shown = tablectl("rules", "show", rulebook).output
    clauses = [one["clause"] for one in said["clauses"]]
    for name, reading in said["readings"].items():
        assert reading["clause"] in clauses
        assert f" read      {name}: " in shown
        assert (reading["set"] is not None) is bool(reading["option"])


def test_what_two_houses_read_otherwise_is_an_option_in_both() -> None:
    """The same question under the same name, and another answer: both books have the option, set otherwise."""
    books = {one: json.loads(tablectl("rules", "show", one, "--json").output)["readings"] for one in WARS}
    for name in set.intersection(*(set(readings) for readings in books.values())):
        if len({readings[name]["choice"] for readings in books.values()}) > 1:
            assert len({readings[name]["option"] for readings in books.values()}) == 1
            assert len({json.dumps(readings[name]["set"]) for readings in books.values()}) > 1


def test_the_edge_of_every_wheel_bet_is_a_thirteenth() -> None:
    lines = tablectl("rules", "edge", "melbourne-wheel", "--json").output.splitlines()
    assert {(edge["numerator"], edge["denominator"]) for edge in map(json.loads, lines)} == {(-1, 13)}


def test_a_misspelt_rulebook_is_refused_with_the_nearest() -> None:
    told = tablectl("rules", "show", "melbourne-weel")
    assert told.exit_code == 2
    assert "no rulebook 'melbourne-weel'; did you mean 'melbourne-wheel'" in " ".join(told.output.split())
