"""Listens to devices while somebody touches them: which one it was, and what it saw."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import NamedTuple

from drivers.discover import DeviceFound, known_specs
from drivers.link import HostLink
from drivers.ports import open_port
from firmware_specs.clock import RealClock
from firmware_specs.link import Identity
from firmware_specs.port import PortTrouble
from firmware_specs.spec import Message

UP_WITHIN_S = 10.0
STILL_S = 0.6
"""What a device saw before anybody was asked to touch it has come by then."""

TOUCH = {
    "shoe": "lift its lid",
    "shuffler": "open its door",
    "wheel": "turn it by hand",
    "chips": "lay a chip on it",
    "cards": "lay a card on it",
}


class Seen(NamedTuple):
    """What the device of this serial number saw."""

    serial: str
    message: Message


class Watch:
    """Devices listened to together; what they tell is kept by nobody and forgotten by them."""

    def __init__(self, found: Iterable[DeviceFound]) -> None:
        loop = asyncio.get_running_loop()
        specs = {spec.kind: spec for spec in known_specs().values()}
        self.seen: asyncio.Queue[Seen] = asyncio.Queue()
        self._ears = [_Ear(one.serial, self.seen) for one in found]
        for ear, one in zip(self._ears, found, strict=True):
            port = open_port(one.address, loop)
            ear.link = HostLink(RealClock(loop), port, specs[one.kind], ear, name=one.kind, serial=one.serial or None)

    async def __aenter__(self) -> Watch:
        for ear in self._ears:
            ear.link.start()
        try:
            async with asyncio.timeout(UP_WITHIN_S):
                for ear in self._ears:
                    await ear.up.wait()
        except TimeoutError:
            self.stop()
            down = next(ear for ear in self._ears if not ear.up.is_set())
            raise PortTrouble(f"{down.serial}: {down.why[0]}", down.why[1]) from None
        await self.still()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        for ear in self._ears:
            ear.link.stop()

    async def still(self) -> None:
        """Let pass what is under way already."""
        while await self.next(STILL_S) is not None:
            pass

    async def next(self, within: float, wanted: Callable[[Seen], bool] = lambda seen: True) -> Seen | None:
        """The next thing seen that is wanted; None when nothing was in time."""
        try:
            async with asyncio.timeout(within):
                while not wanted(seen := await self.seen.get()):
                    pass
                return seen
        except TimeoutError:
            return None


class _Ear:
    """One device's link, and what comes over it."""

    link: HostLink

    def __init__(self, serial: str, seen: asyncio.Queue[Seen]) -> None:
        self.serial = serial
        self.up = asyncio.Event()
        self.why = ("nothing answers.", "Check its power and its cable.")
        self._seen = seen

    def link_up(self, identity: Identity, lost: bool) -> None:
        self.up.set()

    def link_down(self, cause: str, remedy: str) -> None:
        self.why = (cause, remedy)

    def link_refused(self, reason: str, remedy: str) -> None:
        self.why = (reason, remedy)

    def event(self, number: int, message: Message) -> None:
        self.link.durable(number)
        self._seen.put_nowait(Seen(self.serial, message))

    def bad_event(self, number: int, text: str) -> None:
        self.link.durable(number)

    def flooding(self, on: bool) -> None: ...

    def live(self, message: Message) -> None: ...

    def applied(self, outputs: Message) -> None: ...
