"""What a steward tells of its machine: what is installed, how it is, and how far it came with what was wanted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from controller.config.tomlread import ConfigError
from controller.fleet.machine import Machine
from controller.fleet.messages import Found, Has
from controller.fleet.steward import Steward
from controller.pi import doctor
from controller.pi.trusted_clock import kernel


def has(steward: Steward) -> Has:
    """Everything the floor is told of this machine."""
    machine, doing = steward.machine, steward.doing()
    (program, before), now, reading = machine.versions(), int(time.time() * 1000), kernel()
    findings = list(_findings(machine))
    free = next((one.facts["free_mb"] for one in findings if "free_mb" in one.facts), 0)
    worn = [int(one.facts["used_percent"]) for one in findings if "used_percent" in one.facts]
    try:
        rulebook, editions = machine.table().table.rulebook, machine.editions()
    except ConfigError:
        rulebook, editions = "", ()
    return Has(
        steward.table, machine.id(), now, program, before, machine.instead_of(), machine.configuration(), rulebook,
        editions, machine.running(), doing,
        tuple(Found(one.check, one.level, one.text, one.remedy) for one in findings if one.level != "fine"),
        round(reading.offset_us / 1000) if reading is not None and reading.followed else None,
        int(free), max(worn, default=None), machine.packaged(),
    )  # fmt: skip


def _findings(machine: Machine) -> Iterator[doctor.Finding]:
    """What the doctor sees without touching a device."""
    seen = doctor.Machine(machine.root)
    yield from doctor.power(seen)
    yield from doctor.temperature(seen)
    yield from doctor.clock(seen, None)
    try:
        config = machine.table()
    except ConfigError as error:
        yield doctor.Finding("configuration", "failed", str(error), "Send a configuration that fits.")
        return
    data = Path(config.table.journal).parent
    yield from doctor.disk(doctor.Machine(), data)
    yield from doctor.service(seen, config)
