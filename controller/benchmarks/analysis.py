"""The wheel's motion analysis: how often it is wrong, and how fast it is."""

from __future__ import annotations

from collections.abc import Iterator

from controller.benchmarks.measure import Line, line, stopwatch
from controller.proving.wheel_bench import run_wheel_bench

GOAL = 100


def run(quick: bool) -> Iterator[Line]:
    """Wrong winners and missed short spins among random noisy spins; `tablectl bench wheel --spins` for more."""
    spins = 500 if quick else 2000
    found = run_wheel_bench(spins, 7, stopwatch=stopwatch)
    wrong = found.wrong_winners + found.missed_short
    yield line(
        "wheel_wrong", wrong, "spins", "0 wrong winners, 0 missed short spins", wrong == 0,
        spins=spins, wrong_winners=found.wrong_winners, missed_short=found.missed_short,
        false_alarms=found.false_alarms, untouched=found.clean_spins, asked_wrong=found.asked_wrong,
    )  # fmt: skip
    speed = found.wheel_seconds / found.judging_seconds
    drawn = found.wheel_seconds / found.drawing_seconds
    yield line(
        "wheel_analysis_speed", round(speed), "x real time", f"over {GOAL} x", speed > GOAL, better="more",
        ms_a_spin=round(1000 * found.judging_seconds / spins, 3), simulated_x=round(drawn),
    )  # fmt: skip
