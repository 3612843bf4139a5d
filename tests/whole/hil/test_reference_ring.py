"""The wheel sensor in C watches a ring that turns as the simulated wheel does: its evidence gives the same verdicts."""

from __future__ import annotations

from math import floor
from pathlib import Path

import pytest

from drivers.motion import Geometry, SpinVerdict, Trace, judge, simulated_wheel
from firmware_specs import link
from firmware_specs.clock import VirtualClock
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.messages.wheel import SPEC, Moved, SpinRested, SpinStarted, TurnPassed
from firmware_specs.spec import Message
from simulators.wheel_physics import Motion, WheelBody
from simulators.wheel_script import SpinScript, perform
from simulators.wheel_sensor import PITCH, RING, Mounting, deflection
from simulators.wire import Wire
from tests.reference import Reference, build_library

STEP_S = 0.001
STILL_S = 1.5


class RingOfTheWheel:
    """A simulated wheel whose ring, index mark and indicator are wired to the sensor in C."""

    def __init__(self, library: Path) -> None:
        self.clock = VirtualClock()
        self.wire = Wire(self.clock, None)
        self.heard: list[bytes] = []
        self.device = Reference(library, "wheel", self.clock, self.wire.device)
        self.device.start()
        self.body, self.mounting = WheelBody(), Mounting()
        self.now = 0.0
        self.count = 0
        self.second = 0  # counts after the index mark at which another one passes, if any does
        self.decoder = FrameDecoder()
        self.wire.host.open(self._on_bytes, lambda trouble: None)
        self._say(link.Hello(9, 0, 0).encode())
        self._accept()

    def _on_bytes(self, octets: bytes) -> None:
        self.heard += self.decoder.feed(octets)

    def _say(self, content: bytes) -> None:
        self.wire.host.write(encode_frame(content))
        self.clock.run_for(0.001)

    def _accept(self) -> None:
        self.epoch = next(link.Identity.decode(c) for c in self.heard if c[0] == link.IDENTITY and c[2]).epoch
        self._say(link.encode_ack(self.epoch, 0, 0))

    def _count(self, place: float) -> int:
        return floor((place - self.mounting.index_at) * PITCH)

    def _go(self, count: int, marks: list[tuple[int, str]], bent: int) -> None:
        """The ring goes to this count within a millisecond, past index marks and pegs at theirs."""
        self.now += STEP_S
        ticks = round(self.now * 50_000)
        for at, what in sorted(marks, reverse=count < self.count):
            self.device.ring(ticks, at - self.count, what == "index", int(what == "peg"), bent)
            self.count = at
        self.device.ring(ticks, count - self.count, False, 0, bent)
        self.count = count

    def _by_hand(self, place: float) -> None:
        """Turn it slowly to a place, the short way round, and let it stand."""
        goal = self._count(place)
        goal += RING * round((self.count - goal) / RING)
        while self.count != goal:
            self._step(goal)
        for _ in range(round(STILL_S / STEP_S)):
            self._go(self.count, [], 0)

    def _step(self, goal: int) -> None:
        count = self.count + max(-3, min(3, goal - self.count))
        self._go(count, [(mark, "index") for mark in self._marks(self.count, count)], 0)

    def _marks(self, before: int, after: int) -> list[int]:
        low, high = sorted((before, after))
        turns = range(low // RING - 1, high // RING + 2)
        places = {RING * turn + further for turn in turns for further in (0, self.second)}
        return sorted(place for place in places if low < place <= high)

    def dither(self, seconds: float, every: float = 0.8) -> list[Message]:
        """It stands on the edge between two counts and shows now the one, now the other."""
        home, step = self.count, 0
        while step * STEP_S < seconds:
            step += 1
            self._go(home + int(step * STEP_S / every) % 2, [], 0)
        return self._taken()

    def turn(self, motion: Motion, sense: int, still: float = STILL_S, first: tuple[int, ...] = ()) -> list[Message]:
        """Let the wheel do this, first moved to and fro by so many counts; what the sensor told of it."""
        self._by_hand(sense * motion.start)
        self._taken()
        here = self.count
        for away in first:
            while self.count != here + sense * away:
                self._step(here + sense * away)
        release = self.body.release_after
        offset = self.count - self._count(sense * motion.start)  # whole turns
        before = peak = motion.start
        for step in range(1, round((motion.end + still) / STEP_S)):
            t = step * STEP_S
            y = motion.at(min(t, motion.end))[0]
            peak = max(peak, y)
            count = self._count(sense * y) + offset
            marks = [(mark, "index") for mark in self._marks(self.count, count)]
            pegs = range(floor(before - release) + 1, floor(y - release) + 1)
            at = release
            if y < before:  # a peg falls back over the indicator
                pegs, at = range(floor(y + release) + 1, floor(before + release) + 1), -release
            marks += [(self._count(sense * (peg + at)) + offset, "peg") for peg in pegs]
            before = y
            self._go(count, marks, deflection(peak, motion.rest, self.body) if t >= motion.end else 0)
        return self._taken()

    def _taken(self) -> list[Message]:
        """What was told since the last time, acknowledged."""
        self.clock.run_for(0.1)
        events = [content for content in self.heard if content[0] == link.EVENT]
        self.heard.clear()
        numbered = {link.unpack_event(content)[1]: content for content in events}
        if numbered:
            self._say(link.encode_ack(self.epoch, max(numbered), max(numbered)))
        return [SPEC.events[content[5]].decode(content[6:]) for content in numbered.values()]

    def trace(self, script: SpinScript) -> Trace:
        told = self.turn(perform(script, self.body), 1 if script.sense > 0 else -1)
        started, *turns, rested = told
        assert isinstance(started, SpinStarted)
        assert isinstance(rested, SpinRested)
        assert all(isinstance(turn, TurnPassed) for turn in turns)
        return Trace.from_messages(started, turns, rested)  # type: ignore[arg-type]

    def verdict(self, script: SpinScript) -> SpinVerdict:
        return judge(self.trace(script), simulated_wheel(), Geometry())


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> RingOfTheWheel:
    ring = RingOfTheWheel(build_library(tmp_path_factory.mktemp("reference")))
    ring.turn(perform(SpinScript(forward=200), ring.body), 1)  # finds the index mark
    return ring


@pytest.mark.parametrize(
    "script",
    [
        SpinScript(forward=210, compartment=0),
        SpinScript(forward=170, compartment=31, offset=0.5, sense=-1),
        SpinScript(forward=260, compartment=51, offset=0.7),
        SpinScript(forward=190, compartment=17, offset=0.3, reversal=0.3),
        SpinScript(forward=200, compartment=9, offset=0.6, sense=-1, wind_up=3.0),
    ],
    ids=["clockwise", "anticlockwise", "long", "rebound", "drawn back first"],
)
def test_a_good_spin_is_judged_good_and_rests_where_it_rests(ring: RingOfTheWheel, script: SpinScript) -> None:
    verdict = ring.verdict(script)
    assert verdict.reasons == (), verdict.findings
    assert verdict.compartment == script.compartment
    assert verdict.forward == pytest.approx(script.forward, abs=0.1)
    assert verdict.sense == ("clockwise" if script.sense > 0 else "anticlockwise")


SWINGS_BACK = (
    SpinScript(forward=200, compartment=17, offset=0.7, reversal=0.4),
    SpinScript(forward=200, compartment=17, offset=0.6, sense=-1, reversal=0.4),
    SpinScript(forward=200, compartment=17, offset=0.6, sense=-1, reversal=0.4, wind_up=3.0),
)


@pytest.mark.parametrize("script", SWINGS_BACK, ids=["clockwise", "anticlockwise", "drawn back first"])
def test_a_wheel_that_swings_back_over_its_index_mark_has_passed_it_once(
    ring: RingOfTheWheel, script: SpinScript
) -> None:
    trace = ring.trace(script)
    assert trace.tail.indexes == 1
    verdict = judge(trace, simulated_wheel(), Geometry())
    assert (verdict.reasons, verdict.compartment) == ((), 17), verdict.findings


@pytest.mark.parametrize("second", [1, 5, 400])
@pytest.mark.parametrize("sense", [1, -1])
def test_an_index_mark_that_signals_twice_on_the_way_out_is_refused(
    ring: RingOfTheWheel, sense: int, second: int
) -> None:
    ring.second = second
    try:
        verdict = ring.verdict(SpinScript(forward=200, compartment=30, sense=sense))
    finally:
        ring.second = 0
    assert verdict.reasons == ("malfunction",)
    assert verdict.findings[0].kind in ("index_missing", "index_shifted")


@pytest.mark.parametrize("sense", [1, -1])
def test_a_hand_that_moves_the_wheel_to_and_fro_over_the_mark_before_it_lets_go_has_passed_it_once(
    ring: RingOfTheWheel, sense: int
) -> None:
    mark, forward = sense * ring.mounting.index_at, 200.0
    forward += (perform(SpinScript(forward, 30, sense=sense), ring.body).start - mark + 20 / PITCH) % 52
    launch = perform(SpinScript(forward, 30, sense=sense), ring.body)  # begins twenty counts before the mark
    started, *turns, _ = ring.turn(launch, sense, first=(30, 5, 30, -40, 25, 0))
    assert isinstance(started, SpinStarted)
    assert [turn.indexes for turn in turns if isinstance(turn, TurnPassed)] == [1] * len(turns)


def test_a_short_spin_is_told_as_short(ring: RingOfTheWheel) -> None:
    assert ring.verdict(SpinScript(forward=140, compartment=3)).reasons == ("under_revs",)


def test_a_braked_spin_is_told_as_touched(ring: RingOfTheWheel) -> None:
    verdict = ring.verdict(SpinScript(forward=210, compartment=20, touch="brake", at_revolution=2.0))
    assert "interference" in verdict.reasons


def test_a_wheel_turned_by_hand_is_no_spin(ring: RingOfTheWheel) -> None:
    told = ring.turn(perform(SpinScript(forward=6, compartment=10), ring.body), 1)
    assert [type(message) for message in told] == [Moved]


def test_a_wheel_on_the_edge_of_a_count_rests(ring: RingOfTheWheel) -> None:
    """A count that goes to and fro at 0.6 Hz was taken for a wheel that never stopped."""
    told = ring.turn(perform(SpinScript(forward=200, compartment=12), ring.body), 1, still=0.3)
    assert not any(isinstance(message, SpinRested) for message in told)
    told = ring.dither(5)
    assert [type(message) for message in told] == [SpinRested]
    assert ring.dither(10) == []


def test_a_wheel_that_creeps_does_not_rest(ring: RingOfTheWheel) -> None:
    ring.turn(perform(SpinScript(forward=200, compartment=12), ring.body), 1, still=0.3)
    for _ in range(3000):
        ring._go(ring.count + 1, [], 0) if _ % 300 == 0 else ring._go(ring.count, [], 0)
    assert ring._taken() == []
    assert [type(message) for message in ring.dither(3)] == [SpinRested]
