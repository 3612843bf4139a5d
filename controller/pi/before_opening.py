"""What keeps a table from opening that no check of its file can see: screens, chips, people and the float."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.core.guarded import GuardedTable
from controller.core.runtime import recover
from controller.journal.file import JournalFile, JournalTrouble
from controller.money.register import RegisterFile
from controller.people.staff import PIN_FROM_LEVEL, read_staff
from controller.rules.rulebook import load_rulebook
from controller.web.access import Denied, PairingFile
from controller.web.server import settings_of


class Missing(msgspec.Struct, frozen=True):
    """Something that is not there yet, and how it comes there."""

    what: str
    remedy: str


def missing(config: TableConfig, named: Path | None = None) -> list[Missing]:
    """Everything that somebody would otherwise find out before a table that will not open.

    `named` is the table's file where a command must be told of it: what mends something then says so, too.
    """
    which = f" --config {named}" if named is not None else ""
    return [
        *_folder(Path(config.table.journal).absolute().parent),
        *_screens(config, which),
        *_register(config),
        *_people(config, which),
        *_float(config),
    ]


def _folder(kept: Path) -> Iterator[Missing]:
    if not kept.is_dir():
        yield Missing(
            f"The folder {kept} is not there: the journal has no place.",
            f"sudo install -d -o tablectl {kept}, or name another one: [table] journal",
        )
    elif not os.access(kept, os.W_OK):
        yield Missing(
            f"Whoever asks this may not write into {kept}: unless the table's own user may, the journal has no place.",
            f"sudo chown tablectl {kept}",
        )


def _screens(config: TableConfig, which: str) -> Iterator[Missing]:
    try:
        paired = {screen.place for screen in PairingFile(Path(settings_of(config).pairings)).read().screens}
    except Denied as denied:
        yield Missing(f"The list of paired screens cannot be read: {denied}", "Restore it, or pair the screens again.")
        return
    for place, why in (
        ("dealer", "nobody can press a key"),
        ("sign", "the limits are not shown, and without them the table does not open"),
    ):
        if place not in paired and (place != "sign" or config.table.sign):
            yield Missing(f"No {place} screen is paired: {why}.", f"sudo tablectl screens pair {place}{which}")


def _register(config: TableConfig) -> Iterator[Missing]:
    if not config.chips.register and any(device.kind == "chips" for device in config.devices.values()):
        yield Missing(
            "No chip register is named: no chip has a value.",
            "sudo tablectl chips import /var/lib/tablectl/chips.register LIST.csv, then name it: [chips] register",
        )
    elif config.chips.register:
        yield from _chips_in(config.chips.register)


def _chips_in(register: str) -> Iterator[Missing]:
    try:
        with contextlib.closing(RegisterFile(register)) as known:
            count = len(known)
    except ConfigError as error:
        yield Missing(f"The chip register cannot be read: {error}.", "Restore it, or make it anew from its lists.")
        return
    if not count:
        what = f"The chip register {register} holds no chip: no chip has a value."
        yield Missing(what, f"sudo tablectl chips import {register} LIST.csv")


def _people(config: TableConfig, which: str) -> Iterator[Missing]:
    book = load_rulebook(config.table.rulebook)
    try:
        staff = read_staff(config.staff_file()).members.values()
    except ConfigError as error:
        yield Missing(f"The staff register cannot be read: {error}.", "Correct that first.")
        return
    register = f"sudo tablectl staff{which}"
    known = [member for member in staff if member.level(book)]
    if not known:
        yield Missing(
            f"Nobody on the staff register has a rank of {book.id}: nobody can sign in.",
            f"{register} add NUMBER --name NAME --rank {book.id}={book.ranks[0].id} (--card for a card)",
        )
        return
    if not any(member.pin or member.card for member in known):
        yield Missing("Nobody has a card or a PIN.", f"{register} set-pin NUMBER")
    if not any(member.pin and member.level(book) >= PIN_FROM_LEVEL for member in known):
        rank = next(rank.id for rank in book.ranks if book.level(rank.id) == PIN_FROM_LEVEL)
        yield Missing(
            f"Nobody of rank {rank} or above has a PIN, so nobody can rule.",
            f"{register} set-pin NUMBER",
        )


def _float(config: TableConfig) -> Iterator[Missing]:
    journal = Path(config.table.journal)
    if not config.chips.float_tray or not journal.exists():
        return
    table = GuardedTable(config)
    try:
        file = JournalFile.read_only(journal)
        try:
            recover(table, file)
        finally:
            file.close()
    except (JournalTrouble, msgspec.MsgspecError):
        return  # told where the journal is looked at
    if not table.table.money.state.tray.value:
        yield Missing("The float tray is empty, or its antennas read nothing.", "Put the float into the tray.")
