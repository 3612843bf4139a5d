"""Who is told what happens on a link, and who keeps its traffic."""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Protocol

import structlog

from firmware_specs import link
from firmware_specs.clock import Clock
from firmware_specs.frames import FrameDecoder
from firmware_specs.link import Identity
from firmware_specs.port import Port
from firmware_specs.spec import Message

if TYPE_CHECKING:
    from firmware_specs.sealing import Seal

DUMP_EVERY_S = 10.0  # a bad line is counted frame by frame but dumped no more often than this

_log = structlog.get_logger("link")


class LinkListener(Protocol):
    """Who is told what happens on a link."""

    def link_up(self, identity: Identity, lost: bool) -> None: ...

    def link_down(self, cause: str, remedy: str) -> None: ...

    def link_refused(self, reason: str, remedy: str) -> None: ...

    def event(self, number: int, message: Message) -> None: ...

    def bad_event(self, number: int, text: str) -> None:
        """A numbered event that does not fit the spec was skipped; it must be settled like any other."""

    def flooding(self, on: bool) -> None:
        """The device tells more than any table makes, and is held back; or it has stopped doing so."""

    def live(self, message: Message) -> None: ...

    def applied(self, outputs: Message) -> None: ...


class Recorder(Protocol):
    """Keeps the raw traffic of a line."""

    def record(self, direction: str, octets: bytes) -> None:
        """Bytes that went "in" or "out"."""


class Traffic:
    """The last frames of a line, logged with whatever went wrong on it."""

    def __init__(self, name: str, port: Port, clock: Clock, counters: Counter[str]) -> None:
        self.recent: deque[tuple[float, str, bytes]] = deque(maxlen=2 * 32)
        self.secret = False  # what passes here must not be seen in a log
        self._name = name
        self._port = port
        self._clock = clock
        self._counters = counters
        self._dumped = float("-inf")

    def opened(self, seal: Seal, contents: list[bytes]) -> list[bytes]:
        """What the device itself said in a sealed session; anything else was put there by somebody."""
        opened = []
        for content in contents:
            inner = seal.hear(content)
            if inner is None:
                self._counters["unsealed"] += 1
                self.dump("not sealed", link.describe(content, self.secret))
            else:
                opened.append(inner)
        return opened

    def damaged(self, decoder: FrameDecoder) -> bool:
        """Whether something that is no frame came since this was asked last; it is counted and logged."""
        found = {"damaged": decoder.damaged, "overlong": decoder.overlong}
        if sum(found.values()) == self._counters["damaged"] + self._counters["overlong"]:
            return False
        self._counters.update({what: number - self._counters[what] for what, number in found.items()})
        self.dump("damaged frame", "not shown" if self.secret else decoder.last_damaged.hex())
        return True

    def note(self, counter: str, what: str, detail: str) -> None:
        """Count this and log it."""
        self._counters[counter] += 1
        self.dump(what, detail)

    def dump(self, what: str, detail: str) -> None:
        """Log what is wrong with the frames around it, but not for every frame of a bad line."""
        now = self._clock.now()
        if now - self._dumped < DUMP_EVERY_S:
            self._counters["undumped"] += 1
            return
        self._dumped = now
        _log.warning(
            what,
            device=self._name,
            port=self._port.name,
            detail=detail,
            counters=dict(self._counters),
            recent=[f"{at:.3f} {way} {link.describe(content, self.secret)}" for at, way, content in self.recent],
        )
