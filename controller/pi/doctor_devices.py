"""The doctor's look at the table's devices: ports, adapters, who answers, how well, and what the journal tells."""

from __future__ import annotations

import asyncio
import fcntl
import os
import stat
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from controller.config.types import DeviceSection, TableConfig
from controller.journal import row as record
from controller.journal.file import JournalFile
from controller.pi.doctor import Finding, Findings, Machine
from drivers.discover import DeviceFound, PortSeen, identify, usb_ports
from drivers.events import DeviceDown, DeviceRefused, DeviceUp
from drivers.pairing import KeyRing, KeyTrouble
from drivers.quality import Measure, Quality
from firmware_specs.clock import RealClock
from firmware_specs.port import Port, PortTrouble

ASK_S = 2.0
QUESTIONS = 20
DAY_MS = 86_400_000
DOWNS_A_DAY = 3
IN_PROCESS = ("wire", "pty")

OpenPort = Callable[[str, asyncio.AbstractEventLoop], Port]


def running(journal: Path) -> bool:
    """Whether a controller holds this journal now."""
    try:
        with open(f"{journal}.lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def ports(machine: Machine, config: TableConfig, usb: Callable[[], list[PortSeen]] = usb_ports) -> Findings:
    """That every configured port is there, may be opened by the table, and passes bytes on at once."""
    for place, section in config.devices.items():
        if section.port.startswith("/"):
            yield from _serial_port(machine, config, place, section)
        elif section.port.startswith("usb:"):
            yield from _usb_port(place, section, usb)


def _serial_port(machine: Machine, config: TableConfig, place: str, section: DeviceSection) -> Findings:
    named = section.port.partition("@")[0]
    path = machine.at(named)
    if not path.exists():
        yield Finding("ports", "failed", f"“{place}”: {named} is not there.",
                      "Plug the device in, or correct its port; `tablectl devices` lists what is there.")  # fmt: skip
        return
    facts, data = path.stat(), machine.at(Path(config.table.journal).parent)
    user = data.stat() if data.is_dir() else None
    allowed = facts.st_mode & stat.S_IWOTH or (
        user is not None
        and (
            (facts.st_uid == user.st_uid and facts.st_mode & stat.S_IWUSR)
            or (facts.st_gid == user.st_gid and facts.st_mode & stat.S_IWGRP)
        )
    )
    if allowed:
        yield Finding("ports", "fine", f"“{place}”: {named} is there, and the table may open it.")
    else:
        yield Finding("ports", "failed", f"“{place}”: the table's user may not open {named}.",
                      "Install the udev rules and replug it; they give it to the group tablectl.")  # fmt: skip
    if os.path.basename(named).startswith("ttyUSB"):
        yield Finding("ports", "warning", f"“{place}”: {named} is a name that changes when cables do.",
                      "Use the device's name under /dev/tablectl or /dev/serial/by-id.")  # fmt: skip
    yield from _latency(machine, place, os.path.basename(os.path.realpath(path)))


def _latency(machine: Machine, place: str, tty: str) -> Findings:
    said = machine.read(f"sys/bus/usb-serial/devices/{tty}/latency_timer")
    if said is None or not said.isdigit():
        return  # not an FTDI adapter: it has no such timer
    if int(said) <= 1:
        yield Finding("latency", "fine", f"“{place}”: its adapter passes bytes on after {said} ms.")
    else:
        yield Finding("latency", "warning", f"“{place}”: its adapter keeps bytes back for {said} ms.",
                      "Install the udev rules and replug it; they set its latency timer to 1 ms.")  # fmt: skip


def _usb_port(place: str, section: DeviceSection, usb: Callable[[], list[PortSeen]]) -> Findings:
    try:
        seen = [one.address.lower() for one in usb()]
    except PortTrouble as trouble:
        yield Finding("ports", "failed", f"“{place}”: {trouble.text}", trouble.remedy)
        return
    wanted = section.port.lower()
    if any(address == wanted or address.startswith(f"{wanted}:") for address in seen):
        yield Finding("ports", "fine", f"“{place}”: {section.port} is plugged in.")
    else:
        yield Finding("ports", "failed", f"“{place}”: no USB device {section.port} is plugged in.",
                      "Check its cable and its power; `tablectl devices` lists what is there.")  # fmt: skip


# --- asking the devices themselves, when no table runs ---------------------------------------


def ask_devices(config: TableConfig, open_port: OpenPort) -> list[Finding]:
    """Who answers on each real port, and how well the line carries frames."""
    real = {place: section for place, section in config.devices.items() if section.port not in IN_PROCESS}
    if not real:
        return [Finding("devices", "unknown", "Every device of this table is simulated inside the program.")]
    keys = KeyRing(Path(config.table.journal).parent / "keys")

    def held(serial: str) -> bytes | None:
        try:
            return keys.key(serial)
        except KeyTrouble:
            return None  # a file that is no key is as good as none

    return asyncio.run(_ask(real, open_port, held))


async def _ask(
    real: dict[str, DeviceSection], open_port: OpenPort, held: Callable[[str], bytes | None]
) -> list[Finding]:
    loop = asyncio.get_running_loop()
    clock = RealClock(loop)
    answered: asyncio.Future[list[DeviceFound]] = loop.create_future()
    spoken = {place: section for place, section in real.items() if section.kind != "swipe"}
    seen = [PortSeen(section.port, place) for place, section in spoken.items()]
    identify(clock, seen, lambda address: open_port(address, loop), answered.set_result, within=ASK_S,
             key_of=held)  # fmt: skip
    found = await asyncio.wait_for(answered, 2 * ASK_S + 5)
    findings: list[Finding] = []
    for (place, section), one in zip(spoken.items(), found, strict=True):
        findings += who_answers(place, section, one, held(one.serial) is not None)
        if one.kind:
            measured: asyncio.Future[Quality] = loop.create_future()
            Measure(clock, open_port(section.port, loop), QUESTIONS, measured.set_result).start()
            findings += line_quality(place, await asyncio.wait_for(measured, 15))
    return findings


def who_answers(place: str, section: DeviceSection, found: DeviceFound, keyed: bool = True) -> Findings:
    """Whether the device at a port is the one that belongs there, and fits; `keyed` when we hold a key for it."""
    facts = {"device": place, "kind": found.kind, "serial": found.serial, "firmware": found.firmware}
    for finding in _judged(place, section, found, keyed):
        yield msgspec.structs.replace(finding, facts={**facts, "paired": found.paired})


def _judged(place: str, section: DeviceSection, found: DeviceFound, keyed: bool) -> Findings:
    if not found.kind:
        yield Finding("devices", "failed", f"“{place}”: {found.trouble.rstrip('.')}.", found.remedy)
        return
    who = f"{found.kind} {found.serial}, firmware {found.firmware}"
    if found.kind != section.kind:
        yield Finding("devices", "failed", f"“{place}”: a {who} answers where a {section.kind} belongs.",
                      "Swap the cables, or correct the ports in the configuration.")  # fmt: skip
    elif section.serial and found.serial != section.serial:
        yield Finding("devices", "failed", f"“{place}”: {who} answers; {section.serial} belongs there.",
                      "Put the right device there, or enter its serial number.")  # fmt: skip
    elif not found.fits:
        yield Finding("devices", "failed", f"“{place}”: {who}: {found.trouble.rstrip('.')}.", found.remedy)
    elif section.paired and not found.paired:
        yield Finding("devices", "failed", f"“{place}”: {who}, is not paired, and this place demands it.",
                      f"Stop the table and run: tablectl pair {place}")  # fmt: skip
    elif section.paired and not keyed:
        yield Finding(
            "devices",
            "failed",
            f"“{place}”: {who}, is paired, and this table holds no key for it.",
            f"Restore its key from the backup, or clear the device's and run: tablectl pair {place}",
        )
    elif section.paired and not found.proved:
        yield Finding(
            "devices",
            "failed",
            f"“{place}”: {who}, holds another key than this table has for it.",
            f"Restore its key from the backup, or clear the device's and run: tablectl pair {place}",
        )
    elif found.paired and not section.paired:
        yield Finding("devices", "failed", f"“{place}”: {who}, is paired and hears only who proves the key.",
                      f"Set paired = true for “{place}”, or clear the key at the device.")  # fmt: skip
    else:
        how = ", paired and sealed" if section.sealed else ", proved only when a session begins" if found.paired else ""
        yield Finding("devices", "fine", f"“{place}”: {who}{how}.")


def line_quality(place: str, quality: Quality) -> Findings:
    text = (
        f"“{place}”: {quality.answered} of {quality.asked} questions answered, {quality.damaged} frames damaged, "
        f"{quality.turn_ms:g} ms a turn."
    )
    facts: dict[str, str | int | float | bool] = {
        "device": place,
        "asked": quality.asked,
        "answered": quality.answered,
        "damaged": quality.damaged,
    }
    facts["turn_ms"] = quality.turn_ms
    if quality.trouble:
        yield Finding("link", "failed", f"“{place}”: {quality.trouble}", quality.remedy, facts)
    elif quality.answered == quality.asked and not quality.damaged:
        yield Finding("link", "fine", text, facts=facts)
    else:
        level: Any = "failed" if quality.answered < quality.asked * 0.9 else "warning"
        remedy = "Change the cable, keep it away from mains leads, and check the plug."
        yield Finding("link", level, text, remedy, facts)


# --- what the journal tells ------------------------------------------------------------------


def journalled_devices(journal: JournalFile, config: TableConfig, now: int) -> Findings:
    """How each device stands by the last word of it, and how often its line was lost in a day."""
    last: dict[str, Any] = {}
    downs: Counter[str] = Counter()
    first = journal.first_at(now - DAY_MS) or journal.last_seq + 1
    for row in journal.rows(first):
        if b'"Device' not in row.body[:40]:
            continue
        event = record.read(row).event
        if isinstance(event, DeviceUp | DeviceDown | DeviceRefused):
            last[event.device] = event
            if isinstance(event, DeviceDown):
                downs[event.device] += 1
    for place in config.devices:
        match last.get(place):
            case DeviceUp(serial=serial, firmware=firmware):
                yield Finding("devices", "fine", f"“{place}”: {serial}, firmware {firmware}, is up.")
            case DeviceDown(cause=cause, remedy=remedy):
                yield Finding("devices", "failed", f"“{place}” is down: {cause}", remedy)
            case DeviceRefused(reason=reason, remedy=remedy):
                yield Finding("devices", "failed", f"“{place}” is refused: {reason}", remedy)
            case _:
                yield Finding("devices", "unknown", f"“{place}”: nothing was heard of it for a day.")
        if downs[place] > DOWNS_A_DAY:
            yield Finding("link", "warning", f"“{place}” was lost {downs[place]} times in the last day.",
                          "Change its cable; check its power and that of the hub.")  # fmt: skip
