"""What may be said in a case of Casino War: every event with its meaning and fields, and every other field there is."""

from __future__ import annotations

import re
from typing import Any

from controller.config.tomlread import nearest
from controller.games.war.cards import BadCard, parse
from lab.scenarios.about import ABOUT, FAULTS
from lab.scenarios.file import ScenarioError
from lab.scenarios.words import (
    ANYTHING,
    COUNT,
    FLAG,
    MONEY,
    NAMES,
    NOTES,
    SOME_MONEY,
    TEXT,
    Field,
    Kind,
    Section,
    Word,
    Words,
    by_name,
    counted,
    either,
    list_of,
    object_of,
    one_of,
    plain,
)

ZONES = ("main", "tie", "war", "a_bomb", "perfect_pairs")
RESULTS = ("win", "lose", "standoff", "surrender", "void")
PLACES = ("dealer", "war-burn", "round-burn", "shoe-start-up", "shoe-burn", "discard", "cut", "void", "next-round")
RANKS = {"operator": "TGM", "CS": "GS"}
"""Words of the documents for a rank of the ladder."""


def written(value: Any, where: str) -> str:
    """A card as it is written."""
    try:
        parse(str(value))
    except BadCard as wrong:
        raise ScenarioError(f"{where}: {wrong}") from None
    return str(value)


def _face(value: Any, where: str) -> str:
    drawing = parse(written(value, where))
    if drawing.kind != "card":
        raise ScenarioError(f"{where}: a card of the decks, not {value!r}")
    return drawing.face


def _true(value: Any, where: str) -> bool:
    if value is not True:
        raise ScenarioError(f"{where}: true, or nothing at all, not {value!r}")
    return True


def _place(value: Any, where: str) -> str:
    if value not in PLACES and not re.fullmatch(r"box[1-9]\d*", str(value)):
        raise ScenarioError(f"{where}: {value!r} is no place for a card; {nearest(str(value), ['box1', *PLACES])}")
    return str(value)


BOX = counted(least=1)
TRUE = Kind("true", _true)
CARD = Kind(
    "a card: rank 2-9 T J Q K A and suit S H D C, `^` behind one that is face up, `CUT`, `JOKER` or `??`", written
)
FACE = Kind("a card of the decks, such as 9H", _face)
PLACE = Kind("a box as `box1`, or one of " + ", ".join(f"`{place}`" for place in PLACES), _place)
STAGE = one_of("initial", "war")


def _needed(name: str, kind: Kind, meaning: str) -> Field:
    return Field(name, kind, meaning, optional=False)


def _when(*stages: str) -> Field:
    """The part of the round that an event belongs to."""
    same = {"before_hand": "before"} if "before" in stages else {}
    return Field("stage", one_of(*stages, **same), "In which part of the round; as late as it can be where not told.")


PLAYER = _needed("player", TEXT, "Whom it is about; may be left out where the case has one player.")
BOX_OF = _needed("box", BOX, "Which box; may be left out where the case has one.")
WAGER = _needed("wager", TEXT, "The id of the wager; may be left out where the case has one.")
INDEX = Field("card_index", COUNT, "Which card of the case, counted from 0.")
AFTER = Field("after_card", COUNT, "After so many cards of the case.")
CUTTER = Field("next_cutter", TEXT, "Who must be the one that cuts: a player, or a rank where no player does.")
REASON = Field("reason", TEXT, "Why, in words.")
LEAVING = Field("withdrawing", NAMES, "Players who take their stakes back.")

EVENTS = Section(
    "events",
    "What goes wrong, what people of rank decide, and what the table must notice by itself. Each must come about.",
    tag="event",
    common=(
        Field("rank", TEXT, "Who rules, as the rulebook names ranks (`operator`: TGM, `CS`: GS); else one who may."),
        *NOTES,
    ),
    words=(
        # what the table itself does, and the case says so
        Word("refused", "A stake is handed back by the table, or by the dealer where a clause lets him.", (
            Field("wager", TEXT, "The id of the wager; may be left out where wagers are marked `refused`."),
            Field("wagers", NAMES, "The ids, where there are several."))),
        Word("late_bet", "A stake is laid after the first card.", (
            Field("wager", TEXT, "The id of the wager; may be left out where wagers are marked `late`."),
            Field("wagers", NAMES, "The ids, where there are several."),
            Field("accepted", FLAG, "Whether the dealer lets it stand."), _when("after_call"))),
        Word("no_wagers", "Cards are dealt although nobody has staked."),
        # device and cards
        Word("csm_double_deal", "Two cards leave the shuffler or shoe together.", (
            AFTER, Field("order_known", FLAG, "Whether it can be told which came first."),
            Field("can_complete", FLAG, "Whether people can put them in order and the round goes on."))),
        Word("shoe_empty", "No card is left, and the discards are shuffled.", (AFTER,)),
        Word("csm_malfunction", "The shuffler jams for good.", (
            AFTER, Field("can_complete", FLAG, "Whether it can be cleared and the round goes on."),
            Field("disadvantage", FLAG, "Whether going on would harm somebody (Star)."),
            Field("spare", FLAG, "Whether there is another machine (Star)."),
            Field("practicable", FLAG, "Whether the cards can be carried over to it (Star)."),
            Field("damage", FLAG, "Whether cards were damaged (Star)."),
            Field("damaged", list_of(FACE), "The cards that were damaged (Star)."), LEAVING,
            Field("void_boxes", list_of(BOX), "The boxes whose hands are void."))),
        Word("jam", same_as="csm_malfunction"),
        Word("face_up_card", "A card lies face up in the shoe: the one written with `^`.", (INDEX, AFTER)),
        Word("foreign_card", "A card of another deck comes: the one written `JOKER`.", (INDEX, AFTER)),
        Word("cutting_card", "The cutting card comes: the one written `CUT`.", (
            INDEX, AFTER, Field("serving", TEXT, "Which place was being served: `box1`, `dealer` or `none`."), CUTTER)),
        Word("parked_card", "The first card of the case is left over unseen from the round before.", (
            Field("card_index", counted(most=0), "Always 0."),)),
        Word("unreadable_card", "The reader cannot read a card, and a person enters it.", (
            INDEX, Field("face", FACE, "What is entered; the card itself where not told."))),
        Word("misread_card", "The reader takes a card for another one, and a person puts it right.", (
            _needed("card_index", COUNT, "Which card of the case, counted from 0."),
            _needed("read_as", FACE, "What the reader takes it for."))),
        Word("missing_card", "People find that the decks are not what they should be.", (
            AFTER, Field("card", FACE, "The card that is missing or too many."))),
        Word("excess_card", "A card is drawn that nobody was due.", (
            INDEX, Field("pulled_for", PLACE, "Where it was meant to go."),
            Field("exposed", FLAG, "Whether its face was seen."), _when("initial", "war"))),
        Word("burned_in_error", same_as="excess_card"),
        # how it was dealt
        Word("dealer_first_card_missing", "The dealer was passed over, so the next card is the dealer's."),
        Word("war_area_skipped", "A box at war got no card.", (BOX_OF,)),
        Word("war_card_without_wager", "A war card was dealt to a box where nobody is at war.", (
            Field("box", BOX, "Which box."), INDEX)),
        Word("decision_not_offered", "Cards were dealt before a player was asked for war or surrender.", (
            Field("box", BOX, "Whose box."), Field("player", TEXT, "Who was not asked."),
            Field("requeued", list_of(CARD), "The cards that were dealt too early."))),
        Word("decision_misapplied", "A player's choice was carried out as the other one.", (
            Field("box", BOX, "Whose box."), Field("player", TEXT, "Whose choice."),
            _needed("acted_as", one_of("war", "surrender"), "What was carried out."),
            Field("requeued", list_of(CARD), "The cards that were dealt meanwhile."))),
        Word("late_discovery", "It is found after settling that wagers had been settled otherwise.", (
            _needed("settled_as", by_name(one_of(*RESULTS), "wagers"), "How each of these wagers had been settled."),)),
        Word("placement_error", "Cards were laid wrongly and the deal is rebuilt.", (
            LEAVING, Field("players_retracting", NAMES, same_as="withdrawing"), AFTER, _when("initial", "war"))),
        Word("hand_void", "A hand cannot be put right and is void.", (BOX_OF, AFTER, _when("initial", "war"))),
        Word("round_void", "The round cannot be put right and is void.", (AFTER, _when("initial", "war"))),
        Word("misdeal", "The deal is declared a misdeal.", (AFTER, _when("initial", "war"))),
        Word("burn_missed", "The burn that opens a shoe was forgotten."),
        Word("burn_skipped", "The burn that opens a shoe is left out by somebody who may."),
        Word("burn_shown", "The burn card is shown."),
        # shuffle and cut
        Word("new_shoe", "Check, shuffle, cut and burn are part of the case.", (
            Field("shuffled", TRUE, "That the cards are shuffled; they always are."),
            Field("cut", TRUE, "That the cards are cut; they always are where there is a shoe."), CUTTER)),
        Word("cards_replaced", "Other cards are brought before the round.", (REASON, CUTTER)),
        Word("bad_cut", "The cut was not as it should be.", (CUTTER, AFTER)),
        Word("improper_cut", same_as="bad_cut"),
        Word("cut_refused", "Players will not cut.", (
            Field("player", TEXT, "Who refuses; all of them where nobody is named."),
            Field("players", NAMES, "Who refuse."), CUTTER)),
        Word("shuffle_missed", "The round before passed the cutting card and nobody shuffled.", (CUTTER,)),
        Word("feed_missed", "The discards of earlier rounds were not fed into the shuffler."),
        Word("shuffle_ordered", "A shuffle is ordered after the round.", (REASON, CUTTER, AFTER)),
        Word("dropped_cards", same_as="shuffle_ordered"),
        # players and chips
        Word("invalid_player_card", "A player uses another person's card.", (
            PLAYER, AFTER, _when("before", "initial", "in_hand", "war", "after_settlement"))),
        Word("player_card_not_shown", "A player shows no card and may not stake.", (PLAYER,)),
        Word("invalid_wager", "A stake is found to be against the rules.", (WAGER, AFTER)),
        Word("player_absent", "A player is away, also when war or surrender must be chosen.", (PLAYER, AFTER)),
        Word("already_warned", "A player was told of the minimum before.", (PLAYER,)),
        Word("house_chips_placed", "The dealer lays the house's chips beside a war stake (method B).", (
            BOX_OF, _needed("amount", SOME_MONEY, "What they are worth."))),
        Word("war_stake_rejected", "A player offers a war stake of the wrong size, and it is not accepted.", (
            _needed("offered", SOME_MONEY, "What is laid first."), Field("required", MONEY, "What must be laid."),
            Field("box", BOX, "Whose box."), Field("player", TEXT, "Who."))),
        Word("invalidated", "The outcome is cancelled.", (
            REASON, Field("forfeit", NAMES, "Players whose stakes are forfeited."), AFTER,
            _when("in_hand", "after_settlement"))),
        Word("fraud", "The outcome is cancelled because of fraud.", (
            Field("forfeit", NAMES, "Players whose stakes are forfeited."), AFTER,
            _when("in_hand", "after_settlement"))),
        Word("player_voided", "A player's wagers are void for breaking a rule.", (
            PLAYER, AFTER, _when("initial", "in_hand", "war"))),
        Word("player_barred", "A player may not play on.", (PLAYER,)),
        Word("winnings_withheld", "A player's winnings are held back.", (PLAYER, REASON)),
        Word("share_limited", "Fewer players may share an area.", (_needed("most", counted(least=1), "How many."),)),
        Word("several_boxes", "A player stakes on several boxes, and somebody decides.", (
            PLAYER, Field("allowed", FLAG, "Whether it is allowed."))),
        Word("box_reserved", "A box is kept for a player.", (
            _needed("box", BOX, "Which box."), _needed("player", TEXT, "For whom."))),
        Word("card_touched", "A player handled cards.", (PLAYER, AFTER)),
        Word("spoken_bet", "A bet is called out without chips.", (
            PLAYER, BOX_OF, Field("type", one_of(*ZONES), "On what; main where not told."),
            Field("amount", SOME_MONEY, "How much."), Field("money", FLAG, "Whether money is laid for it."),
            _when("after_call"))),
        Word("mispayment", "A wager was paid wrongly.", (
            WAGER, _needed("paid", MONEY, "What was paid."), _needed("due", MONEY, "What was due."))),
        Word("dispute", "A player disputes, and somebody decides.", (
            Field("text", TEXT, "What the player says."), _needed("decision", TEXT, "What is decided."))),
    ),
)  # fmt: skip

KEY = {
    "missing_card": "wrong_deck", "excess_card": "surplus", "dealer_first_card_missing": "dealer_card_missing",
    "war_area_skipped": "passed_over", "war_card_without_wager": "astray", "decision_misapplied": "choice_missed",
    "late_discovery": "settled_as", "placement_error": "misplaced", "hand_void": "void_hand",
    "round_void": "void_round", "burn_skipped": "skip_burn", "burn_shown": "show_burn",
    "cards_replaced": "replace_cards", "shuffle_ordered": "order_shuffle", "invalid_player_card": "invalid_card",
    "invalid_wager": "invalid_stake", "player_absent": "absent", "already_warned": "warned",
    "house_chips_placed": "house_chips", "invalidated": "cancel", "fraud": "cancel", "player_voided": "void_player",
    "player_barred": "bar_player", "winnings_withheld": "withhold", "share_limited": "share",
    "box_reserved": "reserve", "spoken_bet": "spoken", "mispayment": "mispaid", "misread_card": "misread",
    **{name: name for name in ("misdeal", "burn_missed", "bad_cut", "card_touched", "dispute", "shoe_empty")},
}  # fmt: skip
"""The key that tells the table of an event, where somebody does."""

WAGERS = Section(
    "wagers",
    "Who stakes what: each a wager with its `box`, or a box with its wagers (see boxes).",
    words=(Word("wager", "One stake.", (
        _needed("id", TEXT, "Its name in the case."), Field("box", BOX, "Which box, from the dealer's far left."),
        _needed("player", TEXT, "Whose it is."), _needed("type", one_of(*ZONES), "On what."),
        _needed("amount", SOME_MONEY, "How much."), Field("stage", STAGE, "Before the first cards, or at war."),
        Field("late", FLAG, "Laid after the first card."), Field("refused", FLAG, "Handed back before the deal."),
        Field("token", FLAG, "A promotional token.")),),),
    common=NOTES,
)  # fmt: skip
BOXED = Section(
    "boxes",
    "The wagers of one box.",
    words=(Word("box", "One box.", (
        _needed("box", BOX, "Which box, from the dealer's far left."),
        _needed("wagers", list_of(plain("a wager", dict)), "Its wagers, without their box."))),),
    common=NOTES,
)  # fmt: skip
DECISIONS = Section(
    "decisions",
    "What players choose when their card ties with the dealer's.",
    words=(Word("decision", "One choice.", (
        _needed("box", BOX, "Which box."), _needed("player", TEXT, "Who."),
        _needed("choice", one_of("war", "surrender", "decline"), "War, surrender, or no answer at all."))),),
    common=NOTES,
)  # fmt: skip
EXPECTED = Section(
    "expected",
    "How every wager must end.",
    words=(Word("line", "One wager.", (
        _needed("wager", TEXT, "Its id."), Field("box", BOX, "Its box."), Field("player", TEXT, "Whose it is."),
        Field("type", one_of(*ZONES), "On what."), Field("stage", STAGE, "When it was laid."),
        Field("result", one_of(*RESULTS, "refused", "returned"),
              "How it ends: `void` whatever becomes of the stake, `returned` where it goes back whole, `refused` where "
              "it was never in play."),
        Field("pays", MONEY, "Winnings on top of the stake."), Field("stake_taken", MONEY, "What the house takes."),
        Field("stake_returned", MONEY, "What the player keeps of the stake."),
        Field("clauses", NAMES, "Clauses that the settlement must rest on."))),),
    common=NOTES,
)  # fmt: skip
OWN_LIMITS = object_of(Field("min", MONEY, "Least."), Field("max", MONEY, "Most."))
CONFIG = Section(
    "config",
    "The table that the case is played at.",
    words=(Word("config", "The table.", (
        Field("min", MONEY, "Least wager."), Field("max", MONEY, "Greatest wager."),
        Field("unit", SOME_MONEY, "Wagers are multiples of this; none where null."),
        Field("smallest_chip", SOME_MONEY, "The smallest chip of the float."),
        Field("bets", by_name(OWN_LIMITS, "wager types"), "Limits of single wager types."),
        Field("source", one_of("shoe", "csm", shuffler="csm"), "What cards come from."),
        Field("war_method", one_of("A", "B"), "How wars are paid."),
        Field("personal_min", by_name(MONEY, "players"), "Least wager of these players."),
        Field("personal_max", by_name(MONEY, "players"), "Greatest wager of these players."),
        Field("kept_min", by_name(MONEY, "players"), "The minimum that these players keep from before it was raised."),
        Field("shoe_burn", FLAG, "Whether a card is burned when a shoe is opened."),
        Field("round_burn", FLAG, "Whether a card is burned before every round."),
        Field("perfect_pairs", either(counted(), plain("a column such as `col2:6d 25/12/5`", str)),
              "The payout column of Perfect Pairs; none where null."),
        Field("boxes", BOX, "How many boxes there are."),
        Field("zones", list_of(one_of(*ZONES)), "The optional wagers that are offered."),
        Field("share_most", COUNT, "How many players may share an area."),
        Field("tournament", FLAG, "Whether this is a tournament table."),
        Field("options", by_name(ANYTHING, "options"), "What this house chose where its rulebook leaves a choice."))),),
    common=NOTES,
)  # fmt: skip
CASE = Section(
    "case",
    "What stands in a case itself.",
    words=(Word("case", "A round of Casino War.", (
        *ABOUT, Field("game", TEXT, "The game, for people; the rulebook says which it is."),
        Field("decks", counted(least=1), "How many decks are in play."),
        Field("config", ANYTHING, "The table; see config."),
        Field("wagers", ANYTHING, "See wagers."),
        Field("cards", list_of(CARD), "The cards in the order in which they come; none may be left over."),
        Field("to", list_of(PLACE), "Where each of these cards must lie at the end."),
        Field("decisions", ANYTHING, "See decisions."), Field("events", ANYTHING, "See events."),
        Field("expected", ANYTHING, "See expected."),
        Field("paid_in", one_of("chips"), "What winnings must be paid in."),
        Field("steps", ANYTHING, "What hands do, one after the other, instead of wagers, cards and events; see steps."),
    )),),
)  # fmt: skip


def words() -> Words:
    """All that may be said in a case."""
    from lab.scenarios.keys import keys_section, questions_section
    from lab.scenarios.war.steps import STEPS

    cases = (CASE, CONFIG, WAGERS, BOXED, DECISIONS, EVENTS, EXPECTED, FAULTS)
    return Words("Casino War", (*cases, STEPS, keys_section("war"), *questions_section("war")))
