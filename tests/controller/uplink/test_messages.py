"""What travels between table and floor is read as it was written, and anything else is refused in words."""

from __future__ import annotations

import msgspec
import pytest

from controller.uplink.messages import FORM, Address, BadMessage, Beat, Rows, decode, encode

ROWS = Rows(
    FORM, 5, bytes(32), ((1, b'{"a":1}'), (2, b"\xff\x00 no JSON at all")), b"h" * 32, "head", ((3, b"p" * 32),)
)


def test_a_message_comes_back_byte_for_byte() -> None:
    assert decode(encode(ROWS), Rows) == ROWS
    assert ROWS.upto == 6
    beat = Beat(FORM, 9, 6, b"h" * 32, "why")
    assert decode(encode(beat), Beat) == beat


def test_a_head_alone_moves_nothing_on() -> None:
    assert Rows(FORM, 7, bytes(32), (), bytes(32), "head").upto == 6


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "cannot be read"),
        (b"\xc1", "cannot be read"),
        (b"{}", "cannot be read"),
        (msgspec.msgpack.encode({"form": 1}), "cannot be read"),
        (msgspec.msgpack.encode({"form": 2, "rows": "of another kind"}), "in form 2"),
    ],
)
def test_what_is_no_message_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(BadMessage, match=words):
        decode(data, Rows)


def test_a_journal_s_subjects_come_from_the_name_that_its_heads_bear() -> None:
    address = Address.of("tablectl/big-wheel-3/00ff")
    assert (address.rows, address.beat) == ("rows.big-wheel-3.00ff", "beat.big-wheel-3.00ff")
    assert Address.on(address.witness) == address
    assert address.origin == "tablectl/big-wheel-3/00ff"


@pytest.mark.parametrize(
    "origin", ["", "tablectl/t1", "tablectl/t1/", "other/t1/00", "tablectl/t.*/00", "tablectl/t1/>"]
)
def test_no_name_reaches_into_the_subjects_of_others(origin: str) -> None:
    with pytest.raises(BadMessage):
        Address.of(origin)
