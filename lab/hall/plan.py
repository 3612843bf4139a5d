"""What people of an event do in one round where somebody has planned it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec

from firmware_specs.cards import DECK


class BadPlan(Exception):
    """A round that nobody can play so: who or what is not there."""


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

    def strange(self, here: Collection[str], zones: Collection[str]) -> Iterator[str]:
        """Who is not at the table, which place is not on its felt, which card is in no deck."""
        named = [*self.stakes, *self.surrender, *self.passes, *self.all_in, *self.secret, *self.rebuy,
                 *(self.puts or ()), *self.wins]  # fmt: skip
        yield from (f"{who} does not play here" for who in dict.fromkeys(named) if who not in here)
        places = [zone for laid in self.stakes.values() for zone in laid]
        places += [*self.all_in.values(), *(zone for zone, _ in self.secret.values())]
        places += [self.rests_on] if self.rests_on else []
        yield from (f"no {zone!r} here; there is {', '.join(zones) or 'nothing to stake on'}"
                    for zone in dict.fromkeys(places) if zone not in zones)  # fmt: skip
        yield from (f"{card!r} is in no deck" for card in self.cards if card not in DECK)
