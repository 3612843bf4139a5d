"""A capture held against the simulator: the same messages in the same order, and how its times differ."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec

from drivers.capture import Captured, Heading, Run
from drivers.link import HostLink
from drivers.wheel import WheelRested
from firmware_specs.clock import VirtualClock
from firmware_specs.link import Identity
from firmware_specs.messages.wheel import SpinRested, SpinStarted, TurnPassed
from firmware_specs.spec import DeviceSpec, Message
from lab.captures.frames import CapturedFrame, frames, spec_of_run
from lab.captures.replay import replay
from lab.conformance.bench import SERIAL_BAUD
from lab.conformance.simulated import MAKE
from simulators.wheel import Wheel
from simulators.wheel_script import SpinScript
from simulators.wire import Wire

ANSWER_MS = 250.0
SENSES = {"clockwise": 1, "anticlockwise": -1}
PAIRS = {"IDENTITY": "HELLO", "APPLIED": "SET", "RESULT": "COMMAND"}


class SpinCompared(msgspec.Struct, frozen=True):
    """One spin beside the simulator's: what was told, and how many seconds after the start each came."""

    spin: int
    captured: list[str]
    simulated: list[str]
    captured_s: list[float]
    simulated_s: list[float]


class Comparison(msgspec.Struct, frozen=True):
    """The link's times in milliseconds (typical and worst), the spins, and everything that differs."""

    kind: str
    frames: int
    answers_ms: dict[str, dict[str, dict[str, float]]]
    longest_quiet_s: float
    spins: list[SpinCompared]
    differences: list[str]

    @property
    def same(self) -> bool:
        return not self.differences


def compare(run: Run, kind: str = "") -> Comparison:
    """Hold one run of a capture against what the simulator does."""
    spec = spec_of_run(run, kind)
    captured = list(frames(run, spec))
    simulated = list(frames(_simulated_session(spec), spec))
    answers = {
        name: {"captured": _answers(captured, name), "simulated": _answers(simulated, name)}
        for name in PAIRS
        if _answers(captured, name)
    }
    differences = [f"{frame.time:.3f} s: {frame.line().strip()}" for frame in captured if frame.name == "DAMAGED"]
    differences += [f"{f.time:.3f} s: {f.name} {f.wrong}" for f in captured if f.wrong.startswith("DOES NOT FIT")]
    for name, times in answers.items():
        if times["captured"]["worst"] > ANSWER_MS:
            differences.append(f"{name} took {times['captured']['worst']:.0f} ms at worst; {ANSWER_MS:.0f} are allowed")
    quiet = _longest_quiet(captured)
    if quiet > spec.beat_ms / 1000 + 0.5:
        differences.append(f"the device said nothing for {quiet:.2f} s; it beats every {spec.beat_ms / 1000:g} s")
    differences += _numbering(captured)
    spins = _spins(run, captured) if spec.kind == "wheel" else []
    for spin in spins:
        if spin.captured != spin.simulated:
            told, other = _counted(spin.captured), _counted(spin.simulated)
            differences.append(f"spin {spin.spin}: told {told}; the simulator tells {other}")
    return Comparison(spec.kind, len(captured), answers, round(quiet, 3), spins, differences)


def _counted(names: list[str]) -> str:
    return ", ".join(f"{names.count(name)} {name}" for name in dict.fromkeys(names))


def _answers(passed: list[CapturedFrame], name: str) -> dict[str, float]:
    """How long answers of this kind took after what they answer."""
    asked: dict[int, float] = {}
    took = []
    for frame in passed:
        if frame.way == "out" and frame.name == PAIRS[name]:
            asked.setdefault(frame.number, frame.time)
        elif frame.way == "in" and frame.name == name and frame.number in asked:
            took.append((frame.time - asked.pop(frame.number)) * 1000)
    if not took:
        return {}
    took.sort()
    return {"typical": round(took[len(took) // 2], 3), "worst": round(took[-1], 3)}


def _longest_quiet(passed: list[CapturedFrame]) -> float:
    times = [frame.time for frame in passed if frame.way == "in"]
    return max((after - before for before, after in itertools.pairwise(times)), default=0.0)


def _numbering(passed: list[CapturedFrame]) -> list[str]:
    """Numbers that jump ahead; repeats are the link's business."""
    found = []
    highest = 0
    for frame in passed:
        if frame.name == "IDENTITY":
            highest = 0  # another session may resume anywhere
        elif frame.name == "EVENT" and frame.way == "in":
            if highest and frame.number > highest + 1:
                found.append(f"{frame.time:.3f} s: event {frame.number} came after {highest}")
            highest = max(highest, frame.number)
    return found


# --- the simulator's side ----------------------------------------------------------------------------------------


class _Ears:
    def __init__(self) -> None:
        self.up = False

    def link_up(self, identity: Identity, lost: bool) -> None:
        self.up = True

    def link_down(self, cause: str, remedy: str) -> None: ...

    def link_refused(self, reason: str, remedy: str) -> None: ...

    def event(self, number: int, message: Message) -> None: ...

    def bad_event(self, number: int, text: str) -> None: ...

    def flooding(self, on: bool) -> None:
        """Told to the table elsewhere."""

    def live(self, message: Message) -> None: ...

    def applied(self, outputs: Message) -> None: ...


class _Tape:
    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self.pieces: list[Captured] = []

    def record(self, direction: str, octets: bytes) -> None:
        self.pieces.append(Captured(self._clock.now(), direction, octets.hex()))


def _simulated_session(spec: DeviceSpec) -> Run:
    """What passes when a simulator is identified, set and asked once."""
    clock = VirtualClock()
    wire = Wire(clock, SERIAL_BAUD)
    tape = _Tape(clock)
    if spec.kind in MAKE:
        device = MAKE[spec.kind](clock, wire.device, "SIM", 1)
        device.start()
        ears = _Ears()
        host = HostLink(clock, wire.host, spec, ears, name=spec.kind, recorder=tape)
        host.start()
        clock.run_until(lambda: ears.up, 10.0)
        host.desire(spec.safe)
        for number, command in enumerate(spec.commands.values(), start=1):
            if not command.__struct_fields__:
                host.command(number, command(), lambda *answer: None, 5.0)
        clock.run_for(5.0)
        host.stop()
        device.stop()
    return Run(Heading(1, spec.kind, spec.kind, clock.wall(), 0.0), tape.pieces)


def _spins(run: Run, captured: list[CapturedFrame]) -> list[SpinCompared]:
    verdicts = {event.spin: event.verdict for _, event in replay(run).events if isinstance(event, WheelRested)}
    told: dict[int, list[tuple[float, str]]] = {}
    seen: set[int] = set()
    for frame in captured:
        message = frame.message
        if (
            frame.way == "in"
            and isinstance(message, SpinStarted | TurnPassed | SpinRested)
            and frame.number not in seen
        ):
            seen.add(frame.number)
            told.setdefault(message.spin, []).append((frame.time, type(message).__name__))
    compared = []
    for spin, messages in told.items():
        verdict = verdicts.get(spin)
        if verdict is None or verdict.compartment is None or messages[0][1] != "SpinStarted":
            continue
        script = SpinScript(
            verdict.forward,
            verdict.compartment,
            verdict.offset if verdict.offset is not None else 0.4,
            SENSES[verdict.sense],
            verdict.reversal,
        )
        other = _simulated_spin(script)
        compared.append(
            SpinCompared(spin, [n for _, n in messages], [n for _, n in other], _since(messages), _since(other))
        )
    return compared


def _since(messages: list[tuple[float, str]]) -> list[float]:
    return [round(at - messages[0][0], 3) for at, _ in messages]


def _simulated_spin(script: SpinScript) -> list[tuple[float, str]]:
    clock = VirtualClock()
    wheel = Wheel(clock, Wire(clock, SERIAL_BAUD).device)
    told: list[tuple[float, str]] = []
    post = wheel.link.post

    def noted(message: Message) -> int:
        told.append((clock.now(), type(message).__name__))
        return post(message)

    wheel.link.post = noted  # type: ignore[method-assign]
    wheel.start()
    wheel.play(script)
    clock.run_for(120.0)
    wheel.stop()
    return told


def as_plain(comparison: Comparison) -> dict[str, Any]:
    return {"same": comparison.same, **msgspec.to_builtins(comparison)}
