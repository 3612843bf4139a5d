"""What was counted before: kept in files, for each analysis apart, gone on with, and added up over several of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

import msgspec

import drivers.motion
from lab.wheels.evening import Tally

OVER_MANY = frozenset({"fairness.py"})
"""Of the analysis, what looks at landings over many spins and judges none."""


class CannotAdd(ValueError):
    """Kept files that make no one statement, and why."""


class Counted(msgspec.Struct):
    """The evenings played with one analysis, and what came of them."""

    evenings: int = 0
    tallies: dict[str, Tally] = {}
    drawn: list[str] = []  # seed and number of each evening; files from before this was kept do not tell

    def add(self, other: Counted) -> None:
        """Both together."""
        self.evenings += other.evenings
        self.drawn += other.drawn
        for name, tally in other.tallies.items():
            self.tallies.setdefault(name, Tally()).add(tally)


class _File(msgspec.Struct):
    analyses: dict[str, Counted]


@cache
def program() -> str:
    """Which analysis this is: what was counted for another one counts apart."""
    folder = Path(drivers.motion.__file__).parent
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.py")):
        if file.name not in OVER_MANY:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def load(path: Path) -> Counted:
    """What was counted with this very analysis before; nothing where the file is yet to be made."""
    return (_read(path) if path.exists() else {}).get(program(), Counted())


def save(path: Path, counted: Counted) -> None:
    """Keep it beside what was counted for other analyses, so that the next run goes on from there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = {**(_read(path) if path.exists() else {}), program(): counted}
    new = path.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(_File(made)))
    new.replace(path)


def together(paths: Sequence[Path]) -> tuple[str, Counted]:
    """Several kept files as one, and of which analysis: this one where any of them counts it, else the one they share.

    Raises `CannotAdd` where they are of different analyses, or hold the same spins.
    """
    held = {path: _read(path) for path in dict.fromkeys(paths)}
    if len(held) < len(paths):
        raise CannotAdd("a kept file is named twice, and its spins would count twice; name each once")
    analysis = _shared(held)
    parts = {path: analyses[analysis] for path, analyses in held.items()}
    for (one, a), (other, b) in combinations(parts.items(), 2):
        if same := _same_spins(a, b):
            raise CannotAdd(f"{one} and {other} hold the same spins ({same}); name only one of them")
    found = Counted()
    for part in parts.values():
        found.add(part)
    return analysis, found


def _shared(held: Mapping[Path, Mapping[str, Counted]]) -> str:
    """The one analysis that all these files are added up for."""
    wanted = {program()} if any(program() in analyses for analyses in held.values()) else set().union(*held.values())
    if len(wanted) == 1 and all(wanted <= set(analyses) for analyses in held.values()):
        return wanted.pop()
    told = "; ".join(f"{path} holds {', '.join(analyses) or 'none'}" for path, analyses in held.items())
    raise CannotAdd(
        f"these files are not of one analysis, and what one analysis did says nothing of another: {told}. "
        f"Name files of one analysis (this program's is {program()}), or play the missing evenings with --kept"
    )


def _same_spins(one: Counted, other: Counted) -> str:
    """What shows that both counted the same wheels: an evening drawn alike, or the very same spin as an example."""
    if alike := set(one.drawn) & set(other.drawn):
        return f"evening '{min(alike)}'"
    for name in one.tallies.keys() & other.tallies.keys():
        if spins := set(one.tallies[name].told_spins()) & set(other.tallies[name].told_spins()):
            return f"{name}, {min(spins).partition(', judged')[0]}"
    return ""


def _read(path: Path) -> dict[str, Counted]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_File).analyses
    except FileNotFoundError as error:
        raise CannotAdd(f"{path}: there is no such file; see the name given to --kept") from error
    except msgspec.DecodeError as error:
        raise CannotAdd(f"{path}: this was not kept by 'bench wheel' ({error}); name another file") from error
