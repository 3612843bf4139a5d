"""What people of an event do in one round where somebody has planned it."""

from __future__ import annotations

import msgspec


class RoundPlan(msgspec.Struct, frozen=True):
    """Stakes in units by entrant and zone, the cards or the symbol that come (and how far the wheel turns, in
    compartments), who surrenders, and markers.

    What it does not say is left to chance: nobody stakes who is not named, and a poker hand is played as it comes
    unless it says what each puts in before the flop (whoever is not named folds) and who has the best hand.
    """

    stakes: dict[str, dict[str, int]] = {}
    cards: tuple[str, ...] = ()
    rests_on: str = ""
    surrender: tuple[str, ...] = ()
    passes: tuple[str, ...] = ()
    all_in: dict[str, str] = {}
    secret: dict[str, tuple[str, int]] = {}
    rebuy: tuple[str, ...] = ()
    puts: dict[str, int] | None = None
    wins: tuple[str, ...] = ()
    forward: float = 210.0
