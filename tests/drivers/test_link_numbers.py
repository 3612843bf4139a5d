"""Numbers at their end, events that never come, and somebody else on the line: what the host makes of it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import struct
import tty

import pytest

from drivers.device import own_command, table_command
from drivers.events import Mark
from firmware_specs import link
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.link import LAST_NUMBER
from firmware_specs.ports_io import SerialPort
from simulators.link import DeviceLink
from tests.drivers.linked import Joined, bell

TIOCGEXCL = 0x80045440


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


def test_somebody_else_on_the_line_is_noticed() -> None:
    joined = Joined().start()
    joined.device._on_bytes(encode_frame(link.Hello(0x51515151, 0, 0).encode()))
    joined.clock.run_for(3)
    assert "Something else speaks to the Bell at bell wire" in joined.ears.downs[0][0]
    assert joined.host.state == "up"
    joined.ring(1)
    joined.settle_down()
    assert joined.rings() == [1]


def test_a_late_answer_to_an_earlier_question_of_our_own_is_nobody_else() -> None:
    joined = Joined().start()
    answered = joined.host.identity
    assert answered is not None
    joined.device.power_cycle(keep_memory=True)
    joined.clock.run_for(3)
    downs = len(joined.ears.downs)
    joined.host._on_bytes(encode_frame(answered.encode()))
    assert len(joined.ears.downs) == downs
    assert joined.host.state == "up"


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


def test_a_command_under_the_highest_id_and_the_one_after_the_wrap_are_each_done_once() -> None:
    joined = Joined().start()
    answers: list[str] = []
    for command_id in (2**32 - 1, 0, 1):
        joined.host.command(command_id, bell.Ring(2), lambda status, result, text: answers.append(status), 5)
    joined.clock.run_for(2)
    assert answers == ["done"] * 3
    assert joined.bell.acted == [2**32 - 1, 0, 1]


def test_ids_of_the_table_and_of_a_driver_go_round_without_meeting() -> None:
    assert [table_command(number) for number in (1, 2**31 - 1, 2**31, 2**32 + 5)] == [1, 2**31 - 1, 0, 5]
    assert [own_command(number) for number in (0, 2**31 - 1, 2**31, 2**40 + 7)] == [2**31, 2**32 - 1, 2**31, 2**31 + 7]


# --- longer HELLO and IDENTITY ----------------------------------------------------------------


@pytest.mark.parametrize("more", [1, 4, 15, 17, 18, 32, 990])
@pytest.mark.parametrize("version", [1, 2])
def test_a_longer_hello_of_a_later_version_is_answered(more: int, version: int) -> None:
    joined = Joined()
    joined.device.start()
    heard: list[bytes] = []
    joined.wire.host.open(lambda octets: heard.extend(FrameDecoder().feed(octets)), lambda trouble: None)
    hello = link.Hello(77, 0, 0, version).encode() + b"\7" * more
    joined.wire.host.write(encode_frame(hello))
    joined.clock.run_for(1)
    answers = [link.Identity.decode(content) for content in heard if content[0] == link.IDENTITY]
    assert 77 in [identity.nonce for identity in answers]
    assert bool(joined.device._nonce) is (version == 1)


@pytest.mark.parametrize("more", [1, 18, 31, 33, 64])
def test_a_longer_identity_of_a_later_version_is_understood_as_far_as_it_is_known(more: int) -> None:
    identity = link.Identity(7, 3, 2, bytes(8), 5, 9, 77, 4, 9, "S-1", "2.0", link_version=2)
    read = link.Identity.decode(identity.encode() + b"\3" * more)
    assert (read.nonce, read.serial, read.next, read.link_version) == (7, "S-1", 9, 2)
    assert bool(read.proof) is (more >= 32)
    unproved = link.Identity.decode(identity.encode() + bytes(32) + b"\3" * more)
    assert (unproved.challenge, unproved.proof) == (b"", b"")


def test_a_hello_with_a_challenge_of_zeros_asks_for_no_proof() -> None:
    assert link.Hello.decode(link.Hello(7, 0, 0).encode() + bytes(16) + b"later").challenge == b""
    assert link.Hello.decode(link.Hello(7, 0, 0, challenge=b"c" * 16).encode() + b"later").challenge == b"c" * 16


# --- what keeps a session alive ---------------------------------------------------------------


def test_acks_that_are_dropped_do_not_keep_an_output_alive() -> None:
    joined = Joined().start()
    joined.host.desire(bell.Outputs(muted=False, lamp=bell.Lamp.GREEN))
    joined.clock.run_for(0.5)
    joined.wire.host.meddle = lambda octets: []
    beyond = encode_frame(link.encode_ack(joined.device.epoch, 500, 0))
    for _ in range(20):
        joined.device._on_bytes(beyond)
        joined.clock.run_for(0.5)
    assert joined.device.outputs == bell.SPEC.safe
    assert not joined.device.in_session


def test_a_command_and_a_set_made_when_a_session_begins_are_sent_once() -> None:
    joined = Joined()
    ears = joined.ears

    def link_up(identity: link.Identity, lost: bool) -> None:
        joined.host.command(5, bell.Ring(1), lambda status, result, text: None, 5)
        joined.host.desire(bell.Outputs(muted=False, lamp=bell.Lamp.GREEN))

    ears.link_up = link_up  # type: ignore[method-assign]
    sent: list[int] = []
    joined.wire.host.meddle = lambda octets: (
        sent.extend(content[0] for content in FrameDecoder().feed(octets)) or [(0.0, octets)]
    )
    joined.start()
    joined.clock.run_for(0.2)
    assert (sent.count(link.COMMAND), sent.count(link.SET)) == (1, 1)


# --- the line is ours alone -------------------------------------------------------------------


def test_no_other_program_can_open_a_line_that_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    monkeypatch.setattr("firmware_specs.ports_io.is_pseudo", lambda path: False)

    def held() -> int:
        return int(struct.unpack("i", fcntl.ioctl(slave, TIOCGEXCL, bytes(4)))[0])

    async def hold() -> tuple[int, int]:
        port = SerialPort(asyncio.get_running_loop(), os.ttyname(slave))
        port.open(lambda octets: None, lambda trouble: None)
        while_open = held()
        port.close()
        return while_open, held()

    assert asyncio.run(hold()) == (1, 0)
    os.close(master)
    os.close(slave)


# --- devices that are not what they should be -------------------------------------------------


def test_a_device_that_floods_is_held_back_told_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.flood.BURST", 400)
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


@pytest.mark.parametrize(
    ("at", "octets", "told"),
    [(25, bytes(4), "IDENTITY.epoch is 0"), (29, bytes(4), "IDENTITY.oldest is 0"), (37, b"\x7f", "IDENTITY.serial")],
)
def test_an_identity_that_makes_no_sense_is_named_for_what_it_is(at: int, octets: bytes, told: str) -> None:
    joined = Joined()

    def lie(frame: bytes) -> list[tuple[float, bytes]]:
        (content,) = FrameDecoder().feed(frame)
        return [(0.0, encode_frame(content[:at] + octets + content[at + len(octets) :]))]

    joined.wire.device.meddle = lie
    joined.device.start()
    joined.host.start()
    joined.clock.run_for(3)
    assert told in joined.ears.refusals[0][0]
    joined.wire.device.meddle = None
    joined.clock.run_for(10)
    assert joined.host.state == "up"


def test_a_line_of_another_speed_or_protocol_is_told_from_a_dead_one() -> None:
    joined = Joined()
    joined.wire.device.meddle = lambda octets: [(0.0, bytes(octet ^ 0x55 or 1 for octet in octets) + b"\0")]
    joined.device.start()
    joined.host.start()
    joined.clock.run_for(10)
    assert "Bytes come from bell wire, but no frame of the link" in joined.ears.downs[0][0]


def test_a_device_that_stops_inside_a_frame_is_told_so() -> None:
    joined = Joined().start()
    joined.wire.device.meddle = lambda octets: [(0.0, octets[:4])]
    joined.clock.run_for(20)
    assert "stopped in the middle of a frame" in joined.ears.downs[0][0]
