"""How a device and its table prove to each other that they hold the same key, without showing it.

Keyed BLAKE2s (RFC 7693) with a 32-byte key and a 16-byte digest: one small function that fits any controller.
"""

from __future__ import annotations

import hashlib
import hmac

from .link import CHALLENGE_BYTES, KEY_BYTES, PROOF_BYTES, Identity

NO_KEY = bytes(KEY_BYTES)
NO_CHALLENGE = bytes(CHALLENGE_BYTES)  # stands for the host's when its HELLO brought none


def keyed(key: bytes, *parts: bytes) -> bytes:
    """The keyed hash of these bytes one after the other."""
    return hashlib.blake2s(b"".join(parts), key=key, digest_size=PROOF_BYTES).digest()


def device_proof(key: bytes, asked: bytes, challenge: bytes, claims: bytes) -> bytes:
    """What a paired device adds to IDENTITY: it holds the key, heard this host, and says exactly this."""
    return keyed(key, b"device", asked or NO_CHALLENGE, challenge, claims)


def host_proof(key: bytes, asked: bytes, challenge: bytes) -> bytes:
    """What the host answers with PROOF: it holds the key and heard this device."""
    return keyed(key, b"host", challenge, asked or NO_CHALLENGE)


def proves(identity: Identity, key: bytes, asked: bytes) -> bool:
    """Whether this IDENTITY answers the host's challenge with this key."""
    expected = device_proof(key, asked, identity.challenge, identity.claims())
    return bool(identity.proof) and hmac.compare_digest(expected, identity.proof)
