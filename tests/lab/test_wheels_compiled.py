"""The judge's wheels as machine code: the same spins, and a plain word where there is no compiler."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

SAME = """
import sys, json
from pathlib import Path
if sys.argv[1]:
    from lab.wheels.compiled import use
    use(Path(sys.argv[1]))
import lab.wheels.turning as turning
from lab.wheels.population import KINDS, OneWheel
told = []
for kind in KINDS[::4]:
    wheel = OneWheel(kind, "the same")
    told += [repr(wheel.spin(wheel.hand("nudge", 1.0)).told) for _ in range(2)]
print(json.dumps([turning.__file__, told]))
"""


def _played(cache: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SAME, cache]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, **env})


def test_machine_code_plays_the_very_same_spins(tmp_path: Path) -> None:
    plain, compiled = (_played(cache) for cache in ("", str(tmp_path)))
    assert compiled.returncode == 0, compiled.stderr
    (source, told), (code, again) = json.loads(plain.stdout), json.loads(compiled.stdout)
    assert source.endswith(".py")
    assert not code.endswith(".py")
    assert again == told


def test_without_a_compiler_it_says_what_is_needed(tmp_path: Path) -> None:
    refused = _played(str(tmp_path), CC=str(tmp_path / "no-compiler"))
    assert refused.returncode != 0
    assert "a C compiler" in refused.stderr
