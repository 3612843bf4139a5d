"""Holds a journal against the devices' own account: no event lost, none taken twice, every mark in order."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec

from controller.core.effects import Reversed, Settled
from controller.core.events import Started
from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.journal import row as record
from controller.journal.file import JournalFile, JournalTrouble
from drivers.device import Device
from drivers.events import DeviceUp, Mark
from drivers.wheel import WheelRested
from firmware_specs.messages.cards import Picture
from firmware_specs.messages.chips import Inventory, TagsChanged
from firmware_specs.spec import Message
from lab.proofs.stage import World


class Account(msgspec.Struct):
    """What a journal says, as far as devices and money go."""

    events: int
    marks: dict[str, list[tuple[Mark, msgspec.Struct]]]
    settlements: list[Settled]
    reversals: list[Reversed]
    losses: list[str]
    """Devices that were told to have lost evidence."""
    starts: int
    """How many controllers came up on it."""


def account(path: Path) -> Account:
    """Read a journal; JournalTrouble when its chain is broken."""
    journal = JournalFile.read_only(path)
    marks: dict[str, list[tuple[Mark, msgspec.Struct]]] = {}
    settlements, reversals, losses = [], [], []
    starts = 0
    try:
        count = journal.verify()
        for row in journal.rows():
            kept = record.decode(row.body)
            if kept.mark is not None:
                marks.setdefault(kept.event.device, []).append((kept.mark, kept.event))  # type: ignore[attr-defined]
            starts += isinstance(kept.event, Started)
            if isinstance(kept.event, DeviceUp) and kept.event.lost:
                losses.append(kept.event.device)
            settlements += [effect for effect in kept.effects if isinstance(effect, Settled)]
            reversals += [effect for effect in kept.effects if isinstance(effect, Reversed)]
    finally:
        journal.close()
    return Account(count, marks, settlements, reversals, losses, starts)


def replay_problems(world: World, path: Path) -> list[str]:
    """Whether the whole journal, decided again from its first event, gives the same conclusions."""
    journal = JournalFile.read_only(path)
    try:
        recover(GuardedTable(world.config), journal, from_snapshot=False)
    except JournalTrouble as trouble:
        return [str(trouble)]
    finally:
        journal.close()
    return []


def event_problems(world: World, told: Account) -> list[str]:
    """Events that a device numbered and the journal has not, or has twice."""
    problems = []
    for place, posted in world.posted.items():
        taken = told.marks.get(place, [])
        seen: set[tuple[int, int]] = set()
        last = (0, 0)
        for mark, event in taken:
            key = (mark.epoch, mark.number)
            if isinstance(event, WheelRested) and "malfunction" in event.verdict.reasons:
                # Told of evidence that is gone: its mark is where the sensor's new life begins.
                seen.add(key)
                continue
            if key in seen:
                problems.append(f"{place}: event {mark.number} is in the journal twice")
            if mark.epoch == last[0] and mark.number < last[1]:
                problems.append(f"{place}: event {mark.number} comes after {last[1]}")
            seen.add(key)
            last = key
        if len({one.epoch for one in posted}) > 1:
            continue  # the device lost its memory: what it held is gone, and the table was told so
        problems += [
            f"{place}: event {one.number}, a {type(one.message).__name__}, is not in the journal"
            for one in posted
            if must_be_told(one.message) and (one.epoch, one.number) not in seen
        ]
    return problems


def must_be_told(message: Message) -> bool:
    """Whether a wire event ends in a row of its own: the last part of a report does, a repeated picture need not."""
    if isinstance(message, TagsChanged):
        return not message.more
    return not isinstance(message, Inventory | Picture)


def settlement_problems(told: Account) -> list[str]:
    """Wagers that were settled twice in one round without having been taken back."""
    seen: Counter[tuple[int, str, str]] = Counter()
    for one in told.settlements:
        seen.update((one.round, result.wager, result.bet) for result in one.results)
    for back in told.reversals:
        seen.subtract((back.round, result.wager, result.bet) for result in back.results)
    twice = sorted(key for key, count in seen.items() if count > 1)
    return [f"round {number}: {wager or bet} was settled twice" for number, wager, bet in twice]


def picture_problems(world: World) -> list[str]:
    """Whether the table knows at rest what truly lies on the mat, and the devices hold nothing back."""
    assert world.host is not None
    known = {area: sorted(tags) for area, tags in world.host.runtime.table.game.chip_picture().items() if tags}
    mat = world.devices.mat
    lying = {area: sorted(mat.lying(area)) for area in range(1, mat.areas) if mat.lying(area)}
    problems = [] if known == lying else [f"the table knows {known}, on the mat lies {lying}"]
    for place, link in world.links.items():
        driver = world.host.runtime.drivers[place]
        if link.held != (driver.quiet if isinstance(driver, Device) else 0):
            problems.append(f"{place} still holds {link.held} events")
    return problems
