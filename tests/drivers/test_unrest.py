"""A device or a line that never comes to rest is held back or let be, told with what to do, and loses nothing."""

from __future__ import annotations

import pytest

from drivers.unrest import OCTETS_BURST, OCTETS_RATE, SHORT_MOST, STILL_S, WAIT_MOST_S
from tests.drivers.linked import Joined


def restarts(joined: Joined, every: float, times: int) -> None:
    for _ in range(times):
        joined.device.power_cycle(keep_memory=True, off_for=0.05)
        joined.clock.run_for(every)


@pytest.mark.parametrize("every", [0.3, 1.0, 5.0])
def test_a_device_in_a_loop_of_restarts_is_a_fault_after_a_bounded_number_and_the_link_waits(every: float) -> None:
    joined = Joined().start()
    restarts(joined, every, 100)
    assert joined.host.state == "refused"
    assert len(joined.ears.ups) <= SHORT_MOST + 2
    ((reason, remedy),) = joined.ears.refusals
    assert "begins anew again and again" in reason
    assert "power" in remedy
    hellos = joined.host.counters["ups"]
    assert hellos <= SHORT_MOST + 2
    joined.clock.run_until(lambda: joined.host.state == "up", STILL_S + 2 * WAIT_MOST_S + 1)
    joined.ring(7)
    joined.clock.run_for(1)
    assert joined.rings()[-1] == 7
    joined.clock.run_for(60)
    restarts(joined, 1.0, 1)
    assert joined.host.state == "up", "a single restart later is nothing to speak of"


def test_a_device_that_was_taken_again_and_goes_on_is_let_be_at_once() -> None:
    joined = Joined().start()
    restarts(joined, 1.0, 2 * SHORT_MOST)
    joined.clock.run_until(lambda: joined.host.state == "up", STILL_S + 2 * WAIT_MOST_S + 1)
    ups = len(joined.ears.ups)
    restarts(joined, 1.0, 20)
    assert (joined.host.state, len(joined.ears.ups)) == ("refused", ups)


def test_events_that_such_a_device_holds_are_not_lost() -> None:
    joined = Joined().start()
    for times in range(1, 40):
        joined.ring(times)
        restarts(joined, 0.5, 1)
    joined.settle_down(60)
    assert joined.rings() == list(range(1, 40))
    assert not any(lost for _, lost in joined.ears.ups)


def test_a_port_that_is_lost_as_soon_as_it_is_open_is_opened_ever_more_seldom() -> None:
    joined, opened = Joined().start(), 0
    for _ in range(600):
        if joined.host.state != "closed":
            opened += 1
            joined.wire.unplug()
            joined.wire.replug()
        joined.clock.run_for(0.1)
    assert opened <= 60 / WAIT_MOST_S + 8
    assert len(joined.ears.ups) <= SHORT_MOST
    joined.clock.run_until(lambda: joined.host.state == "up", STILL_S + 4 * WAIT_MOST_S)


@pytest.mark.parametrize(
    "babble", [b"\xff\x01\x02rubbish", b"\x09damaged\0", b"\0"], ids=["noise", "frames", "noughts"]
)
def test_a_line_that_is_never_silent_at_the_pace_of_usb_is_closed_told_and_opened_again(babble: bytes) -> None:
    joined = Joined().start()
    piece = babble * (65_536 // len(babble))
    taken = 0
    for _ in range(600):
        if joined.host.state != "closed":
            taken += len(piece)
        joined.wire.host.hear(piece)
        joined.clock.run_for(0.1)
    assert taken <= OCTETS_BURST + 60 * OCTETS_RATE + 20 * len(piece)
    causes = [cause for cause, _ in joined.ears.downs]
    assert sum("without end" in cause for cause in causes) >= 1
    assert len(causes) + len(joined.ears.refusals) <= 3 * SHORT_MOST
    joined.clock.run_until(lambda: joined.host.state == "up", 60)


def test_a_serial_line_that_is_never_silent_is_told_and_does_not_bring_the_device_up() -> None:
    joined = Joined()
    joined.host.start()
    for _ in range(300):
        joined.wire.host.hear(b"\x5a" * 1_150)
        joined.clock.run_for(0.1)
    ((cause, remedy),) = joined.ears.downs
    assert "Bytes come from bell wire, but no frame of the link" in cause
    assert remedy


def test_what_a_device_tells_after_a_long_outage_is_not_too_much() -> None:
    joined = Joined(baud=None)
    joined.device.start()
    for times in range(1, 900):
        joined.ring(times)
    joined.host.start()
    joined.settle_down(60)
    assert joined.rings() == list(range(1, 900))
    assert joined.ears.downs == []
    assert OCTETS_RATE > 2 * 921_600 / 10, "beyond what the fastest serial line carries"


def test_a_device_that_floods_is_held_back_told_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.unrest.BURST", 400)
    joined = Joined(baud=None).start()
    for times in range(1, 1001):
        joined.ring(times)
    joined.clock.run_for(1.0)
    assert joined.ears.floods == [True]
    assert 400 <= len(joined.rings()) <= 460
    joined.clock.run_for(5)
    assert len(joined.rings()) <= 400 + 50 * 7
    joined.settle_down(60)
    assert joined.rings() == list(range(1, 1001))
    assert not any(lost for _, lost in joined.ears.ups)
    joined.clock.run_for(30)
    assert joined.ears.floods == [True, False]
