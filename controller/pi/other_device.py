"""Another device in the place of one that is dead: which of those that answer, and what the table's file says then."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from controller.config.checks import problems
from controller.config.file import config_in
from controller.config.tomllines import key_lines
from controller.config.tomlread import ConfigError, Document
from controller.config.types import DeviceSection, TableConfig
from controller.pi.setup.plugged import READER
from controller.pi.setup.toml import value_text
from drivers.discover import DeviceFound


def candidates(config: TableConfig, place: str, found: Iterable[DeviceFound], serial: str = "") -> list[DeviceFound]:
    """Those that could stand at this place now; the one that stood there must have gone."""
    section, found = config.devices[place], list(found)
    taken = {one.serial or one.port for name, one in config.devices.items() if name != place}
    if section.kind == "swipe":
        free = [one for one in found if one.address.startswith(READER) and one.address not in taken]
        return [one for one in free if not serial or one.address.endswith(f":{serial}")]
    alike = [one for one in found if one.kind == section.kind and one.serial not in taken]
    if not serial and (still := [one for one in alike if section.serial and one.serial == section.serial]):
        raise ConfigError(
            f"{section.kind} {section.serial} still answers at {still[0].address}; nothing was changed. Unplug it "
            "first, or look for the trouble with: tablectl doctor"
        )
    return [one for one in alike if serial in ("", one.serial)]


def usable(section: DeviceSection, chosen: DeviceFound) -> DeviceFound:
    """The same, unless the table would refuse it."""
    if section.kind != "swipe" and not chosen.fits:
        raise ConfigError(f"{chosen.kind} {chosen.serial}: {chosen.trouble} {chosen.remedy} Nothing was changed.")
    if chosen.paired and not section.paired:
        raise ConfigError(
            f"{chosen.kind} {chosen.serial} is paired with another table and hears nobody else; nothing was changed. "
            "Clear the key at the device, as its maker describes, then try again"
        )
    return chosen


def nobody(section: DeviceSection, found: Sequence[DeviceFound]) -> ConfigError:
    seen = "; ".join(f"{one.kind or 'nobody'} {one.serial} at {one.address}".replace("  ", " ") for one in found)
    return ConfigError(
        f"no other {section.kind} answers here; nothing was changed. Plug it in and switch it on, then try again. "
        f"What is seen: {seen or 'nothing'}"
    )


def several(section: DeviceSection, fitting: Sequence[DeviceFound]) -> ConfigError:
    serials = ", ".join(one.serial or one.address for one in fitting)
    return ConfigError(
        f"there are {len(fitting)} of kind {section.kind} ({serials}); nothing was changed. Say which with --serial"
    )


def with_device(text: str, name: str, place: str, chosen: DeviceFound) -> str:
    """The table's file with this device at the place; every other line of it stays as somebody wrote it."""
    wanted = {"port": chosen.address, **({"serial": chosen.serial} if chosen.serial else {})}
    lines, at = text.splitlines(keepends=True), key_lines(text)
    if ("devices", place, "port") not in at:
        raise ConfigError(f"{name}: [devices.{place}] names no port; correct it by hand")
    for key, value in wanted.items():
        number = at.get(("devices", place, key))
        if number is not None:
            lines[number - 1] = _set(lines[number - 1], key, value, f"{name}:{number}")
    if "serial" in wanted and ("devices", place, "serial") not in at:
        lines.insert(at["devices", place, "port"], f"serial = {value_text(wanted['serial'])}\n")
    made = "".join(lines)
    _check(text, made, name, place, wanted)
    return made


def _set(line: str, key: str, value: str, where: str) -> str:
    found = re.fullmatch(rf"""(\s*{key}\s*=\s*)(?:"[^"\n]*"|'[^'\n]*')(\s*(?:#.*)?\n?)""", line)
    if found is None:
        raise ConfigError(f'{where}: {key} does not stand on a line of its own; write {key} = "{value}" by hand')
    return found[1] + value_text(value) + found[2]


def _check(before: str, made: str, name: str, place: str, wanted: dict[str, str]) -> None:
    """Nothing but this device has changed, and the table may be played so."""
    document, old = Document(name, made), Document(name, before).values
    old["devices"][place] |= wanted
    if document.values != old:
        raise ConfigError(f"{name}: the place {place} cannot be changed without changing more; correct it by hand")
    for problem in problems(config_in(document)):
        raise document.error(problem.keys, problem.what, problem.remedy)
