"""Every number the table is held to, measured on this machine with the machine's own limits beside it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from lab.measurements.measure import failed

BENCHMARKS = (
    *("latency", "play", "analysis", "growth", "scaling", "seats", "card", "memory", "startup", "start", "chips"),
)
"""Modules of this package, in the order they run; each has `run(quick)`, which yields its results."""


def run_all(quick: bool, only: tuple[str, ...] = ()) -> Iterator[dict[str, Any]]:
    """Each result as soon as it is there; `only` names the benchmarks to run, all when empty."""
    for name in only or BENCHMARKS:
        try:
            yield from importlib.import_module(f"lab.measurements.{name}").run(quick)
        except Exception as error:
            yield failed(name, error)
