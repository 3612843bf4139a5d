"""The chip mat: what hands do on it, and what the table is told, over a plain wire and over USB."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from pytest_mock import MockerFixture

from drivers.chips import INVENTORY_S, AreaChange, AreaChips, ChipInventory, ChipOffEdge, ChipOnEdge, Chips, ChipsSeen
from drivers.events import DeviceDown, DeviceEvent, DeviceTrouble, DeviceTroubleOver, DeviceUp, Mark
from drivers.ports import open_port
from drivers.ports.usb import UsbPort
from firmware_specs.clock import RealClock, VirtualClock
from firmware_specs.messages.chips import AreaFault, FaultCause, Inventory, TagOnEdge, TagsChanged
from firmware_specs.spec import BadMessage
from simulators.chips import ChipMat, chip_mat_on_usb
from simulators.usb import UsbBus
from simulators.wire import Wire


class Journal:
    """Takes events as the table would: in order, on disk a little later, with the picture they add up to."""

    def __init__(self, clock: VirtualClock | RealClock, delay: float = 0.003) -> None:
        self.clock = clock
        self.delay = delay
        self.dead = False
        self.events: list[DeviceEvent] = []
        self.areas: dict[int, set[int]] = {}
        # What a restart finds.
        self.mark: Mark | None = None
        self.disk: dict[int, set[int]] = {}
        self.glimpsed = 0

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        if self.dead:
            return
        self.events.append(event)
        self.areas = _counted(self.areas, event)
        self.clock.call_later(self.delay, self._on_disk, event, mark, durable)

    def _on_disk(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        if not self.dead:
            self.disk = _counted(self.disk, event)
            if durable is not None:
                self.mark = mark
                durable()

    def glimpse(self, device: str, live: msgspec.Struct) -> None:
        self.glimpsed += 1

    def seen(self) -> list[AreaChange]:
        return [change for event in self.events if isinstance(event, ChipsSeen) for change in event.changes]

    def count(self, kind: type[DeviceEvent]) -> int:
        return sum(isinstance(event, kind) for event in self.events)


def _counted(areas: dict[int, set[int]], event: DeviceEvent) -> dict[int, set[int]]:
    """The table's picture after an event; an event that cannot be true fails the test."""
    if isinstance(event, ChipInventory):
        return {each.area: set(each.tags) for each in event.areas}
    for change in event.changes if isinstance(event, ChipsSeen) else ():
        tags = areas.get(change.area, set())
        assert tags.isdisjoint(change.added), "no chip is counted twice"
        for area, others in areas.items():
            assert area == change.area or others.isdisjoint(change.added), "no chip lies in two places"
        assert tags.issuperset(change.removed), "no chip leaves that was not there"
        areas = {**areas, change.area: (tags - set(change.removed)) | set(change.added)}
    return areas


def seen(*changes: AreaChange) -> ChipsSeen:
    """What one pass over the mat told."""
    return ChipsSeen("chips", changes)


def came(report: int, area: int, tags: Sequence[int], total: int, more: bool = False) -> TagsChanged:
    """A part of a report as the mat sends it: these tags came to one area."""
    return TagsChanged(0, report, tuple(tags), (area,) * len(tags), (), (), (), total, more)


class Bench:
    """A mat and its driver on one virtual clock."""

    def __init__(self, *, baud: int | None = 115_200, areas: int = 8, seed: int = 1, **mat: Any) -> None:
        self.clock = VirtualClock()
        self.wire = Wire(self.clock, baud)
        self.mat = ChipMat(self.clock, self.wire.device, areas=areas, seed=seed, **mat)
        self.journal = Journal(self.clock)
        self.driver = Chips("chips", self.clock, self.wire.host, self.journal)
        self.mat.start()
        self.driver.start()
        self.clock.run_until(lambda: self.journal.count(ChipInventory) == 1, deadline=2.0)
        self.journal.events.clear()

    def restart_controller(self, *, picture: bool = False) -> None:
        """The program dies and starts anew from what is on disk."""
        self.journal.dead = True
        self.driver.stop()
        former, self.journal = self.journal, Journal(self.clock)
        self.journal.mark = former.mark
        self.journal.areas = self.journal.disk = former.disk
        known = former.disk if picture else None
        self.driver = Chips("chips", self.clock, self.wire.host, self.journal, resume=former.mark, picture=known)
        self.driver.start()

    def truth(self) -> dict[int, set[int]]:
        return {area: set(self.mat.lying(area)) for area in range(self.mat.areas) if self.mat.lying(area)}

    def told(self) -> dict[int, set[int]]:
        return {area: tags for area, tags in self.journal.areas.items() if tags}

    def held(self) -> int:
        """What the mat holds, less what it may forget with the next event."""
        return self.mat.link.held - self.driver.quiet

    def quiet(self, deadline: float = 30.0) -> None:
        """Until the table's picture is what lies there and the mat holds nothing back."""
        self.clock.run_until(
            lambda: self.told() == self.truth() and self.held() == 0 and self.mat.link.in_session, deadline
        )


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
    assert bench.journal.events[1:] == [seen(AreaChange(3, (), (7,)))]


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
    assert [len(event.removed) for event in bench.journal.seen()] == [0, 0, 100]
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


def test_a_chip_that_stays_unread_is_told_gone_and_told_back_when_it_answers(bench: Bench) -> None:
    bench.mat.place([1, 2, 3], 4)
    bench.clock.run_for(1.0)
    bench.mat.miss([2], 0.8)
    bench.clock.run_for(2.0)
    assert bench.journal.events[1:] == [
        seen(AreaChange(4, (), (2,))),
        seen(AreaChange(4, (2,), ())),
    ]


def test_a_chip_across_a_line_counts_for_no_area_until_it_is_moved(bench: Bench) -> None:
    bench.mat.place([9], 1)
    bench.clock.run_for(1.0)
    bench.mat.put_on_edge(9, (1, 2))
    bench.clock.run_for(1.0)
    bench.mat.place([9], 2)
    bench.clock.run_for(1.0)
    assert bench.journal.events[1:] == [
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
    assert bench.journal.seen() == [AreaChange(1, (), (2,))]


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


# Over USB.


class UsbBench:
    """The same mat and driver, with pyusb and the simulated bus between them."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.bus = UsbBus(blocking=False)
        soon = lambda what, *args: self.clock.call_later(0.0001, what, *args)  # noqa: E731
        self.mat, self.gadget = chip_mat_on_usb(self.clock, self.bus, soon)
        self.journal = Journal(self.clock)
        port = UsbPort("usb:1209:7ab1:CHIPS-1", clock=self.clock, backend=self.bus)
        self.driver = Chips("chips", self.clock, port, self.journal)
        self.mat.start()
        self.driver.start()


@pytest.mark.parametrize("moment", [each / 100 for each in range(0, 60, 7)])
def test_a_mat_unplugged_from_usb_at_any_moment_loses_and_doubles_nothing(moment: float) -> None:
    bench = UsbBench()
    bench.clock.run_until(lambda: bench.journal.count(ChipInventory) == 1, deadline=2.0)
    bench.mat.place(range(1, 161), 1)
    bench.clock.run_for(moment)
    bench.bus.unplug(bench.gadget)
    bench.mat.remove(range(1, 11))
    bench.clock.run_for(2.0)
    bench.bus.plug(bench.gadget)
    bench.clock.run_until(
        lambda: bench.journal.areas.get(1) == set(range(11, 161)) and bench.mat.link.held == 0, deadline=20.0
    )
    downs = [event for event in bench.journal.events if isinstance(event, DeviceDown)]
    assert downs[0].cause == "usb:1209:7ab1:CHIPS-1 was unplugged"


def test_a_mat_that_is_plugged_in_after_the_table_has_started_comes_up_by_itself() -> None:
    bench = UsbBench()
    bench.bus.unplug(bench.gadget)
    bench.clock.run_for(10.0)
    downs = [event for event in bench.journal.events if isinstance(event, DeviceDown)]
    assert downs[-1].cause == "usb:1209:7ab1:CHIPS-1 is not plugged in"
    assert len(downs) <= 2
    bench.mat.place([5], 3)
    bench.bus.plug(bench.gadget)
    bench.clock.run_until(lambda: bench.journal.areas.get(3) == {5}, deadline=10.0)


def test_the_mat_works_in_real_time_with_the_threads_that_usb_needs() -> None:
    loop = asyncio.new_event_loop()
    clock = RealClock(loop)
    bus = UsbBus()
    mat, gadget = chip_mat_on_usb(clock, bus, loop.call_soon_threadsafe)
    journal = Journal(clock)
    port = open_port("usb:1209:7ab1", loop, usb_backend=bus)
    driver = Chips("chips", clock, port, journal)

    def until(condition: Callable[[], bool], deadline: float = 5.0) -> None:
        end = loop.time() + deadline

        def look() -> None:
            if condition() or loop.time() > end:
                loop.stop()
            else:
                loop.call_later(0.002, look)

        loop.call_soon(look)
        loop.run_forever()
        assert condition()

    mat.start()
    driver.start()
    mat.place(range(1, 21), 2)
    until(lambda: journal.areas.get(2) == set(range(1, 21)))
    bus.unplug(gadget)
    until(lambda: journal.count(DeviceDown) == 1)
    bus.plug(gadget)
    mat.place([30], 2)
    until(lambda: journal.areas.get(2) == {*range(1, 21), 30})
    driver.stop()
    mat.stop()
    loop.close()
