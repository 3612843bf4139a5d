"""How well a line carries frames: ask the device who it is many times, and count and time the answers."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

import msgspec

from firmware_specs import link
from firmware_specs.clock import Clock, Timer
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.port import Port, PortTrouble
from firmware_specs.spec import BadMessage

ASK_EVERY_S = 0.05
LAST_ANSWER_S = 1.0


class Quality(msgspec.Struct, frozen=True):
    """What became of the questions; `turn_ms` is the median time to an answer."""

    asked: int
    answered: int
    damaged: int
    turn_ms: float
    trouble: str = ""
    remedy: str = ""


class Measure:
    """Asks a device at a port `count` times; `done` hears the outcome in time, whatever happens."""

    def __init__(self, clock: Clock, port: Port, count: int, done: Callable[[Quality], None]) -> None:
        self._clock = clock
        self._port = port
        self._count = count
        self._done = done
        self._decoder = FrameDecoder()
        self._sent: dict[int, float] = {}
        self._turns: list[float] = []
        self._nonce = clock.wall() & 0x3FFF_FFFF
        self._asked = 0
        self._over = False
        self._timer: Timer | None = None

    def start(self) -> None:
        try:
            self._port.open(self._on_bytes, self._on_lost)
        except PortTrouble as trouble:
            self._on_lost(trouble)
            return
        self._ask()

    def _ask(self) -> None:
        if self._asked == self._count:
            self._timer = self._clock.call_later(LAST_ANSWER_S, self._end)
            return
        self._asked += 1
        self._nonce += 1
        self._sent[self._nonce] = self._clock.now()
        self._port.write(link.AFRESH + encode_frame(link.Hello(self._nonce, 0, 0).encode()))
        self._timer = self._clock.call_later(ASK_EVERY_S, self._ask)

    def _on_bytes(self, octets: bytes) -> None:
        for content in self._decoder.feed(octets):
            if content[0] != link.IDENTITY:
                continue
            try:
                nonce = link.Identity.decode(content).nonce
            except BadMessage:
                continue
            sent = self._sent.pop(nonce, None)
            if sent is not None:
                self._turns.append(self._clock.now() - sent)
        if self._asked == self._count and not self._sent:
            self._end()

    def _on_lost(self, trouble: PortTrouble) -> None:
        self._end(trouble.text, trouble.remedy)

    def _end(self, trouble: str = "", remedy: str = "") -> None:
        if self._over:
            return
        self._over = True
        if self._timer is not None:
            self._timer.cancel()
        self._port.close()
        damaged = self._decoder.damaged + self._decoder.overlong
        turn = median(self._turns) * 1000 if self._turns else 0.0
        self._done(Quality(self._asked, len(self._turns), damaged, round(turn, 2), trouble, remedy))
