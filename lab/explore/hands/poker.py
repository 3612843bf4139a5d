"""A poker table's hands: cards over the antennas, the deck in the shuffler, and what a plain crew does with them."""

from __future__ import annotations

import random
from typing import Any, ClassVar

import msgspec

from controller.cards.events import CardsCounted, CardsMoved, CardsOpened, Sealed
from controller.config.file import require_right
from controller.config.tomlread import Cents
from controller.config.types import TableConfig
from controller.core.effects import AnyEffect, Ordered, Ruled, Uncovered
from controller.games.poker.config import BonusSection, PokerSection, RakeSection
from drivers.card_antennas import BOARD, BURN, MUCK
from drivers.shuffler import DeckChecked, ShufflerLoaded, ShufflerState
from firmware_specs.cards import DECK
from lab.explore import steps
from lab.explore.forms import PLAYERS
from lab.explore.steps import AnyStep, Piece
from lab.explore.table import CHIPS, ExploredTable
from lab.sim.config import default_config

CARDS, SHUFFLER = "cards", "shuffler"
TAKEN_UP = -1
OTHER_DECK = "'"
BEFORE_THE_CUT = ("between_hands", "posting", "shuffling")
"""Where a deck that is lifted off the shuffler is the one that will be dealt."""
FLOP = 3
"""So many cards are turned up first."""
SEATED = 3
"""So many players a plain crew wants at the table."""
BUY_IN = 20_000
MAIN = {"fee": "fees", "shuffle": "shuffled", "cut": "cut", "board": "turned_up", "show": "table_hand",
        "push": "pushed", "drop": "dropped"}  # fmt: skip
"""The key that the page draws large, by what the hand waits for."""
GAMES = (
    "holdem", "pineapple", "crazy_pineapple", "crazy_pineapple_hilo", "holdem_hilo", "omaha", "omaha_hilo",
)  # fmt: skip


class PokerHands:
    """Where every card truly is: in the dealer's hand, in the shuffler, or over an antenna."""

    heeded: ClassVar[dict[str, str]] = {"deck": "change_cards", "charge_due": "collect_time"}
    remedies = ("done", "change_cards", "refuse_blind", "cancel_disruption", "muck_hand", "back", "shuffled", "check",
                "posts", "newcomer_posts")  # fmt: skip
    resting = ("between_hands",)
    betting = ("between_hands",)

    def __init__(self) -> None:
        self.lies: dict[str, int] = {}
        self.stub = [_small(face) for face in DECK]
        self.inside: list[str] | None = None
        self.missing: tuple[str, ...] = ()
        self.foreign = 0
        self.called_wrong = self._told_wrong = False
        self._named: dict[str, str] = {}
        self._faces: dict[str, str] = {}

    # -- what devices tell -------------------------------------------------------------------------------------

    def tell(self, table: ExploredTable, step: AnyStep) -> list[msgspec.Struct] | None:
        match step:
            case steps.Put(cards, antenna):
                return self._put(table, cards, antenna)
            case steps.Load() if self.inside is None and SHUFFLER not in table.down:
                self.missing, self.foreign = step.missing, step.foreign
                self.called_wrong = self._told_wrong = False
                self.inside = [card for card in self.stub if card not in step.missing]
                held = len(self.inside) + step.foreign
                return [ShufflerLoaded(SHUFFLER, held, held), ShufflerState(SHUFFLER, "ready", held, True)]
            case steps.LiftDeck() if self.inside is not None and SHUFFLER not in table.down:
                if table.state in BEFORE_THE_CUT:  # later it is the deck of the next hand, and lies beside this one
                    self.stub, self.called_wrong = self.inside, self._told_wrong
                self.inside = None
                return [ShufflerState(SHUFFLER, "empty", 0, True)]
        return None

    def obey(self, table: ExploredTable, effect: AnyEffect) -> list[msgspec.Struct]:
        if isinstance(effect, Uncovered):
            return [CardsOpened(effect.order, tuple((name, self._faces.get(name, "")) for name in effect.cards))]
        if isinstance(effect, Ordered) and effect.command == "StartCheck" and self.inside is not None:
            return self._checked(table, int(effect.args["check"]))
        if isinstance(effect, Ruled) and effect.subject == "change_cards":
            self._another_deck()
        return []

    def _another_deck(self) -> None:
        """Whoever says that the deck is changed has laid a whole one in its place."""
        whole = [_small(face) for face in DECK]
        self.missing, self.foreign, self.called_wrong, self._told_wrong = (), 0, False, False
        if self.inside is None:
            self.stub = [card for card in whole if card not in self.lies]
        else:
            self.inside = whole

    def _checked(self, table: ExploredTable, check: int) -> list[msgspec.Struct]:
        if SHUFFLER in table.down or self.inside is None:
            return []
        good = not self.missing and not self.foreign
        held = len(self.inside) + self.foreign
        missing = tuple(face.upper() for face in self.missing)
        self._told_wrong = not good  # before that nobody knows
        found = DeckChecked(SHUFFLER, check, 1, True, good, held, missing, foreign=self.foreign)
        return [found, ShufflerState(SHUFFLER, "ready", held, True)]

    def heard_again(self, table: ExploredTable, place: str) -> list[msgspec.Struct]:
        if place == CARDS:
            deal = _game(table).deal
            seen = tuple(self._sealed(deal, card, antenna) for card, antenna in self.lies.items())
            return [CardsCounted(CARDS, deal, seen), *self._still_to_open(table)]
        if place == SHUFFLER and self.inside is not None:
            return [ShufflerState(SHUFFLER, "ready", len(self.inside), True)]
        return []

    def _still_to_open(self, table: ExploredTable) -> list[msgspec.Struct]:
        """After a restart the seal is opened for whatever the table was waiting for."""
        waiting = _game(table).uncovered().items()
        return [
            CardsOpened(order, tuple((name, self._faces.get(name, "")) for name in names)) for order, names in waiting
        ]

    def _put(self, table: ExploredTable, cards: tuple[str, ...], antenna: int) -> list[msgspec.Struct] | None:
        left = tuple(
            (self.lies[card], self._named[card]) for card in cards if card in self.lies and card in self._named
        )
        if not cards or (antenna == TAKEN_UP and not left) or not self._here(cards):
            return None
        for card in cards:
            self.lies.pop(card, None)
            self.stub = [other for other in self.stub if other != card]
            if antenna != TAKEN_UP:
                self.lies[card] = antenna
            else:
                self.stub.append(card)
        if CARDS in table.down:
            return []
        deal = _game(table).deal
        came = tuple(self._sealed(deal, card, antenna) for card in cards if antenna != TAKEN_UP)
        return [CardsMoved(CARDS, deal, came, left)]

    def _here(self, cards: tuple[str, ...]) -> bool:
        """A card of the deck in use is over an antenna or in the dealer's hand; others come from anywhere."""
        known = {*self.lies, *self.stub}
        return all(card in known or card[-1] in "'?" for card in cards) and len(set(cards)) == len(cards)

    def _sealed(self, deal: int, card: str, antenna: int) -> Sealed:
        """A card as the seal tells it: its face hidden, its deck not."""
        return Sealed(antenna, self._name(deal, card), deck=int(card.endswith(OTHER_DECK)))

    def _name(self, deal: int, card: str) -> str:
        face = card[:2].upper()
        name = "?2a" if card == "?" else f"{deal}/{DECK.index(face)}{card[2:]}"
        self._named[card] = name
        self._faces[name] = "" if card == "?" else _small(face)
        return name

    # -- what hands do -----------------------------------------------------------------------------------------

    def any(self, table: ExploredTable, draw: random.Random) -> AnyStep | None:
        kind = draw.random()
        seats = list(_game(table).state.seats) or [1]
        if kind < 0.1:
            return draw.choice((steps.Load(), steps.LiftDeck(), steps.Load((draw.choice(self.stub or ["as"]),))))
        if kind < 0.15:
            return steps.Put((draw.choice(("?", "7h'", "ks'")),), draw.choice((*seats, BOARD)))
        if kind < 0.55 and self.stub:
            count = draw.choice((1, 1, 1, 2, 3))
            return steps.Put(self._top(draw, count), draw.choice((*seats, *seats, BOARD, BURN, MUCK)))
        lying = list(self.lies)
        if not lying:
            return None
        one = draw.choice(lying)
        mine = [card for card in lying if self.lies[card] == self.lies[one]]
        some = tuple(mine if draw.random() < 0.5 else draw.sample(mine, 1))
        return steps.Put(some, draw.choice((MUCK, MUCK, TAKEN_UP, BURN, BOARD, *seats)))

    def _top(self, draw: random.Random, count: int = 1) -> tuple[str, ...]:
        """Cards off the top of a shuffled deck, of which nobody knows which they are."""
        return tuple(draw.sample(self.stub, min(count, len(self.stub))))

    def next(self, table: ExploredTable, draw: random.Random) -> AnyStep | None:
        """What the page asks for; between hands the dealer takes up the cards and fills the shuffler."""
        if CARDS in table.down and not table.without(CARDS):
            return None
        if not table.table.playing:
            return steps.Put(tuple(self.lies), TAKEN_UP) if self.lies and table.table.state.life == "opening" else None
        game = _game(table)
        if table.state == "between_hands":
            return self._between(table)
        hand = game.state.hand
        if hand is None:
            return None
        if hand.ruling is not None:
            return self._remedy(hand.ruling.steps, draw)
        wanted = game.view()["expected"]
        if table.without(CARDS) and (step := self._by_eye(table, wanted, draw)) is not None:
            return step
        match wanted["what"]:
            case "shuffle":
                return self._shuffle(table)
            case "cut" if self.inside is not None:
                return steps.LiftDeck()
            case "card" if self.stub:
                return steps.Put(self._top(draw), wanted["seats"][0])
            case "discard" | "burn" | "board" | "push" | "drop":
                return self._deal(table, wanted, draw)
            case "action":
                return _act(table, wanted["seats"][0], draw)
        return None

    def _by_eye(self, table: ExploredTable, wanted: dict[str, Any], draw: random.Random) -> AnyStep | None:
        """What lies open is keyed where no antenna reads it."""
        hand = _game(table).state.hand
        seat = wanted["seats"][0] if wanted.get("seats") else 0
        match wanted["what"]:
            case "card":
                return table.keyed("cards_dealt")
            case "discard":
                return table.keyed("card_given_up", seat=seat)
            case "burn" | "board":
                return table.keyed("board_cards", cards=self._unseen(table, draw, 1 if hand.board else FLOP))
            case "show":
                held = next((one.cards for one in hand.betting.players if one.seat == seat), ())
                return table.keyed("hand_shown", seat=seat, cards=self._unseen(table, draw, len(held)))
        return None

    def _unseen(self, table: ExploredTable, draw: random.Random, count: int) -> list[str]:
        """Cards that lie open nowhere yet."""
        hand = _game(table).state.hand
        open_ = {*hand.board, *(card for player in hand.betting.players for card in player.shown)}
        return draw.sample([face for face in DECK if _small(face) not in open_], count)

    def player_at(self, table: ExploredTable, area: int) -> str:
        return ""

    def _between(self, table: ExploredTable) -> AnyStep | None:
        if self.lies:
            return steps.Put(tuple(self.lies), TAKEN_UP)
        if SHUFFLER in table.down:
            return None
        if self.inside is not None and (self.missing or self.foreign):
            return steps.LiftDeck()
        return self._whole() or (steps.Load() if self.inside is None else None)

    def _whole(self) -> AnyStep | None:
        """The deck in the dealer's hand is made whole, and strangers go."""
        whole = [_small(face) for face in DECK]
        if self.inside is None and sorted(self.stub) != sorted(whole):
            self.stub, self.called_wrong = whole, False
        return None

    def _shuffle(self, table: ExploredTable) -> AnyStep | None:
        if SHUFFLER in table.down or self.inside is not None:
            return None
        return steps.Load()

    def _deal(self, table: ExploredTable, wanted: dict[str, Any], draw: random.Random) -> AnyStep | None:
        layout, hand = _game(table).layout, _game(table).state.hand
        match wanted["what"]:
            case "discard":
                seat = wanted["seats"][0]
                mine = [card for card, antenna in self.lies.items() if antenna == seat]
                return steps.Put((mine[-1],), MUCK) if mine else None
            case "burn" if self.stub:
                return _swept(table) or steps.Put(self._top(draw), BURN)
            case "board":
                new = [card for card, antenna in self.lies.items() if antenna == BOARD and card not in hand.board]
                short = wanted["amount"] - len(new)
                return steps.Put(self._top(draw, short), BOARD) if short > 0 and self.stub else None
            case "push":
                lying = [area for area in (layout.pot, *range(1, layout.seats + 1)) if table.lying(area)]
                return steps.Lift(lying[0], tuple(table.lying(lying[0]))) if lying else None
            case "drop":
                due = hand.rake + hand.fees - table.worth(layout.drop)
                return steps.Lay(layout.drop, (Piece(table.tag(), due),)) if due > 0 else None
        return None

    def _remedy(self, due: list[Any], draw: random.Random) -> AnyStep | None:
        """What the page tells the dealer to do with cards, one step after the other."""
        step = next(iter(due), None)
        if step is None:
            return None
        cards = tuple(card for card in self.lies if self._named[card] in step.cards or card in step.cards)
        match step.kind:
            case "give_top_card" | "swap_with_top_card" if self.stub and step.needs_card:
                return steps.Put(self._top(draw), step.seat)
            case "to_burn" | "to_muck" | "move_card":
                place = {"to_burn": BURN, "to_muck": MUCK}.get(step.kind, step.seat)
                astray = tuple(card for card in cards if self.lies[card] != place)
                return steps.Put(astray, place) if astray else None
            case "take_back" | "set_aside" | "return_to_top" if cards:
                return steps.Put(cards, TAKEN_UP)
        return None

    def main(self, table: ExploredTable) -> tuple[str, ...]:
        wanted = table.table.game.view().get("expected") or {}
        now = MAIN.get(wanted.get("what", ""))
        return ("open", "done", "start_hand", *([now] if now else []))

    def main_args(self, table: ExploredTable) -> dict[str, Any]:
        wanted = table.table.game.view().get("expected") or {}
        return {"seat": wanted["seats"][0]} if wanted.get("what") == "show" and wanted["seats"] else {}

    def relieved(self) -> None:
        pass

    def before_staking(self, table: ExploredTable) -> AnyStep | None:
        """Players sit down between hands until there are enough, and those who are broke buy more chips."""
        game = _game(table)
        fee = game.state.terms.commission.fee
        buy_in = BUY_IN + 3 * fee
        able = [number for number, seat in game.state.seats.items() if seat.stack >= buy_in // 10 + fee]
        broke = [number for number in game.state.seats if number not in able]
        if len(able) >= SEATED:
            return None
        if broke and (key := table.offered("add_chips")):
            return steps.Press(key.name, max(key.rank, 1), {"seat": broke[0], "amount": buy_in})
        key = table.offered("sit")
        free = [seat for seat in range(1, game.layout.seats + 1) if seat not in game.state.seats]
        here = {seat.player for seat in game.state.seats.values()}
        away = [player for player in (*PLAYERS, "Eve", "Fay", "Gus") if player not in here]
        if key is None or not free or not away:
            return None
        return steps.Press(key.name, max(key.rank, 1), {"seat": free[0], "player": away[0], "amount": buy_in})

    def stakes(self, table: ExploredTable) -> list[int]:
        return []

    def chips_asked(self, table: ExploredTable) -> AnyStep | None:
        """A blind that the page names is laid on its line."""
        hand = _game(table).state.hand
        wanted = table.table.game.view().get("expected") or {}
        if hand is None or wanted.get("what") != "blind":
            return None
        if table.without(CHIPS):
            return table.keyed("blinds_posted")
        seat = wanted["seats"][0]
        stack = next(player.stack for player in hand.betting.players if player.seat == seat)
        lies = table.worth(seat)
        due = min(wanted["amount"], stack)
        if lies and lies != due:
            return steps.Lift(seat, tuple(table.lying(seat)))
        return None if lies else steps.Lay(seat, (Piece(table.tag(), due),))

    def cards_astray(self, table: ExploredTable) -> str:
        """Every card lies where the table holds it to lie."""
        if CARDS in table.down or table.without(CARDS):
            return ""
        held = dict(_game(table).state.felt.cards)
        true = {self._named[card]: antenna for card, antenna in self.lies.items()}
        return "" if held == true else f"over antennas: {true}; held to lie: {held}"


def hands() -> PokerHands:
    return PokerHands()


def _small(face: str) -> str:
    return f"{face[0]}{face[1].lower()}"


def _game(table: ExploredTable) -> Any:
    return table.table.game


def _act(table: ExploredTable, seat: int, draw: random.Random) -> AnyStep | None:
    """The seat in turn calls with chips or checks with the key; now and then it bets or folds."""
    may = table.table.game.view()["options"]
    kind = draw.random()
    if kind < 0.1 and (key := table.offered("fold")):
        return steps.Press(key.name, max(key.rank, 1))
    if table.without(CHIPS) and kind < 0.25 and may["raise_max"]:
        return table.keyed("raise", amount=may["raise_min"])
    if table.without(CHIPS) and may["to_call"]:
        return table.keyed("call")
    if kind < 0.25 and may["raise_max"]:
        return steps.Lay(seat, (Piece(table.tag(), may["raise_min"] - may.get("in_round", 0)),))
    if may["to_call"]:
        return steps.Lay(seat, (Piece(table.tag(), may["to_call"]),))
    key = table.offered("check")
    return steps.Press(key.name, max(key.rank, 1)) if key else None


def _swept(table: ExploredTable) -> AnyStep | None:
    """Chips on the lines go to the pot once a betting round is over."""
    layout = _game(table).layout
    for seat in range(1, layout.seats + 1):
        if lying := table.lying(seat):
            return steps.Slide(seat, layout.pot, tuple(lying))
    return None


def tables(rulebook: str) -> dict[str, TableConfig]:
    """The seven games, and of the first every structure, commission and offer that the document knows."""
    usual = default_config("poker", rulebook=rulebook)
    replace, play = msgspec.structs.replace, usual.own(PokerSection)
    levels = tuple(Cents(cents) for cents in (500, 500, 1_000, 1_000))
    offers = {
        "fixed": replace(play, structure="fixed", levels=levels),
        "pot limit": replace(play, game="omaha", structure="pot_limit"),
        "side wagers": replace(play, side_wagers=True, straddle=True),
        "hourly": replace(play, rake=RakeSection("time", fee=Cents(500))),
        "fee": replace(play, rake=RakeSection("per_person", fee=Cents(250))),
        "timed": replace(play, time_to_act_s=30, extensions=2, extension_s=30, extension_fee=Cents(500)),
        "bonus": replace(play, bonus=(BonusSection("Prize", "one pair", amount=Cents(10_000)),)),
    }
    plays = {**{name: replace(play, game=name) for name in GAMES}, **offers}
    return {name: require_right(replace(usual, play=one), name) for name, one in plays.items()}
