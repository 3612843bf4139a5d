"""Which stakes may lie where, and how much of each counts, at every edge of the limits."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.core.desk import Limits
from controller.games.war.config import WarConfig, rules_for
from controller.games.war.layout import layout_of
from controller.games.war.rules import WarRules, war_rules
from controller.games.war.stakes import Counted, cap_area, count, refuse_first, refuse_war, refuse_war_pairs, ties_alone
from controller.games.war.state import Stake
from tests.controller.games.war.laid import stake
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause

CHIP = 250


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


def test_amounts_are_told_as_everywhere_with_a_comma_in_the_thousands() -> None:
    no = refuse_war(war_rules(MELBOURNE), stake(123450), 100000)
    assert no is not None
    assert no.text == "A war stake of $1,000 does not equal the main stake of $1,234.50."
