"""Tests name the clauses they prove; this refuses names that do not exist and records what was proved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from controller import clauses
from controller.trace import Proof, merge_record

_record: dict[str, list[Proof]] = {}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--clause-record", metavar="FILE", help="where to record which clauses were proved by which test")


def pytest_configure(config: pytest.Config) -> None:
    text = "guards(rulebook): holds the values of a rulebook file, and so notices a change, but proves no clause"
    config.addinivalue_line("markers", text)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    wrong = []
    for item in items:
        proofs = []
        for mark in item.iter_markers("clause"):
            trouble = _trouble(mark)
            if trouble:
                wrong.append(f"{item.nodeid}: {trouble}")
            else:
                proofs.append(Proof(item.nodeid, mark.args[0], tuple(mark.args[1:])))
        if proofs:
            _record[item.nodeid] = proofs
    if wrong:
        raise pytest.UsageError("clause marks that name nothing:\n  " + "\n  ".join(sorted(set(wrong))))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep the worst that happened to a marked test: it proves its clauses only if every phase passed."""
    if report.nodeid in _record and (report.when == "call" or report.outcome != "passed"):
        why = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else ""
        _record[report.nodeid] = [proof.with_outcome(report.outcome, why) for proof in _record[report.nodeid]]


def pytest_deselected(items: list[pytest.Item]) -> None:
    """A test that was not chosen says nothing, and keeps what an earlier run said of it."""
    for item in items:
        if item.nodeid in _record:
            _record[item.nodeid] = [proof.with_outcome("left out") for proof in _record[item.nodeid]]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.option.collectonly:
        return
    chosen = session.config.getoption("--clause-record")
    if chosen:
        path = Path(chosen)
    elif getattr(session.config, "cache", None) is not None:
        path = session.config.cache.mkdir("clauses") / "record.json"
    else:
        return
    merge_record(path, [proof for proofs in _record.values() for proof in proofs], session.config.rootpath)


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
