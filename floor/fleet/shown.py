"""The fleet as a page or a command shows it: a line a machine, those that need a person first."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from floor.fleet.plan import Fleet, Heard, doubled, here

WORST = {"failed": 0, "warning": 1}
UNTOLD = 2


def shown(fleet: Fleet) -> dict[str, list[dict[str, Any]]]:
    """What is told of every machine and every roll-out."""
    now = int(time.time() * 1000)
    strange = doubled(fleet.machines, now)
    lines = [_line(table, heard, strange.get(table, ""), now) for table, heard in fleet.machines.items()]
    lines.sort(key=lambda line: (line["order"], line["table"]))
    plans = [{**msgspec.to_builtins(plan), "wanted": _names(plan.wanted)} for plan in fleet.plans]
    return {"machines": lines, "plans": plans}


def _names(wanted: dict[str, Any]) -> dict[str, str]:
    return {table: one.name for table, one in wanted.items()}


def _line(table: str, heard: Heard, other: str, now: int) -> dict[str, Any]:
    has, on = heard.has, here(heard, now)
    worst = min(has.found, key=lambda one: WORST.get(one.level, UNTOLD), default=None)
    level = WORST.get(worst.level, UNTOLD) if worst is not None else UNTOLD
    words = f"{worst.text} {worst.remedy}".strip() if worst is not None and level < UNTOLD else ""
    if has.instead_of:
        level, words = 0, f"version {has.instead_of} is not as it was installed, and {has.before} runs in its place"
    if other:
        level, words = 0, f"this computer answers as {other}, too: nothing is sent to either"
    if any(one.state == "refused" for one in has.doing):
        level = 0
    return {
        **_every(has), "doing": [_every(one) for one in has.doing], "found": [_every(one) for one in has.found],
        "here": on, "heard": heard.at, "worst": words, "order": level + (0 if on else -1),
        "configuration": has.configuration[:12],
    }  # fmt: skip


def _every(said: msgspec.Struct) -> dict[str, Any]:
    """All that a message can say, also what it leaves out because it is as usual."""
    return {name: msgspec.to_builtins(getattr(said, name)) for name in said.__struct_fields__}
