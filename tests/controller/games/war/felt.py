"""A Casino War table that sees chips and cards through its devices, and what is done at it."""

from __future__ import annotations

from typing import Any

from controller.core.desk import Limits
from controller.core.effects import Announced, AnyEffect, Desired
from controller.core.events import Chip, ChipsCounted, ChipsMoved
from controller.core.table import Table
from controller.games.war.config import WarConfig, house_of
from controller.games.war.game import WarGame
from drivers.cards import CardDrawn
from drivers.events import DeviceDown, DeviceUp
from tests.controller.games.war.play import BURN, MELBOURNE, STAR, Play

LIMITS = Limits(500, 50000, 0, 250)


class Felt(Play):
    """A table that sees chips and cards through its devices."""

    tray: tuple[int, ...] = ()
    """What the chips in the float tray are worth, where antennas watch it; their tags begin at 10,000."""
    burns: bool = True
    """Whether what a new shoe burns was burned."""

    def __init__(self, rulebook: str, limits: Limits = LIMITS, **config: Any) -> None:
        places = frozenset({"chips", "shoe"})
        self.table = Table(house_of(rulebook), limits, places, sign_needed=False, float_tray=bool(self.tray))
        self.game = WarGame(self.table, WarConfig(**{"decks": 6, **config}))
        self.table.game = self.game
        self.effects: list[AnyEffect] = []
        self.seq = self.at = self.tags = self.draws = 0
        for place in sorted(places):
            self.take(DeviceUp(place, place, "SIM", "1.0"))
        if self.tray:
            chips = (Chip(tag, "cash", cents) for tag, cents in enumerate(self.tray, start=10_000))
            self.take(ChipsCounted("chips", {0: tuple(chips)}))
        self.press("open")
        self.press("check_cards", how="by hand")
        self.press("shuffled")
        self.answer("cut", "cut")
        for card in BURN[rulebook] if self.burns else ():
            self.draw(card)

    def draw(self, card: str) -> list[AnyEffect]:
        self.draws += 1
        return self.take(CardDrawn("shoe", self.draws, card, 99))

    def area(self, box: int, zone: str) -> int:
        found = self.game.layout.area(box, zone)
        assert found is not None
        return found

    def put(self, box: int, zone: str, *cents: int, partial: bool = False, kind: str = "cash") -> list[int]:
        tags = list(range(self.tags + 1, self.tags + 1 + len(cents)))
        self.tags += len(cents)
        chips = tuple(Chip(tag, kind, value) for tag, value in zip(tags, cents, strict=True))
        self.take(ChipsMoved("chips", self.area(box, zone), chips, partial=partial))
        return tags

    def lift(self, box: int, zone: str, *tags: int) -> None:
        self.take(ChipsMoved("chips", self.area(box, zone), (), tags))

    def stakes(self) -> dict[tuple[str, str, int], int]:
        return {(s.player, s.zone, s.box): s.amount for s in self.game.state.round.stakes if s.live}

    def said(self, code: str) -> list[Announced]:
        return [effect for effect in self.effects if isinstance(effect, Announced) and effect.code == code]

    def gate(self) -> bool:
        """Whether the gate is to be locked."""
        wanted = [effect for effect in self.effects if isinstance(effect, Desired) and effect.device == "shoe"]
        return bool(wanted[-1].outputs["locked"])


def owed(felt: Felt) -> list[tuple[str, str, int]]:
    return [(one.bet, one.kind, one.cents) for one in felt.game.money.findings()]


def at_war(method: str) -> Felt:
    """Ann and Bob tie with their chips on the felt; Bob surrenders and Ann goes to war."""
    felt = Felt(MELBOURNE, war_method=method)
    for box, player in ((1, "Ann"), (2, "Bob")):
        felt.press("sit", 1, box=box, player=player)
        felt.put(box, "main", 1000)
    felt.press("no_more_bets", 1)
    for card in ("KS", "KH", "KD"):
        felt.draw(card)
    assert felt.press("settled", 1)
    felt.answer("choice:2:Bob", "surrender")
    assert owed(felt) == [("main 2", "not_collected", 500)]
    felt.answer("choice:1:Ann", "war")
    felt.put(1, "war", 1000)
    assert felt.phase == "war_dealing"
    return felt


def felt_with(*players: str, house: str = MELBOURNE, **config: Any) -> Felt:
    """These players seated with $10 on their box, and the bets closed."""
    felt = Felt(house, **config)
    for box, player in enumerate(players, 1):
        felt.press("player_card" if house == STAR else "sit", 1, box=box, player=player)
        felt.put(box, "main", 1000)
    felt.press("no_more_bets", 1)
    return felt


def drawn(felt: Felt, *cards: str) -> None:
    for card in cards:
        felt.draw(card)


def forgot(felt: Felt) -> None:
    """The shoe loses its power and comes back without its memory."""
    felt.take(DeviceDown("shoe", "no power", "look"))
    felt.take(DeviceUp("shoe", "shoe", "SIM", "1.0", lost=True))
