"""Hands a second: our hand and PokerKit's fully automated state on the same scripted hands, to showdown."""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Sequence

from pokerkit import Automation

from controller.games.poker.cards import DECK
from controller.games.poker.hand import apply
from controller.games.poker.inputs import Act, Board, Burn, CardTo, Cut, Dropped, Input, Post, Pushed, Shuffled, Table
from tests.controller.games.poker.dealer import RULES
from tests.controller.games.poker.differential import AUTOMATIONS, kit_state, our_hand

STACK = 400
EVERYTHING = (*AUTOMATIONS, Automation.CARD_BURNING, Automation.HOLE_DEALING, Automation.BOARD_DEALING)


@functools.cache
def script(count: int) -> list[list[tuple[int, str, int]]]:
    """Four betting rounds that keep everybody in: (seat, action, total), seat 1 left of the button."""
    order = list(range(1, count + 1))
    first = [*order[2:], *order[:2]] if count > 2 else [2, 1]
    rounds = [[(first[0], "raise", 30), *((seat, "call", 0) for seat in first[1:])]]
    rounds.append([(order[0], "bet", 20), *((seat, "call", 0) for seat in order[1:])])
    rounds.append([(seat, "check", 0) for seat in order])
    rounds.append([*((seat, "check", 0) for seat in order[:-1]), (order[-1], "bet", 40)])
    rounds[3] += [(seat, "call", 0) for seat in order[:-1]]
    return rounds


def our_inputs(count: int, deck: Sequence[str]) -> list[Input]:
    """Everything that is told to our hand, burns and sealed hole cards included."""
    cards = iter(deck)
    blinds = ((1, 5), (2, 10)) if count > 2 else ((2, 5), (1, 10))
    given: list[Input] = [Post(seat, amount) for seat, amount in blinds]
    given += [Shuffled(), Cut()]
    hole: dict[int, list[str]] = {seat: [] for seat in range(1, count + 1)}
    for number in range(2 * count):
        seat = number % count + 1
        card = next(cards)
        hole[seat].append(card)
        given.append(CardTo(seat, card))
    for number, actions in enumerate(script(count)):
        if number:
            given += [Burn(next(cards)), Board(tuple(next(cards) for _ in range(3 if number == 1 else 1)))]
        given += [Act(seat, kind, total) for seat, kind, total in actions]  # type: ignore[arg-type]
    shown = [count, *range(1, count)]
    given += [Table(seat, tuple(hole[seat])) for seat in shown]
    return [*given, Pushed(), Dropped()]


def play_ours(count: int, given: Sequence[Input]) -> list[int]:
    hand = our_hand(RULES.games[0], "no_limit", [STACK] * count)
    for one in given:
        apply(hand, one)
    assert hand.phase == "between_hands", hand.phase
    return [player.stack for player in hand.betting.players]


def play_kit(count: int) -> list[int]:
    state = kit_state(RULES.games[0], "no_limit", [STACK] * count, EVERYTHING, as_it_comes=True)
    for actions in script(count):
        for _, kind, total in actions:
            if kind in ("bet", "raise"):
                state.complete_bet_or_raise_to(total)
            else:
                state.check_or_call()
    assert not state.status
    return list(state.stacks)


def compare(slices: int = 8, each: float = 0.25) -> list[dict[str, float]]:
    """Both in turn, slice by slice in one run, so that a busy machine slows them alike; two, six and nine players."""
    rng = random.Random(3)
    rows = []
    for count in (2, 6, 9):
        hands = [our_inputs(count, rng.sample(DECK, 52)) for _ in range(50)]
        ours = kit = 0
        ours_took = kit_took = 0.0
        for _ in range(slices):
            began = time.process_time()
            while time.process_time() - began < each:
                play_ours(count, hands[ours % 50])
                ours += 1
            ours_took += time.process_time() - began
            began = time.process_time()
            while time.process_time() - began < each:
                play_kit(count)
                kit += 1
            kit_took += time.process_time() - began
        mine, theirs = ours / ours_took, kit / kit_took
        rows.append(
            {"players": count, "ours": round(mine), "pokerkit": round(theirs, 1), "times": round(mine / theirs, 1)}
        )
    return rows
