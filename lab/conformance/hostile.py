"""Steps: damaged, cut, foreign and hostile bytes are dropped, and the next good frame is understood."""

from __future__ import annotations

import random
from zlib import crc32

from firmware_specs import link
from firmware_specs.frames import MAX_CONTENT, encode_frame
from firmware_specs.link import Identity
from lab.conformance.commands import unknown_id
from lab.conformance.outputs import look, safe_session
from lab.conformance.probe import Failed
from lab.conformance.suite import Steps, Trial

STEPS = Steps("hostile", "Frames")
step = STEPS.step


def still_there(t: Trial, before: Identity, what: str) -> None:
    """The next good HELLO is answered by the same life of the device, which has not restarted meanwhile."""
    since = t.probe.mark()
    t.probe.raw(b"\0")  # whatever was half said is over
    nonce = t.probe.say_hello()
    t.probe.expect_answer(f"answer a good HELLO after {what}", since, nonce)
    after = t.probe.known
    if (after.boot, after.epoch) != (before.boot, before.epoch):
        raise Failed(f"the device restarted or lost its memory because of {what}")


def unanswered(t: Trial, octets: bytes, what: str, *kinds: int) -> None:
    """Bytes that must not be acted on."""
    since = t.probe.mark()
    t.probe.raw(octets)
    t.probe.rest(0.1)
    for passed in t.probe.heard(since, *kinds):
        announces = passed.content[0] == link.IDENTITY and link.Identity.decode(passed.content).nonce == 0
        if not announces and passed.content[0] not in (link.BEAT, link.LIVE):
            raise Failed(f"{what} was answered: {passed.line().strip()}")


@step("F2", "F6")
def flipped_bits_are_dropped(t: Trial) -> None:
    """A frame with any one byte spoilt is dropped, by its check sum or its stuffing."""
    before = t.probe.hello()
    frame = encode_frame(link.Hello(0x31323334, 0x41424344, 0x51525354).encode())
    for place in range(len(frame) - 1):
        for spoilt in (frame[place] ^ 0x10, frame[place] ^ 0x01):
            if spoilt:
                wrong = frame[:place] + bytes((spoilt,)) + frame[place + 1 :]
                unanswered(t, wrong, f"a HELLO with byte {place} spoilt", link.IDENTITY)
    still_there(t, before, "spoilt frames")


@step("F2")
def wrong_check_sums_are_dropped(t: Trial) -> None:
    """COMMAND and SET with a wrong check sum are not acted on."""
    safe_session(t)
    before = t.probe.known
    unsafe = t.unsafe_outputs()
    command = link.pack_event(link.COMMAND, t.next_id(), unknown_id(t))
    for name, content in (("COMMAND", command), ("SET", link.HEAD_SET.pack(link.SET, 7) + t.outputs_body())):
        right = encode_frame(content)
        other = encode_frame(content[:-1] + bytes((content[-1] ^ 0xFF,)))
        swapped = other[: len(other) - 5] + right[len(right) - 5 :]
        if swapped != right:
            unanswered(t, swapped, f"a {name} with the check sum of another", link.RESULT, link.APPLIED)
        unanswered(t, _with_sum(content, 0), f"a {name} with check sum 0", link.RESULT, link.APPLIED)
        unanswered(t, _with_sum(content, 0xFFFFFFFF), f"a {name} with check sum FFFFFFFF", link.RESULT, link.APPLIED)
    if unsafe:
        look(t, t.spec.safe.encode(), "only SETs with a wrong check sum came")
    still_there(t, before, "wrong check sums")


def _with_sum(content: bytes, check: int) -> bytes:
    from cobs import cobs

    stuffed: bytes = cobs.encode(content + check.to_bytes(4, "little"))
    return stuffed + b"\0"


@step("F3", "F5")
def overlong_frames_are_dropped(t: Trial) -> None:
    """Bytes without end, and frames longer than any may be, do no harm."""
    before = t.probe.hello()
    t.probe.raw(b"\x11" * (4 * MAX_CONTENT))
    t.probe.rest(0.5 + t.line_s(4 * MAX_CONTENT))
    still_there(t, before, "bytes without end")
    unanswered(
        t, encode_frame(bytes((link.COMMAND,)) + b"\x01" * (MAX_CONTENT - 1)), "the longest frame", link.IDENTITY
    )
    t.probe.rest(0.2 + t.line_s(MAX_CONTENT))
    still_there(t, before, "the longest frame there can be")
    hello = link.Hello(0x31313131, 0, 0).encode()
    too_long = hello + b"\x5a" * (MAX_CONTENT + 1 - len(hello))
    unanswered(t, _with_sum(too_long, crc32(too_long)), f"a HELLO of {len(too_long)} bytes", link.IDENTITY)
    t.probe.rest(0.2 + t.line_s(MAX_CONTENT))
    if t.probe.answer(0, {0x31313131}) is not None:
        raise Failed(f"a HELLO of {len(too_long)} bytes was answered, and {MAX_CONTENT} may be")
    still_there(t, before, "a frame one byte longer than any")


@step("F6")
def unknown_kinds_are_dropped(t: Trial) -> None:
    """Frames of kinds that are not the host's, an echo of its own among them, are dropped."""
    before = t.probe.drain()
    for kind in (0x00, 0x05, 0x7F, 0x80, 0x87, 0xFF, *range(link.IDENTITY, link.BEAT + 1)):
        for body in (b"", b"\0\0\0\0\0\1\2\3"):
            unanswered(t, encode_frame(bytes((kind,)) + body), f"a frame of kind {kind:02x}")
    still_there(t, before, "unknown kinds")


@step("F4", "F5")
def cut_frames_are_dropped(t: Trial) -> None:
    """A frame that breaks off is dropped, and the next one is understood."""
    before = t.probe.hello()
    frame = encode_frame(link.Hello(0x0A0B0C0D, 0, 0).encode())
    for cut in range(1, len(frame) - 1):
        unanswered(t, frame[:cut] + b"\0", f"a HELLO cut after {cut} bytes", link.IDENTITY)
    still_there(t, before, "cut frames")


@step("F7", "F5")
def pieces_are_joined(t: Trial) -> None:
    """A frame that comes byte by byte, and two in one go, are understood; zeros between mean nothing."""
    probe = t.probe
    for nonce, pace in ((0x1001, 0.001), (0x1002, 0.02)):
        frame = encode_frame(link.Hello(nonce, 0, 0).encode())
        since = probe.mark()
        for octet in frame:
            probe.raw(bytes((octet,)))
            probe.rest(pace)
        probe.expect_answer("join a frame that came byte by byte", since, nonce)
    since = probe.mark()
    two = [encode_frame(link.Hello(nonce, 0, 0).encode()) for nonce in (0x1003, 0x1004)]
    probe.raw(bytes(50) + two[0] + bytes(9) + two[1])
    probe.expect_answer("take two frames in one go", since, 0x1004)
    if probe.answer(since, {0x1003}) is None:
        raise Failed("of two frames in one go only the second was answered")


@step("F6", "K3")
def noise_does_nothing(t: Trial) -> None:
    """Random bytes, and random contents in sound frames, change nothing and are survived."""
    safe_session(t)
    before = t.probe.known
    chance = random.Random(20)
    for _ in range(8):
        t.probe.raw(chance.randbytes(500))
        t.probe.rest(0.1 + t.line_s(500))
    still_there(t, before, "random bytes")
    safe_session(t)
    for kind in (link.HELLO, link.ACK, link.SET, link.COMMAND, 0x42):
        for length in (0, 1, 2, 3, 7, 12, 14, 40):
            if (kind, length) not in ((link.HELLO, 13), (link.ACK, 13)):
                t.probe.raw(encode_frame(bytes((kind,)) + chance.randbytes(length)))
                t.probe.rest(0.02)
    t.probe.rest(0.2)
    still_there(t, before, "sound frames with random contents")
