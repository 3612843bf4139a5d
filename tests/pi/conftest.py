"""What the tests of the Pi share: a configuration of an all-simulated table in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from standing import EXAMPLE, Configured


@pytest.fixture
def configured(tmp_path: Path) -> Configured:
    """Writes the example's table into the test's folder, with its devices simulated and as asked for."""

    def write(wheel: str = "", web: int = 8642, journal: str = "data/table.db") -> Path:
        text = EXAMPLE.read_text("utf-8")
        text = text.replace('port = "/dev/serial/by-id/usb-wheel-sensor"', wheel or "simulated = true")
        text = text.replace('port = "usb:1209:7ab1"', "simulated = true")
        text = text.replace('journal = "big-wheel-1.db"', f'journal = "{journal}"')
        text = text.replace("127.0.0.1:8642", f"127.0.0.1:{web}")
        path = tmp_path / "table.toml"
        path.write_text(text, "utf-8")
        return path

    return write
