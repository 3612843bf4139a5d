"""Signing in: cards, PINs, lock-out, and sessions that end."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.config.tomlread import ConfigError
from controller.core.events import NotSignedIn, SignedIn, SignedOut
from controller.people import Person
from controller.people.signing_in import (
    IDLE_MS,
    LOCKED_MS,
    LONGEST_MS,
    PIN_WITHIN_MS,
    WRONG_PINS,
    Door,
    PinWanted,
    SignIns,
    Told,
)
from controller.people.staff import Member, with_member, with_role, without_role
from controller.rules.rulebook import load_rulebook
from tests.controller.people.crew import KEPT, people

WHEEL = load_rulebook("melbourne-wheel")
DEALER, CHIEF = Person("S1", 1), Person("S3", 3)
PLACE = "dealer"


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


# -- a sign-in has an end, and a person one place ------------------------------------------------------------------


def test_a_sign_in_ends_after_twelve_hours_though_the_screen_was_used_all_the_time(door: Door) -> None:
    door.card(PLACE, "card1", 0)
    for at in range(0, LONGEST_MS, IDLE_MS // 2):
        assert door.who(PLACE, at) == DEALER
        assert door.pass_time(at) == []
    assert door.who(PLACE, LONGEST_MS) is None
    assert door.pass_time(LONGEST_MS) == [SignedOut(PLACE, DEALER, "signed in for too long")]


def test_one_person_stands_at_one_place(door: Door) -> None:
    door.card(PLACE, "card1", 0)
    assert door.card("pit", "card1", 1) == [
        SignedOut(PLACE, DEALER, "signed in at pit"),
        SignedIn("pit", DEALER),
    ]
    assert (door.who(PLACE, 2), door.who("pit", 2)) == (None, DEALER)


# -- roles beside the ladder ---------------------------------------------------------------------------------------


def test_a_role_lets_somebody_without_a_rank_in_by_card_and_a_role_that_decides_needs_the_pin(door: Door) -> None:
    assert codes(door.card(PLACE, "card9", 0)) == ["no_rank"]
    runner = Person("S9", 0, ("chip_runner",))
    door.staff = with_role(door.staff, "S9", "chip_runner", 1_000)
    assert door.card(PLACE, "card9", 1) == [SignedIn(PLACE, runner)]
    assert door.pass_time(999) == []
    assert door.pass_time(1_000) == [SignedOut(PLACE, runner, "role ended")]
    assert codes(door.card(PLACE, "card9", 1_001)) == ["no_rank"]
    door.staff = with_role(door.staff, "S9", "director")
    assert door.card(PLACE, "card9", 1_002) == [PinWanted(PLACE, "S9")]
    director = Person("S9", 0, ("director",))
    assert door.pin(PLACE, "S9", True, 1_003) == [SignedIn(PLACE, director)]
    assert door.number_and_pin(PLACE, "S9", True, 1_004) == director
    told = door.staff_changed(without_role(door.staff, "S9", "director"))
    assert told == [SignedOut(PLACE, director, "rank changed")]


def test_a_role_is_no_rank_and_only_those_there_are_can_be_given() -> None:
    given_ = with_role(people(), "S1", "chip_runner")
    assert given_.members["S1"].person(WHEEL, 0) == Person("S1", 1, ("chip_runner",))
    assert people().members["S1"].person(WHEEL, 0) == DEALER
    for wrong in (lambda: with_role(people(), "S1", "runner"), lambda: with_role(people(), "S8", "director"),
                  lambda: without_role(people(), "S1", "director")):  # fmt: skip
        with pytest.raises(ConfigError):
            wrong()


def test_somebody_without_a_role_is_written_down_as_before() -> None:
    assert msgspec.json.encode(Person("S1", 1)) == b'{"id":"S1","rank":1}'
    with_a_role = Person("S1", 0, ("chip_runner",))
    assert msgspec.json.decode(msgspec.json.encode(with_a_role), type=Person) == with_a_role
