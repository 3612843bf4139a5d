"""One device on a bench, for tests: the host end of its line, and whoever can make the device do something.

The same object stands for a simulated device, the reference and a real one; a test says what it needs of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from drivers.events import Mark
from drivers.link import HostLink
from firmware_specs import link
from firmware_specs.clock import DeadlineMissed, Deadlock
from firmware_specs.frames import FrameDecoder
from firmware_specs.link import Identity
from firmware_specs.port import Port, PortTrouble
from firmware_specs.spec import BadMessage, DeviceSpec, Message
from lab.conformance.stimulus import Stimulus
from lab.sim.loop_clock import SteppedClock
from simulators.faults import Fault, FaultyPort

M = TypeVar("M", bound=Message)
UP_S = 10.0
WITHIN_S = 5.0
KEPT_FRAMES = 64


class FrameTap:
    """Keeps the last frames of a line, both ways, for whoever asks after a failure."""

    def __init__(self, clock: SteppedClock) -> None:
        self._clock = clock
        self._frames: deque[str] = deque(maxlen=KEPT_FRAMES)
        self._decoders = {"in": FrameDecoder(), "out": FrameDecoder()}

    def record(self, direction: str, octets: bytes) -> None:
        decoder = self._decoders[direction]
        damaged = decoder.damaged + decoder.overlong
        for content in decoder.feed(octets):
            self._frames.append(f"{self._clock.now():10.3f} {direction:3} {link.describe(content)}")
        if decoder.damaged + decoder.overlong > damaged:
            self._frames.append(f"{self._clock.now():10.3f} {direction:3} DAMAGED {octets.hex()}")

    def lines(self) -> list[str]:
        return list(self._frames)


class HostSideFaults(FaultyPort):
    """Faults between a line and the host, whatever the device at its other end is."""

    def write(self, octets: bytes) -> None:
        self._leaving.put(self.faults.to_device(octets))

    def _came(self, octets: bytes) -> None:
        self._coming.put(self.faults.to_host(octets))


class BenchDevice:
    """A device under test; every wait has a deadline and says what did not come."""

    def __init__(
        self, name: str, spec: DeviceSpec, clock: SteppedClock, port: Port, stimulus: Stimulus, real: bool = False
    ) -> None:
        self.name = name
        self.spec = spec
        self.clock = clock
        self.stimulus = stimulus
        self.real = real
        self.simulator: Any = None  # the simulated device itself, where there is one
        self.events: list[Message] = []
        self.lives: list[Message] = []
        self.ups: list[Identity] = []
        self.downs: list[str] = []
        self.refusals: list[str] = []
        self.bad: list[str] = []
        self.settling = True  # False: the device must hold what it sends until `settle`
        self.line = HostSideFaults(clock, port, name, lambda keep, off_for: self.restart(keep))
        self._tap = FrameTap(clock)
        self._unsettled: list[int] = []
        self._read = 0
        self._made_so: Message | None = None
        self._command_id = 0
        self._desired = spec.safe
        self.link = self._new_link(None)

    def _new_link(self, resume: Mark | None) -> HostLink:
        return HostLink(self.clock, self.line, self.spec, self, name=self.name, resume=resume, recorder=self._tap)

    # --- for a test --------------------------------------------------------------------------

    @property
    def identity(self) -> Identity:
        if not self.ups:
            raise AssertionError(f"{self.name} has not come up")
        return self.ups[-1]

    def can(self, *capabilities: str) -> bool:
        """Whether the device says it has all of these."""
        return all(self.identity.capabilities & self.spec.capabilities[each] for each in capabilities)

    def start(self) -> None:
        """Open the line and wait until the device is there."""
        self.link.start()
        try:
            self.clock.run_until(lambda: bool(self.ups or self.refusals), UP_S)
        except (DeadlineMissed, Deadlock):
            why = self.downs[-1] if self.downs else "it does not answer"
            raise PortTrouble(
                f"{self.name} did not come up: {why}", "Check its power, its cable and its port."
            ) from None
        if self.refusals:
            raise PortTrouble(self.refusals[0], "Put the right device there, or correct the rig file.")

    def stop(self) -> None:
        self.link.stop()

    def until(self, what: str, condition: Callable[[], bool], within: float = WITHIN_S) -> None:
        """Wait for something; an assertion with these words when it does not happen."""
        try:
            self.clock.run_until(condition, within)
        except (DeadlineMissed, Deadlock):
            raise AssertionError(f"{self.name}: {what} did not happen within {within:g} s") from None

    def expect(self, kind: type[M], within: float = WITHIN_S, **fields: Any) -> M:
        """The next event of this kind with these values, waiting for it; what came before it is passed over."""
        found: list[M] = []

        def came() -> bool:
            while self._read < len(self.events):
                event = self.events[self._read]
                self._read += 1
                if isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items()):
                    found.append(event)
                    return True
            return False

        wanted = ", ".join(f"{name}={value}" for name, value in fields.items())
        self.until(f"{kind.__name__}({wanted})", came, within)
        return found[0]

    def expect_nothing(self, seconds: float) -> None:
        """No event may come for so long."""
        before = len(self.events)
        self.clock.run_for(seconds)
        if len(self.events) != before:
            raise AssertionError(f"{self.name}: {self.events[before:]} came, and nothing should")

    def see(self, message: Message) -> None:
        """Have the device see this very event."""
        self.stimulus.post(message)

    def hand(self, deed: str, **how: Any) -> Any:
        """Have hands do something to what the device sees: chips.hand("place", tags=[7], area=3)."""
        return self.stimulus.hand(deed, **how)

    def set(self, within: float = WITHIN_S, **outputs: Any) -> None:
        """Make the outputs so, and wait until the device says they are."""
        self._desired = type(self._desired).build(outputs, self._desired)
        self._made_so = None
        self.link.desire(self._desired)
        self.until(f"APPLIED {outputs}", lambda: self._made_so == self._desired, within)

    def outputs(self) -> Message | None:
        """What the outputs really are, where that can be seen."""
        return self.stimulus.outputs()

    def do(self, command: str, within: float = WITHIN_S, **values: Any) -> dict[str, Any]:
        """Have a command done; its status and result."""
        self._command_id += 1
        answers: list[dict[str, Any]] = []

        def on_result(status: str, result: Message | None, text: str) -> None:
            answers.append({"status": status, **(result.plain() if result is not None else {"text": text})})

        message = self.spec.command_named(command).build(values)
        self.link.command((self.clock.wall() & 0xFFFF_0000) + self._command_id, message, on_result, within)
        self.until(f"the answer to {command}", lambda: bool(answers), within + 1)
        return answers[0]

    def restart(self, keep_memory: bool = True) -> None:
        """Take the device's power and give it back."""
        self.stimulus.restart(keep_memory)

    def restart_host(self) -> None:
        """The host dies and comes back with what it had made durable."""
        identity = self.identity
        settled = self.link.last_durable
        self.link.stop()
        ups = len(self.ups)
        self.link = self._new_link(Mark(identity.serial, identity.epoch, settled))
        self.link.start()
        self.until("the session after a restart of the host", lambda: len(self.ups) > ups, UP_S)

    def settle(self) -> None:
        """Everything that came is on disk."""
        numbers, self._unsettled = self._unsettled, []
        for number in numbers:
            self.link.durable(number)

    def plan(self, fault: str | Fault) -> None:
        """Let something go wrong on the line: 'drop at_event=3', 'corrupt rate=0.1', 'reboot'."""
        self.line.faults.plan(fault if isinstance(fault, Fault) else Fault.parse(f"{self.name} {fault}"))

    def last_frames(self) -> list[str]:
        """The last frames both ways."""
        return self._tap.lines()

    # --- as the link's listener --------------------------------------------------------------

    def link_up(self, identity: Identity, lost: bool) -> None:
        self.ups.append(identity)

    def link_down(self, cause: str, remedy: str) -> None:
        self.downs.append(cause)

    def link_refused(self, reason: str, remedy: str) -> None:
        self.refusals.append(f"{reason} {remedy}")

    def event(self, number: int, message: Message) -> None:
        self.events.append(message)
        self._settle_later(number)

    def bad_event(self, number: int, text: str) -> None:
        self.bad.append(text)
        self._settle_later(number)

    def _settle_later(self, number: int) -> None:
        self._unsettled.append(number)
        if self.settling:
            self.settle()

    def flooding(self, on: bool) -> None:
        """Told to the table elsewhere."""

    def live(self, message: Message) -> None:
        self.lives.append(message)

    def applied(self, outputs: Message) -> None:
        self._made_so = outputs


__all__ = ["BadMessage", "BenchDevice", "Fault", "FrameTap"]
