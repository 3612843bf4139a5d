"""The wheel on its stand: what a hand does to it, the sensor that watches it, and the wire in front of the sensor."""

from __future__ import annotations

import random

import msgspec

from firmware_specs.clock import Clock, Timer
from firmware_specs.messages.wheel import (
    SPEC,
    Moved,
    Outputs,
    ReadAngle,
    ReadAngleResult,
    Rehome,
    RehomeResult,
    SelfTest,
    SelfTestResult,
    SpinRested,
    Turning,
)
from firmware_specs.port import Port
from firmware_specs.spec import Message
from simulators.behaviour import Refusal
from simulators.link import DeviceLink
from simulators.wheel_physics import (
    COMPARTMENTS,
    Launch,
    Motion,
    Touch,
    TouchKind,
    WheelBody,
    at_rest,
    launch,
    resume,
)
from simulators.wheel_script import SpinScript, perform
from simulators.wheel_sensor import PITCH, RING, STILL_S, Mounting, Seen, SensorFault, observe


class Wheel:
    """A simulated wheel and its sensor; the back door is for hands, scenarios and benches."""

    def __init__(
        self,
        clock: Clock,
        port: Port,
        *,
        serial: str = "WHEEL-1",
        firmware: str = "1.0.0",
        seed: int = 0,
        body: WheelBody | None = None,
        mounting: Mounting | None = None,
        place: float = 0.5,
    ) -> None:
        self.body = body or WheelBody()
        self.mounting = mounting or Mounting()
        self.lamp = Outputs().lamp
        self.spins = 0
        self._clock = clock
        self._random = random.Random(f"wheel {serial} {seed}")
        self._place = place  # compartments under the pointer, while at rest
        self._motion: Motion | None = None
        self._last: Motion | None = None
        self._since = 0.0
        self._sense = 1
        self._friction = 1.0
        self._fault: SensorFault | None = None
        self._standing_fault: SensorFault | None = None
        self._timers: list[Timer] = []
        self._posted = 0
        self._is_spin = False
        self._blind = False
        self._owes = False  # a spin was under way when the power went
        self._homed = True
        self._slip = 0  # counts the ring has moved against the wheel
        self._live_every = 0.0
        self._live_timer: Timer | None = None
        self.link = DeviceLink(clock, port, SPEC, self, serial=serial, firmware=firmware, seed=seed)

    def start(self) -> None:
        self.link.start()

    def stop(self) -> None:
        self.link.stop()

    # -- the hand ----------------------------------------------------------------------------------------------

    def spin(
        self, speed: float, sense: int, *, wind_up: float | None = None, touches: tuple[Touch, ...] = ()
    ) -> Motion:
        """Push it: turns a second at release, +1 or -1; a turning wheel is pushed again instead."""
        if self.moving:
            return self.touch("push", speed * COMPARTMENTS / max(abs(self.speed) * COMPARTMENTS, 1.0))
        self._sense = 1 if sense > 0 else -1
        self._friction = self._random.gauss(1.0, self.body.friction_spread)
        if wind_up is None:
            wind_up = self._random.choice((0.0, 0.0, self._random.uniform(0.3, 6.0)))
        pull = self._random.uniform(14.0, 26.0)
        hand = Launch(speed * COMPARTMENTS, wind_up, pull)
        motion = launch(self.body, self._sense * self._place, hand, self._sense, self._friction, touches)
        self._begin(motion)
        return motion

    def play(self, script: SpinScript, fault: SensorFault | None = None) -> Motion:
        """Do exactly what a scenario says; after another spin it is first turned to where that has to start."""
        self._settle()
        self._sense = 1 if script.sense > 0 else -1
        self._friction = 1.0
        motion = perform(script, self.body)
        if self.spins and self.link.powered:
            self.turn_to(self._sense * motion.start)
        self._begin(motion, fault)
        return motion

    def touch(self, kind: TouchKind, strength: float) -> Motion:
        """Lay a hand on the wheel now; what follows is computed afresh."""
        now = self._clock.now()
        if self._motion is None:
            self._since = now
            self._motion = at_rest(self._sense * self._place)
            self._posted = 0
        at = now - self._since
        self._motion = resume(self.body, self._motion, at, Touch(kind, strength), self._sense, self._friction)
        self._plan()
        return self._motion

    def turn_to(self, place: float) -> None:
        """Turn it by hand, slowly; the sensor tells that it moved."""
        if self.moving:
            return
        before = self._angle(self._place)
        self._place = place % COMPARTMENTS
        self._post(Moved(before, self._angle(self._place), 150))

    def fail(self, fault: SensorFault | None) -> None:
        """Something is wrong with the sensor in every spin from now on; None puts it right."""
        self._standing_fault = fault

    def slip(self, compartments: float) -> None:
        """The ring's coupling slips on the standing wheel."""
        self._slip = round(self._slip + compartments * PITCH)

    # -- what can be seen --------------------------------------------------------------------------------------

    @property
    def moving(self) -> bool:
        return self._motion is not None and self._clock.now() - self._since < self._motion.end

    @property
    def place(self) -> float:
        """What is truly under the pointer, in compartments from divider 0."""
        if self._motion is None:
            return self._place
        return self._sense * self._motion.at(self._clock.now() - self._since)[0] % COMPARTMENTS

    @property
    def speed(self) -> float:
        """Turns a second, positive clockwise."""
        if self._motion is None:
            return 0.0
        return self._sense * self._motion.at(self._clock.now() - self._since)[1] / COMPARTMENTS

    @property
    def turned(self) -> float:
        """Net turns of the spin under way, in its launch sense."""
        if self._motion is None:
            return 0.0
        return (self._motion.at(self._clock.now() - self._since)[0] - self._motion.start) / COMPARTMENTS

    @property
    def truth(self) -> Motion | None:
        """The motion under way, or the last one."""
        return self._motion or self._last

    # -- the sensor --------------------------------------------------------------------------------------------

    def _angle(self, place: float) -> int:
        return int((place - self.mounting.index_at) * PITCH // 1 + self._slip) % RING

    def _begin(self, motion: Motion, fault: SensorFault | None = None) -> None:
        self._settle()
        self._motion = motion
        self._fault = fault or self._standing_fault
        self._since = self._clock.now()
        self._posted = 0
        self._blind = not self.link.powered
        self._plan()

    def _plan(self) -> None:
        """Have every message of this motion posted in its time; what went out before a touch stays said."""
        assert self._motion is not None
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        seen = observe(
            self._motion, self._sense, self.spins + 1, self.body, self.mounting, self._random, self._fault, self._slip,
            self._homed,
        )  # fmt: skip
        self._is_spin = seen.spin
        at = self._clock.call_at
        since = self._since
        if not self._blind:
            for t, message in seen.messages[self._posted :]:
                self._timers.append(at(since + t, self._report, message))
        rests = max(seen.rest_at, self._motion.end + STILL_S)
        self._timers.append(at(since + rests + 1e-6, self._rested, seen))
        self._upset(seen)
        self._show_live()

    def _upset(self, seen: Seen) -> None:
        """Faults of the sensor that are no matter of counting."""
        fault = self._fault
        if fault is None or fault.kind not in ("silence", "restart") or self._posted or self._blind:
            return
        passed = [t for t, _ in seen.messages]
        turn = min(int(fault.at_revolution) + 1, len(passed) - 1)
        when = max(passed[turn] - 1e-3, 0.0) if passed else 0.0
        keep = fault.kind == "silence"
        off_for = 8.0 if fault.kind == "silence" else 0.5
        self._timers.append(self._clock.call_at(self._since + when, self._cut_power, keep, off_for))

    def _cut_power(self, keep_memory: bool, off_for: float) -> None:
        self.link.power_cycle(keep_memory, off_for)

    def _report(self, message: Message) -> None:
        self._posted += 1
        self._post(message)

    def _post(self, message: Message) -> None:
        self.link.post(message)

    def _rested(self, seen: Seen) -> None:
        """The wheel has come to rest for good."""
        self._settle()
        self._own_up()

    def _own_up(self) -> None:
        """Close a spin that was not seen to its end."""
        if self._owes and self.link.powered and self._motion is None:
            self._owes = False
            self._post(self._broken_spin())

    def _broken_spin(self) -> SpinRested:
        """What a sensor can say of a spin during which it was off."""
        return SpinRested(
            spin=self.spins, turns=0, gap=True, pitches=(), lowest=0, peak=0, rest=0, still=1000, index=0,
            indexes=0, ticks=0, back_ticks=0, tick_phase=0, tick_spread=0, illegal=0, stray=0, deflection=0,
            approach=(),
        )  # fmt: skip

    def _settle(self) -> None:
        """Forget the motion; the wheel stands where it came to rest."""
        motion = self._motion
        if motion is None:
            return
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        self._place = self._sense * motion.rest % COMPARTMENTS
        if self._is_spin:
            self.spins += 1
            if not self._homed and not self._blind and motion.forward > COMPARTMENTS:
                self._homed, self._slip = True, 0
            fault = self._fault
            if fault is not None and fault.kind == "index_slip" and motion.forward > fault.at_revolution * COMPARTMENTS:
                self._slip -= round(self._sense * fault.strength * PITCH)
        self._last, self._motion, self._fault = motion, None, None
        self._blind = False

    # -- live --------------------------------------------------------------------------------------------------

    def _show_live(self) -> None:
        if self._live_every and self._live_timer is None and self._motion is not None:
            self._live_timer = self._clock.call_later(self._live_every, self._glimpse)

    def _glimpse(self) -> None:
        self._live_timer = None
        if not self._live_every or self._motion is None or not self.link.powered:
            return
        spin = self.spins + 1 if self._is_spin else 0
        speed = max(-32768, min(32767, round(self.speed * 1000)))
        self.link.live(Turning(spin, self._angle(self.place), speed))
        self._show_live()

    # -- the wire's behaviour ----------------------------------------------------------------------------------

    def command(self, command_id: int, message: Message) -> Message | Refusal | None:
        match message:
            case ReadAngle():
                return ReadAngleResult(self._angle(self.place), self._homed, self.moving)
            case SelfTest():
                kind = self._standing_fault.kind if self._standing_fault is not None else ""
                return SelfTestResult(
                    ring=kind not in ("dead_channel", "stuck"),
                    index=kind != "index_dead" and abs(self._slip) < 6,
                    indicator=kind != "indicator_dead",
                    illegal=500 if kind in ("noise", "dead_channel") else 0,
                )
            case Rehome():
                if self.moving:
                    return Refusal("the wheel is turning; wait until it rests")
                self._homed = False
                return RehomeResult()
            case _:
                return Refusal("not known to this sensor")

    def outputs(self, outputs: Message, why: str) -> None:
        assert isinstance(outputs, Outputs)
        self.lamp = outputs.lamp
        self._live_every = 1 / outputs.live_rate if outputs.live_rate else 0.0
        self._show_live()

    def powered(self, on: bool, kept_memory: bool) -> None:
        if not on:
            # Counts missed while off are gone: the angle is unknown until the index mark comes round again.
            self._homed = False
            self._slip = self._random.randrange(-3000, 3000)
            if self._motion is not None:
                self._blind = True
                self._owes = self._owes or (self._is_spin and self._posted > 0)
                self._cancel_reports()
        elif not kept_memory:
            self._owes = False
            self.spins = 0
        else:
            self._clock.call_later(STILL_S, self._own_up)

    def _cancel_reports(self) -> None:
        """Keep only the wheel's own coming to rest, which is the last thing planned."""
        rest = self._motion
        assert rest is not None
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        seen = Seen([], self._is_spin, rest.end)
        self._timers.append(self._clock.call_at(self._since + rest.end + STILL_S, self._rested, seen))


def sensor_fault(plain: object) -> SensorFault | None:
    """A sensor fault as a scenario writes it: a kind, `true`, or an object with kind, at_revolution, strength."""
    if plain is None or plain is False:
        return None
    if plain is True:
        return SensorFault("lost_counts", 1.5, 40.0)
    if isinstance(plain, str):
        plain = {"kind": plain, **_SERIOUS.get(plain, {})}
    return msgspec.convert(plain, SensorFault)


_SERIOUS: dict[str, dict[str, float]] = {
    "lost_counts": {"strength": 40.0},
    "index_slip": {"strength": 5.5},
    "noise": {"strength": 0.01},
}
