"""The system's C compiler for tests, and small programs made with it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from lab.needs import C_COMPILER
from tests.needed import needed

STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")


def needs_compiler() -> str:
    """The compiler's path; skips the test, saying so, when this machine has none."""
    return needed(C_COMPILER, "nothing of C was compiled or tried")


def compiled(source: Path, into: Path, *options: str) -> Path:
    """The program made of one strict C file."""
    told = subprocess.run(
        [needs_compiler(), *STRICT, *options, str(source), "-o", str(into)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    return into
