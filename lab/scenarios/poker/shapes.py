"""Which question a case asks: each has its own fields, and the fields of `inputs` are exactly those of one."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any, NamedTuple

from lab.scenarios.file import Case
from lab.scenarios.poker import asked as wagers
from lab.scenarios.poker import asked_deal as deal
from lab.scenarios.poker import asked_money as money
from lab.scenarios.poker.asked import Answer, Asker
from lab.scenarios.poker.inputs import field
from lab.scenarios.words import Section, Word, read_fields


class Shape(NamedTuple):
    """A kind of question: words it must have, words it may have, words that its rows must have."""

    answer: Callable[[Asker], Answer]
    needs: frozenset[str]
    may: frozenset[str] = frozenset()
    rows: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        rows = f" with {', '.join(sorted(self.rows))}" if self.rows else ""
        return ", ".join(sorted(self.needs)) + rows

    @property
    def word(self) -> Word:
        fields = tuple(field(name, needed=name in self.needs) for name in (*sorted(self.needs), *sorted(self.may)))
        return Word(self.name, str(self.answer.__doc__), fields)


def _shape(answer: Callable[[Asker], Answer], needs: str, may: str = "", rows: str = "") -> Shape:
    return Shape(answer, frozenset(needs.split()), frozenset(may.split()), frozenset(rows.split()))


_LIMITS = "structure level levels blinds chip table_minimum min max round players_in_round"

SHAPES = (
    _shape(wagers.wagers_made, "wagers", f"{_LIMITS} able_to_act all_in_from_earlier_round straddle then"),
    _shape(wagers.silent_chips, "rows wagers", _LIMITS, "put_in"),
    _shape(wagers.silent_chips, "rows", f"{_LIMITS} bet to_call announced pot", "put_in"),
    _shape(wagers.silent_chips, "rows", f"{_LIMITS} bet to_call announced pot", "chips"),
    _shape(wagers.silent_chips, "chips", f"{_LIMITS} bet to_call announced pot"),
    _shape(wagers.silent_chips, "to_call put_in", f"{_LIMITS} stack_left announced"),
    _shape(wagers.silent_chips, "to_call stack", _LIMITS),
    _shape(wagers.tried, "rows", f"{_LIMITS} facing", "try_bet"),
    _shape(wagers.tried, "rows", f"{_LIMITS} facing", "bet"),
    _shape(wagers.short_all_in, "all_in", f"{_LIMITS} kind"),
    _shape(wagers.short_all_in, "bet all_in_total", f"{_LIMITS} completed_to third_seat kind"),
    _shape(wagers.pot_ratio, "structure pot_before_bet", "bet own_in_round chip rake_already_taken"),
    _shape(wagers.pot_ratio, "structure pot", "bet own_in_round chip rake_already_taken"),
    _shape(wagers.big_blind_option, "blinds actions"),
    _shape(money.commission, "pct cap pot", "chip"),
    _shape(money.commission_by_rounds, "pct cap pot_after_rounds"),
    _shape(money.commission_uncalled, "pct cap called uncalled"),
    _shape(money.commission_of_blinds, "blinds action", "straddle pct cap"),
    _shape(money.commission_of_a_tie, "contributions pct cap", "folded tie result"),
    _shape(money.commission_of_side_pots, "pct cap pots"),
    _shape(money.fees, "mode fee dealt_in"),
    _shape(money.side_wagers, "rows", "", "flop wagers"),
    _shape(money.side_wagers_redealt, "first_flop final_flop wagers"),
    _shape(money.straddles, "blinds rows", "over_blinds_permitted", "seat amount"),
    _shape(money.early_actions, "events", "structure"),
    _shape(money.time_is_up, "rows", "", "facing"),
    _shape(money.invalidated, "contributions attempts", "side_wagers provisional_rake"),
    _shape(deal.exposed, "seats deck exposed"),
    _shape(deal.several_exposed, "exposed_by_dealer"),
    _shape(deal.wrong_count, "seat cards actions", "wagered affected_acted is_last_in_deal correctable"),
    _shape(deal.not_shuffled, "rows", "", "actions"),
    _shape(deal.no_burn_flop, "stub_top dealt_flop burned actions reshuffled_stub_top"),
    _shape(deal.too_many_on_the_flop, "burned shown reshuffled_stub_top"),
    _shape(deal.premature_flop, "burned shown pending reshuffled_stub_top"),
    _shape(deal.premature_river, "burned stub_top river_burn premature_river reshuffled_stub_top"),
    _shape(deal.opened_together, "rows", "", "street opened"),
    _shape(deal.asked_to_see, "rows", "", "asker hand_better"),
    _shape(deal.boxed, "seats deck rows"),
    _shape(deal.dead_button, "seats previous occupied_history"),
    _shape(deal.two_players, "seats occupied button blinds"),
)


QUESTIONS = Section(
    "inputs",
    "A question to the rules, put to tables that play up to it. Which one it is follows from its fields: those named "
    "here must all stand there, with `rows` at least one row that has the fields named behind it. Hands with a board "
    "are dealt and played: `hands` and `board`, with `pot` or `contributions`, `button`, `chip`. What no hand can show "
    "is no case; it is written as a test of the rules.",
    tuple(shape.word for shape in SHAPES),
    tag="fields",
)


def shape_of(case: Case) -> Shape | None:
    """The kind of question these inputs ask; none when they ask something that no hand can show."""
    inputs = case.body["inputs"]
    return _with(frozenset(inputs), _rows(inputs))


def check_inputs(case: Case, shape: Shape) -> None:
    """Refuse a value of another kind than its field has."""
    read_fields(shape.word.fields, case.body["inputs"], f"{case.where}: inputs")


def _rows(inputs: dict[str, Any]) -> list[dict[str, object]]:
    rows = inputs.get("rows")
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _with(keys: frozenset[str], rows: list[dict[str, object]]) -> Shape | None:
    for shape in SHAPES:
        if shape.needs <= keys <= shape.needs | shape.may and (
            not shape.rows or any(shape.rows <= set(row) for row in rows)
        ):
            return shape
    return None


def misspelt(case: Case) -> str:
    """The word that would make a known question of these inputs in place of one that does not; empty when none does."""
    inputs = case.body["inputs"]
    known = sorted({word for shape in SHAPES for word in shape.needs | shape.may})
    rows = _rows(inputs)
    for key in inputs:
        near = difflib.get_close_matches(str(key), known, n=1, cutoff=0.75)
        if key not in known and near and _with(frozenset(inputs) - {key} | {near[0]}, rows) is not None:
            return f"unknown key {key!r}; did you mean {near[0]!r}?"
    return ""
