"""A house of machines, each with the real installer in a root of its own and a real steward, under one floor."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import tarfile
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from click.testing import CliRunner, Result

from controller.commands import main
from controller.journal.head import TableKey, make_key
from lab.bundle import write_sums
from lab.fleet.floor import BOTH, COMMAND, FleetFloor
from lab.floor.server import NatsServer
from tests import ROOT
from tests.bundles import bundle, stub_wheel
from tests.whole.pi.installed_machine import Machine

EXAMPLE = (ROOT / "controller" / "examples" / "table.toml").read_text("utf-8")


class Housed(Machine):
    """One machine of the house; `on` and `off` are its power."""

    def __init__(self, folder: Path, number: int, url: str, witness: str) -> None:
        super().__init__(folder)
        self.slug = f"big-wheel-{number}"
        self._process: subprocess.Popen[bytes] | None = None
        (self.root / "etc").mkdir(exist_ok=True)
        (self.root / "etc/machine-id").write_text(f"{number:032x}\n")
        seed = bytes([number]) * 32
        make_key(folder / "table.key", f"tablectl/{self.slug}/steward", seed)
        self.line = TableKey(seed).public(f"tablectl/{self.slug}/x").text()
        self._text = EXAMPLE.replace('"Big Wheel 1"', f'"Big Wheel {number}"', 1).replace(
            'journal = "big-wheel-1.db"',
            f'journal = "/var/lib/tablectl/table.db"\nsigning_key = "{folder / "table.key"}"',
        )
        self._text += f'\n[uplink]\nservers = ["{url}"]\nwitness = "{witness}"\n'

    def set_up(self, first: Path) -> None:
        done = self.run(first)
        assert done.returncode == 0, done.stderr
        self.config.write_text(self._text, "utf-8")

    def on(self) -> None:
        """The steward runs, and its service manager starts it again when it ends by itself."""
        with (self.folder / "steward.log").open("ab") as said:
            self._process = subprocess.Popen(
                [*COMMAND, "steward", "--config", str(self.config), "--root", str(self.root)],
                env={**os.environ, **self.environment}, stdout=said, stderr=said, start_new_session=True,
            )  # fmt: skip

    def look(self) -> None:
        if self._process is not None and self._process.poll() is not None:
            self.on()

    def off(self) -> None:
        """As a power cut: with whatever it was doing."""
        if self._process is not None:
            os.killpg(self._process.pid, 9)
            self._process.wait(10)
            self._process = None
            subprocess.run(["pkill", "-9", "-f", str(self.root)], timeout=10)  # an installer has a session of its own


class House:
    """So many machines under one floor and one broker."""

    def __init__(self, folder: Path, server: NatsServer, count: int) -> None:
        self.folder, self._server = folder, server
        self.floor = FleetFloor(folder, server.url)
        self.machines = [
            Housed(folder / f"m{number}", number, server.url, self.floor.public.text())
            for number in range(1, count + 1)
        ]
        self.file = self.floor.file
        first = self.bundle("1.0")
        for one in self.machines:
            one.set_up(first)
        self.floor.start(one.line for one in self.machines)

    def bundle(self, version: str, **program: object) -> Path:
        made = self.folder / f"made-{version}"
        made.mkdir()
        return bundle(made, version, stub_wheel(made, version, **program))  # type: ignore[arg-type]

    def archive(self, version: str, **program: object) -> Path:
        """A bundle as it is sent."""
        folder, path = self.bundle(version, **program), self.folder / f"{version}.tar.gz"
        (link,) = (folder / "wheels").glob("pip-*.whl")
        unpacked = link.resolve()
        link.unlink()
        shutil.copytree(unpacked, link)
        write_sums(folder)
        with tarfile.open(path, "w:gz") as packed:
            packed.add(folder, folder.name)
        return path

    def fleet(self, *words: str) -> Result:
        return CliRunner().invoke(main, self.floor.words(*words))

    def roll_out(self, bundle: Path, *words: str) -> Result:
        return self.fleet("roll-out", str(bundle), *BOTH, "--why", "a test", "--settle", "0", *words)

    def until(
        self, holds: Callable[[], bool], seconds: float = 120.0, meanwhile: Callable[[], None] = lambda: None
    ) -> None:
        """Let the house live until this holds."""
        ends, pause = time.monotonic() + seconds, threading.Event()
        while not holds():
            assert time.monotonic() < ends, self.fleet("status").output
            for one in self.machines:
                one.look()
            meanwhile()
            pause.wait(1.0)

    def state(self) -> str:
        return next((line for line in self.fleet("status").output.splitlines() if line.startswith("roll-out")), "")

    def versions(self) -> set[str]:
        return {one.current for one in self.machines}

    def close(self) -> None:
        for one in self.machines:
            one.off()
        self.floor.stop()


def some(machines: list[Housed], share: float, seed: int) -> Iterable[Housed]:
    """A share of them, by lot."""
    return random.Random(seed).sample(machines, int(len(machines) * share))
