"""A table's key at the broker (a NATS NKEY): an Ed25519 seed in base32 with a check sum, as `nk` and the floor make it.

The client's own way to use one needs a second library of cryptography; this takes the one that is here.
"""

from __future__ import annotations

import base64
import binascii
from pathlib import Path

from controller import kept_file

USER = 20 << 3
SEED = 18 << 3


class BadSeed(Exception):
    """A file holds no key for the broker: why, and what to do."""


class BrokerKey:
    """Answers the broker's challenge; the seed never leaves this object."""

    def __init__(self, seed: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = _encoded(bytes([USER]) + self._key.public_key().public_bytes_raw())

    def answer(self, nonce: str) -> bytes:
        """The signature under the broker's challenge, as it is sent."""
        return base64.b64encode(self._key.sign(nonce.encode()))


def seed_text(seed: bytes) -> str:
    """A seed as it is kept in a file."""
    return _encoded(bytes([SEED | USER >> 5, (USER & 31) << 3]) + seed)


def make_broker_key(path: Path, seed: bytes) -> BrokerKey:
    """A new key in a file that only its owner reads; BadSeed where it cannot be written, or one is there."""
    try:
        kept_file.put_new(path, seed_text(seed).encode() + b"\n")
    except OSError as error:
        raise BadSeed(f"{path}: no key for the broker can be written there ({error.strerror}); check it") from error
    return BrokerKey(seed)


def is_user(text: str) -> bool:
    """Whether this is the public key of somebody at the broker."""
    try:
        octets = base64.b32decode(text + "=" * (-len(text) % 8))
    except binascii.Error:
        return False
    return len(octets) == 35 and octets[0] == USER and _check(octets[:-2]) == octets[-2:]


def read_broker_key(path: Path) -> BrokerKey:
    """The key in a file; BadSeed when there is none."""
    try:
        text = path.read_text("ascii").strip()
        octets = base64.b32decode(text + "=" * (-len(text) % 8))
    except (OSError, UnicodeDecodeError, binascii.Error) as error:
        raise BadSeed(f"{path}: no key for the broker ({error}); make it: tablectl evidence broker-key") from error
    body, check = octets[:-2], octets[-2:]
    if len(octets) != 36 or _check(body) != check or octets[0] & 0xF8 != SEED:
        what = f"{path}: not a key for the broker, or not the whole of it"
        raise BadSeed(f"{what}; move it aside and make one: tablectl evidence broker-key")
    return BrokerKey(body[2:])


def _encoded(octets: bytes) -> str:
    return base64.b32encode(octets + _check(octets)).decode().rstrip("=")


def _check(octets: bytes) -> bytes:
    return binascii.crc_hqx(octets, 0).to_bytes(2, "little")
