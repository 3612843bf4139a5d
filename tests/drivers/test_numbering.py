"""Events numbered by a device: gaps that do not close, a new epoch behind the last number, lost evidence."""

from __future__ import annotations

from drivers.events import Mark
from firmware_specs import link
from firmware_specs.frames import encode_frame
from firmware_specs.link import LAST_NUMBER
from simulators.link import DeviceLink
from tests.drivers.linked import Joined, bell


class Skips(DeviceLink):
    """Numbers an event and never sends it."""

    never = 3

    def _pump(self) -> None:
        while self._cursor < self._next and self._cursor <= self._received + link.WINDOW_EVENTS:
            if self._cursor != self.never:
                self.port.write(self._held[self._cursor])
            self._cursor += 1
        if not self._resending:
            self._resending = True
            self._resend_at = self.clock.now() + self._resend_wait
            self._timers["resend"] = self.clock.call_at(self._resend_at, self._resend)


def skipping() -> Joined:
    joined = Joined()
    joined.device = Skips(joined.clock, joined.wire.device, bell.SPEC, joined.bell, serial="B-1")
    return joined.start()


def test_an_event_that_never_comes_is_told_as_lost_evidence_and_the_rest_is_taken() -> None:
    joined = skipping()
    for times in range(1, 8):
        joined.ring(times)
    joined.clock.run_for(20)
    assert joined.rings() == [1, 2, 4, 5, 6, 7]
    assert [lost for _, lost in joined.ears.ups].count(True) == 1
    told = [cause for cause, _ in joined.ears.downs]
    assert any("Event 3 of the Bell did not come though later ones did" in cause for cause in told)
    assert any("Event 3 of the Bell is lost" in cause for cause in told)
    assert joined.device.held == 0
    joined.ring(8)
    joined.settle_down()
    assert joined.rings()[-1] == 8


def test_what_came_before_a_hole_is_forgotten_by_the_device_only_once_it_is_on_disk() -> None:
    joined = skipping()
    joined.ears.at_once = False
    for times in range(1, 6):
        joined.ring(times)
    joined.clock.run_for(20)
    assert [number for number, _ in joined.ears.events] == [1, 2, 4, 5]
    joined.host.durable(4)
    joined.host.durable(5)
    joined.clock.run_for(1)
    assert joined.device.held == 5
    joined.host.durable(1)
    joined.host.durable(2)
    joined.clock.run_for(1)
    assert joined.device.held == 0


def test_a_line_that_loses_every_other_frame_is_no_lost_evidence() -> None:
    joined = Joined().start()
    turn = [0]

    def every_other(octets: bytes) -> list[tuple[float, bytes]]:
        turn[0] += 1
        return [] if turn[0] % 2 else [(0.0, octets)]

    joined.wire.device.meddle = every_other
    for times in range(1, 60):
        joined.ring(times)
        joined.clock.run_for(0.05)
    joined.wire.device.meddle = None
    joined.settle_down()
    assert joined.rings() == list(range(1, 60))
    assert not any(lost for _, lost in joined.ears.ups)


def test_a_device_that_forgot_behind_the_hosts_back_is_told_as_lost_evidence() -> None:
    """A second program that acknowledged on the line: the device counts on, and the host waits for what is gone."""
    joined = Joined().start()
    joined.wire.device.meddle = lambda octets: []
    for times in (1, 2, 3):
        joined.ring(times)
    joined.device._on_bytes(encode_frame(link.encode_ack(joined.device.epoch, 3, 3)))
    joined.wire.device.meddle = None
    joined.ring(4)
    joined.clock.run_for(20)
    assert joined.rings() == [4]
    assert [lost for _, lost in joined.ears.ups] == [False, True]


# --- the end of the numbers -------------------------------------------------------------------


def near_the_end(left: int) -> Joined:
    joined = Joined()
    joined.device._oldest = joined.device._next = LAST_NUMBER + 1 - left
    joined.host = joined.new_host(Mark("B-1", joined.device.epoch, LAST_NUMBER - left))
    return joined.start()


def test_a_new_epoch_begins_behind_the_last_number_and_nothing_is_lost() -> None:
    joined = near_the_end(3)
    before = joined.device.epoch
    for times in range(1, 4):
        joined.ring(times)
    joined.clock.run_for(5)
    assert joined.device.epoch != before
    for times in range(4, 9):
        joined.ring(times)
    joined.settle_down()
    assert joined.rings() == list(range(1, 9))
    numbers = [number for number, _ in joined.ears.events]
    assert numbers == [*range(LAST_NUMBER - 2, LAST_NUMBER + 1), *range(1, 6)]
    assert not any(lost for _, lost in joined.ears.ups)


def test_a_host_that_restarted_behind_the_last_number_takes_the_new_epoch_for_no_loss() -> None:
    joined = near_the_end(1)
    before = joined.device.epoch
    joined.ring(1)
    joined.clock.run_for(5)
    joined.restart_host(Mark("B-1", before, LAST_NUMBER))
    joined.clock.run_for(5)
    assert not joined.ears.ups[-1][1]


def test_an_event_behind_the_last_number_that_finds_the_others_not_on_disk_is_a_loss_and_told() -> None:
    joined = near_the_end(2)
    joined.ears.at_once = False
    for times in range(1, 4):
        joined.ring(times)
    joined.clock.run_for(10)
    assert [lost for _, lost in joined.ears.ups] == [False, True]
    assert joined.ears.events[-1][0] == 1
