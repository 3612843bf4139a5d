"""The keys of a poker table, each with its rank and clause, and what they fire."""

from __future__ import annotations

from controller.core.desk import Ask, Key, declared
from controller.core.house import House

TERMS = ("game", "structure", "minimum", "maximum", "levels", "blinds", "buy_in")
COMMISSION = ("method", "percent", "cap", "minimum", "fee", "fees")
"""What a screen enters of a change, each in a field of its own."""
OUT_OF_TURN = Ask("seat", label="Seat, if it is not the one in turn", optional=True, aside=True)
CORRECTABLE = Ask("correctable", "flag", "It can still be put right", optional=True)
PAID_LAP = Ask("paid_lap", "flag", "Has paid the blinds of this lap")

_DECLARED: tuple[tuple[str, str, str, tuple[str | Ask, ...], bool], ...] = (
    # name, words, power, arguments, while suspended
    ("start_hand", "Start the hand", "deal_hand", (), False),
    ("fees", "Fees taken", "collect", (), False),
    ("refuse_blind", "Blind not posted", "post_blinds", ("seat",), False),
    ("shuffled", "Deck shuffled", "shuffle", (), False),
    ("cut", "Deck cut", "cut", ("confirmed",), False),
    ("check", "Check", "action", (OUT_OF_TURN,), False),
    ("call", "Call announced", "action", (OUT_OF_TURN,), False),
    ("bet", "Bet announced", "action", ("amount", OUT_OF_TURN), False),
    ("raise", "Raise announced", "action", ("amount", OUT_OF_TURN), False),
    ("all_in", "All-in announced", "action", (OUT_OF_TURN,), False),
    ("fold", "Fold", "action", (OUT_OF_TURN,), False),
    ("announce", "Announced without an amount", "action", ("what", OUT_OF_TURN), False),
    ("time_up", "Time to act is over", "call_time", (OUT_OF_TURN,), False),
    ("buy_time", "Time bought", "call_time", ("seat",), False),
    ("turned_up", "Board turned up", "turn_up", (), False),
    ("exposed", "Hole card shown by the dealer", "report", ("seat",), False),
    ("boxed", "Boxed card", "report", (), False),
    ("report", "Something went wrong", "report", ("what", "seat", CORRECTABLE), False),
    ("done", "Step done", "report", ("confirmed",), False),
    ("table_hand", "Hand tabled", "table_hand", ("seat",), False),
    ("muck_hand", "Hand given up", "table_hand", ("seat",), False),
    ("ask_to_see", "Discarded hand asked for", "inspect_hand", ("seat", "asker"), False),
    ("look", "Look at a hand after play", "look_at_hand", ("seat",), False),
    ("inspect", "Show to all what one has seen", "inspect_hand", ("seat",), False),
    ("pushed", "Pots pushed", "push", ("confirmed",), False),
    ("dropped", "Commission dropped", "drop", ("confirmed",), False),
    ("cancel_disruption", "Invalidate: disruption", "invalidate_disruption", ("reason",), True),
    ("cancel_fraud", "Invalidate: fraud", "invalidate_fraud", ("reason",), True),
    ("sit", "Player sits down", "seat_player", ("seat", "player", "amount"), False),
    ("leave", "Player leaves", "seat_player", ("seat",), True),
    ("move", "Player changes seats", "move_player", ("seat", "to", PAID_LAP), False),
    ("add_chips", "Player buys more chips", "seat_player", ("seat", "amount"), False),
    ("lammer", "Lammer: chips are coming", "seat_player", ("seat", "amount"), True),
    ("walk", "Player walks", "player_walks", ("seat",), True),
    ("back", "Player is back", "player_walks", ("seat",), True),
    ("place_button", "Place the button", "dispute", ("seat",), False),
    ("deal_out", "Not dealt this hand", "deal_out", ("seat",), False),
    ("posts", "Posts to be dealt in", "post_blinds", ("seat",), False),
    ("newcomer_waits", "Newcomer waits for the blind", "newcomer_waits", ("seat",), False),
    ("newcomer_posts", "Newcomer posts the large blind", "newcomer_posts", ("seat",), False),
    ("pick_up", "Pick up an absent player", "pick_up_player", ("seat",), True),
    ("change_game", "Announce a change of game or stakes", "change_game", TERMS, False),
    ("agree", "A player agrees to the change", "agree", ("seat",), False),
    ("close_agreed", "All players agree to close", "close", (), False),
    ("change_commission", "Change the commission", "change_commission", COMMISSION, False),
    ("waive_commission", "No commission", "waive_commission", (), False),
    ("collect_time", "Hourly charge collected", "collect", (), False),
    ("check_time_charge", "Hourly charge checked", "check_time_charge", (), False),
    ("count_cards", "Order a count of the cards", "count_cards", (), False),
    ("change_cards", "Change the deck", "change_cards", ("reason",), False),
    ("bonus", "Verify a bonus prize", "verify_bonus", ("seat", "prize"), False),
    ("conduct", "Rule on conduct", "rule_conduct", ("player", "ruling"), True),
    ("device_seen", "A player uses a device", "report_device", ("player",), True),
    ("exclude", "Exclude a player", "exclude_player", ("player", "reason"), True),
    ("withhold", "Withhold winnings", "withhold", ("player", "reason"), True),
    ("confiscate", "Confiscate a device", "confiscate", ("player", "reason"), True),
    ("dispute", "Dispute: decide", "dispute", ("text", "decision"), True),
)
FIRES = {
    **dict.fromkeys(
        ("start_hand", "place_button", "change_cards", "change_game", "change_commission", "waive_commission"),
        "start_hand",
    ),
    "refuse_blind": "blind_refused",
    **dict.fromkeys(("check", "call", "bet", "raise", "all_in", "fold", "announce", "time_up"), "round_done"),
    **dict.fromkeys(("table_hand", "muck_hand"), "hands_read"),
    "pushed": "pots_pushed",
    "dropped": "dropped",
    **dict.fromkeys(("cancel_disruption", "cancel_fraud"), "cancel"),
}
"""What a key fires, or leads to; it means something where a row for that starts."""


def declare_keys(house: House) -> dict[str, Key]:
    """The keys by name."""
    keys = {}
    for name, label, power, args, while_suspended in _DECLARED:
        rank, clause = house.power(power)
        keys[name] = declared(name, label, rank, clause, args, while_suspended)
    return keys
