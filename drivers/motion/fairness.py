"""Are landings even?  Over any number of spins, looked at as often as one likes, with one stated chance of crying wolf.

What is bet against "every compartment alike" is a bank that begins with one unit and stakes on any unevenness it has
seen so far.  On a fair wheel nobody can expect it to grow, so it reaches a thousandfold on at most one fair wheel in a
thousand, ever (Ville); how far it has grown is the evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, lgamma, log

import msgspec

from drivers.motion.verdict import SpinVerdict

COMPARTMENTS = 52
SECTOR = 4  # compartments
DEFAULT_CHANCE = 0.001


class Landing(msgspec.Struct, frozen=True, gc=False):
    """One valid spin: where it began, where it rests (compartments), its sense, how fast, and who dealt."""

    start: float
    rest: float
    sense: int
    fastest: float = 0.0  # turns a second
    dealer: str = ""

    @property
    def travelled(self) -> float:
        """How far round it came to rest from where it began, in its own sense; whole turns left out."""
        return self.sense * (self.rest - self.start) % COMPARTMENTS


class Test(msgspec.Struct, frozen=True):
    """What one way of looking at the landings says."""

    name: str
    spins: int
    log_bank: float  # natural logarithm of what one unit has become
    most: int  # compartments or sector met most often
    met: int
    due: float

    @property
    def times(self) -> float:
        return exp(min(self.log_bank, 700.0))


class Fairness(msgspec.Struct, frozen=True):
    """All ways of looking together."""

    spins: int
    chance: float  # of ever crying wolf
    tests: tuple[Test, ...]  # the strongest first
    counts: tuple[int, ...]  # landings by compartment

    @property
    def log_bank(self) -> float:
        """One unit, divided evenly among all tests: still a fair game on a fair wheel."""
        if not self.tests:
            return 0.0
        most = max(test.log_bank for test in self.tests)
        return most + log(sum(exp(test.log_bank - most) for test in self.tests) / len(self.tests))

    @property
    def uneven(self) -> bool:
        return self.log_bank >= -log(self.chance)

    def text(self) -> str:
        """For people."""
        if not self.spins:
            return "No valid spin yet."
        best = self.tests[0]
        odds = "under one" if self.log_bank < 0 else f"{exp(min(self.log_bank, 700.0)):,.0f}"
        verdict = (
            f"The landings are not even: {best.name}, {best.met} of {best.spins} where {best.due:.0f} were due."
            if self.uneven
            else "Nothing speaks against even landings."
        )
        return (
            f"{verdict} {self.spins} valid spins; one unit staked on unevenness has become {odds}; it reaches "
            f"{1 / self.chance:,.0f} on at most one fair wheel in {1 / self.chance:,.0f}, ever."
        )


class Counts(msgspec.Struct):
    """Spins by the compartment they rest in, and by how far from their start that is."""

    rests: list[int] = msgspec.field(default_factory=lambda: [0] * COMPARTMENTS)
    ways: list[int] = msgspec.field(default_factory=lambda: [0] * COMPARTMENTS)


class Landed(msgspec.Struct):
    """Landings counted as they come, as small after a million spins as after ten."""

    spins: int = 0
    groups: dict[str, Counts] = {}

    def add(self, landing: Landing) -> None:
        """One more: among all of them, those of its sense and those of its dealer."""
        self.spins += 1
        names = ["", f", {'clockwise' if landing.sense > 0 else 'anticlockwise'}"]
        for name in [*names, f", dealer {landing.dealer}"] if landing.dealer else names:
            counts = self.groups.setdefault(name, Counts())
            counts.rests[int(landing.rest) % COMPARTMENTS] += 1
            counts.ways[int(landing.travelled) % COMPARTMENTS] += 1

    def judged(self, chance: float = DEFAULT_CHANCE) -> Fairness:
        """Landings by compartment and sector, by sense and dealer, and against where the wheel began."""
        tests = []
        for name, counts in self.groups.items():
            tests.append(_test(f"compartments{name}", counts.rests, staked(counts.rests), 1))
            tests.append(_sectors(f"sectors{name}", counts.rests))
            tests.append(_sectors(f"distance from the start{name}", counts.ways))
        ordered = sorted(tests, key=lambda test: -test.log_bank)
        everything = self.groups.get("", Counts())
        return Fairness(self.spins, chance, tuple(ordered), tuple(everything.rests))


def fairness(landings: Iterable[Landing], chance: float = DEFAULT_CHANCE) -> Fairness:
    """Are these landings even?"""
    landed = Landed()
    for landing in landings:
        landed.add(landing)
    return landed.judged(chance)


def landing_of(verdict: SpinVerdict, dealer: str = "") -> Landing | None:
    """Where a valid spin began and rests; None where nothing is certain of it."""
    if not verdict.valid or verdict.compartment is None:
        return None
    sense, rest = 1 if verdict.sense == "clockwise" else -1, verdict.compartment + 0.5
    start = (rest - sense * (verdict.forward - verdict.reversal)) % COMPARTMENTS
    return Landing(start, rest, sense, verdict.fastest, dealer)


def _sectors(name: str, places: Sequence[int]) -> Test:
    """Sectors that begin at any compartment; the bank is shared among where they begin."""
    logs, best = [], [0] * (COMPARTMENTS // SECTOR)
    for offset in range(SECTOR):
        counts = [0] * (COMPARTMENTS // SECTOR)
        for place, met in enumerate(places):
            counts[(place - offset) % COMPARTMENTS // SECTOR] += met
        logs.append(staked(counts))
        if max(counts) >= max(best):
            best = counts
    most = max(logs)
    shared = most + log(sum(exp(one - most) for one in logs) / SECTOR)
    return _test(name, best, shared, SECTOR)


def _test(name: str, counts: Sequence[int], log_bank: float, width: int) -> Test:
    spins = sum(counts)
    met = max(counts)
    return Test(name, spins, round(log_bank, 6), counts.index(met) * width, met, spins * width / COMPARTMENTS)


def staked(counts: Sequence[int]) -> float:
    """The logarithm of what one unit becomes that is staked, spin by spin, in proportion to what was met before.

    Shared among a bold and two cautious ways to learn, so that neither a strong nor a slight unevenness is missed.
    """
    ways = (0.5, 3.0, 20.0)
    logs = [_dirichlet(counts, prior) for prior in ways]
    most = max(logs)
    return most + log(sum(exp(one - most) for one in logs) / len(ways))


def _dirichlet(counts: Sequence[int], prior: float) -> float:
    spins, cells = sum(counts), len(counts)
    found = lgamma(prior * cells) - lgamma(prior * cells + spins) + spins * log(cells)
    return found + sum(lgamma(prior + count) - lgamma(prior) for count in counts)
