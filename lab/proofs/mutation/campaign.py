"""Tries changes one after another and tells which of them no marked test noticed."""

from __future__ import annotations

import functools
import os
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType
from typing import Literal, get_args

import msgspec

from controller import games
from controller.rules.clauses import rulebooks as all_rulebooks
from lab.proofs.mutation.targets import Named, Target, code_of, targets
from lab.proofs.mutation.values import forget_what_was_read, put, standing, value_changes
from lab.proofs.mutation.warm import Ended, Run, Warm, Work, side_by_side

Verdict = Literal["noticed", "elsewhere", "refused", "survived", "unreached", "equivalent"]
KNOWN = Path(__file__).with_name("equivalent")
"""Changes that no test can notice because the table would do the same: a file for each module, a reason for each."""
BUDGET_S = 4.0
"""Processor seconds of tests that a change is tried with first; only one that outlives them meets the slower ones."""


class Trial(msgspec.Struct, frozen=True):
    """One change, where it stands, the clauses it touches, and whether a marked test noticed it."""

    where: str
    file: str
    line: int
    change: str
    clauses: tuple[Named, ...]
    verdict: Verdict = "survived"
    by: str = ""

    @property
    def alive(self) -> bool:
        """Whether the change is a survivor that nobody has explained."""
        return self.verdict in ("survived", "unreached")


class Equivalent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change that no test can notice, and why."""

    where: str
    change: str
    why: str


class Report(msgspec.Struct, frozen=True):
    """Every trial, and the explained changes that no longer occur."""

    trials: tuple[Trial, ...]
    stale: tuple[Equivalent, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        found = Counter(one.verdict for one in self.trials)
        return {"changes": len(self.trials)} | {name: found[name] for name in get_args(Verdict)}

    @property
    def survivors(self) -> list[Trial]:
        return [one for one in self.trials if one.alive]


def known_equivalents(folder: Path = KNOWN) -> tuple[Equivalent, ...]:
    """Changes that were looked at and cannot matter."""
    values = [one for file in sorted(folder.glob("*.toml")) for one in _tables(file)]
    return msgspec.convert(values, tuple[Equivalent, ...])


def _tables(file: Path) -> list[dict[str, str]]:
    tables: list[dict[str, str]] = tomllib.loads(file.read_text(encoding="utf-8"))["equivalent"]
    return tables


class Candidate(msgspec.Struct, frozen=True):
    """A change that can be tried: how to put it in place, and which tests might notice."""

    trial: Trial
    put: Callable[[], str]
    tests: tuple[str, ...]
    """Marked with a clause that this change breaks."""
    others: tuple[str, ...] = ()
    """Marked with other clauses only, or as guards; they may notice too, but prove nothing about these."""


def function_candidates(found: list[Target], warm: Warm, runs: dict[str, Run]) -> list[Candidate]:
    """Every neighbour of the functions, with the marked tests that reach its line."""
    reaching: dict[tuple[str, int], list[str]] = {}
    for run in runs.values():
        if run.outcome == "passed":
            for line in run.lines:
                reaching.setdefault(line, []).append(run.test)
    candidates = []
    for target in found:
        marked = set(warm.marked(target.clauses))
        entered = {test for line in _span(target) for test in reaching.get((target.name, line), ())}
        for change in target.changes():
            at = reaching.get((target.name, change.line))
            reach = set(entered if at is None and _unlined(target, change.line) else at or ())
            trial = Trial(target.name, _short(target.file), change.line, change.text, tuple(sorted(target.clauses)))
            code = change.code
            candidates.append(
                Candidate(trial, functools.partial(_swap, target, code), tuple(reach & marked), tuple(reach - marked))
            )
    return candidates


def value_candidates(rulebook: str, warm: Warm, runs: dict[str, Run]) -> list[Candidate]:
    """Every neighbour of a rulebook file, with all tests marked with one of its clauses, and those that guard it."""
    held = standing(rulebook)
    passed = {test for test, run in runs.items() if run.outcome == "passed"}
    guards = {test for test, books in warm.guards.items() if test in passed and rulebook in books}
    marked = {test for test in passed - guards if any(book == rulebook for book, _ in warm.clauses[test])}
    file = os.path.relpath(games.rulebooks()[rulebook], Path(__file__).parents[3])
    return [
        Candidate(
            Trial(f"{rulebook}.toml {change.name}", file, change.line, change.text, ()),
            functools.partial(put, change, held),
            tuple(marked),
            tuple(guards),
        )
        for change in value_changes(rulebook)
    ]


def attempt_all(
    candidates: list[Candidate],
    warm: Warm,
    runs: dict[str, Run],
    *,
    known: Iterable[Equivalent] = (),
    told: Callable[[Trial], None] = lambda _: None,
    jobs: int = 1,
) -> list[Trial]:
    """Try each candidate, so many side by side."""
    explained = {(one.where, one.change) for one in known}
    ended = []

    def tell(trial: Trial) -> None:
        told(trial)
        ended.append(trial)

    def share(number: int) -> Work:
        mine = candidates[number::jobs]
        return lambda tell: _attempt_some(mine, warm, runs, explained, tell)

    if jobs == 1:
        _attempt_some(candidates, warm, runs, explained, tell)
    else:
        side_by_side([share(number) for number in range(jobs)], lambda one: tell(msgspec.convert(one, Trial)))
    return ended


def _attempt_some(
    candidates: Iterable[Candidate],
    warm: Warm,
    runs: dict[str, Run],
    explained: set[tuple[str, str]],
    tell: Callable[[Trial], None],
) -> None:
    """Try one candidate after another; tests that noticed a change of the same place before are asked first."""
    noticed: dict[str, Counter[str]] = {}
    for candidate in candidates:
        trial = candidate.trial
        before = noticed.setdefault(trial.file if trial.file.endswith(".toml") else trial.where, Counter())
        own, own_later = _by_budget(candidate.tests, runs, before)
        others, others_later = _by_budget(candidate.others, runs, before)
        if (trial.where, trial.change) in explained:
            trial = msgspec.structs.replace(trial, verdict="equivalent")
        elif not own and not others:
            trial = msgspec.structs.replace(trial, verdict="unreached")
        else:
            result = Ended()
            for tests in (own + others, own_later, others_later):
                if tests and not result.failed and not result.stopped:
                    result = warm.attempt(candidate.put, tests, sum(runs[test].seconds for test in tests))
            if result.failed:
                before[result.failed] += 1
                verdict: Verdict = "noticed" if result.failed in candidate.tests else "elsewhere"
                trial = msgspec.structs.replace(trial, verdict=verdict, by=result.failed)
            elif result.stopped.startswith("refused"):
                trial = msgspec.structs.replace(trial, verdict="refused", by=result.stopped)
            elif result.stopped:
                trial = msgspec.structs.replace(trial, verdict="noticed", by=result.stopped)
        tell(trial)


def stale_of(known: Iterable[Equivalent], trials: Iterable[Trial]) -> tuple[Equivalent, ...]:
    """Explained changes that are not among those tried."""
    there = {(one.where, one.change) for one in trials}
    return tuple(one for one in known if (one.where, one.change) not in there)


def sampled(candidates: list[Candidate], sample: int | None, seed: int) -> list[Candidate]:
    """Some of the candidates, the same for the same seed, in their own order."""
    if sample is None or sample >= len(candidates):
        return candidates
    chosen = set(random.Random(seed).sample(range(len(candidates)), sample))
    return [one for number, one in enumerate(candidates) if number in chosen]


def watched(found: Iterable[Target]) -> dict[CodeType, str]:
    """The code of every target, comprehensions included, with the target's name."""
    return {code: target.name for target in found for code in code_of(target.held[0])}


def _by_budget(tests: Iterable[str], runs: dict[str, Run], before: Counter[str]) -> tuple[list[str], list[str]]:
    """The tests to begin with, quickest first, and those for what outlives them."""
    ordered = sorted(tests, key=lambda test: (-before[test], runs[test].seconds, test))
    chosen: list[str] = []
    later: list[str] = []
    spent = 0.0
    for test in ordered:
        if chosen and spent + runs[test].seconds > BUDGET_S:
            later.append(test)
            continue
        chosen.append(test)
        spent += runs[test].seconds
    return chosen, later


def _span(target: Target) -> range:
    return range(target.node.lineno, (target.node.end_lineno or target.node.lineno) + 1)


def _unlined(target: Target, line: int) -> bool:
    """Whether the interpreter never stops at this line, as in the middle of a long expression."""
    return all(line != own for code in code_of(target.held[0]) for _, _, own in code.co_lines())


def _swap(target: Target, code: CodeType) -> str:
    # Every place that imported the function holds this same object, so all of them see the change.
    target.held[0].__code__ = code
    forget_what_was_read()
    return ""


def _short(file: str) -> str:
    return os.path.relpath(file, Path(__file__).parents[3])


class Wanted(msgspec.Struct, frozen=True):
    """Which changes to try."""

    rulebooks: tuple[str, ...]
    values: bool = True
    functions: bool = True
    within: tuple[str, ...] = ()
    """Beginnings of names of functions and values; all when empty."""
    sample: int | None = None
    seed: int = 1
    jobs: int = 1

    def of(self, name: str) -> bool:
        return not self.within or name.startswith(self.within)


def try_all(
    wanted: Wanted, warm: Warm, known: tuple[Equivalent, ...], told: Callable[[str, Trial | None], None]
) -> Report:
    """Measure the marked tests, then try every change that is wanted."""
    found = [one for one in targets(wanted.rulebooks) if wanted.of(one.name)] if wanted.functions else []
    rests: frozenset[Named] = frozenset(named for target in found for named in target.clauses)
    tests = {test for test, carried in warm.clauses.items() if {book for book, _ in carried} & {*wanted.rulebooks}}
    tests |= set(warm.marked(rests)) | {test for test, books in warm.guards.items() if books & {*wanted.rulebooks}}
    told(f"{len(tests)} marked tests, run once with nothing changed", None)
    runs = warm.measure([test for test in warm.items if test in tests], watched(found))
    failing = sorted(run.test for run in runs.values() if run.outcome == "failed")
    if failing:
        raise Failing(failing)
    candidates = [
        one
        for book in wanted.rulebooks
        if wanted.values
        for one in value_candidates(book, warm, runs)
        if wanted.of(one.trial.where.rpartition(" ")[2])
    ]
    candidates += function_candidates(found, warm, runs)
    chosen = sampled(candidates, wanted.sample, wanted.seed)
    seconds = sum(run.seconds for run in runs.values())
    told(f"{len(chosen)} of {len(candidates)} changes to try; the tests take {seconds:.0f} s together", None)
    trials = attempt_all(chosen, warm, runs, known=known, told=lambda trial: told("", trial), jobs=wanted.jobs)
    whole = wanted == Wanted(all_rulebooks(), jobs=wanted.jobs)
    return Report(tuple(trials), stale_of(known, trials) if whole else ())


class Failing(Exception):
    """Marked tests fail with nothing changed, so nothing can be learned from them."""

    def __init__(self, tests: list[str]) -> None:
        super().__init__(
            f"{len(tests)} marked tests fail with nothing changed: {', '.join(tests[:5])}; mend them first"
        )
