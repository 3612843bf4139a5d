"""What happened during a shift, counted from what the table concluded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec

from controller.effects import Alarmed, Moved, Noted, Refused, Reversed, Ruled, Settled, WagerResult
from controller.runtime import Told


class Bet(msgspec.Struct):
    """Money on one bet over the shift, in cents."""

    wagers: int = 0
    staked: int = 0
    gain: int = 0  # the house's
    squares: float = 0.0  # of each wager's gain per unit, for the standard error

    def add(self, result: WagerResult) -> None:
        stake = result.stake_taken + result.stake_returned
        decided = stake if result.result in ("win", "lose", "standoff", "surrender") else 0
        gain = result.stake_taken - result.pays
        self.wagers += 1
        self.staked += decided
        self.gain += gain
        if decided:
            self.squares += (gain / decided) ** 2


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

    def as_json(self) -> dict[str, Any]:
        plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(self, expected={}))
        plain["expected"] = {bet: str(value) for bet, value in self.expected.items()}
        return plain

    def as_text(self) -> str:
        lines = [
            f"{self.rounds} rounds in {self.simulated_s / 3600:.1f} simulated hours, {self.events} events",
            "results    " + (", ".join(f"{name} {count}" for name, count in sorted(self.results.items())) or "none"),
            "no spins   " + (", ".join(f"{name} {count}" for name, count in sorted(self.no_spins.items())) or "none"),
            f"staked     ${self.staked / 100:,.2f}",
            f"hold       ${self.hold / 100:,.2f}" + (f" ({self.hold / self.staked:.1%})" if self.staked else ""),
            "alarms     " + (", ".join(f"{name} {count}" for name, count in sorted(self.alarms.items())) or "none"),
            "rulings    " + (", ".join(f"{name} {count}" for name, count in sorted(self.rulings.items())) or "none"),
        ]
        for bet, money in sorted(self.bets.items()):
            if money.staked and bet in self.expected:
                mean = -money.gain / money.staked
                error = (
                    (money.squares / money.wagers - mean * mean) ** 0.5 / money.wagers**0.5 if money.wagers > 1 else 0
                )
                lines.append(
                    f"  {bet}: {mean:+.4f} a unit staked over {money.wagers} wagers (± {error:.4f}), "
                    f"exact {float(self.expected[bet]):+.4f}"
                )
        return "\n".join(lines)


class Shift:
    """Listens to a table and counts."""

    def __init__(self) -> None:
        self.rounds = 0
        self.results: Counter[str] = Counter()
        self.no_spins: Counter[str] = Counter()
        self.alarms: Counter[str] = Counter()
        self.rulings: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.bets: dict[str, Bet] = {}
        self.events = 0
        self.on_round: Callable[[], object] = lambda: None

    def watch(self, told: Told) -> None:
        self.events += 1
        for effect in told.effects:
            match effect:
                case Settled(outcome=outcome, results=results):
                    self.rounds += 1
                    self.results[outcome] += 1
                    for result in results:
                        self.bets.setdefault(result.bet, Bet()).add(result)
                    self.on_round()
                case Reversed():
                    self.rulings["reversed"] += 1
                case Noted(what="no_spin", facts=facts):
                    self.no_spins.update(facts["reasons"])
                case Alarmed(code=code):
                    self.alarms[code.partition(":")[0] if code.startswith(("foreign", "error")) else code] += 1
                case Ruled(subject=subject, answer=answer) if subject not in ("open",):
                    self.rulings[f"{subject}: {answer}"] += 1
                case Refused(code=code):
                    self.refusals[code] += 1
                case Moved():
                    pass

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
            self.bets,
            self.events,
            simulated_s,
            expected or {},
        )
