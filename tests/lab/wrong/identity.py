"""Devices that say wrongly who they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from firmware_specs import link
from firmware_specs.frames import encode_frame
from firmware_specs.sealing import SEALS
from simulators.link import DeviceLink
from tests.lab.wrong.device import Wrong, content_of

replace = msgspec.structs.replace


def _lies(name: str, why: str, change: Callable[[link.Identity], link.Identity]) -> type[DeviceLink]:
    """A device whose IDENTITY differs in one field."""

    def write(self: DeviceLink, frame: bytes) -> None:
        content = content_of(frame)
        if content[0] == link.IDENTITY:
            said = link.Identity.decode(content)
            frame = encode_frame(change(said).encode())
        DeviceLink._write(self, frame)

    return type(name, (DeviceLink,), {"__doc__": why, "_write": write})


WrongCode = _lies("WrongCode", "Says that it is another kind.", lambda i: replace(i, code=99))

WrongVersion = _lies("WrongVersion", "Speaks a later spec.", lambda i: replace(i, spec_version=i.spec_version + 1))

OtherLink = _lies("OtherLink", "Speaks another link.", lambda i: replace(i, link_version=2))

CountsTheNul = _lies("CountsTheNul", "Its serial ends with a zero.", lambda i: replace(i, serial=i.serial + "\0"))

AddsToIdentity = _lies("AddsToIdentity", "Adds four bytes.", lambda i: replace(i, challenge=b"", proof=b"\1\2\3\4"))

UndeclaredBits = _lies("UndeclaredBits", "Sets bits that mean nothing.", lambda i: replace(i, capabilities=0x00FF0000))

NoAreas = _lies("NoAreas", "Has not one area.", lambda i: replace(i, capabilities=SEALS))

OtherAreas = _lies("OtherAreas", "Has other areas.", lambda i: replace(i, capabilities=i.capabilities ^ 2))

NothingIsNew = _lies("NothingIsNew", "Says it holds everything.", lambda i: replace(i, oldest=1))


class WrongDigest(DeviceLink):
    """Was built from another declaration."""

    def _identify(self, nonce: int) -> None:
        right = self.spec
        self.spec = _other_digest(right)
        try:
            super()._identify(nonce)
        finally:
            self.spec = right


def _other_digest(spec: Any) -> Any:
    return msgspec.structs.replace(spec, digest=bytes(reversed(spec.digest)))


class SameBoot(DeviceLink):
    """Does not tell its restarts apart."""

    def start(self) -> None:
        super().start()
        self.boot = 7


class DropsLongHello(DeviceLink):
    """Has a buffer for a HELLO and no more."""

    def _on_bytes(self, octets: bytes) -> None:
        if len(octets) < 45:
            super()._on_bytes(octets)


class AddsWithoutFilling(DeviceLink):
    """Holds no key and puts something of its own where challenge and proof stand."""

    unpaired = True

    def _write(self, frame: bytes) -> None:
        content = content_of(frame)
        if content[0] == link.IDENTITY and link.Identity.decode(content).nonce:
            frame = encode_frame(content + b"\7" * 40)
        super()._write(frame)


WRONG = [
    Wrong(CountsTheNul, "shoe", "identify.is_what_it_should_be", "F1"),
    Wrong(WrongDigest, "shoe", "identify.is_what_it_should_be", "K1"),
    Wrong(WrongCode, "shoe", "identify.is_what_it_should_be", "K1"),
    Wrong(WrongVersion, "shoe", "identify.is_what_it_should_be", "K1"),
    Wrong(OtherLink, "shoe", "identify.is_what_it_should_be", "K1"),
    Wrong(AddsToIdentity, "shoe", "identify.is_what_it_should_be", "K1"),
    Wrong(DropsLongHello, "shoe", "identify.understands_a_longer_hello", "K1"),
    Wrong(AddsWithoutFilling, "shoe", "pairing.takes_a_challenge", "K2"),
    Wrong(NothingIsNew, "shoe", "events.are_forgotten_when_durable", "K4"),
    Wrong(UndeclaredBits, "shoe", "identify.says_what_it_can", "K5"),
    Wrong(NoAreas, "chips", "identify.says_what_it_can", "K5"),
    Wrong(NoAreas, "cards", "identify.says_what_it_can", "K5"),
    Wrong(OtherAreas, "chips", "kind.reads_everything_when_asked", "K5"),
    Wrong(OtherAreas, "cards", "kind.reads_everything_when_asked", "K5"),
    Wrong(SameBoot, "shoe", "restart.with_memory_keeps_events", "K6"),
]
