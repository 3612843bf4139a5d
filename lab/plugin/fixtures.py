"""Fixtures for tests of devices and tables; installed with the package, so that any test folder has them.

    def test_a_card_is_told(shoe):                    # simulated, or the one on the rig: pytest --rig rig.toml
        shoe.see(CardOut(...))
        assert shoe.expect(CardOut).card == 12

A test asks for a device, and with `@pytest.mark.needs("gate")` for what it must be able to do; never for a port.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from lab.plugin.device import BenchDevice
    from lab.plugin.reader import BenchReader
    from lab.plugin.table import TableBench
    from lab.rig.bench import RigBench
    from lab.sim.loop_clock import SteppedClock

_rig_key = pytest.StashKey["_RigState"]()
_watched_key = pytest.StashKey[list[tuple[str, Callable[[], list[str]]]]]()


class _RigState:
    """The rig of this run: unopened, open, or broken for the reason it was first found to be."""

    def __init__(self) -> None:
        self.bench: RigBench | None = None
        self.cause = ""
        self.told_with = ""
        self.skipped = 0

    def skip(self, nodeid: str) -> None:
        self.skipped += 1
        if not self.told_with:
            self.told_with = nodeid
            pytest.skip(f"the rig is broken: {self.cause}")
        pytest.skip(f"the rig is broken; the cause was told with {self.told_with}")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tablectl", "tests of devices and tables")
    group.addoption("--rig", metavar="FILE", help="take devices from the rig of this file instead of simulating them")
    group.addoption("--rig-captures", metavar="FOLDER", help="record every line of the rig in this folder")
    parser.addini("rig", "the rig file to take devices from", default="")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_rig_key] = _RigState()
    if _captures(config) is not None and _rig_file(config) is None:
        raise pytest.UsageError("--rig-captures records the lines of a rig: give one with --rig FILE")
    config.addinivalue_line(
        "markers", "needs(*capabilities): what the device of this test must be able to do; it is skipped otherwise"
    )
    config.addinivalue_line("markers", "table(game, option=1, seed=1): the simulated table that `bench` gives")


def pytest_unconfigure(config: pytest.Config) -> None:
    state = config.stash.get(_rig_key, None)
    if state is not None and state.bench is not None:
        state.bench.close()
        state.bench = None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    state = config.stash.get(_rig_key, None)
    if state is not None and state.cause:
        terminalreporter.section("rig")
        terminalreporter.line(f"{state.cause}  ({state.skipped} tests were skipped because of it)")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Attach the last frames of every device and the journal of every table to a failure."""
    report = yield
    if report.failed:
        for title, lines in item.stash.get(_watched_key, []):
            text = "\n".join(lines())
            if text:
                report.sections.append((title, text))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """What nobody can make a device do is skipped, saying so, and never passed."""
    try:
        return (yield)
    except Exception as reason:
        if type(reason).__name__ != "NotTried":
            raise
        pytest.skip(str(reason))


def _watch(request: pytest.FixtureRequest, title: str, lines: Callable[[], list[str]]) -> None:
    request.node.stash.setdefault(_watched_key, []).append((title, lines))


def _rig_file(config: pytest.Config) -> Path | None:
    given = config.getoption("--rig") or config.getini("rig")
    return config.rootpath / str(given) if given else None


def _captures(config: pytest.Config) -> Path | None:
    given = config.getoption("--rig-captures")
    return config.rootpath / str(given) if given else None


def _bench(request: pytest.FixtureRequest) -> RigBench | None:
    """The rig of this run, opened and checked once; what needs a broken one is skipped."""
    path = _rig_file(request.config)
    if path is None:
        return None
    state = request.config.stash[_rig_key]
    if state.cause:
        state.skip(request.node.nodeid)
    if state.bench is None:
        from controller.config.tomlread import ConfigError
        from firmware_specs.port import PortTrouble
        from lab.rig.bench import RigBench
        from lab.rig.file import read_rig

        try:
            bench = RigBench(read_rig(path), print, _captures(request.config))
            try:
                bench.start_programs()
                bench.require_whole()
            except BaseException:
                bench.close()
                raise
        except ConfigError as wrong:
            state.cause = str(wrong)
            state.skip(request.node.nodeid)
        except PortTrouble as trouble:
            state.cause = f"{trouble.text}. {trouble.remedy}"
            state.skip(request.node.nodeid)
        state.bench = bench
    return state.bench


@pytest.fixture
def rig(request: pytest.FixtureRequest) -> RigBench:
    """The rig given with --rig, whole; the test is skipped without one."""
    bench = _bench(request)
    if bench is None:
        pytest.skip("no rig: give one with --rig FILE")
    return bench


@pytest.fixture
def clock(request: pytest.FixtureRequest) -> SteppedClock:
    """The one clock of this test: virtual, or the rig's in real time."""
    from firmware_specs.clock import VirtualClock

    bench = _bench(request)
    return VirtualClock() if bench is None else bench.clock


def _device(request: pytest.FixtureRequest, kind: str) -> Iterator[BenchDevice]:
    from firmware_specs.port import PortTrouble
    from lab.plugin.find import bench_device

    bench = _bench(request)
    with bench_device(kind, request.getfixturevalue("clock"), bench) as device:
        _watch(request, f"the last frames of {kind}", device.last_frames)
        try:
            device.start()
        except PortTrouble as trouble:
            if not device.real:
                raise
            state = request.config.stash[_rig_key]
            state.cause = f"{trouble.text}. {trouble.remedy}"
            state.skip(request.node.nodeid)
        for mark in request.node.iter_markers("needs"):
            known = [name for name in mark.args if name in device.spec.capabilities]
            wrong = [name for name in mark.args if name not in known]
            if wrong:
                have = ", ".join(device.spec.capabilities) or "none"
                raise pytest.UsageError(f"a {kind} has no capability {wrong[0]!r}; it may have {have}")
            missing = [name for name in known if not device.can(name)]
            if missing:
                pytest.skip(f"the {kind} {device.identity.serial} has no {', '.join(missing)}")
        yield device


@pytest.fixture
def wheel(request: pytest.FixtureRequest) -> Iterator[BenchDevice]:
    """A wheel sensor: the rig's, or a simulated one."""
    yield from _device(request, "wheel")


@pytest.fixture
def shoe(request: pytest.FixtureRequest) -> Iterator[BenchDevice]:
    """A card shoe: the rig's, or a simulated one."""
    yield from _device(request, "shoe")


@pytest.fixture
def shuffler(request: pytest.FixtureRequest) -> Iterator[BenchDevice]:
    """A continuous shuffler: the rig's, or a simulated one."""
    yield from _device(request, "shuffler")


@pytest.fixture
def chips(request: pytest.FixtureRequest) -> Iterator[BenchDevice]:
    """Chip antennas: the rig's, or simulated ones."""
    yield from _device(request, "chips")


@pytest.fixture
def cards(request: pytest.FixtureRequest) -> Iterator[BenchDevice]:
    """Card antennas: the rig's, or simulated ones."""
    yield from _device(request, "cards")


@pytest.fixture
def swipe(request: pytest.FixtureRequest) -> Iterator[BenchReader]:
    """A swipe reader: the rig's, or a simulated one."""
    from firmware_specs.port import PortTrouble
    from lab.plugin.find import bench_reader

    bench = _bench(request)
    with bench_reader(request.getfixturevalue("clock"), bench) as reader:
        _watch(request, "what the reader told", reader.told)
        try:
            reader.start()
        except PortTrouble as trouble:
            state = request.config.stash[_rig_key]
            state.cause = f"{trouble.text}. {trouble.remedy}"
            state.skip(request.node.nodeid)
        yield reader


@pytest.fixture
def faults(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Let something go wrong with a device of this test: faults("shoe drop at_event=3")."""

    def plan(text: str) -> None:
        kind, _, fault = text.partition(" ")
        if kind not in ("wheel", "shoe", "shuffler", "chips", "cards") or kind not in request.fixturenames:
            raise pytest.UsageError(f"'{text}': name a device of this test first, as in 'shoe drop at_event=3'")
        request.getfixturevalue(kind).plan(fault)

    return plan


@pytest.fixture
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TableBench]:
    """A whole simulated table under the virtual clock; `@pytest.mark.table(...)` says which."""
    from lab.plugin.table import TableBench

    mark = request.node.get_closest_marker("table")
    arguments = dict(mark.kwargs) if mark is not None else {}
    if mark is not None and mark.args:
        arguments["game"] = mark.args[0]
    table = TableBench(tmp_path / "table.sqlite", **arguments)
    _watch(request, "the journal", table.last_events)
    for place in table.frames:
        _watch(request, f"the last frames of {place}", table.frames[place].lines)
    yield table
    table.stop()
