"""What the events of a written case are, by their names and fields; a name nobody knows is an error of the case."""

from __future__ import annotations

import re
from typing import Any

from controller.games.war.case import BadCase
from controller.rulebook import Rulebook

NOTHING = "nothing"
"""The event says in words what wagers, cards or choices of the case already show."""

KINDS = (
    (NOTHING, r"^(refused|handed_back|stake_refused|wager_refused|stake_returned)$|^no_(wagers?|stakes?|bets?)$"),
    (NOTHING, r"^late_(bet|wager|stake|chips?)$|^(feed|shuffle)_(missed|forgotten|omitted)$|^missed_(feed|shuffle)$"),
    ("double", r"double|two_(cards|at_once)|cards_together"),
    ("empty", r"shoe_empty|csm_empty|insufficient|r[ua]n_?out|out_of_cards|no_cards_left|exhausted"),
    ("device", r"malfunction|jam|(csm|device|shuffler|machine)_(f|stop|break|err)|breakdown"),
    ("dealer_card_missing", r"dealer.*(missing|not_dealt|omitted|forgotten)|missing.*dealer"),
    ("invalid_card", r"player_card|invalid_player|card_not_(valid|own)|borrowed_card|other_persons_card"),
    ("card_itself", r"face_?up|foreign|joker|cutting_card|cut_card|parked|carried"),
    ("wrong_deck", r"card_missing|missing_card|lost_card|wrong_deck|incorrect_deck|duplicate|impossible|short_deck"),
    ("surplus", r"excess|surplus|extra_card|too_many|overdr|additional_card|(dealt|burned|drawn)_in_error"),
    ("passed_over", r"skipped|passed|not_dealt|area_(missed|omitted)|missed_area"),
    ("astray", r"without|no_war_(stake|wager)|no_wager_area|wrong_area|not_at_war|non_war|astray"),
    ("choice_missed", r"decision|choice|not_offered|not_followed|not_acted"),
    ("settled_as", r"late_discovery|settled_as|found_after_settlement"),
    ("misplaced", r"placement|misplaced|reconstruct|rebuil|wrong_(order|box|place)|out_of_order|dealt_to_wrong"),
    ("void_hand", r"hand_void|void_hand|box_void"),
    ("void_round", r"round_void|void_round|cannot_be_re"),
    ("misdeal", r"misdeal|mis_deal"),
    ("cancel", r"invalidat|cancel|riot|fire$|fraud|disturbance|disruption|emergency"),
    ("void_player", r"player_void|sanction|wagers?_voided|rule_break|breach|barred"),
    ("invalid_stake", r"invalid_(wager|stake|bet)|tie_alone"),
    ("absent", r"absent|away$|no_(answer|response)|silent|unresponsive|left_the_table|left_table"),
    ("warned", r"warned|warning"),
    ("burn_missed", r"burn_(missed|forgotten|omitted|left_out|skipped)|(missed|forgotten|omitted)_burn"),
    ("new_shoe", r"new_(shoe|cards)|shoe_start|start_of_shoe|fresh_shoe"),
    ("bad_cut", r"(bad|improper|wrong|shallow|incorrect)_cut|cut_(error|wrong|improper|bad|incorrect|too)"),
    ("house_chips", r"house_chips"),
    ("war_stake_rejected", r"war_(stake|wager)_(rej|wrong|ref|diff|short|not_equal)|partial_war|wrong_war"),
)
"""Kind and the names it goes by; the first that fits decides."""

FIELDS = frozenset({
    "event", "card_index", "after_card", "box", "player", "wager", "rank", "stage", "exposed", "seen", "pulled_for",
    "order_known", "can_complete", "cleared", "disadvantage", "spare", "practicable", "damage", "damaged",
    "damaged_cards", "withdrawing", "withdraw", "retracting", "players_retracting", "requeued", "settled_as",
    "serving", "next_cutter", "offered", "required", "amount", "reason", "forfeit", "void_boxes", "shuffled", "cut",
})  # fmt: skip
"""What is understood of an event."""

RANKS = {"operator": "TGM", "OP": "TGM", "casino_operator": "TGM", "CS": "GS", "supervisor": "", "inspector": ""}
"""Words of the documents for a rank; empty where any that may rule is meant."""


def kind_of(event: dict[str, Any]) -> str:
    """What sort of event a case tells of; BadCase when its name means nothing."""
    name = str(event.get("event", ""))
    if "card" in name and "player" not in name and "dealer" not in name and re.search(r"foreign|face_?up", name):
        return "card_itself"
    found = next((kind for kind, pattern in KINDS if re.search(pattern, name)), None)
    if found is None:
        kinds = ", ".join(dict.fromkeys(kind for kind, _ in KINDS if kind != NOTHING))
        raise BadCase(f"event {name!r} means nothing here; events are {kinds}")
    return found


def unknown_fields(event: dict[str, Any]) -> list[str]:
    """Fields of an event that change nothing because nobody knows what they mean."""
    return sorted(set(event) - FIELDS)


def seen(event: dict[str, Any]) -> bool:
    """Whether people saw the face of a surplus card; a case that is silent means that they did."""
    return bool(event.get("exposed", event.get("seen", True)))


def level_of(event: dict[str, Any], book: Rulebook) -> int:
    """The rank that rules in this event as a step of the ladder; 0 where it does not say."""
    named = str(event.get("rank", ""))
    named = RANKS.get(named, named)
    if not named:
        return 0
    level = book.level(named)
    if not level:
        ladder = " < ".join(book.ladder)
        raise BadCase(f"event {event.get('event')!r}: {book.id} knows no rank {event['rank']!r}; it has {ladder}")
    return level
