"""The file of a rig: which devices are real, which are simulated, and on which ports.

name = "bench 2"

[devices.wheel]                  # a real one
port = "/dev/serial/by-id/usb-wheel-sensor"
serial = "WS-0001"

[devices.chips]                  # simulated, on a pseudo-terminal
simulated = true
port = "pty"
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from controller.config.tomlread import ConfigError, Document, convert
from controller.config.types import IN_PROCESS, Kind

PTY = "pty"
SIMULATE = "simulate"
"""The program that is this one: a simulator in a process of its own, moved through its control socket."""


class RigDevice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One device of a rig, at a place of the table.

    `kind` is the place's name when left out. A real device may offer a `control` socket through which a bench can be
    its world, or be a `program` that the rig starts. A simulated one on a real line has that line's other end in
    `simulator_port`. A person who lays chips or cards on real antennas lays those of `register` and `deck`.
    The program `simulate` is a simulator in a process of its own; `options` are further words for a program.
    """

    kind: Kind | None = None
    port: str = ""
    serial: str = ""
    simulated: bool = False
    control: str = ""
    program: str = ""
    simulator_port: str = ""
    register: str = ""
    deck: str = ""
    options: tuple[str, ...] = ()


class Rig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bench with devices on it; what it does not name is simulated inside the program."""

    devices: dict[str, RigDevice]
    name: str = "rig"
    speed: Annotated[float, Meta(gt=0, le=100)] = 1.0

    def kind(self, place: str) -> str:
        """What stands at a place."""
        return self.devices[place].kind or place

    @property
    def real(self) -> dict[str, RigDevice]:
        """The devices that are not simulated, programs among them."""
        return {place: device for place, device in self.devices.items() if not device.simulated}


def read_rig(path: str | Path) -> Rig:
    """The rig of this file; ConfigError with the place and the remedy when it is wrong."""
    text = _read(path)
    _no_twins(str(path), text)
    document = Document(str(path), text)
    rig = convert(document, Rig)
    for place in rig.devices:
        _check(document, rig, place)
    _no_sharing(document, rig)
    if rig.speed != 1 and any(not device.program for device in rig.real.values()):
        raise document.error(
            ("speed",), f"'speed' is {rig.speed:g}, and a real device lives in real time", "leave speed out"
        )
    folder = Path(path).parent
    return msgspec.structs.replace(rig, devices={place: _beside(each, folder) for place, each in rig.devices.items()})


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file; give the path of a rig file") from None
    except (OSError, UnicodeDecodeError) as trouble:
        raise ConfigError(f"{path}: cannot be read ({trouble}); give the path of a rig file") from None


def _no_twins(name: str, text: str) -> None:
    """TOML itself refuses a table told twice, but not in words about a rig."""
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if found := re.match(r"\s*\[\s*devices\s*\.\s*\"?([^\]\"]+?)\"?\s*\]", line):
            place = found[1]
            if place in lines:
                raise ConfigError(
                    f"{name}:{number}: the device '{place}' is named twice, first on line {lines[place]}; "
                    "delete one of the two, or give it a place of its own"
                )
            lines[place] = number


def _check(document: Document, rig: Rig, place: str) -> None:
    device, keys = rig.devices[place], ("devices", place)
    if device.kind is None and place not in KINDS:
        raise document.error((*keys, "kind"), f"'kind' is missing for '{place}'", f"add one of {', '.join(KINDS)}")
    if device.simulated:
        if device.program or device.control:
            raise document.error(
                (*keys, "simulated"),
                f"'{place}' is simulated and has a program or a control socket",
                "a device is either simulated or real; delete one",
            )
        if device.port.startswith("/") and not device.simulator_port:
            raise document.error(
                (*keys, "port"),
                f"'{place}' is simulated on the line {device.port}, and its other end is not named",
                'add simulator_port = the line at the other end of the cable, or write port = "pty"',
            )
    elif not device.port and not device.program:
        raise document.error(
            (*keys, "port"),
            f"'{place}' is real and has no port",
            'add port = "/dev/…" (`tablectl devices` lists them), or simulated = true',
        )
    elif device.port in (IN_PROCESS, PTY) and not device.program:
        raise document.error(
            (*keys, "port"), f"'{place}' is real, and '{device.port}' is a simulator's port", "add simulated = true"
        )


KINDS = ("wheel", "chips", "shoe", "shuffler", "cards", "swipe")


def _no_sharing(document: Document, rig: Rig) -> None:
    taken: dict[str, str] = {}
    for place, device in rig.devices.items():
        for port in (device.port, device.simulator_port):
            if not port or port in (IN_PROCESS, PTY):
                continue
            if port in taken:
                raise document.error(
                    ("devices", place, "port"),
                    f"'{place}' and '{taken[port]}' are both on {port}",
                    "a port has one device; correct one of the two",
                )
            taken[port] = place


def _beside(device: RigDevice, folder: Path) -> RigDevice:
    """Paths in a file are meant from where the file lies."""

    def here(path: str) -> str:
        return str(folder / path) if path else ""

    program = device.program if device.program == SIMULATE else here(device.program)
    register, deck = here(device.register), here(device.deck)
    return msgspec.structs.replace(device, control=here(device.control), program=program, register=register, deck=deck)
