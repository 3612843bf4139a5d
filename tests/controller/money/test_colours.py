"""Colour chips: issued at a declared value, one player a colour, staked at the ledger's value, redeemed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.config.types import ChipsSection
from controller.core.desk import Refusal
from controller.core.effects import Alarmed, AlarmOver
from controller.core.events import Chip, ChipsCounted, ChipsMoved, ChipUnclear
from controller.money.colours import ColourLedger, Issue, exchange, issue, issue_further, markers_due, redeem
from lab.sim.config import default_config
from tests.controller.games.wheel.play import Play, money

clause = pytest.mark.clause
COLOURS = ("blue", "green", "pink")


def wanted(colour: str = "blue", owner: str = "p1", dollars: int = 5, marker: int = 0, **more: object) -> Issue:
    return Issue(colour, owner, dollars * 100, 20, 0, "S1", marker * 100, **more)  # type: ignore[arg-type]


def refusal(action: object, *args: object, **more: object) -> str:
    with pytest.raises(Refusal) as refused:
        action(*args, **more)  # type: ignore[operator]
    assert refused.value.clauses
    return refused.value.code


@clause("melbourne-wheel", "3.1.2(e)")
@pytest.mark.parametrize(
    ("value", "marker", "issued"), [(5, 0, True), (10, 0, False), (10, 10, True), (10, 20, False), (4, 4, False)]
)
def test_at_the_minimum_no_marker_is_asked_for_and_above_it_one_that_shows_the_value(
    value: int, marker: int, issued: bool
) -> None:
    ledger = ColourLedger()
    if issued:
        issue(ledger, COLOURS, 500, wanted(dollars=value, marker=marker))
    else:
        refusal(issue, ledger, COLOURS, 500, wanted(dollars=value, marker=marker))
    assert [line.cents for line in ledger.holdings] == ([value * 100] if issued else [])


@clause("melbourne-wheel", "3.1.2(d)")
def test_a_colour_goes_to_a_second_player_only_when_its_holder_agrees() -> None:
    ledger = ColourLedger()
    issue(ledger, COLOURS, 500, wanted(owner="p1"))
    assert refusal(issue, ledger, COLOURS, 500, wanted(owner="p2")) == "colour_taken"
    issue(ledger, COLOURS, 500, wanted(owner="p2", consent=frozenset({"p1", "p2"})))
    assert refusal(issue, ledger, COLOURS, 500, wanted(owner="p3", consent=frozenset({"p1"}))) == "colour_taken"
    assert ledger.worth("blue") == (500, "")


@clause("melbourne-wheel", "3.1.2(a)", "3.1.2(e)")
def test_only_colours_of_this_tables_set_are_issued_and_their_value_is_fixed_at_issue() -> None:
    ledger = ColourLedger()
    assert refusal(issue, ledger, COLOURS, 500, wanted("red")) == "no_such_colour"
    issue(ledger, COLOURS, 500, wanted())
    assert refusal(issue, ledger, COLOURS, 500, wanted(dollars=10, marker=10)) == "value_fixed"
    line = issue(ledger, COLOURS, 500, wanted())
    assert (line.issued, len(ledger.holdings)) == (40, 1)


@clause("melbourne-wheel", "3.1.2(f)", "3.1.2(f)(i)")
def test_a_further_colour_is_refused_when_another_player_would_be_left_without_one() -> None:
    ledger = ColourLedger()
    issue(ledger, COLOURS, 500, wanted("blue"))
    more = wanted("green", dollars=25, marker=25)
    assert refusal(issue, ledger, COLOURS, 500, more) == "has_a_colour"
    assert refusal(issue_further, ledger, COLOURS, 500, more, ["p2", "p3"]) == "shut_out"
    issue_further(ledger, COLOURS, 500, more, ["p2", "p1"])
    assert [(line.colour, line.cents) for line in ledger.held_by("p1")] == [("blue", 500), ("green", 2500)]


@clause("melbourne-wheel", "3.1.2(b)", "3.1.2(c)(i)", "3.1.2(c)(ii)")
def test_own_chips_are_redeemed_at_the_declared_value_and_a_closed_tables_at_issue_value_or_lowest_minimum() -> None:
    ledger = ColourLedger()
    issue(ledger, COLOURS, 500, wanted(dollars=10, marker=10))
    assert redeem(ledger, "blue", "p1", 7)[1] == 7000
    assert ledger.holdings == []
    assert refusal(exchange, "BW-12", "BW1", True, 7, 0, 0) == "open_table"
    assert exchange("BW-09", "BW1", False, 7, 0, 200).pays == 1400
    assert exchange("BW-09", "BW1", False, 7, 2500, 200).pays == 17500
    assert refusal(exchange, "BW-09", "BW1", False, 7, 0, 0) == "value_unknown"
    assert refusal(exchange, "BW1", "BW1", False, 7, 500, 200) == "own_set"


@clause("melbourne-wheel", "3.1.2(c)(i)")
def test_chips_found_in_a_pocket_later_are_redeemed_at_the_value_they_had_for_that_player_only() -> None:
    ledger = ColourLedger()
    issue(ledger, COLOURS, 500, wanted(dollars=10, marker=10))
    redeem(ledger, "blue", "p1", 19)
    assert redeem(ledger, "blue", "p1", 1)[1] == 1000
    assert refusal(redeem, ledger, "blue", "p2", 1) == "not_in_ledger"
    assert refusal(redeem, ledger, "green", "p1", 1) == "not_in_ledger"
    assert refusal(redeem, ledger, "blue", "p1", 0) == "no_chips"


@given(st.lists(st.tuples(st.sampled_from(COLOURS), st.sampled_from(["p1", "p2"]), st.integers(1, 9), st.booleans())))
def test_whatever_is_issued_and_redeemed_a_colour_has_one_value_and_without_consent_one_owner(
    steps: list[tuple[str, str, int, bool]],
) -> None:
    ledger = ColourLedger()
    for colour, owner, dollars, back in steps:
        try:
            if back:
                _, pays = redeem(ledger, colour, owner, dollars)
                assert pays > 0
            else:
                issue(ledger, COLOURS, 100, wanted(colour, owner, dollars, dollars))
        except Refusal:
            continue
    for colour in COLOURS:
        assert len(ledger.of(colour)) <= 1
    for owner in ("p1", "p2"):
        assert len(ledger.held_by(owner)) <= 1


# -- at the table ------------------------------------------------------------------------------------------------


@pytest.fixture
def play() -> Play:
    config = msgspec.structs.replace(default_config("wheel", 1), chips=ChipsSection("BW1", COLOURS))
    play = Play(config=config, limits=(500, 50_000)).opened()
    play.press("place_bets")
    return play


def lay(play: Play, symbol: str, count: int, colour: str = "blue", first: int = 900) -> None:
    chips = tuple(Chip(first + n, "colour", 0, f"BW1/{colour}") for n in range(count))
    play.event(ChipsMoved("chips", play.area(symbol), chips))


@clause("melbourne-wheel", "3.1.2", "3.1.2(e)", "6.1 Option 1 Symbol B")
def test_four_blue_at_twenty_five_on_the_winner_are_a_stake_of_a_hundred_for_the_holder(play: Play) -> None:
    play.press("issue_colour", colour="blue", player="p1", value=2500, count=20, marker=2500)
    lay(play, "B", 4)
    assert money(play.result("B")["p1/B"]) == (300, 0, 100)


@clause("melbourne-wheel", "3.1.2")
def test_a_colour_nobody_was_issued_counts_for_nothing_until_its_issue_is_entered(play: Play) -> None:
    lay(play, "B", 1)
    assert [effect.clauses for effect in play.told if isinstance(effect, Alarmed)] == [("3.1.2",)]
    play.bet("p2", "A", 10)
    play.launch()
    play.press("no_more_bets")
    assert [wager.id for wager in play.table.game.wagers()] == ["p2/A"]  # type: ignore[attr-defined]
    play.press("issue_colour", colour="blue", player="p1", value=500, count=20)
    assert any(isinstance(effect, AlarmOver) for effect in play.told)
    play.rest("B")
    play.press("acknowledge")
    assert money(play.results["p1/B"]) == (15, 0, 5)


def test_an_unlisted_chip_taken_off_again_ends_its_alarm(play: Play) -> None:
    lay(play, "B", 1)
    play.lift("B", 900)
    assert any(isinstance(effect, AlarmOver) for effect in play.told)


@clause("melbourne-wheel", "3.1.2(d)")
def test_a_shared_colour_has_its_value_and_waits_for_the_dealer_to_say_whose_it_is(play: Play) -> None:
    play.press("issue_colour", colour="blue", player="p1", value=500, count=20)
    play.press("issue_colour", colour="blue", player="p2", value=500, count=20)
    assert play.refused == "colour_taken"
    play.press("issue_colour", colour="blue", player="p2", value=500, count=20, consent=["p1"])
    assert play.noted("colour_issued")[-1]["consent"] == ["p1"]
    lay(play, "B", 2)
    play.press("assign", area=play.area("B"), player="p2", tags=[901])
    assert money(play.result("B")["p2/B"]) == (15, 0, 5)
    assert money(play.results["unassigned/B"]) == (15, 0, 5)


@clause("melbourne-wheel", "3.1.2(f)", "3.1.2(f)(i)")
def test_a_further_colour_needs_level_two(play: Play) -> None:
    further: dict[str, Any] = {"colour": "green", "player": "p1", "value": 2500, "count": 20, "marker": 2500}
    play.press("issue_colour", colour="blue", player="p1", value=500, count=20)
    play.press("issue_colour", **further)
    assert play.refused == "has_a_colour"
    play.press("extra_colour", **further)
    assert play.refused == "rank_too_low"
    play.press("extra_colour", rank=2, wanting=["p2", "p3"], **further)
    assert play.refused == "shut_out"
    play.press("extra_colour", rank=2, wanting=["p2"], **further)
    lay(play, "A", 1, "green")
    lay(play, "A", 1, "blue", first=950)
    assert money(play.result("A")["p1/A"]) == (30, 0, 30)


@clause("melbourne-wheel", "3.1.2(c)(i)")
def test_redeeming_pays_the_declared_value_and_frees_the_colour(play: Play) -> None:
    play.press("issue_colour", colour="blue", player="p1", value=1000, count=20, marker=1000)
    play.press("redeem_colour", colour="blue", player="p1", count=7)
    assert play.noted("colour_redeemed")[-1]["pays"] == 7000
    play.press("issue_colour", colour="blue", player="p2", value=500, count=20)
    assert not play.refused


@clause("melbourne-wheel", "3.1.2(b)", "3.1.2(c)(ii)")
def test_a_closed_tables_chips_are_exchanged_once_surveillance_is_told_and_an_area_manager_verified(play: Play) -> None:
    play.press("exchange_colour", set="BW-12", open=True, count=7)
    assert play.refused == "open_table"
    assert not play.announced("closed_table_chips")
    play.press("exchange_colour", set="BW-09", open=False, count=7, lowest_minimum=200)
    assert [effect.to for effect in play.announced("closed_table_chips")] == ["surveillance"]
    play.answer("verified", rank=2)
    assert play.refused == "rank_too_low"
    assert not play.noted("colour_exchanged")
    play.answer("verified", rank=3)
    assert play.noted("colour_exchanged")[-1]["pays"] == 1400
    play.press("exchange_colour", set="BW-09", open=False, count=7, issue_value=2500)
    play.answer("declined", rank=1)
    assert len(play.noted("colour_exchanged")) == 1


@clause("melbourne-wheel", "3.1.2(e)")
def test_when_the_minimum_changes_chips_that_no_longer_equal_it_get_a_marker(play: Play) -> None:
    play.press("issue_colour", colour="blue", player="p1", value=500, count=20)
    play.bet("p2", "A", 10)
    play.result("A")
    play.settle_up()
    play.press("limits", rank=3, least=200, most=50_000)
    play.press("place_bets")
    assert [effect.text for effect in play.announced("colour_marker")] == ["Lay a blue chip with the marker $5."]
    assert markers_due(play.table.game.state.ledger, 200) == []  # type: ignore[attr-defined]


def test_colour_chips_keep_value_and_owner_when_the_layout_is_read_anew_or_a_chip_lay_on_a_line(play: Play) -> None:
    play.press("issue_colour", colour="blue", player="p1", value=500, count=20)
    blue = Chip(901, "colour", 0, "BW1/blue")
    play.event(ChipUnclear("chips", blue, (play.area("A"), play.area("B"))))
    play.answer(f"area{play.area('B')}")
    assert [(w.id, w.cents) for w in play.table.game.wagers()] == [("p1/B", 500)]  # type: ignore[attr-defined]
    play.event(ChipsCounted("chips", {play.area("C"): (blue,)}))
    assert [(w.id, w.cents) for w in play.table.game.wagers()] == [("p1/C", 500)]  # type: ignore[attr-defined]


def test_the_ledger_stands_again_after_a_restart(play: Play) -> None:
    play.press("issue_colour", colour="blue", player="p1", value=2500, count=20, marker=2500)
    saved = play.table.save()
    again = Play(config=play.config, limits=(500, 50_000))
    again.table.restore(saved)
    assert again.table.game.state.ledger == play.table.game.state.ledger  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"colour": "blue", "player": "p1", "value": "5", "count": 1},
        {"colour": "blue", "player": "p1", "value": 500},
    ],
)
def test_an_issue_without_its_facts_is_refused(play: Play, args: dict[str, Any]) -> None:
    play.press("issue_colour", **args)
    assert play.refused == "bad_argument"
