"""Chips on the line between two areas count where they were ruled to lie, and only as long as they lie there."""

from __future__ import annotations

import pytest

from controller.core.events import Chip, ChipPlaced, ChipsCounted, ChipsMoved, ChipUnclear
from controller.games.wheel.settle import Wager
from tests.controller.games.wheel.play import Play, clause, money


def ruled_onto(play: Play, symbol: str, dollars: float = 5) -> int:
    tag = play.unclear(dollars, "E", "D")
    play.answer(f"area{play.area(symbol)}")
    return tag


def wagers(play: Play) -> tuple[Wager, ...]:
    return play.table.game.wagers()  # type: ignore[attr-defined]


@clause("3.4", "3.7", "6.1 Option 1 Symbol E")
def test_a_chip_ruled_onto_an_area_and_lifted_is_no_wager_and_is_not_paid(play: Play) -> None:
    tag = ruled_onto(play, "E", 10)
    assert wagers(play) == (Wager("", "E", 1000),)
    play.event(ChipPlaced("chips", tag))
    assert wagers(play) == ()
    assert play.result("E") == {}


@clause("3.4", "3.5", "6.1 Option 1 Symbol E")
def test_a_chip_ruled_onto_an_area_that_stays_on_its_line_wins_there(play: Play) -> None:
    ruled_onto(play, "E", 10)
    assert money(play.result("E")["unassigned/E"]) == (230, 0, 10)


@clause("3.4", "3.5")
def test_a_chip_ruled_onto_an_area_counts_where_it_is_slid_to_in_either_order_of_telling(play: Play) -> None:
    for first in ("line", "area"):
        tag = ruled_onto(play, "E", 10)
        left, onto = (
            ChipPlaced("chips", tag),
            ChipsMoved("chips", play.area("D"), (Chip(tag, "cash", 1000),)),
        )
        for event in (left, onto) if first == "line" else (onto, left):
            play.event(event)
        assert wagers(play) == (Wager("", "D", 1000),)
        play.lift("D", tag)
        assert wagers(play) == ()


@clause("3.2", "3.4")
def test_a_chip_ruled_onto_an_area_and_taken_off_the_line_after_the_close_is_a_late_change(play: Play) -> None:
    tag = ruled_onto(play, "E", 10)
    play.launch()
    play.press("no_more_bets")
    play.event(ChipPlaced("chips", tag))
    assert "taken off E" in play.table.state.desk.alarms["late_change"].text
    play.rest("E")
    assert play.question.subject == "late_change"


@clause("3.4", "3.5")
def test_a_chip_ruled_onto_an_area_stays_a_wager_when_everything_is_read_anew(play: Play) -> None:
    tag = ruled_onto(play, "E", 10)
    play.event(ChipsCounted("chips", {0: (), **dict.fromkeys(play.table.game.setup.areas, ())}))  # type: ignore[attr-defined]
    assert wagers(play) == (Wager("", "E", 1000),)
    play.event(ChipUnclear("chips", Chip(tag, "cash", 1000), (play.area("E"), play.area("D"))))
    assert (wagers(play), play.table.state.desk.prompts) == ((Wager("", "E", 1000),), {})
    play.event(ChipUnclear("chips", Chip(tag, "cash", 1000), (play.area("D"), play.area("C"))))
    assert (wagers(play), play.question.subject) == ((), f"position:{tag}")


@clause("3.4", "4.2.2")
def test_a_chip_whose_owner_is_known_keeps_its_owner_over_the_line(play: Play) -> None:
    tag = play.bet("Ann", "E", 10)
    chip = Chip(tag, "cash", 1000)
    play.event(ChipUnclear("chips", chip, (play.area("E"), play.area("D"))))
    play.answer(f"area{play.area('D')}")
    assert wagers(play) == (Wager("Ann", "D", 1000),)


@clause("3.4", "4.2.2")
def test_a_chip_ruled_onto_an_area_is_measured_with_the_limits_there(play: Play) -> None:
    play.bet("", "E", 100)
    ruled_onto(play, "E", 500)
    play.time(0.1)
    assert list(play.table.state.desk.alarms) == ["over_maximum:unassigned/E"]


@clause("3.4", "3.7")
@pytest.mark.parametrize("others", [(0,), (99,), (0, 99)])
def test_a_chip_across_the_edge_of_the_layout_stops_nothing_and_is_handed_back(
    play: Play, others: tuple[int, ...]
) -> None:
    play.bet("p1", "D", 5)
    tag = 0x777
    play.event(ChipUnclear("chips", Chip(tag, "cash", 2500), (*others, play.area("E"))))
    asked = play.question
    labels = [option.label for option in asked.options]
    assert labels[0] == "On E"
    assert not any("area" in label or label.endswith(" 0") for label in labels)
    results = play.result("D")
    assert money(results["unassigned/E"]) == (0, 0, 25)
    assert money(results["p1/D"])[2] == 5
    assert play.life == "open"


@clause("3.4", "3.7")
def test_a_chip_that_lies_on_no_area_at_all_is_no_wager_and_stops_nothing(play: Play) -> None:
    play.bet("p1", "D", 5)
    play.event(ChipUnclear("chips", Chip(0x777, "cash", 2500), (0, 99)))
    play.event(ChipsMoved("chips", 99, (Chip(0x778, "cash", 2500),)))
    play.launch()
    play.press("no_more_bets")
    play.event(ChipsMoved("chips", 98, (Chip(0x779, "cash", 2500),)))
    play.turn(4)
    play.rest("E")
    assert [alarm.text for alarm in play.table.state.desk.alarms.values() if "area " in alarm.text] == []
    assert play.life == "open"
