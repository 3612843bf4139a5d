"""The system's C compiler for tests, and small programs made with it."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path

import pytest

STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")


@functools.cache
def compiler() -> str | None:
    named = os.environ.get("CC")
    return shutil.which(named) if named else shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def needs_compiler() -> str:
    """The compiler's path; skips the test, saying so, when this machine has none."""
    found = compiler()
    if found is None:
        pytest.skip("no C compiler on this machine (apt install gcc): nothing of C was compiled or tried")
    return found


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
