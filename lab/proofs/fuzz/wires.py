"""Hostile bytes on the wires: frames, messages, both ends of the link, the swipe reader and captures of a line."""

from __future__ import annotations

import random
import struct
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from drivers.capture import BadCapture, Heading, read_capture
from drivers.events import DeviceEvent, Mark
from drivers.swipe import REPORT, TRACK, BadReport, CardSwiped, SwipeReader, parse_report
from firmware_specs import link
from firmware_specs.clock import VirtualClock
from firmware_specs.frames import MAX_CONTENT, FrameDecoder, encode_frame
from firmware_specs.port import OnBytes, OnLost, PortTrouble
from firmware_specs.spec import BadMessage
from lab.captures.frames import frames, spec_of_run
from lab.proofs.fuzz.campaign import Nonsense
from lab.proofs.fuzz.mutate import Mutator
from lab.proofs.fuzz.samples import DEVICES, GROUPS, kinds, require_declared, right_message, spec_of

LONGEST_PARTIAL = 2 * MAX_CONTENT
SAMPLES = 1_000
"""Right messages that wrong ones are made of; a few are always new."""
MARKER = b"\x86after all this"


class Frames:
    """The frame decoder: however the bytes are cut, the same contents come out, and the next frame is found again."""

    name, what = "frames", "the frame decoder"
    refusals: tuple[type[Exception], ...] = ()

    def __init__(self, seed: int) -> None:
        self._mutator = Mutator(f"{seed} frames")

    def next(self) -> bytes:
        draw, change = self._mutator.draw, self._mutator.octets
        contents = [draw.randbytes(draw.choice((1, 3, 14, 60, 250, 255, 1024))) for _ in range(draw.randint(1, 4))]
        right = [encode_frame(content) for content in contents]
        return b"".join(right) if draw.random() < 0.1 else change(b"".join(right), right)

    def take(self, octets: bytes) -> int:
        stream = octets + b"\0" + encode_frame(MARKER)
        whole, pieces = FrameDecoder(), FrameDecoder()
        at_once = whole.feed(stream)
        cut: list[bytes] = []
        step = len(octets) % 7 + 1
        for at in range(0, len(stream), step):
            cut += pieces.feed(stream[at : at + step])
            if len(pieces._partial) > LONGEST_PARTIAL:
                raise Nonsense(f"{len(pieces._partial)} bytes are kept of a frame that can have no more than 1,034")
        if at_once != cut or (whole.good, whole.damaged, whole.overlong) != (
            pieces.good, pieces.damaged, pieces.overlong,
        ):  # fmt: skip
            raise Nonsense("the same bytes in other pieces give other frames")
        if not at_once or at_once[-1] != MARKER:
            raise Nonsense("the frame after the damage was not found")
        for content in at_once:
            if not 1 <= len(content) <= MAX_CONTENT:
                raise Nonsense(f"a content of {len(content)} bytes")
        return 1

    def close(self) -> None:
        """Nothing is held."""


class Messages:
    """Every message decoder of one device."""

    refusals: tuple[type[Exception], ...] = (BadMessage,)

    def __init__(self, seed: int, device: str) -> None:
        self.name, self.what = f"messages-{device}", f"every message decoder of the {device}"
        self._device = device
        self._mutator = Mutator(f"{seed} messages {device}")
        self._kinds = sorted(kinds(device))
        self._right: list[tuple[str, int, bytes]] = []

    def next(self) -> bytes:
        draw = self._mutator.draw
        if len(self._right) < SAMPLES or draw.random() < 0.05:
            group, number = draw.choice(self._kinds)
            self._right.append((group, number, right_message(draw, self._device, group, number).encode()))
            del self._right[: len(self._right) - SAMPLES]
        group, number, body = draw.choice(self._right)
        if draw.random() < 0.85:
            body = self._mutator.octets(body)
        return bytes((GROUPS.index(group), number)) + body

    def take(self, octets: bytes) -> int:
        known, fields = kinds(self._device)[GROUPS[octets[0]], octets[1]]
        message = known.decode(octets[2:])
        if message.encode() != octets[2:]:
            raise Nonsense(f"{known.__name__} is written back as other bytes than it was read from")
        require_declared(self._device, message, fields)
        if known.build(message.plain()) != message:
            raise Nonsense(f"{known.__name__} in plain words means something else")
        return 1

    def close(self) -> None:
        """Nothing is held."""


class LinkFrames:
    """The link's own frames: identity, acknowledgement, greeting, proof, pairing, reasons."""

    name, what = "link-frames", "the link's own frames"
    refusals: tuple[type[Exception], ...] = (BadMessage,)

    def __init__(self, seed: int) -> None:
        self._mutator = Mutator(f"{seed} link frames")

    def next(self) -> bytes:
        draw = self._mutator.draw
        word = draw.getrandbits
        right = draw.choice(
            (
                link.Hello(word(32) or 1, word(32), word(32), challenge=draw.choice((b"", bytes(16)))).encode(),
                link.encode_ack(word(32), 40, draw.randint(0, 40), bool(word(1))),
                identity(draw).encode(),
                link.encode_proof(word(32), draw.randbytes(16)),
                link.encode_pair(word(32), draw.randbytes(32)),
                bytes((link.RESULT,)) + link.encode_reason("because " * draw.randint(0, 25)),
            )
        )
        return right if draw.random() < 0.1 else right[:1] + self._mutator.octets(right[1:])

    def take(self, octets: bytes) -> int:
        again: bytes
        match octets[0]:
            case link.HELLO:
                again = link.Hello.decode(octets).encode()
            case link.ACK:
                epoch, received, durable, resend = link.decode_ack(octets)
                if durable > received:
                    raise Nonsense("more is durable than was received")
                again = link.encode_ack(epoch, received, durable, bool(resend))
            case link.IDENTITY:
                again = link.Identity.decode(octets).encode()
            case link.PROOF:
                again = link.encode_proof(*link.decode_proof(octets))
            case link.PAIR:
                again = link.encode_pair(*link.decode_pair(octets))
            case _:
                again = octets[:1] + link.encode_reason(link.decode_reason(octets[1:]))
        known = octets
        if octets[0] in (link.HELLO, link.IDENTITY):  # a later version may say more at their end
            known = octets[: len(again)]
        if again != known:
            raise Nonsense(f"{link.describe(octets)} is written back as {link.describe(again)}")
        return 1

    def close(self) -> None:
        """Nothing is held."""


def identity(draw: random.Random, device: str = "", nonce: int = 0, epoch: int = 0) -> link.Identity:
    """Who a device may say it is."""
    spec = spec_of(device or draw.choice(DEVICES))
    oldest = draw.choice((1, 1, 5, 100))
    return link.Identity(
        nonce, spec.code, spec.version, spec.digest, draw.choice((0, sum(spec.capabilities.values()))),
        draw.getrandbits(32), epoch or draw.randint(1, 3), oldest, oldest + draw.choice((0, 0, 3)),
        draw.choice(("A-1", "A-1", "B-2", "é")), "1.0.0",
    )  # fmt: skip


class Swipe:
    """The swipe report and the reader that takes it in pieces; a card's number must never come out."""

    name, what = "swipe", "the swipe report"
    refusals: tuple[type[Exception], ...] = (BadReport,)

    def __init__(self, seed: int) -> None:
        self._mutator = Mutator(f"{seed} swipe")

    def next(self) -> bytes:
        draw = self._mutator.draw
        number = "".join(draw.choices("0123456789", k=draw.choice((3, 4, 16, 19, 37, 38)))).encode()
        tracks = [b"%B" + number + b"^HOUSE^?", b";" + number + b"=99?", draw.choice((b"", b"+12345?"))]
        if draw.random() < 0.2:
            tracks[1] = b";" + number[::-1] + b"=1?"
        tracks = [track[:TRACK] for track in tracks]
        head = bytes((0, 0, 0, *map(len, tracks), draw.choice((0, 0, 3, 6))))
        report = (head + b"".join(track.ljust(TRACK, b"\0") for track in tracks)).ljust(REPORT, b"\0")
        if draw.random() < 0.2:
            return report
        changed = self._mutator.octets(report)
        # A report of the wrong length is refused at once; most shall come further.
        return changed.ljust(REPORT, b"\0")[:REPORT] if draw.random() < 0.8 else changed

    def take(self, octets: bytes) -> int:
        told: list[DeviceEvent] = []
        sink = _Told(told)
        clock, port = VirtualClock(), Pipe()
        reader = SwipeReader("swipe", clock, port, sink, key=bytes(range(16)))
        reader.start()
        for at in range(0, len(octets), 64):
            port.hear(octets[at : at + 64])
        clock.run_for(1.0)
        reader.stop()
        kept = msgspec.json.encode(told)
        for digits in _digits(octets):
            if digits in kept:
                raise Nonsense("digits of the stripe came out of the reader")
        swiped = sum(isinstance(event, CardSwiped) for event in told)
        stripe = parse_report(octets)
        if len(octets) == REPORT and swiped != (stripe.number() is not None):
            raise Nonsense("the reader took a card that the report does not hold, or held one back")
        if any(char.isdigit() for char in repr(stripe)):
            raise Nonsense("a stripe shows what is on it")
        return 1

    def close(self) -> None:
        """Nothing is held."""


def _digits(octets: bytes) -> list[bytes]:
    """Runs of digits long enough that chance does not repeat them."""
    runs, run = [], b""
    for octet in octets + b"\0":
        if 48 <= octet <= 57:
            run += bytes((octet,))
        else:
            runs += [run] if len(run) >= 12 else []
            run = b""
    return runs


class Pipe:
    """A port whose far end is the hand that feeds it."""

    name = "fuzz"

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self._on_bytes: OnBytes | None = None
        self._on_lost: OnLost | None = None

    def open(self, on_bytes: OnBytes, on_lost: OnLost) -> None:
        self._on_bytes, self._on_lost = on_bytes, on_lost

    def write(self, octets: bytes) -> None:
        self.sent.append(octets)

    def close(self) -> None:
        self._on_bytes = self._on_lost = None

    def hear(self, octets: bytes) -> None:
        if self._on_bytes is not None:
            self._on_bytes(octets)

    def lose(self) -> None:
        on_lost = self._on_lost
        self.close()
        if on_lost is not None:
            on_lost(PortTrouble("pulled out", "Plug it in again."))


class _Told:
    """Takes what a driver tells."""

    def __init__(self, told: list[DeviceEvent]) -> None:
        self._told = told

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        self._told.append(event)
        if durable is not None:
            durable()

    def glimpse(self, device: str, live: msgspec.Struct) -> None:
        """Screens are elsewhere."""


class Captures:
    """Recorded lines, torn, edited and made up."""

    name, what = "capture", "the reader of captured lines"
    refusals: tuple[type[Exception], ...] = (BadCapture,)

    def __init__(self, seed: int) -> None:
        self._mutator = Mutator(f"{seed} capture")
        self._folder = tempfile.TemporaryDirectory(prefix="tablectl-fuzz-")
        self._path = Path(self._folder.name) / "line.capture"

    def next(self) -> bytes:
        draw = self._mutator.draw
        device = draw.choice(DEVICES)
        lines: list[Any] = [Heading(1, device, draw.choice(("", device)), 1_767_225_600_000, 0.0)]
        for number in range(draw.randint(0, 8)):
            content = wire_content(draw, device, number)
            if draw.random() < 0.5:
                content = content[:1] + self._mutator.octets(content[1:])[: MAX_CONTENT - 1]
            frame = encode_frame(content)
            way = "out" if content[0] < 0x80 else "in"
            lines.append((number * 0.25, way, frame.hex()))
        text = b"\n".join(msgspec.json.encode(one) for one in lines) + b"\n"
        return text if draw.random() < 0.4 else self._mutator.octets(text)

    def take(self, octets: bytes) -> int:
        self._path.write_bytes(octets)
        for run in read_capture(self._path):
            list(run.lines())
            seen = list(frames(run, None))
            if len(seen) > 2 * len(octets):
                raise Nonsense("more frames than bytes")
            for frame in frames(run, spec_of_run(run)):
                str(frame)
        return 1

    def close(self) -> None:
        self._folder.cleanup()


def wire_content(draw: random.Random, device: str, number: int) -> bytes:
    """Some frame that could pass on this device's line."""
    known = sorted(kinds(device))
    group, message = draw.choice(known)
    body = right_message(draw, device, group, message).encode()
    match group:
        case "events":
            return link.pack_event(link.EVENT, number, message) + body
        case "live":
            return link.HEAD_LIVE.pack(link.LIVE, message) + body
        case "commands":
            return link.pack_event(link.COMMAND, number, message) + body
        case "results":
            return link.pack_event(link.RESULT, number, draw.choice((0, 0, 1, 2))) + body
        case _ if draw.random() < 0.5:
            return link.HEAD_SET.pack(link.SET, number) + body
    return draw.choice(
        (
            identity(draw, device, draw.getrandbits(32)).encode(),
            struct.pack("<BH", link.APPLIED, number),
            link.BEAT_CONTENT,
            link.encode_ack(1, number, 0),
        )
    )
