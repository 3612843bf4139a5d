"""The chip mat: what hands do on it, what the table is told, and what it is told to do."""

from __future__ import annotations

from typing import Any

import pytest

from drivers.chips import AreaChange, ChipOffEdge, ChipOnEdge, ChipsSeen
from drivers.events import DeviceTrouble, DeviceTroubleOver
from firmware_specs.messages.chips import FaultCause
from tests.drivers.chip_bench import Bench, seen


@pytest.fixture
def bench() -> Bench:
    return Bench()


# What hands do.


def test_a_chip_put_down_is_seen_once_on_its_area(bench: Bench) -> None:
    bench.mat.place([0xE0040150_00000001], 3)
    bench.clock.run_for(2.0)
    assert bench.journal.events == [seen(AreaChange(3, (0xE0040150_00000001,), ()))]


def test_a_chip_taken_away_is_told_after_it_was_really_gone(bench: Bench) -> None:
    bench.mat.place([7], 3)
    bench.clock.run_for(1.0)
    bench.mat.remove([7])
    bench.clock.run_for(0.25)
    assert len(bench.journal.events) == 1
    bench.clock.run_for(0.2)
    assert bench.journal.events[1:] == [seen(AreaChange(3, (), (), unread=(7,)))]
    bench.clock.run_for(0.4)
    assert len(bench.journal.events) == 2
    bench.clock.run_for(0.2)
    assert bench.journal.events[2:] == [seen(AreaChange(3, (), (7,)))]


def test_a_stack_of_twenty_is_told_as_partial_first_and_then_complete(bench: Bench) -> None:
    bench.mat.place(range(100, 120), 2)
    bench.clock.run_for(2.0)
    first, second = bench.journal.seen()
    assert first.partial
    assert 10 <= len(first.added) < 20
    assert not second.partial
    assert {*first.added, *second.added} == set(range(100, 120))


def test_five_stacks_on_one_spot_become_one_report_however_many_frames_it_takes(bench: Bench) -> None:
    bench.mat.place(range(100, 200), 2)
    bench.clock.run_for(2.0)
    bench.mat.remove(range(100, 200))
    bench.clock.run_for(2.0)
    assert [(len(event.unread), len(event.removed)) for event in bench.journal.seen()[2:]] == [(100, 0), (0, 100)]
    assert bench.mat.link.held == 0


def test_a_chip_slid_to_another_area_never_lies_on_two(bench: Bench) -> None:
    bench.mat.place([1, 2], 4)
    bench.clock.run_for(1.0)
    bench.mat.move([1, 2], 4, 5)
    bench.clock.run_for(1.0)
    assert bench.journal.events[1:] == [seen(AreaChange(4, (), (1, 2)), AreaChange(5, (1, 2), ()))]


def test_what_hands_did_at_one_moment_is_told_as_one_event_chips_that_left_first(bench: Bench) -> None:
    bench.mat.place([1, 2], 4)
    bench.mat.place([3], 6)
    bench.quiet()
    bench.mat.place([10, 11], 1)
    bench.mat.move([1], 4, 5)
    bench.mat.move([3], 6, 4)
    bench.quiet()
    assert bench.journal.events == [
        seen(AreaChange(4, (1, 2), ()), AreaChange(6, (3,), ())),
        seen(
            AreaChange(4, (), (1,)),
            AreaChange(6, (), (3,)),
            AreaChange(1, (10, 11), ()),
            AreaChange(5, (1,), ()),
            AreaChange(4, (3,), ()),
        ),
    ]
    assert bench.mat.link.held == 0


def test_areas_that_are_read_in_part_are_told_until_they_are_read_whole(bench: Bench) -> None:
    bench.mat.place(range(100, 120), 2)
    bench.mat.place(range(200, 220), 3)
    bench.mat.place([7], 4)
    bench.quiet()
    first, second = (event for event in bench.journal.events if isinstance(event, ChipsSeen))
    assert [(change.area, change.partial) for change in first.changes] == [(2, True), (3, True), (4, False)]
    assert [(change.area, change.partial) for change in second.changes] == [(2, False), (3, False)]


def test_the_float_tray_is_area_zero_and_holds_hundreds(bench: Bench) -> None:
    bench.mat.place(range(1, 701), 0)
    bench.quiet()
    assert bench.driver.picture()[0] == frozenset(range(1, 701))


def test_a_read_missed_for_a_moment_is_not_reported(bench: Bench) -> None:
    bench.mat.place([1, 2, 3], 4)
    bench.clock.run_for(1.0)
    bench.mat.miss([2], 0.29)
    bench.clock.run_for(2.0)
    assert len(bench.journal.events) == 1


def test_a_chip_unread_for_eight_tenths_of_a_second_never_left(bench: Bench) -> None:
    bench.mat.place([1, 2, 3], 4)
    bench.clock.run_for(1.0)
    bench.mat.miss([2], 0.8)
    bench.clock.run_for(2.0)
    assert bench.journal.events[1:] == [
        seen(AreaChange(4, (), (), unread=(2,))),
        seen(AreaChange(4, (), ())),
    ]
    assert bench.held() == 0, "both reports have their row"


def test_a_chip_that_stays_unread_is_told_gone_and_told_back_when_it_answers(bench: Bench) -> None:
    bench.mat.place([1, 2, 3], 4)
    bench.clock.run_for(1.0)
    bench.mat.miss([2], 1.2)
    bench.clock.run_for(2.0)
    assert bench.journal.events[1:] == [
        seen(AreaChange(4, (), (), unread=(2,))),
        seen(AreaChange(4, (), (2,))),
        seen(AreaChange(4, (2,), ())),
    ]


def test_an_unread_chip_that_is_read_elsewhere_has_moved_there_at_once(bench: Bench) -> None:
    bench.mat.place([7], 4)
    bench.clock.run_for(1.0)
    bench.mat.remove([7])
    bench.clock.run_for(0.4)
    bench.mat.place([7], 5)
    bench.clock.run_for(0.1)
    assert bench.journal.events[2:] == [seen(AreaChange(4, (), (7,)), AreaChange(5, (7,), ()))]
    bench.clock.run_for(2.0)
    assert len(bench.journal.events) == 3


def test_a_driver_that_starts_anew_goes_on_waiting_for_an_unread_chip(bench: Bench) -> None:
    bench.mat.place([7, 8], 4)
    bench.quiet()
    bench.mat.remove([7])
    bench.clock.run_for(0.5)
    bench.restart_controller(picture=True)
    bench.clock.run_for(0.01)
    bench.mat.place([7], 5)
    bench.quiet()
    assert bench.told() == {4: {8}, 5: {7}}


# When it was, by the mat's own clock.


@pytest.mark.parametrize("delay", [0.0, 0.4])
def test_a_chip_is_told_with_when_it_may_have_come_however_long_the_line_took(bench: Bench, delay: float) -> None:
    bench.mat.place([1], 3)
    bench.clock.run_for(1.0)
    laid = bench.clock.now()
    bench.wire.device.meddle = lambda octets: [(delay, octets)]
    bench.mat.place([2], 3)
    bench.clock.run_until(lambda: len(bench.journal.ago) == 2, 2.0)
    came = bench.clock.now() - bench.journal.ago[-1] / 1000
    assert -0.015 < came - laid <= 0.0


def test_the_chips_of_a_stack_read_in_parts_came_together(bench: Bench) -> None:
    bench.mat.place([1], 3)
    bench.clock.run_for(1.0)
    bench.journal.ago.clear()
    laid, told = bench.clock.now(), []
    bench.mat.place(range(100, 120), 2)
    for count in (1, 2):
        bench.clock.run_until(lambda: len(bench.journal.ago) == count, 2.0)  # noqa: B023 - called before the next pass
        told.append(bench.clock.now() - bench.journal.ago[-1] / 1000)
    assert told == pytest.approx([laid, laid], abs=0.025)


def test_a_chip_taken_away_is_told_with_when_it_was_last_read(bench: Bench) -> None:
    bench.mat.place([7], 3)
    bench.clock.run_for(1.0)
    lifted = bench.clock.now()
    bench.mat.remove([7])
    bench.clock.run_until(lambda: len(bench.journal.ago) == 3, 2.0)
    assert bench.clock.now() - bench.journal.ago[-1] / 1000 == pytest.approx(lifted, abs=0.02)


def test_a_chip_across_a_line_counts_for_no_area_until_it_is_moved(bench: Bench) -> None:
    bench.mat.place([9], 1)
    bench.clock.run_for(1.0)
    bench.mat.put_on_edge(9, (1, 2))
    bench.clock.run_for(1.0)
    bench.mat.place([9], 2)
    bench.clock.run_for(1.0)
    assert bench.journal.events[1:] == [
        seen(AreaChange(1, (), (), unread=(9,))),
        seen(AreaChange(1, (), (9,))),
        ChipOnEdge("chips", 9, (1, 2)),
        ChipOffEdge("chips", 9),
        seen(AreaChange(2, (9,), ())),
    ]


def test_a_chip_lifted_from_a_line_is_told_off_it(bench: Bench) -> None:
    bench.mat.put_on_edge(9, (1, 2))
    bench.clock.run_for(1.0)
    bench.mat.remove([9])
    bench.clock.run_for(1.0)
    assert bench.journal.events == [ChipOnEdge("chips", 9, (1, 2)), ChipOffEdge("chips", 9)]


def test_a_broken_antenna_says_where_and_what_to_do_and_catches_up_when_mended(bench: Bench) -> None:
    bench.mat.place([1, 2], 6)
    bench.clock.run_for(1.0)
    bench.mat.fail(6, FaultCause.ANTENNA_SHORT)
    bench.mat.remove([1])
    bench.mat.place([3], 6)
    bench.clock.run_for(2.0)
    trouble = bench.journal.events[-1]
    assert isinstance(trouble, DeviceTrouble)
    assert trouble.text == "Area 6 of the chip mat cannot be read: its antenna is shorted."
    assert "metal" in trouble.remedy
    assert len(bench.journal.seen()) == 1, "what lies on a broken area is unknown, not gone"
    bench.mat.mend(6)
    bench.quiet()
    assert DeviceTroubleOver("chips", "area_6") in bench.journal.events
    assert bench.truth() == {6: {2, 3}}


def test_signal_and_noise_are_shown_but_never_recorded(bench: Bench) -> None:
    bench.mat.place([1], 1)
    bench.clock.run_for(1.0)
    assert bench.journal.glimpsed == 1


# What the table asks.


def test_lamps_are_lit_as_desired_and_go_dark_when_the_table_falls_silent(bench: Bench) -> None:
    bench.driver.desire({"lamps": 0b1010})
    bench.clock.run_for(0.5)
    assert bench.mat.lamps == 0b1010
    bench.driver.stop()
    bench.clock.run_for(6.5)
    assert bench.mat.lamps == 0


def test_calibration_is_refused_while_chips_lie_there_and_done_when_clear(bench: Bench) -> None:
    answers: list[tuple[str, dict[str, Any]]] = []
    bench.mat.place([1], 1)
    bench.driver.order(1, "Calibrate", {"area": 1}, lambda *answer: answers.append(answer))
    bench.clock.run_for(1.0)
    bench.mat.remove([1])
    bench.driver.order(2, "Calibrate", {"area": 1}, lambda *answer: answers.append(answer))
    bench.driver.order(3, "Calibrate", {"area": 40}, lambda *answer: answers.append(answer))
    bench.clock.run_for(3.0)
    assert answers == [
        ("refused", {"text": "chips lie on area 1; clear it and calibrate again"}),
        ("refused", {"text": "there is no area 40; this mat has 8"}),
        ("done", {"noise": 4, "threshold": 10}),
    ]
