"""A journal's head: how many rows, and the one hash that stands for them, as text to be signed and kept elsewhere.

The text is that of transparency logs (C2SP tlog-checkpoint and signed-note), so that a witness of any make can
countersign it: whose log, how many entries, the tree's root, then one line a signature.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from controller import kept_file
from controller.journal.schema import JournalTrouble

ED25519 = b"\x01"
SIGNED = "— "
HEADS = b"tablectl/"
"""How every head begins that a table signs."""
PRIVATE = "PRIVATE+KEY+"
SEALED = "SEALED+KEY+"
"""How the file of a key begins that this machine's TPM opens."""
MOST_BYTES = 10_000
"""A head with a dozen witnesses has a fifth of this."""
_NAME = re.compile(r"[^\s+]+")
_SIZE = re.compile(r"0|[1-9][0-9]{0,17}")


def slug(name: str) -> str:
    """A table's name as part of another name."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "table"


class HeadTrouble(JournalTrouble):
    """A head or key cannot be used: what, where, and what to do."""


class Signature(NamedTuple):
    """Who signed, with which key, and the signature itself."""

    name: str
    key: bytes
    signature: bytes


class Head(NamedTuple):
    """Whose journal, how many rows, and the root of the tree over them."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{_base64(self.root)}\n"


class Note(NamedTuple):
    """A head with the signatures under it."""

    head: Head
    signatures: tuple[Signature, ...] = ()

    def text(self) -> str:
        lines = [f"{SIGNED}{one.name} {_base64(one.key + one.signature)}\n" for one in self.signatures]
        return f"{self.head.text()}\n{''.join(lines)}"

    def facts(self) -> dict[str, str | int | bool]:
        """What a screen shows of it."""
        head = self.head
        return {"origin": head.origin, "size": head.size, "root": _base64(head.root), "signed": bool(self.signatures)}


def read_note(text: str, where: str = "head") -> Note:
    """The head in a text and who signed it; HeadTrouble when it is none."""
    if len(text) > MOST_BYTES:
        raise HeadTrouble(f"{where}: far too long for a head; give the file that holds the head alone")
    said, _, signed = text.replace("\r\n", "\n").partition("\n\n")
    lines = said.strip("\n").split("\n")
    if len(lines) < 3 or not _NAME.fullmatch(lines[0]) or not _SIZE.fullmatch(lines[1]):
        raise HeadTrouble(f"{where}: not the head of a journal; it has the table, the number of events and the root")
    head = Head(lines[0], int(lines[1]), _bytes(lines[2], 32, where))
    if len(lines) > 3:
        raise HeadTrouble(f"{where}: says more than a head does; give the file as it was kept")
    return Note(head, tuple(_signature(line, where) for line in signed.split("\n") if line))


def read_head(path: Path) -> Note:
    """The head kept in a file."""
    try:
        with path.open("rb") as file:
            return read_note(file.read(MOST_BYTES + 1).decode(), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise HeadTrouble(f"{path}: cannot be read ({error}); give the file that holds the head") from error


def _signature(line: str, where: str) -> Signature:
    name, _, encoded = line.removeprefix(SIGNED).partition(" ")
    if not line.startswith(SIGNED) or not _NAME.fullmatch(name):
        raise HeadTrouble(f"{where}: a line below the head is no signature; give the file as it was kept")
    octets = _bytes(encoded, None, where)
    if len(octets) < 5:
        raise HeadTrouble(f"{where}: a signature is cut short; give the file as it was kept")
    return Signature(name, octets[:4], octets[4:])


def _base64(octets: bytes) -> str:
    return base64.b64encode(octets).decode()


def _bytes(text: str, length: int | None, where: str) -> bytes:
    try:
        octets = base64.b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        octets = b""
    if not octets or (length is not None and len(octets) != length):
        raise HeadTrouble(f"{where}: {text[:60]!r} is not as it was written; give the file as it was kept")
    return octets


# --- keys --------------------------------------------------------------------------------------------------------


def key_id(name: str, kind_and_octets: bytes) -> bytes:
    """By what a signature names the key it was made with."""
    return hashlib.sha256(name.encode() + b"\n" + kind_and_octets).digest()[:4]


def key_text(name: str, kind_and_octets: bytes) -> str:
    """A public key as one line, to be kept elsewhere."""
    return f"{name}+{key_id(name, kind_and_octets).hex()}+{_base64(kind_and_octets)}"


class PublicKey(NamedTuple):
    """What a table's signatures are checked with; `name` is the origin it signs for."""

    name: str
    octets: bytes

    @property
    def id(self) -> bytes:
        return key_id(self.name, ED25519 + self.octets)

    def text(self) -> str:
        return key_text(self.name, ED25519 + self.octets)

    def signed(self, note: Note) -> bool:
        """Whether this key signed the head; loads the cryptography only when a signature claims it."""
        mine = [one for one in note.signatures if (one.name, one.key) == (self.name, self.id)]
        if not mine:
            return False
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.octets).verify(mine[0].signature, note.head.text().encode())
        except (InvalidSignature, ValueError):
            return False
        return True

    def said(self, words: bytes, signature: bytes) -> bool:
        """Whether this key signed these words, which are no head."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.octets).verify(signature, words)
        except (InvalidSignature, ValueError):
            return False
        return not words.startswith(HEADS)


def read_public_key(text: str) -> PublicKey:
    """A key from its text, as `tablectl evidence key` prints it."""
    name, _, rest = text.strip().partition("+")
    key_id, _, encoded = rest.partition("+")
    octets = _bytes(encoded, 33, "key")
    key = PublicKey(name, octets[1:])
    if not _NAME.fullmatch(name) or octets[:1] != ED25519 or key.id.hex() != key_id:
        raise HeadTrouble(
            "key: not the public key of a table; copy the whole line that `tablectl evidence key` printed"
        )
    return key


class TableKey:
    """The key a table signs its heads with; it is not kept with the journal, and never leaves this object."""

    def __init__(self, seed: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self._public = self._key.public_key().public_bytes_raw()

    def public(self, origin: str) -> PublicKey:
        return PublicKey(origin, self._public)

    def sign(self, head: Head) -> Note:
        signature = self._key.sign(head.text().encode())
        return Note(head, (Signature(head.origin, self.public(head.origin).id, signature),))

    def say(self, words: bytes) -> bytes:
        """The signature under words that are no head; they begin with what they are, so none passes for another."""
        if words.startswith(HEADS):
            raise ValueError("a head is signed as one")
        return self._key.sign(words)


def read_key(path: Path) -> TableKey:
    """The table's key from its file."""
    try:
        text = path.read_text("ascii").strip()
        if text.startswith(SEALED):
            from controller.journal.tpm import open_key

            return open_key(text, path)
        name, _, rest = text.removeprefix(PRIVATE).partition("+")
        octets = _bytes(rest.partition("+")[2], 33, str(path))  # which may have a + of its own
        if not text.startswith(PRIVATE) or not name or octets[:1] != ED25519:
            raise HeadTrouble(f"{path}: not the key of a table; make one with `tablectl evidence key`")
        return TableKey(octets[1:])
    except (OSError, UnicodeDecodeError) as error:
        raise HeadTrouble(f"{path}: the table's key cannot be read ({error}); check the path and its rights") from error


def make_key(path: Path, origin: str, seed: bytes) -> TableKey:
    """A new key in a file that only its owner reads; HeadTrouble when there is one."""
    key = TableKey(seed)
    put_key(path, f"{PRIVATE}{origin}+{key.public(origin).id.hex()}+{_base64(ED25519 + seed)}\n")
    return key


def put_key(path: Path, text: str) -> None:
    """Put the file of a new key in place; HeadTrouble when there is one."""
    try:
        kept_file.put_new(path, text.encode())
    except FileExistsError as error:
        raise HeadTrouble(f"{path}: is there already; a table keeps its key, or its old heads prove nothing") from error
    except OSError as error:
        raise HeadTrouble(f"{path}: cannot be written ({error.strerror}); check the folder and its rights") from error
