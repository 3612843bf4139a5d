"""Who comes first at Casino War: the deal, and settlement pass by pass."""

from __future__ import annotations

from controller.games.war.order import Step, final_steps, first_places, interim_steps, offers, war_places
from controller.games.war.rules import war_rules
from controller.games.war.settle import book, on_first_cards
from controller.games.war.state import Stake
from tests.controller.games.war.play import MELBOURNE, PERTH, STAR, clause

CHIP = 250


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
