"""What a real table loads: modules, the time they take and memory, for each game, its devices programs of their own."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import socket
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from controller import examples, games
from controller.web.access import PairingFile
from lab.measurements.measure import Line, as_installed, line, median, resident_kb, scratch, stopwatch

MODULES_MOST = 275
IMPORT_MOST = 2.1
"""Times what asyncio and sqlite3 take: half of what the program took at 60581ca, there without its game and devices."""
MEMORY_MOST_MB = 45
PAGES = {"status": "pit", "dealer": "dealer", "pit": "pit", "sign": "sign"}
"""The places that are looked at, and whose paired screen looks."""
OWN = ("controller", "drivers", "firmware_specs")
CHILD_S = 60.0

_TABLE = """
import signal, sys
def show(number, frame):
    print(*sys.modules, flush=True)
signal.signal(signal.SIGUSR1, show)
from controller.commands import main
main()
"""
"""`tablectl run` itself, which names its modules when it is asked; it loads nothing for that but `signal`."""
_IMPORTS = """
import sys, time, importlib
begin = time.perf_counter()
for name in sys.stdin.read().split():
    importlib.import_module(name)
print(1000 * (time.perf_counter() - begin))
"""
ENTRY = ("controller.commands", "controller.commands.run", "controller.app")
"""What `tablectl run` begins with; the modules that it came to besides are loaded after these."""


class Loaded(msgspec.Struct, frozen=True):
    """A table of one game that was ready, and then had its pages open."""

    modules: tuple[str, ...]
    with_pages: tuple[str, ...]
    built_kb: int
    pages_kb: int

    @property
    def own(self) -> tuple[str, ...]:
        return tuple(name for name in self.modules if name.partition(".")[0] in OWN)

    @property
    def parts(self) -> dict[str, int]:
        """How many modules come from where, the most first."""
        return dict(Counter(name.partition(".")[0] for name in self.modules).most_common(12))


def run(quick: bool) -> Iterator[Line]:
    """Each game's table: how much it loads, how long that takes, and what it holds with its pages open."""
    with scratch() as folder:
        environment = as_installed(folder)
        for game in games.names():
            (folder / game).mkdir()
            loaded = started(game, folder / game, environment)
            yield line(
                f"start_modules_{game}", len(loaded.modules), "modules", f"at most {MODULES_MOST}",
                len(loaded.modules) <= MODULES_MOST, own=len(loaded.own), parts=loaded.parts,
            )  # fmt: skip
            ours, bare = import_times(loaded.modules, environment, 3 if quick else 9)
            yield line(
                f"start_import_{game}", round(ours, 1), "ms", f"at most {IMPORT_MOST} x asyncio and sqlite3",
                ours <= IMPORT_MOST * bare, floor={"asyncio_and_sqlite3_ms": round(bare, 1)}, ratio=ours / bare,
            )  # fmt: skip
            yield line(
                f"start_memory_{game}", round(loaded.pages_kb / 1000, 1), "MB resident, all devices and pages",
                f"under {MEMORY_MOST_MB} MB", loaded.pages_kb < MEMORY_MOST_MB * 1000,
                built_mb=round(loaded.built_kb / 1000, 1), pages=len(PAGES),
            )  # fmt: skip


def started(game: str, folder: Path, environment: dict[str, str] | None = None) -> Loaded:
    """Start `tablectl run` in this folder, look, open its pages and look again."""
    config, devices, port = table_file(game, folder)
    environment = environment or as_installed(folder)
    pairings = PairingFile(folder / "screens.json")
    tokens = {screen: pairings.pair(screen) for screen in set(PAGES.values())}
    with _devices(devices, environment):
        command = [sys.executable, "-c", _TABLE, "run", "--config", str(config)]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment, cwd=folder) as process:
            try:
                _until_served(process)
                modules, built = _modules(process), resident_kb(process.pid)
                with contextlib.ExitStack() as stack:
                    for place, screen in PAGES.items():
                        _get(port, "/" if place == "status" else f"/{place}", tokens[screen]).close()
                        stack.enter_context(_get(port, f"/api/live?place={place}", tokens[screen]))
                    return Loaded(modules, _modules(process), built, resident_kb(process.pid))
            finally:
                process.send_signal(signal.SIGTERM)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.communicate(timeout=CHILD_S)
                process.kill()


def import_times(modules: Sequence[str], environment: dict[str, str], repeats: int) -> tuple[float, float]:
    """Milliseconds to load these modules and to load asyncio and sqlite3, each in fresh processes that take turns."""
    ours = [one for one in modules if one.partition(".")[0] in OWN]  # the others come with these
    names = {"ours": [*ENTRY, *ours], "bare": ["asyncio", "sqlite3"]}
    times: dict[str, list[float]] = {"ours": [], "bare": []}
    for _ in range(repeats + 1):
        for which, wanted in names.items():
            said = subprocess.run(
                [sys.executable, "-c", _IMPORTS], input="\n".join(wanted), env=environment, capture_output=True,
                text=True, check=True, timeout=CHILD_S,
            )  # fmt: skip
            times[which].append(float(said.stdout))
    return median(times["ours"][1:]), median(times["bare"][1:])  # the first one compiled


def table_file(game: str, folder: Path) -> tuple[Path, dict[str, tuple[str, Path]], int]:
    """A game's example with its devices on lines in this folder: the file, kind and line by serial, its web port."""
    example = next(path for path in Path(examples.__path__[0]).glob("*.toml") if _game(path) == game)
    text, web = example.read_text("utf-8"), free_port()
    devices = {}
    for place, device in tomllib.loads(text)["devices"].items():
        devices[device["serial"]] = (device["kind"], folder / place)
        text = text.replace(f'port = "{device["port"]}"', f'port = "{folder / place}"')
    text = re.sub(r"^web = .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r'^journal = ".*"', f'journal = "table.db"\nweb = "127.0.0.1:{web}"', text, flags=re.MULTILINE)
    text = re.sub(r'^deck = ".*"', 'deck = "deck.csv"', text, flags=re.MULTILINE)
    (folder / "deck.csv").write_text(_deck(), "utf-8")
    (folder / "keys").mkdir(exist_ok=True)
    (folder / "table.toml").write_text(text, "utf-8")
    return folder / "table.toml", devices, web


def _game(path: Path) -> str:
    return str(tomllib.loads(path.read_text("utf-8"))["table"]["game"])


def _deck() -> str:
    cards = [f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA"]
    return "".join(f"e004015000{number:06x},{card}\n" for number, card in enumerate([*cards, "CUT"], 1))


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextlib.contextmanager
def _devices(wanted: dict[str, tuple[str, Path]], environment: dict[str, str]) -> Iterator[None]:
    """Each device a program of its own, as long as it is needed."""
    children: list[subprocess.Popen[bytes]] = []
    try:
        for serial, (kind, path) in wanted.items():
            command = [sys.executable, "-c", "from controller.commands import main; main()", "simulate", kind]
            command += ["--port", f"pty:{path}", "--serial", serial, "--seed", "3"]
            children.append(subprocess.Popen(command, stdout=subprocess.PIPE, env=environment))
        for child in children:
            _hear(child, child.stdout, b" on ")
        yield
    finally:
        for child in children:
            child.terminate()
        for child in children:
            child.communicate(timeout=CHILD_S)


def _until_served(process: subprocess.Popen[bytes]) -> None:
    _hear(process, process.stderr, b": pages at ")


def _modules(process: subprocess.Popen[bytes]) -> tuple[str, ...]:
    process.send_signal(signal.SIGUSR1)
    return tuple(_hear(process, process.stdout, b"\n").decode().split())


def _hear(process: subprocess.Popen[bytes], pipe: object, word: bytes) -> bytes:
    """What a child says until it says this word."""
    assert hasattr(pipe, "fileno")
    said, begin = b"", stopwatch()
    while word not in said:
        ready = select.select([pipe], [], [], max(0.0, CHILD_S - (stopwatch() - begin)))[0]
        heard = os.read(pipe.fileno(), 65_536) if ready else b""
        if not heard:
            raise RuntimeError(f"{process.args!r} did not say {word!r}: {said.decode(errors='replace')[-500:]}")
        said += heard
    return said


def _get(port: int, path: str, token: str) -> socket.socket:
    """Ask for a page and leave the connection open."""
    page = socket.create_connection(("127.0.0.1", port), timeout=10)
    page.sendall(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: tablectl-{port}-screen={token}\r\n\r\n".encode()
    )
    answer = page.recv(1024)
    if b" 200 " not in answer.split(b"\r\n")[0]:
        raise RuntimeError(f"{path} was answered with {answer[:200]!r}")
    return page
