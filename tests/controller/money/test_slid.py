"""Chips that are slid keep their owner; chips that were taken have none."""

from __future__ import annotations

from controller.money.slid import SLIDE_MS, Slid


def test_a_chip_laid_down_in_one_movement_is_still_its_owners_and_told_once() -> None:
    slid = Slid()
    slid.lift([(1, "Ann"), (2, "")], 1_000)
    assert (slid.owner(1, 1_000 + SLIDE_MS), slid.owner(2, 1_000)) == ("Ann", "")
    assert slid.owner(1, 1_000) == "", "it lies there"


def test_a_chip_that_was_kept_in_the_hand_is_nobodys_and_is_forgotten() -> None:
    slid = Slid()
    slid.lift([(1, "Ann")], 1_000)
    assert slid.owner(1, 1_001 + SLIDE_MS) == ""
    slid.lift([(1, "Ann")], 1_000)
    slid.lift([(2, "Bob")], 1_001 + SLIDE_MS)
    assert list(slid.lifted) == [2]


def test_a_chip_that_was_lifted_before_betting_began_was_taken_whenever_it_is_told() -> None:
    slid = Slid()
    slid.lift([(1, "Ann")], 900)
    slid.begin(1_000)
    slid.lift([(2, "Ann")], 950)
    slid.lift([(3, "Ann")], 1_000)
    assert [slid.owner(tag, 1_100) for tag in (1, 2, 3)] == ["", "", "Ann"]
