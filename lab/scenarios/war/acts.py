"""What people and machines do when a written case is played; whoever plays it carries these out."""

from __future__ import annotations

from typing import Any, NamedTuple

DEALER = 1
OWN = "~"
"""Wagers and players whose names begin so are none of the case: they only bring about what it tells."""


class Lay(NamedTuple):
    """A player lays a stake."""

    wager: str
    player: str
    box: int
    zone: str
    amount: int
    token: bool = False


class Draw(NamedTuple):
    """The dealer draws a card, or several come together; `how` where the reader fails, `seen` what it then tells."""

    cards: tuple[str, ...]
    order_known: bool = True
    how: str = ""
    seen: str = ""


class Press(NamedTuple):
    """Somebody of at least this rank presses a key; `about` names the event of the case that it brings about."""

    key: str
    args: dict[str, Any]
    rank: int = DEALER
    about: str = ""


class Answer(NamedTuple):
    """Somebody of at least this rank answers a question."""

    prompt: str
    answer: str
    args: dict[str, Any]
    rank: int


class Stop(NamedTuple):
    """The shuffler stops."""

    cause: str


Action = Lay | Draw | Press | Answer | Stop
