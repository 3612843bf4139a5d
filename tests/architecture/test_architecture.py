"""Import directions, no clock but the given one, purity of the rules, no wait without a deadline.

Every exception stands in a list below with its reason, and an exception that nothing needs any more is refused.
A `with lock:` is not counted as a wait: locks here are held for a few instructions, never across a wait.
"""

from __future__ import annotations

import ast
import fnmatch
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGES, ROOT, Source, product, sources

MAY_IMPORT = {
    "firmware_specs": {"firmware_specs"},
    "drivers": {"firmware_specs", "drivers"},
    "simulators": {"firmware_specs", "simulators"},
    "controller": {"firmware_specs", "drivers", "controller"},
    "floor": {"firmware_specs", "drivers", "controller", "floor"},
    "lab": {"firmware_specs", "drivers", "simulators", "controller", "floor", "lab"},
}
# Rules, analysis and codecs: what they answer depends on what they are given and on nothing else.
PURE = (
    "controller/games/*",
    "controller/tournament/*",
    "controller/money/colours.py",
    "controller/money/float.py",
    "controller/money/payable.py",
    "controller/money/payment.py",
    "controller/people/signing_in.py",
    "controller/people/player_cards.py",
    "controller/core/machine.py",
    "controller/core/rows.py",
    "controller/core/events.py",
    "controller/core/effects.py",
    "drivers/motion/*",
    "firmware_specs/frames.py",
    "firmware_specs/messages/*",
)
MAY_TOUCH_THE_WORLD: dict[tuple[str, str], str] = {
    ("controller/games/__init__.py", "pathlib.Path"): "finds the directories of the games, once",
    ("controller/tournament/moments.py", "datetime.datetime"): "reads a time that terms state, and asks for none",
    (
        "drivers/motion/profile.py",
        "pathlib.Path",
    ): "keeps the wheel's profile in a file; the analysis gets it as a value",
}
IMPURE = {
    *("asyncio", "concurrent", "contextvars", "ctypes", "datetime", "fcntl", "http", "io", "logging", "queue"),
    *("multiprocessing", "os", "pathlib", "platform", "random", "sched", "secrets", "select", "selectors", "serial"),
    *("shutil", "signal", "socket", "sqlite3", "starlette", "structlog", "subprocess", "sys", "tempfile", "termios"),
    *("threading", "time", "tomllib", "tty", "urllib", "usb", "uuid", "uvicorn"),
}
WORLD = {
    f"controller.{name}"
    for name in (
        *("journal", "core.runtime", "core.guarded", "devices", "app", "web", "commands", "log"),
        *("config.file", "config.checks", "config.tomlread.load"),
    )
}

CLOCKS = {
    *("time.time", "time.time_ns", "time.sleep", "time.monotonic", "time.monotonic_ns", "time.perf_counter"),
    *("time.perf_counter_ns", "time.process_time", "time.process_time_ns"),
    *("datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today"),
    *("asyncio.sleep", "asyncio.timeout", "asyncio.wait_for", "threading.Timer", "sched.scheduler"),
    *("signal.alarm", "signal.setitimer", "transitions.extensions.states.Timeout"),
}
# These read the clock only when they are not given a time.
CLOCKS_UNLESS_GIVEN = {"time.gmtime": 1, "time.localtime": 1, "time.ctime": 1, "time.strftime": 2}
CHANCE = ("random", "secrets", "uuid.uuid1", "uuid.uuid4", "os.urandom", "os.getrandom")
MAY_TELL_TIME: dict[tuple[str, str], str] = {
    ("firmware_specs/clock.py", "time.time"): "the real clock itself",
    ("simulators/usb.py", "time.monotonic"): "stands in for libusb, whose time limits are the real world's",
    ("controller/commands/staff.py", "secrets.token_bytes"): "salts and keys must not be repeatable",
    ("controller/cards/seal.py", "secrets"): "keys and salts of sealed cards must not be foreseeable",
    ("controller/cards/seal.py", "secrets.token_bytes"): "keys and salts of sealed cards must not be foreseeable",
    ("controller/journal/schema.py", "secrets"): "no two journals have one name",
    ("controller/journal/schema.py", "secrets.token_hex"): "no two journals have one name",
    ("drivers/pairing.py", "secrets"): "keys and challenges must not be foreseeable",
    ("drivers/pairing.py", "secrets.token_bytes"): "keys and challenges must not be foreseeable",
    ("controller/pi/doctor.py", "time.time"): "judges the real machine's clock",
    ("controller/pi/doctor_devices.py", "asyncio.wait_for"): "asks real devices, in real time",
    ("controller/commands/*", "*"): "a command starts in the real world, at its time of day",
    ("controller/pi/setup/plugged.py", "asyncio.wait_for"): "asks real devices, in real time",
    ("controller/pi/setup/watch.py", "asyncio.timeout"): "waits for real people to touch real devices",
    ("controller/pi/setup/questions.py", "secrets"): "salts must not be repeatable",
    ("controller/pi/setup/questions.py", "secrets.token_bytes"): "salts must not be repeatable",
    ("controller/pi/setup/write.py", "secrets"): "keys must not be repeatable",
    ("controller/pi/setup/write.py", "secrets.token_bytes"): "keys must not be repeatable",
    ("controller/devices.py", "secrets"): "keys and salts of sealed cards must not be foreseeable",
    ("controller/devices.py", "secrets.token_bytes"): "keys and salts of sealed cards must not be foreseeable",
    ("lab/commands/*", "*"): "a command starts in the real world, at its time of day",
    ("lab/measurements/*", "*"): "measures the real machine",
    ("lab/proofs/mutation/warm.py", "*"): "measures tests on the real machine and ends forks that hang",
    ("controller/web/*", "*"): "serves real people in real time",
    ("controller/uplink/*", "*"): "speaks over a real network in real time",
    ("controller/fleet/line.py", "*"): "speaks over a real network in real time",
    ("controller/fleet/health.py", "time.time"): "tells when a real machine was looked at",
    ("controller/pi/install/under_way.py", "*"): "an installer waits for the end of a real round",
    ("lab/certificates.py", "datetime.datetime.now"): "a certificate is good from the real day on",
    ("lab/fleet/*", "*"): "a house of real processes, in real time",
    ("lab/proofs/redteam/attacks.py", "asyncio.wait_for"): "attacks a real table, in real time",
    ("floor/*", "*"): "hears tables over a real network, and serves real people in real time",
    ("lab/floor/*", "*"): "a floor of real processes, in real time",
    ("lab/hall/live.py", "*"): "an event of real processes, in real time",
}

MAY_WAIT: dict[tuple[str, str], str] = {
    ("controller/journal/committer.py", "self._queue.get()"): "the committer thread ends when close() puts None",
    ("controller/journal/heads.py", "self._queue.get()"): "the keeper's thread ends when close() puts None",
    ("controller/commands/wheel.py", "spun.get()"): "inside asyncio.wait_for",
    ("controller/pi/setup/watch.py", "ear.up.wait()"): "inside asyncio.timeout",
    ("controller/pi/setup/watch.py", "self.seen.get()"): "inside asyncio.timeout",
    ("lab/measurements/chips.py", "told.get()"): "inside asyncio.wait_for",
    ("lab/measurements/latency.py", "self._orders.get()"): "the thread of the bare write ends when close() puts None",
    ("lab/measurements/latency.py", "self._process.wait()"): "inside asyncio.wait_for, or after a kill",
    ("controller/web/board.py", "self._wake.wait()"): "a page's channel lasts as long as the page",
    ("controller/web/answers.py", "sending.result()"): "a task that is already done",
    ("controller/uplink/link.py", "self._wake.wait()"): "woken at the next beat at the latest, by the timer before it",
    ("floor/listen.py", "self._came.wait()"): "inside wait_for",
    ("controller/uplink/broker.py", "line.lost.wait()"): "ends when the connection does, or is cancelled with it",
    ("controller/uplink/broker.py", "asking.result()"): "a task that is already done",
    ("lab/proofs/redteam/stand.py", "process.wait()"): "inside a wait with a deadline",
    ("lab/proofs/redteam/strangers.py", "strangers.wait()"): "inside a wait with a deadline",
    ("lab/floor/tables.py", "over.wait()"): "simulated tables play until whoever started them says stop",
    ("lab/hall/live.py", "over.wait()"): "the tables of an event play until whoever started them says stop",
    ("floor/web/board.py", "self._refreshed.wait()"): "inside a wait with a deadline",
    ("controller/uplink/broker.py", "each.wait()"): "inside a wait with a deadline",
    ("controller/fleet/line.py", "self._told.wait()"): "inside a wait with a deadline",
    ("controller/fleet/line.py", "self._over.wait()"): "a steward looks after its machine until it is told to stop",
    ("floor/listen.py", "self._ordered.wait()"): "inside asyncio.wait_for",
    ("floor/run.py", "said.wait()"): "inside asyncio.wait_for",
    ("floor/run.py", "over.wait()"): "a floor runs until it is told to stop",
    ("controller/app.py", "over.wait()"): "a table runs until it is told to stop",
    ("lab/sim/watched.py", "self.over.wait()"): "a table is watched until somebody has seen enough",
    ("lab/commands/simulate.py", "over.wait()"): "a simulator runs until the person at the rig stops it",
    ("drivers/ports/usb.py", "self._outbox.get()"): "the writer thread ends when close() puts None",
    ("drivers/ports/usb.py", "self._writer.join()"): "the writer's transfers have their own time limit",
    ("firmware_specs/ports_tcp.py", "done.result()"): "an asyncio future that is already done",
}

PLACE = ("phase", "interrupted_from")
"""What keeps where a machine stands."""
MAY_SET_A_STATE: dict[tuple[str, str], str] = {
    ("controller/core/machine.py", "self._machine.set_state"): "how a snapshot is restored",
    ("controller/core/machine.py", "event_data.machine.set_state"): "a transition that fired",
    ("controller/core/machine.py", "self.phase"): "where a machine begins that keeps this itself",
    ("controller/core/machine.py", "self.interrupted_from"): "where a machine begins that keeps this itself",
    ("controller/core/machine.py", "self._at.interrupted_from"): "a transition that fired, or a snapshot",
    ("controller/core/table.py", "self.life.restore"): "a snapshot is restored",
    ("controller/core/table.py", "self.game.machine.restore"): "a snapshot is restored",
    ("controller/tournament/session.py", "self.machine.restore"): "a snapshot is restored",
}


def place(source: Source, line: int) -> str:
    return f"{source.path}:{line}"


def excused(found: Iterable[tuple[str, str, str]], allowed: dict[tuple[str, str], str]) -> list[str]:
    """Turn findings (file, what, place) into complaints, less the exceptions, plus exceptions nobody needs."""
    complaints, used = [], set()
    for file, what, where in found:
        excuse = next((key for key in allowed if fnmatch.fnmatch(file, key[0]) and key[1] in (what, "*")), None)
        if excuse is not None:
            used.add(excuse)
        else:
            complaints.append(f"{where}: {what}")
    complaints += [f"{file}: the exception for {what} is not needed any more" for file, what in set(allowed) - used]
    return complaints


def wrong_imports(source: Source) -> list[str]:
    own = source.path.partition("/")[0]
    allowed = MAY_IMPORT[own]
    return [
        f"{place(source, line)}: {own} must not import {dotted}"
        for dotted, line in source.imports()
        if (top := dotted.partition(".")[0]) in (*PACKAGES, "tests") and top not in allowed
    ]


def is_pure(path: str) -> bool:
    return any(fnmatch.fnmatch(path, pattern) for pattern in PURE)


def impurities(source: Source) -> list[tuple[str, str, str]]:
    """Every way to the world outside that a pure module imports or calls."""
    wrong = IMPURE | WORLD
    found = [
        (source.path, dotted, place(source, line))
        for dotted, line in source.imports()
        if any(dotted == name or dotted.startswith(name + ".") for name in wrong)
    ]
    found += [
        (source.path, f"{call.func.id}()", place(source, call.lineno))
        for call in source.calls()
        if isinstance(call.func, ast.Name) and call.func.id in ("open", "print", "input")
    ]
    return found


def own_clocks(source: Source) -> list[tuple[str, str, str]]:
    """Every look at a clock other than the given one, and every draw that no seed repeats."""
    found = [(source.path, dotted, place(source, line)) for dotted, line in source.uses() if dotted in CLOCKS]
    found += [
        (source.path, dotted, place(source, call.lineno))
        for call in source.calls()
        if len(call.args) < CLOCKS_UNLESS_GIVEN.get(dotted := source.dotted(call.func), 0)
    ]
    seeded = {id(call.func) for call in source.calls() if call.args or call.keywords}
    for node in source.nodes:
        if not isinstance(node, ast.Attribute | ast.Name):
            continue
        dotted = source.dotted(node)
        if dotted == "random.Random":
            called = any(call.func is node for call in source.calls())
            if called and id(node) not in seeded:
                found.append((source.path, "random.Random() without a seed", place(source, node.lineno)))
        elif any(dotted == name or dotted.startswith(name + ".") for name in CHANCE) and dotted != "random":
            found.append((source.path, dotted, place(source, node.lineno)))
    return found


def endless_waits(source: Source) -> list[tuple[str, str, str]]:
    """Every call that can block for ever."""
    found = []
    for call in source.calls():
        given = {keyword.arg for keyword in call.keywords}
        bounded = bool(given & {"timeout", "deadline"}) or None in given
        dotted = source.dotted(call.func)
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        blocking_get = method == "get" and _is_true(call, 0, "block")
        waits = (
            (method in ("wait", "join", "get", "acquire", "result", "communicate") and not call.args and not given)
            or (method == "communicate" and not bounded)
            or (method == "acquire" and _is_true(call, 0, "blocking") and len(call.args) < 2)
            or (blocking_get and len(call.args) < 2)
            or (dotted == "select.select" and len(call.args) < 4)
            or (method == "select" and not dotted and not call.args)
            or dotted in ("signal.pause", "os.wait", "threading.Thread.join")
            or (dotted in _SUBPROCESS or dotted in ("serial.Serial", "socket.create_connection"))
        )
        if waits and not bounded:
            found.append((source.path, ast.unparse(call), place(source, call.lineno)))
    return found


def states_set(source: Source) -> list[tuple[str, str, str]]:
    """Every way to make a machine stand somewhere without a transition."""
    machines = {
        id(call)
        for node in source.nodes
        if isinstance(node, ast.ClassDef) and any("Machine" in ast.unparse(base) for base in node.bases)
        for call in ast.walk(node)
    }
    found = []
    for call in source.calls():
        if not isinstance(call.func, ast.Attribute):
            continue
        of = ast.unparse(call.func.value)
        restores = call.func.attr == "restore" and (
            of.rpartition(".")[2] in ("machine", "life", "course") or (of == "self" and id(call) in machines)
        )
        if restores or call.func.attr == "set_state":
            found.append((source.path, ast.unparse(call.func), place(source, call.lineno)))
    for node in source.nodes:
        if not source.path.startswith("controller/") or not isinstance(node, ast.Attribute):
            continue
        if isinstance(node.ctx, ast.Store) and node.attr in PLACE:
            found.append((source.path, ast.unparse(node), place(source, node.lineno)))
    return found


_SUBPROCESS = {f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output")}


def _is_true(call: ast.Call, position: int, name: str) -> bool:
    values = [*call.args[position : position + 1], *(word.value for word in call.keywords if word.arg == name)]
    return any(isinstance(value, ast.Constant) and value.value is True for value in values)


def test_imports_go_one_way_and_only_the_lab_knows_the_table_and_its_simulators() -> None:
    assert [line for source in product() for line in wrong_imports(source)] == []


GAMES = tuple(
    path.name for path in sorted((ROOT / "controller" / "games").iterdir()) if (path / "__init__.py").exists()
)


def games_named(source: Source) -> list[tuple[str, str, str]]:
    """Every game that a file of the controller imports and is not itself part of."""
    own = source.path.split("/")[2] if source.path.startswith("controller/games/") else ""
    named = [(dotted.split("."), line) for dotted, line in source.imports()]
    return [
        (source.path, parts[2], place(source, line))
        for parts, line in named
        if parts[:2] == ["controller", "games"] and len(parts) > 2 and parts[2] in GAMES and parts[2] != own
    ]


def test_nothing_names_a_game_but_the_game_itself() -> None:
    assert len(GAMES) >= 3
    found = [one for source in sources(ROOT, ("controller",)) for one in games_named(source)]
    assert excused(found, {}) == []


def test_rules_analysis_and_codecs_depend_on_nothing_but_what_they_are_given() -> None:
    pure = [source for source in product() if is_pure(source.path)]
    for pattern in PURE:
        assert any(fnmatch.fnmatch(source.path, pattern) for source in pure), f"nothing lies at {pattern}"
    assert excused([one for source in pure for one in impurities(source)], MAY_TOUCH_THE_WORLD) == []


def test_nothing_looks_at_a_clock_or_draws_a_number_but_from_what_it_was_given() -> None:
    found = [one for source in product() for one in own_clocks(source)]
    assert excused(found, MAY_TELL_TIME) == []


def test_nothing_waits_without_a_deadline() -> None:
    found = [one for source in product() for one in endless_waits(source)]
    assert excused(found, MAY_WAIT) == []


def test_nothing_sets_the_state_of_a_machine_but_a_snapshot_that_is_restored() -> None:
    found = [one for source in product() for one in states_set(source)]
    assert excused(found, MAY_SET_A_STATE) == []


def test_tests_import_helpers_and_never_each_other() -> None:
    named = [(place(one, line), dotted) for one in sources(ROOT, ("tests",)) for dotted, line in one.imports()]
    assert any(dotted.startswith("tests.controller.games.war.play") for _, dotted in named)
    assert [each for each in named if any(part.startswith("test_") for part in each[1].split("."))] == []


def test_no_test_sleeps() -> None:
    sleeps = {"time.sleep", "asyncio.sleep"}
    tests = sources(ROOT, ("tests",))
    assert [place(one, line) for one in tests for dotted, line in one.uses() if dotted in sleeps] == []


def test_a_module_can_be_read_in_one_sitting() -> None:
    generated = "firmware_specs/messages/*"
    long = {one.path: lines for one in product() if (lines := one.text.count("\n")) > 600}
    assert {path: lines for path, lines in long.items() if not fnmatch.fnmatch(path, generated)} == {}


def test_names_come_from_the_table_and_not_from_the_office() -> None:
    office = ("Manager", "Helper", "Utils", "Util")
    allowed = {"TG Area Manager"}
    wrong = [
        f"{place(source, node.lineno)}: {node.name}"
        for source in product()
        for node in source.nodes
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name.endswith(office) and node.name not in allowed
    ]
    assert wrong == []


def written(folder: Path, path: str, text: str) -> Source:
    file = folder / path
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    return Source(file, folder)


@pytest.mark.parametrize(
    ("check", "path", "text", "count"),
    [
        (wrong_imports, "drivers/a.py", "import simulators.wheel", 2),
        (wrong_imports, "drivers/a.py", "def f():\n    from simulators import wheel", 1),
        (wrong_imports, "drivers/a.py", "from controller.core.events import X", 1),
        (wrong_imports, "simulators/a.py", "from drivers import link", 1),
        (wrong_imports, "firmware_specs/a.py", "from drivers import link", 1),
        (wrong_imports, "controller/a.py", "from simulators import wheel", 1),
        (wrong_imports, "controller/a.py", "from lab.sim import table", 1),
        (wrong_imports, "controller/a.py", "from floor import store", 1),
        (wrong_imports, "floor/a.py", "from lab.sim import table", 1),
        (wrong_imports, "floor/a.py", "from simulators import wheel\nfrom controller.journal import row", 1),
        (wrong_imports, "simulators/a.py", "from lab.sim import table", 1),
        (wrong_imports, "lab/a.py", "from simulators import wheel\nfrom drivers import wheel", 0),
        (wrong_imports, "drivers/ports/a.py", "from . import b\nfrom .. import link\nfrom ..c import d", 0),
        (impurities, "controller/games/a.py", "import time", 1),
        (impurities, "controller/games/a.py", "from os import path", 1),
        (impurities, "controller/games/a.py", "from controller.journal.file import Journal", 1),
        (impurities, "controller/games/a.py", "from controller import journal", 1),
        (impurities, "controller/games/a.py", "def f():\n    open('x')", 1),
        (impurities, "controller/games/a.py", "from controller.core.events import X\nimport struct", 0),
        (own_clocks, "drivers/a.py", "import time as t\nt.sleep(1)", 1),
        (own_clocks, "drivers/a.py", "from time import monotonic\ndef f(now=monotonic): pass", 1),
        (own_clocks, "drivers/a.py", "from datetime import datetime\ndatetime.now()", 1),
        (own_clocks, "drivers/a.py", "import asyncio\nasync def f():\n    await asyncio.sleep(1)", 1),
        (own_clocks, "drivers/a.py", "import threading\nthreading.Timer(1, f)", 1),
        (own_clocks, "drivers/a.py", "import random\nrandom.random()", 1),
        (own_clocks, "drivers/a.py", "from random import choice\nchoice([1])", 1),
        (own_clocks, "drivers/a.py", "import random\nr = random.Random()", 1),
        (own_clocks, "drivers/a.py", "import random\nr: random.Random = random.Random(7)\nr.random()", 0),
        (own_clocks, "drivers/a.py", "import time\ntime.strftime('%c')\ntime.gmtime()", 2),
        (own_clocks, "drivers/a.py", "import time\ntime.strftime('%c', time.gmtime(5))", 0),
        (own_clocks, "drivers/a.py", "def f(clock):\n    clock.now()\n    clock.time()", 0),
        (states_set, "controller/a.py", "self.machine.restore('over')\ntable.life.restore('open')", 2),
        (states_set, "controller/a.py", "class MyMachine(StrictMachine):\n    def f(self): self.restore('over')", 1),
        (states_set, "controller/a.py", "machine._machine.set_state('over')", 1),
        (states_set, "controller/a.py", "self.restore(saved)\nself.table.restore(saved)", 0),
        (states_set, "controller/a.py", "hand.phase = 'over'\nhand.interrupted_from = ''", 2),
        (states_set, "controller/a.py", "was = hand.phase\nassert hand.phase == 'over'", 0),
        (endless_waits, "drivers/a.py", "event.wait()", 1),
        (endless_waits, "drivers/a.py", "event.wait(3)\nthread.join(timeout=2)\nqueue.get(timeout=1)", 0),
        (endless_waits, "drivers/a.py", "thread.join()\nqueue.get()\nqueue.get(True)\nqueue.get(block=True)", 4),
        (endless_waits, "drivers/a.py", "', '.join(x)\n{}.get('a')\nlock.acquire(False)", 0),
        (endless_waits, "drivers/a.py", "lock.acquire()\nfuture.result()\nprocess.communicate(b'x')", 3),
        (endless_waits, "drivers/a.py", "import subprocess\nsubprocess.run(['x'])", 1),
        (endless_waits, "drivers/a.py", "import subprocess\nsubprocess.run(['x'], timeout=3)", 0),
        (endless_waits, "drivers/a.py", "import select\nselect.select([a], [], [])\nselect.select([a], [], [], 1)", 1),
        (endless_waits, "drivers/a.py", "import serial\nserial.Serial('/dev/x')", 1),
        (endless_waits, "drivers/a.py", "import serial\nserial.Serial('/dev/x', timeout=0)", 0),
    ],
)
def test_these_checks_find_what_they_are_for(
    tmp_path: Path, check: Callable[[Source], list[object]], path: str, text: str, count: int
) -> None:
    assert len(check(written(tmp_path, path, text))) == count


def test_an_exception_that_nothing_needs_is_refused() -> None:
    found = [("a.py", "event.wait()", "a.py:3"), ("b.py", "event.wait()", "b.py:4")]
    allowed = {("a.py", "event.wait()"): "why", ("c.py", "event.wait()"): "why"}
    assert excused(found, allowed) == [
        "b.py:4: event.wait()",
        "c.py: the exception for event.wait() is not needed any more",
    ]
