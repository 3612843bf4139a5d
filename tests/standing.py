"""What tests of a configured table share: its file in a folder of its own, its devices, its commands."""

from __future__ import annotations

import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller import examples
from controller.commands import main
from controller.pi import manifest

EXAMPLE = Path(examples.__path__[0]) / "table.toml"
Configured = Callable[..., Path]
TABLECTL = [sys.executable, "-c", "from controller.commands import main; main()"]
DEVICE_UP_S = 20


def tablectl(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


@pytest.fixture
def configured(tmp_path: Path) -> Configured:
    """Writes the example's table into the test's folder, with its devices simulated and as asked for."""

    def write(wheel: str = "", chips: str = "", web: int = 8642, journal: str = "data/table.db") -> Path:
        text = EXAMPLE.read_text("utf-8")
        text = text.replace('port = "/dev/serial/by-id/usb-wheel-sensor"', wheel or "simulated = true")
        text = text.replace('port = "usb:1209:7ab1"', chips or "simulated = true")
        text = text.replace('journal = "big-wheel-1.db"', f'journal = "{journal}"')
        text = text.replace("127.0.0.1:8642", f"127.0.0.1:{web}")
        path = tmp_path / "table.toml"
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The devices of a wheel table as programs of their own, and what its configuration says of their ports."""
    kinds = {"wheel": "WS-0001", "chips": "CM-0001"}
    started = []
    for kind, serial in kinds.items():
        command = [*TABLECTL, "simulate", kind, "--port", f"pty:{tmp_path / kind}", "--serial", serial]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    for device in started:
        assert device.stdout is not None
        assert select.select([device.stdout], [], [], DEVICE_UP_S)[0], "a simulated device did not start"
        assert " on " in device.stdout.readline()
    yield {kind: f'port = "{tmp_path / kind}"' for kind in kinds}
    for device in started:
        device.terminate()
        device.communicate(timeout=10)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Something installed, with its manifest."""
    folder = tmp_path / "program"
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "rules.py").write_text("PAYS = 2\n")
    (folder / "lib" / "table.py").write_text("ROUNDS = 1\n")
    return manifest.write(folder)
