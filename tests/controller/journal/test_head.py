"""A head of a journal and who signs it: three lines and a line a signature, keys as others publish them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from controller.journal.head import (
    Head,
    HeadTrouble,
    Note,
    Signature,
    TableKey,
    make_key,
    read_key,
    read_note,
    read_public_key,
)

# -- heads as text -------------------------------------------------------------------------------------------------

HEAD = Head("tablectl/t1/0011223344556677", 12, bytes(range(32)))
SEED = bytes(range(32))


def test_a_head_is_three_lines_and_a_line_a_signature() -> None:
    note = TableKey(SEED).sign(HEAD)
    lines = note.text().split("\n")
    assert lines[:4] == [HEAD.origin, "12", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", ""]
    assert lines[4].startswith(f"— {HEAD.origin} ")
    assert read_note(note.text()) == note


def test_a_key_as_others_publish_it_is_read_and_its_signature_believed() -> None:
    """The example that the documentation of Go's package for signed notes shows."""
    key = read_public_key("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    octets = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
    signature = read_note(f"a\n0\n{'A' * 43}=\n\n— PeterNeumann {octets}\n").signatures[0]

    class Quoted(Head):
        def text(self) -> str:
            return text

    assert key.signed(Note(Quoted("a", 0, bytes(32)), (signature,)))
    assert not key.signed(Note(HEAD, (signature,)))


def test_a_signature_holds_for_this_head_and_this_journal_only(tmp_path: Path) -> None:
    key = make_key(tmp_path / "table.key", HEAD.origin, SEED)
    public = read_public_key(key.public(HEAD.origin).text())
    note = key.sign(HEAD)
    assert public.signed(note)
    for other in (HEAD._replace(size=13), HEAD._replace(root=bytes(32)), HEAD._replace(origin="tablectl/t2/00")):
        assert not public.signed(note._replace(head=other))
    assert not public.signed(Note(HEAD))
    assert not public.signed(Note(HEAD, (Signature(HEAD.origin, public.id, bytes(64)),)))
    witness = Signature("witness", b"1234", b"x" * 72)
    assert public.signed(Note(HEAD, (witness, *note.signatures))), "others may sign, too"


def test_a_key_is_made_once_and_read_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "table.key"
    made = make_key(path, HEAD.origin, SEED)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_key(path).public("t") == made.public("t")
    with pytest.raises(HeadTrouble, match="is there already"):
        make_key(path, HEAD.origin, SEED)
    with pytest.raises(HeadTrouble, match="cannot be read"):
        read_key(tmp_path / "none.key")
    path.write_text("hello")
    with pytest.raises(HeadTrouble, match=r"not (as it was written|the key of a table)"):
        read_key(path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "t1\n12\n",
        "t1\n012\n" + "A" * 43 + "=\n",
        "t1\n-1\n" + "A" * 43 + "=\n",
        "t 1\n1\n" + "A" * 43 + "=\n",
        "t1\n1\nAAAA\n",
        "t1\n1\n" + "A" * 43 + "=\nmore\n",
        "t1\n1\n" + "A" * 43 + "=\n\nsigned by me\n",
        "t1\n1\n" + "A" * 43 + "=\n\n— t1 !!\n",
        "t1\n1\n" + "A" * 43 + "=\n\n— t1 AAAA\n",
        "t1\n1\n" + "A" * 20_000,
    ],
)
def test_what_is_no_head_is_refused_in_words(text: str) -> None:
    with pytest.raises(HeadTrouble, match=r"head.*;"):
        read_note(text)


def test_every_key_that_is_made_can_be_read_again(tmp_path: Path) -> None:
    """The text of a key may hold the very sign that separates its parts."""
    for number in range(64):
        made = make_key(tmp_path / f"{number}.key", "tablectl/t/1", hashlib.sha256(bytes([number])).digest())
        assert read_key(tmp_path / f"{number}.key").public("o") == made.public("o")
