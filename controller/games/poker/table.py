"""The table as every part of the game sees it: its rules, what it knows, its hand, and what can be asked of them."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.cards.events import is_foreign
from controller.core.desk import Key, Refusal
from controller.core.effects import Asked, WagerResult
from controller.core.machine import StrictMachine
from controller.core.table import Table
from controller.core.table_keys import without
from controller.games.poker.flop_chase import BonusPrize
from controller.games.poker.inputs import Input
from controller.games.poker.layout import Layout
from controller.games.poker.outputs import Finished, Output
from controller.games.poker.round import ROUND_OF
from controller.games.poker.rules import PokerRules, Terms
from controller.games.poker.settle import side_results
from controller.games.poker.state import Hand, HandInPlay, PokerState
from controller.people import Person
from drivers.card_antennas import place_name

ACT_TIMER = "act"


class PokerSetup(msgspec.Struct, frozen=True):
    """One table's poker: its rulebook, what its sign says, its seats, and where a shuffler stands."""

    rules: PokerRules
    terms: Terms
    seats: int
    shuffler: str = ""
    bonus: tuple[BonusPrize, ...] = ()


class PokerTable:
    """One table of poker; how its hands begin, go on and end, the game built upon it says."""

    machine: StrictMachine
    keys: dict[str, Key]

    def __init__(self, table: Table, setup: PokerSetup) -> None:
        self.table = table
        self.desk = table.desk
        self.money = table.money
        self.setup = setup
        self.rules = setup.rules
        self.layout = Layout(setup.seats)
        self.state = PokerState(setup.terms)

    # -- what the game says ------------------------------------------------------------------------------------

    def start_hand(self) -> None:
        """Set up the next hand."""
        raise NotImplementedError

    def give(self, given: Input, *, by_key: bool = False) -> bool:
        """Hand something to the hand and conclude what it answers; whether it was taken."""
        raise NotImplementedError

    def conclude(self, outs: list[Output]) -> None:
        """Tell what became of the hand without an input, and go on from there."""
        raise NotImplementedError

    def over(self, ended: Finished) -> None:
        """The hand is over."""
        raise NotImplementedError

    def seated(self) -> None:
        """Somebody has sat down."""
        raise NotImplementedError

    def ask(self, subject: str, about: Any = None) -> None:
        """Put a question of this game."""
        raise NotImplementedError

    def outlives_hand(self, asked: Asked) -> bool:
        """Whether this question is another's than the hand's."""
        raise NotImplementedError

    # -- what every part asks ----------------------------------------------------------------------------------

    @property
    def in_play(self) -> HandInPlay:
        """The hand under way, with what the table knows of it besides; refused where there is none."""
        if self.state.in_play is None:
            raise Refusal("no_hand", "No hand is under way; start one first.", ("8.4",))
        return self.state.in_play

    @property
    def hand(self) -> Hand:
        """The hand under way; refused where there is none."""
        return self.in_play.hand

    def players(self) -> dict[int, str]:
        """Who sits where."""
        return {number: seat.player for number, seat in self.state.seats.items()}

    def cards_gathered(self, of: str) -> None:
        """Refuse to begin a deal while cards of an earlier one lie on the table."""
        cards = self.state.felt.cards.items()
        lying = sorted({place_name(antenna) for card, antenna in cards if not is_foreign(card)})
        if lying and not without(self.table, "cards"):
            raise Refusal("cards_lie", f"Cards of the {of} still lie at {', '.join(lying)}; gather them.", ("5.1",))

    def owe_side_wagers(self, hand: Hand) -> None:
        """Side wagers that are decided must be taken and paid before the hand is over (10.2.1)."""
        results = side_results(self.table.state.round, hand, self.players())
        if results and self.money.state.watch is None:
            areas = {
                result.wager: self.layout.side(side.seat, side.colour)
                for result, side in zip(results, hand.side_results, strict=True)
            }

            def area_of(result: WagerResult) -> int:
                return areas[result.wager]

            self.money.owe(results, area_of)

    def side_paid(self, by: Person, confirmed: bool) -> bool:
        """Whether the side wagers are taken and paid, as far as can be seen."""
        return self.money.may_end("dropped", by, confirmed or without(self.table, "chips"))

    def watch_time(self) -> None:
        """Give the seat in turn its time to act, where the sign has one (6.15)."""
        hand = self.hand
        if not hand.terms.time_to_act_s:
            return
        if hand.phase not in ROUND_OF:
            self.desk.timer_off(ACT_TIMER)
            return
        player = hand.betting.players[hand.betting.turn]
        more = hand.terms.extension_s * player.time_bought
        self.desk.timer(ACT_TIMER, self.desk.at + 1000 * (hand.terms.time_to_act_s + more))
