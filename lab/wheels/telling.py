"""What a sensor by the spec tells of such a spin: pitch times, index marks, pegs, the approach, all with error."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from math import floor
from random import Random

from firmware_specs.messages.wheel import Sense, SpinRested, SpinStarted, TurnPassed
from lab.wheels.body import PLACES, Run
from lab.wheels.sensor import Sensor, Told

COUNTS = 160
ROUND = COUNTS * PLACES
STAMPS = 50_000  # a second
SAMPLE_S = 0.02
SAMPLES = 160


def tell(run: Run, sense: int, number: int, sensor: Sensor, rng: Random, *, homed: bool = True) -> Told:
    """The messages of one spin."""
    return _Teller(run, sense, number, sensor, rng, homed).tell()


class _Teller:
    def __init__(self, run: Run, sense: int, number: int, sensor: Sensor, rng: Random, homed: bool) -> None:
        self.run, self.sense, self.number, self.sensor, self.rng, self.homed = run, sense, number, sensor, rng, homed
        self.zero = sensor.ring.reads(sensor.index_at)
        angle = (sensor.ring.reads(sense * run.start) - self.zero) * COUNTS
        self.angle = floor(angle) % ROUND
        self.phase = (sense * angle) % 1.0  # of a count, in the launch sense
        self.began = sense * sensor.ring.reads(sense * run.start)

    def counts(self, x: float) -> int:
        """Net counts in the launch sense from the rest angle."""
        reading = self.sense * self.sensor.ring.reads(self.sense * x)
        return floor(self.phase + (reading - self.began) * COUNTS)

    def tell(self) -> Told:
        run, gauss, jitter = self.run, self.rng.gauss, self.sensor.jitter_s * STAMPS
        peak = max(0, self.counts(run.peak))
        stamps = [round(t * STAMPS + gauss(0.0, jitter)) for t in run.crossings]
        last = round(run.end * STAMPS)  # a pitch that was complete by less than a count
        stamps += [last] * (peak // COUNTS + 1 - len(stamps))
        pitches = [min(max(b - a, 1), 65535) for a, b in pairwise(stamps)]
        del pitches[peak // COUNTS :]
        sense = Sense.CLOCKWISE if self.sense > 0 else Sense.ANTICLOCKWISE
        drawn = max(0, -self.counts(run.lowest))
        started = SpinStarted(self.number, self.angle, sense, self.homed, min(drawn, 65535))
        turns = len(pitches) // PLACES
        marks = self._index_marks()
        told: list[TurnPassed] = []
        snaps = self._ticks()
        at = 0
        for turn in range(1, turns + 1):
            edge = turn * ROUND
            upto = at
            while upto < len(snaps) and snaps[upto] <= edge:
                upto += 1
            index, indexes = self._index(marks, edge - ROUND, edge)
            count, phase, spread = self._mean(snaps[at:upto])
            at = upto
            first = (turn - 1) * PLACES
            told.append(TurnPassed(self.number, turn, tuple(pitches[first : first + PLACES]), index, indexes, count,
                                   phase, spread, 0))  # fmt: skip
        index, indexes = self._index(marks, turns * ROUND, peak)
        if self.sensor.mark_each_way:
            indexes += self._again()
        count, phase, spread = self._mean(snaps[at:])
        rested = SpinRested(
            spin=self.number, turns=turns, gap=False, pitches=tuple(pitches[turns * PLACES :][:51]),
            lowest=min(0, self.counts(run.lowest)), peak=peak, rest=self.counts(run.rest), still=1000,
            index=index, indexes=indexes, ticks=count, back_ticks=min(run.back_snaps, 255), tick_phase=phase,
            tick_spread=spread, illegal=0, stray=0, deflection=round(100 * run.bent), approach=self._approach(),
        )  # fmt: skip
        return started, told, rested

    def _index_marks(self) -> list[int]:
        """Counts into the spin at which the index mark passed."""
        run = self.run
        mark = self.sense * self.sensor.index_at
        turn = floor((run.start - mark) / PLACES) + 1
        found = []
        while mark + turn * PLACES <= run.peak:
            found.append(self.counts(mark + turn * PLACES))
            turn += 1
        return found

    def _again(self) -> int:
        """How often the mark passed on the way back from the peak, and on the way out again."""
        mark = self.sense * self.sensor.index_at
        mark += floor((self.run.peak - mark) / PLACES) * PLACES
        places = [x for _, x in self.run.late]
        back = places[places.index(max(places)) :] if places else []
        return sum((one < mark) != (two < mark) for one, two in pairwise(back))

    def _index(self, marks: list[int], first: int, last: int) -> tuple[int, int]:
        within = [mark for mark in marks if first < mark <= last]
        if not within:
            return 0, 0
        return floor(self.rng.gauss(0.0, self.sensor.index_jitter)), len(within)

    def _ticks(self) -> list[float]:
        """Counts into the spin at which each peg was told to have left the blade."""
        sense, sensor, gauss = self.sense, self.sensor, self.rng.gauss
        reads, late, jitter = sensor.ring.reads, sensor.tick_late_s, sensor.tick_jitter
        phase, began = self.phase, self.began
        return [
            phase + (sense * reads(sense * x) + v * late - began) * COUNTS + gauss(0.0, jitter)
            for x, v in self.run.snaps
        ]

    def _mean(self, snaps: list[float]) -> tuple[int, int, int]:
        if not snaps:
            return 0, 0, 0
        angles = [self.angle + self.sense * snap for snap in snaps]
        first = angles[0] % COUNTS
        away = [(angle - first + COUNTS / 2) % COUNTS - COUNTS / 2 for angle in angles]
        mean = sum(away) / len(away)
        spread = max(max(away) - mean, mean - min(away))
        return min(len(snaps), 255), floor(first + mean) % COUNTS, min(round(spread), 255)

    def _approach(self) -> tuple[int, ...]:
        """Counts per 20 ms over the last 3.2 s."""
        run = self.run
        times = [t for t, _ in run.late]
        counts = []
        for n in range(SAMPLES + 1):
            t = run.end + (n - SAMPLES) * SAMPLE_S
            at = bisect_right(times, t) - 1
            if at >= 0:
                counts.append(self.counts(run.late[at][1]))
            else:
                counts.append(self._passed(t))
        return tuple(b - a for a, b in pairwise(counts))

    def _passed(self, t: float) -> int:
        """Counts at a time before the wheel was slow, between two pitches."""
        crossings = self.run.crossings
        at = bisect_right(crossings, t) - 1
        if at < 0:
            return 0
        if at + 1 >= len(crossings):
            return at * COUNTS
        return at * COUNTS + floor(COUNTS * (t - crossings[at]) / max(crossings[at + 1] - crossings[at], 1e-9))
