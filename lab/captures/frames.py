"""The frames of a capture, each understood as far as the device's declaration goes."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from drivers.capture import BadCapture, Run, read_capture
from drivers.discover import known_specs
from firmware_specs import link
from firmware_specs.frames import FrameDecoder
from firmware_specs.spec import BadMessage, DeviceSpec, Message


class CapturedFrame(msgspec.Struct, frozen=True):
    """One frame that passed, or what was damaged: its time, its way and what it says."""

    time: float
    way: str
    name: str
    content: bytes
    number: int = 0  # of an event, a command or a SET
    message: Message | None = None
    wrong: str = ""

    def line(self) -> str:
        says: Any = self.wrong or (self.message.plain() if self.message is not None else "")
        kind = type(self.message).__name__ if self.message is not None else ""
        number = str(self.number) if self.number else ""
        parts = (f"{self.time:12.6f} {self.way:3} {self.name:8}", number, kind, _short(says))
        return " ".join(part for part in parts if part)


def _short(says: Any) -> str:
    if isinstance(says, dict):
        return " ".join(f"{name}={_few(value)}" for name, value in says.items())
    return str(says)


def _few(value: Any) -> str:
    if isinstance(value, list) and len(value) > 6:
        return f"[{', '.join(str(each) for each in value[:5])}, … {len(value)}]"
    return str(value)


def the_run(path: Path, number: int | None) -> Run:
    """One start of the program in a capture: the last one unless another is asked for, counted from 1."""
    runs = read_capture(path)
    if number is None:
        return runs[-1]
    if not 1 <= number <= len(runs):
        raise BadCapture(f"{path} holds {len(runs)} runs; there is no run {number}")
    return runs[number - 1]


def spec_of_run(run: Run, kind: str = "") -> DeviceSpec:
    """The spec of the device that was captured, by the capture's heading or by its IDENTITY."""
    wanted = kind or run.heading.kind
    specs = known_specs()
    for spec in specs.values():
        if spec.kind == wanted:
            return spec
    for frame in frames(run, None):
        if frame.name == "IDENTITY" and frame.content[6:7] and frame.content[6] in specs:
            return specs[frame.content[6]]
    known = ", ".join(sorted(spec.kind for spec in specs.values()))
    raise BadCapture(f"the capture does not say which device it is of; give --device, one of {known}")


def frames(run: Run, spec: DeviceSpec | None) -> Iterator[CapturedFrame]:
    """Every frame of a run in the order they became whole, damaged ones included."""
    decoders = {"in": FrameDecoder(), "out": FrameDecoder()}
    for piece in run.pieces:
        decoder = decoders[piece.direction]
        damaged = decoder.damaged + decoder.overlong
        for content in decoder.feed(piece.octets):
            yield _understood(piece.time, piece.direction, content, spec)
        if decoder.damaged + decoder.overlong > damaged:
            yield CapturedFrame(piece.time, piece.direction, "DAMAGED", b"", wrong=piece.hexadecimal)


def _understood(time: float, way: str, content: bytes, spec: DeviceSpec | None) -> CapturedFrame:
    name = link.KIND_NAMES.get(content[0], f"kind {content[0]:02x}")
    number, message = 0, None
    try:
        match content[0]:
            case link.EVENT | link.COMMAND:
                if len(content) < link.HEAD_EVENT.size:
                    raise BadMessage(name, "length", len(content), "at least 6 bytes")
                _, number, message_id = link.unpack_event(content)
                if spec is not None:
                    kinds = spec.events if content[0] == link.EVENT else spec.commands
                    if message_id not in kinds:
                        raise BadMessage(name, "message id", message_id, "a declared one")
                    message = kinds[message_id].decode(content[6:])
            case link.RESULT:
                _, number, status = link.unpack_event(content)
                return CapturedFrame(time, way, name, content, number, None, link.Status(status).name.lower())
            case link.LIVE if spec is not None and content[1:2] and content[1] in spec.live:
                message = spec.live[content[1]].decode(content[2:])
            case link.SET:
                number = link.HEAD_SET.unpack_from(content)[1]
                message = spec.outputs.decode(content[3:]) if spec is not None else None
            case link.APPLIED:
                number = link.HEAD_SET.unpack(content)[1]
            case link.IDENTITY:
                who = link.Identity.decode(content)
                says = f"serial={who.serial} firmware={who.firmware} epoch={who.epoch:08x} {who.oldest}..{who.next}"
                return CapturedFrame(time, way, name, content, who.nonce, None, says)
            case link.ACK:
                epoch, received, durable, resend = link.decode_ack(content)
                says = f"received={received} durable={durable}{' resend' if resend else ''} epoch={epoch:08x}"
                return CapturedFrame(time, way, name, content, 0, None, says)
            case link.HELLO:
                hello = link.Hello.decode(content)
                return CapturedFrame(time, way, name, content, hello.nonce, None, f"epoch={hello.epoch:08x}")
    except (BadMessage, ValueError, struct.error) as bad:  # too short for its kind, among others
        return CapturedFrame(time, way, name, content, number, None, f"DOES NOT FIT: {bad}")
    return CapturedFrame(time, way, name, content, number, message)
