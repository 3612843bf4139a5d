"""Records that cannot be: gaps, doubled or reversed turns, impossible speed, another ring: no winner is named."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from drivers.events import DeviceTrouble
from drivers.wheel import WheelRested
from firmware_specs.messages.wheel import SpinRested, SpinStarted, TurnPassed
from firmware_specs.spec import Message
from lab.wheels.body import Hand, HandKind
from lab.wheels.evening import calibrated
from lab.wheels.population import KINDS, OneWheel
from tests.drivers.wheel_bench import Bench

Spoilt = Callable[[SpinStarted, list[TurnPassed], SpinRested], list[Message]]

WHEEL = OneWheel(next(kind for kind in KINDS if kind.name == "heavy air"), "bad records")
PROFILE = calibrated(WHEEL)
replace = msgspec.structs.replace


def a_turn_missing(started: SpinStarted, turns: list[TurnPassed], rested: SpinRested) -> list[Message]:
    return [started, *turns[:2], *turns[3:], rested]


def a_gap_told(started: SpinStarted, turns: list[TurnPassed], rested: SpinRested) -> list[Message]:
    return [started, *turns, replace(rested, gap=True)]


def a_turn_doubled(started: SpinStarted, turns: list[TurnPassed], rested: SpinRested) -> list[Message]:
    return [started, *turns[:2], turns[1], *turns[2:], rested]


def turns_reversed(started: SpinStarted, turns: list[TurnPassed], rested: SpinRested) -> list[Message]:
    return [started, turns[1], turns[0], *turns[2:], rested]


def faster_than_any_wheel(started: SpinStarted, turns: list[TurnPassed], rested: SpinRested) -> list[Message]:
    return [started, turns[0], replace(turns[1], pitches=(100,) * 52), *turns[2:], rested]


def another_ring(started: SpinStarted, turns: list[TurnPassed], rested: SpinRested) -> list[Message]:
    """Counts of a ring of 4,160."""
    return [started, *turns, replace(rested, peak=rested.peak // 2, rest=rested.rest // 2)]


def a_turn_of_another_length(started: SpinStarted, turns: list[TurnPassed], rested: SpinRested) -> list[Message]:
    return [started, turns[0], replace(turns[1], pitches=turns[1].pitches[:40]), *turns[2:], rested]


def an_end_of_another_spin(started: SpinStarted, turns: list[TurnPassed], rested: SpinRested) -> list[Message]:
    return [started, *turns, replace(rested, spin=rested.spin + 5)]


def a_rest_beyond_its_peak(started: SpinStarted, turns: list[TurnPassed], rested: SpinRested) -> list[Message]:
    return [started, *turns, replace(rested, rest=rested.peak + 40)]


SPOILT: tuple[Spoilt, ...] = (
    a_turn_missing, a_gap_told, a_turn_doubled, turns_reversed, faster_than_any_wheel, another_ring,
    a_turn_of_another_length, an_end_of_another_spin, a_rest_beyond_its_peak,
)  # fmt: skip


class OffSpec:
    """A turn of which one pitch took no time, as a broken sensor might send it."""

    ID = TurnPassed.ID

    def __init__(self, turn: TurnPassed) -> None:
        marked = replace(turn, pitches=(*turn.pitches[:20], 0x7A7A, *turn.pitches[21:])).encode()
        assert marked.count(b"\x7a\x7a") == 1
        self.bytes = marked.replace(b"\x7a\x7a", b"\0\0")

    def encode(self) -> bytes:
        return self.bytes


def plain_spin(bench: Bench) -> WheelRested:
    started, turns, rested = WHEEL.spin(slowest=1.2).told
    return bench.tell([started, *turns, rested])


@pytest.mark.clause("melbourne-wheel", "7.1.3")
@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__)
def test_a_record_that_cannot_be_names_no_winner_says_what_is_wrong_and_the_next_spin_stands(spoil: Spoilt) -> None:
    bench = Bench(PROFILE)
    started, turns, rested = WHEEL.spin(slowest=1.2).told
    told = bench.tell(spoil(started, turns, rested))
    assert told.verdict.compartment is None
    assert not told.verdict.valid
    assert {"malfunction"} <= set(told.verdict.reasons), told.verdict.findings
    assert all(found.text for found in told.verdict.findings)
    assert bench.driver.natural == PROFILE.natural  # nothing is learnt from it
    for _ in range(3):
        after = plain_spin(bench)
    assert "malfunction" not in after.verdict.reasons, after.verdict.findings


@pytest.mark.clause("melbourne-wheel", "7.1.3")
def test_a_turn_in_which_time_stands_does_not_fit_the_spec_and_its_spin_names_no_winner() -> None:
    bench = Bench(PROFILE)
    started, turns, rested = WHEEL.spin(slowest=1.2).told
    told = bench.tell([started, turns[0], OffSpec(turns[1]), *turns[2:], rested])  # type: ignore[list-item]
    assert (told.verdict.compartment, told.verdict.reasons) == (None, ("malfunction",))
    (trouble,) = bench.journal.of(DeviceTrouble)
    assert isinstance(trouble, DeviceTrouble)
    assert (trouble.code, "firmware" in trouble.remedy) == ("bad_message", True)
    assert "malfunction" not in plain_spin(bench).verdict.reasons


@pytest.mark.clause("melbourne-wheel", "7.1.3")
def test_a_record_whose_times_run_backwards_stands_against_the_spin() -> None:
    bench = Bench(PROFILE)
    started, turns, rested = WHEEL.spin(slowest=1.2).told
    pitches = [pitch for turn in reversed(turns) for pitch in reversed(turn.pitches)]
    made = [replace(turn, pitches=tuple(pitches[52 * n : 52 * n + 52])) for n, turn in enumerate(turns)]
    told = bench.tell([started, *made, rested])
    assert "interference" in told.verdict.reasons
    assert "The wheel gained speed for" in told.verdict.findings[0].text


@pytest.mark.clause("melbourne-wheel", "7.1.3")
@pytest.mark.parametrize(("second", "strength"), [("push", 0.06), ("brake", 0.8)])
def test_two_touches_of_one_spin_are_seen_and_one_of_them_is_placed(second: HandKind, strength: float) -> None:
    placed = 0
    for _ in range(6):
        bench = Bench(PROFILE)
        hands = Hand("push", 0.03, at_turn=1.5, then=Hand(second, strength, at_turn=4.0))
        started, turns, rested = WHEEL.spin(hands, slowest=1.2).told
        told = bench.tell([started, *turns, rested])
        assert "interference" in told.verdict.reasons
        found = next(one for one in told.verdict.findings if one.reason == "interference")
        placed += min(abs(found.turn - 1.5), abs(found.turn - 4.0)) < 0.6
    assert placed >= 5
