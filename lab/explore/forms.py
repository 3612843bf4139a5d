"""What people enter into the form of a key or an answer: of each thing it asks for, only what the page can send."""

from __future__ import annotations

import random
from typing import Any

from controller.core.desk import Ask
from firmware_specs.cards import DECK

PLAYERS = ("Ann", "Bob", "Cyd", "Dot")
AMOUNTS = (250, 500, 1_000, 2_500, 5_000, 10_000, 100_000)
TAGS = range(1_000, 1_012)
WORDS = ("as seen", "dropped cards")
LEAVE_OUT = 0.5
"""How often something optional is left empty."""


class NoForm(Exception):
    """The form has a choice to make and nothing to choose from, so that nobody can send it."""


def filled(
    asks: tuple[Ask, ...], draw: random.Random, plainly: bool = False, cards: tuple[str, ...] = ()
) -> dict[str, Any]:
    """A filled form; `plainly` enters only what must be entered, and `cards` are those that the page speaks of."""
    entered = {}
    for ask in asks:
        if ask.kind.startswith("accept"):
            continue
        if ask.optional and (plainly or draw.random() < LEAVE_OUT):
            continue
        if ask.kind == "choice" and not ask.choices:
            if ask.optional:
                continue
            raise NoForm(ask.name)
        entered[ask.name] = draw.choice(cards) if ask.kind == "card" and cards else _entered(ask, draw)
    return entered


def _entered(ask: Ask, draw: random.Random) -> Any:
    match ask.kind:
        case "choice":
            value = draw.choice(ask.choices)[0]
            return int(value) if ask.number else value.split(" ") if ask.several else value
        case "flag":
            return draw.random() < 0.5
        case "money":
            return draw.choice(AMOUNTS)
        case "number":
            return draw.randint(1, 9)
        case "rate":
            return draw.choice((2.5, 5, 7.25, 11))
        case "numbers":
            return draw.sample(TAGS, draw.randint(1, 2))
        case "names":
            return draw.sample(DECK if ask.name in ("faces", "damaged") else PLAYERS, draw.randint(1, 2))
        case "amounts":
            return " ".join(str(amount // 100) for amount in sorted(draw.sample(AMOUNTS[1:], 2)))
        case "card":
            return draw.choice(DECK)
        case "slip":
            return draw.choice(("5:40 25:20", "100:12"))
        case "player":
            return draw.choice(PLAYERS)
    return draw.choice([chosen for chosen, _ in ask.choices] or WORDS)
