"""Are landings even?  Over any number of spins, looked at as often as one likes, with one stated chance of crying wolf.

What is bet against "every compartment alike" is a bank that begins with one unit and stakes on any unevenness it has
seen so far.  On a fair wheel nobody can expect it to grow, so it reaches a thousandfold on at most one fair wheel in a
thousand, ever (Ville); how far it has grown is the evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import exp, lgamma, log

import msgspec

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


def fairness(landings: Sequence[Landing], chance: float = DEFAULT_CHANCE) -> Fairness:
    """Landings by compartment and sector, by sense and dealer, and against where the wheel began."""
    tests = []
    for name, chosen in _groups(landings).items():
        tests.append(_compartments(f"compartments{name}", [landing.rest for landing in chosen]))
        tests.append(_sectors(f"sectors{name}", [landing.rest for landing in chosen]))
        tests.append(_sectors(f"distance from the start{name}", [landing.travelled for landing in chosen]))
    counts = [0] * COMPARTMENTS
    for landing in landings:
        counts[int(landing.rest) % COMPARTMENTS] += 1
    ordered = sorted(tests, key=lambda test: -test.log_bank)
    return Fairness(len(landings), chance, tuple(ordered) if landings else (), tuple(counts))


def _groups(landings: Sequence[Landing]) -> Mapping[str, list[Landing]]:
    """All of them, and those of each sense and of each dealer."""
    found: dict[str, list[Landing]] = {"": list(landings)}
    for landing in landings:
        found.setdefault(f", {'clockwise' if landing.sense > 0 else 'anticlockwise'}", []).append(landing)
        if landing.dealer:
            found.setdefault(f", dealer {landing.dealer}", []).append(landing)
    return found


def _compartments(name: str, places: Iterable[float]) -> Test:
    counts = [0] * COMPARTMENTS
    for place in places:
        counts[int(place) % COMPARTMENTS] += 1
    return _test(name, counts, staked(counts), 1)


def _sectors(name: str, places: Iterable[float]) -> Test:
    """Sectors that begin at any compartment; the bank is shared among where they begin."""
    places = list(places)
    logs, best = [], [0] * (COMPARTMENTS // SECTOR)
    for offset in range(SECTOR):
        counts = [0] * (COMPARTMENTS // SECTOR)
        for place in places:
            counts[int((place - offset) % COMPARTMENTS) // SECTOR] += 1
        logs.append(staked(counts))
        if max(counts) >= max(best):
            best = counts
    most = max(logs)
    shared = most + log(sum(exp(one - most) for one in logs) / SECTOR)
    return _test(name, best, shared, SECTOR)


def _test(name: str, counts: list[int], log_bank: float, width: int) -> Test:
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
