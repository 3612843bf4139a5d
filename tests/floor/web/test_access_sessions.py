"""When a session at the floor's pages ends, and that of whoever mistypes begins anew."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.people.staff import SALT_BYTES, Member, Staff, with_pin, write_staff
from floor.web.access import REGISTER, Access, Denied

PIN = "271828"
GUESSES = ("000001", "000002", "000003", "000004")


@pytest.fixture
def register(tmp_path: Path) -> Path:
    return registered(tmp_path / "staff.json", "manager")


def registered(path: Path, rank: str) -> Path:
    staff = Staff({"F3": Member("F3", "Corin", {REGISTER: rank})})
    write_staff(path, with_pin(staff, "F3", PIN, bytes(SALT_BYTES)))
    return path


def access(register: Path) -> Access:
    return Access((), register, False, lambda: 1_000.0)


async def tried(door: Access, staff: str, pin: str) -> str:
    try:
        await door.sign_in(staff, pin)
    except Denied as denied:
        return str(denied)
    return "in"


def test_whoever_mistypes_and_then_knows_it_is_let_in_and_begins_anew(register: Path) -> None:
    door = access(register)

    async def typed() -> list[str]:
        return [await tried(door, "F3", pin) for pin in (*GUESSES, PIN, *GUESSES, PIN)]

    assert [one == "in" for one in asyncio.run(typed())] == [False] * 4 + [True] + [False] * 4 + [True]


@pytest.mark.parametrize("after", ["inspector", ""])
def test_a_rank_that_is_taken_away_ends_the_session_at_once(register: Path, after: str) -> None:
    door = access(register)
    token, _ = asyncio.run(door.sign_in("F3", PIN))
    session = door.session(token)
    assert session is not None
    assert session.rank == 3
    with door.watching(session) as may:
        assert may()
        if after:
            registered(register, after)
        else:
            write_staff(register, Staff())
        assert not may()
    assert door.session(token) is None


def test_whoever_signs_out_sees_no_more_on_the_pages_that_are_still_open(register: Path) -> None:
    door = access(register)
    token, session = asyncio.run(door.sign_in("F3", PIN))
    with door.watching(session) as may:
        door.sign_out(token)
        assert not may()
