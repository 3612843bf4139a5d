"""Casino War held to the cent and to the clause, so that no rule can be switched off or moved by one unnoticed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.core.desk import Limits
from controller.games.war.cards import FACES, RANKS, burn_value
from controller.games.war.config import WarConfig, rules_for
from controller.games.war.layout import layout_of
from controller.games.war.order import Step, final_steps, first_places, interim_steps, offers, war_places
from controller.games.war.rules import WarRules, war_rules
from controller.games.war.settle import book, compare, on_first_cards, on_war_cards, pair, payable, surrender, void
from controller.games.war.stakes import Counted, cap_area, count, refuse_first, refuse_war, refuse_war_pairs, ties_alone
from controller.games.war.state import Stake

clause = pytest.mark.clause
MELBOURNE, PERTH, STAR = "melbourne-war", "perth-war", "star-war"
CHIP = 250


def stake(
    amount: int, zone: str = "main", *, player: str = "Ann", box: int = 1, counted: int | None = None, **more: Any
) -> Stake:
    return Stake("w", player, box, zone, amount, counted=amount if counted is None else counted, **more)


# -- cards -----------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "3.3.1")
@clause(PERTH, "2.6(a)", "2.6(b)")
@clause(STAR, "3.2.1")
def test_every_card_beats_exactly_those_of_lower_rank_and_equals_its_own() -> None:
    for first in FACES:
        for second in FACES:
            difference = RANKS.index(first[0]) - RANKS.index(second[0])
            assert compare(first, second) == (0 if not difference else 1 if difference > 0 else -1)


@clause(PERTH, "3.15(a)", "3.15(b)", "1.1 [Perfect Pair]", "1.1 [Coloured Pair]", "1.1 [Mixed Pair]")
@pytest.mark.parametrize(
    ("second", "made"),
    [("KS", "perfect"), ("KC", "coloured"), ("KH", "mixed"), ("KD", "mixed"), ("QS", None), ("TS", None)],
)
def test_a_pair_is_of_one_rank_and_the_better_the_nearer_its_suits(second: str, made: str | None) -> None:
    assert pair("KS", second) == made
    assert pair(second, "KS") == made
    assert (pair("KH", "KD"), pair("KD", "KC")) == ("coloured", "mixed")


@clause(PERTH, "4.7")
def test_the_turned_card_burns_as_many_as_it_counts() -> None:
    counted = [burn_value(rank + "S") for rank in RANKS]
    assert counted == [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1]


# -- what the cards say ----------------------------------------------------------------------------------------------

FIRST = [
    (MELBOURNE, "main", "KS", "QH", "win", 1, "5.7.1 7.4.2(b) 8.1 [Table 1: Casino War Wager]"),
    (MELBOURNE, "main", "QS", "KH", "lose", 0, "5.7.2 7.4.2(a)"),
    (MELBOURNE, "main", "KS", "KH", "tied", 0, ""),
    (MELBOURNE, "tie", "KS", "KH", "win", 10, "5.9 7.4.1(b) 8.1 [Table 1: Tie Wager]"),
    (MELBOURNE, "tie", "KS", "QH", "lose", 0, "5.9 7.4.1(a)"),
    (MELBOURNE, "tie", "QS", "KH", "lose", 0, "5.9 7.4.1(a)"),
    (PERTH, "main", "KS", "QH", "win", 1, "3.5(a)(i) 3.6 4.9"),
    (PERTH, "main", "QS", "KH", "lose", 0, "3.5(c)(i) 4.9"),
    (PERTH, "main", "KS", "KH", "tied", 0, ""),
    (PERTH, "tie", "KS", "KH", "win", 10, "3.10(a) 3.11 4.9"),
    (PERTH, "tie", "KS", "QH", "lose", 0, "3.10(b) 4.9"),
    (PERTH, "a_bomb", "AS", "2H", "win", 10, "3.12(a) 3.13 4.9"),
    (PERTH, "a_bomb", "KS", "AH", "lose", 0, "3.12(b) 4.9"),
    (PERTH, "perfect_pairs", "KS", "KS", "win", 30, "3.14(a) 3.15(a) 3.16 3.16 [column 4: 6 decks]"),
    (PERTH, "perfect_pairs", "KS", "KC", "win", 10, "3.14(a) 3.15(a) 3.16 3.16 [column 4: 6 decks]"),
    (PERTH, "perfect_pairs", "KS", "KH", "win", 5, "3.14(a) 3.15(a) 3.16 3.16 [column 4: 6 decks]"),
    (PERTH, "perfect_pairs", "KS", "QS", "lose", 0, "3.14(a) 3.15(b)"),
    (STAR, "main", "KS", "QH", "win", 1, "5.2.1.1 8.2.2"),
    (STAR, "main", "QS", "KH", "lose", 0, "5.2.1.2 8.2.1"),
    (STAR, "main", "KS", "KH", "tied", 0, ""),
    (STAR, "tie", "KS", "KH", "win", 10, "5.2.3.1 8.1.2"),
    (STAR, "tie", "QS", "KH", "lose", 0, "5.2.3.2 8.1.1"),
]  # fmt: skip
WAR = [
    (MELBOURNE, "main", "KS", "QH", "standoff", 0, "5.7.4 7.6.1 8.1 [Table 1: Casino War Wager]"),
    (MELBOURNE, "main", "KS", "KH", "win", 1, "5.7.3 7.6.1 8.1 [Table 1: Casino War Wager]"),
    (MELBOURNE, "main", "QS", "KH", "lose", 0, "5.7.5 7.6.1"),
    (MELBOURNE, "war", "KS", "QH", "win", 1, "5.8.1 7.6.1 8.1 [Table 1: Go to War Wager]"),
    (MELBOURNE, "war", "KS", "KH", "win", 1, "5.8.2 7.6.1 8.1 [Table 1: Go to War Wager]"),
    (MELBOURNE, "war", "QS", "KH", "lose", 0, "5.8.3 7.6.1"),
    (PERTH, "main", "KS", "QH", "standoff", 0, "3.5(b) 4.13"),
    (PERTH, "main", "KS", "KH", "win", 1, "3.5(a)(ii) 3.6 4.13"),
    (PERTH, "main", "QS", "KH", "lose", 0, "3.5(c)(ii) 4.13"),
    (PERTH, "war", "KS", "QH", "win", 1, "3.8(a) 3.9 4.13"),
    (PERTH, "war", "KS", "KH", "win", 1, "3.8(a) 3.9 4.13"),
    (PERTH, "war", "QS", "KH", "lose", 0, "3.8(b) 4.13"),
    (PERTH, "perfect_pairs", "KS", "KC", "win", 10, "3.14(b) 3.15(a) 3.16 4.13 3.16 [column 4: 6 decks]"),
    (PERTH, "perfect_pairs", "KS", "QS", "lose", 0, "3.14(b) 3.15(b) 4.13"),
    (STAR, "main", "KS", "QH", "standoff", 0, "5.2.1.5 10.1"),
    (STAR, "main", "KS", "KH", "standoff", 0, "5.2.1.5 10.2"),
    (STAR, "main", "QS", "KH", "lose", 0, "5.2.1.6 10.3"),
    (STAR, "war", "KS", "QH", "win", 1, "5.2.2.1 10.1"),
    (STAR, "war", "KS", "KH", "win", 2, "5.2.2.1 10.2"),
    (STAR, "war", "QS", "KH", "lose", 0, "5.2.2.2 10.3"),
]  # fmt: skip


UNDECIDED = {
    MELBOURNE: ("5.7.1", "5.7.2"),
    PERTH: ("3.5(a)(i)", "3.5(c)(i)"),
    STAR: ("5.2.1.1", "5.2.1.2"),
}
"""Equal first cards neither win nor lose."""


def marked(row: tuple[Any, ...]) -> Any:
    """The row as a case that carries the clauses it rests on."""
    rests, rest = [], row[-1]
    while rest:
        head, _, tail = rest.partition(" ")
        while tail.startswith("[") or head.count("[") > head.count("]"):
            more, _, tail = tail.partition(" ")
            head = f"{head} {more}"
        rests.append(head)
        rest = tail
    marks = [clause(row[0], *(rests or UNDECIDED[row[0]]))]
    return pytest.param(*row[:-1], tuple(rests), marks=marks)


@pytest.mark.parametrize(("house", "zone", "player", "dealer", "how", "odds", "rests"), [marked(row) for row in FIRST])
def test_the_first_cards_decide_at_these_odds_by_these_clauses(
    house: str, zone: str, player: str, dealer: str, how: str, odds: int, rests: tuple[str, ...]
) -> None:
    rules = war_rules(house)
    column = rules.column(4) if zone == "perfect_pairs" else None
    assert on_first_cards(rules, column, zone, player, dealer) == (how, odds, rests)


@pytest.mark.parametrize(("house", "zone", "player", "dealer", "how", "odds", "rests"), [marked(row) for row in WAR])
def test_the_second_cards_decide_at_these_odds_by_these_clauses(
    house: str, zone: str, player: str, dealer: str, how: str, odds: int, rests: tuple[str, ...]
) -> None:
    rules = war_rules(house)
    column = rules.column(4) if zone == "perfect_pairs" else None
    assert on_war_cards(rules, column, zone, player, dealer) == (how, odds, rests)


@clause(PERTH, "3.14(a)", "3.16")
def test_perfect_pairs_without_a_column_of_odds_is_never_paid_by_guess() -> None:
    with pytest.raises(ValueError, match="needs a payout column"):
        on_first_cards(war_rules(PERTH), None, "perfect_pairs", "KS", "KS")


@clause(PERTH, "3.16")
@pytest.mark.parametrize(
    ("number", "decks", "odds"),
    [
        (1, 4, (30, 12, 5)), (2, 6, (25, 12, 5)), (3, 6, (30, 12, 5)), (4, 6, (30, 10, 5)), (5, 6, (25, 12, 6)),
        (6, 8, (25, 12, 5)), (7, 8, (25, 12, 6)),
    ],
)  # fmt: skip
def test_each_column_pays_its_own_odds_for_its_own_number_of_decks(
    number: int, decks: int, odds: tuple[int, ...]
) -> None:
    column = war_rules(PERTH).column(number)
    assert column is not None
    assert (column.decks, column.perfect, column.coloured, column.mixed) == (decks, *odds)
    assert column.clause == f"3.16 [column {number}: {decks} decks]"
    assert len(war_rules(PERTH).columns) == 7


# -- money ----------------------------------------------------------------------------------------------------------


@clause(MELBOURNE, "6.2.3", "8.1 [Table 1: Tie Wager]")
@clause(STAR, "5.11", "8.1.2")
@clause(PERTH, "3.11")
@pytest.mark.parametrize(
    ("house", "pays", "extra"), [(MELBOURNE, 5250, ("6.2.3",)), (STAR, 5250, ("5.11",)), (PERTH, 5110, ())]
)
def test_what_is_due_is_rounded_up_to_chips_only_where_the_document_says_so(
    house: str, pays: int, extra: tuple[str, ...]
) -> None:
    rules = war_rules(house)
    outcome = on_first_cards(rules, None, "tie", "KS", "KH")
    paid = book(rules, stake(511, "tie"), outcome, CHIP)
    assert (paid.result, paid.pays, paid.stake_taken, paid.stake_returned) == ("win", pays, 0, 511)
    assert paid.clauses == (*outcome.clauses, *extra)
    even = book(rules, stake(1000, "tie"), outcome, CHIP)
    assert (even.pays, even.clauses) == (10_000, outcome.clauses)
    assert payable(rules, 1000, CHIP) == 1000


@clause(MELBOURNE, "5.7.1", "5.7.2", "5.7.4", "6.2.2")
def test_only_the_counted_part_of_a_stake_wins_or_loses() -> None:
    rules = war_rules(MELBOURNE)
    over = stake(60_000, counted=50_000, clauses=["6.2.2"])
    lost = book(rules, over, on_first_cards(rules, None, "main", "QS", "KH"), CHIP)
    assert (lost.wager, lost.player, lost.bet, lost.result) == ("w", "Ann", "main 1", "lose")
    assert (lost.pays, lost.stake_taken, lost.stake_returned) == (0, 50_000, 10_000)
    assert lost.clauses == ("5.7.2", "7.4.2(a)", "6.2.2")
    won = book(rules, over, on_first_cards(rules, None, "main", "KS", "QH"), CHIP)
    assert (won.result, won.pays, won.stake_taken, won.stake_returned) == ("win", 50_000, 0, 60_000)
    off = book(rules, over, on_war_cards(rules, None, "main", "KS", "QH"), CHIP)
    assert (off.result, off.pays, off.stake_taken, off.stake_returned) == ("standoff", 0, 0, 60_000)


@clause(MELBOURNE, "5.6", "7.4.2(c)", "7.4.3(a)", "6.2.3")
@clause(PERTH, "4.10", "4.10(a)")
@clause(STAR, "5.8", "8.2.4", "8.2.4.1", "8.3", "5.11")
@pytest.mark.parametrize(
    ("house", "amount", "taken", "odd"),
    [
        (MELBOURNE, 1000, 500, False), (MELBOURNE, 1250, 500, True), (MELBOURNE, 250, 0, True),
        (MELBOURNE, 1001, 251, True),
        (PERTH, 1000, 500, False), (PERTH, 1250, 500, True), (PERTH, 250, 0, True), (PERTH, 1490, 500, True),
        (STAR, 1000, 500, False), (STAR, 1250, 500, True), (STAR, 100, 0, True),
    ],
)  # fmt: skip
def test_of_a_surrendered_stake_half_is_kept_and_an_odd_half_goes_the_players_way(
    house: str, amount: int, taken: int, odd: bool
) -> None:
    rules = war_rules(house)
    done = surrender(rules, stake(amount, clauses=["x"]), CHIP)
    assert (done.result, done.pays, done.stake_taken, done.stake_returned) == ("surrender", 0, taken, amount - taken)
    expected = dict.fromkeys((*rules.cites["surrender"], *(rules.cites["half"] if odd else ()), "x"))
    assert done.clauses == tuple(expected)
    declined = surrender(rules, stake(1000), CHIP, rules.cite("decline"))
    decline = {MELBOURNE: ("5.6", "11.10"), PERTH: ("4.10", "6.11"), STAR: ("5.2.1.3",)}[house]
    assert declined.clauses == tuple(dict.fromkeys((*decline, *rules.cite("surrender"))))


@clause(MELBOURNE, "7.4.3(a)")
@pytest.mark.parametrize(("reading", "taken"), [("return_up", 500), ("keep_down", 500), ("exact", 625)])
def test_a_house_that_reads_the_odd_half_otherwise_keeps_what_it_chose(reading: str, taken: int) -> None:
    rules = rules_for(MELBOURNE, WarConfig(6, readings={"limits.half": reading}))
    assert surrender(rules, stake(1250), CHIP).stake_taken == taken
    assert (
        surrender(rules, stake(1125), CHIP).stake_taken == {"return_up": 375, "keep_down": 500, "exact": 562}[reading]
    )


@clause(MELBOURNE, "9.7", "1.1 [Void]")
@clause(STAR, "13.6", "1.1 [void]")
def test_a_void_stake_goes_back_whole_unless_it_is_forfeited() -> None:
    back = void(stake(1250, clauses=["b"]), ("a",))
    assert (back.result, back.stake_taken, back.stake_returned, back.clauses) == ("void", 0, 1250, ("a", "b"))
    assert back.pays == 0
    kept = void(stake(1250), ("a",), forfeited=True)
    assert (kept.result, kept.stake_taken, kept.stake_returned) == ("void", 1250, 0)


# -- limits and areas -------------------------------------------------------------------------------------------------

LIMITS = Limits(1000, 50_000, 500, CHIP)


@clause(MELBOURNE, "6.2.1", "6.2.2", "6.2.3", "6.5")
@clause(PERTH, "5.7(a)", "5.7(b)", "5.7(c)", "5.7 [closing words]")
@clause(STAR, "6.1", "6.2", "6.3", "11.18.1", "11.18.2")
@pytest.mark.parametrize(
    ("house", "amount", "expected"),
    [
        (MELBOURNE, 999, Counted(999, ("6.2.1",), warn=True)),
        (MELBOURNE, 1000, Counted(1000, ())),
        (MELBOURNE, 1250, Counted(1250, ("6.2.3", "6.5"))),
        (MELBOURNE, 50_000, Counted(50_000, ())),
        (MELBOURNE, 50_001, Counted(50_000, ("6.2.2",))),
        (PERTH, 999, Counted(999, ("5.7(a)", "5.7 [closing words]"))),
        (PERTH, 1000, Counted(1000, ())),
        (PERTH, 1750, Counted(1500, ("5.7(b)", "5.7 [closing words]"))),
        (PERTH, 50_001, Counted(50_000, ("5.7(c)", "5.7 [closing words]"))),
        (STAR, 999, Counted(999, ("6.2", "11.18.1"))),
        (STAR, 1250, Counted(1250, ("6.1",))),
        (STAR, 50_500, Counted(50_000, ("6.3", "11.18.2"))),
    ],
)
def test_a_stake_at_every_edge_of_the_limits_counts_as_its_document_says(
    house: str, amount: int, expected: Counted
) -> None:
    assert count(war_rules(house), stake(amount), LIMITS, False) == expected
    without_unit = count(war_rules(house), stake(1250), Limits(1000, 50_000, 0, CHIP), False)
    assert without_unit == Counted(1250, ())


@clause(MELBOURNE, "6.2.1")
def test_who_was_warned_gets_a_stake_under_the_minimum_back_and_nobody_else_does() -> None:
    rules = war_rules(MELBOURNE)
    assert count(rules, stake(999), LIMITS, True) == Counted(999, ("6.2.1",), give_back=True)
    assert count(rules, stake(1000), LIMITS, True) == Counted(1000, ())
    assert count(war_rules(PERTH), stake(999), LIMITS, True) == Counted(999, ("5.7(a)", "5.7 [closing words]"))


@clause(MELBOURNE, "6.2.2", "6.5")
def test_where_limits_count_per_area_the_line_is_capped_from_the_front() -> None:
    rules = war_rules(MELBOURNE)
    line = [
        stake(3000, player="Cyd", line=2),
        stake(4000, line=0),
        stake(4000, player="Bob", line=1, clauses=["6.2.2"]),
    ]
    cap_area(rules, line, 8000)
    assert [(one.player, one.counted, one.clauses) for one in line] == [
        ("Cyd", 0, ["6.2.2"]), ("Ann", 4000, []), ("Bob", 4000, ["6.2.2"]),
    ]  # fmt: skip
    cap_area(rules, line := [stake(4000), stake(4000, player="Bob", line=1)], 7999)
    assert [(one.counted, one.clauses) for one in line] == [(4000, []), (3999, ["6.2.2"])]


@clause(PERTH, "3.3")
@clause(STAR, "5.6")
def test_a_full_area_is_told_with_how_many_stakes_it_takes() -> None:
    for house, most, text in ((PERTH, 2, "2 stakes already lie on"), (STAR, 1, "1 stake already lies on")):
        no = refuse_first(
            war_rules(house), layout_of(war_rules(house), WarConfig(6)), [stake(1000)] * most, stake(1000), most
        )
        assert no is not None
        assert no.text.startswith(text)


def first(house: str, laid: Stake, *there: Stake, most: int = 3, **config: Any) -> tuple[str, tuple[str, ...]] | None:
    no = refuse_first(war_rules(house), layout_of(war_rules(house), WarConfig(6, boxes=7, **config)), there, laid, most)
    return (no.code, no.clauses) if no else None


@clause(MELBOURNE, "2.1", "2.2.1", "5.1", "5.5.1", "5.5.2")
@clause(STAR, "5.3")
@clause(PERTH, "1.1 [Box]", "3.1")
def test_a_stake_may_lie_only_on_a_box_and_zone_of_the_layout_and_of_chips() -> None:
    assert first(MELBOURNE, stake(1000, box=1)) is None
    assert first(MELBOURNE, stake(1000, box=7)) is None
    assert first(MELBOURNE, stake(1000, box=0)) == ("no_such_box", ("2.1",))
    assert first(MELBOURNE, stake(1000, box=8)) == ("no_such_box", ("2.1",))
    assert first(MELBOURNE, stake(1000, "a_bomb")) == ("no_such_zone", ("2.2.1", "5.5.1", "5.5.2"))
    assert first(PERTH, stake(1000, "a_bomb")) == ("no_such_zone", ("1.1 [Box]", "3.1"))
    assert first(PERTH, stake(1000, "a_bomb"), optional_zones=("a_bomb",)) is None
    assert first(MELBOURNE, stake(1)) is None
    assert first(MELBOURNE, stake(0)) == ("no_amount", ("5.1",))
    assert first(MELBOURNE, stake(1000, token=True)) == ("no_tokens", ("5.1",))
    assert first(STAR, stake(1000, token=True), most=1) is None


@clause(MELBOURNE, "5.10")
def test_so_many_players_share_an_area_and_one_of_them_may_lay_more() -> None:
    two = stake(1000, player="Bob"), stake(1000, player="Cyd")
    assert first(MELBOURNE, stake(1000), *two) is None
    full = (*two, stake(1000, player="Dot"))
    assert first(MELBOURNE, stake(1000), *full) == ("area_full", ("5.10",))
    assert first(MELBOURNE, stake(1000, player="Dot"), *full) is None
    assert first(MELBOURNE, stake(1000, "tie"), *full) is None
    assert first(MELBOURNE, stake(1000, box=2), *full) is None
    gone = (*two, stake(1000, player="Dot", status="refused"))
    assert first(MELBOURNE, stake(1000), *gone) is None
    at_war = (*two, stake(1000, player="Dot", stage="war"))
    assert first(MELBOURNE, stake(1000), *at_war) is None


@clause(PERTH, "3.3")
@clause(STAR, "5.6")
def test_where_stakes_are_counted_and_not_players_one_player_fills_the_area_too() -> None:
    three = [stake(1000), stake(1000), stake(1000)]
    assert first(PERTH, stake(1000), *three[:2]) is None
    assert first(PERTH, stake(1000), *three) == ("area_full", ("3.3",))
    assert first(STAR, stake(1000), stake(1000), most=1) == ("area_full", ("5.6",))
    assert first(STAR, stake(1000, "tie"), stake(1000), most=1) is None
    assert first(STAR, stake(1000, "tie", player="Bob"), stake(1000), most=1) == ("area_taken", ("5.6",))
    assert first(STAR, stake(1000, "tie", player="Bob"), stake(1000, box=2), most=1) is None
    assert first(PERTH, stake(1000, player="Bob"), stake(1000)) is None
    assert first(STAR, stake(1000, "tie", player="Bob"), stake(1000, status="refused"), most=1) is None


@clause(MELBOURNE, "5.10")
def test_where_the_cap_is_read_for_the_main_zone_only_ties_are_free() -> None:
    rules = msgspec.structs.replace(
        war_rules(MELBOURNE), wagers=msgspec.structs.replace(war_rules(MELBOURNE).wagers, share_tie=False)
    )
    ties = [stake(1000, "tie", player=player) for player in ("Bob", "Cyd", "Dot")]
    assert refuse_first(rules, layout_of(rules, WarConfig(6)), ties, stake(1000, "tie"), 3) is None
    mains = [stake(1000, player=player) for player in ("Bob", "Cyd", "Dot")]
    assert refuse_first(rules, layout_of(rules, WarConfig(6)), mains, stake(1000), 3) is not None


@clause(STAR, "5.2.3", "1.1 [invalid Wager]")
@clause(MELBOURNE, "5.5.2")
def test_a_tie_stake_needs_a_main_stake_of_the_same_player_on_the_same_box_where_the_document_says_so() -> None:
    tie = stake(1000, "tie")
    assert ties_alone(war_rules(STAR), [tie]) == [tie]
    assert ties_alone(war_rules(STAR), [tie, stake(1000)]) == []
    assert ties_alone(war_rules(STAR), [tie, stake(1000, box=2)]) == [tie]
    assert ties_alone(war_rules(STAR), [tie, stake(1000, player="Bob")]) == [tie]
    assert ties_alone(war_rules(STAR), [tie, stake(1000, status="refused")]) == [tie]
    assert ties_alone(war_rules(STAR), [stake(1000, "tie", status="refused")]) == []
    assert ties_alone(war_rules(STAR), [tie, stake(1000), stake(1000, "war", box=3, stage="war")]) == []
    assert ties_alone(war_rules(MELBOURNE), [tie]) == []


@clause(MELBOURNE, "5.6", "7.4.4(a)(i)", "1.1 [Go to War wager]")
@clause(PERTH, "3.7", "4.10")
@clause(STAR, "5.8", "9.1", "1.1 [War Wager]")
@pytest.mark.parametrize("house", [MELBOURNE, PERTH, STAR])
def test_a_war_stake_equals_the_main_stake_as_counted_or_as_placed(house: str) -> None:
    rules = war_rules(house)
    cited = {
        MELBOURNE: ("5.6", "7.4.4(a)(i)", "1.1 [Go to War wager]"),
        PERTH: ("3.7", "4.10"),
        STAR: ("5.8", "9.1", "1.1 [War Wager]"),
    }[house]
    main = stake(60_000, counted=50_000)
    assert refuse_war(rules, main, 60_000) is None
    assert refuse_war(rules, main, 50_000) is None
    for amount in (49_999, 50_001, 59_999, 60_001):
        no = refuse_war(rules, main, amount)
        assert no is not None
        assert (no.code, no.clauses) == ("war_stake_differs", cited)
    odd = refuse_war(rules, main, 50_005)
    assert odd is not None
    assert odd.text == "A war stake of $500.05 does not equal the main stake of $600."
    no = refuse_war(rules, None, 50_000)
    assert no is not None
    assert (no.code, no.clauses) == ("no_main_stake", cited)


def reading(house: str, option: str, choice: str) -> WarRules:
    return rules_for(house, WarConfig(6, readings={option: choice}))


@clause(STAR, "5.8")
def test_a_house_that_reads_the_equal_stake_otherwise_takes_only_that() -> None:
    main = stake(60_000, counted=50_000)
    placed, counted = (reading(STAR, "war.stake_matches", choice) for choice in ("placed", "counted"))
    assert refuse_war(placed, main, 60_000) is None
    assert refuse_war(placed, main, 50_000) is not None
    assert refuse_war(counted, main, 50_000) is None
    assert refuse_war(counted, main, 60_000) is not None


@clause(PERTH, "3.14(b)", "4.11", "3.3", "1.1 [Box]", "3.1")
def test_perfect_pairs_at_war_need_a_war_on_the_box_and_a_free_place() -> None:
    rules, config = war_rules(PERTH), WarConfig(6, optional_zones=("perfect_pairs",), column=2)
    laid = stake(1000, "perfect_pairs", stage="war")

    def refused(there: list[Stake], at_war: set[tuple[int, str]], one: WarRules = rules) -> Any:
        no = refuse_war_pairs(one, layout_of(one, config), there, laid, 3, at_war)
        return no and (no.code, no.clauses)

    assert refused([], {(1, "Ann")}) is None
    assert refused([], {(1, "Bob")}) is None
    assert refused([], {(2, "Ann")}) == ("no_war_here", ("3.14(b)", "3.15(a)", "3.16", "4.13"))
    assert refused([laid] * 3, {(1, "Ann")}) == ("area_full", ("3.3",))
    own = reading(PERTH, "wagers.war_pairs_open_to", "war_players")
    assert refused([], {(1, "Bob")}, own) == ("war_players_only", ("3.14(b)", "3.15(a)", "3.16", "4.13"))
    assert refused([], {(1, "Ann"), (1, "Bob")}, own) is None
    no = refuse_war_pairs(rules, layout_of(rules, WarConfig(6)), [], laid, 3, {(1, "Ann")})
    assert no is not None
    assert (no.code, no.clauses) == ("no_such_zone", ("1.1 [Box]", "3.1"))


# -- order ------------------------------------------------------------------------------------------------------------


def lines() -> list[Stake]:
    placed = [("a", 1, "main", 0), ("b", 2, "tie", 0), ("c", 3, "main", 0), ("d", 3, "main", 1), ("e", 4, "main", 0)]
    return [Stake(name, name, box, zone, 1000, line=line, counted=1000) for name, box, zone, line in placed]


@clause(MELBOURNE, "7.3.1(b)", "7.3.1(c)", "7.5.1(a)", "7.5.1(b)")
@clause(PERTH, "4.8(a)", "4.8(b)", "4.2", "4.12(a)", "4.12(b)")
@clause(STAR, "7.1", "9.2.1", "9.2.2")
def test_cards_go_from_the_first_box_to_the_last_and_then_to_the_dealer() -> None:
    staked = [
        *reversed(lines()),
        Stake("f", "f", 5, "main", 1000, status="refused"),
        Stake("g", "g", 6, "main", 1000, status="give_back"),
    ]
    assert first_places(war_rules(MELBOURNE), staked, False) == ["box1", "box2", "box3", "box4", "box6", "dealer"]
    assert first_places(war_rules(STAR), staked, False) == ["box1", "box3", "box4", "box6", "dealer"]
    assert first_places(war_rules(PERTH), staked, True)[:2] == ["round-burn", "box1"]
    assert war_places(war_rules(MELBOURNE), [4, 2, 2]) == ["box2", "box4", "dealer"]
    assert war_places(war_rules(STAR), [4]) == ["box4", "dealer"]
    assert war_places(war_rules(PERTH), [4]) == ["war-burn", "war-burn", "war-burn", "box4", "dealer"]


@clause(MELBOURNE, "7.4.1(a)", "7.4.1(b)", "7.4.2(a)", "7.4.2(b)", "7.4.2(c)", "7.6.1")
@clause(PERTH, "4.9", "4.13")
@clause(STAR, "8.1.1", "8.1.2", "8.2.1", "8.2.2", "8.2.4")
def test_losers_are_taken_before_winners_are_paid_pass_by_pass_from_the_side_of_the_house() -> None:
    stakes = lines()
    how = {"a": "QS", "b": "KS", "c": "AS", "d": "2S", "e": "3S"}
    for house in (MELBOURNE, PERTH, STAR):
        rules = war_rules(house)
        results = [book(rules, one, on_first_cards(rules, None, one.zone, how[one.id], "KH"), CHIP) for one in stakes]
        mains = [Step("take", "e", 4), Step("take", "d", 3), Step("take", "a", 1), Step("pay", "c", 3)]
        passes = [Step("pay", "b", 2), *mains]
        if house == PERTH:  # one pass over all zones
            passes = [*mains, Step("pay", "b", 2)]
        assert interim_steps(rules, stakes, results) == passes
        assert final_steps(rules, stakes, results) == [*mains, Step("pay", "b", 2)]
        tied = offers(rules, [stakes[3], stakes[0], stakes[2], stakes[4]])
        assert [one.id for one in tied] == (["a", "c", "d", "e"] if house == STAR else ["e", "c", "d", "a"])


def test_amounts_are_told_as_everywhere_with_a_comma_in_the_thousands() -> None:
    no = refuse_war(war_rules(MELBOURNE), stake(123450), 100000)
    assert no is not None
    assert no.text == "A war stake of $1,000 does not equal the main stake of $1,234.50."
