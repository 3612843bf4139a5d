"""Poker hands in the open hand history format, read back by PokerKit: every exported hand ends with the same stacks."""

from __future__ import annotations

import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.config.tomlread import Cents
from controller.config.types import TableConfig
from controller.journal.file import JournalFile
from floor.exports.hands import Act, Hands, LeftOut, PokerHand
from floor.exports.phh import Unsaid, phh
from lab.needs import POKERKIT
from lab.sim.config import default_config
from lab.sim.table import play_rounds, shift_for
from tests.needed import needed

ROUNDS = 60
PLAYED = [
    # game, structure, big blind in cents, seats
    ("holdem", "no_limit", 500, 6),
    ("holdem", "no_limit", 10_000, 6),
    ("holdem", "fixed", 2_500, 9),
    ("holdem", "pot_limit", 5_000, 2),
    ("holdem", "spread", 1_000, 6),
    ("omaha", "pot_limit", 10_000, 6),
    ("omaha", "half_pot", 2_500, 9),
    ("omaha_hilo", "fixed", 500, 6),
]


def table(game: str, structure: str, blind: int, seats: int) -> TableConfig:
    config = default_config("poker")
    levels = tuple(Cents(blind * size) for size in (1, 1, 2, 2)) if structure == "fixed" else ()
    most = Cents(4 * blind) if structure == "spread" else None
    blinds = (Cents(blind // 2), Cents(blind))
    play = msgspec.structs.replace(
        config.play, game=game, structure=structure, levels=levels, most=most, blinds=blinds, straddle=seats == 9
    )
    limits = msgspec.structs.replace(config.limits, min=Cents(blind))
    return msgspec.structs.replace(
        config, play=play, limits=limits, seats=msgspec.structs.replace(config.seats, count=seats)
    )


def played(folder: Path, *terms: Any, rounds: int = ROUNDS, seed: int = 5) -> list[PokerHand | LeftOut]:
    config = table(*terms)
    play_rounds(config, folder / "poker.sqlite", seed, rounds, shift_for(config))
    journal = JournalFile.read_only(folder / "poker.sqlite")
    found = list(Hands().follow(journal.rows()))
    journal.close()
    return found


def stacks_by_the_judge(text: str, hand: PokerHand) -> tuple[int, ...]:
    """What PokerKit makes of a hand, with the commission of each pot and the lowest chip that our own fields name."""
    from pokerkit import HandHistory

    rake = {
        sum(hand.pots[first:last]): sum(hand.rake_by_pot[first:last])
        for first in range(len(hand.pots))
        for last in range(first + 1, len(hand.pots) + 1)
    }
    chip = hand.terms.structure.chip

    def taken(amount: int, state: Any) -> tuple[int, int]:
        part = min(amount, hand.rake) if sum(state.statuses) == 1 else rake.get(amount, 0)
        return part, amount - part

    def shared(amount: int, among: int) -> tuple[int, int]:
        part = amount // among // chip * chip
        return part, amount - among * part

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of folds that were free, which people do
        *_, state = HandHistory.loads(text, rake=taken, divmod=shared)
    return tuple(state.stacks)


@pytest.mark.parametrize("terms", PLAYED, ids=lambda terms: "-".join(map(str, terms)))
def test_every_exported_hand_ends_with_the_same_stacks_in_pokerkit(tmp_path: Path, terms: tuple[Any, ...]) -> None:
    needed(POKERKIT, "no exported hand was read back")
    read, left_out = 0, Counter[str]()
    for hand in played(tmp_path, *terms):
        if isinstance(hand, LeftOut):
            left_out[hand.why] += 1
            continue
        assert sum(hand.finishing) + hand.rake == sum(hand.starting)
        try:
            text = phh(hand, "Test")
        except Unsaid as unsaid:
            left_out[str(unsaid)] += 1
            continue
        assert stacks_by_the_judge(text, hand) == hand.finishing
        read += 1
    assert read + left_out.total() == ROUNDS
    assert read > ROUNDS * 3 // 4
    assert set(left_out) <= {
        "something went wrong in it, and a person ruled on it",
        "a pot was won at the showdown by a hand that nobody saw",
    }


@pytest.mark.parametrize("game", ["pineapple", "crazy_pineapple", "crazy_pineapple_hilo", "holdem_hilo"])
def test_games_that_the_format_does_not_know_are_left_out_with_the_reason(tmp_path: Path, game: str) -> None:
    hands = [hand for hand in played(tmp_path, game, "no_limit", 500, 6, rounds=6) if isinstance(hand, PokerHand)]
    assert hands
    for hand in hands:
        with pytest.raises(Unsaid, match="the format has no"):
            phh(hand, "Test")


def test_no_card_is_told_that_was_not_tabled(tmp_path: Path) -> None:
    needed(POKERKIT, "no exported hand was read back")
    from pokerkit import HandHistory

    hands = [hand for hand in played(tmp_path, *PLAYED[0], rounds=20) if isinstance(hand, PokerHand)]
    assert any(hand.shown for hand in hands)
    for hand in hands:
        read = HandHistory.loads(phh(hand, "Southbank"))
        dealt = [one for one in read.actions if one.startswith("d dh")]
        assert all(one.endswith(" ????") for one in dealt)
        place = {seat: f"p{number}" for number, seat in enumerate(hand.seats, 1)}
        told = {one.split()[0]: one.split()[2] for one in read.actions if " sm " in one and "??" not in one}
        assert told == {place[seat]: "".join(cards) for seat, cards in hand.shown}
        assert (read.venue, read.table, read.hand) == ("Southbank", hand.table, hand.round)
        assert read.user_defined_fields["_rake"] == hand.rake
        assert tuple(read.finishing_stacks or ()) == hand.finishing


def test_wagers_that_the_acts_do_not_lead_to_are_left_out(tmp_path: Path) -> None:
    hand = next(one for one in played(tmp_path, *PLAYED[0], rounds=3) if isinstance(one, PokerHand))
    phh(hand, "Test")
    more = (hand.staked[0] + 250, *hand.staked[1:])
    with pytest.raises(Unsaid, match="put right by more than its acts"):
        phh(msgspec.structs.replace(hand, staked=more), "Test")


def test_more_raises_than_the_format_has_are_left_out(tmp_path: Path) -> None:
    hand = next(one for one in played(tmp_path, *PLAYED[-1], rounds=3) if isinstance(one, PokerHand))
    raises = tuple(Act(1, hand.seats[number % 2], "raise", 500 * number) for number in range(2, 8))
    with pytest.raises(Unsaid, match="more raises"):
        phh(msgspec.structs.replace(hand, steps=raises), "Test")
