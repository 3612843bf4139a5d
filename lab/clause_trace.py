"""The trace from clause to code to test: which clause is kept where, and which passing tests prove it."""

from __future__ import annotations

import csv
import html
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from controller.build import build_table
from controller.rules import clauses
from controller.rules.clauses import Chapter, Clause
from controller.rules.rulebook import load_rulebook, rulebook_ids
from lab.needs import CHROMIUM, lacking
from lab.proof_kinds import KINDS, Kind
from lab.sim.config import default_config

Outcome = Literal["collected", "left out", "passed", "failed", "skipped"]
State = Literal["proved", "gap", "later", "none"]
Form = Literal["text", "csv", "html"]
RECORD = Path(".pytest_cache/d/clauses/record.json")


AWAY_FROM_THE_FELT = {
    "config": "fixed before anybody comes to the table",
    "rules": "fixed before anybody comes to the table",
    "offers": "fixed before anybody comes to the table",
    "edge": "fixed before anybody comes to the table",
    "rulebook": "fixed before anybody comes to the table",
    "checks": "terms of a tournament, read before it is approved",
    "hall": "kept at the desk of the hall, where entries, papers and prizes are and no chip lies",
    "standings": "reckoned by the hall from banks that tables have counted",
    "prizes": "reckoned by the hall once the order stands",
}
"""Parts of code that no chip, card or device of a table comes to, and why."""
NO_HAND_COMES_TO_IT = {
    ("melbourne-poker", clause): "every game of this book is dealt with a dealer button"
    for clause in ("3.3", "3.3.1", "3.3.2", "3.3.3", "3.3.4", "8.5.2")
}
"""Clauses that are kept and that no hand at a table ever comes to, and why; one that chips have shown is none."""


class TraceError(Exception):
    """The record of tests cannot be used; the text says why and what to do."""


class Proof(msgspec.Struct, frozen=True):
    """A test, the clauses it is marked with, and how it ended."""

    test: str
    rulebook: str
    clauses: tuple[str, ...]
    outcome: Outcome = "collected"
    why: str = ""
    """What a skipped test said it lacked."""
    kind: Kind = "declared"
    answered: tuple[str, ...] = ()
    """Questions that were answered through the page, by game and subject."""

    def with_outcome(self, outcome: Outcome, why: str = "") -> Proof:
        return msgspec.structs.replace(self, outcome=outcome, why=why)

    @property
    def trouble(self) -> str:
        """Why this run counts against the trace, in words; empty when it passed or could not be expected to run."""
        if self.outcome == "failed":
            return "failed"
        if self.outcome == "collected":
            return "did not run"
        if self.outcome == "skipped" and not lacking(self.why):
            return f"was skipped ({self.why or 'it says nothing why'})"
        return ""


class Row(msgspec.Struct, frozen=True):
    """One clause with the tests that prove it and those that should but did not pass."""

    clause: Clause
    proved_by: tuple[str, ...]
    not_passed: tuple[str, ...]
    kinds: tuple[Kind, ...] = ()
    """How each of the tests that passed proves it."""

    @property
    def at_the_felt(self) -> bool:
        """Whether it is about what people do there, and not about what a rulebook or a configuration fixes."""
        return self._acts and not self.away

    @property
    def _acts(self) -> bool:
        return self.clause.role in ("enforce", "detect", "prompt") and bool(self.clause.code)

    @property
    def away(self) -> str:
        """Why no chip, card or device can show it, for a clause that asks the controller to act."""
        why = [next((AWAY_FROM_THE_FELT[one] for one in name.split(".") if one in AWAY_FROM_THE_FELT), "")
               for name in self.clause.code]  # fmt: skip
        if self._acts and all(why):
            return why[-1]
        return NO_HAND_COMES_TO_IT.get((self.clause.rulebook, self.clause.clause), "")

    @property
    def by_chips(self) -> bool:
        return any(kind != "declared" for kind in self.kinds)

    @property
    def gap(self) -> str:
        """What is missing for this clause, in words; empty when nothing is."""
        if self.clause.role in ("none", "later"):
            return ""
        missing = []
        if not self.clause.code:
            missing.append("code")
        if not self.proved_by:
            missing.append("a passing test")
        return " and ".join(missing)

    @property
    def state(self) -> State:
        """Where this clause stands: kept and proved, lacking something, for later, or nothing to do."""
        if self.clause.role == "none" or self.clause.role == "later":
            return self.clause.role
        return "gap" if self.gap else "proved"


class Coverage(msgspec.Struct, frozen=True):
    """Counts for one rulebook; clauses for later or that ask nothing of a controller are in none of the last four."""

    clauses: int
    later: int
    to_keep: int
    with_code: int
    with_test: int
    complete: int


class Matrix(msgspec.Struct, frozen=True):
    """The trace of one rulebook."""

    rulebook: str
    rows: tuple[Row, ...]
    chapters: tuple[Chapter, ...] = ()

    @property
    def coverage(self) -> Coverage:
        kept = [row for row in self.rows if row.state in ("proved", "gap")]
        return Coverage(
            clauses=len(self.rows),
            later=sum(row.state == "later" for row in self.rows),
            to_keep=len(kept),
            with_code=sum(bool(row.clause.code) for row in kept),
            with_test=sum(bool(row.proved_by) for row in kept),
            complete=sum(not row.gap for row in kept),
        )

    @property
    def gaps(self) -> list[str]:
        """One line for each clause that lacks code or a passing test."""
        return [f"{self.rulebook} {row.clause.clause}: no {row.gap}" for row in self.rows if row.gap]

    @property
    def declared_only(self) -> list[str]:
        """One line for each clause about what people do at the felt that no chips and no page have proved."""
        return [
            f"{self.rulebook} {row.clause.clause}: by declared stakes only"
            for row in self.rows
            if row.state == "proved" and row.at_the_felt and not row.by_chips
        ]

    @property
    def elsewhere(self) -> list[str]:
        """One line for each clause that asks the controller to act where no chip, card or device comes to it."""
        kept = [row for row in self.rows if row.state == "proved" and row.away and not row.by_chips]
        return [f"{self.rulebook} {row.clause.clause}: {row.away}" for row in kept]

    @property
    def shown_after_all(self) -> list[str]:
        """One line for each clause that no hand is said to come to, and that chips or devices have shown."""
        found = [row for row in self.rows if (self.rulebook, row.clause.clause) in NO_HAND_COMES_TO_IT]
        return [f"{self.rulebook} {row.clause.clause}: chips have shown it, so say no longer that no hand comes to it"
                for row in found if row.by_chips]  # fmt: skip

    @property
    def claimed(self) -> list[str]:
        """One line for each clause that is for later and yet carried by a test."""
        return [
            f"{self.rulebook} {row.clause.clause}: is for later, yet {(row.proved_by + row.not_passed)[0]} carries it"
            for row in self.rows
            if row.state == "later" and (row.proved_by or row.not_passed)
        ]


def read_record(path: Path = RECORD) -> list[Proof]:
    """What the last test runs proved."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Proof])
    except FileNotFoundError:
        raise TraceError(f"{path}: no record of tests yet; run 'make test' first") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise TraceError(f"{path}: not a record of tests; remove it and run 'make test'") from None


def merge_record(path: Path, proofs: list[Proof], root: Path) -> None:
    """Write what a test run proved; what other runs proved stays while the tests still exist."""
    try:
        earlier = read_record(path)
    except TraceError:
        earlier = []
    # A test that this run left out, or did not come to, keeps what an earlier run said of it.
    tried = {proof.test for proof in proofs if proof.outcome not in ("collected", "left out")}
    kept = [proof for proof in earlier if proof.test not in tried and _still_there(proof.test, root)]
    known = {proof.test for proof in kept}
    new = [proof for proof in proofs if proof.test not in known]
    merged = sorted([*kept, *new], key=lambda proof: (proof.test, proof.rulebook, proof.clauses))
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_name(f"{path.name}.{os.getpid()}")
    written.write_bytes(msgspec.json.format(msgspec.json.encode(merged)))
    written.replace(path)  # two test runs may end together


def _still_there(test: str, root: Path) -> bool:
    file, _, rest = test.partition("::")
    name = rest.partition("[")[0].rpartition("::")[2]
    try:
        return f"def {name}(" in (root / file).read_text(encoding="utf-8")
    except OSError:
        return False


def matrix(rulebook: str, proofs: Iterable[Proof]) -> Matrix:
    """Each clause of the rulebook with its code and the tests marked with it."""
    proved: dict[str, list[Proof]] = {}
    not_passed: dict[str, list[str]] = {}
    for proof in proofs:
        for name in proof.clauses if proof.rulebook == rulebook else ():
            if proof.outcome == "passed":
                proved.setdefault(name, []).append(proof)
            else:
                not_passed.setdefault(name, []).append(proof.test)
    rows = (
        _row(clause, proved.get(clause.clause, []), not_passed.get(clause.clause, []))
        for clause in clauses.clauses(rulebook)
    )
    return Matrix(rulebook, tuple(rows), clauses.later(rulebook))


def _row(clause: Clause, proved: list[Proof], not_passed: list[str]) -> Row:
    tests = tuple(proof.test for proof in proved)
    return Row(clause, tests, tuple(not_passed), tuple(proof.kind for proof in proved))


def unanswered(proofs: Iterable[Proof], asked: Iterable[str]) -> list[str]:
    """Questions of the games, by game and subject, that no passing test has answered through the page."""
    answered = {one for proof in proofs if proof.outcome == "passed" for one in proof.answered}
    return sorted(set(asked) - answered)


def questions(rulebooks: Iterable[str]) -> list[str]:
    """Every question that the games of these rulebooks can ask."""
    books = [load_rulebook(rulebook) for rulebook in rulebooks if rulebook in rulebook_ids()]
    tables = [build_table(default_config(book.game, rulebook=book.id)) for book in books]
    return sorted({f"{table.game.name}/{one.subject}" for table in tables for one in table.game.questions})


def wrong_proofs(proofs: Iterable[Proof], rulebooks: Iterable[str]) -> list[str]:
    """One line for each marked test that failed or did not run, or that names a clause which does not exist."""
    wrong = []
    for proof in proofs:
        if not proof.rulebook:
            continue  # it names no clause; what it answered through the page counts all the same
        if proof.rulebook not in clauses.rulebooks():
            wrong.append(f"{proof.test}: there is no rulebook '{proof.rulebook}'")
        elif proof.rulebook in rulebooks:
            missing = [name for name in proof.clauses if not clauses.exists(proof.rulebook, name)]
            wrong.extend(f"{proof.test}: {proof.rulebook} has no clause '{name}'" for name in missing)
            if proof.trouble:
                wrong.append(f"{proof.test}: {proof.trouble}; {proof.rulebook} {', '.join(proof.clauses)}")
    return wrong


def trace(
    rulebook: str | None = None,
    *,
    record: Path = RECORD,
    form: Form = "text",
    strict: bool = False,
    brief: bool = False,
) -> tuple[str, bool]:
    """The report on one or all rulebooks, and whether it is fine.

    Code that does not import is never fine. When strict, neither is a clause without code or passing test, a clause
    of the felt that no chips or devices have shown, a question that nobody answered through the page, a marked test
    that did not run or names nothing, and a clause for later that a test claims.
    """
    ids = (rulebook,) if rulebook else clauses.rulebooks()
    proofs = read_record(record)
    matrices = [matrix(name, proofs) for name in ids]
    broken = [line for name in ids for line in clauses.broken_code(name)]
    unasked = unanswered(proofs, questions(ids))
    wrong = wrong_proofs(proofs, ids)
    wrong += [line for one in matrices for line in one.gaps + one.claimed + one.declared_only + one.shown_after_all]
    if CHROMIUM.found():
        wrong += [f"{name}: no test answers this question through the page" for name in unasked]
    if form == "csv":
        report = as_csv(matrices)
    elif form == "html":
        report = as_html(matrices)
    else:
        listed = [] if brief else matrices
        report = as_text(listed, matrices, broken, wrong, not_run(proofs, ids), unasked)
    return report, not broken and not (strict and wrong)


def not_run(proofs: Iterable[Proof], rulebooks: Iterable[str]) -> list[str]:
    """One line for each marked test that could not be expected to run here."""
    return [
        f"{proof.test}: {'left out of this run' if proof.outcome == 'left out' else f'no {lacking(proof.why)} here'}"
        for proof in proofs
        if proof.rulebook in rulebooks and proof.outcome in ("left out", "skipped") and not proof.trouble
    ]


def as_text(
    listed: list[Matrix],
    counted: list[Matrix],
    broken: list[str],
    wrong: list[str],
    left: list[str],
    unasked: Sequence[str] = (),
) -> str:
    """For a terminal: every clause on a line, what is for later, what did not run, what is wrong, and the counts."""
    lines = []
    for one in listed:
        width = max(len(row.clause.clause) for row in one.rows)
        lines.append(one.rulebook)
        for row in one.rows:
            tests = f"{len(row.proved_by)} tests" if len(row.proved_by) != 1 else "1 test"
            state = {"none": "-", "gap": f"no {row.gap}"}.get(row.state, row.state)
            if row.not_passed:
                state += f"; {len(row.not_passed)} did not pass"
            code = " ".join(row.clause.code) or "-"
            how = f" ({_kinds(row.kinds)})" if row.kinds else ""
            lines.append(f"  {row.clause.clause:<{width}}  {row.clause.role:<9}  {tests:>8}{how}  {code}  {state}")
        lines.extend(f"  later: {chapter.begins} ({chapter.about}): {chapter.reason}" for chapter in one.chapters)
        lines.append("")
        lines.extend(f"elsewhere: {line}" for line in one.elsewhere)
    lines.extend(f"not run: {line}" for line in left)
    lines.extend(f"broken: {line}" for line in broken)
    lines.extend(f"wrong: {line}" for line in wrong)
    lines.extend(f"{one.rulebook}: {_counts(one)}" for one in counted)
    lines.extend(f"{one.rulebook}: {_felt(one)}" for one in counted)
    if unasked:
        lines.append(f"{len(unasked)} questions are answered through the page by no test")
    return "\n".join(lines) + "\n"


def _kinds(kinds: Sequence[Kind]) -> str:
    return ", ".join(f"{kinds.count(kind)} {KINDS[kind]}" for kind in KINDS if kind in kinds)


def _felt(one: Matrix) -> str:
    felt = [row for row in one.rows if row.at_the_felt]
    chips, page = sum(row.by_chips for row in felt), sum("page" in row.kinds for row in felt)
    about = f"{len(felt)} clauses about what people do at the felt"
    return f"{about}, {chips} shown with chips and devices, {page} of them through the page"


def _counts(one: Matrix) -> str:
    count = one.coverage
    return (
        f"{count.clauses} clauses, {count.to_keep} to keep, {count.with_code} with code, "
        f"{count.with_test} with a passing test, {count.complete} with both; {count.later} for a later version"
    )


def as_csv(matrices: list[Matrix]) -> str:
    """For a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    head = ["rulebook", "clause", "role", "does", "code", "proved_by", "not_passed", "state", "gap", "kinds"]
    writer.writerow(head)
    for one in matrices:
        for row in one.rows:
            clause = row.clause
            proved, failed = " ".join(row.proved_by), " ".join(row.not_passed)
            cells = [one.rulebook, clause.clause, clause.role, clause.does, " ".join(clause.code), proved, failed]
            writer.writerow([*cells, row.state, row.gap or _reason(one, row), _kinds(row.kinds)])
    return out.getvalue()


def _reason(one: Matrix, row: Row) -> str:
    held = (chapter.reason for chapter in one.chapters if chapter.holds(row.clause.clause))
    return next(held, "") if row.state == "later" else ""


_STYLE = (
    "body{font:15px/1.45 system-ui,sans-serif;margin:2rem;max-width:1400px}"
    "table{border-collapse:collapse;width:100%;table-layout:fixed}"
    "td,th{border:1px solid #ccc;padding:.3rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}"
    "th{position:sticky;top:0;background:#f3f1ec}th:nth-child(1){width:10%}th:nth-child(2){width:7%}"
    "th:nth-child(3){width:36%}th:nth-child(4){width:20%}summary{cursor:pointer}ul{margin:0;padding-left:1.1em}"
    ".gap td:first-child{border-left:4px solid #c00}.proved td:first-child{border-left:4px solid #080}"
    ".later td{color:#666}.later td:first-child{border-left:4px solid #c80}"
    "code{font-size:12px}"
)


def as_html(matrices: list[Matrix]) -> str:
    """For a browser or a regulator's file."""
    parts = [f"<!doctype html><html lang=en><meta charset=utf-8><title>Clauses</title><style>{_STYLE}</style>"]
    parts.append("<h1>Clauses, the code that keeps them and the tests that prove it</h1>")
    for one in matrices:
        parts.append(f"<h2>{html.escape(one.rulebook)}</h2><p>{_counts(one)}.</p>")
        parts.extend(
            f"<p>For later, from {html.escape(chapter.begins)}: {html.escape(chapter.reason)}</p>"
            for chapter in one.chapters
        )
        parts.append("<table>")
        parts.append("<tr><th>Clause<th>Role<th>What the controller does<th>Code<th>Proved by</tr>")
        parts.extend(_html_row(row) for row in one.rows)
        parts.append("</table>")
    return "".join(parts) + "\n"


def _html_row(row: Row) -> str:
    state = "" if row.state == "none" else row.state
    code = "<br>".join(f"<code>{html.escape(name)}</code>" for name in row.clause.code)
    shown = dict(zip(row.proved_by, row.kinds, strict=False))
    tests = _html_tests({name: str(KINDS.get(shown.get(name, "declared"))) for name in row.proved_by})
    tests += _html_tests(dict.fromkeys(row.not_passed, "did not pass"))
    cells = [html.escape(row.clause.clause), row.clause.role, html.escape(row.clause.does), code, tests]
    return f"<tr class='{state}'>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _html_tests(found: dict[str, str]) -> str:
    """Tests as the sentences they are, the cases of one together; where they stand is a touch away."""
    together: dict[tuple[str, str], list[str]] = {}
    for name, how in found.items():
        together.setdefault((name.partition("[")[0], how), []).append(name)
    return "".join(_html_test(name, how, cases) for (name, how), cases in together.items())


def _html_test(name: str, how: str, cases: list[str]) -> str:
    sentence = name.rpartition("::")[2].removeprefix("test_").replace("_", " ")
    many = f", {len(cases)} cases" if len(cases) > 1 else ""
    where = "".join(f"<li><code>{html.escape(case)}</code>" for case in cases)
    summary = f"{html.escape(sentence)} <small>({html.escape(how)}{many})</small>"
    return f"<details><summary>{summary}</summary><ul>{where}</ul></details>"
