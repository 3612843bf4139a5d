"""Both ends of a link on a good line: identify, take turns, do once, fall back to safe."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from drivers.events import Mark
from firmware_specs import link
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.sealing import SEALS
from simulators.link import DeviceLink
from tests.drivers.linked import Joined, bell, kinds, spy

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
