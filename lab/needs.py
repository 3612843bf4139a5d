"""What proving needs of the machine beyond this package: each tool once, with how to find it and where it comes from.

`python3 lab/needs.py` prints the Debian packages that are missing, also where nothing of this tree is installed yet.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

GOPATH = "/usr/share/gocode"
"""Where Debian puts Go's packages."""


def _program(*names: str) -> Callable[[], str]:
    return lambda: next((found for name in names if (found := shutil.which(name))), "")


def _beside_python(name: str) -> Callable[[], str]:
    """A program that a Python package brings, or the system."""

    def found() -> str:
        beside = Path(sys.executable).with_name(name)
        return str(beside) if beside.exists() else shutil.which(name) or ""

    return found


def _c_compiler() -> str:
    named = os.environ.get("CC")
    return shutil.which(named) or "" if named else _program("cc", "gcc", "clang")()


def _pips_wheel() -> str:
    found = importlib.util.find_spec("ensurepip")
    bundled = Path(found.origin).parent / "_bundled" if found and found.origin else Path()
    return next((str(wheel) for wheel in bundled.glob("pip-*.whl")), "")


def _package(name: str) -> Callable[[], str]:
    return lambda: name if importlib.util.find_spec(name) else ""


def _postgresql() -> str:
    """Debian keeps the server's own programs beside the path, and those that look after it on the path."""
    if found := shutil.which("initdb"):
        return str(Path(found).resolve())
    beside = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) if shutil.which("pg_lsclusters") else []
    return str(beside[-1]) if beside else ""


def _go() -> str:
    """Go, where Debian's packages of its module tools lie beside it."""
    found = shutil.which("go")
    return found if found and Path(GOPATH, "src/golang.org/x/mod/sumdb/note").is_dir() else ""


def _arduino_core() -> str:
    """The core's own sources, where there is what compiles them; what its boards need lies beside them."""
    source = Path("/usr/share/arduino/hardware/arduino/avr/cores/arduino/Arduino.h")
    return str(source) if shutil.which("avr-gcc") and source.exists() else ""


def _chinese() -> str:
    """The first font that has simplified Chinese."""
    if (lister := shutil.which("fc-list")) is None:
        return ""
    found = subprocess.run([lister, ":lang=zh-cn", "file"], capture_output=True, text=True, timeout=20, check=False)
    return found.stdout.partition("\n")[0].rstrip(": ")


def _swtpm() -> str:
    return (shutil.which("tpm2_unseal") or "") and (shutil.which("swtpm") or "")


def _root() -> str:
    return "root" if os.geteuid() == 0 else ""


def _mounts() -> str:
    tried = ["unshare", "--mount", "mount", "--make-rprivate", "/"]
    try:
        done = subprocess.run(tried, capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "" if done.returncode else tried[0]


def _overlay() -> str:
    known = Path("/proc/filesystems")
    return "overlay" if known.exists() and "\toverlay\n" in known.read_text() else ""


@dataclass(frozen=True)
class Need:
    """One thing that some tests cannot do without; without a package it is a right that this machine gives or not."""

    name: str
    found: Callable[[], str]
    """Where it is on this machine; empty when it is not."""
    debian: tuple[str, ...] = ()
    python: str = ""

    @property
    def missing(self) -> str:
        """What to say where it is not: what is lacking, and what brings it."""
        brought = f"apt install {' '.join(self.debian)}" if self.debian else f"pip install {self.python}"
        return f"no {self.name} on this machine" + (f" ({brought})" if self.installable else "")

    @property
    def installable(self) -> bool:
        return bool(self.debian or self.python)


ANSIBLE = Need("Ansible", _program("ansible-playbook"), ("ansible-core",))
CHROMIUM = Need("Chromium", _program("chromium", "chromium-browser", "google-chrome", "chrome"), ("chromium",))
CHINESE = Need("Chinese font", _chinese, ("fonts-wqy-microhei", "fontconfig"))
C_COMPILER = Need("C compiler", _c_compiler, ("gcc", "libc6-dev"))
ARM_COMPILER = Need(
    "compiler for a Cortex-M0+", _program("arm-none-eabi-gcc"), ("gcc-arm-none-eabi", "libnewlib-arm-none-eabi")
)
AVR_COMPILER = Need("compiler for an AVR", _program("avr-gcc"), ("gcc-avr", "avr-libc"))
ARDUINO_CORE = Need("core of Arduino for an AVR", _arduino_core, ("arduino-core-avr",))
CMAKE = Need("cmake", _program("cmake"), ("cmake",))
EMULATED_ARM = Need("emulated Cortex-M3", _program("qemu-system-arm"), ("qemu-system-arm",))
TSHARK = Need("tshark", _program("tshark"), ("tshark",))
MAKE = Need("make", _program("make"), ("make",))
SWTPM = Need("software TPM with its tools", _swtpm, ("swtpm", "tpm2-tools"))
STRACE = Need("strace", _program("strace"), ("strace",))
GPG = Need("gpg", _program("gpg"), ("gpg", "gpg-agent", "gpgv"))
DPKG = Need("dpkg-deb", _program("dpkg-deb"), ("dpkg",))
LINTIAN = Need("lintian", _program("lintian"), ("lintian",))
SFDISK = Need("sfdisk", _program("sfdisk"), ("fdisk",))
SSH_KEYGEN = Need("ssh-keygen", _program("ssh-keygen"), ("openssh-client",))
SYSTEMD = Need("systemd-analyze", _program("systemd-analyze"), ("systemd",))
PIPS_WHEEL = Need("wheel of pip beside Python", _pips_wheel, ("python3-venv",))
PLAYWRIGHT = Need("Playwright", _package("playwright"), python="'tablectl-lab[pictures]'")
AXE = Need("axe-core", _package("axe_playwright_python"), python="'tablectl[test]'")
POKERKIT = Need("PokerKit", _package("pokerkit"), python="'tablectl[test]'")
NATS_SERVER = Need("NATS server", _beside_python("nats-server"), python="'tablectl[test]'")
POSTGRESQL = Need("PostgreSQL server", _postgresql, ("postgresql",))
PROMETHEUS = Need("Prometheus", _program("prometheus"), ("prometheus",))
GO = Need("Go with its packages for notes and logs", _go, ("golang-go", "golang-golang-x-mod-dev"))
ROOT = Need("root", _root)
MOUNTS = Need("right to mount", _mounts)
OVERLAY = Need("overlay file system", _overlay)
NEEDS = (
    *(CHROMIUM, CHINESE, C_COMPILER, ARM_COMPILER, AVR_COMPILER, CMAKE, EMULATED_ARM, TSHARK, MAKE, STRACE, SYSTEMD),
    *(ARDUINO_CORE, PIPS_WHEEL, GPG, DPKG, LINTIAN, SFDISK, SSH_KEYGEN, ANSIBLE),
    *(PLAYWRIGHT, AXE, POKERKIT, NATS_SERVER, PROMETHEUS, GO, SWTPM, POSTGRESQL, ROOT, MOUNTS, OVERLAY),
)


def asked_for(why: str) -> Need | None:
    """The need that a skipped test names, if it names one."""
    return next((need for need in NEEDS if f"no {need.name} on this machine" in why), None)


def lacking(why: str) -> str:
    """What a skipped test asked for and this machine really lacks; empty when it is here after all."""
    need = asked_for(why)
    return "" if need is None or need.found() else need.name


if __name__ == "__main__":
    print(*sorted({package for need in NEEDS if need.debian and not need.found() for package in need.debian}))
