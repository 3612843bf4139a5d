"""What happened during a shift, counted from what the table concluded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import msgspec

from controller.core.effects import Alarmed, Moved, Noted, Refused, Reversed, Ruled, Settled, WagerResult
from controller.core.events import Started
from controller.core.runtime import Told
from controller.money.amounts import dollars
from controller.report import alarm_kinds, counted_as


class Bet(msgspec.Struct):
    """Money on one bet over the shift, in cents."""

    wagers: int = 0
    staked: int = 0
    gain: int = 0  # the house's
    surrendered: int = 0
    squares: tuple[float, float, float] = (0.0, 0.0, 0.0)  # sums over rounds: gain², gain x stake, stake²

    def add_round(self, wagers: int, stake: int, gain: int) -> None:
        """The wagers of one round, which the same cards or the same spin decided."""
        self.wagers += wagers
        self.staked += stake
        self.gain += gain
        self.squares = (
            self.squares[0] + gain * gain,
            self.squares[1] + gain * stake,
            self.squares[2] + stake * stake,
        )

    @property
    def mean(self) -> float:
        """What a player gained for each unit staked."""
        return -self.gain / self.staked if self.staked else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean; wagers of one round hang together, so rounds are what is counted."""
        gains, both, stakes = self.squares
        spread = gains + 2 * self.mean * both + self.mean**2 * stakes
        return max(spread, 0.0) ** 0.5 / self.staked if self.staked else 0.0


class Summary(msgspec.Struct):
    """A shift in numbers."""

    rounds: int
    results: dict[str, int]
    no_spins: dict[str, int]
    staked: int
    hold: int
    alarms: dict[str, int]
    rulings: dict[str, int]
    refusals: dict[str, int]
    bets: dict[str, Bet]
    events: int
    simulated_s: float
    expected: dict[str, Fraction] = {}
    pots: dict[str, int] = {}
    """Poker: all pots together, the largest, and what the house took of them; cents."""

    def as_json(self) -> dict[str, Any]:
        plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(self, expected={}))
        plain["expected"] = {bet: str(value) for bet, value in self.expected.items()}
        return plain

    def as_text(self) -> str:
        counted = {"results": self.results, "no spins": self.no_spins, "alarms": self.alarms, "rulings": self.rulings}
        words = {
            name: ", ".join(f"{one} {count}" for one, count in sorted(counts.items())) or "none"
            for name, counts in counted.items()
        }
        lines = [
            f"{self.rounds} rounds in {self.simulated_s / 3600:.1f} simulated hours, {self.events} events",
            f"results    {words['results']}",
            *([f"no spins   {words['no spins']}"] if self.no_spins else []),
            f"staked     {dollars(self.staked)}",
            f"hold       {dollars(self.hold)}" + (f" ({self.hold / self.staked:.1%})" if self.staked else ""),
            *([self._pots()] if self.pots else []),
            f"alarms     {words['alarms']}",
            f"rulings    {words['rulings']}",
        ]
        for bet, money in sorted(self.bets.items()):
            if money.staked and bet in self.expected:
                lines.append(
                    f"  {bet}: {money.mean:+.4f} a unit staked over {money.wagers} wagers (± {money.error:.4f}), "
                    f"exact {float(self.expected[bet]):+.4f}"
                )
        return "\n".join(lines)

    def _pots(self) -> str:
        total, largest, rake, fees, side = (self.pots[name] for name in ("total", "largest", "rake", "fees", "side"))
        return (
            f"pots       {dollars(total)}, the largest {dollars(largest)}; rake {dollars(rake)}, "
            f"fees {dollars(fees)}, side wagers {dollars(side)}"
        )


class Shift:
    """Listens to a table and counts."""

    def __init__(
        self,
        ends: str = "",
        bet_of: Callable[[WagerResult], str] = lambda result: result.bet,
        also: Callable[[Iterable[WagerResult]], Iterable[tuple[str, int, int]]] = lambda results: (),
    ) -> None:
        """`ends` is the note that ends a round of several settlements; `also` gives name, stake and gain of bets that
        are judged together."""
        self._ends, self._bet_of, self._also = ends, bet_of, also
        self._round: dict[str, WagerResult] = {}
        self._kinds: frozenset[str] = frozenset()
        self.rounds = 0
        self.results: Counter[str] = Counter()
        self.no_spins: Counter[str] = Counter()
        self.alarms: Counter[str] = Counter()
        self.rulings: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.bets: dict[str, Bet] = {}
        self.together: dict[str, Bet] = {}
        self.pots: dict[str, int] = {}
        self.events = 0
        self.on_round: Callable[[], object] = lambda: None

    def watch(self, told: Told) -> None:
        self.events += 1
        if isinstance(told.event, Started):
            self._kinds = alarm_kinds(told.event.config["table"]["game"])
        for effect in told.effects:
            match effect:
                case Settled(outcome=outcome, results=results):
                    self.results[outcome] += 1
                    self._round |= {result.wager: result for result in results} if self._ends else {}
                    if not self._ends:
                        self._round_over(results)
                case Noted(what=what) if self._ends and what == self._ends:
                    self._round_over(self._round.values())
                    self._round = {}
                case Reversed(results=results):
                    self._round |= {result.wager: result for result in results} if self._round else {}
                    self.rulings["reversed"] += 1
                case Noted(what="hand_over", facts={"pot": _} as facts):
                    self._hand(facts)
                case Noted(what="no_spin", facts={"reasons": reasons}):
                    self.no_spins.update(reasons)
                case Alarmed(code=code):
                    self.alarms[counted_as(code, self._kinds)] += 1
                case Ruled(subject=subject, answer=answer) if subject not in ("open",):
                    self.rulings[f"{subject.partition(':')[0]}: {answer}"] += 1
                case Refused(code=code):
                    self.refusals[code] += 1
                case Moved():
                    pass

    def _hand(self, facts: dict[str, Any]) -> None:
        pots = self.pots or dict.fromkeys(("total", "largest", "rake", "fees", "side"), 0)
        pots["total"] += facts["pot"]
        pots["largest"] = max(pots["largest"], facts["pot"])
        for name in ("rake", "fees", "side"):
            pots[name] += facts[name]
        self.pots = pots

    def _round_over(self, results: Iterable[WagerResult]) -> None:
        results = list(results)
        sums: dict[str, list[int]] = {}
        for result in results:
            bet = self._bet_of(result)
            decided = result.result in ("win", "lose", "standoff", "surrender")
            stake = result.stake_taken + result.stake_returned if decided else 0
            _add(sums, bet, stake, result.stake_taken - result.pays)
            self.bets.setdefault(bet, Bet()).surrendered += result.result == "surrender"
        for bet, (wagers, stake, gain) in sums.items():
            self.bets[bet].add_round(wagers, stake, gain)
        sums = {}
        for name, stake, gain in self._also(results):
            _add(sums, name, stake, gain)
        for name, (wagers, stake, gain) in sums.items():
            self.together.setdefault(name, Bet()).add_round(wagers, stake, gain)
        self.rounds += 1
        self.on_round()

    def summary(self, simulated_s: float, expected: dict[str, Fraction] | None = None) -> Summary:
        return Summary(
            self.rounds,
            dict(self.results),
            dict(self.no_spins),
            sum(bet.staked for bet in self.bets.values()),
            sum(bet.gain for bet in self.bets.values()),
            dict(self.alarms),
            dict(self.rulings),
            dict(self.refusals),
            {**self.bets, **self.together},
            self.events,
            simulated_s,
            expected or {},
            dict(self.pots),
        )


def _add(sums: dict[str, list[int]], bet: str, stake: int, gain: int) -> None:
    known = sums.setdefault(bet, [0, 0, 0])
    known[0] += 1
    known[1] += stake
    known[2] += gain
