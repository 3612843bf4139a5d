"""What went over a device's line, written down as it passed, and played again as if the device were there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from firmware_specs import link
from firmware_specs.clock import Clock, Timer
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.port import OnBytes, OnLost, PortTrouble
from firmware_specs.spec import BadMessage

VERSION = 1
IN, OUT = "in", "out"
# What passes is worth little piece by piece: it reaches the file within a second, not each with its own write.
FLUSH_BYTES = 32_768
FLUSH_AFTER_S = 1.0
# A full file becomes PATH.1, so that a forgotten capture cannot fill the card.
LIMIT_BYTES = 64 * 1024 * 1024


class BadCapture(ValueError):
    """A file is not a capture, or not one this program can read."""


class Captured(msgspec.Struct, frozen=True, array_like=True):
    """Bytes that passed at once, when and which way, damaged ones included."""

    time: float
    direction: str
    hexadecimal: str

    @property
    def octets(self) -> bytes:
        return bytes.fromhex(self.hexadecimal)


class Heading(msgspec.Struct, frozen=True):
    """The first line of every capture: which device, and what the clock said."""

    capture: int
    device: str
    kind: str
    wall: int
    now: float


class Recorder:
    """Appends every frame of one device to its file; a link calls `frame` for each, both ways."""

    def __init__(
        self, path: Path | str, clock: Clock, *, device: str, kind: str = "", limit: int = LIMIT_BYTES
    ) -> None:
        self._path = Path(path)
        self._clock = clock
        self._device = device
        self._kind = kind
        self._limit = limit
        self._buffer = bytearray()
        self._timer: Timer | None = None
        self._encode = msgspec.json.Encoder().encode
        self._file: BinaryIO | None = None
        self._open()

    def record(self, direction: str, octets: bytes) -> None:
        """Note bytes that came "in" from the device or went "out" to it."""
        if self._file is None:
            return
        self._buffer += self._encode((round(self._clock.now(), 6), direction, octets.hex())) + b"\n"
        if len(self._buffer) >= FLUSH_BYTES:
            self.flush()
        elif self._timer is None:
            self._timer = self._clock.call_later(FLUSH_AFTER_S, self.flush)

    def flush(self) -> None:
        """Write what waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._file is None or not self._buffer:
            return
        self._file.write(self._buffer)
        self._file.flush()
        self._buffer.clear()
        if self._file.tell() >= self._limit:
            self._file.close()
            os.replace(self._path, f"{self._path}.1")
            self._open()

    def close(self) -> None:
        self.flush()
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open(self._path, "ab", buffering=0)  # noqa: SIM115 (kept open as long as the recorder lives)
            if self._file.tell() and not _ends_a_line(self._path):
                # The power went in the middle of the last line; it must not swallow the next.
                self._file.write(b"\n")
        except OSError as failure:
            raise PortTrouble(
                f"the capture {self._path} cannot be written: {failure.strerror or failure}",
                "Give a folder that this user may write to, with room on it.",
            ) from failure
        heading = Heading(VERSION, self._device, self._kind, self._clock.wall(), round(self._clock.now(), 6))
        self._file.write(self._encode(heading) + b"\n")


def _ends_a_line(path: Path) -> bool:
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


class Run(msgspec.Struct, frozen=True):
    """One heading and what passed under it: what one start of the program recorded."""

    heading: Heading
    pieces: list[Captured]

    def lines(self) -> Iterator[str]:
        """Every frame as a line for a person, in the order they became whole."""
        decoders = {IN: FrameDecoder(), OUT: FrameDecoder()}
        for piece in self.pieces:
            decoder = decoders[piece.direction]
            damaged = decoder.damaged + decoder.overlong
            for content in decoder.feed(piece.octets):
                yield f"{piece.time:12.6f} {piece.direction:3} {link.describe(content)}"
            if decoder.damaged + decoder.overlong > damaged:
                yield f"{piece.time:12.6f} {piece.direction:3} DAMAGED {piece.hexadecimal}"


def read_capture(path: Path | str) -> list[Run]:
    """Every run in a capture; a torn line, as a power cut leaves it, is passed over."""
    runs: list[Run] = []
    heading = msgspec.json.Decoder(Heading)
    piece = msgspec.json.Decoder(Captured)
    for line in _lines(path):
        try:
            if line.startswith(b"{"):
                head = heading.decode(line)
                if head.capture == VERSION:
                    runs.append(Run(head, []))
                    continue
            elif runs:
                captured = piece.decode(line)
                if captured.direction in (IN, OUT) and captured.octets:
                    runs[-1].pieces.append(captured)
                continue
        except (msgspec.DecodeError, ValueError):
            if runs:
                continue
        raise BadCapture(f"{path} does not begin like a capture of version {VERSION}")
    if not runs:
        raise BadCapture(f"{path} is empty")
    return runs


def _lines(path: Path | str) -> Iterator[bytes]:
    try:
        with open(path, "rb") as file:
            for line in file:
                if line.strip():
                    yield line.strip()
    except OSError as failure:
        raise BadCapture(f"{path} cannot be read: {failure.strerror or failure}") from failure


class ReplayPort:
    """A run of a capture as a port: what the device sent comes again at the times it came, damage included.

    The play begins with the first HELLO and takes no notice of what else the host says, except that an answer to
    HELLO carries the number of the HELLO that waits for it. When the run is over the port is lost.
    """

    def __init__(self, clock: Clock, run: Run, *, then_lost: bool = True) -> None:
        self._clock = clock
        self._name = f"capture of {run.heading.device}"
        self._pieces = list(_playable(run))
        self._then_lost = then_lost
        self._on_bytes: OnBytes | None = None
        self._on_lost: OnLost | None = None
        self._decoder = FrameDecoder()
        self._next = 0
        self._offset = 0.0
        self._nonce = 0
        self._timer: Timer | None = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def finished(self) -> bool:
        return self._next >= len(self._pieces)

    def open(self, on_bytes: OnBytes, on_lost: OnLost) -> None:
        """Listen; a port opened again goes on where it was left."""
        if self.finished:
            raise self._is_over()
        self._on_bytes, self._on_lost = on_bytes, on_lost
        self._decoder.reset()

    def write(self, octets: bytes) -> None:
        if self._on_bytes is None:
            return
        for content in self._decoder.feed(octets):
            if content[0] == link.HELLO:
                self._nonce = link.Hello.decode(content).nonce
                if self._timer is None and not self.finished:
                    self._offset = self._clock.now() - self._pieces[self._next].time
                    self._timer = self._clock.call_later(0.0, self._play)

    def close(self) -> None:
        self._on_bytes = self._on_lost = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _play(self) -> None:
        piece = self._pieces[self._next]
        self._next += 1
        if not self.finished:
            self._timer = self._clock.call_at(self._offset + self._pieces[self._next].time, self._play)
        elif self._then_lost:
            self._timer = self._clock.call_later(0.0, self._over)
        if self._on_bytes is not None:
            octets = piece.octets
            if piece.answer is not None:
                octets = encode_frame(msgspec.structs.replace(piece.answer, nonce=self._nonce).encode())
            self._on_bytes(octets)

    def _over(self) -> None:
        on_lost = self._on_lost
        self.close()
        if on_lost is not None:
            on_lost(self._is_over())

    def _is_over(self) -> PortTrouble:
        return PortTrouble(f"the {self.name} is over", "Stop here, or play it again from its beginning.")


class _Piece(msgspec.Struct):
    """Bytes up to a zero, and the identity in them when they answer a HELLO."""

    time: float
    octets: bytes
    answer: link.Identity | None = None


def _playable(run: Run) -> Iterator[_Piece]:
    """What the device sent, cut at the ends of frames."""
    answer: _Piece | None = None
    waiting: list[_Piece] = []
    rest = b""
    time = 0.0
    for captured in run.pieces:
        if captured.direction != IN:
            continue
        time = captured.time
        *whole, rest = (rest + captured.octets).split(b"\0")
        for frame in whole:
            piece = _Piece(time, frame + b"\0")
            for content in FrameDecoder().feed(piece.octets):
                if content[0] == link.IDENTITY:
                    piece.answer = _answer(content)
                elif content[0] == link.EVENT and answer is not None and answer.answer is not None:
                    # The host of that day may have had older events already; this one starts where the events do.
                    answer.answer = _starting_at(answer.answer, link.unpack_event(content)[1])
                    answer = None
            if piece.answer is not None:
                yield from waiting
                waiting, answer = [], piece
            waiting.append(piece)
            if answer is None:
                yield from waiting
                waiting = []
    yield from waiting
    if rest:
        yield _Piece(time, rest)


def _answer(content: bytes) -> link.Identity | None:
    try:
        identity = link.Identity.decode(content)
    except BadMessage:
        return None
    return identity if identity.nonce else None


def _starting_at(identity: link.Identity, number: int) -> link.Identity:
    return msgspec.structs.replace(identity, oldest=number, next=max(identity.next, number))
