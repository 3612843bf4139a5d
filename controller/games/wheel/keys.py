"""The keys of a Big Wheel table, each with its rank and clause from the rulebook, and the declared round."""

from __future__ import annotations

from controller.desk import Key
from controller.games.wheel.colours import KEYS as COLOUR_KEYS
from controller.house import House
from controller.machine import Row

ROWS = (
    Row("place_bets", "idle", "betting_open", action="open_betting", clause="5.1.1"),
    Row("spin_started", "betting_open", "spin_open", action="take_spin", clause="5.1.2"),
    Row("spin_started", "closed_wait_spin", "spin_closed", action="take_spin", clause="5.1.2"),
    Row("no_more_bets", "betting_open", "closed_wait_spin", action="freeze", clause="3.2"),
    Row("no_more_bets", "spin_open", "spin_closed", action="freeze", clause="5.1.2"),
    Row("rested", "spin_open", "check", action="take_unclosed_rest", clause="5.1.2"),
    Row("rested", "spin_closed", "check", action="take_rest", clause="1.1 'Indicator'"),
    Row("judge", "check", "ruling", guard="in_doubt", action="ask_about_doubt", clause="7.1"),
    Row("judge", "check", "result", action="show_result", clause="5.1.3"),
    Row("rule_on", "ruling", "check", clause="9.11"),
    Row("call_no_spin", ("spin_open", "spin_closed", "check", "ruling"), "no_spin", action="void_spin", clause="7.2"),
    Row("reopen", "no_spin", "betting_open", action="reopen_betting", clause="5.1.1"),
    Row("acknowledge", "result", "collect", action="book_settlement", clause="5.1.3"),
    Row("collected", "collect", "pay", guard="losers_are_clear", clause="3.6.1"),
    Row("paid", "pay", "idle", action="end_round", clause="3.6.2"),
    Row(
        "cancel",
        (
            "betting_open",
            "closed_wait_spin",
            "spin_open",
            "spin_closed",
            "check",
            "ruling",
            "result",
            "collect",
            "pay",
        ),
        "cancelled",
        action="refund_round",
        clause="9.5",
    ),
    Row("refunded", "cancelled", "idle", action="end_cancelled", clause="9.5"),
)

_DECLARED = (
    # name, words, power, arguments, while suspended
    ("place_bets", "Place your bets", "place_bets", (), False),
    ("no_more_bets", "No more bets", "no_more_bets", (), True),
    ("no_spin", "Call a no spin", "call_no_spin", ("reason",), True),
    ("acknowledge", "Result announced", "announce_result", (), False),
    ("losers_clear", "Losing wagers cleared", "confirm_collected", (), False),
    ("paid", "Winners paid", "confirm_paid", ("confirmed",), False),
    ("assign", "Whose chips are these", "assign_wager", ("area", "player"), False),
    ("dealer_placed", "Chips placed by the dealer", "place_chip", ("area", "player"), False),
    ("interference", "The wheel was touched", "call_no_spin", ("actor",), True),
    ("idle_spins", "Direct spins without wagers", "idle_spin", ("spins",), False),
    ("cancel_disruption", "Invalidate: disruption", "invalidate_disruption", ("reason",), True),
    ("cancel_fraud", "Invalidate: fraud", "invalidate_fraud", ("reason",), True),
    ("void", "Void a player's wagers", "void_wager", ("player", "reason"), True),
    ("exclude", "Exclude a player", "exclude_player", ("player", "reason"), True),
    ("withhold", "Withhold winnings", "withhold", ("player", "reason"), True),
    ("device_seen", "A player uses a device", "vacate_seat", ("player",), True),
    ("inquiry_over", "Inquiry closed", "withhold", ("player", "outcome"), True),
    ("sit", "Player sits down", "vacate_seat", ("seat", "player"), True),
    ("leave", "Player leaves", "vacate_seat", ("seat",), True),
    ("dispute", "Dispute: decide", "dispute", ("text", "decision"), True),
)


def declare_keys(house: House) -> dict[str, Key]:
    """The keys by name."""
    keys = {}
    for name, label, power, args, while_suspended in (*_DECLARED, *COLOUR_KEYS):
        rank, clause = house.power(power)
        keys[name] = Key(name, label, rank, clause, args, while_suspended)
    return keys
