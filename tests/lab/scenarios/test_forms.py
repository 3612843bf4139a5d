"""What people enter into the form of a key, as a case writes it and as the table takes it."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from controller.build import build_table
from firmware_specs.clock import VirtualClock
from lab.scenarios.file import case_of
from lab.scenarios.forms import fields_of, filled_in, keys_of, written
from lab.scenarios.play import play_case
from lab.scenarios.war.levers import WarLevers
from lab.scenarios.words import read_fields
from lab.sim.config import default_config
from lab.sim.table import SimulatedTable


def through(key: str, **args: Any) -> dict[str, Any]:
    """What the table is told when a case is written with what was pressed before."""
    table = build_table(default_config("war", rulebook="melbourne-war"))
    declared = keys_of(table)[key]
    return filled_in(table, declared, read_fields(fields_of(declared), written(declared, args), "here"))


def test_money_is_written_in_dollars_and_read_in_cents() -> None:
    table = build_table(default_config("war", rulebook="melbourne-war"))
    assert written(keys_of(table)["limits"], {"least": 1250, "most": 50_000}) == {"least": 12.5, "most": 500}
    assert through("limits", least=1250, most=50_000) == {"least": 1250, "most": 50_000}
    assert through("mispaid", wager="a", paid=2500, due=1250) == {"wager": "a", "paid": 2500, "due": 1250}
    assert through("settled", confirmed=True, reason="counted") == {"confirmed": True, "reason": "counted"}
    assert through("share", most=2) == {"most": 2}


def test_a_round_with_money_in_a_form_is_written_down_in_dollars(tmp_path: Path) -> None:
    clock = VirtualClock()
    table = SimulatedTable(default_config("war", rulebook="melbourne-war"), tmp_path / "t.sqlite", clock, 3, alone=True)
    levers = WarLevers(table)
    table.start()
    clock.run_until(lambda: table.people.screen.state() == "betting", 1000)
    table.people.screen.press("spoken", 1, {"player": "P1", "box": 1, "zone": "main", "amount": 1250, "money": True})
    clock.run_until(lambda: bool(levers.scenario()["cases"]), 1000)
    table.stop()
    case = json.loads(json.dumps(levers.scenario()["cases"][0]), parse_float=Decimal)
    spoken = [step["args"]["amount"] for step in case["steps"] if step.get("key") == "spoken"]
    assert spoken == [Decimal("12.5")]
    assert play_case(case_of("bench", 0, case)).errors == []
