"""As much of a poker table as a seal over its cards needs."""

from __future__ import annotations

from controller.cards.events import CardsMoved
from controller.cards.seal import Sealer
from controller.money.dress import ChipRegister
from drivers.card_antennas import CardsSeen
from simulators.decks import simulated_decks

KEY = bytes(range(32))
DECK, OTHER = simulated_decks()
ACE = next(tag for tag, face in DECK.items() if face == "As")
KING = next(tag for tag, face in DECK.items() if face == "Ks")


class Game:
    """As much of a poker game as a sealer asks."""

    def __init__(self) -> None:
        self.salt = ""
        self.deal = 1

    def uncovered(self) -> dict[str, tuple[str, ...]]:
        return {}


def sealer(game: Game) -> Sealer:
    return Sealer(KEY, DECK, lambda: game, ChipRegister({}), lambda octets: bytes(octets))


def moved(rim: Sealer, *added: tuple[int, int], removed: tuple[tuple[int, int], ...] = ()) -> CardsMoved:
    event = rim.dress(CardsSeen("cards", added, removed))[-1]
    assert isinstance(event, CardsMoved)
    return event
