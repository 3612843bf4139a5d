"""The keys of a poker table, each with its rank and clause, and the course of a hand as its machine."""

from __future__ import annotations

from controller.desk import Key
from controller.games.poker.course import STATES as HAND_STATES
from controller.games.poker.course import WAYS
from controller.house import House
from controller.machine import Moved, NotNow, Row, StrictMachine

BETWEEN = "between_hands"
TERMS = ("game", "structure", "minimum", "maximum", "levels", "blinds", "buy_in")
COMMISSION = ("method", "percent", "cap", "minimum", "fee", "fees")
"""What a screen enters of a change, each in a field of its own."""
STATES: tuple[str, ...] = (BETWEEN, *(state for state in HAND_STATES if state != "over"))


def _end(dest: str) -> str:
    return BETWEEN if dest == "over" else dest


START = Row("start_hand", BETWEEN, "posting", clause="8.4")
DIAGRAM: tuple[Row, ...] = (
    START,
    *(Row(way.trigger, way.source, _end(way.dest), guard=way.guard, clause=way.clause) for way in WAYS),
)
"""The declared course with the guards that the hand itself tests."""

_FOLLOWED = (
    Row("start_hand", BETWEEN, "posting", guard="to_posting"),
    *(Row(way.trigger, way.source, _end(way.dest), guard=f"to_{_end(way.dest)}") for way in WAYS),
)
_WAYS = frozenset((row.trigger, row.source, row.dest) for row in _FOLLOWED)


class _Ahead:
    """Lets the machine go where the hand has gone, and nowhere else."""

    def __init__(self) -> None:
        self.dest = ""

    def __getattr__(self, name: str) -> object:
        if not name.startswith("to_"):
            raise AttributeError(name)
        dest = name[3:]
        return lambda: self.dest == dest


class CourseMachine(StrictMachine):
    """The round machine of a table, following a hand along its declared course.

    The hand has tested its own guards by then, so a declared way is gone at once.
    """

    def __init__(self, moved: Moved) -> None:
        super().__init__("round", _Ahead(), STATES, _FOLLOWED, BETWEEN, moved)

    def follow(self, trigger: str, dest: str) -> None:
        """The hand went this way; one that is not declared is an error of ours."""
        source, dest = self.state, _end(dest)
        if (trigger, source, dest) not in _WAYS:
            raise NotNow(self.name, trigger, source)
        self.restore(dest)
        self._moved(self.name, source, dest, trigger)


_DECLARED = (
    # name, words, power, arguments, while suspended
    ("start_hand", "Start the hand", "deal_hand", (), False),
    ("fees", "Fees taken", "collect", (), False),
    ("refuse_blind", "Blind not posted", "post_blinds", ("seat",), False),
    ("shuffled", "Deck shuffled", "shuffle", (), False),
    ("cut", "Deck cut", "cut", ("confirmed",), False),
    ("check", "Check", "action", (), False),
    ("call", "Call announced", "action", (), False),
    ("bet", "Bet announced", "action", ("amount",), False),
    ("raise", "Raise announced", "action", ("amount",), False),
    ("all_in", "All-in announced", "action", (), False),
    ("fold", "Fold", "action", (), False),
    ("announce", "Announced without an amount", "action", ("what",), False),
    ("time_up", "Time to act is over", "call_time", (), False),
    ("buy_time", "Time bought", "call_time", ("seat",), False),
    ("turned_up", "Board turned up", "turn_up", (), False),
    ("exposed", "Hole card shown by the dealer", "report", ("seat",), False),
    ("boxed", "Boxed card", "report", (), False),
    ("report", "Something went wrong", "report", ("what", "seat"), False),
    ("done", "Step done", "report", ("confirmed",), False),
    ("table_hand", "Hand tabled", "table_hand", ("seat",), False),
    ("muck_hand", "Hand given up", "table_hand", ("seat",), False),
    ("ask_to_see", "Discarded hand asked for", "inspect_hand", ("seat", "asker"), False),
    ("look", "Look at a hand after play", "look_at_hand", ("seat",), False),
    ("inspect", "Show to all what one has seen", "inspect_hand", ("seat",), False),
    ("pushed", "Pots pushed", "push", ("confirmed",), False),
    ("dropped", "Commission dropped", "drop", (), False),
    ("cancel_disruption", "Invalidate: disruption", "invalidate_disruption", ("reason",), True),
    ("cancel_fraud", "Invalidate: fraud", "invalidate_fraud", ("reason",), True),
    ("sit", "Player sits down", "seat_player", ("seat", "player", "amount"), False),
    ("leave", "Player leaves", "seat_player", ("seat",), True),
    ("move", "Player changes seats", "move_player", ("seat", "to"), False),
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


def declare_keys(house: House) -> dict[str, Key]:
    """The keys by name."""
    keys = {}
    for name, label, power, args, while_suspended in _DECLARED:
        rank, clause = house.power(power)
        keys[name] = Key(name, label, rank, clause, args, while_suspended)
    return keys
