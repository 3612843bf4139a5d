"""Staff: ranks by rulebook, cards by pseudonym, PINs as hashes, lock-out, and sessions that end."""

from __future__ import annotations

import stat
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.commands.staff import staff as command
from controller.config.tomlread import ConfigError
from controller.people import Person
from controller.people.signing_in import (
    IDLE_MS,
    LOCKED_MS,
    PIN_WITHIN_MS,
    WRONG_PINS,
    Door,
    NotSignedIn,
    PinWanted,
    SignedIn,
    SignedOut,
    SignIns,
    Told,
)
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
from controller.rules.rulebook import load_rulebook

SALT = bytes(range(16))
PIN = "280571"
KEPT = hashed_pin(PIN, SALT)
WHEEL = load_rulebook("melbourne-wheel")
DEALER, CHIEF = Person("S1", 1), Person("S3", 3)
PLACE = "dealer"


def people() -> Staff:
    return Staff(
        {
            "S1": Member("S1", "Alex", {"melbourne-wheel": "dealer"}, "card1"),
            "S2": Member("S2", "Billie", {"melbourne-wheel": "HDD"}, "card2"),
            "S3": Member("S3", "Casey", {"melbourne-wheel": "AM", "star-war": "dealer"}, "card3", KEPT),
            "S9": Member("S9", "Nick", {"star-war": "GM"}, "card9", KEPT),
        }
    )


@pytest.fixture
def door() -> Door:
    return Door(people(), WHEEL)


def codes(told: list[Told]) -> list[str]:
    return [one.code for one in told if isinstance(one, NotSignedIn)]


# -- the door ----------------------------------------------------------------------------------------------------


def test_a_dealers_card_is_enough_and_a_second_swipe_signs_out(door: Door) -> None:
    assert door.card(PLACE, "card1", 0) == [SignedIn(PLACE, DEALER)]
    assert door.who(PLACE, 1) == DEALER
    assert door.who("pit", 1) is None
    assert door.card(PLACE, "card1", 2) == [SignedOut(PLACE, DEALER, "signed out by card")]
    assert door.who(PLACE, 3) is None


def test_a_higher_rank_needs_the_pin_as_well(door: Door) -> None:
    assert door.card(PLACE, "card3", 0) == [PinWanted(PLACE, "S3")]
    assert door.who(PLACE, 1) is None
    assert door.kept_pin(PLACE, 1) == ("S3", KEPT)
    assert door.pin(PLACE, "S3", True, 2) == [SignedIn(PLACE, CHIEF)]


def test_somebody_of_higher_rank_without_a_pin_stays_outside(door: Door) -> None:
    assert codes(door.card(PLACE, "card2", 0)) == ["no_pin"]
    assert codes(door.card(PLACE, "card9", 0)) == ["no_rank"]
    assert codes(door.card(PLACE, "a player's card", 0)) == ["unknown_card"]
    assert door.signs == SignIns()


def test_rank_goes_by_the_rulebook_of_the_table() -> None:
    star = Door(people(), load_rulebook("star-war"))
    assert star.card(PLACE, "card3", 0) == [SignedIn(PLACE, Person("S3", 1))]


def test_wrong_pins_lock_out_and_every_further_row_costs_twice_as_long(door: Door) -> None:
    at = 0
    for _ in range(WRONG_PINS - 1):
        door.card(PLACE, "card3", at)
        assert codes(door.pin(PLACE, "S3", False, at)) == ["wrong_pin"]
    door.card(PLACE, "card3", at)
    assert codes(door.pin(PLACE, "S3", False, at)) == ["locked"]
    assert codes(door.card(PLACE, "card3", at + LOCKED_MS - 1)) == ["locked"]
    at += LOCKED_MS
    assert door.card(PLACE, "card3", at) == [PinWanted(PLACE, "S3")]
    assert codes(door.pin(PLACE, "S3", False, at)) == ["locked"]
    assert codes(door.card("pit", "card3", at + 2 * LOCKED_MS - 1)) == ["locked"]
    again = Door(people(), WHEEL, msgspec.json.decode(msgspec.json.encode(door.signs), type=SignIns))
    assert codes(again.card(PLACE, "card3", at + LOCKED_MS)) == ["locked"]
    door.card(PLACE, "card3", at + 2 * LOCKED_MS)
    assert door.pin(PLACE, "S3", True, at + 2 * LOCKED_MS)[-1] == SignedIn(PLACE, CHIEF)
    assert door.signs.wrong == {}


def test_a_pin_typed_while_another_card_was_swiped_lets_nobody_in(door: Door) -> None:
    door.card(PLACE, "card3", 0)
    door.card(PLACE, "card1", 1)
    assert codes(door.pin(PLACE, "S3", True, 2)) == ["no_card"]
    assert door.who(PLACE, 3) == DEALER


def test_a_pin_that_comes_too_late_is_not_taken(door: Door) -> None:
    door.card(PLACE, "card3", 0)
    assert door.kept_pin(PLACE, PIN_WITHIN_MS) is None
    assert codes(door.pin(PLACE, "S3", True, PIN_WITHIN_MS)) == ["no_card"]


def test_whoever_does_nothing_is_signed_out_and_every_use_starts_the_wait_anew(door: Door) -> None:
    door.card(PLACE, "card1", 0)
    assert door.who(PLACE, IDLE_MS - 1) == DEALER
    assert door.pass_time(IDLE_MS) == []
    assert door.who(PLACE, 2 * IDLE_MS) is None
    assert door.pass_time(2 * IDLE_MS) == [SignedOut(PLACE, DEALER, "idle")]


def test_a_session_ends_when_the_card_or_its_reader_is_gone(door: Door) -> None:
    door.card(PLACE, "card1", 0)
    assert door.card_gone(PLACE) == [SignedOut(PLACE, DEALER, "card gone")]
    assert door.card_gone(PLACE) == []
    door.card(PLACE, "card3", 1)
    door.card_gone(PLACE)
    assert codes(door.pin(PLACE, "S3", True, 2)) == ["no_card"]


def test_the_next_person_takes_the_place_of_the_one_before(door: Door) -> None:
    door.card(PLACE, "card1", 0)
    door.card(PLACE, "card3", 1)
    assert door.who(PLACE, 2) == DEALER
    assert door.pin(PLACE, "S3", True, 3) == [SignedOut(PLACE, DEALER, "S3 signed in"), SignedIn(PLACE, CHIEF)]


def test_whoever_loses_the_rank_is_signed_out(door: Door) -> None:
    door.card(PLACE, "card1", 0)
    raised = with_member(people(), Member("S1", "Alex", {"melbourne-wheel": "HDD"}, "card1"))
    assert door.staff_changed(raised) == [SignedOut(PLACE, DEALER, "rank changed")]


@given(st.lists(st.tuples(st.sampled_from(["card", "pin", "gone", "wait"]), st.integers(1, 9), st.booleans())))
def test_nobody_of_higher_rank_ever_stands_at_the_table_without_a_right_pin(
    steps: list[tuple[str, int, bool]],
) -> None:
    door, at, proved = Door(people(), WHEEL), 0, False
    for what, number, fits in steps:
        at += 1000
        if what == "card":
            door.card(PLACE, f"card{number}", at)
        elif what == "pin":
            told = door.pin(PLACE, f"S{number}", fits, at)
            proved = proved or (fits and SignedIn(PLACE, CHIEF) in told)
        elif what == "gone":
            door.card_gone(PLACE)
            proved = False
        else:
            at += number * 60_000
        person = door.who(PLACE, at)
        if person is not None and person.rank >= 2:
            assert person == CHIEF
            assert proved


# -- the register ------------------------------------------------------------------------------------------------


@settings(max_examples=3, deadline=None)
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


def test_the_command_line_keeps_numbers_and_pins_to_itself(tmp_path: Path) -> None:
    path = tmp_path / "staff.json"

    def run(*words: str, typed: str = "") -> str:
        done = CliRunner().invoke(command, ["--file", str(path), *words], input=typed)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done.output

    number = "6007012345678901"
    out = run("add", "S3", "--name", "Casey", "--rank", "melbourne-wheel=AM", "--card", typed=f"{number}\n")
    out += run("set-pin", "S3", typed=f"{PIN}\n{PIN}\n")
    out += run("add", "S3", "--name", "Casey", "--rank", "star-war=GS")
    listed = run("list")
    assert "AM (melbourne-wheel, level 3), GS (star-war, level 2); card and pin" in listed
    out += listed + run("list", "--json")
    kept = path.read_text() + (tmp_path / "staff.key").read_text()
    assert number not in out + kept
    assert PIN not in out + kept
    member = read_staff(path).members["S3"]
    assert pin_fits(PIN, member.pin)
    with pytest.raises(ConfigError, match="PIN"):
        run("set-pin", "S3", typed="1234\n1234\n")
