"""Reports of the chip mat cut off at any moment or that cannot be true, and mats that forgot or were changed."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pytest_mock import MockerFixture

from drivers.chips import INVENTORY_S, AreaChange, AreaChips, ChipInventory, ChipOffEdge, ChipsSeen
from drivers.events import DeviceDown, DeviceTrouble, DeviceTroubleOver, DeviceUp
from firmware_specs.messages.chips import AreaFault, FaultCause, Inventory, TagOnEdge, TagsChanged
from firmware_specs.spec import BadMessage
from simulators.chips import ChipMat
from tests.drivers.chip_bench import Bench, came, seen


@pytest.fixture
def bench() -> Bench:
    return Bench()


# What goes wrong.


@pytest.mark.parametrize("moment", [each / 200 for each in range(2, 110, 9)])
def test_a_cable_pulled_at_any_moment_of_a_long_report_loses_and_doubles_nothing(bench: Bench, moment: float) -> None:
    bench.mat.place(range(100, 260), 1)
    bench.clock.run_for(moment)
    bench.wire.unplug()
    bench.mat.move(range(100, 110), 1, 2)
    bench.clock.run_for(1.0)
    bench.wire.replug()
    bench.quiet()
    assert bench.journal.count(DeviceDown) >= 1


@pytest.mark.parametrize("moment", [each / 200 for each in range(2, 110, 9)])
@pytest.mark.parametrize("picture", [False, True])
def test_a_controller_killed_at_any_moment_of_a_long_report_counts_every_chip_once(
    bench: Bench, moment: float, picture: bool
) -> None:
    bench.mat.place([1, 2, 3], 4)
    bench.quiet()
    bench.mat.place(range(100, 260), 1)
    bench.clock.run_for(moment)
    bench.restart_controller(picture=picture)
    bench.clock.run_until(lambda: bench.journal.count(ChipInventory) > 0, deadline=10.0)
    bench.quiet()


def test_nothing_is_told_of_half_a_report(bench: Bench) -> None:
    bench.mat.link.post(came(900, 1, range(48), 96, more=True))
    bench.clock.run_for(1.0)
    assert bench.journal.events == []
    assert bench.mat.link.held == 1
    bench.mat.link.post(came(900, 1, range(48, 96), 96))
    bench.clock.run_for(0.1)
    assert bench.journal.events == [seen(AreaChange(1, tuple(range(96)), ()))]


@pytest.mark.parametrize(
    "between",
    [
        came(901, 2, (77,), 1),
        AreaFault(0, 5, FaultCause.NOISE),
        Inventory(0, 9, 0, (), 0, (), False, True),
        TagOnEdge(0, 9, (1, 2)),
    ],
    ids=lambda message: type(message).__name__,
)
def test_a_report_that_is_broken_off_is_not_acted_on_and_everything_is_read_anew(bench: Bench, between: Any) -> None:
    bench.mat.place([1, 2], 4)
    bench.quiet()
    bench.journal.events.clear()
    bench.mat.link.post(came(900, 1, (10, 11), 4, more=True))
    bench.mat.link.post(between)
    bench.clock.run_until(lambda: bench.journal.count(ChipInventory) == 1, deadline=8.0)
    assert all(event.area != 1 for event in bench.journal.seen())
    bench.quiet()


def test_an_inventory_that_does_not_add_up_is_asked_for_again(bench: Bench) -> None:
    bench.mat.place([1, 2], 4)
    bench.quiet()
    bench.journal.events.clear()
    bench.driver.resync()
    wanted = bench.driver._snapshot
    bench.mat.link.post(Inventory(0, wanted, 0, (5, 6), 3, (), False, False))
    bench.clock.run_for(2.0)
    assert bench.driver._snapshot != wanted
    assert bench.journal.seen() == []
    assert bench.journal.count(ChipInventory) == 1


def test_an_inventory_nobody_asked_for_is_passed_over(bench: Bench) -> None:
    bench.mat.link.post(Inventory(0, 12, 1, (5, 6), 2, (), False, False))
    bench.clock.run_for(1.0)
    assert bench.journal.events == []
    assert bench.mat.link.held == 1  # a mat that forgot it now would seem to have lost it, had the controller restarted
    bench.mat.place([5], 1)
    bench.clock.run_for(1.0)
    assert bench.mat.link.held == 0


def test_an_area_the_mat_does_not_have_is_told_as_trouble_and_not_acted_on(bench: Bench) -> None:
    bench.mat.link.post(came(900, 20, (1,), 1))
    bench.clock.run_for(1.0)
    assert bench.journal.seen() == []
    first = bench.journal.events[0]
    assert isinstance(first, DeviceTrouble)
    assert first.code == "bad_message"
    assert "area 20 of 8" in first.text


@pytest.mark.parametrize(
    "message",
    [
        TagsChanged(0, 900, (1, 2), (3,), (), (), (), 2, False),
        TagsChanged(0, 900, (), (), (1,), (), (), 0, False),
    ],
)
def test_tags_and_their_areas_that_do_not_pair_up_never_reach_the_wire(bench: Bench, message: TagsChanged) -> None:
    with pytest.raises(BadMessage, match="as many as"):
        bench.mat.link.post(message)


@pytest.mark.parametrize(
    ("message", "wrong"),
    [
        (TagsChanged(0, 900, (), (), (1,), (20,), (), 0, False), "area 20 of 8"),
        (TagsChanged(0, 900, (), (), (), (), (8,), 0, False), "area 8 of 8"),
    ],
)
def test_a_report_that_cannot_be_true_is_told_as_trouble_and_everything_is_read_anew(
    bench: Bench, message: TagsChanged, wrong: str
) -> None:
    bench.mat.link.post(message)
    bench.clock.run_for(1.0)
    trouble, whole = bench.journal.events
    assert isinstance(trouble, DeviceTrouble)
    assert wrong in trouble.text
    assert isinstance(whole, ChipInventory)


def test_a_count_that_disagrees_has_everything_read_anew(bench: Bench) -> None:
    bench.mat.place([1], 4)
    bench.quiet()
    bench.mat.link.post(came(900, 4, (5,), 3))
    bench.quiet()
    assert bench.told() == {4: {1}}
    assert bench.journal.count(ChipInventory) == 1


def test_a_mat_that_forgot_is_reconciled_by_what_differs_and_the_whole_picture(bench: Bench) -> None:
    bench.mat.place([1, 2, 3], 1)
    bench.mat.place([4, 5], 2)
    bench.mat.put_on_edge(6, (3, 4))
    bench.quiet()
    bench.journal.events.clear()
    bench.mat.link.stop()
    bench.mat.move([1], 1, 2)
    bench.mat.remove([4, 6])
    bench.mat.link.power_cycle(keep_memory=False, off_for=0.5)
    bench.clock.run_until(lambda: bench.journal.count(ChipInventory) == 1, deadline=10.0)
    up = next(event for event in bench.journal.events if isinstance(event, DeviceUp))
    assert up.lost
    assert [event for event in bench.journal.events if isinstance(event, ChipsSeen | ChipOffEdge)] == [
        seen(AreaChange(1, (), (1,)), AreaChange(2, (), (4,))),
        ChipOffEdge("chips", 6),
        seen(AreaChange(2, (1,), ())),
    ]
    whole = bench.journal.events[-1]
    assert isinstance(whole, ChipInventory)
    assert [each for each in whole.areas if each.tags] == [AreaChips(1, (2, 3)), AreaChips(2, (1, 5))]
    bench.quiet()


def test_a_mat_that_kept_its_memory_needs_no_new_inventory(bench: Bench) -> None:
    bench.mat.place([1, 2, 3], 1)
    bench.quiet()
    bench.journal.events.clear()
    bench.mat.link.power_cycle(keep_memory=True, off_for=0.5)
    bench.mat.remove([2])
    bench.quiet()
    assert bench.journal.count(ChipInventory) == 0
    assert bench.journal.seen() == [AreaChange(1, (), (), unread=(2,)), AreaChange(1, (), (2,))]


def test_a_broken_area_in_an_inventory_takes_no_chip_away(bench: Bench) -> None:
    bench.mat.place([1, 2, 3], 1)
    bench.quiet()
    bench.mat.fail(1)
    bench.mat.link.power_cycle(keep_memory=False, off_for=0.5)
    bench.clock.run_until(lambda: bench.journal.count(ChipInventory) == 1, deadline=10.0)
    assert bench.journal.areas[1] == {1, 2, 3}
    whole = next(event for event in bench.journal.events if isinstance(event, ChipInventory))
    assert whole.areas[1].partial


def test_another_mat_at_the_same_place_is_read_anew(bench: Bench) -> None:
    bench.mat.place([1, 2, 3], 1)
    bench.quiet()
    bench.mat.stop()
    other = ChipMat(bench.clock, bench.wire.device, serial="CHIPS-2")
    other.place([4, 3], 2)
    other.start()
    bench.mat = other
    bench.quiet()
    assert bench.driver.picture()[1] == frozenset()


def test_a_mat_that_does_not_answer_is_told_and_told_over(bench: Bench, mocker: MockerFixture) -> None:
    mocker.patch.object(bench.mat, "_tell_inventory")
    bench.driver.resync()
    bench.clock.run_for(INVENTORY_S + 1)
    assert [event.code for event in bench.journal.events if isinstance(event, DeviceTrouble)] == ["no_inventory"]
    mocker.stopall()
    bench.clock.run_for(2 * INVENTORY_S)
    assert DeviceTroubleOver("chips", "no_inventory") in bench.journal.events
    assert bench.journal.count(DeviceTrouble) == 1


def test_two_thousand_chips_are_read_whole_without_complaint() -> None:
    bench = Bench(baud=None, areas=10)
    for area in range(10):
        bench.mat.place(range(area * 1000 + 1, area * 1000 + 201), area)
    bench.quiet()
    bench.driver.resync()
    bench.clock.run_for(INVENTORY_S)
    assert bench.journal.count(DeviceTrouble) == 0
    assert bench.journal.count(ChipInventory) == 1


@pytest.mark.parametrize("seed", range(12))
def test_an_evening_of_chips_cables_and_power_ends_with_the_right_picture(seed: int) -> None:
    chance = random.Random(seed)
    bench = Bench(seed=seed, misses_per_minute=60.0)
    in_hand, fresh = list(range(1, 400)), 0
    for _ in range(60):
        lying = sorted(tag for tags in bench.truth().values() for tag in tags)
        act = chance.choice(("place", "place", "remove", "move", "edge", "cable", "power", "kill"))
        if act == "place" and in_hand:
            some = [in_hand.pop() for _ in range(min(len(in_hand), chance.choice((1, 3, 20, 60))))]
            bench.mat.place(some, chance.randrange(8))
        elif act == "remove" and lying:
            some = chance.sample(lying, chance.randint(1, len(lying)))
            bench.mat.remove(some)
            in_hand += some
        elif act == "move" and lying:
            bench.mat.place(chance.sample(lying, chance.randint(1, min(30, len(lying)))), chance.randrange(8))
        elif act == "edge" and in_hand:
            bench.mat.put_on_edge(in_hand.pop(), (1, 2))
        elif act == "cable":
            bench.wire.unplug()
            bench.clock.run_for(chance.uniform(0, 3))
            bench.wire.replug()
        elif act == "power":
            bench.mat.link.power_cycle(keep_memory=chance.random() < 0.5, off_for=chance.uniform(0, 1))
        elif act == "kill":
            fresh += 1
            bench.restart_controller(picture=chance.random() < 0.5)
        bench.clock.run_for(chance.uniform(0, 1.5))
    bench.mat._misses_per_minute = 0
    bench.mat.link.power_cycle(keep_memory=True)
    bench.quiet(60.0)
    assert fresh


@pytest.mark.parametrize("up_for", [5.0, 30.0, 50.0])
def test_chips_laid_after_the_mat_restarted_are_not_taken_for_chips_of_before(bench: Bench, up_for: float) -> None:
    """The mat counts its time from its start: a late wager must not look as if it had lain there all the while."""
    bench.clock.run_for(up_for)
    bench.mat.place([1], 1)
    bench.quiet()
    bench.mat.link.power_cycle(keep_memory=True)
    bench.quiet()
    bench.clock.run_for(2.0)
    bench.journal.ago.clear()
    for tag in (2, 3):
        bench.mat.place([tag], 2)
        bench.quiet()
        bench.clock.run_for(3.0)
    assert bench.journal.ago
    assert max(bench.journal.ago) < 500
