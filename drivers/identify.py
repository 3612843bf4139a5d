"""Whether the device that answers belongs at this place, and why there is no session: the cause and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from firmware_specs.link import LINK_VERSION, Identity
from firmware_specs.spec import BadMessage, DeviceSpec

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


def why_no_sense(port: str, bad: BadMessage) -> Problem:
    """An IDENTITY that nobody can read."""
    return (
        f"What is at {port} says who it is in a way that makes no sense: {bad}.",
        "Report its firmware version to its maker; until then put another device in its place.",
    )


def why_no_answer(spec: DeviceSpec, port: str, damaged: bool) -> Problem:
    """Nothing at all, or something that is not the link."""
    if damaged:
        return (
            f"Bytes come from {port}, but no frame of the link.",
            f"Check the speed of the line in the configuration, and that the {spec.title} is what is there.",
        )
    return f"Nothing answers at {port}.", f"Check that the {spec.title} has power and that its cable is in."


def why_announced(spec: DeviceSpec, restarted: bool) -> Problem:
    """A device in session announced itself: it has another start behind it, or has stopped hearing the table."""
    if restarted:
        return f"The {spec.title} restarted.", "Nothing to do unless it happens again; then check its power."
    return (
        f"The {spec.title} did not hear the table for a while.",
        "Nothing to do unless it happens again; then check its cable.",
    )


def why_another_talker(spec: DeviceSpec, port: str) -> Problem:
    """Somebody else says HELLO on this line."""
    return (
        f"Something else speaks to the {spec.title} at {port}: it answered a question that this table did not ask.",
        "Unplug whatever else is on this line, and stop other programs that hold the port; then have the "
        "events of this moment checked by a person.",
    )


def why_silent(spec: DeviceSpec, port: str, in_a_frame: bool) -> Problem:
    """A device in session is not heard any more."""
    stalled = ", which stopped in the middle of a frame," if in_a_frame else ""
    return (
        f"Nothing was heard from the {spec.title} at {port}{stalled} for {spec.silence_ms / 1000:g} s.",
        "Check its power and its cable.",
    )


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
