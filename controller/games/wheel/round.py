"""The declared course of a spin: betting, spin, ruling, result, collection and payment."""

from __future__ import annotations

from controller.core.machine import Row
from controller.games.wheel.state import BOOKED, UNDER_WAY, UNSETTLED_SPIN

ROWS = (
    Row("place_bets", "idle", "betting_open", action="open_betting", clause="5.1.1"),
    Row("spin_started", "betting_open", "spin_open", action="take_spin", clause="5.1.2"),
    Row("spin_started", "closed_wait_spin", "spin_closed", action="take_spin", clause="5.1.2"),
    Row("no_more_bets", "betting_open", "closed_wait_spin", action="freeze", clause="3.2"),
    Row("no_more_bets", "spin_open", "spin_closed", action="freeze", clause="5.1.2"),
    Row("rested", "spin_open", "check", action="take_unclosed_rest", then="judge_if_playing", clause="5.1.2"),
    Row("rested", "spin_closed", "check", action="take_rest", then="judge_if_playing", clause="1.1 'Indicator'"),
    Row("judge", "check", "ruling", guard="in_doubt", action="ask_about_doubt", clause="7.1"),
    Row("judge", "check", "result", action="show_result", clause="5.1.3"),
    Row("rule_on", "ruling", "check", then="judge", clause="9.11"),
    Row("call_no_spin", UNSETTLED_SPIN, "no_spin", action="void_spin", then="offer_bets_again", clause="7.2"),
    Row("doubted", "result", "check", action="take_result_back", then="judge", clause="7.1.3"),
    Row("take_back", BOOKED, "no_spin", action="void_settled", then="offer_bets_again", clause="7.2"),
    Row("reopen", "no_spin", "betting_open", action="reopen_betting", clause="5.1.1"),
    Row("acknowledge", "result", "collect", action="book_settlement", then="after_collecting", clause="5.1.3"),
    Row("collected", "collect", "pay", guard="losers_are_clear", then="after_paying", clause="3.6.1"),
    Row("paid", "pay", "idle", action="end_round", clause="3.6.2"),
    Row("cancel", UNDER_WAY, "cancelled", action="refund_round", then="end_refund", clause="9.5"),
    Row("refunded", "cancelled", "idle", action="end_cancelled", clause="9.5"),
)
