"""A machine of its own for what a page says: its commands, word for word, in mounts that nobody else sees.

Folders of the test lie at /etc, /opt, /var/lib, /run, /srv, /media and /usr/local/bin. A stand-in for systemd starts
and stops the service's own command, and waits until it says that it is ready.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from lab.needs import MOUNTS, ROOT
from tests.bundles import borrowed_wheel, bundle, own_wheel
from tests.needed import needed

COVERED = ("etc", "opt", "var/lib", "run", "srv", "media", "usr/local/bin")
KNOWN = ("nsswitch.conf", "hosts", "ld.so.cache", "ld.so.conf", "localtime")
USER = 990
LONGEST_S = 180

_ENTER = "".join(f' && mount --bind "$0/{folder}" /{folder}' for folder in COVERED)
_SUDO = '#!/bin/sh\nexec "$@"\n'
_SYSTEMCTL = """#!{python} -I
import os, re, signal, socket, subprocess, sys, time
from pathlib import Path
words = [word for word in sys.argv[1:] if not word.startswith("-")]
pid = Path("/run/tablectl.pid")
running = pid.exists() and Path(f"/proc/{{pid.read_text()}}").exists()
if words[0] in ("stop", "restart") and running:
    os.kill(int(pid.read_text()), signal.SIGTERM)
    until = time.monotonic() + 30
    while Path(f"/proc/{{pid.read_text()}}").exists() and time.monotonic() < until:
        time.sleep(0.02)
    pid.unlink()
if words[0] == "is-active":
    sys.exit(0 if running else 3)
if words[0] in ("start", "restart") and words[1] in ("tablectl", "tablectl.service"):
    unit = Path("/etc/systemd/system/tablectl.service").read_text()
    command = re.search(r"^ExecStart=(.+)$", unit, re.MULTILINE)[1].split()
    line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    Path("/run/notify").unlink(missing_ok=True)
    line.bind("/run/notify")
    line.settimeout(90)
    environment = {{"PATH": "/usr/local/bin:/usr/bin:/bin", "NOTIFY_SOCKET": "/run/notify"}}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    with open("/run/log", "ab") as log:
        table = subprocess.Popen(command, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/",
                                 start_new_session=True)
    pid.write_text(str(table.pid))
    while b"READY=1" not in line.recv(4096):
        pass
"""


class OwnRoot:
    """One machine and what is typed at it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def installed(cls, folder: Path, made: Path) -> OwnRoot:
        """As the installer of a bundle leaves it."""
        needed(ROOT, "a machine of its own has mounts of its own")
        needed(MOUNTS, "a machine of its own has mounts of its own")
        machine = cls(folder)
        machine._lay_out()
        done = machine.run(f"sh {made / 'install.sh'}")
        assert done.returncode == 0, done.stderr
        return machine

    def copied(self, folder: Path) -> OwnRoot:
        """Another machine that is installed just as this one."""
        subprocess.run(["cp", "-a", self.folder, folder], check=True, timeout=LONGEST_S)
        return OwnRoot(folder)

    def _lay_out(self) -> None:
        folder = self.folder
        for each in COVERED:
            (folder / each).mkdir(parents=True)
        for each in ("run/systemd/system", "media/stick", "media/card", "srv/backups", "run/lock"):
            (folder / each).mkdir(parents=True)
        for name in KNOWN:
            if Path("/etc", name).exists():
                (folder / "etc" / name).write_bytes(Path("/etc", name).read_bytes())
        (folder / "etc" / "passwd").write_text(f"root:x:0:0::/root:/bin/sh\ntablectl:x:{USER}:{USER}::/:/bin/false\n")
        (folder / "etc" / "group").write_text(f"root:x:0:\ntablectl:x:{USER}:\n")
        for name, text in (
            ("sudo", _SUDO), ("modprobe", _SUDO.replace('exec "$@"', "true")),
            ("systemctl", _SYSTEMCTL.format(python=sys._base_executable)),  # type: ignore[attr-defined]
        ):  # fmt: skip
            (folder / "usr/local/bin" / name).write_text(text)
            (folder / "usr/local/bin" / name).chmod(0o755)

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """What somebody types at this machine."""
        script = f'mount --make-rprivate /{_ENTER} && cd / && exec sh -c "$1"'
        environment = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "PYTHON": sys.executable}
        environment |= {"HOME": "/root", "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            ["unshare", "--mount", "sh", "-c", script, str(self.folder), line],
            env=environment, capture_output=True, text=True, timeout=LONGEST_S, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def did(self, line: str) -> str:
        """The same, and it went well."""
        done = self.run(line)
        assert done.returncode in (0, 3), f"{line}: {done.stdout}{done.stderr}{self.log()[-2000:]}"
        return done.stdout

    def log(self) -> str:
        log = self.folder / "run" / "log"
        return log.read_text() if log.exists() else ""

    def end(self) -> None:
        """Whatever still runs there has ended."""
        self.run("systemctl stop tablectl")

    def die(self) -> None:
        """The table ends as when the power goes: nothing is closed in good order."""
        os.kill(int((self.folder / "run" / "tablectl.pid").read_text()), signal.SIGKILL)

    @property
    def config(self) -> Path:
        return self.folder / "etc" / "tablectl" / "table.toml"

    @property
    def data(self) -> Path:
        return self.folder / "var" / "lib" / "tablectl"


def own_bundle(folder: Path) -> Path:
    """Our own program as it is in the tree, to be installed."""
    return bundle(folder, "1.0", own_wheel(folder, "1.0"), borrowed_wheel(folder))


def typed(page: Path, heading: str) -> list[str]:
    """The commands below a heading of a page, as they stand there; the first heading of the page is its title."""
    text = page.read_text("utf-8")
    part = re.split(r"^#+ ", text, flags=re.MULTILINE)
    (section,) = [one for one in part if one.startswith(f"{heading}\n")]
    return re.findall(r"^ {4}(\S.*)$", section, re.MULTILINE)


def foreign(*places: Path) -> list[str]:
    """Files that the table could not read, made by whoever worked there as root."""
    found = [path for place in places for path in (place, *place.rglob("*")) if path.is_file()]
    return [str(path) for path in found if os.stat(path).st_uid != USER]
