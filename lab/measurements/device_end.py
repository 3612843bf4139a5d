"""The least a wheel sensor can be, in a process of its own: it speaks the link on a pty and times the answers.

Run as a child with orders on its input, one a line: `turns N` for bare turns on a pty without a protocol, `events N`
for numbered events through the link; the times come back on its output as a JSON list of seconds.
"""

from __future__ import annotations

import json
import os
import select
import sys
import tty

from firmware_specs import link
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.messages.wheel import SPEC, Moved
from lab.measurements.measure import stopwatch

SERIAL = "BENCH-1"
EPOCH = 1
PATIENCE_S = 20.0
REST_S = 0.001
"""Between two exchanges, so that each finds the host idle as an event at a table does."""


class Line:
    """The device's end of a pseudo-terminal."""

    def __init__(self) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        self._slave = slave  # kept open, so that the host may come and go

    def write(self, octets: bytes) -> None:
        os.write(self.master, octets)

    def read(self, seconds: float) -> bytes:
        """What has come; nothing when the time is over."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        return os.read(self.master, 4096) if ready else b""


class Sensor:
    """Answers HELLO, numbers its events, applies outputs."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.number = 0
        self.durable = 0
        self.accepted = False
        self.set_revision = -1
        self._decoder = FrameDecoder()

    def hear(self, seconds: float) -> bool:
        """Take in what comes within this time; False when nothing came."""
        octets = self.line.read(seconds)
        for content in self._decoder.feed(octets):
            match content[0]:
                case link.HELLO:
                    self._identify(link.Hello.decode(content).nonce)
                case link.ACK:
                    self.accepted = True
                    self.durable = link.decode_ack(content)[2]
                case link.SET:
                    self.set_revision = link.HEAD_SET.unpack_from(content)[1]
        return bool(octets)

    def _identify(self, nonce: int) -> None:
        identity = link.Identity(
            nonce=nonce, code=SPEC.code, spec_version=SPEC.version, digest=SPEC.digest,
            capabilities=sum(SPEC.capabilities.values()), boot=1, epoch=EPOCH, oldest=self.durable + 1,
            next=self.number + 1, serial=SERIAL, firmware="1.0.0",
        )  # fmt: skip
        self.line.write(encode_frame(identity.encode()))

    def applied(self) -> None:
        self.line.write(encode_frame(link.HEAD_SET.pack(link.APPLIED, self.set_revision)))

    def exchange(self) -> tuple[float, float]:
        """Send one event; seconds until it is acknowledged as durable, and until the command after it is here."""
        self.number += 1
        body = Moved(self.number % 8000, (self.number + 40) % 8000, 150).encode()
        frame = encode_frame(link.pack_event(link.EVENT, self.number, Moved.ID) + body)
        revision = self.set_revision
        acknowledged = 0.0
        begin = stopwatch()
        self.line.write(frame)
        while self.set_revision == revision or self.durable < self.number:
            if not self.hear(PATIENCE_S):
                raise TimeoutError(f"event {self.number} was not answered")
            if not acknowledged and self.durable >= self.number:
                acknowledged = stopwatch() - begin
        commanded = stopwatch() - begin
        self.applied()
        while self.hear(REST_S):
            pass
        return acknowledged, commanded


def turns(line: Line, count: int, size: int = 20) -> list[float]:
    """Bare turns: this many bytes there, the same back."""
    times = []
    octets = bytes(size)
    for _ in range(count):
        begin = stopwatch()
        line.write(octets)
        back = 0
        while back < size:
            got = line.read(PATIENCE_S)
            if not got:
                raise TimeoutError("the pty brought nothing back")
            back += len(got)
        times.append(stopwatch() - begin)
        line.read(REST_S)
    return times


def main() -> None:
    bare, linked = Line(), Line()
    sensor = Sensor(linked)
    print(json.dumps([bare.path, linked.path]), flush=True)
    waiting = [sys.stdin.fileno(), linked.master]
    while True:
        # The parent ends this process by closing its input.
        ready, _, _ = select.select(waiting, [], [], PATIENCE_S)
        if linked.master in ready:
            sensor.hear(0)
        if sys.stdin.fileno() in ready:
            order = sys.stdin.readline().split()
            if not order:
                return
            what, count = order[0], int(order[1])
            answer = turns(bare, count) if what == "turns" else [sensor.exchange() for _ in range(count)]
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
