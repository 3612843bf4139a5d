"""The wheel sensor's driver: gathers a spin's evidence, judges it, and lets the sensor forget it only afterwards."""

from __future__ import annotations

import hashlib
import struct
from base64 import b85encode
from collections import deque

import msgspec

from firmware_specs.clock import Clock, Timer
from firmware_specs.link import Identity
from firmware_specs.messages.wheel import SPEC, Moved, Sense, SpinRested, SpinStarted, TurnPassed
from firmware_specs.port import Port
from firmware_specs.spec import Message

from .device import Device
from .events import DeviceEvent, DeviceHealth, DeviceTrouble, DeviceTroubleOver, Mark, Sink
from .listener import Recorder
from .motion import Geometry, Natural, SpinVerdict, Trace, WheelProfile, follow, judge, lost_trace, refused
from .motion.energy import loss_at, natural_losses
from .motion.pegs import CHANGED, changed
from .motion.trace import COMPARTMENTS, PITCH, apart

SLIPPED = "map_slipped"
STRANGER = "other_sensor"
OUT_OF_PLACE = "out_of_place"
DRIFTED = "friction_drifted"
ENDLESS = "never_rests"
UNEVEN = "uneven_place"
LONGEST_S = 180.0  # a hand-spun wheel rests within a minute or two
RECENT = 50  # spins among which a record must not come again, over restarts too
MARK = 5  # characters that stand for a record
APART = 20  # counts; a wheel at rest may settle by this much without being seen to move
EASED = 0.8  # times the bound below which a trouble that stands is over
SLOW = 10.0  # compartments/s, at which pegs are told apart
FAR = 0.4  # share of friction gained or lost since calibration beyond which the profile no longer fits


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


class _Kept(msgspec.Struct, array_like=True, frozen=True):
    """What must be known again after a restart."""

    origin: str
    natural: Natural
    stands: int | None = None
    recent: str = ""  # short marks of the records told last, one after the other


EVENTS = (WheelStarted, WheelTurned, WheelRested, WheelKnocked)
"""What is told of the wheel, for the journal."""


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
            resume = Mark(resume.serial, resume.epoch, resume.settled, kept=resume.kept)
        super().__init__(name, SPEC, clock, port, sink, serial=serial, resume=resume, recorder=recorder)
        self.profile = profile
        self.geometry = geometry or Geometry()
        known = _recalled(resume.kept if resume is not None else "", profile)
        self.natural = known.natural
        self._stands_at = known.stands  # the angle where the sensor last told that the wheel rests, if it did
        self._kept = ""
        self._kept_of: tuple[Natural, int | None, str] | None = None
        self._serial = resume.serial if resume is not None else ""
        self._epoch = resume.epoch if resume is not None else None
        self._started: SpinStarted | None = None
        self._turns: list[TurnPassed] = []
        self._numbers: list[int] = []
        self._waiting: Timer | None = None
        self._standing: set[str] = set()
        marks = (known.recent[n : n + MARK] for n in range(0, len(known.recent), MARK))
        self._recent: deque[str] = deque(marks, maxlen=RECENT)

    def recall(self, troubles: frozenset[str]) -> None:
        self._standing = {code for code in (SLIPPED, STRANGER, DRIFTED, ENDLESS, UNEVEN) if code in troubles}

    def kept(self) -> str:
        """The wheel as it is now and where it stands, with the profile that this was followed from."""
        now = (self.natural, self._stands_at, "".join(self._recent))
        if self._kept_of is None or self._kept_of[0] is not now[0] or self._kept_of[1:] != now[1:]:
            self._kept_of = now
            self._kept = msgspec.json.encode(_Kept(_origin(self.profile), *now)).decode()
        return self._kept

    def health(self) -> DeviceHealth:
        """Also how friction stands against calibration, in per cent, for whoever looks after the wheel."""
        health = super().health()
        friction = {
            "friction_clockwise": round(100 * self.natural.clockwise.share),
            "friction_anticlockwise": round(100 * self.natural.anticlockwise.share),
        }
        return msgspec.structs.replace(health, counters={**health.counters, **friction})

    def on_event(self, number: int, message: Message) -> None:
        match message:
            case SpinStarted():
                self._start(number, message)
            case TurnPassed():
                self._turn(number, message)
            case SpinRested():
                self._rest(number, message)
            case Moved():
                if self._stands_at is None or self._follows(message.before):
                    self._stands_at = message.after
                self.tell(WheelKnocked(self.name, message.before, message.after, message.fastest / 1000), number)
            case _:
                self.settle(number)

    def on_up(self, identity: Identity, lost: bool) -> None:
        if self._open and (lost or identity.serial != self._serial):
            # Never a guess: what the sensor no longer holds cannot be judged.
            spin = self._started.spin if self._started is not None else 0
            mark = Mark(identity.serial, identity.epoch, max(identity.oldest - 1, 0), kept=self.kept())
            self.sink.take(WheelRested(self.name, spin, self._lost()), mark, None)
            self._forget()
        if lost or (identity.serial, identity.epoch) != (self._serial, self._epoch):
            self._stands_at = None
        self._serial, self._epoch = identity.serial, identity.epoch
        learnt = self.profile.serial
        self._stands(
            STRANGER,
            self._stranger,
            f"The wheel's profile was learnt with sensor {learnt}; sensor {identity.serial} is here now.",
            "Put the sensor back, or calibrate this wheel with the new one: `tablectl wheel calibrate`.",
        )

    @property
    def _stranger(self) -> bool:
        """Whether the profile was learnt with another sensor than the one that is here."""
        return bool(self.profile.serial) and self.profile.serial != self._serial

    def _follows(self, angle: int) -> bool:
        """Whether what begins at this angle begins where the wheel was last told to stand, as far as that is known."""
        return self._stands_at is None or abs(apart(self._stands_at, angle)) <= APART

    def bad_event(self, number: int, text: str) -> None:
        self._stands_at = None
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
            self._stands_at = None
            self.tell(WheelRested(self.name, self._started.spin, self._lost()), last, *earlier)
            self._forget()
        self._started = message
        self._open = True
        self._waiting = self.clock.call_later(LONGEST_S, self._ends, False)
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
            self._stands_at = None
            self.tell(WheelRested(self.name, message.spin, self._lost()), number)
            return
        trace = Trace.from_messages(started, self._turns, message)
        verdict, after = follow(trace, self.profile, self.geometry, self.natural)
        mark = _mark(trace)
        if trace.pitches and mark in self._recent:
            text = (
                "This record was told before: no two spins pass alike. Spin again; if it comes again, look for what "
                "stands between the sensor and the table, and have the sensor replaced."
            )
            verdict = refused(trace, verdict, "replayed", text)
        else:
            self._recent.append(mark)
            verdict = self._in_its_place(trace, verdict)
            if "malfunction" not in verdict.reasons:
                self.natural = after
            self._stands_at = trace.stands if trace.homed and trace.complete and not _disagrees(verdict) else None
        numbers = self._numbers
        self._forget()
        self.tell(WheelRested(self.name, message.spin, verdict), number, *numbers)
        self._watch_map(verdict)
        self._watch_pegs()

    def _in_its_place(self, trace: Trace, verdict: SpinVerdict) -> SpinVerdict:
        """Refuse what was not told by the sensor of this profile, or contradicts what was told before."""
        if "malfunction" in verdict.reasons:
            return verdict
        if self._stranger:
            text = f"Sensor {self._serial} told it and the profile belongs to {self.profile.serial}: calibrate first."
            return refused(trace, verdict, STRANGER, text)
        if trace.homed and self._stands_at is not None and not self._follows(trace.start):
            away = abs(apart(self._stands_at, trace.start)) / PITCH
            text = (
                f"This spin begins {away:.1f} compartments from where the wheel last rested, and nobody was seen to "
                "turn it. Look at the wheel and at its sensor's cable, then spin again."
            )
            return refused(trace, verdict, OUT_OF_PLACE, text)
        return verdict

    def _ends(self, ended: bool) -> None:
        """A spin that is not seen to rest must not hold the table for ever."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        self._stands(
            ENDLESS,
            not ended,
            f"The wheel sensor has not seen the spin end that began {LONGEST_S / 60:.0f} minutes ago.",
            "Look at the wheel: if it stands still, call a no spin, then have the sensor's ring and cable checked.",
        )

    def stop(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
        super().stop()

    def _forget(self) -> None:
        self._ends(ended=True)
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
        self.sink.take(event, Mark(serial, epoch, number, settled=self._numbers[0] - 1, kept=self.kept()), None)

    def _watch_map(self, verdict: SpinVerdict) -> None:
        """A ring that stands shifted from the first turn on has slipped between spins."""
        slipped = any(found.kind == "index_shifted" and found.turn <= 1 for found in verdict.findings)
        if slipped or "malfunction" not in verdict.reasons:
            self._stands(
                SLIPPED,
                slipped,
                "The wheel's ring no longer agrees with its index mark: the coupling has slipped.",
                "Tighten the coupling, then have the sensor find its index again and check one spin by eye.",
            )
        drifted = self.natural.drifted()
        self._stands(
            DRIFTED,
            abs(drifted) > self._bound(DRIFTED, FAR),
            f"The wheel runs with {100 * drifted:+.0f} % friction against its calibration: it has drifted too far.",
            "Look after the bearing and the indicator, then calibrate again: `tablectl wheel calibrate`.",
        )

    def _watch_pegs(self) -> None:
        """What one place takes spin after spin is no hand: whoever looks after the wheel hears where."""
        found = changed(self.natural.pegs, self.profile.pegs, self._bound(UNEVEN, CHANGED))
        peg, more = found or (0, 0.0)
        usual = loss_at(natural_losses(self.profile.clockwise), SLOW)
        self._stands(
            UNEVEN,
            found is not None,
            f"At divider {peg} (between compartments {(peg - 1) % COMPARTMENTS} and {peg}) the wheel has come to lose "
            f"{100 * abs(more) / usual:.0f} % {'more' if more > 0 else 'less'} than at calibration, spin after spin.",
            "Look there for a worn or bent peg, a magnet or something stuck; put it right, or calibrate again.",
        )

    def _bound(self, code: str, bound: float) -> float:
        """Lower while the trouble stands, so that what wavers about its bound is told once."""
        return bound * (EASED if code in self._standing else 1.0)

    def _stands(self, code: str, stands: bool, text: str, remedy: str) -> None:
        """Tell a trouble when it comes and when it is gone."""
        if stands == (code in self._standing):
            return
        if stands:
            self._standing.add(code)
            self.tell(DeviceTrouble(self.name, code, text, remedy))
        else:
            self._standing.discard(code)
            self.tell(DeviceTroubleOver(self.name, code))


def _mark(trace: Trace) -> str:
    """A short mark of a record: the same pitches have the same one, and others hardly ever."""
    pitches = struct.pack(f"<{len(trace.pitches)}H", *trace.pitches)
    return b85encode(hashlib.blake2b(pitches, digest_size=4).digest()).decode()


def _origin(profile: WheelProfile) -> str:
    return f"{profile.wheel} {profile.learnt}"


def _disagrees(verdict: SpinVerdict) -> bool:
    """Whether the sensor's own evidence is broken, so that its angle says nothing; a mere contradiction begins anew."""
    return any(found.reason == "malfunction" and found.kind != OUT_OF_PLACE for found in verdict.findings)


def _recalled(kept: str, profile: WheelProfile) -> _Kept:
    """The wheel as it was before the restart, if it is the same wheel by the same calibration."""
    try:
        known = msgspec.json.decode(kept, type=_Kept)
    except msgspec.DecodeError:
        return _Kept("", profile.natural)
    if known.origin != _origin(profile):
        return _Kept("", profile.natural)
    return msgspec.structs.replace(known, natural=known.natural.learning(profile.natural))


def _name(sense: Sense) -> str:
    return sense.name.lower()
