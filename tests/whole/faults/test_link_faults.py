"""Whatever a line does to the frames, every event of a device reaches the table once and in order."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.events import Mark
from drivers.link import HostLink
from firmware_specs.frames import encode_frame
from firmware_specs.link import EVENT, encode_ack, pack_event
from simulators.faults import BadFault, Fault, Faults, FaultyPort
from simulators.link import DeviceLink
from simulators.wire import Wire
from tests.drivers.linked import Ears, Joined, bell, rung


def faulty(joined: Joined, *faults: Fault) -> Faults:
    made = Faults.on_wire(joined.clock, joined.wire, joined.device, "bell")
    for fault in faults:
        made.plan(fault)
    return made


def ring_through(joined: Joined, count: int, every: float = 0.05) -> None:
    """Ring so many times, wait until all is durable, and check that each was heard once and in order."""
    for index in range(count):
        joined.ring(index + 1)
        joined.clock.run_for(every)
    joined.settle_down(600)
    assert joined.rings() == list(range(1, count + 1))


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    drop=st.floats(0, 0.3),
    corrupt=st.floats(0, 0.3),
    duplicate=st.floats(0, 0.3),
    split=st.floats(0, 0.5),
    delay=st.floats(0, 0.1),
    at_once=st.booleans(),
)
def test_every_ring_arrives_once_and_in_order_over_a_bad_line(
    seed: int, drop: float, corrupt: float, duplicate: float, split: float, delay: float, at_once: bool
) -> None:
    joined = Joined(at_once=at_once).start()
    if not at_once:
        settle_later(joined, seed)
    faulty(
        joined,
        Fault("bell", "drop", rate=drop, seed=seed),
        Fault("bell", "corrupt", rate=corrupt, seed=seed),
        Fault("bell", "duplicate", rate=duplicate, seed=seed),
        Fault("bell", "split", rate=split, seed=seed),
        Fault("bell", "delay", rate=delay, seconds=0.3, seed=seed),
    )
    ring_through(joined, 60)
    assert not joined.ears.bad


def settle_later(joined: Joined, seed: int) -> None:
    """Let the journal take its time, and not always in order."""
    chance = random.Random(seed)
    take = joined.ears.event

    def event(number: int, message: object) -> None:
        take(number, message)  # type: ignore[arg-type]
        joined.clock.call_later(chance.random() * 0.2, joined.host.durable, number, joined.host.epoch)

    joined.ears.event = event  # type: ignore[method-assign]


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32), moments=st.lists(st.floats(0, 6), min_size=1, max_size=4))
def test_a_cable_pulled_at_any_moment_loses_and_repeats_nothing(seed: int, moments: list[float]) -> None:
    joined = Joined().start()
    faulty(
        joined,
        *(Fault("bell", "unplug", at=at, seconds=0.7) for at in moments),
        Fault("bell", "drop", rate=0.05, seed=seed),
    )
    ring_through(joined, 60, every=0.1)


@settings(max_examples=40)
@given(moments=st.lists(st.floats(0, 6), min_size=1, max_size=4), off=st.floats(0, 8))
def test_a_device_that_restarts_with_its_memory_loses_and_repeats_nothing(moments: list[float], off: float) -> None:
    joined = Joined().start()
    faulty(joined, *(Fault("bell", "reboot", at=at, seconds=off) for at in moments))
    rung_while_on: list[int] = []
    for index in range(60):
        if joined.ring(index + 1):
            rung_while_on.append(index + 1)
        joined.clock.run_for(0.1)
    joined.clock.run_until(lambda: joined.device.powered and joined.device.held == 0, 600)
    assert joined.rings() == rung_while_on
    assert not any(lost for _, lost in joined.ears.ups)


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    deaths=st.lists(st.integers(1, 58), min_size=1, max_size=5),
    drop=st.floats(0, 0.2),
)
def test_a_controller_that_dies_anywhere_resumes_from_its_journal(seed: int, deaths: list[int], drop: float) -> None:
    joined = Joined(at_once=False).start()
    faulty(joined, Fault("bell", "drop", rate=drop, seed=seed))
    chance = random.Random(seed)
    journal: list[tuple[Mark, int]] = []  # what is on disk
    waiting: list[tuple[Mark, int]] = []  # what only the process knows

    def event(number: int, message: object) -> None:
        mark = Mark("B-1", joined.host.epoch, number)
        waiting.append((mark, message.times))  # type: ignore[attr-defined]

    def write() -> None:
        while waiting:
            mark, times = waiting.pop(0)
            journal.append((mark, times))
            if chance.random() < 0.8:  # it may die between the disk and the acknowledgement
                joined.host.durable(mark.number, mark.epoch)

    joined.ears.event = event  # type: ignore[method-assign]
    for index in range(60):
        joined.ring(index + 1)
        joined.clock.run_for(0.1)
        if index in deaths:
            waiting.clear()
            joined.restart_host(journal[-1][0] if journal else None)
        elif chance.random() < 0.5:
            write()
    joined.restart_host(journal[-1][0] if journal else None)
    waiting.clear()
    joined.clock.run_until(lambda: len(journal) + len(waiting) >= 60, 600)
    write()
    assert [times for _, times in journal] == list(range(1, 61))


def test_a_device_that_restarts_without_its_memory_tells_that_evidence_is_lost() -> None:
    joined = Joined().start()
    faults = faulty(joined)
    joined.ring(1)
    joined.settle_down()
    faults.plan(Fault("bell", "stall", seconds=5, way="to_host"))
    joined.ring(2)
    before = joined.device.epoch
    faults.plan(Fault("bell", "reboot", keep_memory=False, seconds=0.5))
    joined.clock.run_for(12)
    assert joined.device.epoch != before
    assert [lost for _, lost in joined.ears.ups] == [False, True]
    joined.ring(3)
    joined.settle_down()
    assert joined.rings()[-1] == 3
    assert joined.ears.events[-1][0] == 1, "numbering starts again with the new epoch"


def test_a_controller_that_was_away_learns_that_evidence_was_lost_meanwhile() -> None:
    joined = Joined().start()
    joined.ring(1)
    joined.settle_down()
    mark = Mark("B-1", joined.host.epoch, 1)
    joined.host.stop()
    joined.ring(2)
    joined.device.power_cycle(keep_memory=False)
    joined.clock.run_for(1)
    joined.restart_host(mark)
    joined.clock.run_for(5)
    assert joined.ears.ups[-1][1] is True


@pytest.mark.parametrize("fault", ["drop", "corrupt", "duplicate", "split", "delay"])
def test_a_fault_at_the_third_event_hits_that_event(fault: str) -> None:
    joined = Joined().start()
    faults = faulty(joined, Fault.of({"device": "bell", "fault": fault, "at_event": 3}))
    for index in range(5):
        joined.ring(index + 1)
        joined.clock.run_for(0.05)
        assert faults.to_host.hit == (1 if index >= 2 else 0)
    joined.settle_down()
    assert joined.rings() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("fault", ["unplug", "reboot"])
def test_the_line_breaks_while_the_second_event_is_on_it(fault: str) -> None:
    joined = Joined().start()
    faults = faulty(joined, Fault.of({"device": "bell", "fault": fault, "at_event": 2, "seconds": 3}))
    for index in range(2):
        joined.ring(index + 1)
        joined.clock.run_for(0.1)
    assert [f.fault for f in faults.struck] == [fault]
    assert joined.rings() == [1]
    joined.clock.run_until(lambda: joined.rings() == [1, 2], 30)
    joined.settle_down()
    assert joined.rings() == [1, 2]


def test_the_same_seed_spoils_the_same_frames() -> None:
    def counters(seed: int) -> dict[str, int]:
        joined = Joined().start()
        faulty(joined, Fault("bell", "corrupt", rate=0.2, seed=seed), Fault("bell", "drop", rate=0.2, seed=seed))
        ring_through(joined, 50)
        return joined.host.stats

    assert counters(1) == counters(1)
    assert counters(1) != counters(2)


def test_bit_errors_never_become_a_wrong_message() -> None:
    """A rate of one in ten thousand, over long frames so that nearly all kinds of damage occur."""
    joined = Joined(baud=None).start()
    faulty(joined, Fault("bell", "corrupt", bits=1e-4, seed=7))
    tunes = []
    chance = random.Random(7)
    for _ in range(1500):
        tune = bell.Tune(
            key=chance.randrange(-7, 8),
            notes=tuple(chance.randrange(20, 20000) for _ in range(chance.randrange(64))),
            score=chance.randbytes(chance.randrange(300)),
            title="für Elise",
            lamps=(bell.Lamp.RED,) * chance.randrange(4),
            marks=tuple(chance.randrange(2**64) for _ in range(chance.randrange(8))),
            length=chance.randrange(2**32),
        )
        tunes.append(tune)
        joined.device.post(tune)
        joined.clock.run_for(0.05)
    joined.settle_down(600)
    assert [message for _, message in joined.ears.events] == tunes
    assert joined.host.counters["damaged"] > 100
    assert joined.host.counters["bad"] == joined.device.counters["bad"] == 0


@settings(max_examples=60)
@given(pieces=st.lists(st.binary(max_size=60), max_size=40), frames=st.lists(st.binary(min_size=1, max_size=40)))
def test_hostile_bytes_and_frames_leave_both_ends_standing(pieces: list[bytes], frames: list[bytes]) -> None:
    """Random bytes, and well-formed frames with random insides, none of which may be acted on wrongly."""
    joined = Joined().start()
    joined.ring(1)
    joined.settle_down()
    for piece in pieces:
        joined.wire.host.hear(piece)
        joined.wire.device.hear(piece)
    joined.wire.host.hear(b"\0")
    joined.wire.device.hear(b"\0")
    for frame in frames:
        # events that would be the next in turn are the device's own word, and not hostile
        if frame[0] != EVENT:
            joined.wire.host.hear(encode_frame(frame))
        joined.wire.device.hear(encode_frame(frame))
    joined.clock.run_for(20)
    joined.ring(2)
    joined.clock.run_until(lambda: joined.rings() == [1, 2], 60)


def test_an_event_from_the_future_is_counted_and_not_taken() -> None:
    joined = Joined().start()
    frame = encode_frame(pack_event(EVENT, 500, 1) + rung(1).encode())
    joined.wire.host.hear(frame)
    joined.clock.run_for(5)
    assert joined.ears.events == []
    assert joined.host.counters["gaps"] == 1


def test_an_event_that_does_not_fit_the_spec_is_told_and_does_not_block_the_next() -> None:
    joined = Joined().start()
    body = bytearray(rung(1).encode())
    body[4:6] = (5000).to_bytes(2, "little")  # rings at most a thousand times
    joined.device._held[1] = encode_frame(pack_event(EVENT, 1, 1) + bytes(body))
    joined.device._next = 2
    joined.ring(2)
    joined.settle_down()
    assert joined.rings() == [2]
    assert [(number, "times is 5000" in text) for number, text in joined.ears.bad] == [(1, True)]


def test_an_acknowledgement_of_what_was_never_sent_forgets_nothing() -> None:
    joined = Joined(at_once=False).start()
    joined.ring(1)
    joined.clock.run_for(1)
    for epoch, number in ((joined.device.epoch, 900), (joined.device.epoch ^ 1, 1)):
        joined.wire.device.hear(encode_frame(encode_ack(epoch, number, number)))
    assert joined.device.held == 1


def test_two_devices_of_one_kind_are_told_apart_by_serial() -> None:
    joined = Joined(serial="B-2", expected="B-1")
    joined.device.start()
    joined.host.start()
    joined.ring(1)
    joined.clock.run_for(10)
    assert joined.host.state == "refused"
    ((reason, remedy),) = joined.ears.refusals
    assert "B-2" in reason
    assert "B-1" in reason
    assert remedy
    assert joined.ears.events == []
    assert joined.device.held == 1, "a refused device keeps what it saw"
    # the right one is plugged in instead
    joined.wire.unplug()
    joined.device.stop()
    joined.device = DeviceLink(joined.clock, joined.wire.device, bell.SPEC, joined.bell, serial="B-1")
    joined.device.start()
    joined.wire.replug()
    joined.ring(7)
    joined.settle_down()
    assert joined.rings() == [7]


def test_a_swapped_device_with_the_same_epoch_loses_nothing_to_the_other_ones_mark() -> None:
    joined = Joined().start()
    for index in range(5):
        joined.ring(index + 1)
    joined.settle_down()
    joined.wire.unplug()
    other = DeviceLink(joined.clock, joined.wire.device, bell.SPEC, joined.bell, serial="B-2")
    other.epoch = joined.device.epoch
    joined.device.stop()
    joined.device = other
    other.start()
    for index in range(5):
        joined.ring(index + 11)
    joined.wire.replug()
    joined.settle_down()
    assert joined.rings() == [1, 2, 3, 4, 5, 11, 12, 13, 14, 15]


def test_faults_are_read_and_written_as_plain_words() -> None:
    fault = Fault.parse("wheel drop at_event=3 way=to_host")
    assert fault.plain() == {"device": "wheel", "fault": "drop", "at_event": 3, "way": "to_host"}
    assert Fault.of(fault.plain()) == fault
    for wrong, told in (
        ("wheel drop at_evnt=3", "at_event"),
        ("wheel explode", "explode"),
        ("wheel", "DEVICE FAULT"),
        ("wheel drop at_event=1 rate=0.5", "only one"),
        ("wheel drop rate=5", "chance"),
    ):
        with pytest.raises(BadFault, match=told):
            Fault.parse(wrong)


def test_faults_work_on_any_port() -> None:
    joined = Joined()
    port = FaultyPort(joined.clock, joined.wire.device, "bell")
    joined.device = DeviceLink(joined.clock, port, bell.SPEC, joined.bell, serial="B-1")
    joined.start()
    for text in ("drop rate=0.1", "delay rate=0.1 seconds=0.2", "split rate=0.5", "unplug at=1.5", "stall at=3"):
        port.faults.plan(Fault.parse(f"bell {text}"))
    ring_through(joined, 60)
    with pytest.raises(BadFault, match="only a simulated device"):
        port.faults.plan(Fault("bell", "reboot"))


def test_two_lines_do_not_disturb_each_other() -> None:
    one, ears = Joined().start(), Ears()
    wire = Wire(one.clock, name="other wire")
    device = DeviceLink(one.clock, wire.device, bell.SPEC, one.bell, serial="B-9")
    host = HostLink(one.clock, wire.host, bell.SPEC, ears, name="other")
    ears.link = host
    device.start()
    host.start()
    wire.unplug()
    ring_through(one, 5)
    assert one.ears.downs == []
    assert ears.downs
