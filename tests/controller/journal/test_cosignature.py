"""A witness's signature is the one that transparency logs share, and stands for one head at one time."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from controller.journal.cosignature import WitnessKey, make_witness_key, read_witness, read_witness_key
from controller.journal.head import Head, HeadTrouble, TableKey, read_note

HEAD = Head("tablectl/t1/0011223344556677", 12, bytes(range(32)))
TABLE = TableKey(bytes(range(32)))
FLOOR = WitnessKey("floor.example", bytes(32))
AT = 1_679_315_147


def test_it_is_read_by_the_words_of_the_specification_alone() -> None:
    """Written out here from C2SP tlog-cosignature, without a line of ours."""
    text = FLOOR.sign(TABLE.sign(HEAD), AT).text()
    body, signed = text.split("\n\n")
    line = signed.splitlines()[1]
    name, encoded = line.removeprefix("— ").split(" ")
    octets = base64.b64decode(encoded)
    public = FLOOR.public.octets
    assert octets[:4] == hashlib.sha256(name.encode() + b"\n\x04" + public).digest()[:4]
    assert int.from_bytes(octets[4:12], "big") == AT
    message = f"cosignature/v1\ntime {AT}\n{body}\n".encode()
    Ed25519PublicKey.from_public_bytes(public).verify(octets[12:], message)


def test_table_and_witness_both_stand_under_the_head() -> None:
    note = read_note(FLOOR.sign(TABLE.sign(HEAD), AT).text())
    assert TABLE.public(HEAD.origin).signed(note)
    assert FLOOR.public.signed(note) == AT


def test_another_head_another_time_or_another_key_is_not_signed() -> None:
    note = FLOOR.sign(TABLE.sign(HEAD), AT)
    assert FLOOR.public.signed(note._replace(head=HEAD._replace(size=13))) == 0
    late = note.signatures[1]._replace(signature=(AT + 1).to_bytes(8, "big") + note.signatures[1].signature[8:])
    assert FLOOR.public.signed(note._replace(signatures=(late,))) == 0
    assert WitnessKey("floor.example", bytes(range(32))).public.signed(note) == 0
    assert FLOOR.public.signed(TABLE.sign(HEAD)) == 0
    cut = note.signatures[1]._replace(signature=b"short")
    assert FLOOR.public.signed(note._replace(signatures=(cut,))) == 0


def test_keys_are_kept_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "floor.key"
    made = make_witness_key(path, "floor.example", bytes(32))
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_witness_key(path).public == made.public == read_witness(made.public.text())
    with pytest.raises(HeadTrouble, match="is there already"):
        make_witness_key(path, "floor.example", bytes(32))
    with pytest.raises(HeadTrouble, match="check the path and its rights"):
        read_witness_key(tmp_path / "none")


@pytest.mark.parametrize("text", ["", "floor", "floor+00112233+", TABLE.public("t/1").text(), FLOOR.public.text()[:-4]])
def test_what_is_no_witness_is_refused(text: str) -> None:
    with pytest.raises(HeadTrouble):
        read_witness(text)
