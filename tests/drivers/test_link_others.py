"""Somebody else on the line, later versions of the link, and other programs at the port."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import struct
import tty

import pytest

from firmware_specs import link
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.ports_io import SerialPort
from tests.drivers.linked import Joined

TIOCGEXCL = 0x80045440


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


HALF_A_FRAME = b"\x20half of a frame"


def test_a_frame_cut_by_a_reset_does_not_swallow_the_announcement_that_follows_it() -> None:
    joined = Joined().start()
    joined.wire.device.write(HALF_A_FRAME)
    joined.clock.run_for(0.05)
    joined.device.power_cycle(keep_memory=True)
    joined.clock.run_for(0.5)  # less than a beat: nothing but the announcement can have told it
    assert joined.ears.downs[-1][0] == "The Bell restarted."
    assert len(joined.ears.ups) == 2


def test_a_frame_cut_by_a_dead_host_does_not_swallow_the_hello_that_follows_it() -> None:
    joined = Joined()
    joined.device.start()
    joined.clock.run_for(0.1)
    joined.wire.host.open(lambda octets: None, lambda trouble: None)
    joined.wire.host.write(HALF_A_FRAME)
    joined.clock.run_for(0.05)
    joined.wire.host.close()
    joined.host.start()
    joined.clock.run_until(lambda: joined.host.state == "up", 0.1)  # the first HELLO, not the one repeated after 0.25 s
