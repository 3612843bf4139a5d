"""Chips that another hand slides keep their owner and their name, and a war stake on the wrong box is put right."""

from __future__ import annotations

from typing import Literal

import pytest

from controller.core.events import Chip, ChipsMoved, ChipsSwept
from controller.money.slid import SLIDE_MS
from tests.controller.games.war.felt import Felt
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause

Told = Literal["lifted first", "laid first", "in one pass"]
HOW = pytest.mark.parametrize("how", ["lifted first", "laid first", "in one pass"])
Place = tuple[int, str]


def seated(house: str = MELBOURNE) -> Felt:
    """Ann on box 1, Bob on box 2."""
    felt = Felt(house)
    for box, player in enumerate(("Ann", "Bob"), 1):
        felt.press("player_card" if house == STAR else "sit", 1, box=box, player=player)
    return felt


def slide(felt: Felt, tags: list[int], start: Place, end: Place, how: Told, cents: int = 500) -> None:
    """A hand slides chips, and the mat tells of it in one of its ways."""
    lifted = ChipsMoved("chips", felt.area(*start), (), tuple(tags))
    laid = ChipsMoved("chips", felt.area(*end), tuple(Chip(tag, "cash", cents) for tag in tags))
    if how == "in one pass":
        felt.take(ChipsSwept("chips", (lifted, laid)))
    else:
        for change in (lifted, laid) if how == "lifted first" else (laid, lifted):
            felt.take(change)


@HOW
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_chips_slid_to_another_box_are_still_their_owners(house: str, how: Told) -> None:
    felt = seated(house)
    tags = felt.put(1, "main", 500, 500)
    slide(felt, tags, (1, "main"), (2, "main"), how)
    assert felt.stakes() == {("Ann", "main", 2): 1000}
    slide(felt, tags, (2, "main"), (1, "main"), how)
    assert felt.stakes() == {("Ann", "main", 1): 1000}


def test_of_a_stack_that_is_parted_each_part_is_still_its_owners() -> None:
    felt = seated()
    tags = felt.put(1, "main", 500, 500)
    felt.put(2, "main", 500)
    slide(felt, tags[:1], (1, "main"), (2, "main"), "lifted first")
    assert felt.stakes() == {("Ann", "main", 1): 500, ("Ann", "main", 2): 500, ("Bob", "main", 2): 500}


def test_chips_that_were_taken_up_are_staked_by_whoever_lays_them_next() -> None:
    felt = seated()
    tags = felt.put(1, "main", 500)
    felt.lift(1, "main", *tags)
    felt.at += SLIDE_MS
    felt.take(ChipsMoved("chips", felt.area(2, "main"), (Chip(tags[0], "cash", 500),)))
    assert felt.stakes() == {("Bob", "main", 2): 500}


@HOW
def test_a_stake_keeps_the_name_that_the_dealer_gave_it(how: Told) -> None:
    felt = Felt(MELBOURNE)
    felt.press("assign", 1, box=1, zone="main", player="Ann", wager="first")
    tags = felt.put(1, "main", 500, 500)
    slide(felt, tags, (1, "main"), (3, "main"), how)
    (stake,) = felt.game.state.round.stakes
    assert (stake.id, stake.player, stake.box, stake.amount) == ("first", "Ann", 3, 1000)


@HOW
@clause(MELBOURNE, "9.8", "5.6")
def test_a_war_stake_that_was_taken_for_a_neighbours_choice_is_its_owners_once_that_is_told(how: Told) -> None:
    felt = seated()
    for box in (1, 2):
        felt.put(box, "main", 1000)
    felt.press("no_more_bets", 1)
    for card in ("KS", "KH", "KD"):
        felt.draw(card)
    felt.press("settled", 1)
    tags = felt.put(2, "war", 1000)
    assert felt.questions() == ["choice:1:Ann"], "it is taken for Bob's choice"
    slide(felt, tags, (2, "war"), (1, "war"), how, 1000)
    felt.press("choice_missed", 1, box=2, player="Bob")
    assert felt.questions() == ["choice:2:Bob"]
    assert [mine for mine in felt.stakes() if mine[1] == "war"] == [("Ann", "war", 1)]
    assert not [code for code in felt.table.state.desk.alarms if code.startswith("moved")]
    felt.answer("choice:2:Bob", "surrender")
    assert felt.phase == "war_dealing"
