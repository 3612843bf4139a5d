"""The wheel sensor's driver: gathers a spin's evidence, judges it, and lets the sensor forget it only afterwards."""

from __future__ import annotations

from firmware_specs.clock import Clock
from firmware_specs.link import Identity
from firmware_specs.messages.wheel import SPEC, Moved, Sense, SpinRested, SpinStarted, TurnPassed
from firmware_specs.port import Port
from firmware_specs.spec import Message

from .device import Device
from .events import DeviceEvent, DeviceTrouble, DeviceTroubleOver, Mark, Sink
from .link import Recorder
from .motion import Geometry, SpinVerdict, Trace, WheelProfile, judge, lost_trace

SLIPPED = "map_slipped"


class WheelStarted(DeviceEvent, frozen=True):
    """A spin is under way; `angle` is the rest angle before it, in counts from the index mark."""

    spin: int
    sense: str
    angle: int


class WheelTurned(DeviceEvent, frozen=True):
    """So many full turns are made, net in the launch sense."""

    spin: int
    turns: int


class WheelRested(DeviceEvent, frozen=True):
    """The spin is over and judged; spin 0 is the one that was open when its evidence was lost."""

    spin: int
    verdict: SpinVerdict


class WheelKnocked(DeviceEvent, frozen=True):
    """The wheel moved without a spin; angles in counts, speed in turns a second."""

    before: int
    after: int
    fastest: float


class Wheel(Device):
    """The host end of a wheel sensor.

    Turns are told as they come, but the sensor keeps the whole spin until its verdict is on disk, so that a
    controller which dies in mid-spin can finish it from the sensor's evidence.
    """

    def __init__(
        self,
        name: str,
        clock: Clock,
        port: Port,
        sink: Sink,
        *,
        profile: WheelProfile,
        geometry: Geometry | None = None,
        serial: str | None = None,
        resume: Mark | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        self._seen = resume
        self._open = resume is not None and resume.settled is not None
        if resume is not None and resume.settled is not None:
            resume = Mark(resume.serial, resume.epoch, resume.settled)
        super().__init__(name, SPEC, clock, port, sink, serial=serial, resume=resume, recorder=recorder)
        self.profile = profile
        self.geometry = geometry or Geometry()
        self._serial = resume.serial if resume is not None else ""
        self._started: SpinStarted | None = None
        self._turns: list[TurnPassed] = []
        self._numbers: list[int] = []
        self._slipped = False

    def recall(self, troubles: frozenset[str]) -> None:
        self._slipped = SLIPPED in troubles

    def on_event(self, number: int, message: Message) -> None:
        match message:
            case SpinStarted():
                self._start(number, message)
            case TurnPassed():
                self._turn(number, message)
            case SpinRested():
                self._rest(number, message)
            case Moved():
                self.tell(WheelKnocked(self.name, message.before, message.after, message.fastest / 1000), number)
            case _:
                self.settle(number)

    def on_up(self, identity: Identity, lost: bool) -> None:
        if self._open and (lost or identity.serial != self._serial):
            # Never a guess: what the sensor no longer holds cannot be judged.
            spin = self._started.spin if self._started is not None else 0
            mark = Mark(identity.serial, identity.epoch, max(identity.oldest - 1, 0))
            self.sink.take(WheelRested(self.name, spin, self._lost()), mark, None)
            self._forget()
        self._serial = identity.serial

    def bad_event(self, number: int, text: str) -> None:
        if self._started is None:
            super().bad_event(number, text)
            return
        self._numbers.append(number)
        trouble = DeviceTrouble(
            self.name,
            "bad_message",
            f"The wheel sensor sent event {number} that does not fit its spec: {text}.",
            "The spin will be proposed as a no spin. Report the sensor's firmware version.",
            by_hand=True,
        )
        self._tell_meanwhile(trouble, number)

    # -- one spin ----------------------------------------------------------------------------------------------

    def _start(self, number: int, message: SpinStarted) -> None:
        if self._started is not None:  # the sensor never told how the spin before ended
            last, *earlier = reversed(self._numbers)
            self.tell(WheelRested(self.name, self._started.spin, self._lost()), last, *earlier)
            self._forget()
        self._started = message
        self._open = True
        self._numbers = [number]
        self._tell_meanwhile(WheelStarted(self.name, message.spin, _name(message.sense), message.angle), number)

    def _turn(self, number: int, message: TurnPassed) -> None:
        if self._started is None or message.spin != self._started.spin:
            self.settle(number)
            return
        self._turns.append(message)
        self._numbers.append(number)
        self._tell_meanwhile(WheelTurned(self.name, message.spin, message.turn), number)

    def _rest(self, number: int, message: SpinRested) -> None:
        started = self._started
        if started is None or message.spin != started.spin:
            self.tell(WheelRested(self.name, message.spin, self._lost()), number)
            return
        verdict = judge(Trace.from_messages(started, self._turns, message), self.profile, self.geometry)
        numbers = self._numbers
        self._forget()
        self.tell(WheelRested(self.name, message.spin, verdict), number, *numbers)
        self._watch_map(verdict)

    def _forget(self) -> None:
        self._started = None
        self._open = False
        self._turns = []
        self._numbers = []

    def _lost(self) -> SpinVerdict:
        sense = -1 if self._started is not None and self._started.sense is Sense.ANTICLOCKWISE else 1
        return judge(lost_trace(sense), self.profile, self.geometry)

    def _tell_meanwhile(self, event: DeviceEvent, number: int) -> None:
        """Tell something of a spin under way: journalled once, but the sensor keeps its evidence."""
        link = self.link
        assert link.identity is not None
        serial, epoch, seen = link.identity.serial, link.epoch, self._seen
        if seen is not None and (seen.serial, seen.epoch) == (serial, epoch) and number <= seen.number:
            return
        self.sink.take(event, Mark(serial, epoch, number, settled=self._numbers[0] - 1), None)

    def _watch_map(self, verdict: SpinVerdict) -> None:
        """A ring that stands shifted from the first turn on has slipped between spins."""
        slipped = any(found.kind == "index_shifted" and found.turn <= 1 for found in verdict.findings)
        if slipped and not self._slipped:
            self.tell(
                DeviceTrouble(
                    self.name,
                    SLIPPED,
                    "The wheel's ring no longer agrees with its index mark: the coupling has slipped.",
                    "Tighten the coupling, then have the sensor find its index again and check one spin by eye.",
                )
            )
        elif self._slipped and not slipped and "malfunction" not in verdict.reasons:
            self.tell(DeviceTroubleOver(self.name, SLIPPED))
        else:
            return
        self._slipped = slipped


def _name(sense: Sense) -> str:
    return sense.name.lower()
