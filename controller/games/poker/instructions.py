"""What the dealer is told to do and what a player may do, in words."""

from __future__ import annotations

from controller.games.poker.betting import Options
from controller.games.poker.cards import face_in_words, is_face
from controller.games.poker.commission import destination
from controller.games.poker.hand import expected
from controller.games.poker.outputs import Prompt, Refused
from controller.games.poker.remedies import Step
from controller.games.poker.state import Hand
from controller.money.amounts import dollars

_STEPS = {
    "take_back": "Take back {cards}.",
    "shuffle_stub": "Shuffle the stub.",
    "cut": "Cut the stub.",
    "to_burn": "Lay {cards} to the burns.",
    "to_muck": "Lay {cards} into the muck.",
    "set_aside": "Set {cards} aside.",
    "shuffle_in_aside": "Shuffle {cards} into the stub.",
    "move_card": "Move the card to seat {seat}.",
    "give_top_card": "Give seat {seat} the top card.",
    "swap_with_top_card": "Give seat {seat} the top card for the one that was shown, which becomes the first burn.",
    "return_to_top": "Put {cards} back on top of the deck.",
}
_NEXT = {
    "shuffle": "Shuffle the deck.",
    "cut": "Cut the deck.",
    "burn": "Burn a card.",
    "push": "Push the pots.",
}


def step_words(step: Step) -> str:
    """What the dealer does next; cards that nobody has seen are not named."""
    open_cards = [face_in_words(card) for card in step.cards if is_face(card)]
    sealed = len(step.cards) - len(open_cards)
    if sealed:
        open_cards.append("the card" if sealed == 1 else f"{sealed} cards")
    return _STEPS[step.kind].format(cards=", ".join(open_cards), seat=step.seat)


def legal_words(may: Options | None) -> str:
    """What the seat in turn may do."""
    if may is None:
        return ""
    ways = [f"call {dollars(may.to_call)}" if may.to_call else "check"]
    if may.raise_max:
        word = "bet" if may.opening else "raise to"
        span = dollars(may.raise_min)
        if may.raise_max > may.raise_min:
            span += f" up to {dollars(may.raise_max)}"
        ways.append(f"{word} {span}")
    return f" Seat {may.seat} may {', '.join(ways)} or fold."


def refusal_text(refused: Refused) -> str:
    """Why something cannot be taken, and what could be."""
    return refused.text[:1].upper() + refused.text[1:] + "." + legal_words(refused.legal)


def request_words(prompt: Prompt) -> str:
    """What the dealer sees to because of how a player acted."""
    seat, amount = prompt.seat, dollars(prompt.amount)
    match prompt.what:
        case "short call":
            return f"Seat {seat} adds {amount} to call, or folds and leaves what it put in."
        case "complete the wager":
            return f"Seat {seat} adds {amount} to complete its wager."
        case "return the chips":
            return f"Return {amount} to seat {seat}: its first wager counts."
        case "early action overtaken":
            return f"Seat {seat} acted early and is overtaken; ask: {', '.join(prompt.choices)}."
        case "short_flop":
            return f"The flop is short of {prompt.amount}; add from the top."
    return f"{prompt.what.replace('_', ' ').capitalize()}: {', '.join(prompt.choices)}."


def drop_words(hand: Hand) -> str:
    """Where the commission goes."""
    where, _ = destination(hand.terms.commission)
    place = "the chip box" if where == "chip_box" else "the float"
    return f"Drop {dollars(hand.rake + hand.fees)} into {place}."


def next_words(hand: Hand) -> str:
    """What the dealer has to do next."""
    if hand.ruling is not None and hand.ruling.steps:
        return step_words(hand.ruling.steps[0])
    wanted = expected(hand)
    seats = ", ".join(str(seat) for seat in wanted.seats)
    match wanted.what:
        case "blind" | "fee":
            return f"Seat {seats}: {wanted.what} of {dollars(wanted.amount)}."
        case "card":
            return f"Card to seat {seats}."
        case "board":
            return f"Turn up {wanted.amount} on the board."
        case "action":
            return legal_words(wanted.options).strip()
        case "show":
            return f"Seat {wanted.seats[0]} shows first." if wanted.seats else ""
        case "discard":
            return f"Seats {seats} give up a card."
        case "drop":
            return drop_words(hand)
    return _NEXT.get(wanted.what, "")
