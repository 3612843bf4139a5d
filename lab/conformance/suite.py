"""The suite itself: steps in order, each passed, failed or not tried, with the frames around a failure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

import msgspec

from firmware_specs import link
from firmware_specs.clock import DeadlineMissed, Deadlock
from firmware_specs.declaration import Declaration
from firmware_specs.port import PortTrouble
from firmware_specs.spec import BadMessage, DeviceSpec
from lab.conformance.bodies import Bodies
from lab.conformance.probe import Failed, NotTried, Probe
from lab.conformance.stimulus import Stimulus
from lab.sim.loop_clock import SteppedClock

Verdict = Literal["passed", "failed", "not tried"]
EARLY_S = 0.03
"""A timer of a device may be this much short: clocks are not made alike."""
SLOW_LINE = 1500.0
"""Bytes a second that every line carries."""
LATE_S = 0.3
"""And this much long, for a device that looks at its clock now and then."""


class StepResult(msgspec.Struct, frozen=True):
    """What came of one step."""

    step: str
    title: str
    section: str
    verdict: Verdict
    text: str = ""
    sentences: tuple[str, ...] = ()  # of the link's page
    seconds: float = 0.0
    frames: list[str] = []


class Report(msgspec.Struct, frozen=True):
    """What came of all steps, against which device."""

    device: str
    port: str
    serial: str
    firmware: str
    spec: str
    steps: list[StepResult]
    remarks: list[str] = []  # what this run could not show
    wall_ms: int = 0  # when it ended, by the tester's clock

    def count(self, verdict: Verdict) -> int:
        return sum(step.verdict == verdict for step in self.steps)

    @property
    def ok(self) -> bool:
        return not self.count("failed") and bool(self.count("passed"))


class Trial:
    """What a step is given."""

    def __init__(self, probe: Probe, declaration: Declaration, stimulus: Stimulus) -> None:
        self.probe = probe
        self.spec: DeviceSpec = probe.spec
        self.clock: SteppedClock = probe.clock
        self.declaration = declaration
        self.bodies = Bodies(declaration)
        self.stimulus = stimulus
        self.late = LATE_S + probe.slack
        self.early = EARLY_S + probe.slack
        self._command_id = 0

    @property
    def many(self) -> int:
        """So many events fill more than a window, and every device can hold them."""
        return min(link.WINDOW_EVENTS + 12, self.declaration.least_events)

    @staticmethod
    def line_s(octets: int) -> float:
        """What a long frame may take on a slow line, or until an emulated board has heard all of it."""
        return octets / SLOW_LINE

    def next_id(self) -> int:
        """A command id that was not used before in this run."""
        self._command_id += 1
        return (0x7E57_0000 ^ (self.probe.known.boot & 0xFFFF) << 8) + self._command_id

    def hold_events(self, count: int) -> tuple[int, int]:
        """Have the device hold at least so many events, with nothing accepted; the oldest and the next number."""
        probe = self.probe
        if self.stimulus.costs_nothing:
            probe.drain()
        identity = probe.hello()
        missing = count - (identity.next - identity.oldest)
        if missing > 0:
            self.stimulus.events(missing)
            wanted = identity.next + missing

            def numbered() -> bool:
                return probe.hello().next >= wanted

            until = self.clock.now() + 3.0 + probe.slack
            while not numbered():
                if self.clock.now() > until:
                    raise Failed(f"{missing} events were asked for, and IDENTITY still says next is {probe.known.next}")
                probe.rest(0.1)
        return probe.known.oldest, probe.known.next

    def outputs_body(self, extreme: Literal["lowest", "highest", "middle"] = "middle") -> bytes:
        return self.bodies.body(self.declaration.outputs_message, extreme)

    def unsafe_outputs(self) -> list[tuple[str, int, bytes]]:
        """For each output its name, its hold in milliseconds, and a SET body in which it alone is not safe."""
        found = []
        safe = self.spec.safe
        for output in self.declaration.outputs:
            for extreme in ("highest", "lowest"):
                made = self.spec.outputs.decode(self.outputs_body(extreme))
                value = getattr(made, output.field.name)
                if value != getattr(safe, output.field.name):
                    changed = msgspec.structs.replace(safe, **{output.field.name: value})
                    found.append((output.field.name, output.hold_ms, changed.encode()))
                    break
        return found

    def needs_outputs(self) -> None:
        if not self.declaration.outputs:
            raise NotTried("this device has no outputs")

    def needs_commands(self) -> None:
        if not self.declaration.commands:
            raise NotTried("this device has no commands")


StepFunction = Callable[[Trial], None]


class Step(msgspec.Struct, frozen=True):
    """One thing to try: its name, what it shows, and the section of the link's page that asks for it."""

    name: str
    title: str
    section: str
    run: StepFunction
    sentences: tuple[str, ...] = ()


class Steps(list[Step]):
    """The steps of one part of the link, in order."""

    def __init__(self, part: str, section: str) -> None:
        super().__init__()
        self._part = part
        self._section = section

    def step(self, *sentences: str) -> Callable[[StepFunction], StepFunction]:
        """Take a function as a step that tries these; its docstring is the title.

        They are numbered sentences of the link's page, notes of a device's own page (`shoe N2`), or messages whose
        meaning that page tells.
        """

        def take(function: StepFunction) -> StepFunction:
            title = (function.__doc__ or "").strip().rstrip(".")
            self.append(Step(f"{self._part}.{function.__name__}", title, self._section, function, sentences))
            return function

        return take


def all_steps() -> list[Step]:
    from lab.conformance import (
        commands,
        events,
        hostile,
        identify,
        kinds,
        memory,
        notes,
        outputs,
        pairing,
        restart,
        sealing,
        shufflers,
        timing,
    )

    parts = (
        *(identify, pairing, sealing, events, memory, commands, outputs),
        *(restart, kinds, shufflers, notes, timing, hostile),
    )
    return [step for part in parts for step in part.STEPS]


def conform(
    probe: Probe,
    declaration: Declaration,
    stimulus: Stimulus,
    steps: Iterable[Step] | None = None,
    on_step: Callable[[StepResult], None] | None = None,
) -> Report:
    """Run the suite; whatever goes wrong in a step is that step's failure, and the next begins afresh."""
    trial = Trial(probe, declaration, stimulus)
    results: list[StepResult] = []
    told: dict[str, str] = {}  # what went wrong, and the step that told it first
    probe.open()
    try:
        for step in all_steps() if steps is None else steps:
            results.append(_told_once(_try(step, trial), told))
            if on_step is not None:
                on_step(results[-1])
    finally:
        probe.close()
    who = probe.identity
    return Report(
        device=probe.spec.kind,
        port=probe.port.name,
        serial=who.serial if who else "",
        firmware=who.firmware if who else "",
        spec=f"version {probe.spec.version}, digest {probe.spec.digest.hex()}",
        steps=results,
        remarks=_remarks(probe),
        wall_ms=probe.clock.wall(),
    )


def _remarks(probe: Probe) -> list[str]:
    """What a clock that runs faster than the device's own, or a slow line, can no longer tell."""
    speed = getattr(probe.clock, "speed", 1.0)
    if speed == 1.0:
        return []
    off = round(1000 * (LATE_S + probe.slack))
    return [
        f"At speed {speed:g} the device's times are tried only to within {off} ms of its own clock "
        f"({round(1000 * LATE_S)} ms at speed 1): a timer that is wrong by less than that was not noticed, nor one "
        "that is wrong on the device's real clock."
    ]


def _told_once(result: StepResult, told: dict[str, str]) -> StepResult:
    """One cause is told with its frames where it was met first; later steps only point there."""
    if result.verdict != "failed":
        return result
    first = told.setdefault(result.text, result.step)
    if first == result.step:
        return result
    return msgspec.structs.replace(result, text=f"the same as in {first}: {result.text}", frames=[])


def _try(step: Step, trial: Trial) -> StepResult:
    probe = trial.probe
    begun, since = trial.clock.now(), probe.mark()
    verdict: Verdict = "passed"
    text = ""
    damaged = probe.damaged
    try:
        step.run(trial)
        if probe.damaged > damaged:
            raise Failed(f"the device sent damaged frames: {probe.why_damaged()}")
    except NotTried as reason:
        verdict, text = "not tried", str(reason)
    except (Failed, BadMessage, PortTrouble, Deadlock, DeadlineMissed) as wrong:
        verdict, text = "failed", str(wrong) or type(wrong).__name__
    except Exception as stumbled:  # a device may say what no step thought of
        verdict, text = "failed", f"what it said makes no sense here ({type(stumbled).__name__}: {stumbled})"
    frames = probe.last_frames(min(64, probe.mark() - since)) if verdict == "failed" else []
    seconds = round(trial.clock.now() - begun, 3)
    return StepResult(step.name, step.title, step.section, verdict, text, step.sentences, seconds, frames)
