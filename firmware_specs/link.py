"""The link's own frames: identify, numbered events and their acknowledgement, commands, outputs, beats.

`firmware_specs/README.md` tells what each side does with them and what it may rely on.
"""

from __future__ import annotations

import struct
from enum import IntEnum

import msgspec

from .spec import BadMessage, counted, read_text

LINK_VERSION = 1

# host to device
HELLO = 0x01
ACK = 0x02
COMMAND = 0x03
SET = 0x04
PROOF = 0x05
PAIR = 0x06
SEALED = 0x07
# device to host; the high bit keeps an echo of one's own frames from being taken for the other side
IDENTITY = 0x81
EVENT = 0x82
RESULT = 0x83
LIVE = 0x84
APPLIED = 0x85
BEAT = 0x86
SEALED_BACK = 0x87
#: what is said bare even in a sealed session, because it comes before one
BARE = frozenset((HELLO, IDENTITY, PROOF))

KIND_NAMES = {
    HELLO: "HELLO",
    ACK: "ACK",
    COMMAND: "COMMAND",
    SET: "SET",
    PROOF: "PROOF",
    PAIR: "PAIR",
    SEALED: "SEALED",
    IDENTITY: "IDENTITY",
    EVENT: "EVENT",
    RESULT: "RESULT",
    LIVE: "LIVE",
    APPLIED: "APPLIED",
    BEAT: "BEAT",
    SEALED_BACK: "SEALED",
}

AFRESH = b"\0"  # before the first thing said: whoever spoke before may have been cut off in the middle of a frame
WINDOW_EVENTS = 32  # events in flight that the host has not received yet
WINDOW_BYTES = 2048  # and their bytes, so that a slow line drains within the time a resend waits
RESEND_S = 0.25  # first wait before something unanswered is sent again
RESEND_MOST_S = 2.0  # the wait doubles up to this
COMMANDS_REMEMBERED = 32
REASON_BYTES = 200
NAME_BYTES = 32  # serial number and firmware version
CHALLENGE_BYTES = 16
PROOF_BYTES = 16
KEY_BYTES = 32
LAST_NUMBER = 2**32 - 2  # of an event in an epoch: `next` stays a u32, and behind it a new epoch begins

BEAT_CONTENT = bytes((BEAT,))

HEAD_EVENT = struct.Struct("<BIB")  # kind, number, message id; COMMAND and RESULT have the same shape
HEAD_LIVE = struct.Struct("<BB")
HEAD_SET = struct.Struct("<BH")  # APPLIED has the same shape
_HELLO = struct.Struct("<BBIII")
_ACK = struct.Struct("<BIIIB")
_IDENTITY = struct.Struct("<BBIBH8sIIIII")
_PROOF = struct.Struct(f"<BI{PROOF_BYTES}s")
_PAIR = struct.Struct(f"<BI{KEY_BYTES}s")

pack_event = HEAD_EVENT.pack
unpack_event = HEAD_EVENT.unpack_from


class UsedUp(Exception):
    """No counter is left for what is sealed: the session must end."""


class Status(IntEnum):
    """How a command ended."""

    DONE = 0  # the body is the declared result
    REFUSED = 1  # nothing was done; the body is a length-prefixed reason
    FAILED = 2  # it was tried; the body is a length-prefixed reason


def _whole(content: bytes, at: int, size: int) -> bytes:
    """A field at the end that may be missing: cut short or all zeros, it is not there."""
    field = content[at : at + size]
    return field if len(field) == size and any(field) else b""


class Hello(msgspec.Struct, frozen=True, gc=False):
    """The host asks who is there; `epoch` and `number` hint at the last event it holds (0, 0 when none).

    A host that demands a paired device adds a `challenge`, which the device's proof must answer.
    """

    nonce: int
    epoch: int
    number: int
    link_version: int = LINK_VERSION
    challenge: bytes = b""

    def encode(self) -> bytes:
        return _HELLO.pack(HELLO, self.link_version, self.nonce, self.epoch, self.number) + self.challenge

    @classmethod
    def decode(cls, content: bytes) -> Hello:
        """What this version knows of it; what a later one added at the end is passed over."""
        if len(content) < _HELLO.size:
            raise BadMessage("HELLO", "length", len(content), f"at least {_HELLO.size} bytes")
        _, version, nonce, epoch, number = _HELLO.unpack_from(content)
        if nonce == 0:
            raise BadMessage("HELLO", "nonce", nonce, "1 to 4294967295")
        return cls(nonce, epoch, number, version, _whole(content, _HELLO.size, CHALLENGE_BYTES))


def encode_ack(epoch: int, received: int, durable: int, resend: bool = False) -> bytes:
    """All events of this epoch up to `received` have come, up to `durable` are on disk.

    `resend` says that something after `received` was missed and the device shall go back there now.
    """
    return _ACK.pack(ACK, epoch, received, durable, resend)


def decode_ack(content: bytes) -> tuple[int, int, int, int]:
    """Epoch, received, durable, resend."""
    if len(content) != _ACK.size:
        raise BadMessage("ACK", "length", len(content), f"{_ACK.size} bytes")
    _, epoch, received, durable, resend = _ACK.unpack(content)
    if durable > received:
        raise BadMessage("ACK", "durable", durable, f"at most what was received, {received}")
    if resend > 1:
        raise BadMessage("ACK", "resend", resend, "0 or 1")
    return epoch, received, durable, resend


class Identity(msgspec.Struct, frozen=True):
    """The device says who it is; `nonce` repeats the HELLO it answers, or is 0 when it announces itself.

    A paired device that answers a HELLO adds a challenge of its own and its proof (`firmware_specs/pairing.py`).
    """

    nonce: int
    code: int
    spec_version: int
    digest: bytes
    capabilities: int
    boot: int
    epoch: int
    oldest: int  # number of the oldest event still held; equals `next` when none is
    next: int  # number that the next event will get
    serial: str
    firmware: str
    link_version: int = LINK_VERSION
    challenge: bytes = b""
    proof: bytes = b""

    def encode(self) -> bytes:
        return self.claims() + self.challenge + self.proof

    def claims(self) -> bytes:
        """The frame's content without challenge and proof: what a proof vouches for."""
        serial, firmware = self.serial.encode(), self.firmware.encode()
        return b"".join(
            (
                _IDENTITY.pack(
                    IDENTITY,
                    self.link_version,
                    self.nonce,
                    self.code,
                    self.spec_version,
                    self.digest,
                    self.capabilities,
                    self.boot,
                    self.epoch,
                    self.oldest,
                    self.next,
                ),
                counted(1, len(serial), NAME_BYTES, serial, "IDENTITY", "serial"),
                counted(1, len(firmware), NAME_BYTES, firmware, "IDENTITY", "firmware"),
            )
        )

    @classmethod
    def decode(cls, content: bytes) -> Identity:
        if len(content) < _IDENTITY.size:
            raise BadMessage("IDENTITY", "length", len(content), f"at least {_IDENTITY.size} bytes")
        (_, version, nonce, code, spec_version, digest, capabilities, boot, epoch, oldest, following) = (
            _IDENTITY.unpack_from(content)
        )
        serial, at = read_text(content, _IDENTITY.size, 1, NAME_BYTES, "IDENTITY", "serial")
        firmware, at = read_text(content, at, 1, NAME_BYTES, "IDENTITY", "firmware")
        # What a later version added at the end is passed over; the fields here stay where they are.
        proof = _whole(content, at + CHALLENGE_BYTES, PROOF_BYTES)
        challenge = content[at : at + CHALLENGE_BYTES] if proof else b""
        if not serial:
            raise BadMessage("IDENTITY", "serial", serial, "a serial number")
        if epoch == 0:
            raise BadMessage("IDENTITY", "epoch", 0, "1 to 4294967295")
        if not 1 <= oldest <= following:
            raise BadMessage("IDENTITY", "oldest", oldest, f"1 to {following}")
        return cls(
            nonce=nonce,
            code=code,
            spec_version=spec_version,
            digest=digest,
            capabilities=capabilities,
            boot=boot,
            epoch=epoch,
            oldest=oldest,
            next=following,
            serial=serial,
            firmware=firmware,
            link_version=version,
            challenge=challenge,
            proof=proof,
        )


def encode_proof(nonce: int, proof: bytes) -> bytes:
    """The host's own proof, for the HELLO with this nonce; a paired device hears nothing else before it."""
    return _PROOF.pack(PROOF, nonce, proof)


def decode_proof(content: bytes) -> tuple[int, bytes]:
    """Nonce and proof."""
    if len(content) != _PROOF.size:
        raise BadMessage("PROOF", "length", len(content), f"{_PROOF.size} bytes")
    _, nonce, proof = _PROOF.unpack(content)
    return nonce, proof


def encode_pair(nonce: int, key: bytes) -> bytes:
    """A new key for the device, for the HELLO with this nonce; all zeros makes it forget the one it has."""
    return _PAIR.pack(PAIR, nonce, key)


def decode_pair(content: bytes) -> tuple[int, bytes]:
    """Nonce and key."""
    if len(content) != _PAIR.size:
        raise BadMessage("PAIR", "length", len(content), f"{_PAIR.size} bytes")
    _, nonce, key = _PAIR.unpack(content)
    return nonce, key


def encode_reason(text: str) -> bytes:
    """The body of a RESULT that is not DONE."""
    octets = text.encode()[:REASON_BYTES].decode(errors="ignore").encode()
    return counted(1, len(octets), REASON_BYTES, octets, "RESULT", "reason")


def decode_reason(body: bytes) -> str:
    text, at = read_text(body, 0, 1, REASON_BYTES, "RESULT", "reason")
    if at != len(body):
        raise BadMessage("RESULT", "length", len(body), f"{at} bytes")
    return text


def describe(content: bytes, secret: bool = False) -> str:
    """A frame's content as one line for a log: its kind and, unless they are secret, its bytes."""
    if not content:
        return "EMPTY"
    kind = KIND_NAMES.get(content[0], "UNKNOWN")
    return kind if secret else f"{kind} {content.hex()}"
