"""Both ends of a link on a good line: identify, take turns, do once, fall back to safe."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from drivers.device import Device
from drivers.events import DeviceDown, DeviceEvent, DeviceRefused, DeviceTrouble, DeviceUp, Mark
from firmware_specs import link
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.sealing import SEALS
from simulators.link import DeviceLink, Refusal
from tests.drivers.linked import BELL, Joined, bell, module_of, rung

GREEN = bell.Outputs(muted=False, lamp=bell.Lamp.GREEN)


def spy(joined: Joined) -> list[tuple[str, bytes]]:
    """All frames that go over the wire from now on, as (kind, content)."""
    seen: list[tuple[str, bytes]] = []

    def watch(octets: bytes) -> list[tuple[float, bytes]]:
        for content in FrameDecoder().feed(octets):
            seen.append((link.KIND_NAMES[content[0]], content))
        return [(0.0, octets)]

    joined.wire.host.meddle = joined.wire.device.meddle = watch
    return seen


def kinds(seen: list[tuple[str, bytes]]) -> list[str]:
    return [kind for kind, _ in seen]


# --- identify ---------------------------------------------------------------------------------


def test_a_device_identifies_itself_before_anything_else() -> None:
    joined = Joined()
    seen = spy(joined)
    joined.ring(1)  # the power is off: nobody hears it
    joined.device.start()
    joined.ring(2)
    joined.host.start()
    joined.clock.run_for(1)
    assert kinds(seen)[:5] == ["IDENTITY", "HELLO", "IDENTITY", "ACK", "EVENT"]
    ((identity, lost),) = joined.ears.ups
    assert (identity.serial, identity.firmware, identity.capabilities, lost) == ("B-1", "1.0.0", 1 | SEALS, False)
    assert joined.rings() == [2]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"code": 9}, "another kind (code 9"),
        ({"version": 2}, "spec version 2"),
        ({"digest": b"another!"}, "another text of spec version 1"),
    ],
)
def test_a_device_that_does_not_belong_here_is_refused_with_reason_and_remedy(
    change: dict[str, Any], told: str
) -> None:
    joined = Joined()
    joined.device.spec = msgspec.structs.replace(bell.SPEC, **change)
    joined.device.start()
    with capture_logs() as logs:
        joined.host.start()
        joined.host.desire(GREEN)
        joined.ring(1)
        joined.clock.run_for(30)
    ((reason, remedy),) = joined.ears.refusals
    assert told in reason
    assert remedy
    assert (joined.ears.ups, joined.ears.events, joined.bell.outputs_seen) == ([], [], [])
    assert joined.device.held == 1
    assert logs[0]["event"] == "refused"


def test_a_device_of_another_link_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    joined = Joined()
    encode = link.Identity.encode
    monkeypatch.setattr(
        link.Identity, "encode", lambda self: encode(msgspec.structs.replace(self, link_version=2)) + b"new field"
    )
    joined.device.start()
    joined.host.start()
    joined.clock.run_for(5)
    assert "link version 2" in joined.ears.refusals[0][0]


def test_a_device_whose_memory_went_back_in_time_is_refused() -> None:
    joined = Joined()
    joined.device.start()
    joined.host = joined.new_host(Mark("B-1", joined.device.epoch, 12))
    joined.host.start()
    joined.clock.run_for(5)
    assert "went back in time" in joined.ears.refusals[0][0]


def test_nothing_at_the_port_is_told_once_with_a_remedy() -> None:
    joined = Joined()
    joined.host.start()
    joined.clock.run_for(60)
    ((cause, remedy),) = joined.ears.downs
    assert "Nothing answers at bell wire" in cause
    assert "power" in remedy
    joined.device.start()
    joined.clock.run_until(lambda: joined.host.state == "up", 1)


def test_a_port_that_is_not_there_is_tried_again_until_it_is() -> None:
    joined = Joined()
    joined.wire.unplug()
    joined.device.start()
    joined.host.start()
    joined.clock.run_for(30)
    assert len(joined.ears.downs) == 1
    joined.wire.replug()
    joined.clock.run_until(lambda: joined.host.state == "up", 5)


# --- events -----------------------------------------------------------------------------------


def test_an_event_is_held_until_it_is_durable_and_not_resent_once_received() -> None:
    joined = Joined(at_once=False).start()
    seen = spy(joined)
    joined.ring(1)
    joined.clock.run_for(10)
    assert kinds(seen).count("EVENT") == 1
    assert joined.device.held == 1
    joined.host.durable(1)
    joined.clock.run_for(0.1)
    assert joined.device.held == 0


def test_events_settled_out_of_order_are_forgotten_in_order() -> None:
    joined = Joined(at_once=False).start()
    for times in (1, 2, 3):
        joined.ring(times)
    joined.clock.run_for(1)
    joined.host.durable(3)
    joined.host.durable(2)
    joined.clock.run_for(5)
    assert joined.device.held == 3
    joined.host.durable(1)
    joined.clock.run_for(0.1)
    assert joined.device.held == 0


def test_what_became_durable_in_a_life_that_is_over_says_nothing_about_this_one() -> None:
    joined = Joined(at_once=False).start()
    joined.ring(1)
    joined.clock.run_for(1)
    old = joined.host.epoch
    joined.device.power_cycle(keep_memory=False)
    joined.clock.run_for(5)
    joined.ring(2)
    joined.clock.run_for(1)
    joined.host.durable(1, old)
    joined.clock.run_for(5)
    assert joined.device.held == 1
    joined.host.durable(1, joined.host.epoch)
    joined.settle_down()


def test_a_durable_event_whose_acknowledgement_was_lost_is_forgotten_with_the_next_beat() -> None:
    joined = Joined().start()
    joined.clock.run_for(1)
    joined.wire.host.meddle = lambda octets: []
    joined.ring(1)
    joined.clock.run_for(0.1)
    assert joined.device.held == 1
    joined.wire.host.meddle = None
    joined.settle_down(3)
    assert joined.rings() == [1]


def test_no_more_than_a_window_is_in_flight() -> None:
    joined = Joined().start()
    joined.wire.host.meddle = lambda octets: []
    seen = spy_device(joined)
    for times in range(100):
        joined.ring(times + 1)
    joined.clock.run_for(0.2)
    assert len(seen) == link.WINDOW_EVENTS
    joined.wire.host.meddle = None
    joined.settle_down()
    assert joined.rings() == list(range(1, 101))


def spy_device(joined: Joined) -> list[bytes]:
    seen: list[bytes] = []

    def watch(octets: bytes) -> list[tuple[float, bytes]]:
        seen.append(octets)
        return [(0.0, octets)]

    joined.wire.device.meddle = watch
    return seen


def test_long_events_leave_no_more_bytes_in_flight_than_the_line_carries_in_time() -> None:
    joined = Joined().start()
    tune = bell.Tune(key=0, notes=(), score=b"s" * 300, title="", lamps=(), marks=(), length=1)
    for _ in range(50):
        joined.device.post(tune)
    joined.settle_down()
    assert len(joined.ears.events) == 50
    assert joined.device.counters["resends"] == 0
    assert joined.host.counters["duplicates"] == 0


def test_one_acknowledgement_serves_an_event_and_its_durability() -> None:
    joined = Joined().start()
    seen = spy(joined)
    for times in range(10):
        joined.ring(times + 1)
        joined.clock.run_for(0.1)
    assert kinds(seen) == ["EVENT", "ACK"] * 10


def test_events_in_a_row_share_an_acknowledgement_while_the_journal_works() -> None:
    joined = Joined(at_once=False).start()
    seen = spy(joined)
    for times in (1, 2, 3):
        joined.ring(times)
    joined.clock.run_for(0.01)
    for number in (1, 2, 3):
        joined.host.durable(number)
    joined.clock.run_for(0.2)
    assert kinds(seen).count("ACK") <= 2
    assert joined.device.held == 0


def test_a_missed_event_is_asked_for_without_waiting_for_the_resend() -> None:
    joined = Joined().start()
    joined.wire.device.meddle = lambda octets: []
    joined.ring(1)
    joined.wire.device.meddle = None
    joined.ring(2)
    joined.clock.run_for(0.05)
    assert joined.rings() == [1, 2]
    assert joined.device.counters["resends"] == 0


def test_an_event_that_comes_twice_is_counted_and_taken_once() -> None:
    joined = Joined().start()
    joined.wire.device.meddle = lambda octets: [(0.0, octets), (0.0, octets)]
    joined.ring(1)
    joined.clock.run_for(0.1)
    assert joined.rings() == [1]
    assert (joined.host.counters["duplicates"], joined.host.counters["gaps"]) == (1, 0)


def test_events_that_the_device_forgot_and_the_journal_does_not_hold_are_told_as_lost() -> None:
    joined = Joined().start()
    for times in (1, 2, 3):
        joined.ring(times)
    joined.settle_down()
    joined.restart_host(Mark("B-1", joined.device.epoch, 1))  # an old copy of the journal was put back
    joined.clock.run_for(1)
    assert joined.ears.ups[-1][1] is True
    joined.ring(4)
    joined.settle_down()
    assert joined.ears.events[-1][0] == 4


def test_what_was_settled_of_one_device_says_nothing_about_another() -> None:
    joined = Joined(at_once=False).start()
    for times in (1, 2):
        joined.ring(times)
    joined.clock.run_for(1)
    joined.host.durable(2)
    first = joined.device
    first.stop()
    joined.wire.unplug()
    joined.wire.replug()
    joined.device = DeviceLink(joined.clock, joined.wire.device, bell.SPEC, joined.bell, serial="B-2")
    joined.device.start()
    for times in (11, 12):
        joined.ring(times)
    joined.clock.run_until(lambda: joined.rings() == [1, 2, 11, 12], 20)
    joined.host.durable(1)
    joined.clock.run_for(3)
    assert joined.device.held == 1
    joined.device.stop()
    joined.wire.unplug()
    joined.wire.replug()
    joined.device = first
    first.start()
    joined.clock.run_until(lambda: first.in_session, 20)
    joined.host.durable(1)
    joined.clock.run_for(3)
    assert first.held == 0


def test_an_acknowledgement_ahead_of_what_was_sent_does_not_confuse_the_device() -> None:
    joined = Joined(at_once=False).start()
    joined.wire.device.meddle = lambda octets: []
    for times in range(60):
        joined.ring(times + 1)
    joined.wire.device.hear(encode_frame(link.encode_ack(joined.device.epoch, 50, 40)))
    assert joined.device.held == 20


def test_a_full_memory_is_told_as_lost_evidence() -> None:
    joined = Joined()
    joined.device = DeviceLink(joined.clock, joined.wire.device, bell.SPEC, joined.bell, serial="B-1", capacity=5)
    joined.start()
    joined.ears.at_once = False
    for times in range(6):
        joined.ring(times + 1)
    joined.clock.run_for(10)
    assert [lost for _, lost in joined.ears.ups] == [False, True]
    assert joined.rings()[-1] == 6


# --- live -------------------------------------------------------------------------------------


def test_live_messages_are_shown_and_never_held() -> None:
    joined = Joined()
    joined.device.start()
    joined.device.live(bell.Loudness(5))
    joined.start()
    joined.device.live(bell.Loudness(7))
    joined.clock.run_for(1)
    assert joined.ears.lives == [bell.Loudness(7)]
    assert joined.device.held == 0


# --- commands ---------------------------------------------------------------------------------


def ask(joined: Joined, command_id: int, message: Any, deadline: float = 10) -> list[Any]:
    answers: list[Any] = []
    joined.host.command(command_id, message, lambda *answer: answers.append(answer), deadline)
    return answers


def test_a_command_is_done_and_answered() -> None:
    joined = Joined().start()
    answers = ask(joined, 1, bell.Ring(times=3))
    joined.clock.run_for(1)
    assert answers == [("done", bell.RingResult(rung=3), "")]


def test_a_refused_command_says_why() -> None:
    joined = Joined().start()
    answers = ask(joined, 1, bell.Ring(times=9))
    joined.clock.run_for(1)
    assert answers == [("refused", None, "nine is too often")]


def test_a_command_is_done_once_though_its_result_was_lost() -> None:
    joined = Joined().start()
    joined.wire.device.meddle = lambda octets: []
    answers = ask(joined, 1, bell.Ring(times=3))
    joined.clock.run_for(1)
    joined.wire.device.meddle = None
    joined.clock.run_for(3)
    assert answers == [("done", bell.RingResult(rung=3), "")]
    assert joined.bell.acted == [1]
    assert joined.device.counters["repeats"] >= 1


def test_a_command_given_while_the_line_is_down_is_done_when_it_is_back() -> None:
    joined = Joined().start()
    joined.wire.unplug()
    answers = ask(joined, 1, bell.Ring(times=1))
    joined.clock.run_for(2)
    joined.wire.replug()
    joined.clock.run_for(5)
    assert [status for status, _, _ in answers] == ["done"]


def test_a_command_never_waits_beyond_its_deadline() -> None:
    joined = Joined().start()
    joined.wire.unplug()
    answers = ask(joined, 1, bell.Ring(times=1), deadline=3)
    joined.clock.run_for(3)
    assert answers == [("late", None, "the device was not there in time")]
    joined.wire.replug()
    joined.clock.run_for(20)
    assert joined.bell.acted == []


def test_a_long_command_is_answered_when_it_is_done() -> None:
    joined = Joined().start()
    answers = ask(joined, 1, bell.Oil())
    joined.clock.run_for(4)
    assert (answers, joined.bell.acted) == ([], [1])
    joined.device.finish(1, bell.OilResult())
    joined.clock.run_for(1)
    assert answers == [("done", bell.OilResult(), "")]


def test_a_command_cut_off_by_a_power_loss_is_not_done_again() -> None:
    joined = Joined().start()
    answers = ask(joined, 1, bell.Oil(), deadline=60)
    joined.clock.run_for(1)
    joined.device.power_cycle(keep_memory=True, off_for=1)
    joined.clock.run_for(10)
    joined.device.finish(1, bell.OilResult())
    joined.clock.run_for(10)
    assert answers == [("failed", None, "the device lost power while doing it")]
    assert joined.bell.acted == [1]


def test_a_command_to_a_device_that_lost_its_memory_is_unknown_and_not_repeated() -> None:
    joined = Joined().start()
    answers = ask(joined, 1, bell.Oil(), deadline=60)
    joined.clock.run_for(1)
    joined.device.power_cycle(keep_memory=False, off_for=1)
    joined.clock.run_for(10)
    assert [status for status, _, _ in answers] == ["unknown"]
    assert joined.bell.acted == [1]


def test_a_command_the_device_does_not_know_is_refused_by_it() -> None:
    joined = Joined().start()
    other = module_of(BELL.replace('id = 2\nmeaning = "Oil', 'id = 77\nmeaning = "Oil'), "declared_other_bell")
    answers = ask(joined, 1, other.Oil())
    joined.clock.run_for(1)
    assert answers[0][0] == "refused"
    assert "declared command" in answers[0][2]


def test_the_same_command_cannot_be_given_twice_at_a_time() -> None:
    joined = Joined().start()
    ask(joined, 1, bell.Oil())
    with pytest.raises(ValueError, match="already on its way"):
        ask(joined, 1, bell.Oil())


def test_finishing_with_a_refusal_fails_the_command() -> None:
    joined = Joined().start()
    answers = ask(joined, 5, bell.Oil())
    joined.clock.run_for(1)
    joined.device.finish(5, Refusal("the can is empty", failed=True))
    joined.clock.run_for(1)
    assert answers == [("failed", None, "the can is empty")]


# --- outputs ----------------------------------------------------------------------------------


def test_outputs_are_made_so_and_made_so_again_after_every_interruption() -> None:
    joined = Joined().start()
    joined.host.desire(GREEN)
    joined.clock.run_for(1)
    assert joined.device.outputs == GREEN
    assert joined.ears.made_so == [GREEN]
    joined.device.power_cycle(keep_memory=True, off_for=1)
    assert joined.device.outputs == bell.SPEC.safe
    joined.clock.run_for(10)
    assert joined.device.outputs == GREEN
    joined.restart_host(None)
    joined.host.desire(GREEN)
    joined.clock.run_for(5)
    assert joined.device.outputs == GREEN
    assert [why for why, _ in joined.bell.outputs_seen] == ["host", "power", "host"]


def test_the_latest_desire_wins_and_an_unchanged_one_is_not_sent() -> None:
    joined = Joined().start()
    seen = spy(joined)
    joined.host.desire(GREEN)
    joined.host.desire(bell.SPEC.safe)
    joined.host.desire(bell.SPEC.safe)
    joined.clock.run_for(1)
    assert kinds(seen).count("SET") == 2
    assert joined.device.outputs == bell.SPEC.safe
    assert joined.ears.made_so == [bell.SPEC.safe]


def test_an_old_set_that_comes_late_does_not_undo_a_newer_one() -> None:
    joined = Joined().start()
    joined.host.desire(GREEN)
    joined.host.desire(bell.SPEC.safe)
    joined.clock.run_for(1)
    joined.wire.device.hear(encode_frame(link.HEAD_SET.pack(link.SET, 1) + GREEN.encode()))
    joined.clock.run_for(1)
    assert joined.device.outputs == bell.SPEC.safe


def test_a_device_falls_back_to_safe_by_itself_when_the_host_is_silent_and_output_by_output() -> None:
    joined = Joined().start()
    joined.host.desire(GREEN)
    joined.clock.run_for(1)
    joined.host.stop()
    start = joined.clock.now()
    joined.clock.run_until(lambda: joined.device.outputs != GREEN, 10)
    assert joined.clock.now() - start <= 4
    assert joined.device.outputs == bell.Outputs(muted=True, lamp=bell.Lamp.GREEN)
    joined.clock.run_until(lambda: joined.device.outputs == bell.SPEC.safe, 10)
    assert 8 <= joined.clock.now() - start <= 9


def test_outputs_come_back_after_the_device_alone_stopped_hearing() -> None:
    """Only the way to the device breaks, and for less than the host would notice."""
    joined = Joined().start()
    joined.host.desire(GREEN)
    joined.clock.run_for(1)
    joined.wire.host.meddle = lambda octets: []
    joined.clock.run_until(lambda: joined.device.outputs != GREEN, 10)
    joined.wire.host.meddle = None
    joined.ring(1)  # its acknowledgement would keep a session alive whose outputs are wrong
    joined.clock.run_until(lambda: joined.device.outputs == GREEN, 3)
    assert "did not hear the table" in joined.ears.downs[0][0]


def test_a_value_out_of_range_is_refused_where_it_is_desired() -> None:
    joined = Joined().start()
    with pytest.raises(ValueError, match="muted"):
        joined.host.desire(bell.Outputs(muted=7, lamp=bell.Lamp.RED))


# --- beats and silence ------------------------------------------------------------------------


def test_an_idle_line_carries_one_beat_each_way_every_two_seconds() -> None:
    joined = Joined().start()
    joined.clock.run_for(1)
    seen = spy(joined)
    joined.clock.run_for(20)
    assert sorted(kinds(seen)) == ["ACK"] * 10 + ["BEAT"] * 10
    assert joined.ears.downs == []


def test_a_silent_device_is_noticed_after_six_seconds_and_found_again() -> None:
    joined = Joined().start()
    joined.clock.run_for(1)
    joined.wire.device.meddle = lambda octets: []
    start = joined.clock.now()
    joined.clock.run_until(lambda: joined.host.state != "up", 10)
    assert 4 <= joined.clock.now() - start <= 6.01
    joined.clock.run_for(60)
    ((cause, remedy),) = joined.ears.downs
    assert "for 6 s" in cause
    assert remedy
    joined.wire.device.meddle = None
    joined.clock.run_until(lambda: joined.host.state == "up", 5)
    assert joined.ears.ups[-1][1] is False


def test_a_restarted_device_is_noticed_at_once() -> None:
    joined = Joined().start()
    joined.device.power_cycle(keep_memory=True, off_for=0.2)
    joined.clock.run_until(lambda: len(joined.ears.ups) == 2, 1)
    assert "restarted" in joined.ears.downs[0][0]
    assert joined.bell.power == [(False, True), (True, True)]


def test_a_restarted_device_whose_announcement_is_lost_is_noticed_with_the_next_beat() -> None:
    joined = Joined().start()
    joined.device.power_cycle(keep_memory=True, off_for=0.2)
    joined.clock.run_for(0.1)
    joined.wire.device.meddle = lambda octets: []
    joined.clock.run_for(0.2)
    joined.wire.device.meddle = None
    joined.clock.run_until(lambda: len(joined.ears.ups) == 2, 3)


def test_a_stopped_link_tells_nothing_more() -> None:
    joined = Joined().start()
    joined.ring(1)
    joined.host.stop()
    joined.clock.run_for(20)
    assert (joined.ears.events, joined.ears.downs) == ([], [])


# --- what is logged ---------------------------------------------------------------------------


def test_a_damaged_frame_is_logged_with_its_neighbours_and_a_bad_line_does_not_flood_the_log() -> None:
    joined = Joined().start()
    with capture_logs() as logs:
        for _ in range(20):
            joined.wire.host.hear(b"\x09damaged\0")
    assert len(logs) == 1
    assert logs[0]["event"] == "damaged frame"
    assert logs[0]["device"] == "bell"
    assert "ACK" in logs[0]["recent"][-1]
    assert joined.host.stats["damaged"] == 20


@pytest.mark.parametrize("content", [b"\x7f", b"\x84\x63", b"\x84", b"\x85\x01", b"\x83\x01", b"\x82\x01", b"\x81\x01"])
def test_an_unknown_or_misshapen_frame_is_counted_and_not_acted_on(content: bytes) -> None:
    joined = Joined().start()
    with capture_logs() as logs:
        joined.wire.host.hear(encode_frame(content))
    assert len(logs) == 1
    assert joined.host.counters["bad"] + joined.host.counters["unknown"] == 1
    assert joined.host.state == "up"


def test_the_traffic_is_recorded_when_asked() -> None:
    joined = Joined()
    record: list[tuple[str, bytes]] = []

    class Tape:
        def record(self, direction: str, octets: bytes) -> None:
            record.append((direction, octets))

    joined.host.recorder = Tape()
    joined.start()
    assert [(way, FrameDecoder().feed(octets)[0][0]) for way, octets in record[:2]] == [
        ("out", link.HELLO),
        ("in", link.IDENTITY),
    ]


# --- the driver's base ------------------------------------------------------------------------


class Rang(DeviceEvent, frozen=True):
    """Somebody rang."""

    times: int


class BellDriver(Device):
    def on_event(self, number: int, message: Any) -> None:
        if message.times == 13:
            self.settle(number)  # nobody wants to hear of it
        elif message.times == 20:
            self.tell(Rang(self.name, 20), number, number - 1)
        elif message.times != 19:
            self.tell(Rang(self.name, message.times), number)


class Table:
    """A sink that makes things durable when told to."""

    def __init__(self) -> None:
        self.taken: list[tuple[DeviceEvent, Mark | None]] = []
        self.waiting: list[Any] = []
        self.glimpsed: list[Any] = []

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Any) -> None:
        self.taken.append((event, mark))
        if durable is not None:
            self.waiting.append(durable)

    def glimpse(self, device: str, live: msgspec.Struct) -> None:
        self.glimpsed.append((device, live))

    def sync(self) -> None:
        while self.waiting:
            self.waiting.pop(0)()


def driven() -> tuple[Joined, BellDriver, Table]:
    joined, table = Joined(), Table()
    driver = BellDriver("bell", bell.SPEC, joined.clock, joined.wire.host, table)
    joined.device.start()
    driver.start()
    joined.clock.run_for(1)
    return joined, driver, table


def test_a_driver_tells_up_down_and_events_with_their_marks_and_acknowledges_after_durable() -> None:
    joined, driver, table = driven()
    epoch = joined.device.epoch
    for times in (5, 13, 19, 20):
        joined.ring(times)
    joined.device.live(bell.Loudness(3))
    joined.clock.run_for(1)
    assert table.taken == [
        (DeviceUp("bell", "bell", "B-1", "1.0.0"), None),
        (Rang("bell", 5), Mark("B-1", epoch, 1)),
        (Rang("bell", 20), Mark("B-1", epoch, 4)),
    ]
    assert table.glimpsed == [("bell", bell.Loudness(3))]
    assert joined.device.held == 4
    table.sync()
    joined.clock.run_for(0.1)
    assert joined.device.held == 0
    assert driver.health().state == "up"
    joined.wire.unplug()
    assert isinstance(table.taken[-1][0], DeviceDown)
    assert driver.health().state == "closed"


def test_a_driver_takes_outputs_and_orders_in_plain_words() -> None:
    joined, driver, _ = driven()
    done: list[Any] = []
    driver.desire({"lamp": "green"})
    driver.desire({"muted": False})
    driver.order(1, "Ring", {"times": 2}, lambda *answer: done.append(answer))
    driver.order(2, "Ring", {"times": 9}, lambda *answer: done.append(answer))
    driver.order(3, "Wring", {}, lambda *answer: done.append(answer))
    joined.clock.run_for(1)
    assert joined.device.outputs == GREEN
    assert done[0][0] == "refused"
    assert "one of Ring, Oil" in done[0][1]["text"]
    assert done[1:] == [("done", {"rung": 2}), ("refused", {"text": "nine is too often"})]


def test_a_driver_tells_refusal_and_bad_events_to_the_table() -> None:
    joined, _, table = driven()
    joined.device._held[1] = encode_frame(link.pack_event(link.EVENT, 1, 99) + rung(1).encode())
    joined.device._next = 2
    joined.ring(2)
    joined.clock.run_for(1)
    trouble = table.taken[1][0]
    assert isinstance(trouble, DeviceTrouble)
    assert trouble.code == "bad_message"
    assert table.taken[2][0] == Rang("bell", 2)
    joined.device.stop()
    other = DeviceLink(
        joined.clock, joined.wire.device, msgspec.structs.replace(bell.SPEC, code=3), joined.bell, serial="X"
    )
    other.start()
    joined.clock.run_for(20)
    assert isinstance(table.taken[-1][0], DeviceRefused)
