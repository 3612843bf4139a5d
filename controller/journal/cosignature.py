"""A witness's signature under a head, in the form that transparency logs share (C2SP tlog-cosignature, version 1).

A witness signs that at this time it knew no other past of this journal. The table's own signature stays beside it.
"""

from __future__ import annotations

import base64
import struct
from pathlib import Path
from typing import NamedTuple

from controller import kept_file
from controller.journal.file import JournalFile
from controller.journal.head import Head, HeadTrouble, Note, Signature, key_id, key_text, read_head

COSIGNATURE = b"\x04"
HEADS = b"cosignature/"
"""How everything begins that a witness signs of heads."""
PRIVATE = "PRIVATE+WITNESS+"
_TIME = struct.Struct(">Q")


def _message(head: Head, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{head.text()}".encode()


class Witness(NamedTuple):
    """What a witness's signatures are checked with."""

    name: str
    octets: bytes

    @property
    def id(self) -> bytes:
        return key_id(self.name, COSIGNATURE + self.octets)

    def text(self) -> str:
        return key_text(self.name, COSIGNATURE + self.octets)

    def signed(self, note: Note) -> int:
        """When this witness signed the head, in seconds since 1970; 0 when it did not."""
        mine = [one for one in note.signatures if (one.name, one.key) == (self.name, self.id)]
        if not mine or len(mine[0].signature) != _TIME.size + 64:
            return 0
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        (seconds,) = _TIME.unpack_from(mine[0].signature)
        try:
            signature = mine[0].signature[_TIME.size :]
            Ed25519PublicKey.from_public_bytes(self.octets).verify(signature, _message(note.head, seconds))
        except (InvalidSignature, ValueError):
            return 0
        return int(seconds)

    def said(self, words: bytes, signature: bytes) -> bool:
        """Whether this witness signed these words, which are no head."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.octets).verify(signature, words)
        except (InvalidSignature, ValueError):
            return False
        return not words.startswith(HEADS)


class WitnessKey:
    """The key a witness signs with; it never leaves this object, and never lies on a table."""

    def __init__(self, name: str, seed: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = Witness(name, self._key.public_key().public_bytes_raw())

    def sign(self, note: Note, seconds: int) -> Note:
        """The head with this witness's signature below those it has."""
        signature = _TIME.pack(seconds) + self._key.sign(_message(note.head, seconds))
        return Note(note.head, (*note.signatures, Signature(self.public.name, self.public.id, signature)))

    def say(self, words: bytes) -> bytes:
        """The signature under words that are no head; they begin with what they are, so none passes for another."""
        if words.startswith(HEADS):
            raise ValueError("a head is signed as one")
        return self._key.sign(words)


def _parts(text: str, where: str, kind: str) -> tuple[str, str, bytes]:
    name, _, rest = text.strip().partition("+")
    key_id, _, encoded = rest.partition("+")
    try:
        octets = base64.b64decode(encoded, validate=True)
    except ValueError:
        octets = b""
    if not name or any(letter.isspace() for letter in name) or len(octets) != 33 or octets[:1] != COSIGNATURE:
        raise HeadTrouble(f"{where}: not the {kind} key of a witness")
    return name, key_id, octets[1:]


def read_witness(text: str) -> Witness:
    """A witness's public key from its text."""
    name, key_id, octets = _parts(text, "witness", "public")
    witness = Witness(name, octets)
    if witness.id.hex() != key_id:
        raise HeadTrouble("witness: not the public key of a witness, or not the whole of it")
    return witness


def read_witness_key(path: Path) -> WitnessKey:
    """A witness's own key from its file."""
    try:
        text = path.read_text("ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise HeadTrouble(
            f"{path}: the witness's key cannot be read ({error}); check the path and its rights"
        ) from error
    if not text.startswith(PRIVATE):
        raise HeadTrouble(f"{path}: not the key of a witness; make one with `tablectl floor key`")
    name, _, seed = _parts(text.removeprefix(PRIVATE), str(path), "private")
    return WitnessKey(name, seed)


def kept_beside(journal: Path) -> Path:
    """Where the newest countersigned head of a journal is kept, beside the journal that it proves."""
    return journal.with_name(journal.name + ".witnessed")


def countersigned(journal: JournalFile, witness: str) -> int:
    """How many rows of a journal this witness stands for; 0 where it says nothing that holds."""
    path = kept_beside(journal.path)
    if not witness or not path.exists():
        return 0
    note = read_head(path)
    if not read_witness(witness).signed(note):
        raise HeadTrouble(f"{path}: not signed by the witness in [uplink]; compare it with `tablectl floor key`")
    journal.prove(note.head)
    return note.head.size


def make_witness_key(path: Path, name: str, seed: bytes) -> WitnessKey:
    """A new key in a file that only its owner reads; HeadTrouble when there is one."""
    key = WitnessKey(name, seed)
    text = f"{PRIVATE}{name}+{key.public.id.hex()}+{base64.b64encode(COSIGNATURE + seed).decode()}\n"
    try:
        kept_file.put_new(path, text.encode())
    except FileExistsError as error:
        raise HeadTrouble(
            f"{path}: is there already; a witness keeps its key, or what it signed proves nothing"
        ) from error
    except OSError as error:
        raise HeadTrouble(f"{path}: cannot be written ({error.strerror}); check the folder and its rights") from error
    return key
