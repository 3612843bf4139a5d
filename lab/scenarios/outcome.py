"""What came of a case: printed as one JSON object a line, and compared with what was expected."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.core.effects import Announced, Asked, Moved, Noted, Refused, Reversed, Ruled, Settled, WagerResult
from controller.core.runtime import Told
from lab.scenarios.file import dollars


class Outcome(msgspec.Struct):
    """One played case."""

    id: str
    ok: bool = True
    settlement: list[dict[str, Any]] = []
    states: list[str] = []
    rulings: list[dict[str, Any]] = []
    prompts: list[dict[str, Any]] = []
    errors: list[str] = []
    to: list[str] | msgspec.UnsetType = msgspec.UNSET
    remarks: list[str] | msgspec.UnsetType = msgspec.UNSET

    def wrong(self, text: str) -> None:
        self.ok = False
        self.errors.append(text)


class Listener:
    """Gathers an outcome from what the table concludes."""

    def __init__(self, case: str) -> None:
        self.outcome = Outcome(case)
        self.results: list[WagerResult] = []
        self.notes: list[Noted] = []
        self.refusals: list[Refused] = []
        self.outcomes: list[str] = []
        self.announced: list[str] = []

    def watch(self, told: Told) -> None:
        outcome = self.outcome
        for effect in told.effects:
            match effect:
                case Moved(machine="round", dest=dest):
                    outcome.states.append(dest)
                case Moved(machine="life", dest="suspended"):
                    outcome.states.append("suspended")
                case Asked():
                    outcome.prompts.append(
                        {"subject": effect.subject, "proposal": effect.proposal, "clauses": list(effect.clauses)}
                    )
                case Ruled():
                    ruling = {"subject": effect.subject, "answer": effect.answer, "rank": effect.rank}
                    outcome.rulings.append({**ruling, "reason": effect.reason, "clauses": list(effect.clauses)})
                case Settled():
                    self.results += effect.results
                    self.outcomes.append(effect.outcome)
                case Reversed():
                    reversed_ = {result.wager for result in effect.results}
                    kept = [result for result in self.results if result.wager not in reversed_]
                    self.results = [*kept, *effect.results]
                    self.outcomes.append("reversed")
                case Announced(code=code):
                    self.announced.append(code)
                case Noted():
                    self.notes.append(effect)
                case Refused():
                    self.refusals.append(effect)


def settlement_line(wager: str, result: WagerResult) -> dict[str, Any]:
    """A wager's end as scenarios write it."""
    return {
        "wager": wager,
        "player": result.player,
        "bet": result.bet,
        "result": result.result,
        "pays": dollars(result.pays),
        "stake_taken": dollars(result.stake_taken),
        "stake_returned": dollars(result.stake_returned),
        "clauses": list(result.clauses),
    }


def compare(outcome: Outcome, expected: list[dict[str, Any]]) -> None:
    """Every expected wager must be there with these values."""
    found = {line["wager"]: line for line in outcome.settlement}
    for want in expected:
        line = found.get(want["wager"])
        if line is None:
            outcome.wrong(f"wager {want['wager']}: not settled")
            continue
        for key in ("result", "pays", "stake_taken", "stake_returned", "player"):
            if key in want and line[key] != want[key]:
                outcome.wrong(f"wager {want['wager']}: {key} is {line[key]}, expected {want[key]}")
    for extra in found.keys() - {want["wager"] for want in expected}:
        outcome.wrong(f"wager {extra}: settled, but not expected")
