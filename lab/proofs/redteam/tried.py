"""The steps of the campaign: what each tries, and what must hold."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from lab.proofs.redteam.campaign import Facts, Found, Size, Step
from lab.proofs.redteam.kills import Killed, real_runs, runs

KEY_MS = 100.0
"""How soon a dealer's key answers, whoever else is at the door."""
FLAT_KB = 8_192
"""What a table may grow by while strangers are at its doors, however long: the allocator's own ups and downs."""
TOLD = 10
"""Problems that a report names; the first are enough to begin with."""


def kills(size: Size) -> dict[str, Step]:
    """Controllers and devices of a virtual table."""
    return {"kills": _accumulated("kills", size.kills, runs)}


def processes(size: Size) -> dict[str, Step]:
    """Real controllers, killed for real."""
    return {"processes": _accumulated("processes", size.real_kills, real_runs)}


def _accumulated(name: str, wanted: int, runs: Callable[[Path, int], Iterator[Killed]]) -> Step:
    def step(folder: Path, so_far: Facts) -> Iterator[Found]:
        done: int = so_far.get("runs", 0)
        count: Counter[str] = Counter(so_far.get("killed", {}))
        problems: list[str] = []
        if count.total() >= wanted:
            return
        for one in runs(folder, done):
            done += 1
            count += one.kills
            problems += one.problems
            facts = {
                "kills": count.total(), "of": wanted, "killed": dict(count), "runs": done,
                "lost_doubled_or_settled_otherwise": len(problems), "problems": problems[:TOLD],
            }  # fmt: skip
            yield Found(name, not problems, count.total() >= wanted, facts)
            if count.total() >= wanted:
                return

    return step


def syncs(size: Size) -> dict[str, Step]:
    """Every sync of every file of a journal fails once."""
    from lab.proofs.redteam.syncs import ENDS

    return {f"syncs-{end}": _syncs(end, size.cuts) for end in ENDS}


def _syncs(end: str, cuts: int) -> Step:
    def step(folder: Path, so_far: Facts) -> Iterator[Found]:
        from lab.proofs.redteam.power import compiled_shim
        from lab.proofs.redteam.syncs import KINDS, every_sync

        if so_far.get("cuts_asked") == cuts:
            return
        scratch = folder / "scratch"
        scratch.mkdir()
        tried = every_sync(compiled_shim(folder), scratch, end, cuts)
        facts = {"cuts_asked": cuts, "failed": tried.failed, "power_cuts": tried.cuts, "lost": len(tried.problems)}
        held = not tried.problems and tried.failed.keys() >= KINDS
        yield Found(f"syncs-{end}", held, True, facts | {"problems": tried.problems[:TOLD]})

    return step


def tampers() -> dict[str, Step]:
    """Every way to rewrite a night, by whoever owns disk and key."""
    return {"tampers": _tampers}


def _tampers(folder: Path, so_far: Facts) -> Iterator[Found]:
    from lab.proofs.redteam.night import night_in, not_found
    from lab.proofs.redteam.tampers import TAMPERS

    if so_far.get("tampers") == len(TAMPERS):
        return
    (folder / "night").mkdir()
    night, blind = night_in(folder / "night"), []
    for tamper in TAMPERS:
        hands = folder / tamper.__name__
        hands.mkdir()
        blind += not_found(night, tamper, hands)
    yield Found("tampers", not blind, True, {"tampers": len(TAMPERS), "not_found": blind})


def strangers(size: Size) -> dict[str, Step]:
    """Whoever comes to the table's sockets, while a dealer works."""
    from lab.proofs.redteam.attacks import ATTACKS

    return {f"strangers-{name}": _strangers(name, size.seconds) for name in ATTACKS}


def _strangers(name: str, seconds: float) -> Step:
    def step(folder: Path, so_far: Facts) -> Iterator[Found]:
        from lab.proofs.redteam.strangers import attacked

        if so_far.get("seconds") == seconds:
            return
        facts = asyncio.run(attacked(folder, name, seconds))
        held = facts["presses"] > 0 and facts["refused"] == 0 and facts["slowest_ms"] <= KEY_MS
        held = held and facts["grown_kb"] <= FLAT_KB
        yield Found(f"strangers-{name}", held, True, {"seconds": seconds, **facts})

    return step


def secrets() -> dict[str, Step]:
    """A secret of each kind, in a table that fails."""
    return {"secrets-service": _secrets("service", True), "secrets-terminal": _secrets("terminal", False)}


def _secrets(where: str, json: bool) -> Step:
    def step(folder: Path, so_far: Facts) -> Iterator[Found]:
        from lab.proofs.redteam.secrets import planted

        if so_far:
            return
        faults, told = planted(folder, json)
        yield Found(f"secrets-{where}", not told, True, {"faults": faults, "told": told})

    return step


def soaks(size: Size) -> dict[str, Step]:
    """Days at each game on a bad machine."""
    return {f"soak-{table}": _soak(table, size) for table in ("wheel", "perth-war", "poker")}


def _soak(table: str, size: Size) -> Step:
    def step(folder: Path, so_far: Facts) -> Iterator[Found]:
        from lab.proofs.redteam.bad_days import BadDay

        done = so_far.get("days", 0) if so_far.get("hours") == size.hours else 0
        struck: Counter[str] = Counter(so_far.get("struck", {}) if done else {})
        looked: int = so_far.get("pages", 0) if done else 0
        for number in range(done + 1, size.days + 1):
            day = BadDay(table, folder / f"{number}.sqlite", number)
            told = day.play(size.hours)
            struck += day.struck + Counter(killed=told.killed, stopped=told.stopped, device_faults=told.faults)
            looked += day.looked
            facts = {"days": number, "of": size.days, "hours": size.hours, "rounds_of_the_last": told.rounds}
            found = {"struck": dict(struck), "pages": looked, "wrong": len(told.problems)}
            held = not told.problems and told.rounds > 0
            yield Found(f"soak-{table}", held, number >= size.days, facts | found | {"problems": told.problems[:TOLD]})

    return step
