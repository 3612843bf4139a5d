"""A machine in mounts and processes of its own: installed, switched on, and cut from its power with all it was doing.

Folders of it lie at /etc, /opt, /var/lib, /run and /usr/local/bin. A stand-in for systemd does what the unit says: it
stops the service, runs what comes before it, starts it, and waits for its word that it is ready.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from lab.needs import MOUNTS, ROOT

COVERED = ("etc", "opt", "var/lib", "run", "usr/local/bin")
KNOWN = ("nsswitch.conf", "hosts", "ld.so.cache", "ld.so.conf", "localtime")
LONGEST_S = 300
_BINDS = "".join(f' && mount --bind "$0/{folder}" /{folder}' for folder in COVERED)
_ENTER = f'mount --make-rprivate /{_BINDS} && mount -t proc proc /proc && cd / && exec sh -c "$1"'
_BOOT = """systemctl start tablectl.service
while :; do
    /opt/tablectl/launch steward --config /etc/tablectl/table.toml
    sleep 2
done"""
_SYSTEMCTL = """#!{python} -I
import os, re, signal, socket, subprocess, sys, time
from pathlib import Path
words = [word for word in sys.argv[1:] if not word.startswith("-")]
pid = Path("/run/tablectl.pid")

def alive():
    try:
        return Path(f"/proc/{{pid.read_text()}}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False

if words[0] == "is-active":
    sys.exit(0 if alive() else 3)
if words[0] in ("stop", "restart") and alive():
    os.kill(int(pid.read_text()), signal.SIGTERM)
    until = time.monotonic() + 20
    while alive() and time.monotonic() < until:
        time.sleep(0.02)
    if alive():
        os.kill(int(pid.read_text()), signal.SIGKILL)
if words[0] not in ("start", "restart") or "tablectl.service" not in words:
    sys.exit(0)
unit = Path("/etc/systemd/system/tablectl.service").read_text()
environment = {{"PATH": "/usr/local/bin:/usr/bin:/bin", "RUNTIME_DIRECTORY": "/run/tablectl"}}
environment["PYTHONDONTWRITEBYTECODE"] = "1"
Path("/run/tablectl").mkdir(exist_ok=True)
log = open("/var/lib/table.log", "ab")
for before in re.findall(r"^ExecStartPre=(.+)$", unit, re.MULTILINE):
    subprocess.run(before.lstrip("+").split(), env=environment, stdout=log, stderr=log)
line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
Path("/run/notify").unlink(missing_ok=True)
line.bind("/run/notify")
line.settimeout(0.5)
environment["NOTIFY_SOCKET"] = "/run/notify"
table = subprocess.Popen(re.search(r"^ExecStart=(.+)$", unit, re.MULTILINE)[1].split(), env=environment, stdout=log,
                         stderr=log, stdin=subprocess.DEVNULL, cwd="/", start_new_session=True)
pid.write_text(str(table.pid))
until = time.monotonic() + {ready_s}
while time.monotonic() < until and table.poll() is None:
    try:
        if b"READY=1" in line.recv(4096):
            sys.exit(0)
    except TimeoutError:
        pass
table.kill()
sys.exit(1)
"""
READY_S = 90
"""As the unit has it."""


class Unhoused(Exception):
    """No machine can be had here: why."""


class OwnMachine:
    """One machine in a folder; `on` and `off` are its power."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cpu_s = 0.0
        """What all it did so far cost, once it is off."""
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    def installed(cls, folder: Path, bundle: Path) -> OwnMachine:
        """As the installer of an unpacked bundle leaves it; others are made from it as cards from one image."""
        for need in (ROOT, MOUNTS):
            if not need.found():
                raise Unhoused(f"{need.missing}: a machine of its own has mounts of its own")
        machine = cls(folder)
        machine._lay_out()
        done = machine.run(f"sh {bundle / 'install.sh'}")
        if done.returncode:
            raise Unhoused(f"the first version cannot be installed: {done.stderr.strip()}")
        return machine

    def copied(self, folder: Path) -> OwnMachine:
        """Another machine that is installed just as this one."""
        subprocess.run(["cp", "-a", self.folder, folder], check=True, timeout=LONGEST_S)
        return OwnMachine(folder)

    def _lay_out(self) -> None:
        for each in COVERED:
            (self.folder / each).mkdir(parents=True)
        for name in KNOWN:
            if Path("/etc", name).exists():
                shutil.copy(Path("/etc", name), self.folder / "etc" / name)
        (self.folder / "etc" / "passwd").write_text("root:x:0:0::/root:/bin/sh\ntablectl:x:990:990::/:/bin/false\n")
        (self.folder / "etc" / "group").write_text("root:x:0:\ntablectl:x:990:\n")
        python: str = sys._base_executable  # type: ignore[attr-defined]
        tools = {"systemctl": _SYSTEMCTL.format(python=python, ready_s=READY_S), "modprobe": "#!/bin/sh\n"}
        for name, text in tools.items():
            (self.folder / "usr/local/bin" / name).write_text(text)
            (self.folder / "usr/local/bin" / name).chmod(0o755)
        self._clear_run()

    def _clear_run(self) -> None:
        """What lies in /run is gone with the power."""
        shutil.rmtree(self.folder / "run", ignore_errors=True)
        (self.folder / "run" / "systemd" / "system").mkdir(parents=True)
        (self.folder / "run" / "lock").mkdir()

    def _inside(self, line: str) -> list[str]:
        own = ["unshare", "--mount", "--pid", "--fork", "--kill-child=SIGKILL"]
        return [*own, "sh", "-c", _ENTER, str(self.folder), line]

    @property
    def _environment(self) -> dict[str, str]:
        path = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        return {"PATH": path, "PYTHON": sys.executable, "HOME": "/root", "LC_ALL": "C.UTF-8"}

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """What somebody types at this machine while nothing else runs there."""
        return subprocess.run(
            self._inside(line), env=self._environment, capture_output=True, text=True, timeout=LONGEST_S,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip

    # -- power -----------------------------------------------------------------------------------------------------

    @property
    def is_on(self) -> bool:
        return self._process is not None

    def on(self) -> None:
        """It boots: the table comes up, and the steward, which is started again whenever it ends."""
        self._clear_run()
        with (self.folder / "console.log").open("ab") as said:
            self._process = subprocess.Popen(
                self._inside(_BOOT), env=self._environment, stdout=said, stderr=said, stdin=subprocess.DEVNULL
            )

    def off(self) -> None:
        """As a power cut: whatever runs there ends in the middle of what it does."""
        if self._process is None:
            return
        process, self._process = self._process, None
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        for one in children or [str(process.pid)]:
            os.kill(int(one), signal.SIGKILL)
        _, status, used = os.wait4(process.pid, 0)  # not before everything there has ended
        process.returncode = os.waitstatus_to_exitcode(status)
        self.cpu_s += used.ru_utime + used.ru_stime

    # -- what lies there -------------------------------------------------------------------------------------------

    @property
    def config(self) -> Path:
        return self.folder / "etc" / "tablectl" / "table.toml"

    @property
    def data(self) -> Path:
        return self.folder / "var" / "lib" / "tablectl"

    @property
    def kept(self) -> Path:
        """What its steward has been asked for."""
        return self.folder / "var" / "lib" / "tablectl-fleet" / "kept.json"

    @property
    def version(self) -> str:
        return os.path.basename(os.readlink(self.folder / "opt" / "tablectl" / "current"))
