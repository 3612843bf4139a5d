"""The same no-limit hold'em hands of six players to a showdown in our poker hand, every card dealt by name: seconds."""

import json
import random
import sys
import time

from controller.games.poker.cards import DECK
from controller.games.poker.hand import apply, start
from controller.games.poker.inputs import Act, Board, Burn, CardTo, Cut, Dropped, Post, Pushed, Shuffled, Table
from controller.games.poker.positions import first_positions
from controller.games.poker.rules import PokerRules, Terms
from controller.games.poker.structures import Structure
from controller.rules.rulebook import load_rules

RULES = load_rules("melbourne-poker", PokerRules)
TERMS = Terms(RULES.games[0], Structure("no_limit", 10, 1, ()), (5, 10))
SEATS = [1, 2, 3, 4, 5, 6]
SCRIPT = (
    [Act(3, "raise", 30), *(Act(seat, "call") for seat in (4, 5, 6, 1, 2))],
    [Act(1, "bet", 20), *(Act(seat, "call") for seat in (2, 3, 4, 5, 6))],
    [Act(seat, "check") for seat in SEATS],
    [*(Act(seat, "check") for seat in (1, 2, 3, 4, 5)), Act(6, "bet", 40), *(Act(n, "call") for n in (1, 2, 3, 4, 5))],
)


def told(deck):
    """All that happens in one hand, from the blinds to the drop."""
    cards = iter(deck)
    given = [Post(1, 5), Post(2, 10), Shuffled(), Cut()]
    held = {seat: [] for seat in SEATS}
    for seat in SEATS * 2:
        held[seat].append(next(cards))
        given.append(CardTo(seat, held[seat][-1]))
    for number, actions in enumerate(SCRIPT):
        if number:
            given += [Burn(next(cards)), Board(tuple(next(cards) for _ in range(3 if number == 1 else 1)))]
        given += actions
    return [*given, *(Table(seat, tuple(held[seat])) for seat in (6, 1, 2, 3, 4, 5)), Pushed(), Dropped()]


def play(given):
    hand = start(TERMS, dict.fromkeys(SEATS, 400), first_positions(SEATS, 2, "usual"))
    for one in given:
        apply(hand, one)
    assert hand.phase == "over", hand.phase
    assert sum(player.stack for player in hand.betting.players) + hand.rake == 2400


draw = random.Random(3)
scripts = [told(draw.sample(DECK, 52)) for _ in range(50)]
begin, hands = time.process_time(), 0
while time.process_time() - begin < float(sys.argv[1]):
    play(scripts[hands % 50])
    hands += 1
print(json.dumps({"per_second": hands / (time.process_time() - begin)}))
