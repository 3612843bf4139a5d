"""A machine that bundles are installed on, as far as the installer can tell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.bundles import bundle, stub_wheel, system

SYSTEMCTL = """#!/bin/sh
# Stands in for systemd: tells what it was asked, and starts nothing that is said to be not ready.
echo "$*" >>"{folder}/asked"
current=$(basename "$(readlink "{root}/opt/tablectl/current")")
[ "$1" != restart ] || [ "$current" != "$(cat "{folder}/unready" 2>/dev/null)" ]
"""


TIMERS = "tablectl-doctor.timer tablectl-backup.timer tablectl-export.timer tablectl-retain.timer"


class Machine:
    """A folder that stands for a Pi, and what its service manager was asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.root = system(folder / "root")
        self.opt = self.root / "opt" / "tablectl"
        self.config = self.root / "etc" / "tablectl" / "table.toml"
        self.data = self.root / "var" / "lib" / "tablectl"
        self.systemctl = folder / "systemctl"
        self.systemctl.write_text(SYSTEMCTL.format(folder=folder, root=self.root))
        self.systemctl.chmod(0o755)

    @property
    def environment(self) -> dict[str, str]:
        """What the installer is told of this machine."""
        return {"PYTHON": sys.executable, "TABLECTL_SYSTEMCTL": str(self.systemctl)}

    def bundle(self, version: str, **program: object) -> Path:
        made = self.folder / "made"
        made.mkdir(exist_ok=True)
        return bundle(self.folder, version, stub_wheel(made, version, **program))  # type: ignore[arg-type]

    def run(self, bundle: Path, *options: str) -> subprocess.CompletedProcess[str]:
        command = ["sh", str(bundle / "install.sh"), "--root", str(self.root), *options]
        environment = {**os.environ, **self.environment}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)

    def install(self, version: str, *options: str, **program: object) -> subprocess.CompletedProcess[str]:
        return self.run(self.bundle(version, **program), *options)

    @property
    def current(self) -> str:
        return os.path.basename(os.readlink(self.opt / "current"))

    @property
    def versions(self) -> list[str]:
        return sorted(path.name for path in (self.opt / "versions").iterdir())

    def asked(self) -> list[str]:
        path = self.folder / "asked"
        said = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return said

    def files(self) -> set[str]:
        """What was installed: everything but the Python that was there before."""
        python: str = sys._base_executable  # type: ignore[attr-defined]
        found = [path for path in self.root.rglob("*") if path.is_file() or path.is_symlink()]
        return {name for path in found if (name := str(path.relative_to(self.root))) != python.lstrip("/")}

    def contents(self) -> dict[str, str]:
        """Every file and link with what is in it."""
        return {
            name: os.readlink(path) if path.is_symlink() else path.read_text("latin-1")
            for name in self.files()
            if (path := self.root / name) and not name.startswith("run/")
        }
