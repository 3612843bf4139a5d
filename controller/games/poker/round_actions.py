"""What the rows of a hand name: guards that look at it, and what follows; the hand fires them by `state.move`."""

from __future__ import annotations

from typing import Any

from controller.core.machine import HalfDone, NotNow, Row, StrictMachine
from controller.games.poker import betting, hand_end, play, rulings
from controller.games.poker.actions import Announced
from controller.games.poker.outputs import Moved, Output
from controller.games.poker.round import BETWEEN, BOARD_TARGET, ROUND_OF, WHILE
from controller.games.poker.state import Hand, OpenRuling, discards_now, move, one_left, one_left_with_side_wagers


class RoundActions:
    """The hand that moves, what it answers, and everything its rows name but what only a table does."""

    hand: Hand
    out: list[Output]

    def moved(self, machine: str, source: str, dest: str, trigger: str) -> None:
        self.out.append(Moved(trigger, source, dest))

    # -- guards ------------------------------------------------------------------------------------------------

    def one_left(self) -> bool:
        return one_left(self.hand)

    def one_left_with_side_wagers(self) -> bool:
        return one_left_with_side_wagers(self.hand)

    def discards_now(self) -> bool:
        return discards_now(self.hand)

    def blinds_due(self) -> bool:
        return bool(self.hand.dues or self.hand.fees_due)

    def card_set_aside(self) -> bool:
        return bool(self.hand.aside)

    def was_dealing(self) -> bool:
        return self.hand.interrupted_from == "dealing"

    def was_betting(self, *ruled: Any) -> bool:
        return self.hand.interrupted_from in ROUND_OF

    def street_stands(self) -> bool:
        """The ruling left every card of the street that was being dealt on the board."""
        target = BOARD_TARGET.get(self.hand.interrupted_from)
        return target is not None and len(self.hand.board) >= target

    def flop_taken_back(self) -> bool:
        return self._ruling.remedy.redeal == "flop"

    def turn_taken_back(self) -> bool:
        return self._ruling.remedy.redeal == "turn"

    def flop_was_dealt(self) -> bool:
        return self._ruling.facts.street == "flop"

    @property
    def _ruling(self) -> OpenRuling:
        ruling = self.hand.ruling
        assert ruling is not None
        return ruling

    # -- blinds, deal and betting ------------------------------------------------------------------------------

    def deal_if_cut(self) -> None:
        play.deal_if_cut(self.hand, self.out)

    def see_if_dealt(self) -> None:
        rulings.deal_progress(self.hand, self.out)

    def begin_betting(self) -> None:
        play.begin_betting(self.hand, self.out)

    def bring_in_wagers(self) -> None:
        play.bring_in_wagers(self.hand, self.out)

    def put_back_aside(self) -> None:
        play.put_back_aside(self.hand, self.out)

    def go_on_from_street(self) -> None:
        move(self.hand, "board_done", self.out)

    # -- the end -----------------------------------------------------------------------------------------------

    def fix_pots(self) -> None:
        hand_end.enter_showdown(self.hand, self.out)

    def settle_side(self) -> None:
        hand_end.settle_side(self.hand, self.out)

    def share_pots(self) -> None:
        hand_end.enter_award(self.hand, self.out)

    def take_awards_back(self) -> None:
        self.hand.awards = []

    def pay_winners(self) -> None:
        hand_end.pay_winners(self.hand)

    def hand_everything_back(self, clause: str) -> None:
        hand_end.refund_all(self.hand, clause, self.out)
        hand_end.refund_side(self.hand, clause, self.out)

    def close_hand(self, *why: str) -> None:
        hand_end.close(self.hand, self.out)

    # -- rulings -----------------------------------------------------------------------------------------------

    def open_ruling(self, ruling: OpenRuling, asked: Output) -> None:
        self.hand.ruling = ruling

    def ask(self, ruling: OpenRuling, asked: Output) -> None:
        self.out.append(asked)

    def close_ruling(self, *ruled: Any) -> None:
        self.hand.ruling = None

    def take_hand_out(self, index: int, why: str, clause: str) -> None:
        rulings.take_hand_out(self.hand, index, why, clause, self.out)

    def take_check(self) -> None:
        rulings.check_out_of_time(self.hand, self.out)

    def take_one_wager(self, seat: int, amount: int) -> None:
        play.one_wager(self.hand, amount, self.out)

    def take_as_said(self, said: Announced) -> None:
        play.rule_again(self.hand, said, self.out)

    def return_chips(self, seat: int, amount: int) -> None:
        rulings.return_chips(seat, amount, self.out)

    def restart_round(self) -> None:
        betting.restart_round(self.hand.betting)

    def take_deal_back(self) -> None:
        rulings.take_deal_back(self.hand, self.out)

    def refund_dead_hand(self) -> None:
        rulings.refund_dead_hand(self.hand, self._ruling, self.out)


class HandMachine(StrictMachine):
    """The machine that hands move by: it stands where the hand in play stands, and a table without one between two."""

    def __init__(self, actions: RoundActions, rows: tuple[Row, ...]) -> None:
        super().__init__("round", actions, WHILE, rows, BETWEEN, actions.moved)
        self.actions = actions

    def move(self, hand: Hand, trigger: str, args: tuple[Any, ...], out: list[Output]) -> None:
        """Fire this for a hand, which answers what follows."""
        actions = self.actions
        self._at = actions.hand = hand
        actions.out = out
        try:
            self._fire(trigger, args)
        except NotNow as wrong:
            raise HalfDone(f"{wrong}; the hand has been played on already, report its record") from wrong

    def stand_by(self, hand: Hand | None) -> None:
        """This is the hand of the table, which moves by this machine."""
        self.stand_with(hand)
        if hand is not None:
            hand.__dict__["machine"] = self
