"""The events of a written case: by which names they go, what may be told of them, and what of it must be."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

from controller.config.tomlread import nearest
from controller.games.war.cards import BadCard, parse
from controller.rules.rulebook import Rulebook
from lab.scenarios.war.errors import BadCase


class Happening(msgspec.Struct):
    """One event of a case, its fields under the names used here; `done` once it came about at the table."""

    kind: str
    name: str
    told: dict[str, Any]
    done: bool = False

    @property
    def card_index(self) -> int | None:
        """The card of the case that this is about."""
        index: int | None = self.told.get("card_index")
        return index

    @property
    def after_card(self) -> int | None:
        """After how many cards of the case it happens."""
        after = self.told.get("after_card")
        return after if after is not None or self.card_index is None else self.card_index + 1

    @property
    def stage(self) -> str:
        return str(self.told.get("stage", ""))

    @property
    def players(self) -> list[str]:
        """Everybody it names."""
        return [*self.told.get("players", []), *([self.told["player"]] if "player" in self.told else [])]

    @property
    def wagers(self) -> list[str]:
        """Every wager it names."""
        return [*self.told.get("wagers", []), *([self.told["wager"]] if "wager" in self.told else [])]


class Word(NamedTuple):
    """A kind of event: its own name first, whatever else it goes by, what may be told, and what must be."""

    kind: str
    name: str
    also: str
    fields: str = ""
    needs: str = ""


WORDS = (
    # what the table itself does, and the case says so
    Word("refused", "refused", r"(stake|wager|bet|tie|chips)s?_(refused|handed_back)|handed_back",
         "wager wagers reason"),
    Word("late", "late_bet", r"late_(wager|stake|chips?)s?|bet_too_late|chips_(added|after_first_card)",
         "wager wagers accepted stage"),
    Word("no_stakes", "no_wagers", r"no_(wager|stake|bet)s?(_placed)?|dealt_without_(wager|stake)s?"),
    # device and cards
    Word("double", "csm_double_deal", r".*double(_deal|_presentation)?|two_(cards|at_once).*|cards_together",
         "after_card card_index order_known can_complete"),
    Word("empty", "shoe_empty", r"(csm|device|shuffler)_empty|.*insufficient_cards|shoe_r[ua]ns?_?out|.*out_of_cards|"
         r"no_cards_left|.*exhausted", "after_card"),
    Word("device", "csm_malfunction", r".*malfunction|(.*_)?jam(med)?|(csm|device|shuffler|machine)_(fault|"
         r"failure|fails|"
         r"failed|stops|stopped|breakdown|error)|breakdown|no_card_at_(the_)?mouth",
         "after_card can_complete disadvantage spare practicable damage damaged withdrawing void_boxes"),
    Word("face_up", "face_up_card", r"(card_)?face_?up(_in_shoe|_card)?|reversed_card|exposed_in_shoe",
         "card_index after_card"),
    Word("foreign", "foreign_card", r"joker|card_foreign|(other|wrong|different)_back", "card_index after_card"),
    Word("cutting_card", "cutting_card", r"cut_card|cutting_card_.*", "card_index after_card serving next_cutter"),
    Word("parked", "parked_card", r"(card_)?(parked|carried)(_over|_card)?|carried_card", "card_index"),
    Word("unreadable", "unreadable_card", r"card_(unreadable|unread|not_read)|unread_card", "card_index face"),
    Word("misread", "misread_card", r"card_misread|misread(ing)?", "card_index read_as", "card_index read_as"),
    Word("wrong_deck", "missing_card", r"(card|cards)_missing|lost_card|(wrong|incorrect|short)_decks?|duplicate_card|"
         r"card_duplicated?|impossible_card|surplus_card_in_deck|deck_(wrong|incorrect)", "after_card card reason"),
    Word("surplus", "excess_card", r"(card_)?excess|surplus(_card)?|(extra|additional)_card|too_many_cards|"
         r"card_too_many|"
         r"overdrawn?(_card)?|card_(dealt|burned|drawn)_in_error|(burned|dealt|drawn)_in_error",
         "card_index after_card pulled_for exposed stage"),
    # how it was dealt
    Word("dealer_card_missing", "dealer_first_card_missing", r"dealer_(first_)?card_(missing|not_dealt|"
         r"omitted|forgotten)|"
         r"(missing|no)_dealer_(first_)?card|dealer_(not_dealt|skipped)", "after_card"),
    Word("passed_over", "war_area_skipped", r"(war_)?(area|box)_(skipped|passed(_over)?|not_dealt|missed|omitted)|"
         r"(skipped|passed_over|missed)_(war_)?(area|box)|no_(second|war)_card|war_card_missing", "box", "box"),
    Word("astray", "war_card_without_wager", r"war_card_(without|with_no|no)_(war_)?(wager|stake)|"
         r"war_card_(astray|stray)|"
         r"card_to_(wrong|non_war)_(area|box)|(card_)?no_war_(wager|stake)|war_card_(on|to)_(wrong|non_war|surrendered|"
         r"no_wager)_?(area|box)?|card_without_(war_)?(wager|stake)|(no_wager|wrong|non_war)_area", "box card_index"),
    Word("choice_missed", "decision_not_offered", r"(decision|choice)_(missed|forgotten|omitted|wrong|misapplied|"
         r"not_followed|not_acted(_on|_upon)?|ignored|wrongly_(acted|carried)(_on|_out)?|mistaken|error)|"
         r"(missed|wrong)_(decision|choice)|(war|surrender)_not_offered", "box player requeued acted_as"),
    Word("settled_as", "late_discovery", r"settled_as|found_after_settlement|discovered_late|error_after_settlement",
         "settled_as", "settled_as"),
    Word("misplaced", "placement_error", r"(card_|cards_)?misplaced(_cards?)?|reconstruct(ed|ion)?|rebuil(d|t)|"
         r"wrong_(order|box|place|placement)|out_of_order|dealt_(to_wrong_(box|area)|out_of_order|wrongly)|"
         r"(wrongly|incorrectly)_dealt|misplacement", "withdrawing box boxes stage card_index after_card"),
    Word("void_hand", "hand_void", r"hand_voided|void_hand|box_void(ed)?|hand_cannot_be_(rebuilt|reconstructed)",
         "box stage", "box"),
    Word("void_round", "round_void", r"round_voided|void_round|(round_)?cannot_be_(rebuilt|reconstructed|completed)|"
         r"rebuild_(impossible|failed)|reconstruction_(impossible|failed)", "stage reason"),
    Word("misdeal", "misdeal", r"mis_deal|misdealt", "stage box reason"),
    Word("burn_missed",
         "burn_missed", r"burn_(forgotten|omitted|left_out|not_done)|(missed|forgotten|omitted)_burn|no_burn"),
    Word("skip_burn", "burn_skipped", r"skip_burn|burn_waived|without_burn"),
    Word("show_burn", "burn_shown", r"show_burn|burn_card_shown"),
    # shuffle and cut
    Word("new_shoe", "new_shoe", r"new_cards|shoe_start|start_of_shoe|fresh_shoe|new_game", "shuffled cut next_cutter"),
    Word("replaced", "cards_replaced", r"replaced_cards|replace_cards|new_set_of_cards", "reason next_cutter"),
    Word("bad_cut", "bad_cut", r"(improper|wrong|shallow|incorrect)_cut|cut_(error|wrong|improper|incorrect|too_\w+)",
         "next_cutter"),
    Word("cut_refused", "cut_refused", r"cut_declined|(refuses|refused|declined)_(the_|to_)?cut",
         "player players next_cutter"),
    Word("shuffle_missed", "shuffle_missed", r"shuffle_(forgotten|omitted|not_done|overdue)|(missed|forgotten)_shuffle|"
         r"no_shuffle|dealt_past_(the_)?cutting_card", "next_cutter"),
    Word("feed_missed", "feed_missed", r"feed_(forgotten|omitted|not_done)|(missed|forgotten)_feed|discards_not_fed"),
    Word("order_shuffle", "shuffle_ordered", r"order_shuffle|(abnormal|suspicious)_(order|sequence)|not_well_mixed|"
         r"dropped_cards|cards_dropped", "reason next_cutter"),
    # players and chips
    Word("invalid_card", "invalid_player_card", r"player_card_(invalid|not_valid|not_own|borrowed)|"
         r"(another|other)_persons?_(player_)?card|borrowed_(player_)?card", "player stage",
         "player"),
    Word("no_card", "player_card_not_shown", r"no_(valid_)?player_card|player_card_(missing|not_(read|presented))|"
         r"without_player_card", "player", "player"),
    Word("invalid_stake", "invalid_wager", r"invalid_(stake|bet)|tie_(alone|without_main)", "wager", "wager"),
    Word("absent", "player_absent", r"absent(_player)?|player_(away|silent|left|leaves|unresponsive)|"
         r"no_(answer|response)|"
         r"left_(the_)?table|silent(_player)?", "player", "player"),
    Word("warned", "already_warned", r"warned(_before|_already)?|warning(_given)?|previously_warned|player_warned",
         "player", "player"),
    Word("house_chips", "house_chips_placed", r"house_chips(_laid)?", "box amount", "box amount"),
    Word("war_stake_rejected", "war_stake_rejected", r"war_(stake|wager)_(refused|wrong|different|short|not_equal|"
         r"not_accepted|too_(small|large|low|high))|partial_war|wrong_war_(stake|wager)",
         "offered required box player wager", "offered"),
    Word("cancel", "invalidated", r"(outcome_|round_)?cancel(led|ed)?|(outcome_|round_)?invalid(ation|ated)|"
         r"riot|fire|robbery|"
         r"fraud|disturbance|disruption|emergency", "reason forfeit stage"),
    Word("void_player", "player_voided", r"sanction(ed)?|(player_)?wagers?_voided|rule_break(er|ing)?|breach|"
         r"player_sanctioned|void_player|device_user", "player stage", "player"),
    Word("bar_player", "player_barred", r"bar_player|barred(_player)?|excluded_player", "player wagers wager",
         "player"),
    Word("withhold", "winnings_withheld", r"withhold|winnings_held_back|withheld", "player reason", "player"),
    Word("share", "share_limited", r"share|sharing_limited|players_per_area_lowered", "most", "most"),
    Word("several", "several_boxes", r"several_areas|multiple_(boxes|areas)", "player allowed", "player"),
    Word("reserve", "box_reserved", r"reserve(d_box)?|area_reserved|reserved_area", "box player", "box player"),
    Word("card_touched", "card_touched", r"cards_touched|player_touched_cards?", "player", "player"),
    Word("spoken", "spoken_bet", r"verbal_bet|call_bet|spoken_wager", "player box type amount money wager",
         "player box"),
    Word("mispaid", "mispayment", r"mispaid|wrong_payment|(over|under)pa(id|yment)", "wager paid due",
         "wager paid due"),
    Word("dispute", "dispute", r"disputed|complaint", "text decision", "decision"),
)  # fmt: skip

LOOSE = (
    ("war_stake_rejected", r"war_(stake|wager).*(rej|refus|short|wrong)|insufficient_war"),
    ("no_card", r"player_card.*(not_|missing)"),
    ("invalid_card", r"player_card|card_of_(another|other)"),
    ("cut_refused", r"(refus|declin)\w*_.*cut|cut.*(refus|declin)"),
    ("bad_cut", r"(bad|improper|shallow|incorrect)\w*_cut"),
    ("shuffle_missed", r"shuffle\w*_(miss|forg|omit|overdue|not_)|(miss|forg|omit)\w*_\w*shuffle"),
    ("feed_missed", r"feed\w*_(miss|forg|omit|not_)|(miss|forg|omit)\w*_\w*feed|discards?_not"),
    ("burn_missed", r"burn\w*_(miss|forg|omit|not_)|(miss|forg|omit)\w*_\w*burn"),
    ("double", r"double|two_cards|together"),
    ("empty", r"run_?s?_out|ran_out|empty|insufficient"),
    ("device", r"malfunction|jam|breakdown|(csm|device|shuffler|machine)_\w*(fault|fail|stop|err)"),
    ("dealer_card_missing", r"dealer.*(missing|not_dealt|omitted|forgotten)"),
    ("foreign", r"foreign|joker|(other|odd)_(back|deck)"),
    ("face_up", r"face_?up|revers|boxed_card|exposed.*shoe"),
    ("parked", r"parked|carried"),
    ("astray", r"war_card|card_(dealt_)?(to|on)_.*(without|non_war|surrender|no_war)"),
    ("passed_over", r"war_(area|box|hand).*(skip|pass|miss|omit)"),
    ("wrong_deck", r"missing_card|card_missing|card_count|count_wrong|deck.*(wrong|short|missing|extra)|duplicate"),
    ("surplus", r"excess|surplus|extra_card|overdr|too_many"),
    ("choice_missed", r"(decision|choice).*(not_|miss|wrong|ignor|forg)"),
    ("settled_as", r"(found|discover|notic)\w*_(late|after)"),
    ("misplaced", r"misplac|placement|rebuil|reconstruct|wrong_(area|box|place)|skipped|misdealt_card"),
    ("misdeal", r"misdeal"),
    ("absent", r"absent|no_decision|not_respond|left_table|silent|declined"),
    ("late", r"(bet|wager|stake|chips?)_late|late_"),
    ("void_player", r"(player|stake|wager)s?_void"),
    ("cancel", r"cancel|invalidat|outcome_void"),
    ("warned", r"warn"),
    ("order_shuffle", r"(suspect|abnormal)\w*_order|shuffle_order"),
)
"""Words that a name must contain to be understood at all; the first that fits decides."""

ALIASES = {
    "seen": "exposed", "face_seen": "exposed", "withdraw": "withdrawing", "retracting": "withdrawing",
    "players_retracting": "withdrawing", "players_withdrawing": "withdrawing", "cleared": "can_complete",
    "damaged_cards": "damaged", "area": "box", "index": "card_index", "after": "after_card",
    "after_cards": "after_card",
    "second_device": "spare", "spare_device": "spare", "transfer_practicable": "practicable",
    "disadvantaged": "disadvantage", "cutter": "next_cutter", "ruled_by": "rank", "voided_boxes": "void_boxes",
    "treated_as": "acted_as", "carried_out_as": "acted_as", "zone": "type", "missing": "card", "unseen_card": "card",
    "queue": "requeued", "queued": "requeued", "next_cut": "next_cutter", "at": "serving", "chips": "amount",
}  # fmt: skip
"""Other names of the fields."""

COMMON = ("rank", "stage", "card_index", "after_card", "box", "player", "clause", "clauses")
"""What may be told of any event: who rules, when it happens, and whom and what it is about."""
COMMENTS = ("why", "note", "description", "detail", "comment")
STAGES = {
    "initial": "first", "first": "first", "first_deal": "first", "war": "war", "second": "war", "in_hand": "in_hand",
    "after_settlement": "after", "settled": "after", "after": "after", "before_hand": "before", "before_deal": "before",
    "before": "before", "before_settlement": "in_hand", "after_call": "after_call", "interim": "first", "final": "war",
}  # fmt: skip
_NUMBERS = ("card_index", "after_card", "box", "most")
_FLAGS = (
    "exposed", "order_known", "can_complete", "disadvantage", "spare", "practicable", "damage", "shuffled", "cut",
    "accepted", "allowed", "money",
)  # fmt: skip
_LISTS = ("players", "wagers", "withdrawing", "forfeit", "requeued", "void_boxes", "boxes", "clauses")
_MONEY = ("offered", "required", "amount", "paid", "due")
_CARDS = ("card", "face", "read_as")
RANKS = {"operator": "TGM", "OP": "TGM", "casino_operator": "TGM", "CS": "GS", "supervisor": "", "inspector": ""}
"""Words of the documents for a rank; empty where any that may rule is meant."""
_PATTERNS = tuple((re.compile(rf"(?:{re.escape(word.name)}|{word.also})\Z"), word) for word in WORDS)


def happening(number: int, event: dict[str, Any], only: dict[str, Any] | None = None) -> Happening:
    """What an event of a case says; BadCase when a word of it means nothing here.

    `only` is the player, box or wager of a case that has but one, so that events need not name it.
    """
    name = str(event.get("event", ""))
    place = f"event {number} ({name})"
    spoken = re.sub(r"[\s\-]+", "_", name.strip().lower())
    word = next((word for pattern, word in _PATTERNS if pattern.match(spoken)), None) or _loosely(spoken)
    if word is None:
        raise BadCase(f"event {number}: {name!r} means nothing here; {nearest(spoken, [word.name for word in WORDS])}")
    told: dict[str, Any] = {}
    allowed = [*word.fields.split(), *COMMON, *COMMENTS]
    for field, value in event.items():
        known = ALIASES.get(field, field)
        if field == "event":
            continue
        if known not in allowed:
            hint = nearest(known, sorted({*word.fields.split(), *COMMON}))
            raise BadCase(f"{place}: {field!r} means nothing here; {hint}")
        if known in told:
            raise BadCase(f"{place}: {field!r} says {known!r} a second time")
        if value is not None and known not in COMMENTS:
            told[known] = _value(known, value, f"{place}: {field}")
    for field in word.needs.split():
        if field not in told and field in (only or {}):
            told[field] = (only or {})[field]
        if field not in told:
            raise BadCase(f"{place}: {field!r} is missing")
    first_deal = word.kind == "passed_over" and told.get("stage") == "first"
    return Happening("misplaced" if first_deal else word.kind, name, told)


def _loosely(spoken: str) -> Word | None:
    kind = next((kind for kind, words in LOOSE if re.search(words, spoken)), "")
    return next((word for word in WORDS if word.kind == kind), None)


def _value(field: str, value: Any, place: str) -> Any:
    """One field, if it is of its sort."""
    if field in _NUMBERS:
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise BadCase(f"{place}: a number, not {value!r}")
    elif field in _FLAGS:
        if not isinstance(value, bool):
            raise BadCase(f"{place}: true or false, not {value!r}")
    elif field in _LISTS or (field == "damaged" and not isinstance(value, bool)):
        if not isinstance(value, list):
            raise BadCase(f"{place}: a list, not {value!r}")
    elif field in _MONEY:
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise BadCase(f"{place}: an amount of money, not {value!r}")
    elif field == "stage":
        if str(value) not in STAGES:
            raise BadCase(f"{place}: {value!r} is no part of a round; {nearest(str(value), list(STAGES))}")
        return STAGES[str(value)]
    elif field == "settled_as":
        if not isinstance(value, dict) or not value:
            raise BadCase(f"{place}: an object of wagers and how each was settled, not {value!r}")
    elif field in _CARDS:
        return _card(value, place)
    elif field != "damaged" and not isinstance(value, str):
        raise BadCase(f"{place}: a word, not {value!r}")
    return value


def _card(value: Any, place: str) -> str:
    try:
        drawing = parse(str(value))
    except BadCard as wrong:
        raise BadCase(f"{place}: {wrong}") from None
    if drawing.kind != "card":
        raise BadCase(f"{place}: a card of the decks, not {value!r}")
    return drawing.face


def level_of(event: Happening, book: Rulebook) -> int:
    """The rank that rules in this event as a step of the ladder; 0 where it does not say."""
    named = str(event.told.get("rank", ""))
    named = RANKS.get(named, named)
    if not named:
        return 0
    level = book.level(named)
    if not level:
        ladder = " < ".join(book.ladder)
        raise BadCase(f"event {event.name!r}: {book.id} knows no rank {event.told['rank']!r}; it has {ladder}")
    return level
