"""The ledger of colour chips at every edge: what may be issued to whom, added, redeemed, and what a chip is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from controller.config.types import ChipsSection
from controller.core.desk import Refusal
from controller.core.events import Chip, ChipsCounted
from controller.money.colours import ColourLedger, Holding, Issue, issue, issue_further, redeem
from lab.sim.config import default_config
from tests.controller.games.wheel.play import Play, clause

COLOURS = ("blue", "green", "pink")


# -- colour chips -----------------------------------------------------------------------------------------------------


def wanted(
    colour: str = "blue", owner: str = "Ann", cents: int = 500, count: int = 20, marker: int = 0, **more: Any
) -> Issue:
    return Issue(colour, owner, cents, count, 7, "S1", marker, **more)


def refused(action: Any, *args: Any, **more: Any) -> tuple[str, tuple[str, ...]]:
    with pytest.raises(Refusal) as told:
        action(*args, **more)
    return told.value.code, told.value.clauses


@clause("3.1.2(e)", "3.1.2(a)", "3.1.2(f)")
def test_what_may_be_issued_at_every_edge_of_value_and_count() -> None:
    def nobody_else_wants(
        ledger: ColourLedger, colours: tuple[str, ...], minimum: int, one: Issue, **more: Any
    ) -> Holding:
        return issue_further(ledger, colours, minimum, one, (), **more)

    actions: tuple[Callable[..., Holding], ...] = (issue, nobody_else_wants)
    for action in actions:
        assert refused(action, ColourLedger(), COLOURS, 500, wanted(count=0)) == ("no_chips", ("3.1.2(e)",))
        assert action(ColourLedger(), COLOURS, 500, wanted(count=1)) == Holding("blue", "Ann", 500, 1, 0, 0, 7, "S1")
        assert refused(action, ColourLedger(), COLOURS, 500, wanted(cents=499)) == ("under_minimum", ("3.1.2(e)",))
        below = action(ColourLedger(), COLOURS, 500, wanted(cents=1), below_minimum=True)
        assert below.cents == 1
        nothing = refused(action, ColourLedger(), COLOURS, 500, wanted(cents=0), below_minimum=True)
        assert nothing == ("under_minimum", ("3.1.2(e)",))
        assert refused(action, ColourLedger(), COLOURS, 500, wanted("red")) == ("no_such_colour", ("3.1.2(a)",))
    with pytest.raises(Refusal, match="it has blue, green, pink"):
        issue(ColourLedger(), COLOURS, 500, wanted("red"))
    with pytest.raises(Refusal, match="it has none"):
        issue(ColourLedger(), (), 500, wanted("red"))


@clause("3.1.2(e)", "3.1.2(f)")
def test_more_of_a_colour_is_added_to_the_players_own_line() -> None:
    ledger = ColourLedger()
    issue(ledger, COLOURS, 500, wanted())
    more = issue(ledger, COLOURS, 500, wanted(count=5, marker=500))
    assert more == Holding("blue", "Ann", 500, 25, 0, 500, 7, "S1")
    assert ledger.holdings == [more]
    assert issue(ledger, COLOURS, 500, wanted(count=1)).marker == 500
    assert refused(issue, ledger, COLOURS, 500, wanted("green")) == ("has_a_colour", ("3.1.2(f)",))
    issue(ledger, COLOURS, 500, wanted("green", "Bob"))
    assert [(line.colour, line.issued) for line in ledger.holdings] == [("blue", 26), ("green", 20)]


@clause("3.1.2(f)")
def test_a_further_colour_is_refused_only_when_somebody_else_who_has_none_would_go_without() -> None:
    ledger = ColourLedger()
    issue(ledger, COLOURS, 500, wanted())
    issue_further(ledger, COLOURS, 500, wanted("green"), ["Ann"])
    assert refused(issue_further, ledger, COLOURS, 500, wanted("pink"), ["Bob"]) == ("shut_out", ("3.1.2(f)",))
    assert issue_further(ledger, COLOURS, 500, wanted("pink"), ["Ann"]).colour == "pink"
    other = ColourLedger()
    issue(other, COLOURS, 500, wanted())
    issue(other, COLOURS, 500, wanted("green", "Bob"))
    assert issue_further(other, COLOURS, 500, wanted("pink"), ["Ann", "Bob"]).colour == "pink"
    assert issue_further(ColourLedger(), ("blue",), 500, wanted(), ["Ann"]).colour == "blue"


@clause("3.1.2(c)(i)")
def test_chips_are_redeemed_at_their_value_and_the_line_says_how_many() -> None:
    ledger = ColourLedger()
    issue(ledger, COLOURS, 500, wanted())
    issue(ledger, COLOURS, 500, wanted(owner="Bob", consent=frozenset({"Ann"})))
    assert refused(redeem, ledger, "blue", "Ann", 0) == ("no_chips", ("3.1.2(c)(i)",))
    kept, cents = redeem(ledger, "blue", "Bob", 1, keeps=True)
    assert (kept.owner, kept.redeemed, cents) == ("Bob", 1, 500)
    assert [(line.owner, line.redeemed) for line in ledger.holdings] == [("Ann", 0), ("Bob", 1)]
    back, cents = redeem(ledger, "blue", "Bob", 4)
    assert (back.redeemed, cents) == (5, 2000)
    assert [line.owner for line in ledger.holdings] == ["Ann"]
    late, cents = redeem(ledger, "blue", "Bob", 3)
    assert (late.redeemed, cents) == (8, 1500)
    assert ledger.past["blue"].redeemed == 8
    assert refused(redeem, ledger, "green", "Bob", 1)[0] == "not_in_ledger"
    del ledger.holdings[:]
    assert refused(redeem, ledger, "blue", "Cyd", 1) == ("not_in_ledger", ("3.1.2", "3.1.2(c)(i)"))


@pytest.fixture
def coloured() -> Play:
    config = msgspec.structs.replace(default_config("wheel"), chips=ChipsSection("T1", COLOURS))
    play = Play(config=config).opened()
    play.press("place_bets")
    return play


@clause("3.1.2", "3.1.2(e)")
def test_colour_chips_are_worth_what_the_ledger_says_when_the_layout_is_read_anew(coloured: Play) -> None:
    coloured.press("issue_colour", player="Ann", colour="blue", value=700, count=20, marker=700)
    blue = Chip(71, "colour", 0, "T1/blue")
    coloured.event(ChipsCounted("chips", {coloured.area("A"): (blue, Chip(72, "cash", 500))}))
    laid = coloured.table.game.state.picture  # type: ignore[attr-defined]
    assert {tag: (one.chip.cents, one.owner) for tag, one in laid.items()} == {71: (700, "Ann"), 72: (500, "")}
