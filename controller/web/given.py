"""What a person told with a key or an answer, in the words of its form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from controller.core.desk import Ask
from controller.money.amounts import dollars

SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
BESIDES = ("accept", "accept_why")
"""Told once the table has refused; a record has its reason in a place of its own."""


def given(asks: Iterable[Ask], args: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Each thing that was told, by its label."""
    told = ((ask, args.get(ask.name)) for ask in asks if ask.kind not in BESIDES)
    return [
        (ask.label or ask.name.replace("_", " ").capitalize(), text)
        for ask, value in told
        if (text := _in_words(ask, value))
    ]


def _in_words(ask: Ask, value: Any) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, list | tuple):
        return ", ".join(_in_words(ask, one) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{what} {count}" for what, count in value.items())
    match ask.kind:
        case "money" | "amounts" if isinstance(value, int):
            return dollars(value)
        case "card" | "cards":
            return _face(str(value))
        case "choice":
            return next((label for code, label in ask.choices if code == str(value)), str(value).replace("_", " "))
    return str(value)


def _face(card: str) -> str:
    rank, suit = card[:-1].upper().replace("T", "10"), SUITS.get(card[-1:].upper())
    return f"{rank}{suit}" if suit else card
