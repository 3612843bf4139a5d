"""What most drivers share: a link, its health, and the way events reach the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware_specs.clock import Clock
from firmware_specs.link import Identity
from firmware_specs.port import Port
from firmware_specs.spec import BadMessage, DeviceSpec, Message

from .events import (
    DeviceDown,
    DeviceEvent,
    DeviceHealth,
    DeviceRefused,
    DeviceTrouble,
    DeviceTroubleOver,
    DeviceUp,
    Mark,
    Sink,
)
from .link import HostLink
from .listener import Recorder
from .unrest import FLOOD

COMMAND_DEADLINE_S = 10.0
# Ids of commands are u32 and go round: what the table orders lies below, a driver's own commands from here on, and
# neither meets an id that a device still remembers, for it remembers the last 32.
OWN_COMMANDS = 0x8000_0000


def own_command(number: int) -> int:
    """The id of a driver's own command with this count, which may be of any size."""
    return OWN_COMMANDS | (number % OWN_COMMANDS)


def table_command(number: int) -> int:
    """The id of the table's command with this count, which may be of any size."""
    return number % OWN_COMMANDS


class Device:
    """The host end of one of our own devices; a subclass says what its events mean for the table."""

    command_deadline = COMMAND_DEADLINE_S

    def __init__(
        self,
        name: str,
        spec: DeviceSpec,
        clock: Clock,
        port: Port,
        sink: Sink,
        *,
        serial: str | None = None,
        resume: Mark | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        self.name = name
        self.spec = spec
        self.clock = clock
        self.sink = sink
        self.link = HostLink(clock, port, spec, self, name=name, serial=serial, resume=resume, recorder=recorder)
        self._desired: Message = spec.safe
        self._quiet: list[tuple[int, int]] = []  # epoch and number of events that held nothing for the table

    # --- for a subclass ----------------------------------------------------------------------

    def on_event(self, number: int, message: Message) -> None:
        """Turn a wire event into table events; ends in `tell(event, number)` or `settle(number)`."""
        raise NotImplementedError

    def on_live(self, message: Message) -> None:
        self.sink.glimpse(self.name, message)

    def on_up(self, identity: Identity, lost: bool) -> None:
        """The device is there; half-gathered records of before are void when `lost`."""

    def on_down(self) -> None:
        """The device is gone."""

    def on_applied(self, outputs: Message) -> None:
        """The outputs are as desired."""

    def tell(self, event: DeviceEvent, number: int = 0, *also: int) -> None:
        """Hand an event to the table; once it is on disk, its number and those it gathers are settled."""
        if not number:
            self.sink.take(event, None, None)
            return
        link = self.link
        epoch = link.epoch
        identity = link.identity
        assert identity is not None
        quiet, self._quiet = self._quiet, []

        def durable() -> None:
            for of, other in quiet:
                link.durable(other, of)
            for other in also:
                link.durable(other, epoch)
            link.durable(number, epoch)

        self.sink.take(event, Mark(identity.serial, epoch, number, kept=self.kept()), durable)

    def kept(self) -> str:
        """What a subclass must know again after a restart; goes into the journal with every event."""
        return ""

    def settle(self, number: int) -> None:
        """A wire event that holds nothing for the table is forgotten together with the next one that does.

        Forgotten at once it would be missing behind the journal's last mark, and a restart would take that for a loss.
        """
        self._quiet.append((self.link.epoch, number))

    @property
    def quiet(self) -> int:
        """How many events the device still holds only until the next one that means something."""
        return len(self._quiet)

    # --- as a driver -------------------------------------------------------------------------

    def recall(self, troubles: frozenset[str]) -> None:
        """A subclass that ends troubles by itself takes up those of before the restart here."""

    def start(self) -> None:
        self.link.start()

    def stop(self) -> None:
        self.link.stop()

    def desire(self, outputs: dict[str, Any]) -> None:
        """Merge these outputs into what the device shall be; enums go by their names."""
        self._desired = type(self._desired).build(outputs, self._desired)
        self.link.desire(self._desired)

    def order(
        self, command_id: int, name: str, args: dict[str, Any], done: Callable[[str, dict[str, Any]], None]
    ) -> None:
        """Have a command done once; `done` gets the status and the result, or the reason as `text`."""

        def on_result(status: str, result: Message | None, text: str) -> None:
            done(status, result.plain() if result is not None else {"text": text})

        try:
            message = self.spec.command_named(name).build(args)
        except BadMessage as bad:
            done("refused", {"text": str(bad)})
            return
        self.link.command(table_command(command_id), message, on_result, self.command_deadline)

    def health(self) -> DeviceHealth:
        identity = self.link.identity
        return DeviceHealth(
            name=self.name,
            kind=self.spec.kind,
            port=self.link.port.name,
            state=self.link.state,
            serial=identity.serial if identity is not None else "",
            firmware=identity.firmware if identity is not None else "",
            counters=self.link.stats,
        )

    # --- as the link's listener --------------------------------------------------------------

    def link_up(self, identity: Identity, lost: bool) -> None:
        self._quiet = [known for known in self._quiet if known[0] == identity.epoch]
        self.sink.take(DeviceUp(self.name, self.spec.kind, identity.serial, identity.firmware, lost), None, None)
        self.on_up(identity, lost)

    def link_down(self, cause: str, remedy: str) -> None:
        self.sink.take(DeviceDown(self.name, cause, remedy), None, None)
        self.on_down()

    def link_refused(self, reason: str, remedy: str) -> None:
        self.sink.take(DeviceRefused(self.name, reason, remedy), None, None)

    def event(self, number: int, message: Message) -> None:
        self.on_event(number, message)

    def bad_event(self, number: int, text: str) -> None:
        self.tell(
            DeviceTrouble(
                self.name,
                "bad_message",
                f"The {self.spec.title} sent event {number} that does not fit its spec: {text}.",
                "Have a person check what happened at this moment, and report the device's firmware version.",
                by_hand=True,
            ),
            number,
        )

    def flooding(self, on: bool) -> None:
        if not on:
            self.sink.take(DeviceTroubleOver(self.name, FLOOD), None, None)
            return
        self.sink.take(
            DeviceTrouble(
                self.name,
                FLOOD,
                f"The {self.spec.title} tells more than any table makes, and is held back; what it sees comes late.",
                "Look at what it sees; if nothing happens there, switch it off and on, then have it replaced.",
            ),
            None,
            None,
        )

    def live(self, message: Message) -> None:
        self.on_live(message)

    def applied(self, outputs: Message) -> None:
        self.on_applied(outputs)
