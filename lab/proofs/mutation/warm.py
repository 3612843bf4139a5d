"""One process that has collected the marked tests once; each change is tried in a fork of it, which then ends."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import resource
import selectors
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import msgspec
import pytest
from _pytest.runner import runtestprotocol

MEMORY = 2 << 30
LONGEST_S = 7200
QUICK = ("-p", "no:cacheprovider", "--capture=no", "-q", "--tb=native", "--assert=plain")
"""A fork needs to know that a test failed, not to explain it."""
Named = tuple[str, str]
Line = tuple[str, int]
Work = Callable[[Callable[[Any], None]], None]
"""Something done in a fork; it is given what tells the parent."""


class Run(msgspec.Struct, frozen=True):
    """How a marked test ended with nothing changed: the processor seconds it took and the lines it reached."""

    test: str
    outcome: str
    seconds: float
    lines: tuple[Line, ...] = ()


class Ended(msgspec.Struct, frozen=True):
    """How one fork ended: the test that failed, or what else stopped it, or neither."""

    failed: str = ""
    stopped: str = ""


class Warm:
    """The collected tests, and forks that run some of them."""

    def __init__(self, items: Iterable[pytest.Item]) -> None:
        self.items = {item.nodeid: item for item in items}
        self.clauses: dict[str, frozenset[Named]] = {
            test: frozenset((mark.args[0], clause) for mark in item.iter_markers("clause") for clause in mark.args[1:])
            for test, item in self.items.items()
        }
        self.guards: dict[str, frozenset[str]] = {
            test: frozenset(book for mark in item.iter_markers("guards") for book in mark.args)
            for test, item in self.items.items()
        }
        self._scratch = Path(tempfile.mkdtemp(prefix="tablectl-mutation-"))

    def close(self) -> None:
        shutil.rmtree(self._scratch, ignore_errors=True)

    def marked(self, named: frozenset[Named]) -> list[str]:
        """The tests that carry at least one of these clauses."""
        return [test for test, carried in self.clauses.items() if carried & named]

    def measure(self, tests: list[str], watched: dict[CodeType, str]) -> dict[str, Run]:
        """Run the tests unchanged, noting for each how long it takes and which watched lines it reaches."""

        def work(tell: Callable[[Any], None]) -> None:
            for number, test in enumerate(tests):
                lines: set[Line] = set()
                began = time.process_time()
                sys.settrace(_tracer(watched, lines))
                try:
                    outcome = self._outcome(test, tests[number + 1] if number + 1 < len(tests) else None)
                finally:
                    sys.settrace(None)
                tell(Run(test, outcome, time.process_time() - began, tuple(sorted(lines))))

        told, _ = self._fork(work, processor_s=3600, wall_s=LONGEST_S)
        return {run.test: run for run in (msgspec.convert(one, Run) for one in told)}

    def attempt(self, change: Callable[[], str], tests: list[str], seconds: float) -> Ended:
        """Change something in a fork and run tests there until one fails; `change` says what refused it."""

        def work(tell: Callable[[Any], None]) -> None:
            refused = change()
            if refused:
                tell(Ended(stopped=f"refused: {refused}"))
                return
            for number, test in enumerate(tests):
                outcome = self._outcome(test, tests[number + 1] if number + 1 < len(tests) else None)
                if outcome != "passed":
                    tell(Ended(failed=test))
                    return
            tell(Ended())

        told, how = self._fork(work, processor_s=int(2 * seconds) + 2, wall_s=int(30 * seconds) + 60)
        return msgspec.convert(told[0], Ended) if told else Ended(stopped=how)

    def _outcome(self, test: str, following: str | None) -> str:
        item = self.items[test]
        reports = runtestprotocol(item, log=False, nextitem=self.items[following] if following else None)
        if any(report.failed for report in reports):
            return "failed"
        return "passed" if any(report.when == "call" and report.passed for report in reports) else "skipped"

    def _fork(self, work: Work, processor_s: int, wall_s: int) -> tuple[list[Any], str]:
        """Do the work in a fork with limits; what it told, and how it ended when not by itself."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            self._in_fork(work, writing, processor_s, wall_s)
        os.close(writing)
        with open(reading, "rb") as pipe:
            told = [json.loads(line) for line in pipe if line.endswith(b"\n")]
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what a test left running
        shutil.rmtree(self._scratch / str(child), ignore_errors=True)
        if os.WIFSIGNALED(status):
            name = signal.Signals(os.WTERMSIG(status)).name
            return told, "ran out of time" if name in ("SIGXCPU", "SIGALRM") else f"died of {name}"
        return told, f"ended with status {os.WEXITSTATUS(status)}"

    def _in_fork(self, work: Work, writing: int, processor_s: int, wall_s: int) -> None:
        status = 1
        try:
            os.setpgid(0, 0)
            null = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(null, stream)
            sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # until the fork ends
            resource.setrlimit(resource.RLIMIT_CPU, (processor_s, processor_s + 5))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(wall_s)
            own = self._scratch / str(os.getpid())
            own.mkdir(parents=True)
            for item in self.items.values():
                # Each fork keeps its own temporary folders; pytest would number them across all forks.
                vars(vars(item.config)["_tmp_path_factory"])["_given_basetemp"] = own / "tmp"
                break

            work(_teller(writing))
            status = 0
        finally:
            os._exit(status)


def side_by_side(works: list[Work], told: Callable[[Any], None]) -> None:
    """Do each work in a fork of its own, all at once; what they tell is handed on as it comes."""
    children = []
    with selectors.DefaultSelector() as pipes:
        for work in works:
            reading, writing = os.pipe()
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    work(_teller(writing))
                    status = 0
                finally:
                    os._exit(status)
            os.close(writing)
            pipes.register(reading, selectors.EVENT_READ, bytearray())
            children.append(child)
        while pipes.get_map():
            for pipe, _ in pipes.select(LONGEST_S):  # a fork ends each of its attempts sooner than that
                _hand_on(pipe, pipes, told)
    if any(os.waitpid(child, 0)[1] for child in children):
        raise RuntimeError("a fork of the mutation check died; run it again with --jobs 1 to see why")


def _hand_on(pipe: selectors.SelectorKey, pipes: selectors.BaseSelector, told: Callable[[Any], None]) -> None:
    come = os.read(pipe.fd, 1 << 16)
    if not come:
        pipes.unregister(pipe.fd)
        os.close(pipe.fd)
        return
    begun: bytearray = pipe.data
    *whole, begun[:] = (begun + come).split(b"\n")
    for line in whole:
        told(json.loads(line))


def _teller(writing: int) -> Callable[[Any], None]:
    def tell(something: Any) -> None:
        os.write(writing, msgspec.json.encode(something) + b"\n")

    return tell


def _tracer(watched: dict[CodeType, str], lines: set[Line]) -> Callable[..., Any]:
    """Notes lines of watched functions only, so that everything else runs at nearly its own pace."""

    def line(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            lines.add((watched[frame.f_code], frame.f_lineno))
        return line

    def call(frame: FrameType, event: str, _: Any) -> Any:
        return line if frame.f_code in watched else None

    return call


class Collected(NamedTuple):
    """Hands the collected tests to the work and lets pytest run none itself."""

    work: Callable[[Warm], None]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        # A browser is another process, which sees no change made here.
        warm = Warm(
            item
            for item in session.items
            if (item.get_closest_marker("clause") or item.get_closest_marker("guards"))
            and not item.get_closest_marker("browser")
        )
        gc.collect()
        gc.freeze()  # forks then share the pages of everything imported
        try:
            self.work(warm)
        finally:
            warm.close()
        return True


class NoTests(Exception):
    """The marked tests cannot be collected; the text says what pytest said."""


def with_marked_tests(folder: Path, work: Callable[[Warm], None]) -> None:
    """Collect the marked tests under a folder once and give them to the work."""
    found = sorted(folder.rglob("test_*.py")) if folder.is_dir() else [folder]
    files = [str(file) for file in found if _marks(file.read_text(encoding="utf-8"))]
    if not files:
        raise NoTests(f"{folder}: no test there names a clause; say where the tests are with --tests")
    _settle_hypothesis()
    sys.path.insert(0, str(Path.cwd()))  # as 'python -m pytest' does
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        status = pytest.main([*QUICK, *files], plugins=[Collected(work)])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise NoTests(f"{folder}: the marked tests cannot be collected\n{said.getvalue()}")


def _marks(text: str) -> bool:
    return "clause" in text or "mark.guards" in text


def _settle_hypothesis() -> None:
    """Drawn examples are the same in every fork, and none are written down."""
    try:
        from hypothesis import settings
    except ImportError:
        return
    settings.register_profile("mutation", derandomize=True, database=None, deadline=None)
    settings.load_profile("mutation")
