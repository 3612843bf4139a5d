"""The register of staff: ranks by rulebook, PINs as hashes, cards by pseudonym, rights on its file."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.config.tomlread import ConfigError
from controller.people.staff import (
    Member,
    Staff,
    check_pin,
    hashed_pin,
    pin_fits,
    read_key,
    read_staff,
    with_member,
    with_pin,
    write_key,
    write_staff,
)
from tests.controller.people.crew import KEPT, PIN, SALT, people

# -- the register ------------------------------------------------------------------------------------------------


@settings(max_examples=3)
@given(st.from_regex(r"[0-9]{4,12}", fullmatch=True))
def test_only_the_pin_itself_fits_what_is_kept_of_it(pin: str) -> None:
    assert pin_fits(PIN, KEPT)
    assert pin_fits(pin, KEPT) == (pin == PIN)
    assert PIN not in KEPT


def test_two_people_with_the_same_pin_have_different_hashes_and_rubbish_fits_nothing() -> None:
    assert hashed_pin(PIN, bytes(16)) != KEPT
    for kept in ("", "scrypt", "scrypt$a$b$c$d$e", "md5$1$2$3$00$00"):
        assert not pin_fits(PIN, kept)
    with pytest.raises(ValueError, match="salt"):
        hashed_pin(PIN, b"short")


@pytest.mark.parametrize("pin", ["", "123", "1234567890123", "12a4", "1111", "1234", "9876", "7890", "١٢٣٥"])
def test_a_pin_that_is_none_or_that_anybody_would_try_is_refused(pin: str) -> None:
    with pytest.raises(ConfigError, match="PIN"):
        check_pin(pin)


def test_ranks_that_a_rulebook_does_not_know_and_cards_of_others_are_refused() -> None:
    with pytest.raises(ConfigError, match="melbourne-wheel knows no rank 'HHD'; known here: dealer, HDD"):
        with_member(people(), Member("S5", "Eve", {"melbourne-wheel": "HHD"}))
    with pytest.raises(ConfigError, match="no rulebook"):
        with_member(people(), Member("S5", "Eve", {"melbourne-whel": "HDD"}))
    with pytest.raises(ConfigError, match="the card of S1"):
        with_member(people(), Member("S5", "Eve", {}, "card1"))
    with pytest.raises(ConfigError, match="no member of staff 'S8'"):
        with_pin(people(), "S8", PIN, SALT)


def test_the_register_is_kept_for_its_owner_only_and_refused_when_others_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "staff.json"
    assert read_staff(path) == Staff()
    write_staff(path, people())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_staff(path) == people()
    path.chmod(0o644)
    with pytest.raises(ConfigError, match="chmod 600"):
        read_staff(path)
    path.chmod(0o600)
    path.write_bytes(b'{"members": {"S1": 5}}')
    with pytest.raises(ConfigError, match="damaged"):
        read_staff(path)


def test_a_key_for_cards_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "staff.key"
    with pytest.raises(ConfigError, match="no key"):
        read_key(path)
    write_key(path, bytes(32))
    assert read_key(path) == bytes(32)
    with pytest.raises(ConfigError, match="already"):
        write_key(path, bytes(32))
    path.write_text("zz")
    with pytest.raises(ConfigError, match="no key for cards"):
        read_key(path)


def test_nothing_secret_shows_when_staff_are_printed() -> None:
    shown = repr(people()) + repr(people().members["S3"]) + f"{people().members['S3']!s}"
    assert "card3" not in shown
    assert KEPT not in shown
    assert KEPT[-20:] not in shown
