"""Whether the device that answers belongs at this place, and if not, why and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from firmware_specs.link import LINK_VERSION, Identity
from firmware_specs.spec import DeviceSpec

if TYPE_CHECKING:
    from firmware_specs.sealing import Seal

Problem = tuple[str, str]  # the reason and the remedy


def why_refused(identity: Identity, spec: DeviceSpec, port: str, serial: str | None, recorded: int) -> Problem | None:
    """The reason and the remedy, or None when the device may be trusted.

    `recorded` is the last event number already taken from this device in its present epoch.
    """
    if identity.link_version != LINK_VERSION:
        return (
            f"The device at {port} speaks link version {identity.link_version}; this table speaks {LINK_VERSION}.",
            "Update the device's firmware or this table's software so that both are of one release.",
        )
    if identity.code != spec.code:
        return (
            f"A device of another kind (code {identity.code}, serial {identity.serial}) answers at {port}, "
            f"where the {spec.title} (code {spec.code}) belongs.",
            "Put the cables where the configuration says, or correct the port in the configuration.",
        )
    if serial is not None and identity.serial != serial:
        return (
            f"The {spec.title} at {port} has serial {identity.serial}; {serial} belongs here.",
            "Put the right device here, or enter the new serial number in the configuration.",
        )
    if identity.spec_version != spec.version:
        return (
            f"The {spec.title} {identity.serial} speaks spec version {identity.spec_version}; "
            f"this table speaks {spec.version}.",
            f"Load firmware for spec version {spec.version}, or update this table's software.",
        )
    if identity.digest != spec.digest:
        return (
            f"The {spec.title} {identity.serial} was built from another text of spec version {spec.version} "
            f"({identity.digest.hex()} instead of {spec.digest.hex()}).",
            f"Load firmware {identity.firmware} as released for this table; its messages would be misread.",
        )
    if identity.next <= recorded:
        return (
            f"The memory of the {spec.title} {identity.serial} went back in time: it is about to number an event "
            f"{identity.next}, and {recorded} is already recorded.",
            "Clear the device's memory so that it starts a new epoch, and have the round checked by a person.",
        )
    return None


class Pairing(Protocol):
    """What a link asks before it trusts a device."""

    def challenge(self) -> bytes:
        """For HELLO: fresh for every session, empty when no proof is asked for."""

    def why_refused(self, identity: Identity, title: str, asked: bytes) -> Problem | None: ...

    def proof(self, identity: Identity, asked: bytes) -> bytes:
        """The host's own proof, for a device that was not refused."""

    def seal(self, identity: Identity, asked: bytes) -> Seal | None:
        """What seals the session that begins; None when it is not demanded."""


class _Unpaired:
    """For a place that takes any device that fits; one that is paired elsewhere would not listen to us."""

    def challenge(self) -> bytes:
        return b""

    def why_refused(self, identity: Identity, title: str, asked: bytes) -> Problem | None:
        if not identity.proof:
            return None
        return (
            f"The {title} {identity.serial} is paired and hears only a table that proves its key.",
            "Set paired = true for it in the configuration, or clear its key at the device.",
        )

    def proof(self, identity: Identity, asked: bytes) -> bytes:
        raise AssertionError("a paired device is refused before this")

    def seal(self, identity: Identity, asked: bytes) -> Seal | None:
        return None


UNPAIRED: Pairing = _Unpaired()
