"""The round of a poker table, top to bottom: every way from one state to the next, with what it does and its clause."""

from __future__ import annotations

from typing import Final

import msgspec

from controller.core.rows import Row, interrupt, resume

BETWEEN: Final = "between_hands"
PLAYING: Final = (
    "posting",
    "shuffling",
    "dealing",
    "bet1",
    "discard1",
    "flop",
    "side_flop",
    "bet2",
    "discard2",
    "turn",
    "bet3",
    "river",
    "bet4",
    "showdown",
    "award",
)
"""From the blinds to the push: where rulings, misdeals and cancellation are possible."""
WHILE: Final = {
    BETWEEN: "no hand is being played",
    "posting": "the blinds are being posted",
    "shuffling": "the deck is being shuffled and cut",
    "dealing": "the hand is being dealt",
    "bet1": "the first betting round goes on",
    "discard1": "cards are being discarded before the flop",
    "flop": "the flop is being dealt",
    "side_flop": "the flop is being dealt for the side wagers",
    "bet2": "the betting round after the flop goes on",
    "discard2": "cards are being discarded after the flop",
    "turn": "the turn is being dealt",
    "bet3": "the betting round after the turn goes on",
    "river": "the river is being dealt",
    "bet4": "the last betting round goes on",
    "showdown": "hands are being shown",
    "award": "the pot is being pushed",
    "drop": "the commission is being dropped",
    "ruling": "a decision is waited for",
}
"""The states of a hand, and how a refusal says each."""
STATES: Final = tuple(WHILE)
ROUND_OF: Final = {"bet1": 1, "bet2": 2, "bet3": 3, "bet4": 4}
BOARD_TARGET: Final = {"flop": 3, "side_flop": 3, "turn": 4, "river": 5}
PREMATURE: Final = {
    "bet1": "flop",
    "discard1": "flop",
    "bet2": "turn",
    "discard2": "turn",
    "bet3": "river",
}
"""What a board card would be if it came up in this state, too early (9.10 to 9.12, 9.15.1)."""

BET: Final = ("count_lines_anew", "begin_betting")
CANCELLED: Final = ("withdraw_questions", "close_hand")
AWARD: Final = ("hold_pots", "share_pots")
BROUGHT: Final = "bring_in_wagers"
LEFT_WITH_SIDE: Final = "one_left_with_side_wagers"

_DEAL: Final = (
    Row("start_hand", BETWEEN, "posting", then=("watch_collection", "take_ready_deck"), clause="8.4"),
    Row("blinds_up", "posting", "shuffling", then="deal_if_cut", clause="8.9.2(b)"),
    Row("blind_refused", "posting", BETWEEN, action="hand_everything_back", then="close_hand", clause="8.9.3"),
    Row("cut_done", "shuffling", "dealing", then="deal_waiting_cards", clause="5.2"),
    Row("deal_done", "dealing", "bet1", then=BET, clause="8.16.1(a)"),
)
_STREETS: Final = (
    Row("round_done", "bet1", "side_flop", LEFT_WITH_SIDE, BROUGHT, clause="8.17.3(a)(i)"),
    Row("round_done", "bet1", "award", "one_left", BROUGHT, AWARD, "8.17.3(a)"),
    Row("round_done", "bet1", "discard1", "discards_now", BROUGHT, clause="8.17.4"),
    Row("round_done", "bet1", "flop", action=BROUGHT, clause="8.17.3(b)"),
    Row("discards_done", "discard1", "flop", clause="8.17.4"),
    Row("board_done", "flop", "bet2", then=BET, clause="8.18.1"),
    Row("board_done", "side_flop", "award", then=("hold_pots", "settle_side", "share_pots"), clause="8.17.3(a)(i)"),
    Row("round_done", "bet2", "award", "one_left", BROUGHT, AWARD, "8.18.3(a)"),
    Row("round_done", "bet2", "discard2", "discards_now", BROUGHT, clause="8.18.4"),
    Row("round_done", "bet2", "turn", action=BROUGHT, clause="8.18.3(b)"),
    Row("discards_done", "discard2", "turn", clause="8.18.4"),
    Row("board_done", "turn", "bet3", then=BET, clause="8.19.1"),
    Row("round_done", "bet3", "award", "one_left", BROUGHT, AWARD, "8.19.3(a)"),
    Row("round_done", "bet3", "river", "card_set_aside", BROUGHT, "put_back_aside", "9.12.3"),
    Row("round_done", "bet3", "river", action=BROUGHT, clause="8.19.3(b)"),
    Row("board_done", "river", "bet4", then=BET, clause="8.20.1"),
    Row("round_done", "bet4", "award", "one_left", BROUGHT, AWARD, "8.20.3(a)"),
    Row("round_done", "bet4", "showdown", action=BROUGHT, then="fix_pots", clause="8.20.3(b)"),
)
_END: Final = (
    Row("hands_read", "showdown", "award", then=AWARD, clause="8.20.4"),
    Row("hand_asked", "award", "showdown", action="take_awards_back", clause="9.5"),
    Row("pots_pushed", "award", "drop", "", "pay_winners", ("announce_drop", "drop_unless_due"), "1.1 'Round of Play'"),
    Row("dropped", "drop", BETWEEN, then="close_hand", clause="7.2.1(b)"),
)

# A hand declared dead or folded out of turn may leave one seat while cards are given up.
_LEFT_ALONE: Final = (
    Row("left_alone", ("discard1", "flop"), "side_flop", LEFT_WITH_SIDE, clause="8.17.3(a)(i)"),
    Row("left_alone", ("discard1", "flop"), "award", then=AWARD, clause="8.17.3(a)"),
    Row("left_alone", ("discard2", "turn"), "award", then=AWARD, clause="8.18.3(a)"),
    Row("left_alone", "river", "award", then=AWARD, clause="8.19.3(a)"),
    Row("left_alone", "showdown", "award", then=AWARD, clause="8.20.3(a)"),
)

# A ruling ends where it began, with what it decided, or somewhere else because of it.
_WAITING: Final = "deal_waiting_cards"
_DECIDED: Final = "close_ruling"
_AGAIN: Final = ("restart_round", _DECIDED)
_RULING: Final = (
    interrupt("irregularity", PLAYING, "ruling", "", "open_ruling", ("ask", _WAITING), "9.1.1"),
    resume("ruled", "ruling", "was_dealing", _DECIDED, ("see_if_dealt", _WAITING), "9.1.1"),
    resume("ruled", "ruling", "street_stands", _DECIDED, ("go_on_from_street", _WAITING), "9.1.1"),
    resume("ruled", "ruling", "was_betting", _DECIDED, ("look_at_lines", _WAITING), "9.1.1"),
    resume("ruled", "ruling", "", _DECIDED, _WAITING, "9.1.1"),
    resume("ruled_out", "ruling", "was_betting", _DECIDED, ("look_at_lines", "take_hand_out", _WAITING), "9.1.1"),
    resume("ruled_out", "ruling", "", _DECIDED, ("take_hand_out", _WAITING), "9.1.1"),
    resume("ruled_a_check", "ruling", "", _DECIDED, ("look_at_lines", "take_check", _WAITING), "6.15"),
    resume("ruled_one_wager", "ruling", "", _DECIDED, ("look_at_lines", "take_one_wager", _WAITING), "6.12"),
    resume("ruled_again", "ruling", "", _DECIDED, ("look_at_lines", "take_as_said", _WAITING), "6.14.2"),
    resume("ruled_two_wagers", "ruling", "", _DECIDED, ("look_at_lines", "return_chips", _WAITING), "6.12"),
    Row("street_taken_back", "ruling", "flop", "flop_taken_back", _AGAIN, _WAITING, "9.1.1"),
    Row("street_taken_back", "ruling", "turn", "turn_taken_back", _AGAIN, _WAITING, "9.1.1"),
    Row("street_taken_back", "ruling", "river", "", _AGAIN, _WAITING, "9.1.1"),
    Row("card_given_back", "ruling", "discard1", "flop_was_dealt", _AGAIN, _WAITING, "9.15.1"),
    Row("card_given_back", "ruling", "discard2", "", _AGAIN, _WAITING, "9.15.1"),
    Row(
        "misdeal",
        "ruling",
        "posting",
        "blinds_due",
        ("take_deal_back", _DECIDED),
        ("deal_anew", "take_ready_deck"),
        "9.1.1",
    ),
    Row("misdeal", "ruling", "shuffling", "", ("take_deal_back", _DECIDED), ("deal_anew", "take_ready_deck"), "9.1.1"),
    Row(
        "misdeal_refunded",
        "ruling",
        "posting",
        "",
        _DECIDED,
        ("set_deck_aside", "deal_anew", "take_ready_deck"),
        "9.1.1(h)",
    ),
    Row("all_refunded", "ruling", BETWEEN, "", ("refund_dead_hand", _DECIDED), "close_hand", "9.1.1(g)"),
    Row("cancel", PLAYING, BETWEEN, "", "hand_everything_back", CANCELLED, "13.5.1"),
    Row("cancel", "ruling", BETWEEN, "", ("hand_everything_back", _DECIDED), CANCELLED, "13.5.1"),
)

ROWS: Final = (*_DEAL, *_STREETS, *_END, *_LEFT_ALONE, *_RULING)

AT_A_TABLE: Final = frozenset(
    {
        "watch_collection",
        "take_ready_deck",
        "deal_waiting_cards",
        "count_lines_anew",
        "look_at_lines",
        "hold_pots",
        "deal_anew",
        "set_deck_aside",
        "announce_drop",
        "drop_unless_due",
        "withdraw_questions",
    }
)
"""What follows around a hand; one that belongs to no table runs the same rows without it."""


def _alone(row: Row) -> Row:
    return msgspec.structs.replace(row, then=tuple(name for name in row.thens if name not in AT_A_TABLE))


ALONE: Final = tuple(_alone(row) for row in ROWS)
