"""Puts a table that was set up in its place: everything is made and checked aside first, its file comes last."""

from __future__ import annotations

import secrets
import shutil
import stat
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from controller import kept_file
from controller.config.file import check_config_with_warnings
from controller.config.tomlread import ConfigError
from controller.config.types import TableConfig
from controller.money.lists import import_lists
from controller.people.staff import KEY_BYTES, Staff, read_key, read_staff, write_key, write_staff
from controller.pi.setup.questions import PersonAsked, registered
from controller.pi.setup.toml import written
from controller.web.access import Denied, PairingFile
from drivers.swipe import pseudonym

STAFF, KEY, REGISTER, SCREENS = "staff.json", "staff.key", "chips.register", "screens.json"
READABLE = 0o644


class Made(msgspec.Struct):
    """A table that is set up, and the codes that its screens are paired with."""

    config: TableConfig
    warnings: list[str]
    codes: dict[str, str]


class Plan(msgspec.Struct):
    """Everything that was answered."""

    path: Path
    data: Path
    values: dict[str, Any]
    lists: Sequence[Path]
    people: list[PersonAsked]
    screens: Sequence[str]


def put(plan: Plan) -> Made:
    """Make everything aside, check it, then put it in place; what goes wrong before that leaves nothing behind."""
    with tempfile.TemporaryDirectory(prefix="tablectl-setup-") as folder:
        aside = Path(folder)
        for name in (STAFF, KEY, REGISTER, SCREENS):
            if (plan.data / name).exists():
                shutil.copy2(plan.data / name, aside / name)
        codes = _make(plan, aside)
        check_config_with_warnings(_file(plan, aside, aside / "table.toml"))
        final = written(_named(plan, plan.data, (aside / REGISTER).exists()))
        try:
            for name in (REGISTER, KEY, STAFF, SCREENS):
                if (aside / name).exists():
                    octets = (aside / name).read_bytes()
                    kept_file.replace(plan.data / name, octets, READABLE if name == REGISTER else kept_file.PRIVATE)
            if plan.path.exists():
                before = plan.path.with_name(plan.path.name + ".before")
                kept_file.put(before, plan.path.read_bytes(), stat.S_IMODE(plan.path.stat().st_mode), plan.path.stat())
            kept_file.replace(plan.path, final.encode(), READABLE)
        except OSError as trouble:
            raise ConfigError(
                f"{trouble.filename}: cannot be written ({trouble.strerror}); run this with sudo"
            ) from None
    config, warnings = check_config_with_warnings(plan.path)
    return Made(config, warnings, codes)


def _make(plan: Plan, aside: Path) -> dict[str, str]:
    if plan.lists:
        import_lists(aside / REGISTER, plan.lists)
    reader = any(device["kind"] == "swipe" for device in plan.values["devices"].values())
    if (reader or any(person.card for person in plan.people)) and not (aside / KEY).exists():
        write_key(aside / KEY, secrets.token_bytes(KEY_BYTES))
    known: Staff = read_staff(aside / STAFF)
    write_staff(aside / STAFF, registered(known, plan.people, plan.values["table"]["rulebook"], _by_key(aside)))
    try:
        return {place: PairingFile(aside / SCREENS).pair(place) for place in plan.screens}
    except Denied as denied:
        raise ConfigError(str(denied)) from denied


def _by_key(aside: Path) -> Callable[[str], str]:
    return lambda number: pseudonym(read_key(aside / KEY), number)


def _named(plan: Plan, data: Path, register: bool) -> dict[str, Any]:
    """What the file says when the table's data lie in this folder."""
    table = {**plan.values["table"], "journal": str(data / Path(plan.values["table"]["journal"]).name)}
    chips = {**plan.values.get("chips", {}), **({"register": str(data / REGISTER)} if register else {})}
    return {**plan.values, "table": table, **({"chips": chips} if chips else {})}


def _file(plan: Plan, data: Path, path: Path) -> Path:
    path.write_text(written(_named(plan, data, (data / REGISTER).exists())), "utf-8")
    return path
