"""Tests name the clauses they prove: names that do not exist are refused, and what was proved is recorded.

Tests may run side by side (`-n 2`): workers tell which tests they know, and the run that started them keeps the record.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
import structlog
from hypothesis import HealthCheck, settings

from controller.rules import clauses
from lab.clause_trace import Outcome, Proof, merge_record
from lab.needs import asked_for
from lab.proof_kinds import Kind, Recorder, recording, stand_in_harnesses

PROOF = "proof"
Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)
_marked: dict[str, list[Proof]] = {}
_wrong: set[str] = set()
_ended: dict[str, tuple[Outcome, str]] = {}
_how: dict[str, tuple[Kind, tuple[str, ...]]] = {}
_recorder = pytest.StashKey[Recorder]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clause-record", metavar="FILE", help="where to record which clauses were proved by which test")
    text = "a test that is skipped fails, unless for a right that no package brings (root, mounts)"
    parser.addoption("--nothing-missing", action="store_true", help=text)


def pytest_configure(config: pytest.Config) -> None:
    text = "guards(rulebook): notices a change to what this rulebook rests on, but proves no clause"
    config.addinivalue_line("markers", text)
    # How long an example takes says how busy the machine is, and nothing of what is tested.
    settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("busy")
    stand_in_harnesses()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wrong = set()
    for item in items:
        proofs = []
        for mark in item.iter_markers("clause"):
            trouble = _trouble(mark)
            if trouble:
                wrong.add(f"{item.nodeid}: {trouble}")
            else:
                proofs.append(Proof(item.nodeid, mark.args[0], tuple(mark.args[1:])))
        if proofs:
            _marked[item.nodeid] = proofs
    if wrong and hasattr(config, "workeroutput"):
        _wrong.update(wrong)
        items.clear()  # nothing runs, and the run that started this worker says why
    elif wrong:
        raise pytest.UsageError(_names_nothing(wrong))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """What a test used, its fixtures included, says how it proves."""
    with recording() as recorder:
        item.stash[_recorder] = recorder
        return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep the worst that happened to a marked test: it proves its clauses only if every phase passed."""
    for name, told in report.user_properties:
        if name == PROOF:
            kind, answered = msgspec.convert(told, tuple[Kind, tuple[str, ...]])
            _how[report.nodeid] = kind, answered
    if report.when == "call" or report.outcome != "passed":
        _ended[report.nodeid] = report.outcome, _why(report)


def pytest_deselected(items: list[pytest.Item]) -> None:
    """A test that was not chosen says nothing, and keeps what an earlier run said of it."""
    for item in items:
        if item.nodeid in _marked:
            _marked[item.nodeid] = [proof.with_outcome("left out") for proof in _marked[item.nodeid]]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["clauses"] = msgspec.json.encode((_marked, _wrong)).decode()
        return
    if _wrong:
        pytest.exit(_names_nothing(_wrong), returncode=pytest.ExitCode.USAGE_ERROR)
    if session.config.option.collectonly:
        return
    chosen = session.config.getoption("--clause-record")
    if chosen:
        path = Path(chosen)
    elif getattr(session.config, "cache", None) is not None:
        path = session.config.cache.mkdir("clauses") / "record.json"
    else:
        return
    for test, (kind, answered) in _how.items():
        known = _marked.get(test) or ([Proof(test, "", ())] if answered else [])
        _marked[test] = [msgspec.structs.replace(proof, kind=kind, answered=answered) for proof in known]
    proofs = [
        proof.with_outcome(*_ended[test]) if test in _ended else proof for test in _marked for proof in _marked[test]
    ]
    merge_record(path, proofs, session.config.rootpath)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker has ended; every worker knows every test."""
    told = getattr(node, "workeroutput", {}).get("clauses")
    if told is not None:
        marked, wrong = msgspec.json.decode(told, type=tuple[dict[str, list[Proof]], set[str]])
        _marked.update(marked)
        _wrong.update(wrong)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    recorder = item.stash.get(_recorder, None)
    if recorder is not None and report.when == "call":
        answered = sorted(recorder.answered) if recorder.kind == "page" else []
        report.user_properties.append((PROOF, (recorder.kind, answered)))
    return _must_run(report, item.config)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _must_run((yield), collector.config)


def _must_run(report: Report, config: pytest.Config) -> Report:
    """Where nothing may be missing, a test that was skipped has failed."""
    if report.skipped and config.getoption("--nothing-missing"):
        need = asked_for(_why(report))
        if need is None or need.installable or need.found():
            report.outcome = "failed"
            report.longrepr = f"{report.nodeid} must run here and was skipped: {_why(report)}"
    return report


def _why(report: pytest.TestReport | pytest.CollectReport) -> str:
    return str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else ""


def _names_nothing(wrong: set[str]) -> str:
    return "clause marks that name nothing:\n  " + "\n  ".join(sorted(wrong))


def _trouble(mark: pytest.Mark) -> str:
    if mark.kwargs or len(mark.args) < 2 or not all(isinstance(name, str) for name in mark.args):
        return 'a clause mark is written clause("rulebook", "clause", …)'
    rulebook, *named = mark.args
    if rulebook not in clauses.rulebooks():
        return f"there is no rulebook '{rulebook}'; there are {', '.join(clauses.rulebooks())}"
    missing = [name for name in named if not clauses.exists(rulebook, name)]
    return f"{rulebook} has no clause {', '.join(repr(name) for name in missing)}" if missing else ""


@pytest.fixture(autouse=True)
def _logs_as_they_come() -> Iterator[None]:
    """A command under test says how it logs; the next test starts without that."""
    yield
    structlog.reset_defaults()
