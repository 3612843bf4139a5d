"""Guessing PINs at the floor's pages: who is locked out by it, and who is not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.people.signing_in import LOCKED_MS, WRONG_AT_A_PLACE, WRONG_PINS
from controller.people.staff import SALT_BYTES, Member, Staff, hashed_pin, write_staff
from floor.web.access import REGISTER, Access, Denied

PIN, GUESSER, OFFICE = "7301", "192.0.2.66", "192.0.2.5"
RANKS = {"F1": "inspector", "F2": "supervisor", "F3": "manager"}


class Clock:
    """Seconds that a test lets pass."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


class Guessing:
    """The floor's sign-in, and people who type at several machines."""

    def __init__(self, access: Access, runner: asyncio.Runner) -> None:
        self._access, self._runner = access, runner

    def at(self, where: str, staff: str, *pins: str) -> list[bool]:
        """Who was let in, all of them typed in the same moment."""
        return self._runner.run(self._all(where, staff, pins))

    async def _all(self, where: str, staff: str, pins: tuple[str, ...]) -> list[bool]:
        return await asyncio.gather(*(self._let_in(where, staff, pin) for pin in pins))

    async def _let_in(self, where: str, staff: str, pin: str) -> bool:
        try:
            await self._access.sign_in(staff, pin, where)
        except Denied:
            return False
        return True


@pytest.fixture
def guessing(tmp_path: Path, clock: Clock) -> Iterator[Guessing]:
    kept = hashed_pin(PIN, bytes(SALT_BYTES))
    members = {id: Member(id, id, {REGISTER: rank}, pin=kept) for id, rank in RANKS.items()}
    write_staff(tmp_path / "staff.json", Staff(members))
    with asyncio.Runner() as runner:
        yield Guessing(Access((), tmp_path / "staff.json", False, clock), runner)


def test_guesses_made_in_the_same_moment_are_not_more_than_those_made_one_by_one(guessing: Guessing) -> None:
    wrong = [f"{number:04}" for number in range(WRONG_PINS)]
    assert not any(guessing.at(GUESSER, "F3", *wrong, PIN))


def test_whoever_guesses_a_managers_pin_does_not_keep_the_manager_out(guessing: Guessing) -> None:
    guessing.at(GUESSER, "F3", *("0000",) * WRONG_PINS)
    assert guessing.at(GUESSER, "F3", PIN) == [False]
    assert guessing.at(OFFICE, "F3", PIN) == [True]


def test_numbers_that_nobody_has_do_not_wash_a_guess_away(guessing: Guessing, clock: Clock) -> None:
    guessing.at(GUESSER, "F3", *("0000",) * (WRONG_PINS - 1))
    for number in range(WRONG_AT_A_PLACE - WRONG_PINS + 1):
        guessing.at(GUESSER, f"X{number}", "0000")
    assert guessing.at(GUESSER, "F1", PIN) == [False]  # too many at one address, whoever's
    clock.at += LOCKED_MS / 1000
    assert guessing.at(GUESSER, "F3", "0000", PIN) == [False, False]
    assert guessing.at(GUESSER, "F1", PIN) == [True]
