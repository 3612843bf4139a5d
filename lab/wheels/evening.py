"""One wheel through calibration and an evening of play, judged as a table judges it, with the truth beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import msgspec

from drivers.motion import Geometry, SpinVerdict, Trace, WheelProfile, follow
from drivers.motion.learn import CalibrationTrouble, learn
from lab.wheels.body import Hand, HandKind
from lab.wheels.population import HANDS, KINDS, Kind, OneWheel, Spun, drift

SETTLED = 50  # spins after which false alarms count
TOUCHED_EVERY = 3
FOLLOWED_EVERY = 4  # of the touched ones, so many are part of the evening; the others only ask "what if"
SHORT_EVERY = 17
DRIFTS = 0.2
WIDE = 0.05  # the rulebook's margin round a dead band that nobody measured (W-A3)
MOVED = 0.1  # compartments by which a nudge must have moved the rest to have done anything
Touches = tuple[tuple[HandKind, float], ...]
MANY_TOUCHES: Touches = tuple((kind, strength) for kind, strengths in HANDS for strength in strengths)


class Tally(msgspec.Struct):
    """What came of the spins of one kind of wheel."""

    wheels: int = 0
    refused: int = 0  # calibrations
    spins: int = 0
    wrong: int = 0  # named with a wrong compartment, or on a divider
    missed_short: int = 0
    clean: int = 0
    false_alarms: int = 0
    asked: int = 0
    unclear: int = 0
    wide: int = 0  # what a sensor without any error would ask about, by the rulebook's margin
    furthest: float = 0.0  # compartments by which a reading ever lay from the truth
    hands: dict[str, dict[str, int]] = {}  # "kind strength" -> spins, noticed, moved; ideal: `by_energy` in hundredths
    causes: dict[str, int] = {}
    examples: list[str] = []
    most_bytes: int = 0
    judging_s: float = 0.0
    playing_s: float = 0.0  # of one core, with physics, calibration and everything

    def add(self, other: Tally) -> None:
        """Both together."""
        for name in (
            "wheels",
            "refused",
            "spins",
            "wrong",
            "missed_short",
            "clean",
            "false_alarms",
            "asked",
            "unclear",
            "wide",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name, count in other.hands.items():
            _raise(self.hands.setdefault(name, {}), count)
        _raise(self.causes, other.causes)
        self.examples = (self.examples + other.examples)[:20]
        self.most_bytes = max(self.most_bytes, other.most_bytes)
        self.furthest = max(self.furthest, other.furthest)
        self.judging_s += other.judging_s
        self.playing_s += other.playing_s

    def count(
        self, spun: Spun, verdict: SpinVerdict, geometry: Geometry, settled: bool, chance: float, moved: bool = False
    ) -> None:
        """One judged spin."""
        self.spins += 1
        self.most_bytes = max(self.most_bytes, len(msgspec.json.encode(verdict)))
        place = spun.place
        away = min(place % 1.0, 1.0 - place % 1.0)
        if verdict.offset is not None:
            self.furthest = max(self.furthest, abs(verdict.offset - away))
        if not verdict.reasons and spun.short:
            self.missed_short += 1
            self._example("missed short spin", spun, verdict)
        if verdict.valid and (verdict.compartment != int(place) or away <= geometry.dead_band):
            self.wrong += 1
            self._example("wrong winner", spun, verdict)
        if spun.run.touched and spun.hand is not None:
            noticed = "interference" in verdict.reasons
            counts = self.hands.setdefault(f"{spun.hand.kind} {spun.hand.strength:g}", {})
            _raise(counts, {"spins": 1, "noticed": int(noticed), "ideal": round(100 * chance)})
            if moved:
                _raise(counts, {"moved": 1, "moved_noticed": int(noticed)})
        elif settled and spun.hand is None:
            self.clean += 1
            self.asked += verdict.clear == "near"
            self.unclear += verdict.clear == "not_clear"
            self.wide += geometry.dead_band < away <= geometry.dead_band + WIDE
            against = [one for one in verdict.findings if one.reason in ("interference", "malfunction")]
            if against:
                self.false_alarms += 1
                _raise(self.causes, {against[0].kind: 1})
                self._example("false alarm", spun, verdict)

    def told_spins(self) -> list[str]:
        """Of the examples those that tell of one spin: no two spins have the same place and way to three digits."""
        return [example for example in self.examples if ": truly " in example]

    def _example(self, what: str, spun: Spun, verdict: SpinVerdict) -> None:
        if len(self.examples) < 20:
            found = "; ".join(finding.text for finding in verdict.findings)
            self.examples.append(
                f"{what}: truly {spun.place:.3f} after {spun.run.forward:.3f} compartments, "
                f"judged {verdict.compartment} {verdict.clear}. {found}"
            )


def _raise(counts: dict[str, int], by: dict[str, int]) -> None:
    for name, more in by.items():
        counts[name] = counts.get(name, 0) + more


def trace_of(spun: Spun) -> Trace:
    """The evidence as the driver would put it together."""
    return Trace.from_messages(*spun.told)


def calibrated(wheel: OneWheel, each_way: int = 30, touched: bool = False) -> WheelProfile:
    """The profile a technician would get; with `touched`, somebody brushed one of the spins."""
    spins = list(wheel.calibration(each_way))
    if touched:
        spins[7] = wheel.spin(wheel.hand("brake", 1.0), sense=spins[7].sense)
    seen = {n: int(spun.place) for n, spun in enumerate(spins) if 0.25 < spun.place % 1.0 < 0.75}
    return learn([trace_of(spun) for spun in spins], dict(list(seen.items())[:3]), wheel.kind.name, "today")


def evening(
    kind: Kind, seed: str, spins: int, geometry: Geometry | None = None, stopwatch: Callable[[], float] = lambda: 0.0,
    touches: Touches = (),
) -> Tally:  # fmt: skip
    """Draw one wheel of this kind and play an evening on it, with these hands laid on it or all that are known."""
    return evening_on(OneWheel(kind, seed), spins, geometry, touches or MANY_TOUCHES, stopwatch)


def evening_on(
    wheel: OneWheel,
    spins: int,
    geometry: Geometry | None = None,
    touches: Touches = MANY_TOUCHES,
    stopwatch: Callable[[], float] = lambda: 0.0,
) -> Tally:
    """Calibrate this wheel and play an evening on it, with friction drifting and a hand now and then."""
    begun = stopwatch()
    geometry = geometry or Geometry.measured()
    tally = Tally(wheels=1)
    try:
        profile = calibrated(wheel, touched=wheel.rng.random() < 0.5)
    except CalibrationTrouble as trouble:
        tally.refused = 1
        tally.examples.append(f"{wheel.kind.name}: {trouble}")
        return tally
    natural = profile.natural
    friction = drift(wheel.rng, DRIFTS, spins)
    touched = wheel.rng.randrange(len(touches))
    for n in range(spins):
        wheel.friction = friction(n)
        hand = None
        if n >= SETTLED and n % TOUCHED_EVERY == 0:
            touched += 1
            hand = wheel.hand(*touches[touched % len(touches)])
        weak = n % SHORT_EVERY == 5
        spun, moved = _spun(wheel, hand, weak)
        trace = trace_of(spun)
        began = stopwatch()
        verdict, after = follow(trace, profile, geometry, natural)
        tally.judging_s += stopwatch() - began
        chance = wheel.by_energy(spun.run) if spun.run.touched else 0.0
        tally.count(spun, verdict, geometry, n >= SETTLED, chance, moved > MOVED)
        if hand is None or touched % FOLLOWED_EVERY == 0:
            natural = after
    tally.playing_s = stopwatch() - begun
    return tally


def _spun(wheel: OneWheel, hand: Hand | None, weak: bool) -> tuple[Spun, float]:
    """One spin of the evening and, of a nudge, by how much it moved the rest."""
    if weak:
        return wheel.spin(None, slowest=0.35, fastest=0.8), 0.0
    if hand is not None and hand.kind == "nudge":
        return wheel.beside(hand)
    return wheel.spin(hand), 0.0


def play(
    seed: str, evenings: int, spins: int, kinds: tuple[Kind, ...] = KINDS,
    stopwatch: Callable[[], float] = lambda: 0.0,
) -> dict[str, Tally]:  # fmt: skip
    """So many evenings on each kind of wheel; `stopwatch` times the judging."""
    found: dict[str, Tally] = {}
    for number in range(evenings):
        for kind in kinds:
            tally = evening(kind, f"{seed} {number}", spins, stopwatch=stopwatch)
            found.setdefault(kind.name, Tally()).add(tally)
    return found


def plain(tallies: dict[str, Tally]) -> dict[str, Any]:
    """For --json."""
    return cast(dict[str, Any], msgspec.to_builtins(tallies))
