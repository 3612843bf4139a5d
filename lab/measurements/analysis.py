"""The wheel's motion analysis: how often it is wrong, on our own wheel and on others, and how fast it is."""

from __future__ import annotations

from collections.abc import Iterator

from lab.measurements.measure import Line, cpu_time, line, stopwatch
from lab.proofs.wheel_bench import run_wheel_bench
from lab.wheels import report
from lab.wheels.chance import interval
from lab.wheels.evening import play

GOAL = 100
MOST_MS = 20.0


def run(quick: bool) -> Iterator[Line]:
    """Wrong winners, missed short spins, false alarms, hands noticed; `tablectl bench wheel` tells and plays more."""
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
    yield from _others(quick)


def _others(quick: bool) -> Iterator[Line]:
    """On wheels that are not ours."""
    kinds = report.kinds()[::4] if quick else report.kinds()
    tallies = play("bench", 1, 100 if quick else 250, kinds, cpu_time)
    everything = report.total(tallies)
    wrong = everything.wrong + everything.missed_short
    yield line(
        "wheel_others_wrong", wrong, "spins", "0 wrong winners, 0 missed short spins", wrong == 0,
        spins=everything.spins, kinds=len(kinds),
    )  # fmt: skip
    low, high = interval(everything.false_alarms, everything.clean)
    share = 100 * everything.false_alarms / everything.clean
    yield line(
        "wheel_others_false", round(share, 3), "% of natural spins", "95 % interval reaching down to 0.1 %",
        low <= report.FALSE, untouched=everything.clean, low=round(100 * low, 3), high=round(100 * high, 3),
    )  # fmt: skip
    hands = [count for kind, at, count in report.hands(everything) if (kind, at) in (("brake", 0.3), ("rigged", 0.1))]
    noticed, of = sum(count["noticed"] for count in hands), sum(count["spins"] for count in hands)
    yield line(
        "wheel_others_noticed", round(100 * noticed / of, 1), "% of brake 0.3 and rigged 0.1", "at least 90 %",
        noticed >= report.NOTICED * of, better="more", spins=of,
    )  # fmt: skip
    milliseconds = 1000 * everything.judging_s / everything.spins
    yield line(
        "wheel_others_ms", round(milliseconds, 2), "ms of one core a spin", f"under {MOST_MS:g} ms",
        milliseconds < MOST_MS, bytes=everything.most_bytes,
    )  # fmt: skip
