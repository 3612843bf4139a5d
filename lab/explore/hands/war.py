"""Cards that leave a shoe in every way they can."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, ClassVar

import msgspec

from controller.core.effects import Moved
from drivers.cards import CardDrawn, CardPushedBack, CardUnread, CuttingCard, GateForced, TwoDrawn
from firmware_specs.cards import DECK
from lab.explore import steps
from lab.explore.forms import PLAYERS
from lab.explore.steps import AnyStep, Card
from lab.explore.table import ExploredTable

SHOE = "shoe"
SURE = 99
FILLED_ANEW = ("shuffled", "cards_replaced", "cut")
"""Moves of the round after which all cards lie in the shoe again."""
SEATED = 3
"""Boxes whose players a crew knows by name."""
ODD = ("??", "JOKER", "FOREIGN", "CUT")


class WarHands:
    """The dealer's hand at the shoe; which cards are still inside is kept here, as no table can see them."""

    onward: ClassVar[dict[str, tuple[str, ...]]] = {
        "unchecked": ("check_cards",),
        "unshuffled": ("shuffled",),
        "reshuffling": ("shuffled",),
        "blocked": ("notified", "deck_checked", "replace_cards"),
        "betting": ("deck_checked",),
        "closed": ("deck_checked", "place_bets"),
        "interim": ("settled",),
        "final": ("settled",),
        "over": ("place_bets", "fed"),
    }
    heeded: ClassVar[dict[str, str]] = {"set_aside": "replace_card"}
    first: ClassVar[dict[str, str]] = {"check_due": "deck_checked", "steps_open": "notified"}
    remedies = (
        "sit", "player_card", "assign", "choice", "notified", "deck_checked", "replace_card", "replace_cards", "fed",
        "shuffled", "skip_burn", "house_chips", "no_more_bets", "place_bets", "settled", "dispute", "review",
        "inquiry_over", "allow_several", "void_round",
    )  # fmt: skip
    resting = ("over",)
    betting = ("betting",)

    def __init__(self) -> None:
        self._out: Counter[str] = Counter()
        self._heard = 0
        self._seated: dict[int, int] = {}

    def tell(self, table: ExploredTable, step: AnyStep) -> list[msgspec.Struct] | None:
        if SHOE in table.down:
            return None
        match step:
            case steps.PushBack():
                return self._pushed_back(table)
            case Card():
                return self._left(table, step)
        return None

    def _left(self, table: ExploredTable, step: Card) -> list[msgspec.Struct]:
        self._fill(table)
        self._out[step.face] += 1
        table.draws += 1
        forced: list[msgspec.Struct] = [GateForced(SHOE, table.draws)] if step.forced else []
        if step.second:
            self._out[step.second] += 1
            table.draws += 1
            numbers = (table.draws - 1, table.draws)
            return [*forced, TwoDrawn(SHOE, numbers, (step.face, step.second), not step.face_up)]
        return [*forced, _told(step, table.draws)]

    def _pushed_back(self, table: ExploredTable) -> list[msgspec.Struct] | None:
        last = next((row.event for row in reversed(table.rows) if isinstance(row.event, CardDrawn)), None)
        if last is None or last.draw != table.draws:
            return None
        self._out[last.card] -= 1
        return [CardPushedBack(SHOE, last.draw, last.card, True)]

    # -- which step --------------------------------------------------------------------------------------------

    def any(self, table: ExploredTable, draw: random.Random) -> AnyStep | None:
        kind = draw.random()
        face = self._face(table, draw)
        if kind < 0.5:
            return Card(face, forced=_locked(table))
        if kind < 0.65:
            return Card(face, second=self._face(table, draw), face_up=draw.random() < 0.3)
        if kind < 0.75:
            return Card(face, face_up=True)
        return steps.PushBack() if kind < 0.8 else Card(draw.choice(ODD))

    def next(self, table: ExploredTable, draw: random.Random) -> AnyStep | None:
        game: Any = table.table.game
        expected = game.view()["next"] or table.state == "burning"
        if expected and _locked(table) and (call := table.offered("no_more_bets")):
            return steps.Press(call.name, max(call.rank, 1))
        if not expected or _locked(table) or SHOE in table.down or not table.table.playing:
            return None
        return Card(self._face(table, draw))

    def before_staking(self, table: ExploredTable) -> AnyStep | None:
        """The players of the first boxes sit down, or have their cards read, once a round."""
        key = table.offered("player_card") or table.offered("sit")
        for box in range(1, SEATED + 1):
            if key is not None and self._seated.get(box) != table.rounds:
                self._seated[box] = table.rounds
                return steps.Press(key.name, max(key.rank, 1), {"box": box, "player": PLAYERS[box]})
        return None

    def _face(self, table: ExploredTable, draw: random.Random) -> str:
        self._fill(table)
        decks = table.table.game.state.shoe.cards.decks  # type: ignore[attr-defined]
        inside = [face for face in DECK if self._out[face] < decks]
        return draw.choice(inside or DECK)

    def _fill(self, table: ExploredTable) -> None:
        for row in table.rows[self._heard :]:
            if any(isinstance(effect, Moved) and effect.trigger in FILLED_ANEW for effect in row.effects):
                self._out.clear()
        self._heard = len(table.rows)

    def stakes(self, table: ExploredTable) -> list[int]:
        layout = table.table.game.layout  # type: ignore[attr-defined]
        return [layout.area(box, "main") for box in range(1, layout.boxes + 1)]


def hands() -> WarHands:
    return WarHands()


def _locked(table: ExploredTable) -> bool:
    return bool(table.table.state.outputs.get(SHOE, {}).get("locked"))


def _told(step: Card, number: int) -> msgspec.Struct:
    match step.face:
        case "CUT":
            return CuttingCard(SHOE, number)
        case "??":
            return CardUnread(SHOE, number, "unreadable")
        case "JOKER":
            return CardUnread(SHOE, number, "joker")
        case "FOREIGN":
            return CardUnread(SHOE, number, "foreign")
    if step.face_up:
        return CardUnread(SHOE, number, "face_up", ((step.face, SURE),), True)
    return CardDrawn(SHOE, number, step.face, SURE)
