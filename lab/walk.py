"""Record which functions run from an event to its conclusions, and how often whoever reads along changes the file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
OWN = ("controller", "drivers")


class Step(NamedTuple):
    """A function that was called, the file it stands in, and the files of the functions that wait for it, as seen from
    the root of the project.
    """

    file: str
    function: str
    waiting: tuple[str, ...] = ()


class Walk(NamedTuple):
    """What ran from one event to its conclusions."""

    steps: tuple[Step, ...]

    def within(self, folder: str) -> Walk:
        """The part of the walk that runs in one folder."""
        inside = (step for step in self.steps if step.file.startswith(f"{folder}/"))
        return Walk(tuple(step._replace(waiting=_of(folder, step.waiting)) for step in inside))

    @property
    def files(self) -> tuple[str, ...]:
        """Every file once, in the order in which a reader comes to it."""
        return tuple(dict.fromkeys(step.file for step in self.steps))

    @property
    def functions(self) -> tuple[Step, ...]:
        """Every function once, whoever called it."""
        return tuple(dict.fromkeys(Step(step.file, step.function) for step in self.steps))

    @property
    def changes(self) -> int:
        """How often the next function stands in another file."""
        return sum(one.file != other.file for one, other in pairwise(self.steps))

    @property
    def returns(self) -> int:
        """How often the next function stands in a file that was left before."""
        return self.changes - max(0, len(self.files) - 1)

    @property
    def back_up(self) -> int:
        """How often a function was called in a file that waits itself for the one that calls."""
        return sum(
            bool(step.waiting) and step.waiting[-1] != step.file and step.file in step.waiting for step in self.steps
        )


def walk(what: Callable[[], object], own: Iterable[str] = OWN) -> Walk:
    """Do this, and tell which functions of these packages ran; comprehensions and the like count as their function."""
    roots = tuple(f"{ROOT / package}/" for package in own)
    known: dict[CodeType, str] = {}
    steps: list[Step] = []
    waiting: list[str] = []

    def file_of(code: CodeType) -> str:
        if code not in known:
            inner = code.co_name.startswith("<") or not code.co_filename.startswith(roots)
            known[code] = "" if inner else str(Path(code.co_filename).relative_to(ROOT))
        return known[code]

    def called(frame: FrameType, event: str, arg: Any) -> None:
        if event not in ("call", "return") or not (file := file_of(frame.f_code)):
            return
        if event == "call":
            steps.append(Step(file, frame.f_code.co_qualname, tuple(waiting)))
            waiting.append(file)
        elif waiting:
            waiting.pop()

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        what()
    finally:
        sys.setprofile(before)
    return Walk(tuple(steps))


def _of(folder: str, files: Iterable[str]) -> tuple[str, ...]:
    return tuple(file for file in files if file.startswith(f"{folder}/"))
