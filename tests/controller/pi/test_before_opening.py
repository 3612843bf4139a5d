"""A table that will not open is told so beforehand, each thing with the command that mends it."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.config.file import check_config
from controller.money.register import write_register
from controller.people.staff import SALT_BYTES, Member, Staff, with_member, with_pin, write_staff
from controller.pi.before_opening import missing
from controller.web.access import PairingFile
from controller.web.server import settings_of
from tests.standing import Configured, tablectl


@pytest.fixture
def table(configured: Configured, tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return configured(wheel='port = "/dev/w"', chips='port = "/dev/c"')


def words(table: Path) -> str:
    return "\n".join(one.what for one in missing(check_config(table)))


def test_a_new_table_is_told_everything_that_it_lacks(table: Path) -> None:
    said = tablectl("check", "--config", table).output
    for what in ("No dealer screen is paired", "No sign screen is paired", "No chip register", "nobody can sign in"):
        assert f"before it opens: {what}" in said or what in said
    assert f"sudo tablectl screens pair sign --config {table}" in said
    assert f"sudo tablectl staff --config {table} add" in said


def test_the_table_of_this_machine_needs_no_name(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLECTL_CONFIG", str(table))
    assert "sudo tablectl screens pair sign\n" in tablectl("check").output


def test_a_journal_without_a_folder_is_told(table: Path) -> None:
    (table.parent / "data").rmdir()
    assert f"The folder {table.parent / 'data'} is not there" in words(table)


def test_what_is_there_is_not_asked_for(table: Path) -> None:
    config = check_config(table)
    for place in ("dealer", "sign"):
        PairingFile(Path(settings_of(config).pairings)).pair(place)
    staff = with_member(Staff(), Member("S1", "Alex", {"melbourne-wheel": "dealer"}))
    write_staff(config.staff_file(), staff)
    assert "screen" not in words(table)
    assert "Nobody has a card or a PIN" in words(table)
    staff = with_pin(
        with_member(staff, Member("S3", "Casey", {"melbourne-wheel": "AM"})), "S3", "8305", bytes(SALT_BYTES)
    )
    write_staff(config.staff_file(), staff)
    assert "PIN" not in words(table)
    assert words(table) == "No chip register is named: no chip has a value."


def test_a_rank_that_rules_needs_a_pin(table: Path) -> None:
    config = check_config(table)
    staff = with_member(Staff(), Member("S1", "Alex", {"melbourne-wheel": "dealer"}, card="c"))
    write_staff(config.staff_file(), staff)
    assert "Nobody of rank HDD or above has a PIN, so nobody can rule." in words(table)


def test_a_table_without_a_sign_is_not_asked_for_one(table: Path) -> None:
    table.write_text(table.read_text("utf-8").replace("[table]", "[table]\nsign = false", 1), "utf-8")
    assert "No dealer screen is paired" in words(table)
    assert "sign" not in words(table).replace("sign in", "")


def test_a_register_that_names_no_chip_is_told(table: Path, tmp_path: Path) -> None:
    write_register(tmp_path / "chips.register", [], [500], [])
    table.write_text(table.read_text("utf-8").replace("[chips]", '[chips]\nregister = "chips.register"', 1), "utf-8")
    assert f"The chip register {tmp_path / 'chips.register'} holds no chip" in words(table)
    (tmp_path / "chips.register").write_bytes(b"spilt coffee")
    assert "The chip register cannot be read" in words(table)


def test_the_doctor_says_the_same(table: Path) -> None:
    said = tablectl("doctor", "--config", table).output
    assert "LOOK  opening       No sign screen is paired" in said
