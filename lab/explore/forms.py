"""What people enter into the form of a key or an answer: of each thing it asks for, only what the page can send."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

from controller.core.desk import Ask
from firmware_specs.cards import DECK

T = TypeVar("T")
OFFERED = ("player", "names", "numbers")
"""What is chosen from what is there, as a choice always is, unless that is only suggested."""
PLAYERS = ("Ann", "Bob", "Cyd", "Dot", "Dott")
"""Two of them are easily mistaken for one another."""
AMOUNTS = (250, 500, 1_000, 2_500, 5_000, 10_000, 100_000)
TAGS = range(1_000, 1_012)
WORDS = ("as seen", "dropped cards")
SUGGESTED = 0.6
"""How often somebody is named whom the page suggests."""
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
        if not ask.choices and (ask.kind == "choice" or (ask.kind in OFFERED and not ask.suggested)):
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
            return _several([int(one) for one in _nameable(ask)] or TAGS, draw)
        case "names":
            return _several(_nameable(ask) or PLAYERS, draw)
        case "cards":
            return _several(DECK, draw)
        case "amounts":
            return " ".join(str(amount // 100) for amount in sorted(draw.sample(AMOUNTS[1:], 2)))
        case "card":
            return draw.choice(DECK)
        case "slip":
            return draw.choice(("5:40 25:20", "100:12"))
        case "player":
            return draw.choice(_nameable(ask) or _known_or_new(ask, draw))
    return draw.choice([chosen for chosen, _ in ask.choices] or WORDS)


def _nameable(ask: Ask) -> list[str]:
    """Who or what the page offers; nothing where somebody new may be named."""
    return [] if ask.suggested else [chosen for chosen, _ in ask.choices]


def _known_or_new(ask: Ask, draw: random.Random) -> Sequence[str]:
    """Whom the page suggests, or anybody."""
    suggested = [chosen for chosen, _ in ask.choices]
    return suggested if suggested and draw.random() < SUGGESTED else PLAYERS


def _several(of: Sequence[T], draw: random.Random) -> list[T]:
    return draw.sample(of, min(len(of), draw.randint(1, 2)))
