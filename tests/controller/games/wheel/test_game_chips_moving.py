"""Chips that move while a spin is decided, collected and paid: which count, whose they are, and when a round ends."""

from __future__ import annotations

import msgspec
import pytest

from controller.config.types import ChipsSection
from controller.core.events import Chip, ChipsCounted, ChipsMoved, ChipsSwept
from controller.games.wheel.settle import Wager
from controller.money.slid import SLIDE_MS
from lab.sim.config import default_config
from tests.controller.games.wheel.play import Play, at_bets, clause, money, note, ruled
from tests.controller.money.play import MoneyPlay


@pytest.fixture
def coloured() -> Play:
    config = msgspec.structs.replace(default_config("wheel"), chips=ChipsSection("T1", ("blue",)))
    play = at_bets(config=config)
    play.press("issue_colour", player="Ann", colour="blue", value=700, count=20, marker=700)
    return play


def owners(play: Play) -> dict[int, tuple[int, str]]:
    return {tag: (laid.area, laid.owner) for tag, laid in play.table.game.state.picture.items()}  # type: ignore[attr-defined]


# -- slid by whatever hand, before it ----------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["lifted first", "laid first", "in one pass"])
@clause("3.4", "3.2")
def test_a_chip_that_is_slid_to_another_symbol_keeps_its_owner_however_the_mat_tells_it(play: Play, how: str) -> None:
    tag = play.bet("Ann", "D", 10)
    lifted = ChipsMoved("chips", play.area("D"), removed=(tag,))
    laid = ChipsMoved("chips", play.area("A"), (Chip(tag, "cash", 1000),))
    if how == "in one pass":
        play.event(ChipsSwept("chips", (lifted, laid)))
    else:
        for change in (lifted, laid) if how == "lifted first" else (laid, lifted):
            play.event(change)
    assert owners(play) == {tag: (play.area("A"), "Ann")}
    assert play.result("A")["Ann/A"].pays == 10_00 * play.table.game.setup.option.symbol("A").odds  # type: ignore[attr-defined]


@clause("3.4")
def test_a_chip_that_was_taken_off_and_comes_back_later_is_nobodys_until_somebody_says(play: Play) -> None:
    tag = play.bet("Ann", "D", 10)
    play.lift("D", tag)
    play.event(ChipsMoved("chips", play.area("A"), (Chip(tag, "cash", 1000),)), after_ms=SLIDE_MS + 1)
    assert owners(play) == {tag: (play.area("A"), "")}


# -- after the close --------------------------------------------------------------------------------------------------


@clause("3.2", "3.3", "3.1.2(b)")
def test_a_late_chip_is_noticed_when_the_layout_is_read_anew(play: Play) -> None:
    tag = play.bet("Ann", "D", 10)
    play.launch()
    play.press("no_more_bets")
    mine, late = Chip(tag, "cash", 1000), Chip(99, "cash", 500)
    play.event(ChipsCounted("chips", {play.area("D"): (mine,), play.area("A"): (late,)}))
    assert [(change["kind"], change["tag"], change["cents"]) for change in play.noted("late_change")] == [
        ("added", 99, 500)
    ]
    assert "late_change" in play.table.state.desk.alarms


@clause("3.2", "3.3", "3.1.2(b)")
def test_the_alarm_names_four_late_chips_and_counts_the_others(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.launch()
    play.press("no_more_bets")
    for _ in range(4):
        play.bet("", "A", 5)
    told = [f"$5 added on A, {seconds}.000 s after the close" for seconds in range(1, 5)]
    alarms = play.table.state.desk.alarms
    assert alarms["late_change"].text == f"After “no more bets”: {'; '.join(told)}."
    play.bet("", "A", 5)
    assert alarms["late_change"].text == f"After “no more bets”: {'; '.join(told)}; and 1 more."


@clause("3.2", "3.1.2(b)")
def test_what_moves_in_the_float_tray_is_no_change_of_the_layout(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.launch()
    play.press("no_more_bets")
    lies = owners(play)
    play.event(ChipsMoved("chips", 0, (Chip(500, "cash", 2500),)))
    play.event(ChipsMoved("chips", 0, removed=(500,)))
    assert (owners(play), play.noted("late_change"), play.table.state.desk.alarms) == (lies, [], {})
    play.rest("D")
    assert play.state == "result"


@clause("3.1.2(b)", "3.1.2", "3.2")
def test_a_wager_keeps_the_value_it_had_at_the_close(coloured: Play) -> None:
    blue = Chip(71, "colour", 0, "T1/blue")
    coloured.event(ChipsMoved("chips", coloured.area("D"), (blue,)))
    coloured.launch()
    coloured.press("no_more_bets")
    coloured.press("redeem_colour", player="Ann", colour="blue", count=19)
    coloured.event(ChipsMoved("chips", coloured.area("D"), (blue,)))
    assert coloured.table.game.wagers() == (Wager("Ann", "D", 700),)  # type: ignore[attr-defined]
    coloured.rest("D")
    coloured.press("acknowledge")
    assert money(coloured.results["Ann/D"]) == (77, 0, 7)


@clause("3.1.2(b)", "3.3")
def test_of_a_chip_that_exists_twice_the_one_that_lay_there_first_is_the_wager(play: Play) -> None:
    tag = play.bet("Ann", "D", 10)
    play.event(ChipsMoved("chips", play.area("A"), (Chip(tag, "cash", 1000),)))
    play.time(1)
    assert f"cloned:{tag}" in play.table.state.desk.alarms
    assert play.table.game.wagers() == (Wager("Ann", "D", 1000),)  # type: ignore[attr-defined]


# -- collected and paid -----------------------------------------------------------------------------------------------


@clause("3.6.1", "5.1.4", "3.1.2(b)")
def test_a_supervisor_may_confirm_that_the_losers_are_collected_although_chips_are_seen(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.bet("Bob", "A", 20)
    play.result("D")
    for rank, confirmed in ((1, True), (2, False)):
        play.press("losers_clear", rank, confirmed=confirmed)
        assert (play.refused, play.state) == ("not_clear", "collect")
    play.press("losers_clear", 2, confirmed=True, reason="the antenna is wrong")
    assert play.state == "pay"
    ruling = ruled(play)
    assert (ruling.subject, ruling.answer, ruling.clauses, ruling.reason) == (
        "collected", "confirmed", ("3.6.1",), "the antenna is wrong",
    )  # fmt: skip


@clause("3.6.1", "3.6.2", "3.1.2(b)", "4.2.1")
def test_a_round_with_nothing_to_hand_over_ends_by_itself_and_one_with_a_wager_to_hand_back_does_not(
    play: Play,
) -> None:
    tag = play.bet("Ann", "A", 4)
    play.result("D")
    assert note(play, "advised_under_minimum").facts == {"player": "Ann"}
    play.lift("A", tag)
    assert play.state == "idle"
    play.press("place_bets")
    play.bet("Ann", "A", 4)
    assert money(play.result("D")["Ann/A"]) == (0, 0, 4)
    assert play.state == "pay"
    play.press("paid")
    assert play.state == "idle"


@clause("3.6.1", "5.1.4", "3.1.2(b)")
def test_a_round_without_winners_ends_when_the_last_loser_lies_in_the_float() -> None:
    play = MoneyPlay().opened()
    tag = play.bet("Ann", "A", 10)
    play.result("D")
    play.off("A", tag)
    assert play.state == "pay"
    play.into(tag)
    assert play.state == "idle"


@clause("3.6.2", "5.1.4", "3.1.2(b)")
def test_only_what_is_laid_beside_a_winner_while_winners_are_paid_is_the_winners(play: Play) -> None:
    play.bet("Ann", "D", 10)
    lost = play.bet("Bob", "A", 10)
    play.launch()
    play.press("no_more_bets")
    back = play.bet("Cyd", "D", 5)
    other = play.bet("Dot", "B", 5)
    play.rest("D")
    play.answer("as_closed")
    play.press("acknowledge")
    assert money(play.results["Cyd/D"]) == (0, 0, 5)
    early = play.bet("", "D", 100)
    assert owners(play)[early] == (play.area("D"), "")
    play.lift("A", lost)
    assert play.state == "pay"
    paid = play.bet("", "D", 110)
    assert owners(play)[paid] == (play.area("D"), "Ann")
    play.slide(other, "B", "D")
    assert {tag: owners(play)[tag][1] for tag in (early, back, other)} == {early: "", back: "Cyd", other: "Dot"}


@clause("5.1.4", "3.6.2", "9.4")
def test_a_payment_is_not_confirmed_for_a_spin_that_was_invalidated() -> None:
    play = MoneyPlay().opened()
    play.bet("Ann", "A", 10)
    play.result("A")
    paid = play.pay("A", 500, 500)
    play.press("cancel_disruption", rank=2, reason="fire alarm")
    assert (play.state, play.found) == ("idle", [("A", "paid_without_win", 1000)])
    play.press("paid", rank=2, confirmed=True)
    assert (play.refused, play.state) == ("not_now", "idle")
    play.collect("A", *paid)
    assert (play.found, "take_and_pay" in play.alarms) == ([], False)


# -- which keys mean something ----------------------------------------------------------------------------------------


ROUND_KEYS = {
    "place_bets", "no_more_bets", "no_spin", "acknowledge", "losers_clear", "paid", "assign", "dealer_placed",
    "interference", "cancel_disruption", "cancel_fraud",
}  # fmt: skip
CANCEL = {"cancel_disruption", "cancel_fraud"}
CHIPS = {"assign", "dealer_placed"}


def offered(play: Play) -> set[str]:
    return {key.name for key in play.table.available()} & ROUND_KEYS


@clause("5.1.1", "5.1.2", "5.1.3", "5.1.4", "7.2", "3.1.2(b)")
def test_at_every_step_of_a_round_the_keys_are_those_that_mean_something() -> None:
    play = Play().opened()
    assert offered(play) == {"place_bets"}
    play.press("place_bets")
    assert offered(play) == {"no_more_bets"} | CANCEL
    play.bet("Ann", "D", 10)
    lost = play.bet("Bob", "A", 10)
    assert offered(play) == {"no_more_bets"} | CANCEL | CHIPS
    play.launch()
    assert offered(play) == {"no_more_bets", "no_spin", "interference"} | CANCEL | CHIPS
    play.press("no_more_bets")
    assert offered(play) == {"no_spin", "interference"} | CANCEL | CHIPS
    spoilt = {"no_spin", "interference"}
    play.rest("D")
    assert offered(play) == {"acknowledge"} | spoilt | CANCEL | CHIPS
    play.press("acknowledge")
    assert offered(play) == {"losers_clear"} | spoilt | CANCEL | CHIPS
    play.lift("A", lost)
    assert offered(play) == {"paid"} | spoilt | CANCEL | CHIPS
    play.press("paid", confirmed=True)
    assert offered(play) == {"place_bets"} | spoilt | CANCEL | CHIPS
    play.press("place_bets")
    play.press("no_more_bets")
    assert offered(play) == CANCEL | CHIPS
    always = {key.name for key in play.table.available()}
    assert always >= {"sit", "leave", "dispute", "void", "issue_colour"}


# -- chips seen while the round runs ----------------------------------------------------------------------------------


def picture(play: Play) -> dict[int, tuple[int, str]]:
    return {tag: (laid.area, laid.owner) for tag, laid in play.table.game.state.picture.items()}  # type: ignore[attr-defined]


@clause("3.7", "1.1 'Indicator'", "3.4")
def test_chips_before_betting_are_told_and_only_then() -> None:
    play = Play().opened()
    play.bet("", "A", 10)
    assert note(play, "chips_before_betting").facts == {"area": play.area("A"), "tags": 1}
    assert note(play, "chips_before_betting").clauses == ("3.7",)
    play.lift("A", play.tags)
    assert len(play.noted("chips_before_betting")) == 1
    play.press("place_bets")
    play.bet("", "A", 10)
    assert len(play.noted("chips_before_betting")) == 1
    closed = Play()
    closed.bet("", "A", 10)
    assert closed.noted("chips_before_betting") == []


@clause("5.1.2", "3.2", "3.3")
def test_a_change_after_the_close_is_alarmed_with_its_time_and_over_when_it_is_put_back(play: Play) -> None:
    play.bet("Ann", "A", 10)
    play.launch()
    play.press("no_more_bets")
    added = [play.bet("", "B", 5) for _ in range(2)]
    assert [facts["after_ms"] for facts in play.noted("late_change")] == [1000, 2000]
    assert [facts["tag"] for facts in play.noted("late_change")] == added
    alarm = play.table.state.desk.alarms["late_change"]
    assert alarm.text == (
        "After “no more bets”: $5 added on B, 1.000 s after the close; $5 added on B, 2.000 s after the close."
    )
    for tag in added:
        play.lift("B", tag)
    assert "late_change" not in play.table.state.desk.alarms
    assert note(play, "late_change_restored").facts == {"after_ms": 4000}
    assert len(play.noted("late_change_restored")) == 1
    play.event(ChipsMoved("chips", play.area("B")))
    assert len(play.noted("late_change_restored")) == 1
    play.rest("A")
    assert play.state == "result"


@clause("3.6.2", "5.1.4")
def test_chips_paid_beside_a_winning_wager_are_the_winners(play: Play) -> None:
    play.bet("Ann", "D", 10)
    play.bet("Bob", "A", 10)
    play.result("D")
    play.lift("A", play.tags)
    assert play.state == "pay"
    paid = play.bet("", "D", 110)
    assert picture(play)[paid] == (play.area("D"), "Ann")
    elsewhere = play.bet("", "B", 5)
    assert picture(play)[elsewhere] == (play.area("B"), "")


@clause("3.6.2", "3.2")
def test_winnings_beside_chips_of_another_stay_whose_they_are(play: Play) -> None:
    play.bet("Ann", "D", 10)
    lost = play.bet("Bob", "A", 10)
    play.result("D")
    chip = play.table.game.state.picture[lost].chip  # type: ignore[attr-defined]
    play.lift("A", lost)
    play.bet("Bob", "A", 0)
    play.event(ChipsMoved("chips", play.area("D"), (Chip(lost, chip.kind, chip.cents),)))
    assert picture(play)[lost][1] == "Ann"
    open_play = Play().opened()
    open_play.press("place_bets")
    tag = open_play.bet("", "D", 10)
    assert picture(open_play)[tag] == (open_play.area("D"), "")
