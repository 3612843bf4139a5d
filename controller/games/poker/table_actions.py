"""What a table does when its hand moves: the chips, cards and questions around it follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.games.poker import cards_seen, chips_seen, deck, prizes, staff_keys
from controller.games.poker.inputs import Dropped
from controller.games.poker.instructions import drop_words
from controller.games.poker.outputs import Follows
from controller.games.poker.round_actions import RoundActions
from controller.games.poker.table import PokerTable


class TableActions(RoundActions):
    """The rows of a hand at a table: what follows there is told among the hand's answers, in their order."""

    def watch_collection(self) -> None:
        self._here(staff_keys.watch_collection)

    def take_ready_deck(self) -> None:
        self._at_last(deck.take_if_ready)

    def deal_waiting_cards(self, *ruled: Any) -> None:
        self._at_last(cards_seen.deal_waiting)

    def count_lines_anew(self) -> None:
        self._here(chips_seen.round_begins)

    def look_at_lines(self, *ruled: Any) -> None:
        self._here(look_at_lines)

    def bring_in_wagers(self) -> None:
        if self.hand.phase == "bet1":
            self._here(nothing_paid_yet)
        super().bring_in_wagers()

    def hold_pots(self) -> None:
        self._here(hold_pots)

    def deal_anew(self) -> None:
        self._here(deal_anew)

    def set_deck_aside(self) -> None:
        self._here(deck.ruled_defective)

    def announce_drop(self) -> None:
        self._here(announce_drop)

    def drop_unless_due(self) -> None:
        self._at_last(drop_unless_due)

    def withdraw_questions(self, *why: str) -> None:
        self._here(withdraw_questions)

    def _here(self, do: Callable[[PokerTable], None]) -> None:
        self.out.append(Follows(do))

    def _at_last(self, do: Callable[[PokerTable], None]) -> None:
        self.out.append(Follows(do, at_last=True))


def look_at_lines(game: PokerTable) -> None:
    """A ruling is over and the round goes on, with its time to act."""
    chips_seen.round_goes_on(game, game.hand)
    game.watch_time()


def nothing_paid_yet(game: PokerTable) -> None:
    """The flop is still to come: what came from the float to a side wager until now pays none (10.2.1)."""
    game.money.bets_closed()


def hold_pots(game: PokerTable) -> None:
    """The pots are decided: what lies there is held against them, and side wagers are owed (10.2.1)."""
    hand = game.hand
    game.in_play.stakes = {player.seat: player.in_hand for player in hand.betting.players}
    chips_seen.award_begins(game, hand)
    game.owe_side_wagers(hand)
    prizes.look(game, hand)


def deal_anew(game: PokerTable) -> None:
    """A misdeal: nothing is known of the cards that come, or owed to a line (9.1.1)."""
    cards_seen.new_deal(game.state)
    deck.misdealt(game)
    prizes.none_of_this_hand(game)
    game.desk.timer_off(cards_seen.TIMER)
    chips_seen.round_undone(game, game.hand)


def announce_drop(game: PokerTable) -> None:
    """The dealer hears where the commission goes (7.2.1(b))."""
    hand = game.hand
    if hand.rake or hand.fees:
        game.desk.announce("dealer", "drop", drop_words(hand), ("7.2.1(b)",))


def drop_unless_due(game: PokerTable) -> None:
    """A hand without commission ends by itself once its side wagers are paid (7.2.1(b))."""
    hand = game.state.hand
    if hand is not None and hand.phase == "drop" and not (hand.rake or hand.fees or game.money.state.due):
        game.give(Dropped())


def withdraw_questions(game: PokerTable) -> None:
    """An invalidated hand leaves nothing to answer (13.6)."""
    for asked in list(game.desk.state.prompts.values()):
        if not game.outlives_hand(asked):
            game.desk.withdraw(asked.subject)
