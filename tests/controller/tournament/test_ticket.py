"""Move tickets: a table alone knows whether one is genuine."""

from __future__ import annotations

import msgspec
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from controller.tournament.ticket import BEGINS, BadTicket, Ticket, fits, read, sealed

KEYS = {name: Ed25519PrivateKey.from_private_bytes(name.encode().ljust(32, b".")) for name in ("PK-1", "PK-2")}
MOVE = Ticket(7, "holdem", "d1", "P9", "PK-1", 6, "PK-2", 4, 7350, {1000: 7, 100: 3, 25: 2}, "p17", "HDD", 1000)


def verify(table, seal, body):
    try:
        KEYS[table].public_key().verify(seal, body)
    except (InvalidSignature, KeyError):
        return False
    return True


def test_tp_07_a_ticket_is_known_by_the_seal_of_the_table_that_let_go() -> None:
    code = sealed(MOVE, KEYS["PK-1"].sign)
    assert read(code, verify) == MOVE
    assert read(" ".join(code.lower()), verify) == MOVE
    assert MOVE.said() == "ticket 7: P9 from PK-1 seat 6 to PK-2 seat 4 with 7,350"


def test_a_ticket_that_another_table_sealed_is_none() -> None:
    with pytest.raises(BadTicket, match="seal of PK-1 does not fit"):
        read(sealed(MOVE, KEYS["PK-2"].sign), verify)


@given(st.data())
def test_whatever_letter_is_changed_the_ticket_lets_nobody_in(data) -> None:
    code = sealed(MOVE, KEYS["PK-1"].sign)
    at = data.draw(st.integers(len(BEGINS), len(code) - 2))
    letter = data.draw(st.sampled_from([one for one in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" if one != code[at]]))
    with pytest.raises(BadTicket):
        read(code[:at] + letter + code[at + 1 :], verify)


@given(st.text())
def test_no_text_makes_it_fail_otherwise(text) -> None:
    with pytest.raises(BadTicket):
        read(BEGINS + text, verify)


def test_chips_that_do_not_come_to_the_stack_are_not_sealed() -> None:
    with pytest.raises(BadTicket, match="count them again"):
        sealed(msgspec.structs.replace(MOVE, stack=7250), KEYS["PK-1"].sign)


@pytest.mark.parametrize(
    ("event", "table", "used", "why"),
    [
        ("other", "PK-2", set(), "belongs to holdem"),
        ("holdem", "PK-3", set(), "this is PK-3"),
        ("holdem", "PK-2", {7}, "used"),
    ],
)
def test_a_ticket_of_another_event_for_another_table_or_used_before_is_refused(event, table, used, why) -> None:
    with pytest.raises(BadTicket, match=why):
        fits(MOVE, event, "d1", table, used)
