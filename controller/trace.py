"""The trace from clause to code to test: which clause is kept where, and which passing tests prove it."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from controller import clauses
from controller.clauses import Clause

Outcome = Literal["collected", "passed", "failed", "skipped"]
Form = Literal["text", "csv", "html"]
RECORD = Path(".pytest_cache/d/clauses/record.json")


class TraceError(Exception):
    """The record of tests cannot be used; the text says why and what to do."""


class Proof(msgspec.Struct, frozen=True):
    """A test, the clauses it is marked with, and how it ended."""

    test: str
    rulebook: str
    clauses: tuple[str, ...]
    outcome: Outcome = "collected"

    def with_outcome(self, outcome: Outcome) -> Proof:
        return msgspec.structs.replace(self, outcome=outcome)


class Row(msgspec.Struct, frozen=True):
    """One clause with the tests that prove it and those that should but did not pass."""

    clause: Clause
    proved_by: tuple[str, ...]
    not_passed: tuple[str, ...]

    @property
    def gap(self) -> str:
        """What is missing for this clause, in words; empty when nothing is."""
        if self.clause.role == "none":
            return ""
        missing = []
        if not self.clause.code:
            missing.append("code")
        if not self.proved_by:
            missing.append("a passing test")
        return " and ".join(missing)


class Coverage(msgspec.Struct, frozen=True):
    """Counts for one rulebook; clauses that ask nothing of a controller are left out of all but the first."""

    clauses: int
    to_keep: int
    with_code: int
    with_test: int
    complete: int


class Matrix(msgspec.Struct, frozen=True):
    """The trace of one rulebook."""

    rulebook: str
    rows: tuple[Row, ...]

    @property
    def coverage(self) -> Coverage:
        kept = [row for row in self.rows if row.clause.role != "none"]
        return Coverage(
            clauses=len(self.rows),
            to_keep=len(kept),
            with_code=sum(bool(row.clause.code) for row in kept),
            with_test=sum(bool(row.proved_by) for row in kept),
            complete=sum(not row.gap for row in kept),
        )

    @property
    def gaps(self) -> list[str]:
        """One line for each clause that lacks code or a passing test."""
        return [f"{self.rulebook} {row.clause.clause}: no {row.gap}" for row in self.rows if row.gap]


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
    now = {proof.test for proof in proofs}
    kept = [proof for proof in earlier if proof.test not in now and _still_there(proof.test, root)]
    merged = sorted([*kept, *proofs], key=lambda proof: (proof.test, proof.rulebook, proof.clauses))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(merged)))


def _still_there(test: str, root: Path) -> bool:
    file, _, rest = test.partition("::")
    name = rest.partition("[")[0].rpartition("::")[2]
    try:
        return f"def {name}(" in (root / file).read_text(encoding="utf-8")
    except OSError:
        return False


def matrix(rulebook: str, proofs: Iterable[Proof]) -> Matrix:
    """Each clause of the rulebook with its code and the tests marked with it."""
    proved: dict[str, list[str]] = {}
    not_passed: dict[str, list[str]] = {}
    for proof in proofs:
        if proof.rulebook == rulebook:
            tests = proved if proof.outcome == "passed" else not_passed
            for name in proof.clauses:
                tests.setdefault(name, []).append(proof.test)
    return Matrix(
        rulebook,
        tuple(
            Row(clause, tuple(proved.get(clause.clause, ())), tuple(not_passed.get(clause.clause, ())))
            for clause in clauses.clauses(rulebook)
        ),
    )


def trace(
    rulebook: str | None = None, *, record: Path = RECORD, form: Form = "text", strict: bool = False
) -> tuple[str, bool]:
    """The report on one or all rulebooks, and whether it is fine.

    Code that does not import is never fine; a clause without code or passing test is a failure only when strict.
    """
    ids = (rulebook,) if rulebook else clauses.rulebooks()
    proofs = read_record(record)
    matrices = [matrix(name, proofs) for name in ids]
    broken = [line for name in ids for line in clauses.broken_code(name)]
    if form == "csv":
        report = as_csv(matrices)
    elif form == "html":
        report = as_html(matrices)
    else:
        report = as_text(matrices, broken)
    return report, not broken and not (strict and any(one.gaps for one in matrices))


def as_text(matrices: list[Matrix], broken: list[str]) -> str:
    """For a terminal: every clause on a line, then the counts."""
    lines = []
    for one in matrices:
        width = max(len(row.clause.clause) for row in one.rows)
        lines.append(one.rulebook)
        for row in one.rows:
            tests = f"{len(row.proved_by)} tests" if len(row.proved_by) != 1 else "1 test"
            state = "-" if row.clause.role == "none" else f"no {row.gap}" if row.gap else "proved"
            if row.not_passed:
                state += f"; {len(row.not_passed)} did not pass"
            code = " ".join(row.clause.code) or "-"
            lines.append(f"  {row.clause.clause:<{width}}  {row.clause.role:<9}  {tests:>8}  {code}  {state}")
        lines.append("")
    lines.extend(f"broken: {line}" for line in broken)
    for one in matrices:
        count = one.coverage
        lines.append(
            f"{one.rulebook}: {count.clauses} clauses, {count.to_keep} to keep, {count.with_code} with code, "
            f"{count.with_test} with a passing test, {count.complete} with both"
        )
    return "\n".join(lines) + "\n"


def as_csv(matrices: list[Matrix]) -> str:
    """For a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["rulebook", "clause", "role", "does", "code", "proved_by", "not_passed", "gap"])
    for one in matrices:
        for row in one.rows:
            clause = row.clause
            proved, failed = " ".join(row.proved_by), " ".join(row.not_passed)
            code = " ".join(clause.code)
            writer.writerow([one.rulebook, clause.clause, clause.role, clause.does, code, proved, failed, row.gap])
    return out.getvalue()


_STYLE = (
    "body{font:14px/1.4 system-ui,sans-serif;margin:2rem}table{border-collapse:collapse;width:100%}"
    "td,th{border:1px solid #ccc;padding:.3rem .5rem;text-align:left;vertical-align:top}"
    ".gap td:first-child{border-left:4px solid #c00}.proved td:first-child{border-left:4px solid #080}"
    "code{font-size:12px}"
)


def as_html(matrices: list[Matrix]) -> str:
    """For a browser or a regulator's file."""
    parts = [f"<!doctype html><html lang=en><meta charset=utf-8><title>Clauses</title><style>{_STYLE}</style>"]
    for one in matrices:
        count = one.coverage
        parts.append(f"<h2>{html.escape(one.rulebook)}</h2><p>{count.clauses} clauses, {count.to_keep} to keep, ")
        parts.append(f"{count.with_code} with code, {count.with_test} with a passing test.</p><table>")
        parts.append("<tr><th>Clause<th>Role<th>What the controller does<th>Code<th>Proved by</tr>")
        parts.extend(_html_row(row) for row in one.rows)
        parts.append("</table>")
    return "".join(parts) + "\n"


def _html_row(row: Row) -> str:
    state = "" if row.clause.role == "none" else "gap" if row.gap else "proved"
    code = "<br>".join(f"<code>{html.escape(name)}</code>" for name in row.clause.code)
    tests = [f"<code>{html.escape(name)}</code>" for name in row.proved_by]
    tests += [f"<code>{html.escape(name)}</code> did not pass" for name in row.not_passed]
    cells = [html.escape(row.clause.clause), row.clause.role, html.escape(row.clause.does), code, "<br>".join(tests)]
    return f"<tr class='{state}'>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
