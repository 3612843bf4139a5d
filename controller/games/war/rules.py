"""What a Casino War rulebook fixes, as types, and the check that every clause it cites exists."""

from __future__ import annotations

import functools
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from controller.config.tomlread import ConfigError
from controller.rules import clauses
from controller.rules.rulebook import Rulebook, load_rulebook, load_rules

Clauses = tuple[str, ...]
Zone = Literal["main", "tie", "a_bomb", "perfect_pairs", "war"]
Positive = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]
Side = Literal["left", "right"]
Returns = Literal["nothing", "open", "all", "hand", "box", "player"]
CardTo = Literal["stays", "next_card", "next_round", "discard", "void"]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the rulebook file."""


class LayoutRules(Part, frozen=True):
    """Boxes and their zones; `boxes_most` 0 where the document leaves it to the drawing."""

    boxes_most: Count
    boxes_clause: str
    zones: tuple[Zone, ...]
    optional_zones: tuple[Zone, ...]
    zones_clause: str


class CardRules(Part, frozen=True):
    """Decks, their check and their source."""

    decks: tuple[Positive, ...]
    decks_clause: str
    shuffler: bool
    shuffler_clause: str
    check_before_use: bool
    count_at_close: bool
    factory_run: Positive
    feed: Literal["at_once", "after_first_deal"]
    replace_after_wrong_deck: Literal["new_cards", "check_and_notify"]
    replace_mid_shoe: Literal["any", "unfit", "never"]
    shuffler_fault: Literal["ruled_at_once", "step_by_step"]


class ShoeRules(Part, frozen=True):
    """What happens to the cards between shuffle and first round, and when the cutting card shows."""

    start_burn: Literal["one", "turned", "none"]
    start_burn_optional: bool
    start_burn_shown: Literal["on_request", "face_up", "never"]
    start_burn_from_shuffler: Literal["never", "once"]
    burn_after_reshuffle: bool
    round_burn_allowed: bool
    cutting_card_first: Literal["complete_round", "shuffle_at_once"]
    cutter_without_cutting_card: Literal["furthest_right", "first_seated"]
    abnormal_sequence: Literal["after_round", "at_once"]
    face_up_counts_as_burn: bool


class WagerRules(Part, frozen=True):
    """Who may stake where, and until when."""

    share: Literal["players", "wagers", "one"]
    share_most: Positive
    share_tie: bool
    tie_alone: bool
    dealt_to: tuple[Zone, ...]
    close: Literal["call", "first_card"]
    between_call_and_card: Literal["ask", "return"]
    war_pairs_open_to: Literal["all", "war_players"]
    several_boxes: Literal["approval", "free"]
    tokens: bool
    player_card: bool
    voided_stake: Literal["returned", "forfeited"]
    losing_invalid_stake: Literal["return", "collect"]


class LimitRules(Part, frozen=True):
    """What becomes of stakes outside the limits, and what is rounded."""

    under_minimum: Literal["warn_then_return", "as_placed"]
    warning_lasts: Literal["session", "shoe"]
    off_unit: Literal["as_placed", "unit_below"]
    payment: Literal["up", "exact"]
    half: Literal["return_up", "keep_down", "exact"]
    count_per: Literal["player", "area"]
    kept_minimum: bool
    kept_minimum_boxes: Literal["all", "marked"]


class WarDealRules(Part, frozen=True):
    """The second deal."""

    burns: Count
    methods: tuple[Literal["A", "B"], ...]
    stake_matches: Literal["counted_or_placed", "placed", "counted"]
    silent_player: Literal["ask", "surrender"]
    surplus_before_war: Literal["held_for_war", "by_sight"]
    unseen_surplus: Literal["held_for_war", "next_round"]
    withdrawn_box: Literal["skipped", "keeps_place"]
    surplus_at_rebuild: Literal["kept", "burned"]


class OrderRules(Part, frozen=True):
    """From which side stakes are settled and choices offered; one pass a list of zones."""

    interim: tuple[tuple[Zone, ...], ...]
    interim_from: Side
    offers_from: Side
    final_from: Side


class Odds(Part, frozen=True):
    """So many to one; 0 is a stand-off."""

    main: Positive
    tie: Positive
    a_bomb: Count
    war_higher_main: Count
    war_higher_war: Positive
    war_equal_main: Count
    war_equal_war: Positive


class Column(Part, frozen=True):
    """One column of the Perfect Pairs odds."""

    number: Positive
    decks: Positive
    perfect: Positive
    coloured: Positive
    mixed: Positive
    clause: str


class Remedy(Part, frozen=True):
    """What an irregularity leads to: where the card goes, what is returned, who rules, and why."""

    clauses: Clauses
    card: CardTo = "stays"
    returns: Returns = "nothing"
    power: str = ""
    withdraw_first: bool = False


class NoticeRules(Part, frozen=True):
    """Minutes (or rounds) a sign must stand before something takes effect; 0 where none is asked."""

    raise_minimum_minutes: Count
    raise_minimum_clause: str
    any_change_minutes: Count
    any_change_clause: str
    deck_change_minutes: Count
    deck_change_clause: str
    closing_minutes: Count
    closing_rounds: Count
    closing_clause: str
    idle_rounds: Positive
    idle_needs_full_table: bool
    idle_clause: str


class TournamentRules(Part, frozen=True):
    """Whether the document has a chapter on tournaments."""

    allowed: bool
    clause: str


REMEDIES = (
    "face_up",
    "surplus",
    "surplus_seen",
    "surplus_unseen",
    "no_stakes",
    "misplaced",
    "rebuild_failed",
    "war_card_without_stake",
    "dealer_card_missing",
    "war_area_passed_over",
    "decision_missed",
    "decision_missed_settled",
    "shuffle_missed",
    "bad_cut",
    "burn_missed",
    "shoe_empty",
    "device_fault",
    "double_unknown",
    "wrong_deck",
    "misdeal",
    "absent",
    "late_chips",
    "moved_chips",
    "invalid_card",
    "sanction",
    "cancel_disruption",
    "cancel_fraud",
)

CITES = [
    "first_higher",
    "first_lower",
    "tie_wins",
    "tie_loses",
    "bomb_wins",
    "bomb_loses",
    "pair_first_wins",
    "pair_first_loses",
    "pair_war_wins",
    "pair_war_loses",
    "war_higher_main",
    "war_equal_main",
    "war_lower_main",
    "war_higher_war",
    "war_equal_war",
    "war_lower_war",
    "surrender",
    "decline",
    "war_stake",
    "house_chips",
    "under_minimum",
    "under_minimum_again",
    "over_maximum",
    "off_unit",
    "payment",
    "half",
    "kept_minimum",
    "zone_full",
    "hands_off",
    "priority",
    "unpayable",
    "partnership",
    "more_face_up",
    "zone_unknown",
    "tie_alone",
    "bets_open",
    "no_more_bets",
    "first_deal",
    "war_deal",
    "war_burn",
    "round_burn",
    "start_burn",
    "interim",
    "decided_hands",
    "surrendered_hands",
    "offers",
    "final",
    "cut_new_game",
    "cut_on_box",
    "cut_on_dealer",
    "cut_first_card",
    "cut_replaced",
    "cut_refused",
    "cut_depth",
    "cutting_card_early",
    "shuffle_before",
    "shuffle_after_cutting_card",
    "shuffle_at_once",
    "no_cut_from_shuffler",
    "from_the_source",
    "card_check",
    "card_count",
    "all_replaced",
    "barred",
    "line",
    "several_boxes",
    "stake_form",
    "tournament_chips",
    "face_of_card",
    "feed",
    "pre_shuffled",
    "sequence",
    "round_over",
    "surplus_at_rebuild",
    "mispaid",
    "dispute",
]


class WarRules(Part, frozen=True):
    """Everything in a Casino War rulebook beyond its header."""

    layout: LayoutRules
    cards: CardRules
    shoe: ShoeRules
    wagers: WagerRules
    limits: LimitRules
    war: WarDealRules
    order: OrderRules
    odds: Odds
    notices: NoticeRules
    tournament: TournamentRules
    cites: dict[str, Clauses]
    remedies: dict[str, Remedy]
    columns: tuple[Column, ...] = ()

    def cite(self, *names: str) -> Clauses:
        """The clauses behind these points, each once and in order."""
        return tuple(dict.fromkeys(clause for name in names for clause in self.cites[name]))

    def column(self, number: int) -> Column | None:
        """The payout column of this number."""
        return next((column for column in self.columns if column.number == number), None)


@functools.cache
def war_rules(rulebook: str) -> WarRules:
    """The rules of a Casino War rulebook, every citation checked."""
    rules = load_rules(rulebook, WarRules)
    _check(rulebook, rules, load_rulebook(rulebook))
    return rules


def _check(rulebook: str, rules: WarRules, book: Rulebook) -> None:
    """Names that the engine asks for all stand in the file, and nothing else does."""
    for what, known, given in (("cites", CITES, rules.cites), ("remedies", REMEDIES, rules.remedies)):
        if missing := sorted(set(known) - set(given)):
            raise ConfigError(f"{rulebook}.toml: [{what}] lacks {', '.join(missing)}; add what the document says")
        if extra := sorted(set(given) - set(known)):
            raise ConfigError(f"{rulebook}.toml: [{what}] has {', '.join(extra)}, which nothing asks for")
    for name, remedy in rules.remedies.items():
        if remedy.power and remedy.power not in book.powers:
            raise ConfigError(f"{rulebook}.toml: remedy {name} needs the power '{remedy.power}', which [powers] lacks")
    for clause in sorted(_cited(rules)):
        if not clauses.exists(rulebook, clause):
            raise ConfigError(f"{rulebook}.toml: clause '{clause}' is not in the index; use an id as printed")


def _cited(rules: WarRules) -> set[str]:
    cited = {clause for listed in rules.cites.values() for clause in listed}
    cited.update(clause for remedy in rules.remedies.values() for clause in remedy.clauses)
    cited.update(column.clause for column in rules.columns)
    for part in (rules.layout, rules.cards, rules.notices, rules.tournament):
        cited.update(
            getattr(part, field.name) for field in msgspec.structs.fields(part) if field.name.endswith("clause")
        )
    return cited - {""}
