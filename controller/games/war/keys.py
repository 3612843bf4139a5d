"""The declared course of shoe and round, and the keys of the table with rank and clause from the rulebook."""

from __future__ import annotations

from controller.desk import Key
from controller.house import House
from controller.machine import Row

PHASES = (
    "unchecked",
    "unshuffled",
    "uncut",
    "burning",
    "betting",
    "closed",
    "dealing",
    "interim",
    "choosing",
    "war_burning",
    "war_dealing",
    "final",
    "over",
    "ruling",
    "reshuffling",
    "recutting",
    "blocked",
)
DRAWING = ("dealing", "war_burning", "war_dealing")
IN_ROUND = ("dealing", "interim", "choosing", "war_burning", "war_dealing", "final")
BEFORE_ROUND = ("unchecked", "unshuffled", "uncut", "burning", "betting", "closed")
AT_WAR = ("war_burning", "war_dealing")

ROWS = (
    # the life of the cards
    Row("cards_ready", ("unchecked", "blocked"), "unshuffled"),
    Row("cards_away", ("unchecked", "unshuffled", "uncut", "betting", "over"), "unchecked"),
    Row("wrong_count", "unchecked", "blocked"),
    Row("cards_replaced", ("unshuffled", "betting", "blocked"), "unchecked"),
    Row("shuffled", "unshuffled", "uncut", "cut_needed"),
    Row("shuffled", "unshuffled", "burning", "burn_needed"),
    Row("shuffled", "unshuffled", "betting"),
    Row("cut", "uncut", "burning", "burn_needed"),
    Row("cut", "uncut", "betting"),
    Row("burned", "burning", "betting"),
    Row("shuffle", "betting", "unshuffled"),
    Row("cutting_card_first", ("burning", "betting", "closed"), "unshuffled"),
    # the round
    Row("close_bets", "betting", "closed"),
    Row("reopen_bets", "closed", "betting"),
    Row("first_card", ("unshuffled", "burning", "betting", "closed"), "dealing"),
    Row("first_dealt", "dealing", "interim"),
    Row("interim_settled", "interim", "choosing", "ties_open"),
    Row("interim_settled", "interim", "over"),
    Row("chosen", "choosing", "war_burning", "war_burns"),
    Row("chosen", "choosing", "war_dealing", "at_war"),
    Row("chosen", "choosing", "over"),
    Row("war_burned", "war_burning", "war_dealing"),
    Row("war_dealt", "war_dealing", "final"),
    Row("final_settled", "final", "over"),
    Row("end_round", (*IN_ROUND, *BEFORE_ROUND, "ruling", "reshuffling", "recutting"), "over"),
    Row("next_round", "over", "blocked", "cards_wrong"),
    Row("next_round", "over", "unshuffled", "shuffle_is_due"),
    Row("next_round", "over", "betting"),
    # back to an earlier part of the round
    Row("deal_again", (*IN_ROUND, "ruling"), "dealing"),
    Row("choose_again", ("choosing", "war_burning", "war_dealing", "final", "ruling"), "choosing"),
    Row("war_again", ("war_burning", "war_dealing", "final", "ruling"), "war_dealing"),
    # standing still
    Row("irregular", IN_ROUND, "ruling"),
    *(Row("ruled", "ruling", phase, f"resume_{phase}") for phase in IN_ROUND),
    Row("out_of_cards", (*DRAWING, "ruling"), "reshuffling"),
    Row("shuffled", "reshuffling", "recutting", "cut_needed"),
    *(Row("shuffled", "reshuffling", phase, f"resume_{phase}") for phase in DRAWING),
    *(Row("cut", "recutting", phase, f"resume_{phase}") for phase in DRAWING),
)

_DECLARED = (
    # name, words, power, arguments, while suspended
    ("check_cards", "Cards checked", "check_cards", ("how",), True),
    ("order_check", "Have all cards checked", "order_check", (), True),
    ("read_cards", "Cards read one by one", "order_check", ("faces", "where"), True),
    ("shuffled", "Cards shuffled", "record_shuffle", (), True),
    ("place_bets", "Place your bets", "open_table", (), False),
    ("no_more_bets", "No more bets", "no_more_bets", (), True),
    ("settled", "Losers cleared, winners paid", "settle", (), True),
    ("choice", "War or surrender", "enter_decision", ("box", "player", "choice"), True),
    ("keep_minimum", "Raise the minimum for newcomers", "keep_minimum", ("least",), True),
    ("change_decks", "Change the number of decks", "change_decks", ("decks",), True),
    ("assign", "Whose chips are these", "open_table", ("box", "zone", "player"), True),
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
    ("misplaced", "Cards laid wrongly", "report", (), True),
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
    ("cancel", "Cancel the outcome", "report", ("reason",), True),
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
    ("mispaid", "Wrong payment", "report", ("wager", "paid", "due"), True),
    ("dispute", "Dispute: decide", "dispute", ("text", "decision"), True),
    ("review", "Dispute: review the decision", "review", ("decision",), True),
)


_PLAYING = (*IN_ROUND, "ruling")
_WAR = ("war_burning", "war_dealing", "final")
_RULABLE = (*_PLAYING, "reshuffling", "recutting")

WHEN: dict[str, tuple[str, ...]] = {
    "check_cards": ("unchecked",),
    "shuffled": ("unshuffled", "reshuffling"),
    "place_bets": ("over", "closed"),
    "no_more_bets": ("betting",),
    "settled": ("interim", "final"),
    "refuse_stake": BEFORE_ROUND,
    "spoken": BEFORE_ROUND,
    "choice": ("choosing",),
    "house_chips": ("choosing", *_WAR, "ruling"),
    "surplus": (*_PLAYING, "over"),
    "misread": (*_PLAYING, "burning"),
    "not_drawn": ("burning", *DRAWING, "ruling"),
    "misplaced": _PLAYING,
    "dealer_card_missing": ("dealing",),
    "passed_over": _WAR,
    "astray": _WAR,
    "choice_missed": ("choosing", *_WAR, "over"),
    "settled_as": ("interim", "choosing", "final"),
    "burn_missed": ("burning", "betting", "closed", "dealing"),
    "skip_burn": ("burning", *DRAWING),
    "void_hand": _PLAYING,
    "void_round": _RULABLE,
    "misdeal": _RULABLE,
    "cancel": (*_RULABLE, "over"),
    "void_player": _PLAYING,
    "replace_cards": ("unshuffled", "betting", "blocked"),
}
"""Keys that mean something only in these phases; the others always do."""


def declare_keys(house: House) -> dict[str, Key]:
    """The keys by name; a power the rulebook does not know leaves its keys out."""
    keys = {}
    for name, label, power, args, while_suspended in _DECLARED:
        if power not in house.rulebook.powers:
            continue
        rank, clause = house.power(power)
        keys[name] = Key(name, label, rank, clause, args, while_suspended)
    return keys
