"""The trace from clause to code to test."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controller.rules import clauses
from controller.rules.clauses import Chapter, Clause
from lab import clause_trace as trace
from lab.clause_trace import Matrix, Proof, Row, TraceError
from tests import ROOT

RULEBOOK = "melbourne-wheel"


def row(rows: tuple[Row, ...], name: str) -> Row:
    return next(one for one in rows if one.clause.clause == name)


def test_a_clause_is_proved_only_by_tests_that_passed() -> None:
    rows = trace.matrix(
        RULEBOOK,
        [
            Proof("a.py::one", RULEBOOK, ("9.4", "9.5"), "passed"),
            Proof("a.py::two", RULEBOOK, ("9.5",), "failed"),
            Proof("a.py::three", RULEBOOK, ("7.2",), "skipped"),
            Proof("a.py::four", "melbourne-war", ("9.4",), "passed"),
        ],
    ).rows
    assert row(rows, "9.5").proved_by == ("a.py::one",)
    assert row(rows, "9.5").not_passed == ("a.py::two",)
    assert row(rows, "7.2").proved_by == ()
    assert row(rows, "9.4").proved_by == ("a.py::one",)
    assert "a passing test" in row(rows, "7.2").gap


def test_a_clause_that_asks_nothing_of_a_controller_is_no_gap_and_is_not_counted() -> None:
    quiet = Row(Clause("x", "1", "none", "nothing"), (), ())
    kept = Row(Clause("x", "2", "enforce", "much", ("lab.clause_trace",)), ("t",), ())
    bare = Row(Clause("x", "3", "enforce", "much"), (), ())
    one = Matrix("x", (quiet, kept, bare))
    assert one.gaps == ["x 3: no code and a passing test"]
    count = one.coverage
    assert (count.clauses, count.to_keep, count.with_code, count.with_test, count.complete) == (3, 2, 1, 1, 1)


CHAPTER = Chapter("x", "feasts", "8.1", ("8.",), "nobody has cooked yet")


def test_a_clause_for_later_is_counted_apart_and_never_as_kept() -> None:
    one = Matrix("x", (Row(Clause("x", "8.1", "later", "much"), (), ()),), (CHAPTER,))
    assert (one.coverage.clauses, one.coverage.later, one.coverage.to_keep, one.coverage.complete) == (1, 1, 0, 0)
    assert one.gaps == []
    assert one.claimed == []
    assert one.rows[0].state == "later"
    text = trace.as_text([one], [one], [], [], [])
    assert "0 to keep, 0 with code, 0 with a passing test, 0 with both; 1 for a later version" in text
    assert "later: 8.1 (feasts): nobody has cooked yet" in text
    assert "proved" not in text
    (line,) = csv.DictReader(io.StringIO(trace.as_csv([one])))
    assert (line["role"], line["state"], line["gap"]) == ("later", "later", "nobody has cooked yet")
    page = trace.as_html([one])
    assert "<tr class='later'>" in page
    assert "For later, from 8.1: nobody has cooked yet" in page


def test_a_test_that_claims_a_clause_for_later_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unkept = Clause(RULEBOOK, "8.1", "later", "Not kept yet.")
    index = tuple(unkept if one.clause == "8.1" else one for one in clauses.clauses(RULEBOOK))
    monkeypatch.setattr(clauses, "clauses", lambda rulebook: index)
    monkeypatch.setattr(clauses, "later", lambda rulebook: ())
    record = tmp_path / "record.json"
    trace.merge_record(record, [Proof("a.py::one", RULEBOOK, ("8.1",), "passed")], tmp_path)
    text, fine = trace.trace(RULEBOOK, record=record, strict=True, brief=True)
    assert not fine
    assert "wrong: melbourne-wheel 8.1: is for later, yet a.py::one carries it" in text


@pytest.mark.parametrize(
    ("proof", "told"),
    [
        (Proof("a.py::one", RULEBOOK, ("9.5",), "failed"), "a.py::one: failed; melbourne-wheel 9.5"),
        (Proof("a.py::one", RULEBOOK, ("9.5",)), "a.py::one: did not run; melbourne-wheel 9.5"),
        (Proof("a.py::one", RULEBOOK, ("9.5",), "skipped", "no mood"), "a.py::one: was skipped (no mood)"),
        (Proof("a.py::one", RULEBOOK, ("9.99",), "passed"), "a.py::one: melbourne-wheel has no clause '9.99'"),
        (Proof("a.py::one", "darwin", ("9.5",), "passed"), "a.py::one: there is no rulebook 'darwin'"),
    ],
)
def test_a_marked_test_that_did_not_pass_or_names_nothing_is_wrong(proof: Proof, told: str) -> None:
    (line,) = trace.wrong_proofs([proof], (RULEBOOK,))
    assert line.startswith(told)


def test_a_test_that_lacks_a_tool_is_excused_only_where_the_tool_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = Proof("a.py::one", RULEBOOK, ("9.5",), "skipped", "no C compiler on this machine (apt install gcc)")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert trace.wrong_proofs([proof], (RULEBOOK,)) == []
    assert trace.not_run([proof], (RULEBOOK,)) == ["a.py::one: no C compiler here"]
    assert trace.matrix(RULEBOOK, [proof]).rows[0].proved_by == ()
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert trace.wrong_proofs([proof], (RULEBOOK,)) != []
    assert trace.not_run([proof], (RULEBOOK,)) == []


def test_a_test_that_a_run_left_out_keeps_what_an_earlier_run_said(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_one():\n    pass\n", encoding="utf-8")
    record = tmp_path / "record.json"
    passed = Proof("test_a.py::test_one", RULEBOOK, ("9.5",), "passed")
    for outcome in ("collected", "left out"):
        trace.merge_record(record, [passed], tmp_path)
        trace.merge_record(record, [passed.with_outcome(outcome)], tmp_path)
        assert trace.read_record(record) == [passed]
    trace.merge_record(record, [passed.with_outcome("failed")], tmp_path)
    assert trace.read_record(record) == [passed.with_outcome("failed")]


def test_the_report_tells_gaps_and_only_strict_fails_on_them(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    trace.merge_record(record, [Proof("a.py::one", RULEBOOK, ("9.5",), "passed")], tmp_path)
    text, fine = trace.trace(RULEBOOK, record=record)
    assert fine
    assert "1 with a passing test" in text
    _, fine = trace.trace(RULEBOOK, record=record, strict=True)
    assert not fine


def test_code_that_is_gone_fails_even_when_not_strict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "record.json"
    trace.merge_record(record, [], tmp_path)
    monkeypatch.setattr(clauses, "broken_code", lambda name: [f"{name} 9.5: there is no code 'gone'"])
    text, fine = trace.trace(RULEBOOK, record=record)
    assert not fine
    assert "there is no code 'gone'" in text


def test_the_csv_and_html_reports_hold_every_clause(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    trace.merge_record(record, [Proof("a.py::<one>", RULEBOOK, ("9.5",), "passed")], tmp_path)
    table = list(csv.DictReader(io.StringIO(trace.trace(RULEBOOK, record=record, form="csv")[0])))
    assert [line["clause"] for line in table] == [clause.clause for clause in clauses.clauses(RULEBOOK)]
    page = trace.trace(RULEBOOK, record=record, form="html")[0]
    assert page.count("<tr class=") == len(table)
    assert "a.py::&lt;one&gt;" in page


def test_a_page_tells_tests_as_sentences_and_the_cases_of_one_together(tmp_path: Path) -> None:
    record, names = tmp_path / "record.json", ("a.py::test_a_spin_is_one[1]", "a.py::test_a_spin_is_one[2]")
    trace.merge_record(record, [Proof(name, RULEBOOK, ("9.5",), "passed") for name in names], tmp_path)
    page = trace.trace(RULEBOOK, record=record, form="html")[0]
    assert page.count("<summary>") == 1
    assert "<summary>a spin is one <small>(" in page
    assert ", 2 cases)</small>" in page
    assert all(f"<li><code>{name}</code>" in page for name in names)


def test_a_missing_or_broken_record_is_told_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="run 'make test' first"):
        trace.read_record(tmp_path / "record.json")
    (tmp_path / "record.json").write_text("{", encoding="utf-8")
    with pytest.raises(TraceError, match="remove it and run 'make test'"):
        trace.read_record(tmp_path / "record.json")


def test_a_partial_run_keeps_what_other_tests_proved_until_they_are_gone(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test_one():\n    pass\n", encoding="utf-8")
    record = tmp_path / "record.json"
    one = Proof("test_a.py::test_one[3]", RULEBOOK, ("9.5",), "passed")
    gone = Proof("test_a.py::test_two", RULEBOOK, ("9.5",), "passed")
    trace.merge_record(record, [one, gone], tmp_path)
    new = Proof("test_b.py::test_three", RULEBOOK, ("9.4",), "passed")
    trace.merge_record(record, [new], tmp_path)
    assert trace.read_record(record) == [one, new]


def run_tests(folder: Path, source: str, *options: str) -> tuple[int, str]:
    """Run one marked test file under this project's own conftest."""
    (folder / "tests").mkdir()
    shutil.copy(ROOT / "pyproject.toml", folder)
    shutil.copy(ROOT / "tests" / "conftest.py", folder / "tests")
    (folder / "tests" / "test_it.py").write_text("import pytest\n" + source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--clause-record", "record.json"]
    ended = subprocess.run(
        [*command, *options],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )
    return ended.returncode, ended.stdout + ended.stderr


def test_a_test_run_records_what_passed_and_what_did_not(tmp_path: Path) -> None:
    status, _ = run_tests(
        tmp_path,
        "@pytest.mark.clause('melbourne-wheel', '9.5')\ndef test_good(): pass\n"
        "@pytest.mark.clause('melbourne-wheel', '9.4')\ndef test_bad(): assert False\n"
        "@pytest.mark.clause('melbourne-wheel', '9.3')\n@pytest.mark.skip\ndef test_idle(): pass\n"
        "def test_plain(): pass\n",
    )
    assert status == 1
    proofs = trace.read_record(tmp_path / "record.json")
    assert {(proof.clauses, proof.outcome) for proof in proofs} == {
        (("9.5",), "passed"),
        (("9.4",), "failed"),
        (("9.3",), "skipped"),
    }
    assert {proof.why for proof in proofs} == {"", "Skipped: unconditional skip"}


def test_tests_that_run_side_by_side_are_recorded_as_one_run(tmp_path: Path) -> None:
    source = (
        "@pytest.mark.clause('melbourne-wheel', '9.5')\n@pytest.mark.parametrize('one', range(20))\n"
        "def test_good(one): pass\n"
        "@pytest.mark.clause('melbourne-wheel', '9.4')\ndef test_bad(): assert False\n"
        "@pytest.mark.clause('melbourne-wheel', '9.4')\n@pytest.mark.slow\ndef test_long(): pass\n"
        "@pytest.mark.clause('melbourne-wheel', '9.3')\ndef test_last(): pass\n"
    )
    status, output = run_tests(tmp_path, source, "-n", "2")
    assert status == 1, output
    ended = {proof.test.partition("::")[2]: proof.outcome for proof in trace.read_record(tmp_path / "record.json")}
    rest = {"test_bad": "failed", "test_long": "left out", "test_last": "passed"}
    assert ended == {f"test_good[{one}]": "passed" for one in range(20)} | rest


def test_a_test_that_was_not_chosen_is_recorded_as_left_out(tmp_path: Path) -> None:
    source = "@pytest.mark.clause('melbourne-wheel', '9.5')\n@pytest.mark.slow\ndef test_long(): pass\n"
    run_tests(tmp_path, source + "def test_plain(): pass\n")
    (proof,) = trace.read_record(tmp_path / "record.json")
    assert proof.outcome == "left out"
    assert trace.not_run([proof], (RULEBOOK,)) == ["tests/test_it.py::test_long: left out of this run"]


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ("'melbourne-wheel', '9.99'", "melbourne-wheel has no clause '9.99'"),
        ("'darwin-wheel', '9.5'", "there is no rulebook 'darwin-wheel'"),
        ("'melbourne-wheel'", "a clause mark is written"),
    ],
)
@pytest.mark.parametrize("beside", [(), ("-n", "2")], ids=["alone", "side by side"])
def test_a_mark_that_names_nothing_stops_the_run_before_any_test(
    tmp_path: Path, mark: str, message: str, beside: tuple[str, ...]
) -> None:
    status, output = run_tests(tmp_path, f"@pytest.mark.clause({mark})\ndef test_it(): assert False\n", *beside)
    assert status == 4
    assert message in output
    assert "1 failed" not in output
