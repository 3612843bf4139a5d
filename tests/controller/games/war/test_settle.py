"""How every wager of Casino War ends, to the cent and by its clause."""

from __future__ import annotations

from typing import Any

import pytest

from controller.games.war.config import WarConfig, rules_for
from controller.games.war.rules import war_rules
from controller.games.war.settle import book, on_first_cards, on_war_cards, payable, surrender, void
from tests.controller.games.war.laid import stake
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause

CHIP = 250


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
