"""The judge's wheels as machine code: the same source, compiled, so that the same seed plays the same spins sooner.

Only what turns the wheel and tells of it is compiled, never the analysis: what is judged runs as it does at a table.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

PARTS = ("turning", "telling")
LONGEST_S = 600
HERE = Path(__file__).parent


class CannotCompile(RuntimeError):
    """Why there is no machine code; the spins can be played without it, only more slowly."""


def use(cache: Path | None = None) -> Path:
    """Play with machine code from here on, made now where it is not there yet; before anything has turned a wheel."""
    if any(f"lab.wheels.{part}" in sys.modules for part in PARTS):
        raise CannotCompile("the wheels were loaded before they could be compiled")
    folder = (cache or _cache()) / _digest()
    if not _made(folder):
        _make(folder)
    sys.path.insert(0, str(folder))  # what both parts share lies there under a name of its own
    for part in PARTS:
        _load(f"lab.wheels.{part}", folder / "lab" / "wheels" / (part + _ending()))
    return folder


def _load(name: str, path: Path) -> None:
    from importlib.machinery import ExtensionFileLoader
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(name, path, loader=ExtensionFileLoader(name, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    setattr(importlib.import_module("lab.wheels"), name.rpartition(".")[2], module)


def _made(folder: Path) -> bool:
    return all((folder / "lab" / "wheels" / (part + _ending())).exists() for part in PARTS)


def _make(folder: Path) -> None:
    """A copy of the tree's packages as links beside the two modules, compiled there."""
    wheels = folder / "lab" / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    root = HERE.parent.parent
    for package in ("firmware_specs", "drivers"):
        link = folder / package
        if not link.exists():
            link.symlink_to(root / package)
    (folder / "lab" / "__init__.py").write_text("")
    for source in HERE.glob("*.py"):
        (wheels / source.name).write_bytes(source.read_bytes())
    files = [f"lab/wheels/{part}.py" for part in PARTS]
    command = [sys.executable, "-m", "mypyc", "--ignore-missing-imports", *files]
    try:
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotCompile(f"the compiler could not be run: {error}") from error
    for source in wheels.glob("*.py"):  # of the two only the machine code may be found there
        source.unlink()
    (folder / "lab" / "__init__.py").unlink()
    if run.returncode or not _made(folder):
        last = (run.stderr or run.stdout).strip().splitlines()[-1:] or ["it said nothing"]
        raise CannotCompile(
            f"mypyc and a C compiler are needed ('pip install mypy', a package such as gcc): {last[0][:200]}"
        )


def _digest() -> str:
    """Another source, another Python: other machine code."""
    digest = hashlib.sha256(sys.version.encode())
    for source in sorted(HERE.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _ending() -> str:
    return str(sysconfig.get_config_var("EXT_SUFFIX"))


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tablectl-wheels"
