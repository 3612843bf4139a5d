"""How good the wheel's motion analysis is: random spins with known truth, judged, and the mistakes counted.

Also learns the simulated wheel's profile, the way a technician calibrates a real one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, cast

import msgspec

from drivers.motion import Geometry, SpinVerdict, Trace, WheelProfile, judge, simulated_wheel
from drivers.motion.learn import learn
from firmware_specs.messages.wheel import SpinRested, SpinStarted, TurnPassed
from simulators.wheel_draw import Drawn, draw

COLUMNS = ("named", "wrong", "asked", "under_revs", "not_clear", "interference", "malfunction", "no_spin_seen")


class WheelBench(msgspec.Struct):
    """What came of the spins, by cause; reasons overlap, so a row may add up to more than its spins."""

    spins: int = 0
    wrong_winners: int = 0  # named with a wrong compartment, or on a divider
    missed_short: int = 0  # fewer than three turns and not called
    asked_wrong: int = 0  # asked, with the wrong compartment proposed
    clean_spins: int = 0
    false_alarms: int = 0  # clean, and called touched or broken
    table: dict[str, Counter[str]] = {}
    touches: dict[str, Counter[str]] = {}  # "kind strength" -> spins, noticed
    faults: dict[str, Counter[str]] = {}
    examples: list[str] = []
    wheel_seconds: float = 0.0
    drawing_seconds: float = 0.0
    judging_seconds: float = 0.0

    def add(self, drawn: Drawn, verdict: SpinVerdict | None, geometry: Geometry) -> None:
        """Count one spin."""
        self.spins += 1
        self.wheel_seconds += drawn.motion.end + 1.0
        row = self.table.setdefault(drawn.cause, Counter())
        row["spins"] += 1
        if verdict is None:
            row["no_spin_seen"] += 1
            return
        place = drawn.place
        away = min(place % 1.0, 1.0 - place % 1.0)
        short = drawn.motion.forward < geometry.revolutions * 52 - 1e-9
        for reason in verdict.reasons:
            row[reason] += 1
        if not verdict.reasons:
            right = verdict.compartment == int(place)
            if verdict.clear == "near":
                row["asked"] += 1
                self.asked_wrong += not right
            elif right and away > geometry.dead_band:
                row["named"] += 1
            else:
                row["wrong"] += 1
                self.wrong_winners += 1
                self._example("wrong winner", drawn, verdict)
            if short:
                self.missed_short += 1
                self._example("missed short spin", drawn, verdict)
        self._detect(drawn, verdict, geometry)

    def _detect(self, drawn: Drawn, verdict: SpinVerdict, geometry: Geometry) -> None:
        alarmed = "interference" in verdict.reasons or "malfunction" in verdict.reasons
        if drawn.cause in ("clean", "short", "made") and drawn.motion.reversal <= geometry.reversal:
            self.clean_spins += 1
            self.false_alarms += alarmed
            if alarmed:
                self._example("false alarm", drawn, verdict)
        elif drawn.cause == "touch" and drawn.motion.interfered:
            count = self.touches.setdefault(f"{drawn.kind} {drawn.strength:g}", Counter())
            count["spins"] += 1
            count["noticed"] += "interference" in verdict.reasons
            count["no_spin"] += bool(verdict.reasons)
        elif drawn.cause in ("fault", "slipped"):
            count = self.faults.setdefault(f"{drawn.kind} {drawn.strength:g}", Counter())
            count["spins"] += 1
            count["noticed"] += "malfunction" in verdict.reasons
            count["no_spin"] += bool(verdict.reasons)

    def _example(self, what: str, drawn: Drawn, verdict: SpinVerdict) -> None:
        if len(self.examples) < 20:
            found = "; ".join(finding.text for finding in verdict.findings)
            self.examples.append(
                f"{what}: spin {self.spins}, {drawn.cause} {drawn.kind} {drawn.strength:g}, "
                f"truly {drawn.place:.3f} after {drawn.motion.forward:.3f}, judged {verdict.compartment} "
                f"{verdict.clear} after {verdict.forward:.3f}. {found}"
            )

    def plain(self) -> dict[str, Any]:
        """For --json."""
        return {
            **cast(dict[str, Any], msgspec.to_builtins(self)),
            "spins_per_second": round(self.spins / max(self.drawing_seconds + self.judging_seconds, 1e-9), 1),
            "times_real_time_simulated": round(self.wheel_seconds / max(self.drawing_seconds, 1e-9)),
            "times_real_time_judged": round(self.wheel_seconds / max(self.judging_seconds, 1e-9)),
        }

    def text(self) -> str:
        """For people."""
        lines = [f"{'cause':10}{'spins':>9}" + "".join(f"{column:>14}" for column in COLUMNS)]
        for cause, row in sorted(self.table.items()):
            lines.append(f"{cause:10}{row['spins']:>9}" + "".join(f"{row[column]:>14}" for column in COLUMNS))
        lines += ["", "A hand on the wheel, noticed as interference; in brackets, no spin for any reason:"]
        lines += _rates(self.touches)
        lines += ["", "A faulty sensor, noticed as malfunction; in brackets, no spin for any reason:"]
        lines += _rates(self.faults)
        share = 100 * self.false_alarms / max(self.clean_spins, 1)
        per_spin = 1000 / max(self.spins, 1)
        plain = self.plain()
        lines += [
            "",
            f"wrong winners {self.wrong_winners}, missed short spins {self.missed_short}, "
            f"asked with a wrong proposal {self.asked_wrong}",
            f"false alarms {self.false_alarms} of {self.clean_spins} untouched spins ({share:.4f} %)",
            f"simulated in {per_spin * self.drawing_seconds:.2f} ms a spin "
            f"({plain['times_real_time_simulated']} x real time), judged in {per_spin * self.judging_seconds:.2f} ms "
            f"({plain['times_real_time_judged']} x), {plain['spins_per_second']} spins/s",
        ]
        return "\n".join([*lines, *self.examples])


def _rates(counts: dict[str, Counter[str]]) -> list[str]:
    lines = []
    for name, count in sorted(counts.items(), key=_by_strength):
        kind, strength = name.split()
        spins = count["spins"]
        lines.append(
            f"  {kind:16}{strength:>8}  {100 * count['noticed'] / spins:6.1f} %  "
            f"({100 * count['no_spin'] / spins:5.1f} %)  of {spins}"
        )
    return lines


def _by_strength(item: tuple[str, Counter[str]]) -> tuple[str, float]:
    kind, strength = item[0].split()
    return kind, float(strength)


def trace_of(drawn: Drawn) -> Trace:
    """The evidence as the driver would put it together."""
    started, *turns, rested = drawn.messages
    return Trace.from_messages(cast(SpinStarted, started), cast(list[TurnPassed], turns), cast(SpinRested, rested))


def run_wheel_bench(
    spins: int,
    seed: int,
    profile: WheelProfile | None = None,
    geometry: Geometry | None = None,
    progress: Callable[[int], None] | None = None,
    stopwatch: Callable[[], float] = lambda: 0.0,
) -> WheelBench:
    """Judge so many random spins; `progress` hears of every hundredth, `stopwatch` times drawing and judging."""
    profile, geometry = profile or simulated_wheel(), geometry or Geometry()
    bench = WheelBench()
    began = stopwatch()
    for drawn in draw(seed, spins):
        made = stopwatch()
        bench.drawing_seconds += made - began
        verdict = judge(trace_of(drawn), profile, geometry) if drawn.messages else None
        bench.judging_seconds += stopwatch() - made
        bench.add(drawn, verdict, geometry)
        if progress is not None and bench.spins % 100 == 0:
            progress(bench.spins)
        began = stopwatch()
    return bench


def learn_simulated(seed: int = 52, spins: int = 400, learnt: str = "2026-01-01") -> WheelProfile:
    """Calibrate the simulated wheel from clean spins, with somebody reading the compartment at rest."""
    traces: list[Trace] = []
    resting: dict[int, int] = {}
    for drawn in draw(seed, spins, only="clean"):
        if 0.2 < drawn.place % 1.0 < 0.8:
            resting[len(traces)] = int(drawn.place)
        traces.append(trace_of(drawn))
    return learn(traces, resting, "simulated", learnt)
