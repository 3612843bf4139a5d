"""What the tests of the Pi share besides fixtures."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner, Result

from controller import examples
from controller.commands import main

EXAMPLE = Path(examples.__path__[0]) / "table.toml"
Configured = Callable[..., Path]
TABLECTL = [sys.executable, "-c", "from controller.commands import main; main()"]


def tablectl(*args: str | Path) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])
