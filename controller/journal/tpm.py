"""A table's key that lies on the disk sealed by this machine's TPM: a copy of the disk signs nothing.

A TPM makes no Ed25519 signatures, so it keeps the key's seed: `tpm2_create` seals it under the TPM's own storage key,
and only the same TPM opens it again, into the memory of the table. Debian's tpm2-tools speak to it; nothing of this is
loaded where the key lies in a plain file.
"""

from __future__ import annotations

import base64
import binascii
import shutil
import subprocess
import tempfile
from pathlib import Path

from controller.journal.head import SEALED, HeadTrouble, TableKey, put_key

WAIT_S = 20.0
OWNER = "o"


def seal_key(path: Path, origin: str, seed: bytes) -> TableKey:
    """A new key in a file that only this machine's TPM opens; HeadTrouble when there is one, or no TPM."""
    key = TableKey(seed)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        _primary(folder)
        made = ["tpm2_create", "-Q", "-C", "primary", "-i", "-", "-u", "public", "-r", "private"]
        _run(folder, made, seed)
        parts = [base64.b64encode((folder / part).read_bytes()).decode() for part in ("public", "private")]
    if _opened(*parts) != seed:
        raise HeadTrouble("the TPM of this machine does not give back what it sealed; use a key in a file")
    put_key(path, f"{SEALED}{origin}+{key.public(origin).id.hex()} {' '.join(parts)}\n")
    return key


def open_key(text: str, path: Path) -> TableKey:
    """The key in a sealed file; HeadTrouble where another TPM sealed it, or there is none."""
    try:
        name, public, private = text.split()
    except ValueError as error:
        raise HeadTrouble(f"{path}: a sealed key has three parts; put back the file as it was made") from error
    try:
        key = TableKey(_opened(public, private))
    except HeadTrouble as trouble:
        raise HeadTrouble(f"{path}: {trouble}") from trouble
    origin, _, key_id = name.removeprefix(SEALED).rpartition("+")
    if key.public(origin).id.hex() != key_id:
        raise HeadTrouble(f"{path}: what the TPM opened is not the key that this file names; put back the file")
    return key


def _opened(public: str, private: str) -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        try:
            (folder / "public").write_bytes(base64.b64decode(public, validate=True))
            (folder / "private").write_bytes(base64.b64decode(private, validate=True))
        except binascii.Error as error:
            raise HeadTrouble("is not as it was written; put back the file as it was made") from error
        _primary(folder)
        _run(folder, ["tpm2_load", "-Q", "-C", "primary", "-u", "public", "-r", "private", "-c", "loaded"])
        return _run(folder, ["tpm2_unseal", "-c", "loaded"])


def _primary(folder: Path) -> None:
    """The storage key, which the TPM makes the same each time and never gives out."""
    _run(folder, ["tpm2_createprimary", "-Q", "-C", OWNER, "-c", "primary"])


def _run(folder: Path, command: list[str], said: bytes = b"") -> bytes:
    """One command of the tools; what the one before left inside goes first, for a TPM holds three things at once."""
    _tool(folder, ["tpm2_flushcontext", "-t"])
    done = _tool(folder, command, said)
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip().splitlines()
        raise HeadTrouble(
            f"the TPM of this machine cannot do it ({why[0] if why else done.returncode}); a key sealed by another "
            "machine's TPM opens nowhere else, and /dev/tpmrm0 must be open to whoever runs this"
        )
    return done.stdout


def _tool(folder: Path, command: list[str], said: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    program = shutil.which(command[0])
    if program is None:
        raise HeadTrouble(f"there is no {command[0]} on this machine; apt install tpm2-tools, or use a key in a file")
    try:
        return subprocess.run(
            [program, *command[1:]], cwd=folder, input=said, capture_output=True, timeout=WAIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HeadTrouble(f"the TPM does not answer ({error}); check it, or use a key in a file") from error
