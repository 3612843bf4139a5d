"""PokerKit as judge of Crown Poker: hand values, whole hands, and speed.

python -m tests.controller.games.poker.judge five            all 2,598,960 five-card hands
python -m tests.controller.games.poker.judge low             all low hands
python -m tests.controller.games.poker.judge boards 100000   random seven-card and Omaha boards
python -m tests.controller.games.poker.judge play 20000      random hands of every game and structure
python -m tests.controller.games.poker.judge each 10000 LOG  so many of each; LOG keeps the count for the next run
python -m tests.controller.games.poker.judge speed           hands a second, side by side
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from pathlib import Path

from pokerkit import Card, EightOrBetterLowHand, OmahaEightOrBetterLowHand, OmahaHoldemHand, StandardHighHand
from pokerkit.lookups import StandardLookup

from controller.games.poker.cards import BIT, DECK, mask_of
from controller.games.poker.evaluate import hand_values, high_value, low_value

LOOKUP = StandardLookup()
KIT: dict[str, Card] = {card: next(Card.parse(card)) for card in DECK}


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def order_faults(hands: Iterable[Sequence[str]]) -> list[str]:
    """Hands whose place among all hands differs from the judge's: both must give one value for one value."""
    ours: dict[int, int] = {}
    faults = []
    for hand in hands:
        value = high_value(mask_of(hand))
        index = LOOKUP.get_entry(KIT[card] for card in hand).index
        if ours.setdefault(index, value) != value:
            faults.append(f"{''.join(hand)}: {value} where {ours[index]} was")
    in_order = [ours[index] for index in sorted(ours)]
    if any(low >= high for low, high in pairwise(in_order)):
        faults.append("the order of values differs")
    return faults


def all_five_card_hands() -> dict[str, object]:
    began = time.perf_counter()
    faults = order_faults(combinations(DECK, 5))
    return {"proof": "five", "hands": 2_598_960, "faults": faults[:5], "seconds": round(time.perf_counter() - began)}


def low_faults() -> list[str]:
    """Every set of five different ranks, and sets with pairs: qualifying and order as the judge has them."""
    ranked: list[tuple[object, int]] = []
    faults = []
    for ranks in combinations("A23456789TJQK", 5):
        cards = [rank + suit for rank, suit in zip(ranks, "cdhsc", strict=True)]
        value = low_value(mask_of(cards))
        kit = EightOrBetterLowHand.from_game_or_none([KIT[card] for card in cards])
        if (kit is None) != (value == 0):
            faults.append(f"{ranks}: qualifies for one of the two only")
        elif kit is not None:
            ranked.append((kit, value))
    for one, two in combinations(ranked, 2):
        kit = (one[0] > two[0]) - (one[0] < two[0])  # type: ignore[operator]
        if kit != -_sign(one[1] - two[1]):
            faults.append(f"{one[0]} against {two[0]}")
    return faults


def board_faults(count: int, seed: int, *, omaha: bool) -> list[str]:
    """Two hands on a random board must compare as the judge compares them, high and low."""
    rng = random.Random(seed)
    hole = 4 if omaha else 2
    high_type, low_type = (
        (OmahaHoldemHand, OmahaEightOrBetterLowHand) if omaha else (StandardHighHand, EightOrBetterLowHand)
    )
    faults = []
    for _ in range(count):
        drawn = rng.sample(DECK, 5 + 2 * hole)
        board, hands = drawn[:5], (drawn[5 : 5 + hole], drawn[5 + hole :])
        ours = [hand_values(cards, board, omaha=omaha, hilo=True) for cards in hands]
        kit_board = [KIT[card] for card in board]
        highs = [high_type.from_game([KIT[card] for card in cards], kit_board) for cards in hands]
        lows = [low_type.from_game_or_none([KIT[card] for card in cards], kit_board) for cards in hands]
        text = f"{''.join(board)}: {' '.join(''.join(cards) for cards in hands)}"
        if _sign(ours[0][0] - ours[1][0]) != (highs[0] > highs[1]) - (highs[0] < highs[1]):
            faults.append(f"high on {text}")
        if any((low is None) != (mine[1] == 0) for low, mine in zip(lows, ours, strict=True)):
            faults.append(f"low qualifies on {text}")
        elif lows[0] is not None and lows[1] is not None:
            kit = (lows[0] > lows[1]) - (lows[0] < lows[1])
            if kit != -_sign(ours[0][1] - ours[1][1]):
                faults.append(f"low on {text}")
    return faults


def many_boards(count: int) -> dict[str, object]:
    began = time.perf_counter()
    faults = board_faults(count, 11, omaha=False)
    faults += board_faults(count // 4, 12, omaha=True)
    faults += seven_card_faults(50 * count, 13)
    return {
        "proof": "boards",
        "seven_card": count,
        "omaha": count // 4,
        "seven_card_by_fives": 50 * count,
        "faults": faults[:5],
        "seconds": round(time.perf_counter() - began),
    }


def seven_card_faults(count: int, seed: int) -> list[str]:
    """Seven cards must be worth the best of their twenty-one fives, each of which the judge has agreed to."""
    rng = random.Random(seed)
    faults = []
    for _ in range(count):
        bits = [BIT[card] for card in rng.sample(DECK, 7)]
        best = max(high_value(sum(five)) for five in combinations(bits, 5))
        if high_value(sum(bits)) != best:
            faults.append(f"{sum(bits):052b}")
    return faults


def many_hands(count: int) -> dict[str, object]:
    from tests.controller.games.poker.differential import play_against

    began = time.perf_counter()
    played = play_against(count, 21)
    return {
        "proof": "play",
        "hands": played.hands,
        "decisions": played.decisions,
        "differences": dict(played.differences),
        "faults": played.faults,
        "seconds": round(time.perf_counter() - began),
    }


def hands_of_each(count: int, log: Path) -> dict[str, object]:
    from tests.controller.games.poker.differential import play_on

    began = time.perf_counter()
    so_far = play_on(log, count, tell=lambda words: print(words, file=sys.stderr, flush=True))
    return {
        "proof": "each",
        "hands": {pair: played.hands for pair, played in so_far.items()},
        "decisions": sum(played.decisions for played in so_far.values()),
        "differences": dict(sum((played.differences for played in so_far.values()), Counter())),
        "faults": [fault for played in so_far.values() for fault in played.faults],
        "seconds": round(time.perf_counter() - began),
    }


def main(words: Sequence[str]) -> int:
    what, count = words[0] if words else "", int(words[1]) if len(words) > 1 else 0
    if what == "five":
        answer = all_five_card_hands()
    elif what == "low":
        answer = {"proof": "low", "faults": low_faults()}
    elif what == "boards":
        answer = many_boards(count or 20_000)
    elif what == "play":
        answer = many_hands(count or 2100)
    elif what == "each" and len(words) == 3:
        answer = hands_of_each(count, Path(words[2]))
    elif what == "speed":
        from tests.controller.games.poker import speed as poker_speed

        answer = {"bench": "poker hands a second", "rows": poker_speed.compare()}
    else:
        print(__doc__)
        return 2
    print(json.dumps(answer))
    return 1 if answer.get("faults") else 0


assert len(BIT) == len(KIT)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
