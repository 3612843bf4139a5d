"""How long a table is out of play while it is upgraded, and what its service costs until it is ready, as installed.

The real installer and launcher work in a root of their own. A stand-in for systemd does what the unit says: it stops
the service, runs what comes before it, starts it, and waits for its word that it is ready.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from controller import examples
from controller.config.file import check_config
from lab.measurements.growth import OldJournal
from lab.measurements.measure import Line, busy, line, scratch, stopwatch
from lab.measurements.start import free_port

OUT_OF_PLAY_S = 3.0
READY_CPU_S = 1.0
LONGEST_S = 900

_SYSTEMCTL = r"""#!{python} -I
import json, os, re, resource, signal, socket, subprocess, sys, time
from pathlib import Path
root, kept = "{root}", Path("{kept}")
words = [word for word in sys.argv[1:] if not word.startswith("-")]
pid = kept / "pid"
if words[0] == "is-active":
    sys.exit(0 if pid.exists() else 3)
if words[0] not in ("stop", "restart") or "tablectl.service" not in words:
    sys.exit(0)
def here(text):
    return [root + word if word.startswith("/") else word for word in text.lstrip("+").split()]
unit = Path(root + "/etc/systemd/system/tablectl.service").read_text()
def spent(number):  # by a process and its children; nothing once it has gone
    try:
        facts = Path(f"/proc/{{number}}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if facts[0] == "Z" else sum(map(int, facts[11:15])) / os.sysconf("SC_CLK_TCK")
began, used = time.perf_counter(), 0.0
if pid.exists():
    old = int(pid.read_text())
    first = last = spent(old)
    os.kill(old, signal.SIGTERM)
    while (now := spent(old)) is not None:
        last = now
        time.sleep(0.002)
    used += last - first
    pid.unlink()
if words[0] == "stop":
    sys.exit(0)
stopped = time.perf_counter()
(kept / "run").mkdir(exist_ok=True)
environment = {{"PATH": "/usr/bin:/bin", "RUNTIME_DIRECTORY": str(kept / "run"), "PYTHONDONTWRITEBYTECODE": "1"}}
for before in re.findall(r"^ExecStartPre=(.+)$", unit, re.MULTILINE):
    subprocess.run(here(before), env=environment, check=True)
looked = time.perf_counter()
line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
(kept / "notify").unlink(missing_ok=True)
line.bind(str(kept / "notify"))
line.settimeout(90)
environment["NOTIFY_SOCKET"] = str(kept / "notify")
with (kept / "log").open("ab") as log:
    table = subprocess.Popen(here(re.search(r"^ExecStart=(.+)$", unit, re.MULTILINE)[1]), env=environment, cwd="/",
                             stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
pid.write_text(str(table.pid))
while b"READY=1" not in line.recv(4096):
    pass
ready = time.perf_counter()
cpu = spent(table.pid)
look = resource.getrusage(resource.RUSAGE_CHILDREN)
used += look.ru_utime + look.ru_stime + cpu
told = {{"stop_s": stopped - began, "look_s": looked - stopped, "start_s": ready - looked, "cpu_s": cpu}}
(kept / "told").write_text(json.dumps({{**told, "out_of_play_s": ready - began, "out_of_play_cpu_s": used}}))
"""
_SYNC = '#!/bin/sh\necho "$*" >>{kept}/syncs\nexec {sync} "$@"\n'


def run(bundle: Path, events: int) -> Iterator[Line]:
    """Install, run a table with this many events behind it, left in mid-play, and upgrade it."""
    with scratch() as folder:
        machine = Upgraded(folder.absolute(), bundle)
        machine.install()
        replayed = machine.set_up(events)
        try:
            first = machine.started()
            yield line(
                "service_ready_cpu", round(first["cpu_s"], 3), "s of one core", f"under {READY_CPU_S:g} s",
                first["cpu_s"] < READY_CPU_S, events=events, replayed=replayed, wall_s=round(first["start_s"], 3),
            )  # fmt: skip
            yield machine.upgraded(events)
        finally:
            machine.stop()


class Upgraded:
    """A machine in a folder, with its service manager."""

    def __init__(self, folder: Path, bundle: Path) -> None:
        self.root, self.kept, self.bundle = folder / "root", folder / "kept", folder / "bundle"
        for each in (self.kept / "bin", self.bundle):
            each.mkdir(parents=True)
        subprocess.run(["tar", "-xzf", bundle, "-C", self.bundle, "--strip-components=1"], check=True, timeout=120)
        python = Path(sys._base_executable)  # type: ignore[attr-defined]
        there = self.root / str(python).lstrip("/")
        there.parent.mkdir(parents=True)
        there.symlink_to(python.resolve())
        # The service runs outside this root and names the journal from there; the installer looks for it inside.
        inside = self.root / str(self.root).lstrip("/")
        inside.parent.mkdir(parents=True, exist_ok=True)
        inside.symlink_to(self.root)
        self._tool("systemctl", _SYSTEMCTL.format(python=python, root=self.root, kept=self.kept))
        self._tool("sync", _SYNC.format(kept=self.kept, sync=shutil.which("sync")))

    def _tool(self, name: str, text: str) -> None:
        (self.kept / "bin" / name).write_text(text)
        (self.kept / "bin" / name).chmod(0o755)

    def _do(self, *command: str) -> None:
        path = f"{self.kept / 'bin'}:{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "PYTHON": sys.executable}
        environment["TABLECTL_SYSTEMCTL"] = str(self.kept / "bin" / "systemctl")
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LONGEST_S)
        if done.returncode:
            log = self.kept / "log"
            raise RuntimeError(f"{command[-1]}: {done.stderr[-500:]} {log.read_text()[-500:] if log.exists() else ''}")

    def install(self, *options: str) -> None:
        self._do("sh", str(self.bundle / "install.sh"), "--root", str(self.root), *options)

    def set_up(self, events: int) -> int:
        """A table with a past, left in mid-play; how many events a start replays. Nothing hangs on its ports."""
        config, data = self.root / "etc/tablectl/table.toml", self.root / "var/lib/tablectl"
        text = (Path(examples.__path__[0]) / "table.toml").read_text("utf-8")
        text = re.sub(r"^journal = .*$", f'journal = "{data / "table.db"}"', text, flags=re.MULTILINE)
        text = text.replace("127.0.0.1:8642", f"127.0.0.1:{free_port()}")
        config.write_text(re.sub(r'^port = "(/dev|usb).*$', "simulated = true", text, flags=re.MULTILINE), "utf-8")
        old = OldJournal(data / "table.db", config=check_config(config))
        old.grow(events)
        replayed = old.leave_in_mid_play()
        ports = iter(range(1, 9))  # refused at once
        config.write_text(
            re.sub(r'^port = "(/dev|usb).*$', lambda _: f'port = "tcp://127.0.0.1:{next(ports)}"', text,
                   flags=re.MULTILINE), "utf-8",
        )  # fmt: skip
        return replayed

    def started(self) -> dict[str, float]:
        self._do(str(self.kept / "bin" / "systemctl"), "restart", "tablectl.service")
        return self._told()

    def _told(self) -> dict[str, float]:
        told: dict[str, float] = json.loads((self.kept / "told").read_text())
        return told

    def upgraded(self, events: int) -> Line:
        """Upgrade by the installer, in the middle of the round; the line of what it took."""
        (self.kept / "run" / "starts").unlink()  # as if it had run for more than five minutes
        (self.kept / "syncs").unlink(missing_ok=True)
        begin = stopwatch()
        self.install("--now")
        took, told = stopwatch() - begin, self._told()
        version = (self.root / "opt/tablectl/current").resolve()
        files = [path for path in version.rglob("*") if path.is_file() and not path.is_symlink()]
        shared = busy()
        parts: Line = {name: round(told[name], 3) for name in ("stop_s", "look_s", "start_s", "out_of_play_cpu_s")}
        return line(
            "upgrade_out_of_play", round(told["out_of_play_s"], 3), "s", f"at most {OUT_OF_PLAY_S:g} s",
            told["out_of_play_cpu_s" if shared else "out_of_play_s"] <= OUT_OF_PLAY_S, events=events,
            judged_by_cpu=shared, **parts, installer_s=round(took, 1),
            files=len(files), megabytes=round(sum(path.stat().st_size for path in files) / 1e6, 1),
            syncs=len((self.kept / "syncs").read_text().splitlines()),
        )  # fmt: skip

    def stop(self) -> None:
        if (pid := self.kept / "pid").exists():
            os.kill(int(pid.read_text()), signal.SIGKILL)
