"""The keys of the table with rank and clause from the rulebook, what each fires, and when the others mean something."""

from __future__ import annotations

import msgspec

from controller.core.desk import ACCEPTED, Ask, Key, declared
from controller.core.house import House
from controller.games.war.rules import Column
from controller.games.war.state import BEFORE_ROUND, DRAWING, PLAYING, SECOND_DEAL

PRE_SHUFFLED = Ask("pre_shuffled", "flag", "The cards come shuffled by their maker", aside=True)
BATCH = Ask("batch", "text", "Batch number on the box", optional=True, aside=True)
MOST = Ask("most", "money", "Maximum, none if it stays", optional=True)
KEEPING = Ask("players", "names", "Who keeps the old minimum, all who play if none is named", optional=True)
COLUMN = Ask("column", "choice", "Odds of Perfect Pairs", optional=True, number=True)
TAGS = Ask("tags", "numbers", "Only the chips with these tags", optional=True, aside=True)
WAGER = Ask("wager", "text", "Name of the stake", optional=True, aside=True)
WITHDRAW = Ask("withdraw", "names", "Who takes the stakes back (names, with commas)", optional=True)
FORFEIT = Ask("forfeit", "names", "Whose stakes are forfeited (names, with commas)", optional=True)
INTENDED = Ask("intended", "flag", "With intent")

_DECLARED: tuple[tuple[str, str, str, tuple[str | Ask, ...], bool], ...] = (
    # name, words, power, arguments, while suspended
    ("check_cards", "Cards checked", "check_cards", ("how", PRE_SHUFFLED, BATCH), True),
    ("order_check", "Have all cards checked", "order_check", (), True),
    ("read_cards", "Cards read one by one", "order_check", ("faces", "where"), True),
    ("shuffled", "Cards shuffled", "record_shuffle", (), True),
    ("place_bets", "Place your bets", "open_table", ACCEPTED, False),
    ("no_more_bets", "No more bets", "no_more_bets", (), True),
    ("settled", "Losers cleared, winners paid", "settle", ACCEPTED, True),
    ("choice", "War or surrender", "enter_decision", ("box", "player", "choice"), True),
    ("keep_minimum", "Raise the minimum for newcomers", "keep_minimum", ("least", MOST, KEEPING), True),
    ("change_decks", "Change the number of decks", "change_decks", ("decks", COLUMN), True),
    ("assign", "Whose chips are these", "open_table", ("box", "zone", "player", TAGS, WAGER), True),
    ("sit", "Player takes a box", "open_table", ("box", "player"), True),
    ("spoken", "Spoken bet", "spoken_bet", ("box", "zone", "player", "amount", "money"), True),
    ("refuse_stake", "Refuse a stake before the deal", "rule_late_chips", ("wager",), True),
    ("withhold", "Withhold winnings", "withhold", ("player", "reason"), True),
    ("inquiry_over", "Inquiry closed", "withhold", ("player", "outcome"), True),
    ("house_chips", "House chips laid", "settle", ("box", "amount"), True),
    ("player_card", "Player card read", "open_table", ("box", "player"), True),
    ("reserve", "Keep a box for a player", "reserve_areas", ("box", "player"), True),
    ("card_touched", "A player handled cards", "report", ("player",), True),
    ("riffle", "Riffle pre-shuffled cards", "approve_riffle", (), True),
    ("player_left", "Player left", "vacate_seat", ("player",), True),
    ("show_burn", "Burn card shown", "record_shuffle", (), True),
    ("fed", "Discards fed in", "record_shuffle", (), True),
    ("surplus", "Card drawn too many", "report", ("sight",), True),
    ("misread", "Card misread", "correct_card", ("card", "face"), True),
    ("not_drawn", "Card told but not drawn", "correct_card", ("card",), True),
    ("misplaced", "Cards laid wrongly", "report", (WITHDRAW,), True),
    ("dealer_card_missing", "Dealer has no card", "report", (), True),
    ("passed_over", "War area passed over", "report", ("box",), True),
    ("astray", "War card without war stake", "report", ("card",), True),
    ("choice_missed", "Choice not offered or not followed", "report", ("box", "player"), True),
    ("settled_as", "Already settled otherwise", "dispute", ("wager", "result"), True),
    ("burn_missed", "Burn forgotten", "report", (), True),
    ("skip_burn", "Go on without the burn", "skip_burn", (), True),
    ("bad_cut", "Cut not as it should be", "report", (), True),
    ("shoe_empty", "No cards left", "report", (), True),
    ("absent", "Player is away", "report", ("player",), True),
    ("invalid_card", "Not the player's own card", "report", ("player",), True),
    ("invalid_stake", "Stake against the rules", "report", ("wager",), True),
    ("void_hand", "Void a hand", "report", ("box",), True),
    ("void_round", "Round cannot be rebuilt", "report", (), True),
    ("misdeal", "Misdeal", "report", (), True),
    ("wrong_deck", "Missing or foreign card", "report", ("what",), True),
    ("cancel", "Cancel the outcome", "report", ("reason", FORFEIT), True),
    ("void_player", "Void a player's wagers", "report", ("player",), True),
    ("bar_player", "Bar a player", "bar_player", ("player",), True),
    ("warned", "Player was told of the minimum", "report", ("player",), True),
    ("order_shuffle", "Order a shuffle", "order_shuffle", ("reason",), True),
    ("replace_cards", "Replace the cards", "replace_cards", ("why",), True),
    ("set_aside", "Card set aside", "replace_unfit", ("face",), True),
    ("replace_card", "Card replaced", "replace_unfit", ("face",), True),
    ("notified", "Notification recorded", "report", ("whom",), True),
    ("deck_checked", "Decks checked", "order_check", ("outcome",), True),
    ("allow_several", "Allow several areas", "several_boxes", ("player",), True),
    ("waiting", "Players wait for a place", "report", (), True),
    ("share", "Limit sharing of an area", "lower_share", ("most",), True),
    ("mispaid", "Wrong payment", "report", ("wager", "paid", "due", INTENDED), True),
    ("dispute", "Dispute: decide", "dispute", ("text", "decision"), True),
    ("review", "Dispute: review the decision", "review", ("decision",), True),
)


FIRES: dict[str, tuple[str, ...]] = {
    "check_cards": ("cards_ready",),
    "shuffled": ("shuffled",),
    "place_bets": ("next_round", "reopen_bets"),
    "no_more_bets": ("close_bets",),
    "settled": ("interim_settled", "final_settled"),
    "choice": ("chosen",),
    "misplaced": ("rebuilt",),
    "passed_over": ("second_deal_mended",),
    "astray": ("second_deal_mended",),
    "choice_missed": ("choice_missed",),
    "settled_as": ("settled_otherwise",),
    "void_round": ("voided",),
    "misdeal": ("voided",),
    "cancel": ("voided",),
    "replace_cards": ("cards_replaced",),
}
"""What a key fires, at once or in the end; it means something where a row for that starts."""

WHEN: dict[str, tuple[str, ...]] = {
    "refuse_stake": BEFORE_ROUND,
    "spoken": BEFORE_ROUND,
    "house_chips": ("choosing", *SECOND_DEAL, "ruling"),
    "surplus": (*PLAYING, "over"),
    "misread": (*PLAYING, "burning"),
    "not_drawn": ("burning", *DRAWING, "ruling"),
    "dealer_card_missing": ("dealing",),
    "choice_missed": ("over",),
    "burn_missed": ("burning", "betting", "closed", "dealing"),
    "skip_burn": ("burning", *DRAWING),
    "void_hand": PLAYING,
    "cancel": ("over",),
    "void_player": PLAYING,
}
"""Where a key means something although it moves nothing there; one that stands in neither table always does."""


def declare_keys(house: House, columns: tuple[Column, ...] = ()) -> dict[str, Key]:
    """The keys by name; what the rulebook does not know leaves its keys out, or what would be told with them."""
    left_out = {FORFEIT} if "forfeit" not in house.rulebook.powers else set()
    odds = tuple((str(one.number), f"Column {one.number}, for {one.decks} decks") for one in columns)
    with_column = msgspec.structs.replace(COLUMN, choices=odds)
    keys = {}
    for name, label, power, args, while_suspended in _DECLARED:
        if power not in house.rulebook.powers:
            continue
        rank, clause = house.power(power)
        asked = (with_column if each == COLUMN else each for each in args if each not in left_out)
        told = tuple(each for each in asked if odds or each != with_column)
        keys[name] = declared(name, label, rank, clause, told, while_suspended)
    return keys
