"""Cards that leave a shoe in every way they can."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any, ClassVar

import msgspec

from controller.config.tomlread import Cents
from controller.config.types import Bounds, PersonalLimit, TableConfig
from controller.core.effects import AnyEffect, Moved, Noted
from controller.core.events import Command
from controller.core.take_back import correction
from controller.games.war.config import WarSection
from controller.games.war.rules import war_rules
from controller.rules.rulebook import load_rulebook
from drivers.cards import CardDrawn, CardPushedBack, CardReadAgain, CardUnread, CuttingCard, GateForced, TwoDrawn
from drivers.shoe import ShoeEmpty, ShoeLoaded
from drivers.shuffler import (
    DeckChecked,
    ShufflerLoaded,
    ShufflerMode,
    ShufflerPoweredUp,
    ShufflerState,
    ShufflerSwapped,
)
from firmware_specs.cards import DECK
from lab.explore import steps
from lab.explore.forms import PLAYERS
from lab.explore.hands import NoOrders, two_signatures
from lab.explore.steps import AnyStep, Card, Piece
from lab.explore.table import CHIPS, ExploredTable
from lab.sim.config import default_config

SHOE, SHUFFLER = "shoe", "shuffler"
SHUFFLERS_OWN = 0.85
"""Above this, what happens at a shuffler is its own doing and no hand's."""
SURE = 99
FILLED_ANEW = ("shuffled", "cards_replaced", "cut")
"""Moves of the round after which all cards lie in the shoe again."""
IN_A_ROUND = ("reshuffling", "recutting")
"""Where they are shuffled in the middle of a round, so that its own cards stay on the layout."""
GATHERED = ("cut", "discard", "shoe-burn", "shoe-start-up", "round-burn")
"""Places whose cards go into such a shuffle."""
NAMES_A_CARD = frozenset({"face", "faces", "card", "damaged", "withdraw"})
OF_A_CARD = ("not_drawn",)
"""Keys by which people say of a card that is named by the table what became of it."""
SEATED = 3
"""Boxes whose players a crew knows by name."""
NEWCOMERS = ("Eve", "Fay", "Gus")
"""Whom a crew that ends a walk seats there: nobody whom the walk may have barred."""
TIES, PACKED = 0.35, 0.93
"""How often a card is drawn that makes a tie, and above what one that follows the last as decks are packed."""
AS_PACKED = 0.04
"""How often somebody forgot to shuffle, so that a walk has its cards as a maker packs them."""
TELLS = 0.06
"""How often what happens at a source of cards is told by it and is no card."""
SOURCE_TELLS = ("read again", "empty", "filled", "sorts", "shuffles", "powered up", "replaced")
PUT_RIGHT = {"empty": "filled", "sorts": "shuffles"}
"""What a source tells of itself, and what it tells once that is over."""
ODD = ("??", "JOKER", "FOREIGN", "CUT")


MAIN = ("open", "check_cards", "shuffled", "place_bets", "no_more_bets", "settled")
"""As the page of this game names them."""


class WarHands(NoOrders):
    """The dealer's hand at the shoe; which cards are still inside is kept here, as no table can see them."""

    heeded: ClassVar[dict[str, str]] = {
        "set_aside": "replace_card",
        "check_due": "deck_checked",
        "steps_open": "notified",
        "cards_blocked": "replace_cards",
    }
    remedies = (
        "fed", "sit", "player_card", "assign", "choice", "notified", "deck_checked", "replace_card", "replace_cards",
        "shuffled", "skip_burn", "house_chips", "no_more_bets", "place_bets", "settled", "dispute", "review",
        "inquiry_over", "allow_several", "void_round",
    )  # fmt: skip
    resting = ("over",)
    betting = ("betting",)

    def __init__(self) -> None:
        self._out: Counter[str] = Counter()
        self._back: set[int] = set()
        self._before = 0, self._out, self._back
        """The last row that put cards back, and how it was before that."""
        self._heard = 0
        self._seated: dict[int, int] = {}
        self._players: tuple[str, ...] = PLAYERS[1:]
        self._counts = True
        self._as_packed: bool | None = None

    def main(self, table: ExploredTable) -> tuple[str, ...]:
        return MAIN

    def tell(self, table: ExploredTable, step: AnyStep) -> list[msgspec.Struct] | None:
        source = source_of(table)
        if source in table.down or source in table.troubled:
            return None
        match step:
            case steps.PushBack():
                return self._pushed_back(table)
            case Card():
                return self._left(table, step)
            case steps.DeckCheck() if source == SHUFFLER:
                return [self._checked(table, step)]
            case steps.Told(what):
                return self._says(table, source, what)
        return None

    def _says(self, table: ExploredTable, source: str, what: str) -> list[msgspec.Struct] | None:
        """What a source tells besides the cards that leave it."""
        if what == "filled" and what not in table.standing.values():
            return None
        table.standing = {wrong: right for wrong, right in table.standing.items() if right != what}
        if what in PUT_RIGHT:
            table.standing[what] = PUT_RIGHT[what]
        last = next((row.event for row in reversed(table.rows) if isinstance(row.event, CardDrawn)), None)
        match what, source:
            case "read again", _ if last is not None and last.draw == table.draws:
                return [CardReadAgain(source, last.draw, DECK[DECK.index(last.card) - 1], SURE, last.card)]
            case "empty", "shoe":
                return [ShoeEmpty(SHOE)]
            case "filled", "shoe":
                return [ShoeLoaded(SHOE)]
            case "empty", _:
                return [ShufflerState(SHUFFLER, "empty", 0, True)]
            case "filled", _:
                return [ShufflerLoaded(SHUFFLER, 52, 52), ShufflerState(SHUFFLER, "ready", 52, True)]
            case "sorts", "shuffler":
                return [ShufflerMode(SHUFFLER, "sort", "keys")]
            case "shuffles", "shuffler":
                return [ShufflerMode(SHUFFLER, "shuffle", "keys")]
            case "powered up", "shuffler":
                return [ShufflerPoweredUp(SHUFFLER, False, "ready", "shuffle", 11, True, True, 0)]
            case "replaced", "shuffler":
                return [ShufflerSwapped(SHUFFLER, "one", "another", 7)]
        return None

    def obey(self, table: ExploredTable, effect: AnyEffect) -> list[msgspec.Struct]:
        """No order is for this hand, but cards are put back as soon as somebody says so."""
        self._fill(table)
        return []

    def _checked(self, table: ExploredTable, step: steps.DeckCheck) -> DeckChecked:
        decks = _decks(table)
        good = step.complete and not step.missing and not step.foreign
        missing = (*step.missing, *self._out.elements())
        return DeckChecked(SHUFFLER, 1, decks, step.complete, good, decks * 52 - len(missing), missing,
                           foreign=step.foreign)  # fmt: skip

    def _left(self, table: ExploredTable, step: Card) -> list[msgspec.Struct]:
        self._fill(table)
        source = source_of(table)
        self._counts = self._counts and not table.without(source)
        self._out[step.face] += 1
        table.draws += 1
        forced: list[msgspec.Struct] = [GateForced(source, table.draws)] if step.forced else []
        if step.second:
            self._out[step.second] += 1
            table.draws += 1
            numbers = (table.draws - 1, table.draws)
            return [*forced, TwoDrawn(source, numbers, (step.face, step.second), not step.face_up)]
        return [*forced, _told(source, step, table.draws)]

    def _pushed_back(self, table: ExploredTable) -> list[msgspec.Struct] | None:
        self._fill(table)
        last = next((row.event for row in reversed(table.rows) if isinstance(row.event, CardDrawn)), None)
        if last is None or last.draw != table.draws or not self._out[last.card] or last.draw in self._back:
            return None
        self._back.add(last.draw)
        source = source_of(table)
        self._out[last.card] -= 1
        return [CardPushedBack(source, last.draw, last.card, True)]

    # -- which step --------------------------------------------------------------------------------------------

    def any(self, table: ExploredTable, draw: random.Random) -> AnyStep | None:
        kind = draw.random()
        face = self._face(table, draw)
        if source_of(table) == SHUFFLER and kind > SHUFFLERS_OWN:
            return self._machine(draw)
        if kind < TELLS:
            return steps.Told(draw.choice(SOURCE_TELLS))
        if kind < 0.5:
            return Card(face, forced=_locked(table))
        if kind < 0.65:
            return Card(face, second=self._face(table, draw), face_up=draw.random() < 0.3)
        if kind < 0.75:
            return Card(face, face_up=True)
        return steps.PushBack() if kind < 0.8 else Card(draw.choice(ODD))

    def _machine(self, draw: random.Random) -> AnyStep:
        """What a shuffler does of itself."""
        kind = draw.random()
        if kind < 0.5:
            return steps.Trouble(SHUFFLER)
        missing = (draw.choice(DECK),) if kind < 0.65 else ()
        return steps.DeckCheck(missing, foreign=int(kind > 0.9), complete=kind < 0.8)

    def next(self, table: ExploredTable, draw: random.Random) -> AnyStep | None:
        game: Any = table.table.game
        expected = game.view()["next"] or table.state == "burning"
        if expected and table.without(source_of(table)) and (told := table.offered("next_card")):
            return table.keyed(told.name, card=self._face(table, draw))
        if expected and _locked(table) and (call := table.offered("no_more_bets")):
            return steps.Press(call.name, max(call.rank, 1))
        if not expected or _locked(table) or source_of(table) in table.down or not table.table.playing:
            return None
        return Card(self._face(table, draw))

    def relieved(self) -> None:
        self._seated, self._players, self._as_packed = {}, NEWCOMERS, False

    def before_staking(self, table: ExploredTable) -> AnyStep | None:
        """The players of the first boxes sit down, or have their cards read, once a round."""
        key = table.offered("player_card") or table.offered("sit")
        for box in range(1, SEATED + 1):
            if key is not None and self._seated.get(box) != table.rounds:
                self._seated[box] = table.rounds
                return steps.Press(key.name, max(key.rank, 1), {"box": box, "player": self._players[box - 1]})
        return None

    def _face(self, table: ExploredTable, draw: random.Random) -> str:
        """Any card that is inside; often one that ties, sometimes the one that lay next to the last in a new deck."""
        self._fill(table)
        inside = [face for face in DECK if self._out[face] < _decks(table)]
        kind = draw.random()
        lying = {card["face"][:1] for card in table.table.game.view()["cards"]} if kind < TIES else set()
        if self._as_packed is None:
            self._as_packed = draw.random() < AS_PACKED
        if packed := (kind > PACKED or self._as_packed) and table.table.game.state.shoe.recent:  # type: ignore[attr-defined]
            return DECK[(DECK.index(packed[-1]) + 1) % len(DECK)]
        return draw.choice([face for face in inside if face[0] in lying] or inside or DECK)

    def _fill(self, table: ExploredTable) -> None:
        for number, row in enumerate(table.rows[self._heard :], self._heard + 1):
            before = number, self._out.copy(), self._back.copy()
            taken_back = correction(row.effects)
            if taken_back is not None and taken_back.row == self._before[0]:
                _, self._out, self._back = self._before  # nobody has put cards anywhere
            if isinstance(row.event, Command) and (row.event.args.keys() & NAMES_A_CARD or row.event.name in OF_A_CARD):
                self._counts = False  # people may name a card wrongly
            for effect in row.effects:
                if isinstance(effect, Moved) and effect.trigger in FILLED_ANEW:
                    self._filled_anew(table, effect)
                elif isinstance(effect, Noted) and effect.what == "card_not_taken":
                    self._out[str(effect.facts["face"])] -= 1  # told to go back, and put back
                    self._back.add(int(effect.facts["draw"]))
            if taken_back is None and before[1:] != (self._out, self._back):
                self._before = before
        self._heard = len(table.rows)

    def _filled_anew(self, table: ExploredTable, moved: Moved) -> None:
        if moved.source not in IN_A_ROUND:
            self._out.clear()
        elif moved.trigger == "shuffled":
            round_ = table.table.game.state.round  # type: ignore[attr-defined]
            lying = zip(round_.drawn, round_.places(), strict=True)
            self._out = Counter(card.read for card, place in lying if place not in GATHERED)

    def chips_asked(self, table: ExploredTable) -> AnyStep | None:
        """Whoever goes to war lays as much again beside the main stake, unless something lies there already."""
        if table.state != "choosing":
            return None
        view = table.table.game.view()
        layout = table.table.game.layout  # type: ignore[attr-defined]
        for choice in view["choices"]:
            war = layout.area(choice["box"], "war")
            lies = table.table.money.picture().get(war) if table.without(CHIPS) else table.lying(war)
            if choice["choice"] == "war" and not lies:
                main = [stake for stake in view["stakes"] if stake["box"] == choice["box"] and stake["zone"] == "main"]
                mine = sum(stake["amount"] for stake in main if stake["player"] == choice["player"])
                return steps.Lay(war, (Piece(table.tag(), mine),)) if mine else None
        return None

    def cards_astray(self, table: ExploredTable) -> str:
        """The faces that are out of the source, as hands know it and as the table does; unread ones aside."""
        self._fill(table)
        cards = table.table.game.state.shoe.cards  # type: ignore[attr-defined]
        if not self._counts or cards.unknown or source_of(table) == SHUFFLER:
            return ""
        true = {face: number for face, number in self._out.items() if number and face in DECK}
        held = {face: number for face, number in cards.out.items() if number}
        return "" if true == held else f"out of the source: {true}; held to be: {held}"

    def player_at(self, table: ExploredTable, area: int) -> str:
        """Who sits at the box of an area."""
        game: Any = table.table.game
        box, _ = game.layout.place(area)
        return str(game.state.players.at_box.get(box, self._players[0]))

    def stakes(self, table: ExploredTable) -> list[int]:
        layout = table.table.game.layout  # type: ignore[attr-defined]
        return [layout.area(box, "main") for box in range(1, layout.boxes + 1)]


def hands() -> WarHands:
    return WarHands()


def tables(rulebook: str) -> dict[str, TableConfig]:
    """From a shoe, from a shuffler, without antennas under the float, and with each method of war."""
    usual = default_config("war", rulebook=rulebook)
    replace = msgspec.structs.replace
    found = {"shoe": usual, "shuffler": default_config("war", rulebook=rulebook, source="shuffler")}
    found["no tray"] = replace(usual, chips=replace(usual.chips, float_tray=False))
    found["two signatures"] = two_signatures(usual)
    found["own limits"] = _own_limits(usual)
    play = usual.own(WarSection)
    for method in war_rules(rulebook).war.methods[1:]:
        found[f"method {method}"] = replace(usual, play=replace(play, method=method))
    return found


def _own_limits(usual: TableConfig) -> TableConfig:
    """A small maximum on each Tie, and, where the house may agree on it, a player who stakes more than others may."""
    replace = msgspec.structs.replace
    agreed = "personal_limit" in load_rulebook(usual.table.rulebook).powers
    bob = PersonalLimit(PLAYERS[1], 1, max=Cents(2 * usual.limits.max), marker=True)
    limits = replace(usual.limits, bets={"tie": Bounds(max=Cents(usual.limits.max // 20))})
    return replace(usual, limits=limits, personal_limits=(bob,) if agreed else ())


def source_of(table: ExploredTable) -> str:
    """Where this table's cards come from."""
    return SHUFFLER if SHUFFLER in table.config.devices else SHOE


def _decks(table: ExploredTable) -> int:
    decks: int = table.table.game.state.shoe.cards.decks  # type: ignore[attr-defined]
    return decks


def _locked(table: ExploredTable) -> bool:
    return bool(table.table.state.outputs.get(source_of(table), {}).get("locked"))


def _told(source: str, step: Card, number: int) -> msgspec.Struct:
    match step.face:
        case "CUT":
            return CuttingCard(source, number)
        case "??":
            return CardUnread(source, number, "unreadable")
        case "JOKER":
            return CardUnread(source, number, "joker")
        case "FOREIGN":
            return CardUnread(source, number, "foreign")
    if step.face_up:
        return CardUnread(source, number, "face_up", ((step.face, SURE),), True)
    return CardDrawn(source, number, step.face, SURE)
