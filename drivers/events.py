"""What every driver tells the table, and how it hands it over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import msgspec


class Mark(msgspec.Struct, frozen=True):
    """Which numbered event of which device this was; the place to resume from after a restart.

    `settled` is given when the device must still keep earlier events: a spin under way is told turn by turn, and
    its evidence may go only when the spin is decided.
    `kept` is what the driver itself must know again after a restart.
    """

    serial: str
    epoch: int
    number: int
    settled: int | None = None
    kept: str = ""


class DeviceEvent(msgspec.Struct, frozen=True, tag_field="type", tag=True):
    """Something a device saw, told by the driver at this place of the table."""

    device: str


class DeviceUp(DeviceEvent, frozen=True):
    """The device at this place identified itself and resumed; `lost` when held evidence is gone."""

    kind: str
    serial: str
    firmware: str
    lost: bool = False


class DeviceDown(DeviceEvent, frozen=True):
    """Nothing is heard from the device any more."""

    cause: str
    remedy: str


class DeviceRefused(DeviceEvent, frozen=True):
    """Something answers at this place that does not belong here."""

    reason: str
    remedy: str


class DeviceTrouble(DeviceEvent, frozen=True):
    """The device works but something must be cleared, such as a jam; `by_hand` when only a person can say it is."""

    code: str
    text: str
    remedy: str
    by_hand: bool = False


class DeviceTroubleOver(DeviceEvent, frozen=True):
    """A condition told with DeviceTrouble is gone."""

    code: str


class DeviceHealth(msgspec.Struct, frozen=True):
    """How a device and its line are doing, for screens and `doctor`."""

    name: str
    kind: str
    port: str
    state: str
    serial: str = ""
    firmware: str = ""
    counters: dict[str, int] = {}


class Sink(Protocol):
    """Where drivers hand over what they saw."""

    def take(self, event: DeviceEvent, mark: Mark | None, durable: Callable[[], None] | None) -> None:
        """Take an event; `durable` is called once the journal holds it on disk."""

    def glimpse(self, device: str, live: msgspec.Struct) -> None:
        """Show something live on the screens; it may be lost and is never acted on."""


class Driver(Protocol):
    """The host end of one device."""

    name: str

    def recall(self, troubles: frozenset[str]) -> None:
        """Know, before the start, which troubles of this device still stand at the table: somebody must end them."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def desire(self, outputs: dict[str, Any]) -> None:
        """Say what the device's outputs shall be from now on, whatever happens in between."""

    def order(
        self, command_id: int, name: str, args: dict[str, Any], done: Callable[[str, dict[str, Any]], None]
    ) -> None:
        """Have something done exactly once."""

    def health(self) -> DeviceHealth: ...
