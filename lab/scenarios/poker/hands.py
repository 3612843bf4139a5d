"""Cases that name hands and a board, and what was put in, as whole hands that can be dealt and played."""

from __future__ import annotations

from typing import Any

from controller.games.poker.cards import BIT, DECK
from controller.games.poker.offers import GAMES
from controller.games.poker.positions import clockwise_from
from lab.scenarios.file import Case

KEPT = {"Pineapple Holdem", "Crazy Pineapple Holdem", "Crazy Pineapple Holdem Hi-Lo Eight Qualifier"}
HAND_KEYS = {"board", "hands", "hilo", "omaha", "pot", "chip", "button", "seats", "contributions"}


def cards_of(case: Case, place: str, given: Any) -> list[str]:
    """Cards as a list, or written one after the other."""
    if isinstance(given, str):
        given = [given[at : at + 2] for at in range(0, len(given), 2)]
    if not isinstance(given, list):
        raise case.wrong(place, "cards are a list, or written one after the other: AsKd")
    for card in given:
        if card not in BIT:
            raise case.wrong(place, f"{card!r} is no card; write rank and suit, as in As or Td")
    if len(set(given)) != len(given):
        raise case.wrong(place, "a card stands twice")
    return list(given)


def as_whole_hand(case: Case) -> dict[str, Any]:
    """A case's question as a hand: these cards, this board, so much in the pot."""
    inputs = case.body["inputs"]
    if not isinstance(inputs, dict) or not {"hands", "board"} <= set(inputs) or not set(inputs) <= HAND_KEYS:
        raise case.wrong(
            "inputs",
            "this asks the rules a single question and is no hand that can be played; give seats, deck and actions",
        )
    chip = inputs.get("chip", 1)
    hands = {int(seat): cards_of(case, f"inputs: hands: {seat}", cards) for seat, cards in inputs["hands"].items()}
    board = cards_of(case, "inputs: board", inputs["board"])
    button = int(inputs.get("button", max(hands)))
    put_in, blinds = _contributions(case, inputs, hands, button, chip)
    seats = sorted(put_in)
    order = clockwise_from(button, seats)
    used = {card for cards in hands.values() for card in cards} | set(board)
    spare = [card for card in DECK if card not in used]
    third = case.body.get("game") in KEPT
    holds = {seat: [*hands[seat], *([spare.pop()] if third else [])] for seat in hands}
    size = max(len(cards) for cards in holds.values())
    holds |= {seat: [spare.pop() for _ in range(size)] for seat in seats if seat not in hands}
    deck = [holds[seat][number] for number in range(size) for seat in order]
    for street in (board[:3], board[3:4], board[4:5]):
        deck += [spare.pop(), *street]
    actions = [{"do": "discard", "seat": seat, "card": holds[seat][-1]} for seat in hands] if third else []
    contested = "pot" in inputs or "contributions" in inputs
    return {
        **{key: case.body[key] for key in ("id", "rulebook", "expected") if key in case.body},
        "config": {
            "game": case.body.get("game", GAMES["holdem"]),
            "structure": "no_limit",
            "chip": chip,
            "blinds": blinds,
        },
        "seats": {seat: put_in[seat] if seat in hands and contested else 1000 * chip for seat in seats},
        "button": button,
        "deck": deck,
        "actions": [*(_all_in(order, hands, put_in, blinds) if contested else []), *actions],
    }


def _contributions(
    case: Case, inputs: dict[str, Any], hands: dict[int, list[str]], button: int, chip: Any
) -> tuple[dict[int, Any], list[Any]]:
    """What each seat puts in; the rest of a pot that does not divide comes from a small blind that folds."""
    if "contributions" in inputs:
        return {int(seat): amount for seat, amount in inputs["contributions"].items()}, [chip, 2 * chip]
    if "pot" not in inputs:
        return dict.fromkeys(hands, 0), [chip, 2 * chip]
    pot = inputs["pot"]
    each = pot // len(hands) // chip * chip
    rest = pot - each * len(hands)
    put_in = dict.fromkeys(hands, each)
    if not rest:
        return put_in, [chip, 2 * chip]
    after = clockwise_from(button, list(hands))[0]
    free = [seat for seat in clockwise_from(button, range(1, 10)) if seat not in hands]
    first = [seat for seat in free if clockwise_from(button, [seat, after])[0] == seat]
    if not first or 2 * rest > each:
        raise case.wrong("inputs: pot", f"{pot} cannot be put together by these seats")
    put_in[first[0]] = rest
    return put_in, [rest, 2 * rest]


def _all_in(
    order: list[int], hands: dict[int, list[str]], put_in: dict[int, Any], blinds: list[Any]
) -> list[dict[str, Any]]:
    """Everybody who shows a hand goes all-in in turn; who does not puts the chips in and folds (6.17)."""
    turn = [*order[2:], *order[:2]] if len(order) > 2 else order
    posted = dict(zip(order, blinds, strict=False))
    actions: list[dict[str, Any]] = []
    waiting = [seat for seat in turn if seat not in hands]
    for seat in [seat for seat in turn if seat in hands]:
        actions.append({"do": "all_in", "seat": seat})
    for seat in waiting:
        # A seat that folds acts once the others have wagered; out of its turn its cards would go in too early.
        at = sum(turn.index(other) < turn.index(seat) for other in hands)
        more = put_in[seat] - posted.get(seat, 0)
        steps: list[dict[str, Any]] = [{"seat": seat, "chips": more, "single": False}] if more > 0 else []
        actions[at:at] = [*steps, {"do": "fold", "seat": seat}]
    return actions
