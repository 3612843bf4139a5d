"""Which ports this machine has, and which of our devices answers on each."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import usb.core
import usb.util
from serial.tools import list_ports

import firmware_specs.messages
from firmware_specs import link, pairing
from firmware_specs.clock import Clock, Timer
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.port import Port, PortTrouble
from firmware_specs.spec import BadMessage, DeviceSpec

from .ports.usb import serial_of, usb_devices

ANSWER_WITHIN_S = 2.0
ASK_EVERY_S = 0.4
BY_ID = Path("/dev/serial/by-id")
# Asking means taking a device from whatever else drives it, so only devices of our own are asked over USB.
OWN_USB = {(0x1209, product) for product in range(0x7AB0, 0x7AC0)}
_HUB = 9
KeyOf = Callable[[str], bytes | None]


class PortSeen(msgspec.Struct, frozen=True):
    """A port of this machine; `address` is what the table's configuration wants."""

    address: str
    title: str
    ours: bool = True


class DeviceFound(msgspec.Struct, frozen=True):
    """What answered at a port, or why nothing did."""

    address: str
    title: str
    kind: str = ""
    serial: str = ""
    firmware: str = ""
    spec_version: int = 0
    fits: bool = False
    trouble: str = ""
    remedy: str = ""
    paired: bool = False
    proved: bool = False
    """It holds a key, and that is the one we hold for it."""


def known_specs() -> dict[int, DeviceSpec]:
    """The specs of all devices this program speaks to, by their code."""
    specs: dict[int, DeviceSpec] = {}
    for module in pkgutil.iter_modules(firmware_specs.messages.__path__):
        spec: DeviceSpec = importlib.import_module(f"{firmware_specs.messages.__name__}.{module.name}").SPEC
        specs[spec.code] = spec
    return specs


def serial_ports() -> list[PortSeen]:
    """The serial ports of this machine, by the name that stays the same when cables change places."""
    steady = {link.resolve(): link for link in BY_ID.iterdir()} if BY_ID.is_dir() else {}
    seen = []
    for port in sorted(list_ports.comports()):
        address = str(steady.get(Path(port.device).resolve(), port.device))
        title = port.description if port.description and port.description != "n/a" else "serial port"
        seen.append(PortSeen(address, title))
    return seen


def usb_ports(backend: Any = None) -> list[PortSeen]:
    """The USB devices of this machine except hubs; raises PortTrouble when USB cannot be used."""
    seen = []
    for device in usb_devices(backend):
        if device.bDeviceClass == _HUB:
            continue
        address = f"usb:{device.idVendor:04x}:{device.idProduct:04x}"
        serial = serial_of(device)
        try:
            title = device.product or ""
        except (usb.core.USBError, ValueError):
            title = ""
        usb.util.dispose_resources(device)
        ours = (device.idVendor, device.idProduct) in OWN_USB
        seen.append(PortSeen(f"{address}:{serial}" if serial else address, title or "USB device", ours))
    return seen


def identify(
    clock: Clock,
    seen: Iterable[PortSeen],
    port_at: Callable[[str], Port],
    done: Callable[[list[DeviceFound]], None],
    *,
    within: float = ANSWER_WITHIN_S,
    key_of: KeyOf = lambda serial: None,
) -> None:
    """Ask at all these ports at once who is there; `done` gets one answer a port, in their order, in time.

    `key_of` gives the key that is held for a serial number, so that a paired device's proof can be looked at.
    """
    asked = list(seen)
    answers: dict[int, DeviceFound] = {}
    specs = known_specs()

    def collect(index: int, found: DeviceFound) -> None:
        answers[index] = found
        if len(answers) == len(asked):
            done([answers[each] for each in range(len(asked))])

    for index, port in enumerate(asked):
        answer = functools.partial(collect, index)
        _Inquiry(clock, port, specs, port_at, within, answer, key_of)
    if not asked:
        clock.call_later(0.0, done, [])


class _Inquiry:
    """One port asked with HELLO until it answers or the time is over."""

    def __init__(
        self,
        clock: Clock,
        seen: PortSeen,
        specs: dict[int, DeviceSpec],
        port_at: Callable[[str], Port],
        within: float,
        done: Callable[[DeviceFound], None],
        key_of: KeyOf,
    ) -> None:
        self._clock = clock
        self._key_of = key_of
        self._seen = seen
        self._specs = specs
        self._done = done
        self._decoder = FrameDecoder()
        self._hello = link.AFRESH + encode_frame(link.Hello(1 + (clock.wall() & 0x7FFF_FFFF), 0, 0).encode())
        self._port: Port | None = None
        self._timers: list[Timer] = []
        self._told = False
        # Never answered from inside: whoever asks has not finished asking yet.
        self._timers.append(clock.call_later(0.0, self._begin, port_at))
        self._timers.append(clock.call_later(within, self._silent, within))

    def _begin(self, port_at: Callable[[str], Port]) -> None:
        if not self._seen.ours:
            self._finish(DeviceFound(self._seen.address, self._seen.title, trouble="not a device of ours; not asked"))
            return
        try:
            self._port = port_at(self._seen.address)
            self._port.open(self._on_bytes, self._on_lost)
        except PortTrouble as trouble:
            self._on_lost(trouble)
            return
        self._ask()

    def _ask(self) -> None:
        if self._port is not None and not self._told:
            self._port.write(self._hello)
            self._timers.append(self._clock.call_later(ASK_EVERY_S, self._ask))

    def _on_bytes(self, octets: bytes) -> None:
        for content in self._decoder.feed(octets):
            if content[0] == link.IDENTITY and not self._told:
                try:
                    identity = link.Identity.decode(content)
                    if identity.nonce:  # an announcement proves no key; the answer follows it
                        self._finish(self._found(identity))
                except BadMessage as bad:
                    self._finish(self._nobody(f"an answer that cannot be understood: {bad}", "Check its firmware."))

    def _found(self, identity: link.Identity) -> DeviceFound:
        spec = self._specs.get(identity.code)
        trouble = remedy = ""
        if identity.link_version != link.LINK_VERSION or spec is None:
            trouble = f"a device this program does not know (code {identity.code}, link {identity.link_version})"
            remedy = "Update this program, or take the device away."
        elif (identity.spec_version, identity.digest) != (spec.version, spec.digest):
            trouble = f"its firmware speaks another text of the wire (version {identity.spec_version})"
            remedy = f"Load firmware for version {spec.version} of the {spec.title}."
        return DeviceFound(
            self._seen.address,
            self._seen.title,
            kind=spec.kind if spec is not None else "",
            serial=identity.serial,
            firmware=identity.firmware,
            spec_version=identity.spec_version,
            fits=not trouble,
            trouble=trouble,
            remedy=remedy,
            paired=bool(identity.proof),
            proved=self._proves(identity),
        )

    def _proves(self, identity: link.Identity) -> bool:
        key = self._key_of(identity.serial) if identity.proof else None
        return key is not None and identity.proof == pairing.device_proof(
            key, b"", identity.challenge, identity.claims()
        )

    def _nobody(self, trouble: str, remedy: str) -> DeviceFound:
        return DeviceFound(self._seen.address, self._seen.title, trouble=trouble, remedy=remedy)

    def _on_lost(self, trouble: PortTrouble) -> None:
        self._finish(self._nobody(trouble.text, trouble.remedy))

    def _silent(self, within: float) -> None:
        remedy = "If one of our devices is here, check its power and its cable."
        self._finish(self._nobody(f"nothing answered within {within:g} s", remedy))

    def _finish(self, found: DeviceFound) -> None:
        if self._told:
            return
        self._told = True
        for timer in self._timers:
            timer.cancel()
        if self._port is not None:
            self._port.close()
        self._done(found)
