"""Served tables that tests act at, and people with PINs."""

from __future__ import annotations

from pathlib import Path

from controller.people.staff import Member, Staff, with_pin, write_staff


def give_pin(folder: Path, staff: str, rank: str, pin: str, card: str = "") -> None:
    member = Member(staff, f"Name of {staff}", {"melbourne-wheel": rank}, card)
    write_staff(folder / "staff.json", with_pin(Staff({staff: member}), staff, pin, b"salt of sixteen."))
