"""Machines as they say of themselves, and roll-outs over them, for pages and numbers."""

from __future__ import annotations

import time

from controller.fleet.messages import Doing, Found, Has
from floor.fleet.plan import Fleet, Heard, Plan, Wanted

NOW = int(time.time() * 1000)
HOT = Found("temperature", "failed", "The processor is at 83 °C.", "Give the Pi air.")


def has(table: str, machine: str, program: str = "2.0", *doing: Doing, found: tuple[Found, ...] = ()) -> Has:
    return Has(table, machine, NOW, program, rulebook="melbourne-wheel", running=True, doing=doing, found=found)


PLAN = Plan(
    "aa", "program", NOW, ("F2", "F3"), "version of November", (1, 0), 60, ("t1", "t2", "t3"),
    dict.fromkeys(("t1", "t2", "t3"), Wanted("2.0", "00", 3)), state="halted", text="t2: taken back",
    asked={"t1": 1, "t2": 2}, refused={"t2": "taken back"},
)  # fmt: skip
FLEET = Fleet(
    {
        "t1": Heard(has("t1", "m1", "2.0", Doing("program", 1, "aa", "done", NOW, "2.0")), NOW),
        "t2": Heard(has("t2", "m2", "1.0", Doing("program", 2, "aa", "refused", NOW, "2.0", "taken back")), NOW),
        "t3": Heard(has("t3", "m3", "1.0", found=(HOT,)), NOW - 3_600_000),
        "t4": Heard(has("t4", "m2", "1.0"), NOW),
    },
    [PLAN],
)
"""One that has it, one that went back and answers as another, too, and one that is off and was hot."""
